"""A worker process for the fault test: the real worker, a clock that the test pushes, a sender that takes notes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gm.bootstrap import bootstrap
from gm.campaign.ports import Outgoing, Sending
from gm.rendering.newsroom import PlainRenderer
from gm.worker import Worker
from tests.campaign_fixtures import settings_for


class PushedClock:
    """The real time, and as many hours more as the test wrote into a file."""

    def __init__(self, offset: Path) -> None:
        self._offset = offset

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=int(self._offset.read_text() or "0"))


class NotingSender:
    def __init__(self, log: Path) -> None:
        self._file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def send(self, mails: Sequence[Outgoing]) -> Iterable[Sending]:
        for mail in mails:
            os.write(self._file, f"{mail.message_id}\n".encode())
            yield Sending(mail.id, mail.lease, True)


def fault_settings(url: str):
    return settings_for(url, tick_seconds=1, render_lease_seconds=2, mail_lease_seconds=2)


def run(url: str, folder: str) -> None:
    services = bootstrap(fault_settings(url), clock=PushedClock(Path(folder) / "offset"), renderer=PlainRenderer())
    Worker(services, NotingSender(Path(folder) / "sent.log")).run()
