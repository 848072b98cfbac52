"""The outbox table: queuing mail, claiming it under a lease, sending, retries and failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from gm.campaign import keys
from gm.campaign.mailbox import addressee, failures, gm_sight
from gm.campaign.mailbox.inbox import Inbound
from gm.campaign.ports import Attachment, Mail, Outgoing, Sender, Sending
from gm.campaign.services import Services
from gm.campaign.transaction import must_hold, queue_in, record
from gm.errors import GmError, NotFound, NotNow
from gm.store.mail_tables import Outbox
from gm.store.repositories import alarms, campaigns, mail, paper

log = structlog.get_logger("mail")
OTHERS = 4  # so many workers may hold what one would take
MAX_TURNS = 20_000
CROWD = 10  # campaigns due at once: their Bells are made before any is sent,
HELD = timedelta(minutes=10)  # but none waits for longer than that
# Minutes between tries; after the last one the mail has failed.
RETRY_MINUTES = (1, 5, 15, 60, 240, 480, 720, 1440)

BELLS, LETTERS, PIECES = 3, 10, 60  # issues, letters and pieces of press that any mail may quote
A_SECOND = timedelta(seconds=1)  # some mail servers tell no more of when a mail came
FAREWELLS = ("replaced", "left_to_standin")  # kinds of mail to those who hold a seat no more


def queue(services: Services, item: Mail) -> str:
    """Put one mail into the outbox. Gives its Message-ID; the same key again changes nothing."""
    identity = keys.message_id(services.secret_key, item.key, services.settings.mail_domain)
    try:
        with services.store.write() as session:
            queue_in(services, session, [item], services.clock.now())
    except IntegrityError:  # another process queued the very same a moment ago
        return identity
    services.wake(None, True)
    return identity


class Turns:
    """Whose mail goes next: that of the campaign, and in it to the address, whose last turn is longest ago."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str | None, str], int] = {}
        self._taken = 0

    def campaigns(self, queue: str, waiting: Sequence[str | None]) -> list[str | None]:
        return sorted(waiting, key=lambda campaign: self._last.get((queue, campaign, ""), 0))

    def addresses(self, queue: str, campaign: str | None, waiting: Sequence[str]) -> list[str]:
        return sorted(waiting, key=lambda address: self._last.get((queue, campaign, address), 0))

    def took(self, queue: str, campaign: str | None, rows: Sequence[Outbox]) -> None:
        if len(self._last) > MAX_TURNS:
            self._last.clear()
        for address in ("", *(row.address for row in rows)):
            self._taken += 1
            self._last[queue, campaign, address] = self._taken


def claim(services: Services, worker: str, limit: int = 20, turns: Turns | None = None) -> list[Outgoing]:
    """Claim mail that this worker alone may send until the lease ends. If the worker dies, another gets it then.

    Receipts, notices and answers go first, then a few letters, then a few Bells: nobody who writes many letters keeps
    the Bells waiting, no Bell the next receipt. Of each the campaigns take turns (of Bells the soonest deadline comes
    first), and in a campaign the addresses. While many campaigns are due Bells wait, for a while: pictures for their
    readers take longer than all that is left to be judged and printed.
    """
    now = services.clock.now()
    token = f"{worker}/{services.entropy(8).hex()}"
    with services.store.write() as session:
        claimed = []
        for row in _next(session, now, limit, turns or Turns()):
            row.lease = token
            row.attempts += 1
            row.not_before = now + timedelta(seconds=services.settings.mail_lease_seconds)
            try:
                claimed.append(_outgoing(services, row, token))
            except (TypeError, ValueError, AttributeError) as error:  # one broken row does not stop the others
                log.error("mail cannot be made", mail=row.id, error=type(error).__name__)
                row.state, row.error = "failed", f"cannot be made: {type(error).__name__}"
        return claimed


