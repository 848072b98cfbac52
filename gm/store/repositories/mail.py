"""Queries on the outbox and the inbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, delete, func, insert, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session, undefer

from gm.store.base import run
from gm.store.mail_tables import Inbox, Outbox
from gm.store.tables import PhaseRow

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
_QUEUES = {
    "urgent": Outbox.kind.not_in(("bell", "letter")),
    "letters": Outbox.kind == "letter",
    "bells": Outbox.kind == "bell",
}
# Of what waits for one address: answers to questions after receipts and notices, else in the order it was written.
_LAST = case((Outbox.kind == "answer", 1), else_=0)
_TURN = func.row_number().over(partition_by=Outbox.address, order_by=(_LAST, Outbox.not_before, Outbox.id))
_QUEUE = {
    name: module.insert(Outbox).on_conflict_do_nothing(index_elements=[Outbox.key])
    for name, module in (("postgresql", postgresql), ("sqlite", sqlite))
}


def outgoing_by_message_id(session: Session, message_id: str) -> Outbox | None:
    return session.scalar(select(Outbox).where(Outbox.message_id == message_id))


def outgoing_by_key(session: Session, key: str) -> Outbox | None:
    return session.scalar(select(Outbox).where(Outbox.key == key))


def outgoing_named(session: Session, message_ids: Sequence[str]) -> Sequence[Outbox]:
    return session.scalars(select(Outbox).where(Outbox.message_id.in_(message_ids))).all()


def outgoing_to(session: Session, campaign_id: str, letter: str, before: datetime, limit: int) -> Sequence[Outbox]:
    query = select(Outbox).where(Outbox.campaign_id == campaign_id, Outbox.letter == letter)
    query = query.where(Outbox.created_at < before)
    return session.scalars(query.order_by(Outbox.id.desc()).limit(limit)).all()


def texts_to(session: Session, campaign_id: str, letter: str, before: datetime, limit: int, kind: str) -> Sequence[str]:
    """The words of the newest mails of one kind to a seat."""
    query = select(Outbox.text).where(Outbox.campaign_id == campaign_id, Outbox.letter == letter, Outbox.kind == kind)
    return session.scalars(query.where(Outbox.created_at < before).order_by(Outbox.id.desc()).limit(limit)).all()


def add_outgoing(session: Session, values: Sequence[Mapping[str, Any]]) -> None:
    """Put mails into the outbox, each unless one with its key is there."""
    run(session, _QUEUE[session.get_bind().dialect.name], values)


def outgoing(session: Session, mail_id: int, lock: bool = False) -> Outbox | None:
    return session.get(Outbox, mail_id, with_for_update=True if lock else None, populate_existing=lock)


def campaigns_waiting(session: Session, now: datetime, queue: str) -> Sequence[str | None]:
    """Whose mail of one queue (urgent, letters, bells) may be sent now; None: that of no campaign. Bells of the soonest
    deadline come first, other mail that has waited longest."""
    waits: list[ColumnElement[Any]] = [func.min(Outbox.not_before), func.min(Outbox.id)]
    query = select(Outbox.campaign_id).where(_due(now, queue)).group_by(Outbox.campaign_id)
    if queue == "bells":
        query = query.outerjoin(PhaseRow, and_(PhaseRow.campaign_id == Outbox.campaign_id, PhaseRow.state == "open"))
        waits.insert(0, func.min(PhaseRow.deadline).nulls_last())
    return session.scalars(query.order_by(*waits)).all()


def addresses_waiting(session: Session, now: datetime, queue: str, campaign_id: str | None) -> Sequence[str]:
    """To whom mail of one queue and campaign may be sent now."""
    query = select(Outbox.address).where(_due(now, queue), Outbox.campaign_id == campaign_id).group_by(Outbox.address)
    return session.scalars(query.order_by(func.min(_LAST), func.min(Outbox.not_before), func.min(Outbox.id))).all()


def claim_outgoing(
    session: Session, now: datetime, limit: int, queue: str, campaign_id: str | None, addresses: Sequence[str]
) -> Sequence[Outbox]:
    """Mail of one queue and campaign to these addresses, one to each in their order, then a second one. What another
    worker holds is passed over."""
    mine = and_(_due(now, queue), Outbox.campaign_id == campaign_id, Outbox.address.in_(addresses))
    found = session.execute(
        select(Outbox.id, Outbox.address, _TURN).where(mine).order_by(_TURN).limit(len(addresses) + limit)
    )
    places = {address: place for place, address in enumerate(addresses)}
    numbers = [row[0] for row in sorted(found, key=lambda row: (row[2], places[row[1]]))]
    claimed: list[Outbox] = []
    while numbers and len(claimed) < limit:
        room = limit - len(claimed)
        some, numbers = numbers[:room], numbers[room:]
        claimed += _locked(session, now, some)
    return claimed


def _due(now: datetime, queue: str) -> ColumnElement[bool]:
    return and_(Outbox.state == "queued", Outbox.not_before <= now, _QUEUES[queue])


def _locked(session: Session, now: datetime, numbers: Sequence[int]) -> list[Outbox]:
    query = select(Outbox).where(Outbox.id.in_(numbers), Outbox.state == "queued", Outbox.not_before <= now)
    try:
        rows = session.scalars(query.with_for_update(skip_locked=True)).all()
    except ValueError:  # invalid JSON in one row: found one by one, and given up
        return [row for number in numbers if (row := _whole(session, number)) is not None]
    return sorted(rows, key=lambda row: numbers.index(row.id))


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


@dataclass(frozen=True, slots=True)
class Heap:
    """So many mails of one state and kind to one seat."""

    state: str
    letter: str | None
    kind: str
    mails: int


def heaps(session: Session, campaign_id: str) -> list[Heap]:
    """The mails that wait, and those that failed. Sent mail grows without limit and is not counted."""
    found: list[Heap] = []
    for state in ("queued", "failed"):
        of_state = text(f"outbox.state = '{state}'")  # spelled out, as the partial indexes are
        query = select(Outbox.letter, Outbox.kind, func.count()).where(of_state, Outbox.campaign_id == campaign_id)
        rows = session.execute(query.group_by(Outbox.letter, Outbox.kind))
        found += [Heap(state, *row) for row in rows]
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


def last_noted(session: Session, mail_id: int, campaign_id: str, letter: str, note: str) -> datetime | None:
    """When a mail of this seat was last dealt with in such a way, before the given one came."""
    query = select(func.max(Inbox.handled_at)).where(Inbox.campaign_id == campaign_id, Inbox.letter == letter)
    query = query.where(Inbox.id < mail_id, Inbox.state == "handled", Inbox.reason.contains(note, autoescape=True))
    return session.scalar(query)


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


def incoming_waiting(
    session: Session, now: datetime, before: datetime | None, limit: int, ahead: bool, after: int
) -> Sequence[int]:
    """The numbers of mails that wait and are not leased by a reader, `ahead` or those of strangers, beyond a number;
    with `before`, only what was received by then."""
    query = _waiting(now, ~_IS_QUESTION).where(Inbox.ahead if ahead else ~Inbox.ahead, Inbox.id > after)
    if before is not None:
        query = query.where(Inbox.received_at < before)
    return session.scalars(query.order_by(Inbox.id).limit(limit)).all()


def questions_waiting(session: Session, now: datetime, limit: int) -> Sequence[int]:
    return session.scalars(_waiting(now, _IS_QUESTION).order_by(Inbox.id).limit(limit)).all()


def _waiting(now: datetime, which: ColumnElement[bool]) -> Select[int]:
    free = or_(Inbox.claimed_until.is_(None), Inbox.claimed_until <= now)
    return select(Inbox.id).where(Inbox.state == "new", free, which)


def incoming_addressed(session: Session, mail_id: int, head: int) -> tuple[str, str | None, str | None, bytes] | None:
    """To whom it went, whose it is if that is known, and the beginning of it."""
    query = select(Inbox.envelope_to, Inbox.campaign_id, Inbox.letter, func.substr(Inbox.raw, 1, head))
    row = session.execute(query.where(Inbox.id == mail_id)).first()
    return (row[0], row[1], row[2], bytes(row[3] or b"")) if row is not None else None


def put_behind(session: Session, mail_ids: Sequence[int]) -> None:
    """Mails that wait are read last, and no deadline waits for them."""
    session.execute(update(Inbox).where(Inbox.id.in_(mail_ids), Inbox.state == "new").values(ahead=False))


def is_unsettled(session: Session, before: datetime) -> bool:
    """Whether a mail that was received before then, and may be orders without being asked about, waits to be dealt
    with or is being read."""
    query = select(Inbox.id).where(Inbox.state == "new", Inbox.ahead, ~_IS_QUESTION, Inbox.received_at < before)
    return session.scalar(query.limit(1)) is not None


def incoming_in(
    session: Session, state: str, campaign_id: str | None, limit: int, letter: str | None = None
) -> Sequence[Inbox]:
    """Headers of mail in a state, newest first, without the content. Of one seat's, those that came with its secret
    before those that anybody can have sent."""
    query = select(Inbox).where(Inbox.state == state)
    if campaign_id is not None:
        query = query.where(Inbox.campaign_id == campaign_id)
    if letter is not None:
        query = query.where(Inbox.letter == letter).order_by(Inbox.ahead.desc())
    return session.scalars(query.order_by(Inbox.id.desc()).limit(limit)).all()


def drop_held(session: Session, most: int, most_bytes: int) -> int:
    """Delete the oldest of the mails that wait for the confirmation of one seat, or are without a secret in quarantine
    for its campaign, beyond a number and a size of each. Those held with and without a secret are counted apart."""
    aside = and_(Inbox.state == "quarantined", ~Inbox.ahead, Inbox.campaign_id.is_not(None))
    unproven = or_(Inbox.state == "held", aside)
    columns, newest_first = (Inbox.state, Inbox.campaign_id, Inbox.letter, Inbox.ahead), Inbox.id.desc()
    number = func.row_number().over(partition_by=columns, order_by=newest_first)
    size = func.sum(func.length(Inbox.raw)).over(partition_by=columns, order_by=newest_first)
    ranked = select(Inbox.id, number.label("number"), size.label("size")).where(unproven).subquery()
    beyond = session.scalars(select(ranked.c.id).where(or_(ranked.c.number > most, ranked.c.size > most_bytes))).all()
    for start in range(0, len(beyond), 500):
        gone = Inbox.id.in_(beyond[start : start + 500])
        session.execute(delete(Inbox).where(Inbox.state.in_(("held", "quarantined")), gone))
    return len(beyond)


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
