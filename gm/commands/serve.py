"""`gm serve`: the web. `gm link`: a way in without mail."""

from __future__ import annotations

import typer

from gm.commands import console
from gm.errors import UserError


def address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdigit():
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


def run(services: object, host: str, port: int, with_worker: bool) -> None:
    import uvicorn

    from gm import logs
    from gm.campaign.services import Services
    from gm.web.app import create_app
    from gm.worker import make_worker

    assert isinstance(services, Services)
    logs.configure(services.settings, (services.secret_key.decode("utf-8", "replace"),))
    stop = None
    if with_worker:
        from gm.commands.background import start

        stop = start(make_worker(services), services.settings.tick_seconds)
    settings = services.settings
    try:
        uvicorn.run(
            create_app(services),
            host=host,
            port=port,
            log_config=None,  # what it says goes where everything goes
            log_level="warning",
            access_log=False,  # no address with a query is ever written down
            proxy_headers=settings.behind_proxy,
            forwarded_allow_ips="127.0.0.1" if not settings.behind_proxy else None,
            server_header=False,
            date_header=True,
        )
    finally:
        if stop is not None:
            stop()
        services.close()


def link(
    campaign: str = typer.Argument("", help="The campaign; none: the keeper of the installation"),
    letter: str = typer.Argument("GM", help="A player's letter, or GM"),
) -> None:
    """Print a sign-in link: for the keeper of the installation, a Gamesmaster, or a player whose mail is broken."""
    from gm.bootstrap import bootstrap
    from gm.campaign import doors, links
    from gm.campaign.links import Purpose, Ticket

    services = bootstrap()
    try:
        if campaign:
            mark = doors.fingerprint(services, campaign, letter.upper())
            if mark is None:
                raise UserError(f"there is no seat {letter.upper()} in {campaign}", "gm campaign list shows them")
            ticket = Ticket(Purpose.SIGN_IN, campaign, letter.upper(), mark)
        else:
            keeper = services.settings.admins.split(",")[0].strip().lower()
            if not keeper:
                raise UserError("nobody keeps this installation", "set KOLOKOL_ADMINS to your mail address")
            ticket = Ticket(Purpose.ADMIN, data={"address": keeper})
        console().print(links.url(services, links.sign(services, ticket)), soft_wrap=True, markup=False)
    finally:
        services.close()
