"""Queries on the outbox and the inbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, delete, func, insert, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session, undefer

from gm.store.base import run
from gm.store.mail_tables import Inbox, Outbox

ASKED = "asked"  # reason of a mail that is dealt with but for a what-if, for which no deadline waits
_IS_QUESTION = func.coalesce(Inbox.reason, "") == ASKED

# Used with every mail that comes or goes, hence made once.
_KEEP = insert(Inbox).returning(Inbox.id)
_SAME = (
    select(Inbox.id)
    .where(
        Inbox.sender == bindparam("sender"), Inbox.message_id == bindparam("message_id"), Inbox.id < bindparam("before")
    )
    .limit(1)
)
_SETTLE = (
    update(Inbox)
    .where(Inbox.id == bindparam("mail"))
    .values({name: bindparam(name) for name in ("state", "reason", "handled_at")})
    .values(
        campaign_id=func.coalesce(bindparam("campaign", type_=Inbox.campaign_id.type), Inbox.campaign_id),
        letter=func.coalesce(bindparam("seat", type_=Inbox.letter.type), Inbox.letter),
    )
)
# Answers to questions, then what players write to one another: both wait for receipts and notices.
_RANK = case({"letter": 2, "answer": 1}, value=Outbox.kind, else_=0)
_REST = ("answer", "letter")
_QUEUES = {
    "urgent": Outbox.kind.not_in(("bell", *_REST)),
    "bells": Outbox.kind == "bell",
    "rest": Outbox.kind.in_(_REST),
}
_QUEUE = {
    name: module.insert(Outbox).on_conflict_do_nothing(index_elements=[Outbox.key])
    for name, module in (("postgresql", postgresql), ("sqlite", sqlite))
}


def outgoing_by_message_id(session: Session, message_id: str) -> Outbox | None:
    return session.scalar(select(Outbox).where(Outbox.message_id == message_id))


def outgoing_named(session: Session, message_ids: Sequence[str]) -> Sequence[Outbox]:
    return session.scalars(select(Outbox).where(Outbox.message_id.in_(message_ids))).all()


def outgoing_to(session: Session, campaign_id: str, letter: str, limit: int) -> Sequence[Outbox]:
    query = select(Outbox).where(Outbox.campaign_id == campaign_id, Outbox.letter == letter)
    return session.scalars(query.order_by(Outbox.id.desc()).limit(limit)).all()


def add_outgoing(session: Session, values: Sequence[Mapping[str, Any]]) -> None:
    """Put mails into the outbox, each unless one with its key is there."""
    run(session, _QUEUE[session.get_bind().dialect.name], values)


def outgoing(session: Session, mail_id: int, lock: bool = False) -> Outbox | None:
    return session.get(Outbox, mail_id, with_for_update=True if lock else None, populate_existing=lock)


def claim_outgoing(session: Session, now: datetime, limit: int, queue: str) -> Sequence[Outbox]:
    """Mail of one queue (urgent, bells, rest) that may be sent now, passing over what another worker holds."""
    query = select(Outbox).where(Outbox.state == "queued", Outbox.not_before <= now, _QUEUES[queue])
    query = query.order_by(_RANK, Outbox.not_before, Outbox.id).limit(limit)
    try:
        return session.scalars(query.with_for_update(skip_locked=True)).all()
    except ValueError:  # invalid JSON in one row: found one by one, and given up
        numbers = session.scalars(query.with_only_columns(Outbox.id)).all()
        return [row for number in numbers if (row := _whole(session, number)) is not None]


def _whole(session: Session, number: int) -> Outbox | None:
    try:
        return session.get(Outbox, number, with_for_update=True)
    except ValueError:
        broken = {"state": "failed", "error": "its row cannot be read"}
        session.execute(update(Outbox).where(Outbox.id == number).values(broken))
        return None


def outbox(session: Session, campaign_id: str | None, state: str | None, limit: int) -> Sequence[Outbox]:
    """The newest first."""
    query = select(Outbox)
    if campaign_id is not None:
        query = query.where(Outbox.campaign_id == campaign_id)
    if state is not None:
        query = query.where(Outbox.state == state)
    return session.scalars(query.order_by(Outbox.id.desc()).limit(limit)).all()


def states_to(session: Session, campaign_id: str, address: str, limit: int) -> Sequence[str]:
    """What became of the newest mails to an address, of those that are settled."""
    query = select(Outbox.state).where(Outbox.campaign_id == campaign_id, Outbox.address == address)
    query = query.where(Outbox.state.in_(("sent", "failed"))).order_by(Outbox.id.desc()).limit(limit)
    return session.scalars(query).all()


def last_failed(session: Session, campaign_id: str, letter: str) -> Outbox | None:
    query = select(Outbox).where(Outbox.campaign_id == campaign_id, Outbox.letter == letter, Outbox.state == "failed")
    return session.scalar(query.order_by(Outbox.id.desc()).limit(1))


def arrived_between(session: Session, campaign_id: str, letter: str, since: datetime, until: datetime) -> bool:
    """Whether a mail went out to a seat in this time and did not come back."""
    query = select(Outbox.id).where(Outbox.campaign_id == campaign_id, Outbox.letter == letter, Outbox.state == "sent")
    return session.scalar(query.where(Outbox.sent_at > since, Outbox.sent_at < until).limit(1)) is not None


def outbox_counts(session: Session, campaign_id: str) -> dict[str, int]:
    """How many mails wait, and how many failed. Sent mail grows without limit and is not counted."""
    found: dict[str, int] = {}
    for state in ("queued", "failed"):
        of_state = text(f"outbox.state = '{state}'")  # spelled out, as the partial indexes are
        query = select(func.count()).select_from(Outbox).where(of_state, Outbox.campaign_id == campaign_id)
        found[state] = session.scalar(query) or 0
    return found


def incoming_by_digest(session: Session, digest: str) -> Inbox | None:
    return session.scalar(select(Inbox).where(Inbox.digest == digest))


def incoming(session: Session, mail_id: int) -> Inbox | None:
    return session.scalar(select(Inbox).where(Inbox.id == mail_id).options(undefer(Inbox.raw)))


def add_incoming(session: Session, values: Mapping[str, Any]) -> int:
    """Insert without the ORM: a mail is stored before it is acknowledged, and its sender waits."""
    return int(run(session, _KEEP, values).scalar_one())


def came_before(session: Session, mail_id: int, sender: str, message_id: str) -> bool:
    known = {"sender": sender, "message_id": message_id, "before": mail_id}
    return run(session, _SAME, known).first() is not None


def incoming_before(
    session: Session, mail_id: int, sender: str, message_id: str, seat: tuple[str, str] | None
) -> Inbox | None:
    """The first mail of this sender with this Message-ID, if it came before; of those dealt with for this seat."""
    query = select(Inbox).where(Inbox.sender == sender, Inbox.message_id == message_id, Inbox.id < mail_id)
    if seat is not None:
        query = query.where(Inbox.state == "handled", Inbox.campaign_id == seat[0], Inbox.letter == seat[1])
    return session.scalar(query.order_by(Inbox.id).limit(1).options(undefer(Inbox.raw)))


def incoming_message_id(session: Session, mail_id: int) -> str | None:
    return session.scalar(select(Inbox.message_id).where(Inbox.id == mail_id)) or None


def lock_incoming(session: Session, mail_id: int) -> Inbox | None:
    return session.get(Inbox, mail_id, with_for_update=True, populate_existing=True)


def settle_incoming(
    session: Session,
    mail_id: int,
    state: str,
    reason: str | None,
    at: datetime,
    campaign: str | None,
    letter: str | None,
) -> bool:
    """Store the result of a mail, and whose it is if known. False if there is no such mail."""
    values = {"state": state, "reason": reason, "handled_at": at, "campaign": campaign, "seat": letter}
    return run(session, _SETTLE, {"mail": mail_id, **values}).rowcount == 1


def incoming_pending(session: Session, now: datetime, before: datetime | None, limit: int) -> Sequence[Inbox]:
    """Mail that waits and is not leased by a reader; with `before`, only what was received by then."""
    query = _waiting(now, ~_IS_QUESTION)
    if before is not None:
        query = query.where(Inbox.received_at < before)
    return session.scalars(query.order_by(Inbox.id).limit(limit)).all()


def questions_pending(session: Session, now: datetime, limit: int) -> Sequence[Inbox]:
    return session.scalars(_waiting(now, _IS_QUESTION).order_by(Inbox.id).limit(limit)).all()


def _waiting(now: datetime, which: ColumnElement[bool]) -> Select[Inbox]:
    free = or_(Inbox.claimed_until.is_(None), Inbox.claimed_until <= now)
    return select(Inbox).where(Inbox.state == "new", free, which).options(undefer(Inbox.raw))


def is_unsettled(session: Session, before: datetime) -> bool:
    """Whether a mail that was received before then waits to be dealt with, or is being read."""
    query = select(Inbox.id).where(Inbox.state == "new", ~_IS_QUESTION, Inbox.received_at < before)
    return session.scalar(query.limit(1)) is not None


def incoming_in(
    session: Session, state: str, campaign_id: str | None, limit: int, letter: str | None = None
) -> Sequence[Inbox]:
    """Headers of mail in a state, newest first, without the content."""
    query = select(Inbox).where(Inbox.state == state)
    if campaign_id is not None:
        query = query.where(Inbox.campaign_id == campaign_id)
    if letter is not None:
        query = query.where(Inbox.letter == letter)
    return session.scalars(query.order_by(Inbox.id.desc()).limit(limit)).all()


def drop_strangers(session: Session, most: int, most_bytes: int) -> int:
    """Delete the oldest mails of nobody's, dealt with or in quarantine, beyond a number and a size of all of them."""
    of_nobody = and_(Inbox.campaign_id.is_(None), Inbox.letter.is_(None), Inbox.state.in_(("handled", "quarantined")))
    newest_first = Inbox.id.desc()
    ranked = (
        select(
            Inbox.id,
            func.row_number().over(order_by=newest_first).label("number"),
            func.sum(func.length(Inbox.raw)).over(order_by=newest_first).label("size"),
        )
        .where(of_nobody)
        .subquery()
    )
    beyond = or_(ranked.c.number > most, ranked.c.size > most_bytes)
    last = session.scalar(select(func.max(ranked.c.id)).where(beyond))
    return run(session, delete(Inbox).where(of_nobody, Inbox.id <= last), {}).rowcount if last is not None else 0
