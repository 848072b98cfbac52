"""`gm whatif`: trying a player's orders many times on the published positions, without filing anything."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from gm.campaign.reads import what_if as room
from gm.commands.wiring import CAMPAIGN, say, service
from gm.whatif.answer_text import as_text


def what_if(
    campaign: str = CAMPAIGN,
    letter: str = typer.Argument(help="The seat, by its letter"),
    file: Path = typer.Argument(None, help="The orders; GUESS B on a line: B's follow. Else from standard input"),
    times: int = typer.Option(room.TIMES, "--times", min=1, max=500, help="How many plays"),
    alone: bool = typer.Option(False, "--alone", help="Whoever is not guessed sends nothing, instead of a stand-in"),
    turn: int | None = typer.Option(None, "--turn", help="With --phase: an earlier Phase instead of the open one"),
    phase: str | None = typer.Option(None, "--phase", help="pregame, first or second"),
    bell: bool = typer.Option(False, "--bell", help="And one Bell as it might read"),
) -> None:
    """Try orders on the published positions with dice of their own, and count what comes of them."""
    text = file.read_text("utf-8") if file is not None else sys.stdin.read()
    own, others = room.with_guesses(text)
    at = (turn, phase) if turn is not None and phase is not None else None
    with service() as services:
        found = room.ask(services, campaign, letter.upper(), own, others, standins=not alone, times=times, at=at)
    say(as_text(found))
    if bell:
        say(found.sample)
