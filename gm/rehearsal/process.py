"""Entry points of the processes of a rehearsal: the real web and workers, with a clock that can be advanced."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import uvicorn

from gm import logs
from gm.bootstrap import bootstrap
from gm.campaign.services import Services
from gm.config import Settings
from gm.processes import end_with_parent
from gm.rehearsal.clock import PushedClock
from gm.rendering.newsroom import PlainRenderer
from gm.web.server import web_server
from gm.worker import make_worker

CLOCK = "clock"


def work(settings: Settings, folder: str, name: str, plain: bool) -> None:
    """A worker, until it is told to stop or killed."""
    services = _services(settings, folder, name, plain)
    try:
        make_worker(services).run()
    finally:
        services.close()


def serve(settings: Settings, folder: str, name: str, plain: bool) -> None:
    """The web, as `gm serve` runs it behind a proxy."""
    services = _services(settings, folder, name, plain)
    host, _, port = settings.listen.rpartition(":")
    uvicorn.Server(web_server(services, host, int(port))).run()


def _services(settings: Settings, folder: str, name: str, plain: bool) -> Services:
    end_with_parent()
    log = os.open(Path(folder) / f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, sys.stderr.fileno())
    renderer = PlainRenderer() if plain else None
    services = bootstrap(settings, clock=PushedClock(Path(folder) / CLOCK), renderer=renderer)
    logs.configure(settings, (services.secret_key.decode("utf-8", "replace"),))
    return services
