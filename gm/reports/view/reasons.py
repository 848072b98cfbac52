"""The reasons of an order's result (refused, stopped, partly carried out), in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gm.adjudicator.outcome import Moved, OrderResult, Outcome, Reason, Status
from gm.board.model import Piece
from gm.orders import kinds as m
from gm.orders.rules.quorums import VOTE_QUORUM
from gm.position import Phase, Player, Position, Stack
from gm.reports.view.model import Item, OrderLine, PlayerOrders
from gm.reports.view.names import DisplayNames, clean

# How the data of a reason is to be read; whatever is not named here is printed as it is.
PLAYERS = frozenset({"player", "partner", "partners", "owner", "holder", "by", "object", "giver", "receiver"})
PLACES = frozenset({"province", "here", "at", "start", "goal"})

# Orders whose refusals stand in the report under their own heading.
TOLD = (m.Give, m.Seize, m.Move, m.Attach, m.Restack, m.Emigrate, m.Exit, m.Assassinate, m.Purge)

Moves = Mapping[tuple[Player, int], Moved]


def moves_of(outcome: Outcome) -> Moves:
    """By player and number of the order; what the solitaire system moves has none."""
    return {(e.player, e.number): e for e in outcome.events if isinstance(e, Moved) and e.number}


def reason_item(names: DisplayNames, reason: Reason, moved: Moved | None = None) -> Item:
    """One reason as a sentence. Where the adjudicator gives a move no place, the move itself does."""
    data = _known(names, reason, moved)
    templates = names.words.packs["reasons"][reason.code]
    return Item(names.words.first_fitting(templates, data), tuple(dict.fromkeys(reason.rules)), reason.code)


def _known(names: DisplayNames, reason: Reason, moved: Moved | None) -> dict[str, object]:
    data: dict[str, object] = {}
    if moved and moved.path:
        data["here"] = data["province"] = names.place(moved.path[-1])
    data |= {key: _word(names, key, value) for key, value in reason.data.items() if value not in (None, (), [])}
    for alias in ("piece", "units", "leader"):  # one wording serves, whatever it was that stood in the way
        if alias in data:
            data.setdefault("pieces", data[alias])
    return data


def _word(names: DisplayNames, key: str, value: object) -> object:
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


def told(names: DisplayNames, result: OrderResult, moved: Moved | None = None) -> str:
    """All reasons of a result as running text, each sentence once."""
    return " ".join(dict.fromkeys(reason_item(names, r, moved).text for r in result.reasons))


def canonical(order: m.Order) -> str:
    """An order as the Gamesmaster read it; what could not be read, as it was written."""
    if isinstance(order, m.Unread):
        return clean(order.source)
    if isinstance(order, m.Press):
        return "PRESS"
    return order.printed()


def _counted(names: DisplayNames, after: Position, result: OrderResult) -> Item:
    """A vote is on file whatever comes of it: its player is told how the count stands."""
    voters = [p for p in after.players if after.votes.get(p)]
    key = "ended" if after.phase is Phase.FINISHED else "counted" if voters else "counted_none"
    markers = sum(after.box(p).pm for p in voters)
    facts = {"voters": names.words.many(names.tag(p) for p in voters), "markers": markers, "needed": VOTE_QUORUM}
    return Item(names.words.say("happened", f"votes.{key}", **facts), tuple(dict.fromkeys(result.rules)), "vote")


def order_line(names: DisplayNames, result: OrderResult, moves: Moves, after: Position, own: bool) -> OrderLine:
    moved = moves.get((result.player, result.number))
    reasons = tuple(dict.fromkeys(reason_item(names, r, moved) for r in result.reasons))
    if isinstance(result.order, m.Vote) and result.status is Status.DONE:
        reasons = (_counted(names, after, result),)
    return OrderLine(
        number=result.number,
        source=clean(result.order.source) if own else "",
        canonical=canonical(result.order),
        status=result.status.value,
        status_text=names.words.template("words", f"status.{result.status}"),
        # In print a plain success needs no words, nor what the report tells; the player alone is told all of it.
        reasons=reasons if own or (result.status is not Status.DONE and not isinstance(result.order, TOLD)) else (),
        rules=result.rules,
    )


def public_orders(names: DisplayNames, outcome: Outcome, without: Sequence[Player]) -> tuple[PlayerOrders, ...]:
    """All orders of the Phase. Press is printed as press, and private letters never."""
    moves = moves_of(outcome)
    return tuple(_orders_of(names, outcome, moves, p, own=False, late=p in without) for p in outcome.before.active)


def own_orders(names: DisplayNames, outcome: Outcome, player: Player, without: Sequence[Player]) -> PlayerOrders:
    return _orders_of(names, outcome, moves_of(outcome), player, own=True, late=player in without)


def _orders_of(
    names: DisplayNames, outcome: Outcome, moves: Moves, player: Player, *, own: bool, late: bool
) -> PlayerOrders:
    removed = player in names.removed
    results = [r for r in outcome.results if r.player == player and not (removed and isinstance(r.order, m.Resign))]
    shown = [r for r in results if own or not isinstance(r.order, m.Press)]
    note = names.words.template("labels", "removed") if removed else ""
    if not shown and not removed:
        key = "nmr" if late else "own_none" if own else "orders_none"
        trades = f"{key}_trades"  # before the game there is nothing to hold
        before = outcome.before.phase is Phase.PREGAME and trades in names.words.packs["labels"]
        note = names.words.template("labels", trades if before else key)
    return PlayerOrders(
        player=player,
        title=names.title(player),
        orders=tuple(order_line(names, r, moves, outcome.after, own) for r in shown),
        note=note,
    )
