"""Orders in canonical form: what a receipt echoes and what parses back to the same order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from gm.board.model import Color, Piece
from gm.orders import model as m
from gm.orders.calendar import phase_name
from gm.orders.sheet import PRESS_END, goes_on
from gm.position import Player


def print_sheet(sheet: m.Sheet) -> str:
    """The whole sheet, one order a line, LOSE and TAKE of an attack indented under it."""
    lines: list[str] = []
    if sheet.guard is not None:
        lines.append(f"ORDERS {phase_name(sheet.guard.turn, sheet.guard.phase)}")
    if sheet.add:
        lines.append("ADD")
    if sheet.cancel:
        lines.append("CANCEL ALL")
    lines.extend(print_order(order) for order in sheet.orders)
    return "\n".join(lines)


@singledispatch
def print_order(order: m.Order) -> str:
    """One order, canonical; of several lines only for PRESS and for an ATTACK with its own LOSE or TAKE."""
    raise TypeError(f"no canonical form for {type(order).__name__}")


# Names


def print_piece(piece: Piece, tagged: bool = False) -> str:
    """`Lenin`, `RU8 PETR`, `Czar`; with `tagged` also `RL3 Lenin`."""
    if piece.is_imperial or (piece.is_leader and not tagged):
        return piece.name
    return piece.bell


def print_named(named: m.Named, tagged: bool = False) -> str:
    """A player's words for some pieces, in the shortest form that means exactly these."""
    count = f"{named.count} " if named.count > 1 else ""
    first = named.options[0]
    if len({p.twin_key for p in named.options}) == 1:
        return count + print_piece(first, tagged)
    tags = {p.tag for p in named.options}
    tag = first.tag if len(tags) == 1 else first.tag[:2]
    nations = {p.nation for p in named.options}
    suffix = f"/{first.nation}" if len(nations) == 1 and first.color is Color.BLUE else ""
    return f"{count}{tag} {first.name}{suffix}"


def _pieces(pieces: Iterable[m.Named], tagged: bool = False) -> str:
    return ", ".join(print_named(p, tagged) for p in pieces)


def _leaders(leaders: Iterable[Piece]) -> str:
    return ", ".join(print_piece(p) for p in leaders)


def print_goods(goods: m.Goods) -> str:
    parts = [print_piece(p) for p in goods.leaders]
    parts += [f"{n} {name}" for n, name in ((goods.pm, "PM"), (goods.am, "AM")) if n]
    return ", ".join(parts) or "0 PM"


def _prizes(taking: Iterable[Piece | None]) -> str:
    return ", ".join("PM" if p is None else print_piece(p) for p in taking)


def print_stop(stop: m.Stop) -> str:
    """`URAL(+WU2 URAL)`."""
    if not stop.handling:
        return stop.province
    return f"{stop.province}({', '.join(f'{h.act.value}{print_named(h.what)}' for h in stop.handling)})"


def _clause(keyword: str, words: str) -> str:
    return f" {keyword} {words}" if words else ""


def _players(players: Iterable[Player]) -> str:
    return ", ".join(players)


# One function an order


@print_order.register
def _(order: m.Give) -> str:
    in_return = "" if order.for_ is None else f" FOR {print_goods(order.for_)}"
    return f"GIVE {print_goods(order.what)} TO {order.to}{in_return}"


@print_order.register
def _(order: m.Accept) -> str:
    return f"ACCEPT {_leaders(order.leaders)} FROM {order.giver}"


@print_order.register
def _(order: m.RefuseGifts) -> str:
    return f"{_standing(order.standing)}REFUSE GIFTS{_clause('FROM', order.giver or '')}"


@print_order.register
def _(order: m.Seize) -> str:
    return f"SEIZE {_pieces(order.units)} WITH {print_piece(order.leader)}"


@print_order.register
def _(order: m.Move) -> str:
    where = f" TO {order.to}" if order.to is not None else f": {'-'.join(print_stop(s) for s in order.path)}"
    return f"MOVE {_pieces(order.force)}{where}{' BY RAIL' if order.by_rail else ''}"


