"""The inbox table: storing received mail before it is acknowledged, leases, quarantine and hold. Nothing is deleted
but the oldest mails of strangers, or held for one seat, when they are too many."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from gm.campaign import keys
from gm.campaign.notices import render_notice
from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.campaign.transaction import must_hold, queue_in, record
from gm.errors import NotFound
from gm.store.mail_tables import Inbox
from gm.store.repositories import campaigns, mail
from gm.store.tables import Campaign

log = structlog.get_logger("mail")
LEASE = timedelta(seconds=15)  # for one mail; if the reader is killed meanwhile, the next one takes it
STRANGERS_MAILS, STRANGERS_BYTES = 5_000, 300_000_000  # of mails of nobody's so much is kept, the newest
HELD_MAILS, HELD_BYTES = 200, 20_000_000  # of mails that wait for the confirmation of one seat, the newest
DROPPED = "strangers dropped"
HELD_WORDS = 20_000  # characters of a held mail that its page shows
PASSED_ON = 4000  # characters of a former holder's mail
QUESTION_LEASE = timedelta(seconds=60)  # for a what-if, which has its own limits
ASKED = mail.ASKED
UNREADABLE = "unreadable"  # prefix of the reason of a mail that could not be processed


@dataclass(frozen=True, slots=True)
class Stored:
    id: int
    new: bool
    mail: Inbound | None = None  # if it is new
    repeats: bool = False  # a mail of the same sender with the same Message-ID came before


@dataclass(frozen=True, slots=True)
class Inbound:
    id: int
    raw: bytes
    source: str
    received_at: datetime
    sender: str
    envelope_from: str
    envelope_to: str
    message_id: str
    state: str
    reason: str | None
    campaign: str | None
    letter: str | None
    attempts: int
    ahead: bool  # to a player's secret address, or released: read before mail of strangers
    shown: str | None = None  # digest of what was understood when its holder was asked about it


@dataclass(frozen=True, slots=True)
class Former:
    """Who once held a seat and writes to the Gamesmaster, with the words."""

    name: str
    address: str
    letter: str
    words: str


@dataclass(frozen=True, slots=True)
class InboxLine:
    """A mail in the quarantine, without its content."""

    id: int
    source: str
    received_at: datetime
    sender: str
    envelope_to: str
    state: str
    reason: str | None
    campaign: str | None
    letter: str | None


def store(
    services: Services,
    raw: bytes,
    *,
    source: str,
    received_at: datetime | None = None,
    sender: str = "",
    envelope_from: str = "",
    envelope_to: str = "",
    message_id: str = "",
    attempts: int = 0,
    ahead: bool = False,
) -> Stored:
    """Store a mail. The same one again (same Message-ID, recipients and content) is not new.
    `attempts`: 1 if the caller processes it at once."""
    named = f"{message_id}\0{envelope_to}" if envelope_to else message_id
    digest = hashlib.sha256(named.encode("utf-8", "replace") + b"\0" + raw).hexdigest()
    values: dict[str, Any] = {
        "digest": digest,
        "message_id": storable(message_id),
        "raw": raw,
        "source": source,
        "sender": storable(sender.strip().lower()),
        "envelope_from": storable(envelope_from),
        "envelope_to": storable(envelope_to),
        "state": "new",
        "attempts": attempts,
        "ahead": ahead,
    }
    try:
        with services.store.write() as session:
            # Read the clock only with the lock held: mail that waits for it while a Phase is sealed came too late.
            now = services.clock.now()
            values["received_at"] = min(received_at, now) if received_at is not None else now
            values["claimed_until"] = now + LEASE if attempts else None
            row_id = mail.add_incoming(session, values)
            may_repeat = bool(attempts and values["sender"] and message_id)
            repeats = may_repeat and mail.came_before(session, row_id, str(values["sender"]), message_id)
    except IntegrityError:  # it is here already
        with services.store.read() as session:
            known = mail.incoming_by_digest(session, digest)
            assert known is not None
            return Stored(known.id, False)
    return Stored(row_id, True, Inbound(id=row_id, **_facts(values)), repeats)


def drop_strangers(services: Services) -> int:
    """Anybody can send us mail, in a player's name too, and no disk is without end: of mails that are nobody's, and of
    those held for one seat, the oldest are deleted. How many is logged, and told by `gm doctor`."""
    with services.store.write() as session:
        number = mail.drop_strangers(session, STRANGERS_MAILS, STRANGERS_BYTES)
        number += mail.drop_held(session, HELD_MAILS, HELD_BYTES)
        if number:
            record(session, None, services.clock.now(), "kolokol", DROPPED, mails=number)
    if number:
        log.warning(DROPPED, mails=number)
    return number


def storable(text: str) -> str:
    """Text of a stranger made safe for the database: no NUL, no lone surrogate."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _facts(values: Mapping[str, Any]) -> dict[str, Any]:
    """What an Inbound tells of a row that was just made."""
    told = {name: value for name, value in values.items() if name not in ("digest", "claimed_until")}
    return told | {"reason": None, "campaign": None, "letter": None}


