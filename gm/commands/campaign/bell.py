"""`gm bell` and `gm archive`: rendering an issue, and the archive of a campaign as a static site."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path

import typer

from gm.adjudicator.outcome import Outcome
from gm.adjudicator.outcome_json import outcome_from_json
from gm.board.load import packed
from gm.board.model import Board
from gm.board.pack import files_of
from gm.errors import UserError
from gm.reports.build import build_view, for_reader, issue_map
from gm.reports.issue import Editorial, Issue, PlayerInfo, PressItem, Reader
from gm.reports.map import render_svg
from gm.reports.render.barometer_chart import barometer_svg
from gm.reports.render.html import Links, page_css, render_json, render_mail_html, render_page
from gm.reports.render.ics import render_calendar
from gm.reports.render.json import schema
from gm.reports.render.map_picture import map_png
from gm.reports.render.text import listing, render_text
from gm.reports.view.model import BellView

PRINTERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")  # that can make a PDF

app = typer.Typer(no_args_is_help=True, help="The Bell by itself, without a campaign")


class Form(StrEnum):
    TEXT = "text"
    MAIL = "mail"
    PAGE = "page"
    JSON = "json"
    ICS = "ics"
    SVG = "svg"
    PNG = "png"


def _page(issue: Issue, view: BellView) -> str:
    svg = render_svg(issue_map(issue), theme="auto", embed_style=False)
    chart = barometer_svg(view.course, theme="auto") if view.barometer else ""
    return render_page(view, svg, chart, Links(css="style.css"))


RENDERERS: Mapping[Form, Callable[[Issue, BellView], str | bytes]] = {
    Form.TEXT: lambda issue, view: render_text(view),
    Form.MAIL: lambda issue, view: render_mail_html(view),
    Form.PAGE: _page,
    Form.JSON: render_json,
    Form.ICS: lambda issue, view: render_calendar(issue, view) or "",
    Form.SVG: lambda issue, view: render_svg(issue_map(issue)),
    Form.PNG: lambda issue, view: map_png(issue_map(issue)),
}


@app.command("render")
def render(
    outcome: Path = typer.Argument(..., help="An Outcome as `gm adjudicate --json` prints it", exists=True),
    form: Form = typer.Option(Form.TEXT, "--form", "-f", help="Which edition"),
    out: Path | None = typer.Option(None, "--out", "-o", help="Into this file instead of the terminal"),
    number: int = typer.Option(1, help="Number of the issue"),
    campaign: str = typer.Option("By hand", help="Name of the campaign"),
    paper: str = typer.Option("", help="Name of the paper, if not The Bell"),
    player: list[str] = typer.Option([], "--player", "-p", help='A player\'s name: "A: Anna Arnold"'),
    published: datetime | None = typer.Option(
        None, "--date", help="Date of the issue, if not today", formats=["%Y-%m-%d"]
    ),
    deadline: datetime | None = typer.Option(
        None, "--deadline", help="When orders are due", formats=["%Y-%m-%dT%H:%M%z"]
    ),
    headline: str = typer.Option("", help="Your own headline"),
    lead: str = typer.Option("", help="Your own lead"),
    press: Path | None = typer.Option(None, "--press", help="A file with press, pieces parted by a line of ---"),
    reader: str = typer.Option("", "--reader", help="With this player's own orders annotated below"),
    pack: Path | None = typer.Option(None, "--pack", help="The board that it was played on: a file or folder"),
) -> None:
    """Render one issue from an Outcome."""
    files = files_of(pack) if pack is not None else ()
    board = packed(files)
    issue = Issue(
        number=number,
        outcome=_outcome(board, outcome),
        campaign=campaign,
        published=(published or datetime.now()).date(),
        paper=paper,
        players=_players(player),
        deadline=deadline,
        editorial=Editorial(headline, lead),
        press=_press(press),
        pack=files,
    )
    view = build_view(board, issue)
    if reader:
        if reader.upper() not in issue.outcome.before.players:
            raise UserError(f"no player {reader}", f"players are {', '.join(issue.outcome.before.players)}")
        view = for_reader(board, issue, view, Reader(reader.upper()))
    _write(RENDERERS[form](issue, view), out)


@app.command("positions")
def positions(
    bell: Path = typer.Argument(..., help="The text edition of an issue, or a mail with it", exists=True),
) -> None:
    """Take the positions out of the text of an issue, as gm import --bell and gm adjudicate read them."""
    found = listing(bell.read_text("utf-8"))
    if not found.strip():
        raise UserError(f"{bell} holds no positions", "they stand under the heading POSITIONS of the text edition")
    typer.echo(found.strip())


@app.command("schema")
def print_schema() -> None:
    """Print the JSON Schema of an issue."""
    typer.echo(json.dumps(schema(), indent=1, ensure_ascii=False))


@app.command("style")
def style(out: Path | None = typer.Option(None, "--out", "-o", help="Into this file")) -> None:
    """Print the style sheet that a page wants beside it."""
    _write(page_css(), out)


def archive(
    campaign: str = typer.Argument(help="The campaign, by its id (gm campaign list)"),
    folder: Path = typer.Argument(help="Where to write it: a new folder"),
    base: str = typer.Option("", "--base", help="The address at which the folder will be published, for the feed"),
) -> None:
    """Write a campaign's issues as a site of plain files that opens from a disk."""
    from gm.campaign.export.site import write_site
    from gm.commands import console
    from gm.commands.wiring import say, service

    with service() as services, console().status("writing") as status:
        number = write_site(services, campaign, folder, base, lambda path: status.update(f"writing {path}"))
    say(f"{number} files in {folder}: open {folder / 'index.html'}")


def _outcome(board: Board, path: Path) -> Outcome:
    try:
        return outcome_from_json(board, json.loads(path.read_text("utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is no Outcome: {error}", "`gm adjudicate --json` writes one") from error


def _players(given: list[str]) -> dict[str, PlayerInfo]:
    found = {}
    for text in given:
        letter, sign, name = text.partition(":")
        if not sign or len(letter.strip()) != 1 or not name.strip():
            raise UserError(f"{text!r} is no player", 'write "A: Anna Arnold"')
        found[letter.strip().upper()] = PlayerInfo(name.strip())
    return found


def _press(path: Path | None) -> tuple[PressItem, ...]:
    if path is None:
        return ()
    return tuple(PressItem(piece) for piece in path.read_text("utf-8").split("\n---\n") if piece.strip())


def _write(content: str | bytes, out: Path | None) -> None:
    if out is not None:
        out.write_bytes(content if isinstance(content, bytes) else content.encode())
    elif isinstance(content, bytes):
        raise UserError("a picture is not for the terminal", "say --out FILE")
    else:
        typer.echo(content, nl=not content.endswith("\n"))


def book(
    campaign: str = typer.Argument(help="The campaign, by its id (gm campaign list)"),
    out: Path = typer.Option(None, "--out", help="The file; without it, named after the campaign", show_default=False),
    html: bool = typer.Option(
        False, "--html", help="One HTML file for printing, even where a browser could make a PDF"
    ),
) -> None:
    """Set a whole campaign as one printable book: a PDF through Chromium, or one HTML file."""
    from gm.campaign.export.site import write_book
    from gm.commands import console
    from gm.commands.wiring import say, service

    found = next(filter(None, map(shutil.which, PRINTERS)), None)
    with service() as services, console().status("printing"):
        made = write_book(services, campaign, out or Path(f"{campaign}.pdf"), None if html else found)
    say(f"{made} is written")
