"""An Outcome as readable text with rule citations: what happened, what became of every order, every roll."""

from __future__ import annotations

from gm.adjudicator.outcome import Outcome, Roll
from gm.board.model import Board
from gm.reports.build import game_date
from gm.reports.prose import standard_prose
from gm.reports.render.text import Page
from gm.reports.view.names import names_for
from gm.reports.view.reasons import public_orders
from gm.reports.view.what_happened import attacks, sections


def explain(board: Board, outcome: Outcome) -> str:
    words = standard_prose()
    names = names_for(board, words, {}, outcome)
    page = Page(words)
    page.center(game_date(words, outcome))
    for section in sections(names, outcome):
        page.head(section.title)
        if section.key == "attacks":
            page.attacks(attacks(names, outcome))
        page.items(section.items)
    page.orders(public_orders(names, outcome, ()))
    page.head(page.label("explain.luck"))
    for roll in outcome.rolls:
        page.para(words.phrase("labels", "explain.roll", occasion=roll.occasion, what=_what(roll)))
    if not outcome.rolls:
        page.para(page.label("explain.no_luck"))
    return page.text()


def _what(roll: Roll) -> str:
    came = roll.drawn if roll.drawn is not None else "-".join(map(str, roll.dice))
    return f"{came} ({roll.cell})" if roll.cell else came
