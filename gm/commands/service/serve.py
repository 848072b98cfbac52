"""`gm serve`: the web server. `gm link`: a sign-in link without mail."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from gm.commands import console
from gm.config import Settings
from gm.errors import UserError


def address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal():
        raise UserError(f"{listen!r} is no host:port", "such as 127.0.0.1:8000")
    return host.strip("[]"), int(port)


def serve(
    listen: str = typer.Option("", help="host:port; else KOLOKOL_LISTEN"),
    worker: bool = typer.Option(False, "--worker", help="Also do the worker's work in this process (SQLite)"),
) -> None:
    """Serve the web pages and the API."""
    from gm.bootstrap import bootstrap

    services = bootstrap()
    host, port = address(listen or services.settings.listen)
    run(services, host, port, worker)


def what_runs(settings: Settings, host: str, port: int, with_worker: bool) -> Iterator[str]:
    """Where it listens, what it reads and where it sends: what a person wants to know who has just started it."""
    yield f"web       http://{host}:{port} (players' links lead to {settings.base_url})"
    yield f"database  {settings.database_url.rpartition('@')[2]}"  # without its password
    yield from reads(settings) if with_worker else ["worker    none here: gm worker adjudicates, sends and reads mail"]


def reads(settings: Settings) -> Iterator[str]:
    """What a worker reads and sends."""
    mailbox = f"{settings.imap_user} at {settings.imap_host}, folder {settings.imap_folder}"
    yield f"mail in   {mailbox}" if settings.imap_host else "mail in   no mailbox (KOLOKOL_IMAP_HOST)"
    if settings.lmtp_listen:
        yield f"mail in   listens for a mail server at {settings.lmtp_listen}"
    ways = {"smtp": f"{settings.smtp_host}:{settings.smtp_port}", "mailbox": "kept and shown, not sent"}
    yield f"mail out  {ways.get(settings.mail_transport, settings.mail_transport)}"


def run(services: object, host: str, port: int, with_worker: bool) -> None:
    import uvicorn

    from gm import logs
    from gm.campaign.services import Services
    from gm.web.server import web_server
    from gm.worker import make_worker

    assert isinstance(services, Services)
    logs.configure(services.settings, (services.secret_key.decode("utf-8", "replace"),))
    for line in what_runs(services.settings, host, port, with_worker):
        console().print(line, markup=False)
    stop = None
    if with_worker:
        from gm.commands.service.background import start

        worker = make_worker(services)
        services = worker.for_the_web(services)
        stop = start(worker)
    try:
        uvicorn.Server(web_server(services, host, port)).run()
    finally:
        if stop is not None:
            stop()
        services.close()


def link(
    campaign: str = typer.Argument("", help="The campaign; none: the keeper of the installation"),
    letter: str = typer.Argument("GM", help="A player's letter, or GM"),
    end_sessions: bool = typer.Option(False, help="End all sessions and links of keepers first"),
) -> None:
    """Print a sign-in link: for the keeper of the installation, a Gamesmaster, or a player whose mail is broken."""
    from gm.bootstrap import bootstrap
    from gm.campaign.access import callers, links
    from gm.campaign.access.ended_sessions import end_keepers, keeper_mark
    from gm.campaign.access.links import Purpose, Ticket

    services = bootstrap()
    try:
        if end_sessions:
            end_keepers(services)
        if campaign:
            mark = callers.fingerprint(services, campaign, letter.upper())
            if mark is None:
                raise UserError(f"there is no seat {letter.upper()} in {campaign}", "gm campaign list shows them")
            ticket = Ticket(Purpose.SIGN_IN, campaign, letter.upper(), mark)
        else:
            keeper = next(iter(services.settings.keepers), None)
            if keeper is None:
                raise UserError("nobody keeps this installation", "set KOLOKOL_ADMINS to your mail address")
            ticket = Ticket(Purpose.ADMIN, fingerprint=keeper_mark(services, keeper), data={"address": keeper})
        console().print(links.url(services, links.sign(services, ticket)), soft_wrap=True, markup=False)
    finally:
        services.close()
