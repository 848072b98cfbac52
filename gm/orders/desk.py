"""What a checker works with: the published position, one player's orders, and a pile for what is wrong with them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field

from gm.board.model import Board, Piece
from gm.orders import model as m
from gm.orders.forecast import Forecast, forecast
from gm.orders.lexer import Word, lex
from gm.orders.names import names_of
from gm.orders.printer import print_order
from gm.orders.problems import CODES, Family, Problem, Severity
from gm.orders.shape import at_the_bottom
from gm.position import Phase, Player, Position, Stack, remembered
from gm.values import dataclass


@dataclass(frozen=True)
class At:
    """Which words of an order a problem is about."""

    piece: Piece | None = None
    place: str | None = None
    player: Player | None = None
    keyword: str | None = None  # a terminal of the grammar
    nth: int = 0  # of several such words


@dataclass
class Desk:
    board: Board
    position: Position
    player: Player
    orders: tuple[m.Order, ...]
    problems: list[Problem] = field(default_factory=list)
    seized: dict[Piece, Piece] = field(default_factory=dict)  # unit -> the Leader who takes it in the trade step

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

    @remembered
    def forecast(self) -> Forecast:
        """The player's own movement; asked for when his SEIZE orders have been looked at."""
        return forecast(self.board, self._after_trades(), self.player, self.orders)

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
        **data: object,
    ) -> None:
        """Something about order `number`; the place is found in its words only now that it matters."""
        order = self.orders[number - 1]
        text = (order.source or print_order(order).partition("\n")[0]).removesuffix(".")
        start, end = self._span(text, at) if at else (0, len(text))
        if isinstance(suggestion, m.Order):
            suggestion = print_order(suggestion)
        self.problems.append(
            Problem(
                code=code,
                family=family,
                line=order.line,
                span=(start, end),
                text=text,
                words=text[start:end],
                rules=CODES[code],
                suggestion=suggestion,
                data={**(known or {}), **data},
                severity=severity,
                order=number,
            )
        )

    def _span(self, text: str, at: At) -> tuple[int, int]:
        found = [w for w in lex(text) if self._is_meant(w, at)]
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
