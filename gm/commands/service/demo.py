"""`gm demo`: the sample campaign on this machine, without configuration or mail. What `make run` calls."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import typer

from gm.commands import console
from gm.errors import UserError

FOLDER = Path("demo")


def demo(
    listen: str = typer.Option("127.0.0.1:8000", help="host:port"),
    fresh: bool = typer.Option(False, "--fresh", help="Throw the last demonstration away and begin anew"),
    folder: Path = typer.Option(FOLDER, help="Where its database is kept"),
) -> None:
    """Play a demonstration campaign: the game of 1976 at June 1918, with every seat open to you."""
    from gm.bootstrap import bootstrap
    from gm.commands.service.serve import address, run
    from gm.config import Settings
    from gm.web import sample

    host, port = address(listen)
    _free(host, port)
    folder.mkdir(exist_ok=True)
    database = folder / "kolokol-demo.sqlite"
    if fresh:
        for path in folder.glob("kolokol-demo.sqlite*"):
            path.unlink()
    url = f"http://{host}:{port}"
    settings = replace(
        Settings(),
        database_url=f"sqlite:///{database}",
        base_url=url,
        demo=True,
        mail_transport="mailbox",
        clock_jump_minutes=60 * 24 * 3650,  # a laptop sleeps; nobody's campaign depends on this clock
        tick_seconds=5,
    )
    services = bootstrap(settings)
    sample.load(services)
    out = console()
    out.print(f"\n[bold]Kolokol[/bold] is at [bold]{url}[/bold]\n")
    out.print(f"  {url}/alone     play a campaign now against four stand-ins, or alone against the Whites")
    out.print(f"  {url}/try       sit down as any player or the Gamesmaster")
    out.print(f"  {url}/mailbox   everything that would have been mailed")
    out.print(f"  {url}/c/{sample.CAMPAIGN}   the reading room\n")
    out.print(f"Kept in {database}; `gm demo --fresh` begins anew. Stop with Ctrl-C.\n")
    run(services, host, port, with_worker=True)


def _free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise UserError(
                f"something else listens on port {port}", "choose another: gm demo --listen 127.0.0.1:8001"
            ) from None
