"""Replacements (9.1, J34): which eliminated units come home, all judged at once on the positions before any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Boxed, Change, Flagged, Replaced, Restacked
from gm.board.model import OPPOSED, Color, Piece
from gm.board.ways import CAPITALS
from gm.position import Held, Player, Solitaire, Stack

LAST_REPLACEMENT = 5  # 9.16


def may_be_replaced(unit: Piece) -> bool:
    """Red, White and Green units come home (9.11)."""
    return unit.color is not Color.BLUE


def replace_units(
    play: PhaseInPlay, eligible: Callable[[Piece], bool] = may_be_replaced, rules: tuple[str, ...] = ("9.1", "J34")
) -> None:
    boxes: list[tuple[Player | None, Held]] = [
        (box, held)
        for box, found in sorted(play.table.held.items(), key=lambda item: item[0] or "~")
        for held in sorted(found, key=lambda h: h.piece.code)
        if held.piece.is_unit and eligible(held.piece)
    ]
    suspended = int(str(play.table.flag("red_suspended")))
    barred = {color: _bar(play, color, suspended) for color in (Color.RED, Color.WHITE, Color.GREEN)} if boxes else {}
    refused: list[tuple[Piece, str]] = []
    home: list[tuple[Player | None, Held]] = []
    for box, held in boxes:
        color = held.piece.color
        assert color is not None
        rule = barred[color] or ("9.12" if _occupied(play, held.piece.home, color) else None)
        if rule:
            refused.append((held.piece, rule))
        else:
            home.append((box, held))
    changes: list[Change] = []
    for box, held in home:
        unit = held.piece
        owner = play.table.marker_holder(unit.nation) if unit.nation else None
        changes += [Boxed(box, held, out=True), Restacked((), (Stack(unit.home, owner, (unit,)),))]
    if suspended:
        changes.append(Flagged("red_suspended", suspended - 1))
    play.table.emit(
        Replaced(
            rules=rules,
            units=tuple(held.piece for _, held in home),
            refused=tuple(refused),
            changes=tuple(changes),
        )
    )


def _bar(play: PhaseInPlay, color: Color, suspended: int) -> str | None:
    """The rule that keeps every unit of a colour in its box; None if they may come home."""
    if play.before.turn > LAST_REPLACEMENT:
        return "9.16"
    if color is Color.RED and any(_lost_to_others(play, capital) for capital in CAPITALS):  # 9.13
        return "9.13"
    if color is Color.RED and suspended:
        return "9.14"
    if color is not Color.GREEN and not any(p.is_leader and p.color is color for p in _alive(play)):
        return "9.15"
    return None


def _alive(play: PhaseInPlay) -> Iterator[Piece]:
    """Pieces that are not eliminated: on the map, or Red Leaders who wait to be deployed (24.13)."""
    yield from play.table.where
    solitaire = play.table.flag("solitaire")
    if isinstance(solitaire, Solitaire):
        yield from solitaire.reserve


def _occupied(play: PhaseInPlay, home: str, color: Color) -> bool:
    """Whether opposing units stand in a unit's home, and none of its own colour (9.12)."""
    colors = _colors(play, home)
    return color not in colors and not colors.isdisjoint(OPPOSED[color])


def _colors(play: PhaseInPlay, province: str) -> set[Color]:
    return {s.color for s in play.table.at(province) if s.color is not None}


def _lost_to_others(play: PhaseInPlay, province: str) -> bool:
    colors = _colors(play, province)
    return bool(colors) and Color.RED not in colors
