"""The odds of an attack on the published Position, and what each face of the die would bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator.battle import odds
from gm.board.model import Board
from gm.orders.model import Attack, Named, Subvert
from gm.position import Player, Position, Stack
from gm.web.words import say


@dataclass(frozen=True, slots=True)
class Battle:
    province: str
    attack: int
    defence: int
    odds: str | None
    results: Mapping[int, str]
    summary: str
    stacks: tuple[int, ...]  # indices of the attackers in the Position


def battle(board: Board, position: Position, player: Player, order: Attack | Subvert) -> Battle | None:
    target = stack_of(position, (order.target,), None, order.province)
    attackers: list[Stack] = []
    for named in order.attackers:
        stack = stack_of(position, (named,), player, None)
        if stack is not None and stack not in attackers:
            attackers.append(stack)
    if target is None or not attackers:
        return None
    subversion = isinstance(order, Subvert)
    strength = sum(s.strength for s in attackers)
    if subversion and position.subversion_doubled:
        strength *= 2  # 12.12
    found = odds(strength, target.strength) if target.strength else None
    results = _results(board, found) if found else {}
    summary = _summary(results, subversion) if found else say("battle.below")
    indices = tuple(position.stacks.index(s) for s in attackers)
    return Battle(order.province, strength, target.strength, found, results, summary, indices)


def stack_of(position: Position, named: Sequence[Named], owner: Player | None, province: str | None) -> Stack | None:
    """The stack that some named piece stands in."""
    for name in named:
        for piece in name.options:
            stack = position.where.get(piece)
            if stack is None or (owner is not None and stack.owner != owner):
                continue
            if province is None or stack.province == province:
                return stack
    return None


def _results(board: Board, found: str) -> dict[int, str]:
    tables = board.tables
    high, low = (int(n) for n in found.split("-"))
    column = 0
    for index, name in enumerate(tables.odds):
        a, b = (int(n) for n in name.split("-"))
        if high * b >= a * low:
            column = index
    return {die: tables.combat[die][column] for die in sorted(tables.combat)}


def _summary(results: Mapping[int, str], subversion: bool) -> str:
    faces = list(results.values())
    counts = {kind.lower(): faces.count(kind) for kind in ("De", "Ex", "Ae")}
    return say("battle.subversion" if subversion else "battle.summary", **counts)
