"""`gm submit`: orders that came by post or telephone, on a player's behalf."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from gm.campaign import intake, lookups
from gm.campaign.times import local
from gm.commands.wiring import AS_JSON, CAMPAIGN, print_json, say, service
from gm.orders.calendar import phase_name
from gm.orders.words import words_for


def submit(
    campaign: str = CAMPAIGN,
    letter: str = typer.Argument(help="The seat, by its letter"),
    file: Path = typer.Argument(None, help="The orders; without it they are read from standard input"),
    check: bool = typer.Option(False, "--check", help="Only say what would be understood"),
    as_json: bool = AS_JSON,
) -> None:
    """Enter orders for a player; he is told by mail what was entered."""
    text = file.read_text("utf-8") if file is not None else sys.stdin.read()
    with service() as services:
        if check:
            seen = intake.preview_orders(services, campaign, letter, text)
            say(seen.canonical)
            for problem in seen.problems:
                say(words_for(problem))
            return
        done = intake.submit(services, campaign, letter, text, source="gm", actor="GM")
        zone = lookups.options_of(services, campaign).zone
    if as_json:
        wanted = ("status", "reason", "version", "turn", "phase", "canonical", "receipt", "salt", "deadline", "missing")
        print_json({name: getattr(done, name) for name in wanted})
    else:
        _tell(done, zone)
    if done.status in ("late", "refused"):
        raise typer.Exit(1)


def _tell(done: intake.Submitted, zone: str) -> None:
    why = f" ({done.reason})" if done.reason else ""
    say(f"{done.status}{why}: version {done.version} for {phase_name(done.turn, done.phase)}")
    say(done.canonical or "(no orders)")
    for problem in done.problems:
        say(words_for(problem))
    if done.receipt:
        say(f"seal {done.receipt}")
    if done.deadline is not None:
        say(f"deadline {local(done.deadline, zone)}; missing: {', '.join(done.missing) or 'nobody'}")