def _next(session: Session, now: datetime, limit: int, turns: Turns) -> Sequence[Outbox]:
    few = max(1, limit // 5)
    found: list[Outbox] = []
    for queue, most in (("urgent", max(1, limit - 2 * few)), ("letters", few), ("bells", few)):
        bells = queue == "bells"
        since = now - HELD if bells and alarms.is_crowded(session, now - HELD, now, CROWD) else now
        waiting = mail.campaigns_waiting(session, since, queue)
        if not bells:
            waiting = turns.campaigns(queue, waiting)
        waiting = waiting[: min(most, limit - len(found))]
        for campaign in waiting:
            each = most // len(waiting)
            to = turns.addresses(queue, campaign, mail.addresses_waiting(session, since, queue, campaign))
            rows = mail.claim_outgoing(session, since, each, queue, campaign, to[: each * OTHERS])
            turns.took(queue, campaign, rows)
            found += rows
    return found


def _outgoing(services: Services, row: Outbox, token: str) -> Outgoing:
    domain = services.settings.mail_domain
    thread = keys.thread_id(row.campaign_id, domain) if row.campaign_id else None
    references = tuple(dict.fromkeys(ref for ref in (thread, row.in_reply_to) if ref))
    return Outgoing(
        id=row.id,
        lease=token,
        message_id=row.message_id,
        key=row.key,
        campaign=row.campaign_id,
        letter=row.letter,
        address=row.address,
        name=row.name,
        kind=row.kind,
        subject=row.subject,
        text=row.text,
        html=row.html,
        attachments=tuple(Attachment(**part) for part in row.attachments),
        headers=dict(row.headers),
        in_reply_to=row.in_reply_to or thread,
        references=references,
        bell=row.bell,
        attempts=row.attempts,
        created_at=row.created_at,
    )


def sent(services: Services, mail_id: int, lease: str) -> None:
    """Mark as sent. A worker whose lease was taken over does so too: the mail did go."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is not None and row.state == "queued":
            row.state, row.sent_at, row.error = "sent", services.clock.now(), None
            failures.delivered(session, row)


def failed(services: Services, mail_id: int, lease: str, error: str, permanent: bool = False) -> None:
    """Note a failed sending: it is retried later, or given up and the Gamesmaster told."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is None or row.state != "queued" or row.lease != lease:
            return
        row.error = error[:2000]
        row.lease = None
        given_up = permanent or row.attempts > len(RETRY_MINUTES)
        if given_up:
            row.state = "failed"
        else:
            row.not_before = services.clock.now() + timedelta(minutes=RETRY_MINUTES[row.attempts - 1])
    if given_up:
        try:
            failures.refused(services, mail_id)
        except (GmError, ValueError, LookupError) as trouble:  # a campaign that cannot be read; others' mail goes on
            log.error("mail failed and nobody could be told", mail=mail_id, error=type(trouble).__name__)


def withdrawn(services: Services, mail_id: int, lease: str, why: str) -> None:
    """Cancel a mail whose reader it does not concern any more."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is not None and row.state == "queued" and row.lease == lease:
            row.state, row.error, row.lease = "cancelled", why[:2000], None


def retry(services: Services, mail_id: int, actor: str) -> None:
    """The Gamesmaster wants a failed mail tried again."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is None:
            raise NotFound("mail", f"there is no mail {mail_id}", "gm campaign show counts them")
        must_hold(services, session, row.campaign_id or "")
        if not addressee.may_go(session, row):
            hint = "whoever holds it now was briefed, and finds the rest on the web"
            raise NotNow("not-holder", f"{row.name} does not hold {row.letter} any more", hint)
        if row.state in ("failed", "cancelled"):
            row.state, row.attempts, row.lease, row.not_before = "queued", 0, None, services.clock.now()
            record(session, row.campaign_id, services.clock.now(), actor, "retry-mail", id=mail_id)
    services.wake(None, True)


def listing(services: Services, campaign: str | None, state: str | None = None, limit: int = 100) -> list[Outbox]:
    """What is queued, sent or failed, newest first."""
    with services.store.read() as session:
        return list(mail.outbox(session, campaign, state, limit))


@dataclass(frozen=True, slots=True)
class SentLine:
    """A mail that went out, as the Gamesmaster is shown it."""

    id: int
    created_at: datetime
    name: str | None  # None: it would tell who wrote unsigned
    subject: str | None  # None: it is private
    state: str
    error: str | None


def shown_to_gm(services: Services, campaign: str, state: str | None = None, limit: int = 100) -> list[SentLine]:
    """The newest mails that the Gamesmaster of a campaign may know of."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            return []
        mails = [m for m in mail.outbox(session, campaign, state, limit * 5) if gm_sight.shows_mail(row, m)]
        return [
            SentLine(
                m.id,
                m.created_at,
                None if failures.hides_name(session, m) else m.name,
                m.subject if gm_sight.shows_subject(row, m) else None,
                m.state,
                m.error if gm_sight.shows_subject(row, m) else None,
            )
            for m in mails[:limit]
        ]


def is_shown_to_gm(services: Services, campaign: str, mail_id: int) -> bool:
    with services.store.read() as session:
        row, found = campaigns.get(session, campaign), mail.outgoing(session, mail_id)
        if row is None or found is None or found.campaign_id != campaign:
            return False
        return gm_sight.shows_mail(row, found)


def get(services: Services, mail_id: int) -> Outbox | None:
    with services.store.read() as session:
        return mail.outgoing(session, mail_id)


def by_message_id(services: Services, identity: str) -> Outbox | None:
    """The mail of ours that somebody answers, or that came back."""
    with services.store.read() as session:
        return mail.outgoing_by_message_id(session, identity)


def by_key(services: Services, key: str) -> Outbox | None:
    with services.store.read() as session:
        return mail.outgoing_by_key(session, key)


def farewell_to(services: Services, identities: Sequence[str], address: str) -> str | None:
    """The campaign whose farewell to somebody who held a seat is answered. Who names one of which anybody can make the
    Message-ID need not have got it."""
    domain = services.settings.mail_domain
    with services.store.read() as session:
        found = mail.outgoing_named(session, identities) if identities else ()
    theirs = (r for r in found if r.kind in FAREWELLS and r.address == address.lower())
    return next((r.campaign_id for r in theirs if r.message_id != keys.open_message_id(r.key, domain)), None)


def answered(services: Services, identities: Sequence[str], campaign: str, letter: str, by: Inbound) -> Outbox | None:
    """The mail to this seat that a mail answers: the first that is named, or the newest of those named behind it."""
    if not identities:
        return None
    with services.store.read() as session:
        named = mail.outgoing_named(session, identities)
    found = [r for r in named if (r.campaign_id, r.letter) == (campaign, letter) and _was_there(r, by)]
    return max(found, key=lambda row: (row.message_id == identities[0], row.id), default=None)


def recent(services: Services, campaign: str, letter: str, by: Inbound, limit: int) -> Sequence[Outbox]:
    """The last mails to a seat before a mail of its holder came, newest first."""
    with services.store.read() as session:
        found = mail.outgoing_to(session, campaign, letter, by.received_at + A_SECOND, limit)
    return [row for row in found if _was_there(row, by)]


def words_of_others(services: Services, campaign: str, letter: str, by: Inbound) -> list[str]:
    """What a seat got to read before a mail of its holder came: the last issues, letters and press of others."""
    before = by.received_at + A_SECOND
    with services.store.read() as session:
        bells = mail.texts_to(session, campaign, letter, before, BELLS, "bell")
        sent = mail.texts_to(session, campaign, letter, before, LETTERS, "letter")
        return [*bells, *sent, *paper.press_of_others(session, campaign, letter, before, PIECES)]


def _was_there(row: Outbox, by: Inbound) -> bool:
    """Whether a mail came that may quote this one: read again, once it was confirmed, it is read as before."""
    return row.created_at < by.received_at + A_SECOND and keys.inbox_number(row.key) != by.id


def send_due(services: Services, sender: Sender, worker: str, limit: int = 20, turns: Turns | None = None) -> int:
    """Claim, send and note the results of mail that is due. Returns how many were tried."""
    mails = claim(services, worker, limit, turns)
    for result in sender.send(mails) if mails else ():
        note(services, [result])  # at once: what is out must not go again because another mail broke the batch
    return len(mails)


def note(services: Services, results: Sequence[Sending]) -> None:
    for result in results:
        if result.ok:
            sent(services, result.id, result.lease)
        elif result.withdrawn:
            withdrawn(services, result.id, result.lease, result.error)
        else:
            failed(services, result.id, result.lease, result.error, result.permanent)
