"""A campaign as it is read (CampaignView), and a transaction on it (Transaction): the campaign's row is locked first,
so that changes to a campaign are serialized."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy.orm import Session

from gm.board.model import Board
from gm.campaign import boards, cache, keys
from gm.campaign.notices import render_notice
from gm.campaign.options import CampaignOptions
from gm.campaign.ports import Attachment, Mail
from gm.campaign.roles import GM, KEEPER, HandedOver
from gm.campaign.services import Services
from gm.campaign.tokens import strike_secrets
from gm.errors import NotFound, NotNow
from gm.position import Position, to_json
from gm.store.base import PhaseKey
from gm.store.repositories import alarms, campaigns, mail, paper, people, phases
from gm.store.repositories.submissions import SubmissionEntry
from gm.store.tables import Alarm, Campaign, PhaseRow, PlayerRow, Request, SeatRow
from gm.wording import word_list

Row = tuple[SeatRow, PlayerRow | None]


LEAVING = ("resigning", "removed", "quit")  # seats of which nothing is expected any more


@dataclass(frozen=True, slots=True)
class RollCall:
    """Who has to order in a Phase, who has, who is waited for; gm/campaign/phase/awaited.py calls it."""

    expected: tuple[str, ...]  # letters of who should order
    orders: dict[str, SubmissionEntry]  # what stands of whom
    missing: tuple[str, ...]
    waiting: tuple[str, ...]  # who asked not to close early
    ready: tuple[str, ...]  # of those who should order
    bound: tuple[str, ...] = ()  # played by a stand-in at the full deadline, not before (see awaited.bound)

    @property
    def complete(self) -> bool:
        """Nobody's orders are missing, and what is there was understood or is called READY."""
        return not self.missing and all(p in self.ready or not entry.unread for p, entry in self.orders.items())

    @property
    def all_ready(self) -> bool:
        return not self.waiting and not self.bound and set(self.expected) == set(self.ready)

    @property
    def unready(self) -> tuple[str, ...]:
        """Who should order and is not ready, with orders or without."""
        return (*(player for player in self.expected if player not in self.ready), *self.bound)

    @property
    def settled(self) -> bool:
        """Whether nobody is waited for, where there is no deadline."""
        return self.complete and not self.waiting and not self.bound


def display_name(seat: SeatRow, holder: PlayerRow | None) -> str:
    """The name of whoever plays a seat."""
    return seat_name(seat.letter, holder.name if holder else None, seat.standin)


def seat_name(letter: str, name: str | None, standin: bool) -> str:
    """A stand-in that has a seat to itself has a name too."""
    return name or (str(word_list("campaign/standins")[letter]) if standin else letter)


def names_of(table: Sequence[Row]) -> dict[str, str]:
    """Name of a player -> letter, as the order parser wants it."""
    return {display_name(seat, holder): seat.letter for seat, holder in table if holder is not None or seat.standin}


class Busy(Exception):
    """The campaign is locked by somebody else, and the caller did not want to wait."""


def no_campaign(campaign: str) -> NotFound:
    return NotFound("campaign", f"there is no campaign {campaign}", "gm campaign list shows them", campaign=campaign)


def campaign_row(session: Session, campaign: str) -> Campaign:
    """The row of a campaign. Raises NotFound where there is none."""
    row = campaigns.get(session, campaign)
    if row is None:
        raise no_campaign(campaign)
    return row


def no_seat(campaign: str, letter: str) -> NotFound:
    return NotFound("seat", f"{campaign} has no player {letter}", "gm campaign show lists the seats", letter=letter)


class CampaignView:
    """A campaign as a session reads it. Nothing here writes."""

    def __init__(self, services: Services, session: Session, campaign: Campaign) -> None:
        self.services = services
        self.session = session
        self.campaign = campaign
        self.now = services.clock.now()
        self.roll: RollCall | None = None  # as it was called last
        self._phase: PhaseRow | None = None
        self._positions: dict[PhaseKey, Position] = {}
        self._secrets: dict[PhaseKey, bytes] = {}
        self._before: dict[PhaseKey, dict[str, str]] = {}

    @property
    def options(self) -> CampaignOptions:
        return cache.options(self.campaign.options)

    @property
    def board(self) -> Board:
        """The board that the campaign is played on."""
        return boards.board_of(self.session, self.campaign)

    @property
    def phase(self) -> PhaseRow:
        """The Phase in which the campaign stands."""
        if self._phase is None or phases.key_of(self._phase) != self.key:
            self._phase = phases.current(self.session, self.campaign)
        return self._phase

    @property
    def key(self) -> PhaseKey:
        return phases.current_key(self.campaign)

    def position(self, phase: PhaseRow | None = None) -> Position:
        phase = phase or self.phase
        key = phases.key_of(phase)
        if key not in self._positions:
            self._positions[key] = cache.position(self.services, self.board, key, phase.position)
        return self._positions[key]

    @cached_property
    def table(self) -> Sequence[Row]:
        """All seats with their holders."""
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

    def orders_before(self, phase: PhaseRow) -> dict[str, str]:
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
        return names_of(self.table)


