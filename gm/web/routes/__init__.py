"""Routes of the web pages. A route asks the campaign and hands the answer to a template."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter

from gm.web.routes import demo, health, sign_in, single_player
from gm.web.routes.gm import board, correct, draft, mail, new, seats, unclaimed_mail
from gm.web.routes.gm import desk as gm_desk
from gm.web.routes.player import desk, end, letters, seat, what_if
from gm.web.routes.reader import archive, front, maps, steps


def pages(trying_out: bool) -> Iterator[APIRouter]:
    """The routers, most visited first: they are matched in order."""
    for module in (
        desk,
        archive,
        maps,
        steps,
        end,
        letters,
        seat,
        what_if,
        front,
        sign_in,
        single_player,
        gm_desk,
        new,
        draft,
        correct,
        seats,
        mail,
        unclaimed_mail,
        board,
        health,
    ):
        yield module.router
    if trying_out:
        yield demo.router
