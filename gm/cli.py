"""The command line `gm`: one line per command in COMMANDS, each imported only when called, so that help is quick."""

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
class CliCommand:
    """A command: a Typer app (a group of subcommands) or a plain function, by name, with its line in the help."""

    panel: str
    name: str
    target: str  # below gm.commands: "game.board:app"
    help: str


# To add a command, write gm/commands/GROUP/NAME.py with `app = typer.Typer()` or a function, and one line here.
COMMANDS: tuple[CliCommand, ...] = (
    CliCommand(
        "The game box",
        "board",
        "game.board:app",
        "The map, the counters and the tables; check your own pack",
    ),
    CliCommand("The game box", "orders", "game.orders:app", "Check a sheet of orders; help on the order language"),
    CliCommand("The game box", "cases", "game.cases:cases", "Run adjudicator cases and show what they cover"),
    CliCommand("The game box", "adjudicate", "game.adjudicate:adjudicate", "Adjudicate one Phase by hand"),
    CliCommand("The game box", "explain", "game.adjudicate:explain", "Tell an Outcome in words, with the rules"),
    CliCommand("The game box", "bell", "campaign.bell:app", "Render an issue from an Outcome; read one back"),
    CliCommand("The game box", "laboratory", "game.laboratory:laboratory", "Play stand-ins against each other; count"),
    CliCommand("Campaigns", "campaign", "campaign.campaign:app", "Make a campaign and run it"),
    CliCommand("Campaigns", "submit", "campaign.submit:submit", "Enter orders for a player"),
    CliCommand("Campaigns", "whatif", "campaign.what_if:what_if", "Try orders many times; nothing is filed"),
    CliCommand("Campaigns", "solo", "campaign.solo:app", "Play alone against the Whites"),
    CliCommand("Campaigns", "export", "campaign.archive:export", "Write a campaign as a folder of plain files"),
    CliCommand(
        "Campaigns",
        "archive",
        "campaign.bell:archive",
        "Write a campaign's issues as a site of plain files",
    ),
    CliCommand("Campaigns", "book", "campaign.bell:book", "Set a whole campaign as one printable book"),
    CliCommand("Campaigns", "import", "campaign.archive:import_", "Take over a campaign, or start one in mid-game"),
    CliCommand("Campaigns", "verify", "campaign.archive:verify", "Recompute every die and receipt of an archive"),
    CliCommand("The service", "demo", "service.demo:demo", "Play a demonstration campaign on this machine"),
    CliCommand("The service", "serve", "service.serve:serve", "Serve the web pages and the API"),
    CliCommand("The service", "link", "service.serve:link", "Print a sign-in link, for when there is no mail"),
    CliCommand("The service", "mail", "service.mail:app", "The pipe for a mail server, the quarantine, the outbox"),
    CliCommand("The service", "worker", "service.worker:worker", "Adjudicate what is due, send and read mail"),
    CliCommand("The service", "migrate", "service.worker:migrate", "Bring the database to the present schema"),
    CliCommand("The service", "rehearse", "service.rehearse:rehearse", "Play a month of campaigns in minutes"),
    CliCommand("The service", "doctor", "service.doctor:doctor", "Check this installation and say what to do"),
    CliCommand("The service", "settings", "service.doctor:settings", "List every setting and what it is here"),
    CliCommand("The service", "backup", "service.backup:backup", "Write the whole installation into one file"),
    CliCommand("The service", "restore", "service.backup:restore", "Put a backup into an empty database"),
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


def _load(command: CliCommand) -> Any:
    module, _, name = command.target.partition(":")
    found = getattr(import_module(f"gm.commands.{module}"), name)
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
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        from gm.wording import shown  # not before it is needed: `gm --help` is for the impatient

        if error.filename is None:
            raise
        typer.echo(
            f"{typer.style('gm:', fg='red', bold=True)} {shown(str(error.filename))}: {error.strerror}", err=True
        )
        sys.exit(USER_ERROR)
    except UserError as error:
        from gm.wording import shown

        typer.echo(f"{typer.style('gm:', fg='red', bold=True)} {shown(str(error))}", err=True)
        if error.hint:
            typer.echo(f"    {shown(error.hint)}", err=True)
        sys.exit(USER_ERROR)