class Transaction(CampaignView):
    """What a function of the campaign works with while it holds the lock."""

    def __init__(self, services: Services, session: Session, campaign: Campaign, actor: str) -> None:
        super().__init__(services, session, campaign)
        self.actor = actor
        self.wake_at: datetime | None = None
        self._mails: list[Mail] = []
        self._last: list[Mail] = []  # those that go behind the others
        self.answering: str | None = None  # the seat whose mail is dealt with: the answer tells it what came of that
        self.entry: tuple[Attachment, ...] = ()  # for calendars, if the deadline was moved

    def correct(self, phase: PhaseRow, position: Position) -> None:
        """Let a Phase begin with another position than was published."""
        phase.position = to_json(position)
        self._positions[phases.key_of(phase)] = position

    def forget_absences(self) -> None:
        """Read them anew when they are next asked for: they were changed."""
        self.__dict__.pop("absences", None)

    def audit(self, action: str, **data: object) -> None:
        record(self.session, self.campaign.id, self.now, self.actor, action, **data)

    def alarm(self, kind: str, due: datetime | None, phase: PhaseRow | None = None, hours: int | None = None) -> None:
        key = phases.key_of(phase) if phase is not None else self.key
        sleeping = self.campaign.status == "paused"
        self.session.add(Alarm(**key._asdict(), kind=kind, due_at=None if sleeping else due, hours=hours))
        self.wake(due)

    def silence(self, key: PhaseKey, *kinds: str) -> None:
        """Mark the pending alarms of a Phase as done."""
        alarms.finish(self.session, key, kinds, self.now)

    def wake(self, at: datetime | None) -> None:
        if at is not None and (self.wake_at is None or at < self.wake_at):
            self.wake_at = at

    def mail(self, item: Mail) -> None:
        """Add a mail, to be sent once the transaction is committed."""
        self._mails.append(item)

    @contextmanager
    def mail_last(self) -> Iterator[None]:
        """What is written in here goes behind all else: a deadline may be moved before the mails that name it."""
        others, self._mails = self._mails, []
        yield
        self._last += self._mails
        self._mails = others

    @property
    def has_mail(self) -> bool:
        return bool(self._mails or self._last)

    def post(self) -> None:
        """Queue all mail in the outbox at the end of the transaction, all together."""
        if self.has_mail:
            queue_in(self.services, self.session, [*self._mails, *self._last], self.now)

    def tell(
        self, letter: str, template: str, key: str, attachments: tuple[Attachment, ...] = (), /, **data: object
    ) -> None:
        """Mail a player. The key says what about; the same thing is never said twice."""
        _, holder = self.seat(letter)
        if holder is not None:
            self.write_to(holder.name, holder.address, holder.zone, letter, template, key, attachments, **data)

    def tell_gm(self, template: str, key: str, attachments: tuple[Attachment, ...] = (), /, **data: object) -> None:
        """Where one person plays alone, there is no Gamesmaster's chair: it goes to their seat."""
        gm, seat = self.campaign, GM if self.options.deadlines else self.campaign.gm_letter
        self.write_to(gm.gm_name, gm.gm_address, self.options.zone, seat, template, key, attachments, **data)

    def write_to(
        self,
        name: str,
        address: str,
        zone: str,
        letter: str | None,
        template: str,
        key: str,
        attachments: tuple[Attachment, ...] = (),
        /,
        **data: object,
    ) -> None:
        facts = {
            "campaign": self.campaign.id,
            "title": self.campaign.name,
            "paper": self.campaign.paper,
            "gm": self.campaign.gm_name,
            "name": name,
            "zone": zone,
            "letter": letter,
            "to_gm": letter is not None and letter in (GM, self.campaign.gm_letter),
            "by_keeper": self.actor == KEEPER,
            "base_url": self.services.settings.base_url,
        }
        subject, text = render_notice(template, **(facts | data))
        full_key = keys.of_campaign(self.campaign.id, template, key, letter or address)
        item = Mail(full_key, template, address, name, subject, text, self.campaign.id, letter, attachments=attachments)
        self.mail(item)


def must_hold(services: Services, session: Session, campaign: str) -> None:
    """Raises HandedOver where the caller was let in by keys that are void by now: between the door and the lock a seat
    may have changed hands."""
    claim = services.claim
    if claim is None or claim.campaign != campaign:
        return
    if claim.letter == GM:
        now = campaigns.gm_generation(session, campaign)
    else:
        now = people.generation(session, campaign, claim.letter)
    if now != claim.generation:
        raise HandedOver(claim.letter)


@contextmanager
def at_work(
    services: Services, campaign_id: str, actor: str, *statuses: str, wait: bool = True
) -> Iterator[Transaction]:
    """Lock the campaign, let the caller work if they still may, commit. With statuses, refuse a campaign in any
    other."""
    with services.store.write() as session:
        campaign = campaigns.lock(session, campaign_id, wait)
        if campaign is None:
            if not wait and campaigns.get(session, campaign_id) is not None:
                raise Busy(campaign_id)
            raise no_campaign(campaign_id)
        must_hold(services, session, campaign_id)
        if statuses and campaign.status not in statuses:
            raise NotNow(
                "status",
                f"{campaign_id} is {campaign.status}",
                f"this needs a campaign that is {' or '.join(statuses)}",
                status=campaign.status,
            )
        work = Transaction(services, session, campaign, actor)
        yield work
        work.post()
        campaigns.touch(session, campaign, work.now)
    if work.wake_at is not None or work.has_mail:
        services.wake(work.wake_at, work.has_mail)


def record(session: Session, campaign: str | None, at: datetime, actor: str, action: str, **data: object) -> None:
    said = {name: strike_secrets(value) if isinstance(value, str) else value for name, value in data.items()}
    campaigns.record(session, campaign, at, actor, action, said)


def queue_in(services: Services, session: Session, items: Sequence[Mail], now: datetime) -> None:
    """Put mails into the outbox within the caller's transaction, each once."""
    mail.add_outgoing(session, [_outbox_row(services, item, now) for item in items])


def _outbox_row(services: Services, item: Mail, now: datetime) -> dict[str, Any]:
    return {
        "campaign_id": item.campaign,
        "letter": item.letter,
        "address": item.address,
        "name": item.name,
        "kind": item.kind,
        "key": item.key,
        "message_id": keys.message_id(services.secret_key, item.key, services.settings.mail_domain),
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
