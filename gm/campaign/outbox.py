"""Mail out: claimed under a lease, sent by whoever can, tried again with patience, never lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.exc import IntegrityError

from gm.campaign.ports import Attachment, Mail, Outgoing, Sender, Sending
from gm.campaign.services import Services
from gm.campaign.tokens import message_id
from gm.campaign.work import at_work, queue_in, record
from gm.errors import NotFound
from gm.store.mail_tables import Outbox
from gm.store.repositories import mail, paper

# Minutes between tries; after the last one the mail has failed.
PATIENCE = (1, 5, 15, 60, 240, 480, 720, 1440)


def queue(services: Services, item: Mail) -> str:
    """Put one mail into the outbox. Gives its Message-ID; the same key again changes nothing."""
    identity = message_id(item.key, services.settings.mail_domain)
    try:
        with services.store.write() as session:
            queue_in(services, session, [item], services.clock.now())
    except IntegrityError:  # another process queued the very same a moment ago
        return identity
    services.wake(None, True)
    return identity


def claim(services: Services, worker: str, limit: int = 20) -> list[Outgoing]:
    """Mail that this worker alone may send until the lease ends. If it dies, another gets it then."""
    now = services.clock.now()
    token = f"{worker}/{services.entropy(8).hex()}"
    with services.store.write() as session:
        rows = mail.claim_outgoing(session, now, limit)
        for row in rows:
            row.lease = token
            row.attempts += 1
            row.not_before = now + timedelta(seconds=services.settings.mail_lease_seconds)
        return [_outgoing(services, row, token) for row in rows]


def _outgoing(services: Services, row: Outbox, token: str) -> Outgoing:
    thread = message_id(f"{row.campaign_id}/thread", services.settings.mail_domain) if row.campaign_id else None
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
    """It is out. A worker whose lease was taken over says so too: the mail did go."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is not None and row.state == "queued":
            row.state, row.sent_at, row.error = "sent", services.clock.now(), None


def failed(services: Services, mail_id: int, lease: str, error: str, permanent: bool = False) -> None:
    """It did not go. Tried again later, or given up and the Gamesmaster told."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is None or row.state != "queued" or row.lease != lease:
            return
        row.error = error[:2000]
        row.lease = None
        given_up = permanent or row.attempts > len(PATIENCE)
        if given_up:
            row.state = "failed"
        else:
            row.not_before = services.clock.now() + timedelta(minutes=PATIENCE[row.attempts - 1])
        campaign, key, letter, address = row.campaign_id, row.key, row.letter, row.address
    if given_up and campaign is not None:
        _tell(services, campaign, key, letter, address, error)


def _tell(services: Services, campaign: str, key: str, letter: str | None, address: str, error: str) -> None:
    with at_work(services, campaign, "mail") as work:
        work.audit("mail-failed", key=key, error=error[:500])
        for seat, _ in work.table:
            if seat.letter == letter and seat.bounce is None:
                seat.bounce = error[:500]  # shown at the seat until it changes hands
        if address != work.campaign.gm_address:  # else the bad news would chase itself
            who = next((p.name for s, p in work.table if p is not None and s.letter == letter), address)
            work.tell_gm("mail_failed", key, who=who, detail=error[:500])


def retry(services: Services, mail_id: int, actor: str) -> None:
    """The Gamesmaster wants a failed mail tried again."""
    with services.store.write() as session:
        row = mail.outgoing(session, mail_id, lock=True)
        if row is None:
            raise NotFound("mail", f"there is no mail {mail_id}", "gm campaign show counts them")
        if row.state in ("failed", "cancelled"):
            row.state, row.attempts, row.lease, row.not_before = "queued", 0, None, services.clock.now()
            record(session, row.campaign_id, services.clock.now(), actor, "retry-mail", id=mail_id)
    services.wake(None, True)


def listing(services: Services, campaign: str | None, state: str | None = None, limit: int = 100) -> list[Outbox]:
    """What is queued, sent or failed, newest first."""
    with services.store.read() as session:
        return list(mail.outbox(session, campaign, state, limit))


def get(services: Services, mail_id: int) -> Outbox | None:
    with services.store.read() as session:
        return mail.outgoing(session, mail_id)


def by_message_id(services: Services, identity: str) -> Outbox | None:
    """The mail of ours that somebody answers, or that came back."""
    with services.store.read() as session:
        return mail.outgoing_by_message_id(session, identity)


def bell_png(services: Services, campaign: str, number: int) -> bytes | None:
    with services.store.read() as session:
        return paper.bell_png(session, campaign, number)


def bell_chart(services: Services, campaign: str, number: int) -> bytes | None:
    with services.store.read() as session:
        return paper.bell_chart(session, campaign, number)


def send_due(services: Services, sender: Sender, worker: str, limit: int = 20) -> int:
    """Claim, send, note what became of it. Gives how many were tried."""
    mails = claim(services, worker, limit)
    if mails:
        note(services, list(sender.send(mails)))
    return len(mails)


def note(services: Services, results: Sequence[Sending]) -> None:
    for result in results:
        if result.ok:
            sent(services, result.id, result.lease)
        else:
            failed(services, result.id, result.lease, result.error, result.permanent)
