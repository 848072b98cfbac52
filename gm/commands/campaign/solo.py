"""`gm solo`: the solitaire game."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import typer

from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.campaign.solo import solitaire
from gm.campaign.solo.solitaire import SoloGame
from gm.commands.wiring import AS_JSON, CAMPAIGN, person, print_json, say, service
from gm.errors import UserError
from gm.orders.problems import Problem
from gm.orders.receipt import problem_lines
from gm.position import RED_PLAYER, Phase

app = typer.Typer(no_args_is_help=True, help="The game for one person: you play Red, a system of rules the others")
CONTESTED = typer.Option(False, "--contested", help="Petrograd and Tver are lost only without a Red piece there (S20)")


@app.command()
def new(
    player: str = typer.Argument(help='Who plays: "NAME <ADDRESS>"'),
    name: str = typer.Option("Alone against the Whites", "--name", help="What the game is called"),
    id: str | None = typer.Option(None, "--id", help="Its id; made from the name if not given", show_default=False),
    contested: bool = CONTESTED,
) -> None:
    """Begin a game: the map is set up, and the system plays its first turn."""
    with service() as services:
        created = solitaire.begin(services, person(player), name=name, contested=contested, id=id, actor="gm")
        _tell(services, created)
    say(f"gm solo play {created}   plays a sheet; gm solo show {created} shows this again")


@app.command()
def show(campaign: str = CAMPAIGN, as_json: bool = AS_JSON) -> None:
    """The last Bell, where everything stands, and what the next sheet may hold."""
    with service() as services:
        if as_json:
            print_json(solitaire.game(services, campaign))
        else:
            _tell(services, campaign)


@app.command()
def play(
    campaign: str = CAMPAIGN,
    file: Path = typer.Argument(None, help="The orders; without it they are read from standard input"),
    check: bool = typer.Option(False, "--check", help="Only say what would be understood"),
) -> None:
    """Play a sheet. What is played is played: until then nothing is written down."""
    text = file.read_text("utf-8") if file is not None else sys.stdin.read()
    with service() as services:
        solitaire.game(services, campaign)
        if check:
            seen = intake.preview_orders(services, campaign, RED_PLAYER, text)
            say(seen.canonical)
            _tell_problems(seen.problems)
            return
        done = solitaire.play(services, campaign, text, source="gm")
        _tell_problems(done.problems)
        if done.status != "taken":
            raise UserError(f"nothing was played ({done.reason})", "mend the sheet and play it again")
        _tell(services, campaign)


@app.command()
def record(address: str = typer.Argument(help="Whose games, by mail address")) -> None:
    """All games of one address, the newest first, to see whether one gets better at it."""
    with service() as services:
        for game in solitaire.games_of(services, address):
            say(f"{game.campaign:<32} Game-Turn {game.turn}  {_result(game)}")


@app.command()
def measure(
    games: int = typer.Argument(300, help="How many games"),
    contested: bool = CONTESTED,
) -> None:
    """Let a simple Red player play many games, and count how they end (docs/solitaire.md)."""
    from gm.standin.solitaire_red import play_games

    ends: Counter[str] = Counter()
    outnumbered = 0
    for end in play_games(games, contested=contested):
        ends[end.result] += 1
        outnumbered += end.outnumbered
    for result, number in ends.most_common():
        say(f"{result:<20} {number:>5}  {100 * number / games:5.1f}%")
    say(f"{'outnumbered at once':<20} {outnumbered:>5}  {100 * outnumbered / games:5.1f}%")


def _tell_problems(problems: Iterable[Problem]) -> None:
    """As a receipt has them: the line as written, what is wrong where, and what would be right."""
    for problem in problems:
        for line in problem_lines(problem):
            say(line)


def _tell(services: Services, campaign: str) -> None:
    """The last Bell, and what the next sheet may hold."""
    bell = lookups.latest_bell(services, campaign)
    if bell is not None:
        say(bell.text)
    game = solitaire.game(services, campaign)
    if game.phase is Phase.FIRST:
        waiting = ", ".join(game.waiting)
        say(f"Game-Turn {game.turn}, deploy and move: {game.deployable} of these may be deployed: {waiting}")
    elif game.phase is Phase.SECOND:
        say(f"Game-Turn {game.turn}, attack (part {game.part}): as many parts as you like, the last one with DONE")
    else:
        say(_result(game))
    if game.commitment:
        say(f"The dice of this sheet are drawn; the SHA-256 of their secret is {game.commitment}")


def _result(game: SoloGame) -> str:
    if not game.result:
        return f"{game.phase}: {game.strength} strength points left to be cleared"
    return f"{game.result} {game.level}".strip() + f", {game.strength} strength points left"
