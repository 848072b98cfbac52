"""The command line: one line a command in COMMANDS, each imported only when called, so that `gm --help` is quick."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from gm import __version__
from gm.errors import UserError

USER_ERROR = 2  # something the user can mend; 1 is for "no": a case failed, there is no such way


@dataclass(frozen=True, slots=True)
class Command:
    """A command: a Typer app (a group of subcommands) or a plain function, by name, with its line in the help."""

    panel: str
    name: str
    target: str  # "gm.commands.board:app"
    help: str


# To add a command, write gm/commands/NAME.py with `app = typer.Typer()` or a function, and one line here.
COMMANDS: tuple[Command, ...] = (
    Command(
        "The game box", "board", "gm.commands.board:app", "The map, the counters and the tables; check your own pack"
    ),
    Command("The game box", "orders", "gm.commands.orders:app", "Check a sheet of orders; help on the order language"),
    Command("The game box", "cases", "gm.commands.cases:cases", "Run adjudicator cases and show what they cover"),
    Command("The game box", "adjudicate", "gm.commands.adjudicate:adjudicate", "Adjudicate one Phase by hand"),
    Command("The game box", "explain", "gm.commands.adjudicate:explain", "Tell an Outcome in words, with the rules"),
    Command("The game box", "bell", "gm.commands.bell:app", "Render an issue from an Outcome; read one back"),
    Command("Campaigns", "campaign", "gm.commands.campaign:app", "Make a campaign and run it"),
    Command("Campaigns", "submit", "gm.commands.submit:submit", "Enter orders for a player"),
    Command("Campaigns", "export", "gm.commands.archive:export", "Write a campaign as a folder of plain files"),
    Command("Campaigns", "archive", "gm.commands.bell:archive", "Write a campaign's issues as a site of plain files"),
    Command("Campaigns", "import", "gm.commands.archive:import_", "Take over a campaign, or start one in mid-game"),
    Command("Campaigns", "verify", "gm.commands.archive:verify", "Recompute every die and receipt of an archive"),
    Command("The service", "demo", "gm.commands.demo:demo", "Play a demonstration campaign on this machine"),
    Command("The service", "serve", "gm.commands.serve:serve", "Serve the web pages and the API"),
    Command("The service", "link", "gm.commands.serve:link", "Print a sign-in link, for when there is no mail"),
    Command("The service", "mail", "gm.commands.mail:app", "The pipe for a mail server, the quarantine, the outbox"),
    Command("The service", "worker", "gm.commands.worker:worker", "Adjudicate what is due, send and read mail"),
    Command("The service", "migrate", "gm.commands.worker:migrate", "Bring the database to the present schema"),
    Command("The service", "rehearse", "gm.commands.rehearse:rehearse", "Play a month of campaigns in minutes"),
    Command("The service", "doctor", "gm.commands.doctor:doctor", "Check this installation and say what to do"),
    Command("The service", "settings", "gm.commands.doctor:settings", "List every setting and what it is here"),
    Command("The service", "backup", "gm.commands.backup:backup", "Write the whole installation into one file"),
    Command("The service", "restore", "gm.commands.backup:restore", "Put a backup into an empty database"),
)


class _Root(TyperGroup):
    """Knows its commands by name, and imports one only to run it."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        for command in COMMANDS:  # stand-ins, for "did you mean"
            self.add_command(TyperCommand(command.name, help=command.help))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = next((c for c in COMMANDS if c.name == cmd_name), None)
        return _load(command) if command else None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(f"{typer.style('Kolokol', bold=True)}, a Gamesmaster for postal Russian Civil War\n\n")
        formatter.write("Usage: gm COMMAND [ARGUMENTS]\n")
        width = max(len(c.name) for c in COMMANDS) + 2
        for panel in dict.fromkeys(c.panel for c in COMMANDS):
            formatter.write(f"\n{typer.style(panel, bold=True)}\n")
            for command in COMMANDS:
                if command.panel == panel:
                    formatter.write(f"  {command.name:<{width}}{command.help}\n")
        formatter.write("\n`gm COMMAND --help` tells more of each; `gm --version` the version.\n")


def _load(command: Command) -> Any:
    module, _, name = command.target.partition(":")
    found = getattr(import_module(module), name)
    if isinstance(found, typer.Typer):
        return get_group(found)
    single = typer.Typer(add_completion=False)
    single.command(command.name)(found)
    return get_command(single)


app = typer.Typer(
    cls=_Root,
    invoke_without_command=True,
    rich_markup_mode=None,  # the help of the root is written above; commands have their own
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kolokol {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version"),
) -> None:
    """Kolokol, a Gamesmaster for postal Russian Civil War."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. What a user can mend is told in a line or two, never with a traceback."""
    try:
        app(args=arguments, prog_name="gm")
    except UserError as error:
        typer.echo(f"{typer.style('gm:', fg='red', bold=True)} {error}", err=True)
        if error.hint:
            typer.echo(f"    {error.hint}", err=True)
        sys.exit(USER_ERROR)
