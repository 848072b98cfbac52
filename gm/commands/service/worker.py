"""`gm worker` and `gm migrate`: running a worker, migrating the database."""

from __future__ import annotations

import typer

from gm.commands.wiring import say, service


def worker(
    once: bool = typer.Option(False, "--once", help="One look, then stop"),
    accept_clock: bool = typer.Option(False, "--accept-clock", help="The clock is right although the service was away"),
) -> None:
    """Adjudicate what is due, send and read mail, until stopped. On PostgreSQL any number may run."""
    from gm import logs
    from gm.campaign import ticker
    from gm.worker import make_worker

    with service() as services:
        logs.configure(services.settings, (services.secret_key.decode("utf-8", "replace"),))
        if accept_clock:
            ticker.accept_clock(services, "gm worker")
        runner = make_worker(services)
        if not once:
            runner.run()
            return
        report, mails = runner.once()
        for kind, campaign in report.done:
            say(f"{campaign}: {kind}")
        for kind, campaign, error in report.failed:
            say(f"{campaign}: {kind} failed: {error}")
        if report.halted:
            say(f"halted: {report.halted}")
        say(f"{mails} mails")


def migrate(revision: str = typer.Argument("head", help="To this revision")) -> None:
    """Bring the database to the present schema."""
    from gm.config import Settings
    from gm.store import migrate as migrations
    from gm.store.engine import make_engine

    engine = make_engine(Settings.load().database_url)
    before = migrations.current(engine)
    migrations.upgrade(engine, revision)
    say(f"schema {before or 'none'} -> {migrations.current(engine)}")
    engine.dispose()
