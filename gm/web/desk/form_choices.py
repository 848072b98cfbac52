"""Choices of the order forms: own forces, targets, Leaders of others, partners; from the published Position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from msgspec.structs import replace

from gm.adjudicator.steps.victory import standings
from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.orders.check.checker import belongs, check
from gm.orders.kinds import print_piece
from gm.orders.kinds.catalogue import KINDS
from gm.orders.parser import parse
from gm.orders.problems import Severity
from gm.orders.rules.odds import prospects
from gm.orders.rules.quorums import EXECUTION_QUORUM, PURGE_QUORUM, recruited
from gm.position import Phase, Player, Position, Stack

Ask = Callable[[str], bool]
Choice = tuple[str, str, str]  # as an order says it, in words, whose


@dataclass(frozen=True, slots=True)
class ForceLine:
    index: int
    province: str
    name: str
    text: str
    color: str
    strength: int


@dataclass(frozen=True, slots=True)
class Target:
    value: str  # "WU2 SARA IN SARA"
    province: str
    words: str
    by: tuple[str, ...]  # the attackers who may take part, as an order names them


@dataclass(frozen=True, slots=True)
class Attacker:
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Score:
    """What a player would score if the war ended now, and how many would score more."""

    side: str
    points: int
    rank: int


@dataclass(frozen=True, slots=True)
class DeskView:
    forces: tuple[ForceLine, ...]
    pm: int
    am: int
    chits: tuple[str, ...]
    provinces: tuple[tuple[str, str], ...]  # with own pieces
    orders: frozenset[str]  # keywords of the orders that belong into this Phase
    others: tuple[Player, ...]  # who are still in the game
    holds: dict[Player, tuple[int, int]]  # PM and AM of each of them
    leaders: tuple[tuple[str, str], ...]  # (order name, words) of other players' Leaders whom one could have murdered
    targets: tuple[Target, ...]
    attackers: tuple[Attacker, ...]
    blue_targets: tuple[Target, ...]
    losable: tuple[Choice, ...]  # in an Exchange: one's own by LOSE, the unaligned beside them by TAKE
    victims: tuple[Player, ...]  # whom a Purge could be ordered against
    purged: bool  # there was one in this Game-Turn
    spoils: tuple[Choice, ...]  # what it may bring, by whose it is
    giveable: tuple[Choice, ...]
    wanted: tuple[Choice, ...]  # what others could give, by whose it is
    execution: tuple[str, ...]  # what can be ordered about the Czar
    leave: tuple[str, ...]  # EMIGRATE and EXIT orders that could be given
    phase: str
    solitaire: bool
    deployable: bool  # a Leader may be, in the game for one person
    scores: tuple[Score, ...]  # for either victory


def _chit(board: Board, chit: str) -> str:
    """`TC control` with the nation's name."""
    nation = board.nations.get(chit.split()[0])
    return f"{chit} ({nation.name})" if nation is not None else chit


def _color(stack: Stack) -> str:
    return stack.color.value if stack.color else "imperial"


def _line(stack: Stack) -> str:
    return ", ".join(p.bell for p in stack.pieces)


@lru_cache(maxsize=256)
def desk_view(board: Board, position: Position, player: Player) -> DeskView:
    own = [(n, s) for n, s in enumerate(position.stacks) if s.owner == player]
    box = position.box(player)
    ask = partial(_passes, board, position, player)
    attackers = [m.Named((s.pieces[0],)) for _, s in own if s.strength]
    others = tuple(p for p in position.active if p != player)
    boxes = {p: position.box(p) for p in others}
    return DeskView(
        forces=tuple(_force(board, n, s) for n, s in own),
        pm=box.pm,
        am=box.am,
        chits=tuple(_chit(board, chit) for chit in box.markers.chits),
        provinces=tuple((code, board.provinces[code].name) for code in sorted({s.province for _, s in own})),
        orders=frozenset(kind.about.keyword for kind in KINDS if belongs(board, position, kind)),
        others=others,
        holds={p: (b.pm, b.am) for p, b in boxes.items()},
        leaders=tuple(_leaders(position, player, ask)),
        targets=tuple(_targets(board, position, player, m.Attack, attackers)),
        attackers=tuple(_attacker(s) for _, s in own if s.strength),
        blue_targets=tuple(_targets(board, position, player, m.Subvert, attackers)),
        losable=tuple(_losable(position, own)),
        victims=tuple(p for p in others if ask(_purge(position, player, p))),
        purged=position.purge_done,
        spoils=tuple(_spoils(position, player, ask)),
        giveable=tuple(_goods(position, player, "")),
        wanted=tuple(choice for p in others for choice in _goods(position, p, p)),
        execution=tuple(_execution(position, player, ask)),
        leave=tuple(order for order in _leaving(board, own) if ask(order)),
        phase=position.phase.value,
        solitaire=position.solitaire is not None,
        deployable=bool(position.solitaire and position.solitaire.deployable),
        scores=tuple(_scores(board, position, player)),
    )


def _scores(board: Board, position: Position, player: Player) -> Iterator[Score]:
    all_points = standings(board, position) if position.stacks else {}  # before the deal there is nothing to count
    for side in ("Red", "White"):
        points = {p: int(getattr(found, side.lower())) for p, found in all_points.items()}
        if player in points:
            own = points[player]
            yield Score(side, own, 1 + sum(other > own for other in points.values()))


def _passes(board: Board, position: Position, player: Player, text: str) -> bool:
    """Whether the check has nothing against an order: what it would refuse is not offered."""
    problems = check(board, position, player, parse(board, text, position.players).sheet)
    return all(p.severity is not Severity.PROBLEM for p in problems)


