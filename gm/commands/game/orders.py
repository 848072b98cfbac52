"""`gm orders`: checking a sheet as its receipt will, and help on the order language."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import typer

from gm.board.load import for_shorter_game, load_pack
from gm.commands.files import house_rules, position_from
from gm.errors import UserError
from gm.orders.help import help_text, topic_text
from gm.orders.parser import parse
from gm.orders.receipt import receipt_text, review, review_json, serious
from gm.position import Phase

app = typer.Typer(help="Check a sheet of orders; help on the order language.", no_args_is_help=True)


@app.command()
def check(
    position: Path = typer.Option(..., "--position", help="The position: Bell notation or JSON", exists=True),
    player: str = typer.Option(..., "--player", help="Whose orders they are: a letter"),
    turn: int | None = typer.Option(None, "--turn", help="Game-Turn, if the position does not say"),
    phase: Phase | None = typer.Option(None, "--phase", help="Phase, if the position does not say"),
    as_json: bool = typer.Option(False, "--json", help="For programs"),
    pack: Path | None = typer.Option(None, "--pack", help="Your own pack, a file or a folder"),
    option: list[str] = typer.Option([], "--option", help="A house rule that changes what may be ordered: masses=yes"),
    orders: Path | None = typer.Argument(None, help="The orders; without it standard input", show_default=False),
) -> None:
    """Say what the receipt for these orders will say. Exit status 1 if something in them cannot be done."""
    board = load_pack(pack)
    if house_rules(option).masses:
        board = for_shorter_game(board)
    stands = position_from(board, position, turn, phase)
    letter = player.strip().upper()
    if letter not in stands.players:
        raise UserError(f"no player {player!r} in this position", f"players are {', '.join(stands.players)}")
    text = orders.read_text("utf-8", errors="replace") if orders else sys.stdin.read()
    found = review(board, stands, letter, parse(board, text, stands.players))
    if as_json:
        typer.echo(json.dumps(review_json(found), indent=2, ensure_ascii=False))
    else:
        typer.echo(receipt_text(found), nl=False)
    if serious(found.problems):
        raise typer.Exit(1)


@app.command("help")
def help_(
    topic: str | None = typer.Argument(None, help="An order (MOVE), NAMES, or a Phase (first)", show_default=False),
    markdown: bool = typer.Option(False, "--markdown", help="All of it, as docs/orders.md"),
) -> None:
    """How to write orders: all of them, or one."""
    if markdown:
        from gm.orders.help import markdown_text

        typer.echo(markdown_text(), nl=False)
        return
    text = help_text() if topic is None else topic_text(topic)
    if text is None:
        raise UserError(f"no help on {topic!r}", "`gm orders help` lists the orders")
    typer.echo(text, nl=False)
