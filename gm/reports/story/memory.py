"""The war so far, as earlier issues left it, and what this issue leaves to the next ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator import outcome as o
from gm.board.model import Board
from gm.orders.rules.odds import results_of
from gm.position import How, Player
from gm.reports.issue import Clash, Death, HeldPurge, LongMarch, Luck, Past, Record
from gm.standin.tracks import Tracks, advance


@dataclass(frozen=True, slots=True)
class War:
    """The issues before this one. What is told of them is what their figures say: no counts, no streaks."""

    past: Sequence[Past] = ()

    def points(self, color: str) -> dict[Player, int]:
        """The score after the last issue, if this colour had won then."""
        return _points(self.past[-1], color) if self.past else {}

    def led(self, color: str, back: int) -> tuple[Player, ...] | None:
        """Who had most, so many issues before the last one; None: there was no such issue."""
        return heads(_points(self.past[-1 - back], color)) if back < len(self.past) else None


def _points(past: Past, color: str) -> dict[Player, int]:
    return {p: row.if_red if color == "red" else row.if_white for p, row in past.rows.items()}


def first(points: Mapping[Player, int]) -> Player | None:
    """Who has most; None if several have, or nobody anything."""
    most = heads(points)
    return most[0] if len(most) == 1 else None


def heads(points: Mapping[Player, int]) -> tuple[Player, ...]:
    """All who have most; none if nobody has anything."""
    best = max(points.values(), default=0)
    return tuple(p for p in sorted(points) if points[p] == best > 0)


def deaths(outcome: o.Outcome) -> Iterator[Death]:
    """Leaders who fell in this Phase, in order."""
    for event in outcome.events:
        if isinstance(event, o.AssassinationTried) and event.success:
            yield Death(event.target.name, "murder", event.province, event.owner, event.player)
        elif isinstance(event, o.Fought):
            yield from _fallen(event)
        for c in event.changes:
            if isinstance(c, o.Boxed) and c.held.how is How.EXECUTED and not c.out:
                yield Death(c.held.piece.name, "executed", "", c.box, None)


def _fallen(event: o.Fought) -> Iterator[Death]:
    won = bool(event.lost_by_defender)
    owner = event.attackers[0].owner
    left = {p for s in event.attackers for p in s.pieces if not p.is_imperial} - set(event.lost_by_attacker)
    for piece in event.lost_by_attacker:
        if piece.is_leader:
            cause = "repulsed" if not won else "attacking" if left else "destroyed"
            yield Death(piece.name, cause, event.province, owner, event.defender.owner)
    for piece in event.lost_by_defender:
        if piece.is_leader:
            cause = "defending" if left else "exchanged"
            yield Death(piece.name, cause, event.province, event.defender.owner, event.player)


def record_of(board: Board, outcome: o.Outcome, date: str, headline: str, past: Sequence[Past]) -> Record:
    """What this issue leaves to the next ones."""
    fights = [e for e in outcome.events if isinstance(e, o.Fought) and not e.subversion]
    rolled = [e for e in outcome.events if isinstance(e, o.PurgeRolled) and not e.counter]
    return Record(
        date=date,
        headline=headline,
        dead=tuple(deaths(outcome)),
        clashes=tuple(Clash(e.province, e.player, e.defender.owner, e.result) for e in fights),
        purges=tuple(
            HeldPurge(tuple(sorted(e.participants)), e.object, 0 if e.result == "C" else int(e.result)) for e in rolled
        ),
        march=_longest(outcome),
        luck=_luck(board, outcome),
        relations=relations_after(board, outcome, past),
    )


def relations_after(board: Board, outcome: o.Outcome, past: Sequence[Past]) -> dict[str, int]:
    """How the players stand to each other after this issue: the Cooperation tracks, which public acts alone move."""
    if outcome.after.solitaire:
        return {}
    before = past[-1].record.relations if past else {}
    tracks = Tracks({(pair[0], pair[1]): value for pair, value in before.items()})
    return noted(advance(board, tracks, outcome))


def noted(tracks: Tracks) -> dict[str, int]:
    """The Cooperation tracks as an issue keeps them."""
    return {one + other: value for (one, other), value in sorted(tracks.cooperation.items())}


def went(event: o.Moved) -> bool:
    """Whether a force came to another place: who marched in a circle has not gone anywhere."""
    return len(event.path) > 1 and event.path[0] != event.path[-1]


def _longest(outcome: o.Outcome) -> LongMarch | None:
    marches = [
        (e, max((p for p in e.pieces if p.is_leader), key=lambda p: (p.value, -p.code)))
        for e in outcome.events
        if isinstance(e, o.Moved) and went(e) and not e.by_rail and any(p.is_leader for p in e.pieces)
    ]
    if not marches:
        return None
    event, leader = max(marches, key=lambda m: len(m[0].path))
    alike = sum(len(e.path) == len(event.path) for e, _ in marches) - 1
    return LongMarch(leader.name, event.player, event.path, alike)


def _luck(board: Board, outcome: o.Outcome) -> dict[Player, Luck]:
    """An attack is won if the enemy is destroyed: De or Ex, of a subversive attack De alone."""
    attacks: Counter[Player] = Counter()
    won: Counter[Player] = Counter()
    expected: dict[Player, float] = {}
    for event in outcome.events:
        if isinstance(event, o.Fought):
            good = ("De",) if event.subversion else ("De", "Ex")
            faces = results_of(board, event.odds)
            attacks[event.player] += 1
            won[event.player] += event.result in good
            chance = sum(result in good for result in faces.values()) / len(faces)
            expected[event.player] = expected.get(event.player, 0.0) + chance
    return {p: Luck(n, won[p], round(expected[p], 3)) for p, n in sorted(attacks.items())}