def _inbound(row: Inbox) -> Inbound:
    return Inbound(
        row.id,
        row.raw,
        row.source,
        row.received_at,
        row.sender,
        row.envelope_from,
        row.envelope_to,
        row.message_id,
        row.state,
        row.reason,
        row.campaign_id,
        row.letter,
        row.attempts,
        row.ahead,
        row.shown,
    )


@dataclass(frozen=True, slots=True)
class Addressed:
    """Of a mail that waits, what tells whose it is."""

    envelope_to: str
    campaign: str | None
    letter: str | None
    head: bytes


def waiting(
    services: Services, *, ahead: bool, limit: int = 50, before: datetime | None = None, after: int = 0
) -> list[int]:
    """The numbers of mails that are stored but not processed, and not leased by a reader: after a crash, all of them
    come again. `ahead`: to a secret address, or released, which alone can be orders without being asked about."""
    with services.store.read() as session:
        return list(mail.incoming_waiting(session, services.clock.now(), before, limit, ahead, after))


def questions(services: Services, limit: int = 1000) -> list[int]:
    """Mails of which only a what-if is left to be answered."""
    with services.store.read() as session:
        return list(mail.questions_waiting(session, services.clock.now(), limit))


def addressed(services: Services, mail_id: int, head: int) -> Addressed | None:
    with services.store.read() as session:
        found = mail.incoming_addressed(session, mail_id, head)
    return Addressed(*found) if found is not None else None


def put_behind(services: Services, mail_ids: Sequence[int]) -> None:
    """These mails are read last, and no deadline waits for them."""
    with services.store.write() as session:
        mail.put_behind(session, mail_ids)


def get(services: Services, mail_id: int) -> Inbound:
    with services.store.read() as session:
        row = mail.incoming(session, mail_id)
        if row is None:
            raise _no_mail(mail_id)
        return _inbound(row)


def first_of(services: Services, this: Inbound, seat: tuple[str, str] | None = None) -> Inbound | None:
    """The mail that this one repeats: same sender, same Message-ID, came before. `seat`: campaign and letter that it
    must have been taken for; whatever else came in the sender's name may be another's."""
    if not this.message_id or not this.sender:
        return None
    with services.store.read() as session:
        row = mail.incoming_before(session, this.id, this.sender, this.message_id, seat)
        return _inbound(row) if row is not None else None


def last_noted(services: Services, this: Inbound, seat: tuple[str, str], note: str) -> datetime | None:
    """When a mail of a seat was dealt with so that this was noted, before another one came."""
    with services.store.read() as session:
        return mail.last_noted(session, this.id, *seat, note)


def claim(services: Services, mail_id: int) -> int | None:
    """Take a mail that waits, for as long as LEASE. None: another has it, or it is dealt with. Else which try this
    is, counted before it is made, so that a mail that kills its reader is noticed."""
    now = services.clock.now()
    with services.store.write() as session:
        row = _lock(session, mail_id)
        if row.state != "new" or (row.claimed_until is not None and row.claimed_until > now):
            return None
        row.attempts += 1
        row.claimed_until = now + (QUESTION_LEASE if row.reason == ASKED else LEASE)
        return row.attempts


def let_go(services: Services, mail_id: int) -> None:
    """Give up the lease of a mail that could not be processed just now, for no fault of its own: it waits again."""
    with services.store.write() as session:
        row = _lock(session, mail_id)
        row.claimed_until, row.attempts = None, max(0, row.attempts - 1)


def handled(services: Services, mail_id: int, campaign: str | None, letter: str | None, note: str = "") -> None:
    _set(services, mail_id, "handled", note, campaign, letter)


def answered(
    services: Services, mail_id: int, campaign: str, letter: str, note: str, answer: Mail | None, asks: bool = False
) -> None:
    """Mark a mail as processed, or as processed but for the what-if that it asks for, and queue its answer, in one
    transaction."""
    now = services.clock.now()
    with services.store.write() as session:
        if asks:
            row = _lock(session, mail_id)
            row.state, row.reason, row.attempts, row.claimed_until = "new", ASKED, 0, None
            row.campaign_id, row.letter = campaign, letter
        else:
            _settle(session, mail_id, "handled", note, now, campaign, letter)
        if answer is not None:
            queue_in(services, session, [answer], now)
    if answer is not None:
        services.wake(None, True)