def _force(board: Board, index: int, stack: Stack) -> ForceLine:
    name = board.provinces[stack.province].name
    return ForceLine(index, stack.province, name, _line(stack), _color(stack), stack.strength)


def _leaders(position: Position, player: Player, ask: Ask) -> list[tuple[str, str]]:
    """Whom an ASSASSINATE could name; nobody without a marker, though one may still come by a trade (J5)."""
    if not position.box(player).am:
        return []
    found = [
        (print_piece(p), f"{p.bell} in {stack.province} ({stack.owner or 'unaligned'})")
        for stack in position.stacks
        if stack.owner != player
        for p in stack.leaders
    ]
    return sorted(choice for choice in found if ask(f"ASSASSINATE {choice[0]} WITH ALL"))


def _purge(position: Position, player: Player, victim: Player) -> str:
    """The Purge with the most markers: alone if one has them, else with all others."""
    held, others = position.box(player).pm, [p for p in position.active if p not in (player, victim)]
    if held >= PURGE_QUORUM:
        return f"PURGE {victim} USING {held} PM"
    if recruited(PURGE_QUORUM, {p: position.box(p).pm for p in position.active}, (player,), others) is None:
        return f"PURGE {victim} USING 0 PM"
    return f"PURGE {victim} WITH {', '.join(others)} USING {held} PM DIVIDE {player} 1"


def _spoils(position: Position, player: Player, ask: Ask) -> list[Choice]:
    """What the object of a Purge may lose (11.21): markers, and the Leaders of each."""
    found: list[Choice] = [("PM", "PM", "")]
    for stack in position.stacks:
        if stack.owner not in (None, player):
            names = [(print_piece(p), f"{p.bell} ({stack.owner})", str(stack.owner)) for p in stack.leaders]
            found += [choice for choice in names if ask(f"COUNTERPURGE {choice[2]} TAKING {choice[0]}")]
    return found


def _execution(position: Position, player: Player, ask: Ask) -> list[str]:
    if position.phase not in (Phase.FIRST, Phase.SECOND) or position.solitaire:
        return []
    held = {p: position.box(p).pm for p in position.active}
    members = recruited(EXECUTION_QUORUM, held, (player,), [p for p in held if p != player])
    found = []
    if members is not None:
        partners = f" WITH {', '.join(members[1:])}" if members[1:] else ""
        if ask(f"EXECUTE CZAR{partners} USING {held.get(player, 0)} PM"):
            found.append("EXECUTE")
    return [*found, "COMPLY", "REFUSE EXECUTION"] if found else []


def _goods(position: Position, player: Player, owner: str) -> list[Choice]:
    """What a player may give away now: markers, before the game Leaders too (15.33, J5)."""
    box = position.box(player)
    found = [f"{n} {kind}" for kind, held in (("PM", box.pm), ("AM", box.am)) for n in range(1, held + 1)]
    if position.phase is Phase.PREGAME:
        found += [print_piece(p) for s in position.stacks if s.owner == player for p in s.leaders]
        found += [print_piece(h.piece) for h in box.held if h.piece.is_leader]
    return [(value, value, owner) for value in found]


def _losable(position: Position, own: list[tuple[int, Stack]]) -> list[Choice]:
    here = {s.province for _, s in own}
    found = [(print_piece(p), f"{p.bell}, {s.province}", "LOSE") for _, s in own for p in s.pieces]
    beside = [s for s in position.stacks if s.owner is None and s.province in here]
    return found + [(print_piece(p), f"{p.bell}, {s.province}", "TAKE") for s in beside for p in s.pieces]


def _named(piece: Piece) -> str:
    return piece.name if piece.is_imperial else piece.bell


def _targets(
    board: Board, position: Position, player: Player, kind: type[m.Attack | m.Subvert], attackers: list[m.Named]
) -> list[Target]:
    """Stacks that the player could attack or subvert, with whom, by the rules of combat (8.1, 8.2, 8.3)."""
    if not belongs(board, position, kind):
        return []
    found = []
    for stack in position.stacks:
        if not stack.strength or stack.owner == player:
            continue
        order = kind(target=m.Named((stack.pieces[0],)), province=stack.province, attackers=())
        words = f"{stack.province}: {_line(stack)} ({stack.owner or 'unaligned'}, strength {stack.strength})"
        left = attackers
        while left:  # Reds and Whites do not attack together: each group is a choice of its own
            prospect = prospects(board, position, player, [replace(order, attackers=tuple(left))])[1]
            if not prospect.attackers:
                break
            tops = [s.pieces[0] for s in prospect.stacks]
            by = tuple(print_piece(top) for top in tops)
            if prospect.refusal is None:
                found.append(Target(f"{_named(stack.pieces[0])} IN {stack.province}", stack.province, words, by))
            left = [name for name in left if name.one not in tops]
    return found


def _attacker(stack: Stack) -> Attacker:
    top = stack.pieces[0]
    return Attacker(print_piece(top), f"{stack.province}: {_line(stack)} ({stack.strength})")


def _leaving(board: Board, own: list[tuple[int, Stack]]) -> list[str]:
    found: list[str] = []
    for _, stack in own:
        for piece in stack.pieces:
            if piece.is_imperial and board.provinces[stack.province].port:
                found.append(f"EMIGRATE {piece.name} FROM {stack.province}")
            nation = board.nations.get(piece.nation or "")
            if nation is not None and nation.exit_from == stack.province:
                found.append(f"EXIT {piece.bell}")
    return found
