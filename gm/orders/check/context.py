"""The context of a check: the published position, one player's orders, and the problems found so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from msgspec import Struct

from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.orders.check.forecast import Forecast, forecast
from gm.orders.language.lexer import Word, Words, lex
from gm.orders.language.names import names_of
from gm.orders.problems import Family, Problem, Severity
from gm.orders.rules.odds import Prospect, StackId, prospects
from gm.orders.rules.reasons import REASONS
from gm.orders.rules.stacking import at_the_bottom
from gm.position import Phase, Player, Position, Stack

MAX_PROBLEMS = 20  # of one order; whoever has so many does not need the next one


class At(Struct, frozen=True):
    """Which words of an order a problem is about."""

    piece: Piece | None = None
    place: str | None = None
    player: Player | None = None
    keyword: str | None = None  # a terminal of the grammar
    nth: int = 0  # of several such words


class Gifts(Struct, frozen=True):
    """What a sheet gives away, and by which orders."""

    pm: int
    am: int
    orders: tuple[int, ...]


@dataclass
class CheckContext:
    board: Board
    position: Position
    player: Player
    orders: tuple[m.Order, ...]
    problems: list[Problem] = field(default_factory=list)
    seized: dict[Piece, Piece] = field(default_factory=dict)  # unit -> the Leader who takes it in the trade step

    _refused: set[int] = field(default_factory=set)
    _flags: Counter[int] = field(default_factory=Counter)  # problems of each order
    _words: dict[str, Words] = field(default_factory=dict)  # of an order's text: read once, however much is said of it
    _first: dict[Hashable, int] = field(default_factory=dict)
    _last: dict[str, tuple[int, Hashable]] = field(default_factory=dict)
    _tally: dict[str, int] = field(default_factory=dict)

    def before(self, what: Hashable, number: int) -> int | None:
        """The earlier order that did the same; None for the first, which is remembered."""
        first = self._first.setdefault(what, number)
        return first if first != number else None

    def contradicts(self, number: int, about: str, says: Hashable) -> None:
        """Flag an order that says otherwise than the last one about the same."""
        last, said = self._last.get(about, (0, says))
        self._last[about] = (number, says)
        if said != says:
            self.flag(number, "contradiction", severity=Severity.WARNING, earlier=last)

    def spent(self, what: str, more: int = 0) -> int:
        """How much of something the orders so far have used up, and `more` from now on."""
        so_far = self._tally.get(what, 0)
        self._tally[what] = so_far + more
        return so_far

    @property
    def phase(self) -> Phase:
        return self.position.phase

    @cached_property
    def given(self) -> Gifts:
        """What the orders of the sheet give away: one that cannot be paid is refused, and gives nothing (J5)."""
        held, pm, am, orders = self.position.box(self.player), 0, 0, list[int]()
        for number, order in enumerate(self.orders, start=1):
            if not isinstance(order, m.Give) or not self._may_trade(order):
                continue
            if pm + order.what.pm <= held.pm and am + order.what.am <= held.am:
                pm, am = pm + order.what.pm, am + order.what.am
                orders.append(number)
        return Gifts(pm, am, tuple(orders))

    def _may_trade(self, order: m.Give) -> bool:
        """Whether the other is there to deal with and can pay, and no Leaders are traded once the game has begun."""
        wanted = order.for_ or m.Goods()
        box = self.position.box(order.to)
        leaders = (*order.what.leaders, *wanted.leaders) if self.phase is not Phase.PREGAME else ()
        return order.to in self.others() and not leaders and wanted.pm <= box.pm and wanted.am <= box.am

    @cached_property
    def counterpurges(self) -> dict[tuple[frozenset[Player], bool], int]:
        """The first COUNTERPURGE of each kind: who must be among those struck, and whether it says NEVER."""
        found: dict[tuple[frozenset[Player], bool], int] = {}
        for number, order in enumerate(self.orders, start=1):
            if isinstance(order, m.Counterpurge):
                found.setdefault((order.needs, order.against is m.Against.NEVER), number)
        return found

    @cached_property
    def stacked(self) -> frozenset[Piece]:
        """The pieces that STACK orders name."""
        return frozenset(p for o in self.orders if isinstance(o, m.Restack) for n in o.pieces for p in n.options)

    @cached_property
    def forecast(self) -> Forecast:
        """The player's own movement; computed after their SEIZE orders were checked."""
        return forecast(self.board, self._after_trades(), self.player, self.orders)

    @cached_property
    def prospects(self) -> dict[int, Prospect]:
        """The player's own attacks, on the published positions."""
        return prospects(self.board, self.position, self.player, self.orders)

    def attacks_in(self, stack: StackId | None) -> int | None:
        """The order in which a stack attacks; None if it was in an earlier sheet (S14)."""
        return next((n for n, p in self.prospects.items() if p.refusal is None and stack in p.attackers), None)

    def attacked_in(self, stack: StackId | None) -> int | None:
        """The order in which the player attacks a stack; None if it was in an earlier sheet (S14)."""
        return next((n for n, p in self.prospects.items() if p.refusal is None and p.target == stack), None)

    def _after_trades(self) -> Position:
        if not self.seized:
            return self.position
        stacks: list[Stack] = []
        for stack in self.position.stacks:
            units = [u for u, leader in self.seized.items() if leader in stack.pieces]
            kept = tuple(p for p in stack.pieces if p not in self.seized)
            stacks.append(Stack(stack.province, stack.owner, tuple(at_the_bottom(kept, units))))
        return self.position.with_stacks(stacks)

    def where(self, piece: Piece) -> Stack | None:
        return self.position.where.get(piece)

    def is_own(self, piece: Piece) -> bool:
        stack = self.where(piece)
        return stack is not None and stack.owner == self.player

    def others(self) -> tuple[Player, ...]:
        """The other players still in the game."""
        return tuple(p for p in self.position.active if p != self.player)

    def is_refused(self, number: int) -> bool:
        return number in self._refused

    def flag(
        self,
        number: int,
        code: str,
        at: At | None = None,
        *,
        severity: Severity = Severity.PROBLEM,
        family: Family = Family.NOT_ALLOWED,
        suggestion: str | m.Order | None = None,
        known: Mapping[str, object] | None = None,
        more: Sequence[str] = (),
        **data: object,
    ) -> None:
        """Something about order `number`; the place is found in its words only now that it matters.

        `more`: rules that it cites besides those of its code.
        """
        if severity is Severity.PROBLEM:
            self._refused.add(number)
        self._flags[number] += 1
        if self._flags[number] > MAX_PROBLEMS:
            return
        order = self.orders[number - 1]
        text = (order.source or order.printed().partition("\n")[0]).removesuffix(".")
        start, end = self._span(text, at) if at else (0, len(text))
        if isinstance(suggestion, m.Order):
            suggestion = suggestion.printed()
        self.problems.append(
            Problem(
                code=code,
                family=family,
                line=order.line,
                span=(start, end),
                text=text,
                words=text[start:end],
                rules=tuple(dict.fromkeys((*REASONS[code], *more))),
                suggestion=suggestion,
                data={**(known or {}), **data},
                severity=severity,
                order=number,
            )
        )

    def _span(self, text: str, at: At) -> tuple[int, int]:
        words = self._words.get(text)
        if words is None:
            words = self._words[text] = lex(text)
        found = [w for w in words if self._is_meant(w, at)]
        if not found:
            return (0, len(text))
        word = found[min(at.nth, len(found) - 1)]
        return (word.start, word.end)

    def _is_meant(self, word: Word, at: At) -> bool:
        if at.keyword is not None:
            return word.type == at.keyword
        if word.type != "NAME":
            return False
        if at.piece is not None:
            named = names_of(self.board).piece(word.text)
            return named is not None and at.piece in named.options
        if at.place is not None:
            return names_of(self.board).place(word.text) == at.place
        return word.text.upper() == at.player
