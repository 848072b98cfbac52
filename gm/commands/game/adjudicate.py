"""`gm adjudicate` and `gm explain`: adjudicating one Phase without a campaign."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome_json import outcome_from_json, outcome_to_json
from gm.adjudicator.sequence import STEPS
from gm.adjudicator.sequence import adjudicate as play_phase
from gm.board.load import load_pack
from gm.board.model import Board
from gm.commands.files import house_rules, position_from
from gm.errors import UserError
from gm.notation import format_position
from gm.orders.kinds import Sheet
from gm.orders.parser import parse
from gm.position import Phase, Player, Position
from gm.reports.explain import explain as explain_text
from gm.reports.proof.fairness import counted, digest_of

PACK = typer.Option(None, "--pack", help="Your own board pack, a file or a folder", show_default=False)


def adjudicate(
    position: Path = typer.Option(..., "--position", help="The position: Bell notation or JSON", exists=True),
    orders: Path | None = typer.Option(None, "--orders", help="A folder with A.txt, B.txt, ...", show_default=False),
    secret: str = typer.Option(..., "--secret", help="The dice secret, 64 hex digits"),
    campaign: str = typer.Option("by-hand", "--campaign", help="The campaign's name, which the dice depend on"),
    turn: int | None = typer.Option(None, "--turn", help="Game-Turn, if the position does not say"),
    phase: Phase | None = typer.Option(None, "--phase", help="Phase, if the position does not say"),
    option: list[str] = typer.Option([], "--option", help="A house rule, such as deal=three-pots or masses=yes"),
    as_json: bool = typer.Option(False, "--json", help="The whole Outcome; `gm explain` reads it"),
    pack: Path | None = PACK,
) -> None:
    """Adjudicate one Phase and print what happened and the new positions."""
    board = load_pack(pack)
    before = position_from(board, position, turn, phase)
    if before.phase not in STEPS:
        raise UserError("this game is finished", "there is nothing to adjudicate")
    sheets = _sheets(board, before, orders)
    options = house_rules(option)
    chance = _dice(board, options, _secret(secret), campaign, before, sheets)
    outcome = play_phase(board, before, sheets, chance, options)
    if as_json:
        typer.echo(json.dumps(outcome_to_json(outcome), indent=1, ensure_ascii=False))
    else:
        typer.echo(explain_text(board, outcome))
        typer.echo(format_position(outcome.after), nl=False)


def explain(
    outcome: Path = typer.Argument(..., help="An Outcome as `gm adjudicate --json` prints it", exists=True),
    pack: Path | None = PACK,
) -> None:
    """Tell an Outcome in words, with the rules that decided it."""
    board = load_pack(pack)
    try:
        found = outcome_from_json(board, json.loads(outcome.read_text("utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{outcome} is no Outcome: {error}", "`gm adjudicate --json` writes one") from error
    typer.echo(explain_text(board, found), nl=False)


def _dice(
    board: Board,
    options: GameOptions,
    secret: bytes,
    campaign: str,
    before: Position,
    sheets: dict[Player, Sheet],
) -> ProvableChance:
    """The dice that a campaign of this name would throw for these orders."""
    turn, phase = before.turn, before.phase
    digest = digest_of({player: counted(sheet) for player, sheet in sheets.items()}, options, board)
    return ProvableChance(secret, campaign, turn, phase, digest)


def _secret(text: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != 32:
        raise UserError("the secret is not 32 bytes in hex", "`openssl rand -hex 32` makes one")
    return found


def _sheets(board: Board, position: Position, folder: Path | None) -> dict[Player, Sheet]:
    if folder is None:
        return {}
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder", "orders are read from A.txt, B.txt, ... in a folder")
    sheets: dict[Player, Sheet] = {}
    for path in sorted(folder.glob("*.txt")):
        letter = path.stem.upper()
        if letter not in position.players:
            raise UserError(f"{path}: no player {letter}", f"players are {', '.join(position.players)}")
        sheets[letter] = parse(board, path.read_text("utf-8", errors="replace"), position.players).sheet
    return sheets
