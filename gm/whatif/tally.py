"""Counting what many plays of the same Phase came to, for one player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence

from gm.adjudicator.outcome import AssassinationTried, Fought, OrderResult, Outcome, Points, PurgeRolled, Status
from gm.board.model import Board, Piece
from gm.orders.kinds import Unread
from gm.position import Player, Position
from gm.reports.issue import PlayerInfo
from gm.reports.prose import standard_prose
from gm.reports.roads import moves_of
from gm.reports.view.names import DisplayNames, names_for
from gm.reports.view.reasons import only_on_file, told
from gm.whatif.question import Fate, Fight, MurderTried, PurgeTried, Spread

MOST_FIGHTS = 30


class Tally:
    def __init__(self, board: Board, position: Position, seat: Player, names: dict[Player, str]) -> None:
        self.board = board
        self.position = position
        self.seat = seat
        self._players = {letter: PlayerInfo(name) for letter, name in names.items()}
        self._own = _pieces(position, seat)
        self._boxed = _boxed(position, seat)
        self._fights: dict[Hashable, list[Fought]] = defaultdict(list)
        self._purges: dict[Hashable, list[PurgeRolled]] = defaultdict(list)
        self._murders: dict[Hashable, list[AssassinationTried]] = defaultdict(list)
        self._results: dict[int, list[OrderResult]] = defaultdict(list)
        self._why: dict[int, Counter[str]] = defaultdict(Counter)
        self._waited: Counter[int] = Counter()
        self._points: list[Points] = []
        self.leaders: Counter[str] = Counter()
        self.lost = self.taken = 0
        self.times = 0
        self.sample: Outcome | None = None

    def add(self, outcome: Outcome) -> None:
        self.times += 1
        self.sample = self.sample or outcome
        for event in outcome.events:
            if isinstance(event, Fought):
                key = (event.player, event.province, event.subversion, event.defender.pieces[0].code)
                self._fights[key].append(event)
            elif isinstance(event, PurgeRolled):
                self._purges[event.participants, event.object, event.counter].append(event)
            elif isinstance(event, AssassinationTried):
                self._murders[event.player, event.target.code].append(event)
        self._orders(outcome)
        self._points.append(outcome.points[self.seat])
        gone = self._own - _pieces(outcome.after, self.seat)
        self.lost += sum(piece.value for piece in gone)
        self.leaders.update(piece.bell for piece in gone if piece.is_leader)
        self.taken += _boxed(outcome.after, self.seat) - self._boxed

    def _orders(self, outcome: Outcome) -> None:
        moves, names = moves_of(outcome), self._names(outcome)
        for result in outcome.results:
            if result.player != self.seat or isinstance(result.order, Unread):
                continue
            self._results[result.number].append(result)
            self._waited[result.number] += only_on_file(outcome, result)
            if result.status in (Status.PARTLY, Status.FAILED):
                self._why[result.number][told(names, result, moves.get((self.seat, result.number)), outcome)] += 1

    def _names(self, outcome: Outcome) -> DisplayNames:
        return names_for(self.board, standard_prose(), self._players, outcome)

    # --- what it comes to

    def fights(self) -> tuple[Fight, ...]:
        """The asker's own first, then the likeliest."""
        found = [self._fight(f) for f in self._fights.values()]
        found.sort(key=lambda f: (not f.mine, -sum(f.results.values()), f.by, f.place))
        return tuple(found[:MOST_FIGHTS])

    def _fight(self, fought: Sequence[Fought]) -> Fight:
        first = fought[0]
        lost = Counter(
            piece.bell for event in fought for piece in _fallen(event) if piece in self._own and piece.is_leader
        )
        owner = first.defender.owner
        return Fight(
            by=first.player,
            place=self.board.provinces[first.province].name,
            attackers=_top(stack.pieces[0] for stack in first.attackers),
            target=first.defender.pieces[0].bell,
            owner=owner,
            mine=self.seat in (first.player, owner),
            subversion=first.subversion,
            odds=Counter(event.odds for event in fought).most_common(1)[0][0],
            results=Counter(event.result for event in fought),
            lost=lost,
        )

    def purges(self) -> tuple[PurgeTried, ...]:
        """Those that concern the asker, the likeliest first."""
        mine = [e for e in self._purges.values() if self.seat in (e[0].object, *e[0].participants)]
        return tuple(
            PurgeTried(
                events[0].participants,
                events[0].object,
                events[0].counter,
                events[0].strength,
                Counter(event.result for event in events),
            )
            for events in sorted(mine, key=lambda e: -len(e))
        )

    def murders(self) -> tuple[MurderTried, ...]:
        """Those that concern the asker, the likeliest first."""
        mine = [e for e in self._murders.values() if self.seat in (e[0].player, e[0].owner)]
        return tuple(
            MurderTried(e[0].player, e[0].target.bell, e[0].owner, len(e), sum(x.success for x in e))
            for e in sorted(mine, key=lambda e: -len(e))
        )

    def fates(self) -> tuple[Fate, ...]:
        found = []
        for number, results in sorted(self._results.items()):
            count = Counter(result.status for result in results)
            why = self._why[number].most_common(1)
            found.append(
                Fate(
                    number,
                    results[0].order.printed(),
                    count[Status.DONE] - self._waited[number],
                    count[Status.PARTLY],
                    count[Status.FAILED],
                    self._waited[number],
                    why[0][0] if why else "",
                )
            )
        return tuple(found)

    def spread(self, before: int, color: str) -> Spread:
        points = sorted(getattr(p, color) for p in self._points)
        tenth = len(points) // 10
        return Spread(before, sum(points) / len(points), points[tenth], points[-1 - tenth])


def _fallen(event: Fought) -> tuple[Piece, ...]:
    return (*event.lost_by_attacker, *event.lost_by_defender)


def _pieces(position: Position, seat: Player) -> set[Piece]:
    return {piece for stack in position.owned(seat) for piece in stack.pieces}


def _boxed(position: Position, seat: Player) -> int:
    return sum(held.piece.value for held in position.box(seat).held)


def _top(pieces: Iterable[Piece]) -> str:
    return ", ".join(piece.bell for piece in pieces)
