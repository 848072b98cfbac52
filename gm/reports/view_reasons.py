"""Why an order came to what it came to, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gm.adjudicator.outcome import Moved, OrderResult, Outcome, Reason, Status
from gm.board.model import Piece
from gm.orders import model as m
from gm.orders.printer import print_order
from gm.position import Player, Stack
from gm.reports.view import Item, OrderLine, PlayerOrders
from gm.reports.view_names import Names, clean

# How the data of a reason is to be read; whatever is not named here is printed as it is.
PLAYERS = frozenset({"player", "partner", "partners", "owner", "holder", "by", "object", "giver", "receiver"})
PLACES = frozenset({"province", "here", "at", "start", "goal"})

Moves = Mapping[tuple[Player, int], Moved]


def moves_of(outcome: Outcome) -> Moves:
    return {(e.player, e.number): e for e in outcome.events if isinstance(e, Moved)}


def reason_item(names: Names, reason: Reason, moved: Moved | None = None) -> Item:
    """One reason as a sentence. Where the adjudicator gives a move no place, the move itself does."""
    data = _known(names, reason, moved)
    templates = names.words.packs["reasons"][reason.code]
    return Item(names.words.first_fitting(templates, data), tuple(dict.fromkeys(reason.rules)), reason.code)


def _known(names: Names, reason: Reason, moved: Moved | None) -> dict[str, object]:
    data: dict[str, object] = {}
    if moved and moved.path:
        data["here"] = data["province"] = names.place(moved.path[-1])
    data |= {key: _word(names, key, value) for key, value in reason.data.items() if value not in (None, (), [])}
    for alias in ("piece", "units", "leader"):  # one wording serves, whatever it was that stood in the way
        if alias in data:
            data.setdefault("pieces", data[alias])
    return data


def _word(names: Names, key: str, value: object) -> object:
    if isinstance(value, Piece):
        return value.bell
    if isinstance(value, m.Named):
        return value.one.bell
    if isinstance(value, Stack):
        return names.stack(value)
    if isinstance(value, str):
        if key in PLAYERS and value in names.board_players:
            return names.tag(value)
        if key == "colors":
            return names.words.template("words", f"color.{value}")
        if key == "result" and value in names.words.packs["words"]["result"]:
            return names.words.template("words", f"result.{value}")
        return names.place(value) if key in PLACES else value
    if isinstance(value, Iterable):
        return names.words.many(str(_word(names, key, v)) for v in value)
    return value


def told(names: Names, result: OrderResult, moved: Moved | None = None) -> str:
    """All reasons of a result as running text, each sentence once."""
    return " ".join(dict.fromkeys(reason_item(names, r, moved).text for r in result.reasons))


def canonical(order: m.Order) -> str:
    """An order as the Gamesmaster read it; what he could not read, as it was written."""
    if isinstance(order, m.Unread):
        return clean(order.source)
    if isinstance(order, m.Press):
        return "PRESS"
    return print_order(order)


def order_line(names: Names, result: OrderResult, moves: Moves, own: bool) -> OrderLine:
    moved = moves.get((result.player, result.number))
    reasons = tuple(dict.fromkeys(reason_item(names, r, moved) for r in result.reasons))
    return OrderLine(
        number=result.number,
        source=clean(result.order.source) if own else "",
        canonical=canonical(result.order),
        status=result.status.value,
        status_text=names.words.template("words", f"status.{result.status}"),
        # In print a plain success needs no words; the player himself is told all of it.
        reasons=reasons if own or result.status is not Status.DONE else (),
        rules=result.rules,
    )


def public_orders(names: Names, outcome: Outcome, without: Sequence[Player]) -> tuple[PlayerOrders, ...]:
    """All orders of the Phase. Press is printed as press, and private letters never."""
    moves = moves_of(outcome)
    return tuple(_orders_of(names, outcome, moves, p, own=False, late=p in without) for p in outcome.before.active)


def own_orders(names: Names, outcome: Outcome, player: Player, without: Sequence[Player]) -> PlayerOrders:
    return _orders_of(names, outcome, moves_of(outcome), player, own=True, late=player in without)


def _orders_of(names: Names, outcome: Outcome, moves: Moves, player: Player, *, own: bool, late: bool) -> PlayerOrders:
    results = [r for r in outcome.results if r.player == player]
    shown = [r for r in results if own or not isinstance(r.order, m.Press)]
    note = ""
    if not shown:
        note = names.words.template("labels", "nmr" if late else "own_none" if own else "orders_none")
    return PlayerOrders(
        player=player,
        title=names.title(player),
        orders=tuple(order_line(names, r, moves, own) for r in shown),
        note=note,
    )
