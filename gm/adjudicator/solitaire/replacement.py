"""Replacements of the solitaire game (25)."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.steps.replacement import replace_units
from gm.board.model import Color, Piece


def replacement(play: PhaseInPlay) -> None:
    replace_units(play, replaced_in_solitaire, ("9.1", "25.1", "S10"))


def replaced_in_solitaire(unit: Piece) -> bool:
    """25.1: only Red, Polish and Finnish units come home."""
    return unit.color is Color.RED or unit.nation in ("PO", "FN")
