"""A campaign with its mail desk, for tests that hand in mails one by one: made once, copied for every test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from gm.campaign import ticker
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.manage import creation
from gm.campaign.phase import intake
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.mail.handle.handler import MailHandler
from gm.mail.identify.rate_limit import DEFAULT, Limits
from gm.mail.parse.message import Envelope
from gm.rendering.newsroom import PlainRenderer
from gm.store.mail_tables import Outbox
from tests.campaign_fixtures import FakeClock, installed, new_campaign, settings_for

LETTERS = "ABCDE"


def services_on(url: str, clock: FakeClock, **changes: object) -> Services:
    settings = replace(
        settings_for(url),
        orders_address="orders@bell.test",
        mail_from="gm@bell.test",
        trusted_authserv="mx.bell.test",
        **changes,  # type: ignore[arg-type]
    )
    return installed(settings, clock=clock, renderer=PlainRenderer())


def begin(services: Services, **options: object) -> str:
    """All five have accepted, The Bell #1 is printed, the trades are open."""
    campaign = new_campaign(services, **options)
    for letter in LETTERS:
        creation.accept(services, campaign, letter)
    assert not ticker.tick(services).failed
    return campaign


def copy_of(template: Path, folder: Path) -> str:
    path = folder / "copy.sqlite"
    shutil.copy(template, path)
    return f"sqlite:///{path}"


@dataclass
class Post:
    services: Services
    campaign: str
    clock: FakeClock
    limits: Limits = DEFAULT
    serial: int = 0
    desk: MailHandler = field(init=False)

    def __post_init__(self) -> None:
        self.desk = MailHandler(self.services, self.limits)

    def token(self, letter: str) -> str:
        return holders.seat_token(self.services, self.campaign, letter)

    def address(self, letter: str) -> str:
        return holders.seat_of(self.services, self.campaign, letter).address

    def raw(self, letter: str, words: str, **fields: str) -> bytes:
        """An ordinary mail of a player; `fields` replace its headers."""
        self.serial += 1
        seat = holders.seat_of(self.services, self.campaign, letter)
        head = {
            "From": f"{seat.name} <{seat.address}>",
            "To": f"orders+{self.token(letter)}@bell.test",
            "Subject": "Re: The Bell #1",
            "Message-ID": f"<m{self.serial}.{letter}@players.test>",
        } | {name.replace("_", "-"): value for name, value in fields.items()}
        lines = [f"{name}: {value}" for name, value in head.items() if value]
        return "\n".join([*lines, "", words, ""]).encode("utf-8")

    def hand_in(self, raw: bytes) -> int:
        """Through the pipe. Gives the number of the mail."""
        mail_id = self.desk.take(raw, Envelope(source="pipe"))
        self.desk.handle(mail_id)
        return mail_id

    def write(self, letter: str, words: str, **fields: str) -> list[Outbox]:
        """A player writes; gives the mails that this caused, oldest first."""
        before = self.newest()
        self.hand_in(self.raw(letter, words, **fields))
        return self.since(before)

    def newest(self) -> int:
        rows = outbox.listing(self.services, None, limit=1)
        return rows[0].id if rows else 0

    def since(self, number: int) -> list[Outbox]:
        return [row for row in reversed(outbox.listing(self.services, None, limit=5000)) if row.id > number]

    def orders_of(self, letter: str) -> str:
        found = intake.current_orders(self.services, self.campaign, letter)
        return found.canonical.strip() if found else "-"

    def state_of(self, mail_id: int) -> tuple[str, str]:
        mail = inbox.get(self.services, mail_id)
        return mail.state, mail.reason or ""


def opened(url: str, **changes: object) -> Iterator[Post]:
    clock = FakeClock()
    services = services_on(url, clock, **changes)
    yield Post(services, "june-1918", clock)
    services.close()
