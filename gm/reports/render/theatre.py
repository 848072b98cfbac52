"""The piece of the map where a reader's forces stand, for a detail map that is readable on a phone."""

from __future__ import annotations

from gm.reports.map.draw import arrange
from gm.reports.map.geometry import geometry
from gm.reports.map.model import MapView
from gm.reports.map.placing.blocks import blocks
from gm.reports.map.placing.candidates import Rect
from gm.reports.map.placing.parts import around

WIDTH, HEIGHT = 360, 270  # of the sheet


def theatre(view: MapView) -> Rect | None:
    """Where most of the strength of `view.mine` stands together; None for a reader without forces."""
    strength: dict[str, int] = {}
    for stack in view.stacks:
        if view.mine is not None and stack.owner == view.mine:
            strength[stack.province] = strength.get(stack.province, 0) + stack.strength
    own = {spot.block.province: spot.rect for spot in arrange(blocks(view)) if spot.block.province in strength}
    if not own:
        return None
    centres = {code: ((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2) for code, r in own.items()}

    def seen(code: str) -> list[str]:
        window = _window(*centres[code])
        return [other for other in sorted(own) if window.holds(centres[other])]

    best = max(sorted(own), key=lambda code: sum(strength[other] for other in seen(code)))
    whole = around((corner for code in seen(best) for corner in _corners(own[code])), 0)
    return _window((whole.x0 + whole.x1) / 2, (whole.y0 + whole.y1) / 2)


def _window(x: float, y: float) -> Rect:
    """A window about a point, moved so that it stays inside the frame."""
    x0, y0, x1, y1 = geometry().frame
    left, top = min(max(x - WIDTH / 2, x0), x1 - WIDTH), min(max(y - HEIGHT / 2, y0), y1 - HEIGHT)
    return Rect(round(left), round(top), round(left) + WIDTH, round(top) + HEIGHT)


def _corners(rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    return (rect.x0, rect.y0), (rect.x1, rect.y1)
