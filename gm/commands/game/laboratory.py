"""`gm laboratory`: simulating whole campaigns among stand-ins in parallel processes, with statistics."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from os import cpu_count
from pathlib import Path

import typer

from gm.adjudicator.engine.options import DEALS, VICTORIES
from gm.commands import console
from gm.commands.wiring import AS_JSON, print_json
from gm.errors import UserError
from gm.laboratory.figures import figures
from gm.laboratory.game import LETTERS, RANDOM, Record, Setting, play
from gm.laboratory.page import page, words
from gm.standin.strategy import Style

STYLES = (*Style, RANDOM)


def laboratory(
    players: int = typer.Option(5, help="Seats of each game"),
    games: int = typer.Option(100, help="How many games"),
    style: str = typer.Option("fanatic", help=f"Who sits there: {', '.join(STYLES)}"),
    one: str = typer.Option("", help="One seat of another style, which goes round from game to game"),
    trials: int = typer.Option(24, help="Plans that a commander tries out in a Phase"),
    deal: str = typer.Option("one-pot", help=f"House rule: {', '.join(DEALS)}"),
    victory: str = typer.Option("annihilation", help=f"House rule: {', '.join(VICTORIES)}"),
    last_turn: int = typer.Option(6, help="The Game-Turn after which the calendar ends the war; 0: none"),
    masses: bool = typer.Option(False, "--masses", help="The shorter game"),
    seed: int = typer.Option(1918, help="The same seed: the same games"),
    processes: int = typer.Option(0, help="At once; 0: as many as there are processors", show_default=False),
    html: Path = typer.Option(None, help="Draw the figures into this file as well", show_default=False),
    as_json: bool = AS_JSON,
) -> None:
    """Play whole campaigns among stand-ins and print what they come to."""
    for name in filter(None, (style, one)):
        if name not in STYLES:
            raise UserError(f"there is no style {name!r}", f"known: {', '.join(STYLES)}")
    if deal not in DEALS or victory not in VICTORIES:
        raise UserError(
            f"there is no such house rule: {deal}, {victory}", f"{', '.join(DEALS)}; {', '.join(VICTORIES)}"
        )
    if not 2 <= players <= len(LETTERS) or games < 1 or last_turn < 0 or trials < 0:
        raise UserError("that is no laboratory", f"2 to {len(LETTERS)} players and at least one game")
    setting = Setting(players, style, one or None, trials, last_turn, deal, victory, masses, seed)
    records = sorted(_played(setting, games, processes or cpu_count() or 1, quiet=as_json), key=lambda r: r.number)
    found = figures(setting, records)
    if html is not None:
        html.write_text(page(setting, records, found), "utf-8")
    if as_json:
        print_json({"setting": asdict(setting), "figures": {f.key: f.value for f in found}})
        return
    width = max(len(words()[figure.key]) for figure in found)
    for figure in found:
        console().print(f"{words()[figure.key]:<{width}}  {figure.value}")


def _played(setting: Setting, games: int, processes: int, *, quiet: bool) -> Iterator[Record]:
    """The games as they end, with a bar that shows how many have."""
    from rich.progress import Progress

    with ProcessPoolExecutor(processes) as pool, Progress(transient=True, disable=quiet) as progress:
        bar = progress.add_task("", total=games)
        for future in as_completed([pool.submit(play, setting, number) for number in range(games)]):
            progress.advance(bar)
            yield future.result()
