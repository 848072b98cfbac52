"""`gm submit`: entering orders on a player's behalf that came by post or telephone."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.roles import GM, KEEPER
from gm.campaign.schedule import local
from gm.campaign.services import Services
from gm.commands.wiring import AS_JSON, CAMPAIGN, print_json, say, service
from gm.gamedate import phase_name
from gm.orders.wording import words_for

TOLD = ("status", "reason", "version", "turn", "phase", "canonical", "receipt", "salt", "deadline", "missing", "ready")


def submit(
    campaign: str = CAMPAIGN,
    letter: str = typer.Argument(help="The seat, by its letter"),
    file: Path = typer.Argument(None, help="The orders; without it they are read from standard input"),
    ready: bool = typer.Option(False, "--ready", help="The player wants to change nothing more"),
    check: bool = typer.Option(False, "--check", help="Only say what would be understood"),
    as_json: bool = AS_JSON,
) -> None:
    """Enter orders for a player; they are told by mail what was entered."""
    text = file.read_text("utf-8") if file is not None else sys.stdin.read()
    with service() as services:
        if check:
            seen = intake.preview_orders(services, campaign, letter, text)
            say(seen.canonical)
            for problem in seen.problems:
                say(words_for(problem))
            return
        said, actor = ready or None, acting(services, campaign)
        entered = intake.submit_each(services, campaign, letter, text, source="gm", actor=actor, ready=said)
        zone = lookups.options_of(services, campaign).zone
    for done in entered:
        if as_json:
            print_json({name: getattr(done, name) for name in TOLD})
        else:
            _tell(done, zone)
    if any(done.status in ("late", "refused") for done in entered):
        raise typer.Exit(1)


def acting(services: Services, campaign: str) -> str:
    """In whose name the command line acts: where the Gamesmaster plays, in the keeper's."""
    return KEEPER if lookups.state(services, campaign).gm_letter is not None else GM


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
    if done.ready is not None:
        say("ready" if done.ready else "not ready yet")
