"""Assassination (10, 17/10.0, J16, J17): after all movement, where a Leader's route met an assassin's Leader."""

from __future__ import annotations

from msgspec import Struct

from gm.adjudicator.engine.casualties import into_box, is_revolution, shake
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle, without
from gm.adjudicator.outcome import RANDOMIZER, AssassinationTried, Change, Marked, Restacked
from gm.adjudicator.reasons import because
from gm.board.model import Piece
from gm.orders.kinds import Assassinate
from gm.position import Player

ENOUGH = 7


class Attempt(Struct, frozen=True):
    player: Player
    number: int
    target: Piece
    markers: int
    province: str

    def precedence(self) -> tuple[int, int, Player, int]:
        """J17: most markers, then lower code of the target, then player letter, then as listed."""
        return (-self.markers, self.target.code, self.player, self.number)


def assassinate(play: PhaseInPlay) -> None:
    # Judged once, before the first roll: who can be met, and with how many markers.
    orders: dict[Player, list[tuple[int, Assassinate]]] = {}
    for player, number, order in play.orders(Assassinate):
        orders.setdefault(player, []).append((number, order))
    attempts = [attempt for player, own in orders.items() for attempt in _commit(play, player, own)]
    for attempt in sorted(attempts, key=Attempt.precedence):
        if attempt.target not in play.table.where:
            play.fail(attempt.player, attempt.number, "already-dead", target=attempt.target)
        else:
            _try(play, attempt)
    settle(play.table)


def _commit(play: PhaseInPlay, player: Player, orders: list[tuple[int, Assassinate]]) -> list[Attempt]:
    left = play.table.markers[player].am
    found: list[Attempt] = []
    for number, order in orders:
        alive = [t for t in order.targets if t.is_leader and t in play.table.where]
        met = next(((t, where) for t in alive if (where := _meeting(play, player, t))), None)
        if not alive:
            play.fail(player, number, "no-target", target=order.targets[0])
        elif met is None:
            play.fail(player, number, "no-meeting", target=alive[0])
        elif not left or order.markers == 0:
            play.fail(player, number, "no-markers", target=met[0])
        else:
            markers = left if order.markers is None else min(order.markers, left)
            left -= markers
            found.append(Attempt(player, number, met[0], markers, met[1]))
    return found


def _meeting(play: PhaseInPlay, player: Player, target: Piece) -> str | None:
    """The first province of the target's route where a Leader of the assassin ended his movement (17/10.0)."""
    own = [s for s in play.table.every() if s.owner == player]
    ends = {s.province for s in own for p in s.leaders if p is not target}
    parts = [force.route_of(target) for force in play.forces if target in force.been]
    route = [province for part in parts for province in part] or [play.table.where[target].province]
    return next((province for province in route if province in ends), None)


def _try(play: PhaseInPlay, attempt: Attempt) -> None:
    table, target = play.table, attempt.target
    stack = table.where[target]
    dice = play.luck.two_dice(f"assassination/{target.name}/{attempt.player}/{attempt.number}")
    total = dice + attempt.markers - 1 - target.value
    success = total >= ENOUGH
    play.luck.cell(f"10.0 {dice} + {attempt.markers - 1} - {target.value} = {total}")
    changes: list[Change] = [Marked(attempt.player, "AM", -attempt.markers)]
    if success:
        changes += [
            Restacked((stack,), tuple(without(table, stack, [target]))),
            *into_box([target], attempt.player),
            Marked(RANDOMIZER, "AM", attempt.markers),
        ]
    else:  # 10.23; the markers of somebody who left belong to the Randomizer (14.23)
        changes.append(Marked(table.controller(stack) or RANDOMIZER, "AM", attempt.markers))
    code = "killed" if success else "survived"
    more = ("11.32", "J33") if success and is_revolution(target) else ()
    reason = because(code, *more, target=target, total=total, province=attempt.province)
    table.emit(
        AssassinationTried(
            rules=reason.rules,
            player=attempt.player,
            number=attempt.number,
            target=target,
            owner=stack.owner,
            province=attempt.province,
            markers=attempt.markers,
            dice=dice,
            total=total,
            success=success,
            changes=tuple(changes),
        )
    )
    if success:
        if is_revolution(target):
            shake(play, target, stack.owner)
        play.done(attempt.player, attempt.number, reason)
    else:
        play.fail(attempt.player, attempt.number, code, target=target, total=total, province=attempt.province)
