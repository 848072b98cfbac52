"""Parser of order sheets: text to orders and problems. Never raises, whatever a player sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.board.model import Board
from gm.orders import kinds as m
from gm.orders.language.grammar import Unexpected, build_of
from gm.orders.language.guard import UNREADABLE, read_guard
from gm.orders.language.lexer import Word, lex
from gm.orders.language.names import names_of, players_of
from gm.orders.language.press import read_press
from gm.orders.language.resolve import Refused, Resolver
from gm.orders.language.sheet import DIRECTIVES, SheetEntry, entries
from gm.orders.problems import Problem
from gm.orders.suggest.faults import Suggester, fault_of
from gm.position import Player

MAX_ORDER_CHARACTERS = 2000  # every counter of the game in one order takes less
SUGGESTIONS = 60  # a sheet; each takes some milliseconds, and a mail of 5,000 bad lines must not take minutes


class Parsed(Struct, frozen=True):
    sheet: m.Sheet
    problems: tuple[Problem, ...] = ()


def parse(board: Board, text: str, players: Mapping[str, Player] | Sequence[Player], sealed: bool = False) -> Parsed:
    """A player's whole sheet. `players` are letters, or names with their letters.

    `sealed`: a text that was read before and is printed by us, where an order is as long as it is.
    """
    reader = _Reader(Resolver(names_of(board), players_of(players)), None if sealed else MAX_ORDER_CHARACTERS)
    for entry in entries(text):
        if entry.verb in DIRECTIVES and reader.directive(entry):
            continue
        reader.order(entry)
    sheet = m.Sheet(tuple(reader.orders), reader.guard, reader.add, reader.cancel)
    return Parsed(sheet, tuple(reader.problems))


def parse_line(line: str, resolver: Resolver) -> m.Order:
    """One order. Raises Refused or Unexpected."""
    resolver.words = words = lex(line)
    return build_of(tuple(words.types))(resolver)


class _Reader:
    def __init__(self, resolver: Resolver, longest: int | None) -> None:
        self.resolver = resolver
        self.longest = longest
        self.orders: list[m.Order] = []
        self.problems: list[Problem] = []
        self.guard: m.Guard | None = None
        self.add = False
        self.cancel = False
        self._before = ""  # the text of the entry before
        self._attack: int | None = None  # indentation of the ATTACK that LOSE and TAKE may belong to
        self._suggester = Suggester(lambda line: parse_line(line, resolver), resolver)

    def directive(self, entry: SheetEntry) -> bool:
        """ORDERS, ADD and CANCEL ALL are no orders. False: it only looked like one."""
        words = entry.text.lower().rstrip(".:").split()
        if words == ["add"]:
            self.add = True
        elif words == ["cancel", "all"] or words == ["cancel", "all", "orders"]:
            self.cancel = True
        elif words[0] == "orders":
            self._read_guard(entry)
        else:
            return False
        return True

    def _read_guard(self, entry: SheetEntry) -> None:
        guard = read_guard(entry.text)
        whole = Word("NAME", entry.text, 0, len(entry.text))
        if guard is None:
            self._refuse(entry, Refused("guard-unread", whole), 0)
        elif self.guard is None and not self.orders:
            self.guard = guard
            return
        elif guard == self.guard:
            return
        else:
            self._refuse(entry, Refused("guard-late", whole), 0)
        self.guard = UNREADABLE  # whichever Phase is open: rather take nothing than the wrong orders

    def order(self, entry: SheetEntry) -> None:
        resolver = self.resolver
        resolver.line, resolver.source = entry.line, entry.text
        under_attack = entry.verb in ("lose", "take") and self._attack is not None and entry.indent > self._attack
        made: m.Order
        try:
            made = self._read(entry)
        except (Refused, Unexpected) as error:
            self._refuse(entry, error, len(self.orders) + (not under_attack))
            made = resolver.make(m.Unread)
        self._before = entry.text
        if under_attack:
            self._belongs_to_attack(made)
            return
        self.orders.append(made)
        self._attack = entry.indent if entry.verb == "attack" else None

    def _read(self, entry: SheetEntry) -> m.Order:
        if entry.verb == "press":
            return read_press(entry, self.resolver)
        if entry.verb == "hold":
            return self.resolver.make(m.Hold, what=entry.text[4:].strip(" :,."))
        if self.longest is not None and len(entry.text) > self.longest:
            raise Refused("order-too-long", Word("NAME", entry.text[:1], 0, 1), most=self.longest)
        return parse_line(entry.text, self.resolver)

    def _belongs_to_attack(self, order: m.Order) -> None:
        attack = self.orders[-1]
        if isinstance(attack, m.Attack):
            if isinstance(order, m.Lose):
                self.orders[-1] = replace(attack, lose=(attack.lose or ()) + order.pieces)
            elif isinstance(order, m.Take):
                self.orders[-1] = replace(attack, take=(attack.take or ()) + order.pieces)

    def _refuse(self, entry: SheetEntry, error: Refused | Unexpected, number: int) -> None:
        fault = fault_of(entry.text, error, self._before)
        suggested = len(self.problems) < SUGGESTIONS
        self.problems.append(self._suggester.problem(entry, fault, number, suggested))