def quarantine(
    services: Services, mail_id: int, reason: str, campaign: str | None = None, former: Former | None = None
) -> None:
    """Put a mail aside, and tell once a day who can look at it: the Gamesmaster, else the keepers. What somebody
    writes who once held a seat is told the Gamesmaster each time, if he may read it."""
    now = services.clock.now()
    with services.store.write() as session:
        _settle(session, mail_id, "quarantined", reason, now, campaign, None)
        row = campaigns.get(session, campaign) if campaign else None
        if row is not None and row.gm_letter is None:
            to, page, title = [row.gm_address], f"/gm/c/{row.id}/mail", row.name
        else:
            row, to, page, title = None, list(services.settings.keepers), "/gm", services.settings.instance
        name = row.gm_name if row is not None else ""
        words = former.words if former is not None and row is not None else ""
        facts = {"title": title, "page": services.settings.base_url + page, "by_gm": row is not None, "words": words}
        subject, text = render_notice("aside", reason=reason, former=former, name=name, **facts)
        occasion = f"mail {mail_id}" if words else now.date().isoformat()
        if to:
            queue_in(services, session, [_notice(a, occasion, row, subject, text) for a in to], now)


def _notice(address: str, occasion: str, row: Campaign | None, subject: str, text: str) -> Mail:
    key = keys.once("aside", row.id if row is not None else "", occasion, address)
    whose = (row.id, "GM") if row is not None else (None, None)
    return Mail(key, "aside", address, row.gm_name if row is not None else address, subject, text, *whose)


def hold(
    services: Services,
    mail_id: int,
    campaign: str,
    letter: str,
    reason: str,
    shown: str | None = None,
    words: str | None = None,
) -> None:
    """Wait for a confirmation before it counts. `shown`: digest of what is asked about, and will be done; `words`: the
    mail as it was understood."""
    with services.store.write() as session:
        _settle(session, mail_id, "held", reason, services.clock.now(), campaign, letter)
        row = _lock(session, mail_id)
        row.shown, row.words = shown, storable(words[:HELD_WORDS]) if words is not None else None


def held_words(services: Services, mail_id: int) -> str:
    """What a mail says that is held. Of one from before that was kept: its beginning, as it came."""
    with services.store.read() as session:
        row = mail.incoming(session, mail_id)
        if row is None:
            raise _no_mail(mail_id)
        return row.words if row.words is not None else row.raw.decode("utf-8", "replace")[:HELD_WORDS]


def held_for(services: Services, campaign: str, letter: str, limit: int = 10) -> list[int]:
    """The newest mails that wait for the confirmation of one seat, oldest first."""
    with services.store.read() as session:
        return sorted(row.id for row in mail.incoming_in(session, "held", campaign, limit, letter))


def is_held_for(services: Services, mail_id: int, campaign: str, letter: str) -> bool:
    with services.store.read() as session:
        row = mail.incoming(session, mail_id)
        return row is not None and (row.state, row.campaign_id, row.letter) == ("held", campaign, letter)


def release(
    services: Services, mail_id: int, actor: str, letter: str | None = None, campaign: str | None = None
) -> Inbound:
    """Take it out of quarantine or hold: it is new again, and its sender believed to be the seat that it names."""
    with services.store.write() as session:
        row = _lock(session, mail_id)
        must_hold(services, session, campaign or row.campaign_id or "")
        row.state, row.reason, row.attempts, row.claimed_until = "new", f"released by {actor}", 0, None
        row.ahead = True
        if (letter or row.letter, campaign or row.campaign_id) != (row.letter, row.campaign_id):
            row.shown = None  # somebody else's, who read it themselves
        row.letter, row.campaign_id = letter or row.letter, campaign or row.campaign_id
        record(session, row.campaign_id, services.clock.now(), actor, "release", mail=mail_id)
    services.wake(services.clock.now(), False)
    return get(services, mail_id)


def in_state(services: Services, state: str, campaign: str | None = None, limit: int = 100) -> list[InboxLine]:
    with services.store.read() as session:
        rows = mail.incoming_in(session, state, campaign, limit)
        return [
            InboxLine(
                r.id, r.source, r.received_at, r.sender, r.envelope_to, r.state, r.reason, r.campaign_id, r.letter
            )
            for r in rows
        ]


def quarantined(services: Services, campaign: str | None = None, limit: int = 100) -> list[InboxLine]:
    return in_state(services, "quarantined", campaign, limit)


def _set(services: Services, mail_id: int, state: str, reason: str, campaign: str | None, letter: str | None) -> None:
    with services.store.write() as session:
        _settle(session, mail_id, state, reason, services.clock.now(), campaign, letter)


def _settle(
    session: Session, mail_id: int, state: str, reason: str, at: datetime, campaign: str | None, letter: str | None
) -> None:
    if not mail.settle_incoming(session, mail_id, state, reason or None, at, campaign, letter):
        raise _no_mail(mail_id)


def _no_mail(mail_id: int) -> NotFound:
    return NotFound("mail", f"there is no mail {mail_id} in the inbox", "gm mail quarantine lists them")


def _lock(session: Session, mail_id: int) -> Inbox:
    row = mail.lock_incoming(session, mail_id)
    if row is None:
        raise _no_mail(mail_id)
    return row
