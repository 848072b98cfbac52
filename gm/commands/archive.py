"""`gm export`, `gm import`, `gm verify`: campaigns as plain files."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.progress import track

from gm.board.load import standard_board
from gm.campaign import archive, importing
from gm.commands import console
from gm.commands.wiring import AS_JSON, CAMPAIGN, option_pairs, person, print_json, say, service
from gm.errors import UserError
from gm.reports.verify import verify as verify_files


def export(
    campaign: str = CAMPAIGN,
    folder: Path = typer.Argument(help="Where to write it: a new folder"),
    public: bool = typer.Option(False, "--public", help="Without addresses, letters and sealed secrets"),
) -> None:
    """Write a campaign as a folder of plain files."""
    with service() as services, console().status("writing") as status:
        number = archive.export(services, campaign, folder, public, lambda path: status.update(f"writing {path}"))
    say(f"{number} files in {folder}")
    if not public:
        say("it holds addresses, letters and secrets: for another installation, not for publication (--public)")


def import_(
    source: Path = typer.Argument(None, help="A folder that gm export wrote", show_default=False),
    bell: Path | None = typer.Option(None, "--bell", help="A position listing in Bell notation, to start in mid-game"),
    as_id: str = typer.Option("", "--id", help="Under this id"),
    name: str = typer.Option("", help="With --bell: how the campaign is called"),
    player: list[str] = typer.Option([], "--player", "-p", help='With --bell: "A: NAME <ADDRESS> Europe/London"'),
    gm: str = typer.Option("", "--gm", help='With --bell: the Gamesmaster, "NAME <ADDRESS>"'),
    turn: int = typer.Option(0, help="With --bell: the Game-Turn, if the listing has no TURN line"),
    phase: str = typer.Option("", help="With --bell: first, second or pregame"),
    set_: list[str] = typer.Option([], "--set", help="With --bell: an option, such as grace_hours=24"),
    number: int = typer.Option(1, help="With --bell: the number of the next issue"),
) -> None:
    """Take over a campaign from its files, or start one in mid-game from a position listing."""
    if (source is None) == (bell is None):
        raise UserError("say what to import", "a folder that gm export wrote, or --bell FILE")
    with service() as services:
        if source is not None:
            made = importing.import_archive(services, source, as_id or None)
            say(f"{made} is here, paused: gm campaign resume {made}")
            return
        assert bell is not None
        if not gm or not player:
            raise UserError("who plays?", 'give --gm "NAME <ADDRESS>" and a --player for each seat')
        host = person(gm)
        made = importing.import_bell(
            services,
            bell.read_text("utf-8"),
            name=name or bell.stem,
            players=[person(text) for text in player],
            gm_name=host.name,
            gm_address=host.address,
            turn=turn or None,
            phase=phase or None,
            options=option_pairs(set_),
            id=as_id or None,
            first_bell=number,
        )
        say(f"{made} begins with the next look of the worker (or gm campaign tick)")


def verify(
    folder: Path = typer.Argument(help="An archive: a folder that gm export wrote"), as_json: bool = AS_JSON
) -> None:
    """Recompute every die and every receipt of an archive from its own files."""
    paths = importing.archive_paths(folder)
    shown = paths if as_json else track(paths, "reading", console=console(), transient=True)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in shown}
    verdict = verify_files(standard_board(), files)
    if as_json:
        print_json({"ok": verdict.ok, **{f: getattr(verdict, f) for f in verdict.__slots__}})
    elif verdict.ok:
        say(
            f"all is well: {verdict.files} files, {verdict.phases} Phases, {verdict.dice} rolls, "
            f"{verdict.receipts} receipts, {verdict.bells} Bells"
        )
    else:
        for finding in verdict.findings:
            say(str(finding))
    if not verdict.ok:
        raise typer.Exit(1)
