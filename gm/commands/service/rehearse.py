"""`gm rehearse`: the soak test, whole campaigns at accelerated time."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import typer

from gm.commands import console
from gm.commands.wiring import AS_JSON, print_json
from gm.errors import UserError


def rehearse(
    campaigns: int = typer.Option(3, help="How many campaigns at once"),
    players: int = typer.Option(5, help="Players of each"),
    turns: int = typer.Option(3, help="Turns until the Gamesmaster ends them"),
    minutes: float = typer.Option(1e9, help="End all campaigns after so many minutes", show_default=False),
    workers: int = typer.Option(2, help="Worker processes"),
    kill: bool = typer.Option(False, "--kill", help="Kill a worker every few seconds"),
    kill_every: float = typer.Option(8.0, help="Seconds between kills, more or less"),
    plain: bool = typer.Option(False, "--plain", help="Print the bare facts: quick, where looks do not matter"),
    seed: int = typer.Option(1918, help="The same seed: the same players"),
    database: str = typer.Option("", help="An empty database, such as postgresql://...; none: SQLite"),
    folder: Path = typer.Option(None, help="Keep database, logs and archives there; none: thrown away at the end"),
    as_json: bool = AS_JSON,
) -> None:
    """Play whole campaigns with random players through the real web, mail and workers, at accelerated time.

    Touches nothing but its own folder and the database that you name. Ends with 1 if anything was not as it must be.
    """
    from gm.rehearsal.director import Plan, Stuck
    from gm.rehearsal.stage import Stage, rehearse

    if not 3 <= players <= 26 or campaigns < 1 or turns < 1 or workers < 1:
        raise UserError("that is no rehearsal", "3 to 26 players, at least one campaign, turn and worker")
    if folder is not None and folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder} is not empty", "choose a new folder")
    place = folder or Path(tempfile.mkdtemp(prefix="kolokol-rehearsal-"))
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "127.0.0.1")
    try:
        found = rehearse(
            Stage(Plan(campaigns, players, turns, seed, minutes), place, database, workers, kill, kill_every, plain)
        )
    except (Stuck, TimeoutError) as error:
        raise UserError(f"the rehearsal came to a halt: {error}", f"the logs are in {place}") from error
    if as_json:
        print_json({"figures": dict(found.lines), "checks": found.checks})
    else:
        out = console()
        for name, words in found.lines:
            out.print(f"{name:<28} {words}", markup=False)
        out.print()
        for check in found.checks:
            sign = "[red]FAIL[/red]" if check.wrong else "[green]ok  [/green]"
            out.print(f"{sign}  {check.words} ({check.looked_at} looked at)")
            for words in check.wrong[:5]:
                out.print(f"        {words}", markup=False)
    if folder is None and found.ok:
        shutil.rmtree(place, ignore_errors=True)
    if not found.ok:
        raise typer.Exit(1)