@print_order.register
def _(order: m.Attach) -> str:
    return f"ATTACH {_pieces(order.units)} TO {print_piece(order.leader)}"


@print_order.register
def _(order: m.Restack) -> str:
    return f"STACK {order.province}: {_pieces(order.pieces)}"


@print_order.register
def _(order: m.Emigrate) -> str:
    return f"EMIGRATE {print_piece(order.piece)} FROM {order.province}"


@print_order.register
def _(order: m.Exit) -> str:
    return f"EXIT {_pieces(order.units)}"


@print_order.register
def _(order: m.Assassinate) -> str:
    return f"ASSASSINATE {_leaders(order.targets)} WITH {'ALL' if order.markers is None else order.markers}"


@print_order.register
def _(order: m.Purge) -> str:
    return (
        f"PURGE {order.object}"
        + _clause("WITH", _players(order.partners))
        + (f" USING {order.using} PM" if order.using else "")
        + _clause("DIVIDE", ", ".join(f"{p} {n}" for p, n in order.division))
        + _clause("TAKING", _prizes(order.taking))
        + (" SEPARATELY" if order.separately else "")
        + (" IF ..." if order.conditional else "")
    )


@print_order.register
def _(order: m.Counterpurge) -> str:
    against = order.against.value if isinstance(order.against, m.Against) else order.against
    return (
        f"{_standing(order.standing)}COUNTERPURGE {against}"
        + _clause("TAKING", _prizes(order.taking))
        + _clause("IF PURGED BY", order.if_by or "")
    )


@print_order.register
def _(order: m.Execute) -> str:
    using = f" USING {order.using} PM" if order.using else ""
    return f"EXECUTE CZAR{_clause('WITH', _players(order.partners))}{using}"


@print_order.register
def _(order: m.Comply) -> str:
    return f"{_standing(order.standing)}COMPLY"


@print_order.register
def _(order: m.RefuseExecution) -> str:
    return f"{_standing(order.standing)}REFUSE EXECUTION"


@print_order.register
def _(order: m.Attack) -> str:
    lines = [f"ATTACK {print_named(order.target)} IN {order.province} WITH {_pieces(order.attackers)}"]
    if order.lose is not None:
        lines.append(f"  LOSE {_pieces(order.lose)}")
    if order.take is not None:
        lines.append(f"  TAKE {_pieces(order.take, tagged=True)}")
    return "\n".join(lines)


@print_order.register
def _(order: m.Subvert) -> str:
    return f"SUBVERT {print_named(order.target)} IN {order.province} WITH {_pieces(order.attackers)}"


@print_order.register
def _(order: m.Lose) -> str:
    return f"{_standing(order.standing)}LOSE {_pieces(order.pieces)}"


@print_order.register
def _(order: m.Take) -> str:
    # The other side's pieces, hence with the tag by which The Bell lists them.
    return f"TAKE {_pieces(order.pieces, tagged=True)}"


@print_order.register
def _(order: m.Vote) -> str:
    return "VOTE END" if order.end else "VOTE CONTINUE"


@print_order.register
def _(order: m.Resign) -> str:
    return "RESIGN"


@print_order.register
def _(order: m.Press) -> str:
    # The text below the heading, closed by END: then no line of it can be taken for a heading or an order.
    dateline = "" if order.dateline is None else f' AS "{order.dateline}"'
    return f"PRESS{dateline}{_clause('TO', _players(order.to))}\n{order.text}\nEND"


@print_order.register
def _(order: m.Unread) -> str:
    # Closed, so that it swallows nothing that stands behind it when the sheet is read again.
    if order.source[:5].lower() == "press" and not PRESS_END.fullmatch(order.source, 5):
        return f"{order.source}\nEND"
    return f"{order.source}\n" if goes_on(order.source) else order.source


def _standing(standing: bool) -> str:
    return "STANDING " if standing else ""
