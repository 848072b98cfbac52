"""A campaign with real mail: the service reads its mailbox by IMAP and sends by SMTP; people do as they would."""

from __future__ import annotations

import imaplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from gm.campaign.mailbox import inbox, outbox
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.rendering.newsroom import Newsroom
from gm.reports.issue import Issue
from gm.reports.view.model import BellView
from gm.store.mail_tables import Outbox
from gm.web.app import create_app
from gm.worker import Worker, make_worker
from tests.campaign_fixtures import FakeClock, installed, settings_for
from tests.doors.house import Player, Post, text_of
from tests.doors.servers import PASSWORD
from tests.support import PATIENCE, wait_until
from tests.web.table import Browser

CAMPAIGN, DOMAIN, ORDERS = "spring-1918", "month.test", "bell.month.test"
GM_NAME = "Gregor"


@dataclass
class Month:
    """The people of a campaign, and the Gamesmaster at the web."""

    services: Services
    worker: Worker
    clock: FakeClock
    post: Post
    people: dict[str, Player] = field(default_factory=dict)

    def person(self, name: str) -> Player:
        if name not in self.people:
            self.people[name] = Player(name, f"{name.lower()}@{DOMAIN}", self.post)
        return self.people[name]

    # --- what people do

    def writes(self, name: str, words: str, to: str = "") -> None:
        """Answer the newest mail (or the newest with this in its subject), and wait until that is answered."""
        who = self.person(name)
        fitting = [m for m in who.inbox if to in str(m["Subject"])]
        assert fitting, f"{name} has nothing of {to}: {[(str(m['Subject']), text_of(m)[:300]) for m in who.inbox]}"
        mail = fitting[-1]
        who.answers(mail, words)
        wait_until(self._has_read_all, PATIENCE, f"{name} wrote {words!r} and waits")
        self.settle()

    def _has_read_all(self) -> bool:
        read = sum(
            len(inbox.in_state(self.services, state, None, 1000)) for state in ("handled", "held", "quarantined")
        )
        return read == sum(person.sent for person in self.people.values())

    def gamesmaster(self, page: str, **form: object) -> None:
        """Fill in a form of the Gamesmaster's desk."""
        browser = Browser(create_app(self.services), self.services).sit(CAMPAIGN, "GM")
        answer = browser.post(f"/gm/c/{CAMPAIGN}/{page}", form)
        assert answer.status_code == 303, answer.text
        self.settle()

    def until(self, moment: datetime) -> None:
        """Let time pass; what is due on the way is done in its hour."""
        while self.clock.now() < moment:
            self.clock.set(min(moment, self.clock.now() + timedelta(hours=1)))
            self.worker.look()
            if any(row.state != "sent" for row in self.sent()):
                self.settle()  # while a mail is on its way no hours pass: it would be taken for one that was lost
        self.settle()

    def wait(self, **spans: float) -> None:
        self.until(self.clock.now() + timedelta(**spans))

    def until_deadline(self, **after: float) -> None:
        deadline = lookups.state(self.services, CAMPAIGN).deadline
        assert deadline is not None
        self.until(deadline + timedelta(**after))

    # --- the service

    def turn(self) -> bool:
        report, _ = self.worker.once()
        assert not report.failed, report.failed
        return True

    def settle(self) -> None:
        """Until everything that is due is done and every mail lies in its mailbox."""
        wait_until(self._is_settled, PATIENCE, "mail under way")

    def _is_settled(self) -> bool:
        self.turn()
        rows = self.sent()
        lying = sum(len(person.inbox) for person in self.people.values())
        return all(row.state == "sent" for row in rows) and lying == len(rows)

    def sent(self) -> list[Outbox]:
        """All mails of the service, in the order in which they were written."""
        return sorted(outbox.listing(self.services, None, limit=10_000), key=lambda row: row.id)


class WithoutPictures(Newsroom):
    """The real press, but for its pictures: nobody reads them here, and they take half of the time."""

    def pictures(self, issue: Issue, view: BellView) -> tuple[bytes | None, bytes | None]:
        return None, None


@contextmanager
def opened(post: Post, url: str) -> Iterator[Month]:
    clock = FakeClock()
    given = {name.lower(): value for name, value in post.by_imap(ORDERS).items()} | {"imap_tls": False}
    settings = settings_for(url, **given)
    services = installed(settings, 1918, clock=clock, renderer=WithoutPictures())
    worker = make_worker(services)
    worker.open()
    try:
        yield Month(services, worker, clock, post)
    finally:
        worker.close()
        worker.sender.close()  # type: ignore[attr-defined]
        services.close()


def read_by_imap(month: Month, address: str) -> list[EmailMessage]:
    """All that lies in somebody's INBOX."""
    client = imaplib.IMAP4("127.0.0.1", month.post.dovecot.imap_port)
    client.login(address, PASSWORD)
    client.select("INBOX", readonly=True)
    _, (numbers,) = client.search(None, "ALL")
    found = []
    for number in numbers.split():
        _, parts = client.fetch(number, "(BODY.PEEK[])")
        message = message_from_bytes(parts[0][1], policy=default)  # type: ignore[index]
        assert isinstance(message, EmailMessage)
        found.append(message)
    client.logout()
    return found
