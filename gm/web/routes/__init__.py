"""The pages, a module a room. A route asks the campaign and hands the answer to a template."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter

from gm.web.routes import (
    archive,
    demo,
    desk,
    front,
    gm_board,
    gm_desk,
    gm_draft,
    gm_mail,
    gm_new,
    gm_seats,
    health,
    letters,
    maps,
    seat,
    sign_in,
)


def pages(trying_out: bool) -> Iterator[APIRouter]:
    for module in (
        front,
        health,
        sign_in,
        archive,
        maps,
        desk,
        letters,
        seat,
        gm_desk,
        gm_new,
        gm_draft,
        gm_seats,
        gm_mail,
        gm_board,
    ):
        yield module.router
    if trying_out:
        yield demo.router
