"""One transaction on one campaign: the row is locked first, so that whatever happens to a campaign happens in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign import kept
from gm.campaign.options import Options
from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.campaign.tokens import GM, message_id
from gm.campaign.words import word
from gm.errors import NotFound, NotNow
from gm.position import Position
from gm.store.base import PhaseKey
from gm.store.repositories import alarms, campaigns, mail, paper, people, phases
from gm.store.repositories.submissions import Entry
from gm.store.tables import Alarm, Campaign, Phase, Player, Request, Seat

Row = tuple[Seat, Player | None]


@dataclass(frozen=True, slots=True)
class RollCall:
    """Who has to order in a Phase, who has, who is waited for; gm/campaign/roll_call.py calls it."""

    expected: tuple[str, ...]  # letters of who should order
    orders: dict[str, Entry]  # what stands of whom
    missing: tuple[str, ...]
    waiting: tuple[str, ...]  # who asked not to close early

    @property
    def complete(self) -> bool:
        return not self.missing


class Busy(Exception):
    """Somebody else is at work on the campaign, and we did not want to wait."""


def no_campaign(campaign: str) -> NotFound:
    return NotFound("campaign", f"there is no campaign {campaign}", "gm campaign list shows them", campaign=campaign)


def no_seat(campaign: str, letter: str) -> NotFound:
    return NotFound("seat", f"{campaign} has no player {letter}", "gm campaign show lists the seats", letter=letter)


class Work:
    """What a function of the campaign works with while it holds the lock."""

    def __init__(self, services: Services, session: Session, campaign: Campaign, actor: str) -> None:
        self.services = services
        self.session = session
        self.campaign = campaign
        self.actor = actor
        self.now = services.clock.now()
        self.wake_at: datetime | None = None
        self._mails: list[Mail] = []
        self._phase: Phase | None = None
        self._positions: dict[PhaseKey, Position] = {}
        self._secrets: dict[PhaseKey, bytes] = {}
        self._before: dict[PhaseKey, dict[str, str]] = {}
        self.roll: RollCall | None = None  # as it was called last

    @property
    def options(self) -> Options:
        return kept.options(self.campaign.options)

    @property
    def phase(self) -> Phase:
        """The Phase in which the campaign stands."""
        if self._phase is None or phases.key_of(self._phase) != self.key:
            self._phase = phases.current(self.session, self.campaign)
        return self._phase

    @property
    def key(self) -> PhaseKey:
        return phases.current_key(self.campaign)

    def position(self, phase: Phase | None = None) -> Position:
        phase = phase or self.phase
        key = phases.key_of(phase)
        if key not in self._positions:
            self._positions[key] = kept.position(self.services, key, phase.position)
        return self._positions[key]

    @cached_property
    def table(self) -> Sequence[Row]:
        """All seats with whoever holds them."""
        return people.seats_with_holders(self.session, self.campaign.id)

    @cached_property
    def absences(self) -> Sequence[Request]:
        """Who is away today."""
        return paper.absent_on(self.session, self.campaign.id, self.now.date())

    def secret(self, key: PhaseKey) -> bytes:
        """The dice secret of a Phase."""
        if key not in self._secrets:
            self._secrets[key] = phases.secret(self.session, key)
        return self._secrets[key]

    def orders_before(self, phase: Phase) -> dict[str, str]:
        """What each player had sealed for the Phase before this one."""
        key = phases.key_of(phase)
        if key not in self._before:
            self._before[key] = phases.sealed_before(self.session, phase)
        return self._before[key]

    def seat(self, letter: str) -> Row:
        for seat, holder in self.table:
            if seat.letter == letter:
                return seat, holder
        raise no_seat(self.campaign.id, letter)

    @property
    def names(self) -> dict[str, str]:
        """Name of a player -> letter, as the order parser wants it."""
        return {holder.name: seat.letter for seat, holder in self.table if holder is not None}

    def audit(self, action: str, **data: object) -> None:
        record(self.session, self.campaign.id, self.now, self.actor, action, **data)

    def alarm(self, kind: str, due: datetime | None, phase: Phase | None = None, hours: int | None = None) -> None:
        key = phases.key_of(phase) if phase is not None else self.key
        sleeping = self.campaign.status == "paused"
        self.session.add(Alarm(**key._asdict(), kind=kind, due_at=None if sleeping else due, hours=hours))
        self.wake(due)

    def silence(self, key: PhaseKey, *kinds: str) -> None:
        """What was still to be done for a Phase needs doing no more."""
        alarms.finish(self.session, key, kinds, self.now)

    def wake(self, at: datetime | None) -> None:
        if at is not None and (self.wake_at is None or at < self.wake_at):
            self.wake_at = at

    def mail(self, item: Mail) -> None:
        """To be sent once this is committed."""
        self._mails.append(item)

    @property
    def has_mail(self) -> bool:
        return bool(self._mails)

    def post(self) -> None:
        """All mail into the outbox, at the end of the transaction and in one go."""
        if self._mails:
            queue_in(self.services, self.session, self._mails, self.now)

    def tell(self, letter: str, template: str, key: str, **data: object) -> None:
        """Mail a player. The key says what about; the same thing is never said twice."""
        _, holder = self.seat(letter)
        if holder is not None:
            self.write_to(holder.name, holder.address, holder.zone, letter, template, key, **data)

    def tell_gm(self, template: str, key: str, **data: object) -> None:
        gm = self.campaign
        self.write_to(gm.gm_name, gm.gm_address, self.options.zone, GM, template, key, **data)

    def write_to(
        self, name: str, address: str, zone: str, letter: str | None, template: str, key: str, **data: object
    ) -> None:
        facts = {
            "campaign": self.campaign.id,
            "title": self.campaign.name,
            "paper": self.campaign.paper,
            "gm": self.campaign.gm_name,
            "name": name,
            "zone": zone,
            "letter": letter,
            "base_url": self.services.settings.base_url,
        }
        subject, text = word(template, **(facts | data))
        full_key = f"{self.campaign.id}/{template}/{key}/{letter or address}"
        self.mail(Mail(full_key, template, address, name, subject, text, self.campaign.id, letter))


@contextmanager
def at_work(services: Services, campaign_id: str, actor: str, *statuses: str, wait: bool = True) -> Iterator[Work]:
    """Lock the campaign, let the caller work, commit. With statuses, refuse a campaign in any other."""
    with services.store.write() as session:
        campaign = campaigns.lock(session, campaign_id, wait)
        if campaign is None:
            if not wait and campaigns.get(session, campaign_id) is not None:
                raise Busy(campaign_id)
            raise no_campaign(campaign_id)
        if statuses and campaign.status not in statuses:
            raise NotNow(
                "status",
                f"{campaign_id} is {campaign.status}",
                f"this needs a campaign that is {' or '.join(statuses)}",
                status=campaign.status,
            )
        work = Work(services, session, campaign, actor)
        yield work
        work.post()
        campaigns.touch(session, campaign, work.now)
    if work.wake_at is not None or work.has_mail:
        services.wake(work.wake_at, work.has_mail)


def record(session: Session, campaign: str | None, at: datetime, actor: str, action: str, **data: object) -> None:
    campaigns.record(session, campaign, at, actor, action, data)


def queue_in(services: Services, session: Session, items: Sequence[Mail], now: datetime) -> None:
    """Put mails into the outbox within the caller's transaction, each once."""
    mail.add_outgoing(session, [_outgoing(services, item, now) for item in items])


def _outgoing(services: Services, item: Mail, now: datetime) -> dict[str, Any]:
    return {
        "campaign_id": item.campaign,
        "letter": item.letter,
        "address": item.address,
        "name": item.name,
        "kind": item.kind,
        "key": item.key,
        "message_id": message_id(item.key, services.settings.mail_domain),
        "in_reply_to": item.in_reply_to,
        "subject": item.subject,
        "text": item.text,
        "html": item.html,
        "headers": dict(item.headers),
        "attachments": [asdict(part) for part in item.attachments],
        "bell": item.bell,
        "state": "queued",
        "created_at": now,
        "not_before": now,
    }
