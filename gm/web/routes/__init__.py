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
    """The most visited first: a request asks one after the other whether it is meant."""
    for module in (
        desk,
        archive,
        maps,
        letters,
        seat,
        front,
        sign_in,
        gm_desk,
        gm_new,
        gm_draft,
        gm_seats,
        gm_mail,
        gm_board,
        health,
    ):
        yield module.router
    if trying_out:
        yield demo.router
