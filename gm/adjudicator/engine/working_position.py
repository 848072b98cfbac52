"""The position while a Phase is adjudicated: it changes only by the changes of an event. And the log of all rolls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from gm.adjudicator.chance import Chance
from gm.adjudicator.outcome import (
    GONE,
    RANDOMIZER,
    Boxed,
    Change,
    Event,
    Flagged,
    Gone,
    Marked,
    Restacked,
    Returned,
    Roll,
)
from gm.board.model import Board, Color, Piece
from gm.position import Box, Held, Markers, Player, Position, Stack, canonical


class WorkingPosition:
    def __init__(self, board: Board, position: Position) -> None:
        self.board = board
        self.base = position
        self.where: dict[Piece, Stack] = dict(position.where)
        # The stacks of each province, by their top piece.
        self._provinces = {p: {s.pieces[0]: s for s in stacks} for p, stacks in position.by_province.items()}
        self.players = tuple(sorted(position.active))  # those still in the game
        self.markers: dict[str, Markers] = {p: position.box(p).markers for p in position.players}
        self.markers[RANDOMIZER] = position.randomizer
        self.markers[GONE] = Markers(chits=tuple(sorted(position.gone_chits)))
        self.held: dict[Player | None, tuple[Held, ...]] = {p: position.box(p).held for p in position.players}
        self.held[None] = position.neutral.held
        self.gone: list[Piece] = list(position.gone)
        self.flags: dict[str, object] = {}
        self.events: list[Event] = []
        self.touched = False  # whether any stack is otherwise than at the start
        self.unsettled: list[Stack] = []  # formed since the last settling of J2

    # --- looking ---

    def at(self, province: str) -> Collection[Stack]:
        return self._provinces.get(province, {}).values()

    def every(self) -> list[Stack]:
        """Every stack, in no particular order."""
        return [stack for found in self._provinces.values() for stack in found.values()]

    def stacks(self) -> tuple[Stack, ...]:
        """Every stack, in the canonical order of a Position."""
        if not self.touched:
            return self.base.stacks
        found: list[Stack] = []
        for province in sorted(self._provinces):
            here = self._provinces[province].values()
            found += here if len(here) < 2 else canonical(here)
        return tuple(found)

    def of_nation(self, nation: str) -> list[Stack]:
        """The stacks in which units of a nation stand, in canonical order."""
        found = [self.where[unit] for unit in self.board.of_nation[nation] if unit in self.where]
        return list(canonical({stack.pieces[0]: stack for stack in found}.values()))

    def owned(self, player: Player) -> list[Stack]:
        return list(canonical([s for s in self.every() if s.owner == player]))

    def controller(self, stack: Stack) -> Player | None:
        """Who counts as controlling a stack: a quitter's counts as uncontrolled (J37)."""
        return None if stack.owner in self.base.quitters else stack.owner

    def marker_holder(self, nation: str | None) -> Player | None:
        """Who holds the Control Marker of a nation (5.61, 5.71)."""
        chit = f"{nation} control"
        return next((p for p in self.base.players if chit in self.markers[p].chits), None)

    def flag(self, name: str) -> object:
        return self.flags[name] if name in self.flags else getattr(self.base, name)

    def red_leadership(self, player: Player) -> int:
        """The Leadership Values of a player's Red Leaders on the map (11.0)."""
        return sum(p.value for s in self.owned(player) for p in s.leaders if p.color is Color.RED)

    # --- changing ---

    def emit(self, event: Event) -> None:
        for change in event.changes:
            self.apply(change)
        self.events.append(event)

    def apply(self, change: Change) -> None:
        match change:
            case Restacked():
                for stack in change.before:
                    del self._provinces[stack.province][stack.pieces[0]]
                    for piece in stack.pieces:
                        del self.where[piece]
                self.touched = True
                self.unsettled += change.after
                for stack in change.after:
                    self._put(stack)
            case Marked():
                self.markers[change.place] = self.markers[change.place].plus(change.marker, change.number)
            case Boxed():
                found = list(self.held[change.box])
                if change.out:
                    found.remove(change.held)
                else:
                    found.append(change.held)
                self.held[change.box] = tuple(found)
            case Gone():
                self.gone.append(change.piece)
            case Returned():
                self.gone.remove(change.piece)
            case Flagged():
                self.flags[change.name] = change.value

    def _put(self, stack: Stack) -> None:
        self._provinces.setdefault(stack.province, {})[stack.pieces[0]] = stack
        for piece in stack.pieces:
            self.where[piece] = stack

    def position(self) -> Position:
        """The Position as the table now shows it."""
        fields = {
            "stacks": self.stacks(),
            "boxes": {p: Box(self.markers[p], self.held[p]) for p in self.base.players},
            "neutral": Box(self.base.neutral.markers, self.held[None]),
            "randomizer": self.markers[RANDOMIZER],
            "gone": tuple(self.gone),
            "gone_chits": self.markers[GONE].as_list(),
        }
        return replace(self.base, **fields, **self.flags)


def replay(board: Board, before: Position, events: Iterable[Event]) -> Position:
    """The Position that the events make of the old one."""
    table = WorkingPosition(board, before)
    for event in events:
        table.emit(event)
    return table.position()


class ChanceLog:
    """Chance with a witness: every roll is written down with its occasion and the table cell that it hit."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.rolls: list[Roll] = []

    def die(self, occasion: str) -> int:
        number = self._chance.die(occasion)
        self.rolls.append(Roll(occasion, (number,)))
        return number

    def two_dice(self, occasion: str) -> int:
        total = self._chance.two_dice(occasion)
        self.rolls.append(Roll(occasion, (total,)))
        return total

    def pair(self, occasion: str) -> tuple[int, int]:
        pair = self._chance.pair(occasion)
        self.rolls.append(Roll(occasion, pair))
        return pair

    def pick(self, occasion: str, options: Sequence[str]) -> str:
        chosen = self._chance.pick(occasion, options)
        self.rolls.append(Roll(occasion, drawn=chosen, options=tuple(options)))
        return chosen

    def draw(self, occasion: str, chits: Sequence[str]) -> str:
        chit = self._chance.draw(occasion, chits)
        self.rolls.append(Roll(occasion, drawn=chit, options=tuple(chits)))
        return chit

    def deal(self, occasion: str, cards: Sequence[str], players: Sequence[str]) -> dict[str, tuple[str, ...]]:
        hands = dict(self._chance.deal(occasion, cards, players))
        for player, hand in hands.items():
            drawn = ", ".join(hand)
            self.rolls.append(Roll(f"{occasion}/{player}", (), drawn, None, tuple(cards), tuple(players)))
        return hands

    def offers(self, kind: str) -> bool:
        return self._chance.offers(kind)

    def cell(self, text: str) -> None:
        """Note the table cell that the last roll hit."""
        self.rolls[-1] = replace(self.rolls[-1], cell=text)
