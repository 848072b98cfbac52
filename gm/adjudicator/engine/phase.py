"""One Phase while it is adjudicated: working position, chance, orders, and the result of every order so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from gm.adjudicator.chance import Chance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.engine.working_position import ChanceLog, WorkingPosition
from gm.adjudicator.outcome import OrderResult, Reason, Status
from gm.adjudicator.reasons import as_ordered, because
from gm.board.model import Board, Piece
from gm.orders.kinds import Order, Sheet
from gm.orders.rules.force import Force
from gm.position import SYSTEM_PLAYER, Player, Position

O = TypeVar("O", bound=Order)  # noqa: E741
P = TypeVar("P", bound=Order)


class PhaseInPlay:
    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[Player, Sheet],
        chance: Chance,
        options: GameOptions,
    ) -> None:
        self.board = board
        self.before = position
        self.table = WorkingPosition(board, position)
        self.luck = ChanceLog(chance)
        self.options = options
        # Sorted once: the order in which sheets arrive must not matter.
        self.sheets = {p: orders.get(p, Sheet()) for p in sorted(position.active)}
        self._by_kind: dict[type[Order], list[tuple[Player, int, Any]]] = {}
        for player, sheet in self.sheets.items():
            for number, order in enumerate(sheet.orders, start=1):
                self._by_kind.setdefault(type(order), []).append((player, number, order))
        self._reasons: dict[tuple[Player, int], tuple[Reason, ...]] = {}
        self._status: dict[tuple[Player, int], Status] = {}
        self.forces: list[Force] = []  # those that moved, for the routes of their Leaders (J16)
        self.seized: set[Piece] = set()
        self.system = SYSTEM_PLAYER if position.solitaire else None  # who chooses losses by 23.16

    def orders(self, kind: type[O]) -> list[tuple[Player, int, O]]:
        """All orders of a kind, by player letter and then as listed."""
        return self._by_kind.get(kind, [])

    def both(self, player: Player, one: type[O], other: type[P]) -> list[tuple[int, O | P]]:
        """One player's orders of two kinds as listed, with their numbers."""
        kinds = one, other
        return [(n, o) for n, o in enumerate(self.sheets[player].orders, start=1) if isinstance(o, kinds)]

    def of(self, player: Player, kind: type[O]) -> list[O]:
        """One player's orders of a kind; none for somebody who left."""
        return [order for owner, _, order in self.orders(kind) if owner == player]

    # --- the ledger ---

    def note(self, player: Player, number: int, *reasons: Reason) -> None:
        key = player, number
        self._reasons[key] = (*self._reasons.get(key, ()), *reasons)

    def close(self, player: Player, number: int, status: Status, *reasons: Reason) -> None:
        key = player, number
        self._status[key] = status
        self._reasons[key] = (*self._reasons[key], *reasons) if key in self._reasons else reasons

    def done(self, player: Player, number: int, *reasons: Reason) -> None:
        if not reasons:
            order = self.sheets[player].orders[number - 1]
            reasons = (as_ordered(order),)
        self.close(player, number, Status.DONE, *reasons)

    def fail(self, player: Player, number: int, code: str, *more: str, **data: object) -> None:
        self.close(player, number, Status.FAILED, because(code, *more, **data))

    def is_open(self, player: Player, number: int) -> bool:
        return (player, number) not in self._status

    def results(self) -> tuple[OrderResult, ...]:
        status, reasons = self._status, self._reasons
        return tuple(
            [
                OrderResult(player, number, order, status[player, number], reasons.get((player, number), ()))
                for player, sheet in self.sheets.items()
                for number, order in enumerate(sheet.orders, start=1)
            ]
        )
