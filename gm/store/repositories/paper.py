"""Queries on Bells, press, letters and requests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from gm.store.base import PhaseKey, run
from gm.store.tables import Bell, Letter, PhaseRow, Proposal, Request


def bell(session: Session, campaign_id: str, number: int) -> Bell | None:
    return session.get(Bell, (campaign_id, number))


def latest_bell(session: Session, campaign_id: str) -> Bell | None:
    query = select(Bell).where(Bell.campaign_id == campaign_id)
    return session.scalar(query.order_by(Bell.number.desc()).limit(1))


def bell_png(session: Session, campaign_id: str, number: int) -> bytes | None:
    return session.scalar(select(Bell.png).where(Bell.campaign_id == campaign_id, Bell.number == number))


def bell_chart(session: Session, campaign_id: str, number: int) -> bytes | None:
    return session.scalar(select(Bell.chart).where(Bell.campaign_id == campaign_id, Bell.number == number))


# Whether the Phase that an issue reports was rolled back since.
VOID = (
    select(PhaseRow.ordinal)
    .where(
        PhaseRow.campaign_id == Bell.campaign_id,
        PhaseRow.turn == Bell.turn,
        PhaseRow.phase == Bell.phase,
        PhaseRow.incarnation == Bell.incarnation,
        PhaseRow.state == "void",
    )
    .exists()
)


def bell_lines(session: Session, campaign_id: str) -> Sequence[Any]:
    """All issues, without their content; `void` if what they report was rolled back."""
    columns = (Bell.number, Bell.kind, Bell.turn, Bell.phase, Bell.incarnation, Bell.subject, Bell.headline)
    query = select(*columns, Bell.wordings, Bell.chain, Bell.published_at, VOID.label("void"))
    return session.execute(query.where(Bell.campaign_id == campaign_id).order_by(Bell.number)).all()


def bell_record(session: Session, campaign_id: str, number: int) -> dict[str, Any]:
    """What an issue leaves to those after it; empty for one that was printed before issues left anything."""
    document = session.scalar(select(Bell.json).where(Bell.campaign_id == campaign_id, Bell.number == number)) or {}
    found: dict[str, Any] = document.get("bell", {}).get("record", {})
    return found


_UNPRINTED = (
    select(Letter)
    .where(
        Letter.campaign_id == bindparam("campaign_id"),
        Letter.kind == "press",
        Letter.bell.is_(None),
        Letter.withdrawn.is_(False),
    )
    .order_by(Letter.at, Letter.id)
)


def unprinted_press(session: Session, campaign_id: str) -> Sequence[Letter]:
    return session.scalars(_UNPRINTED, {"campaign_id": campaign_id}).all()


def letters(session: Session, campaign_id: str, kind: str | None = None) -> Sequence[Letter]:
    query = select(Letter).where(Letter.campaign_id == campaign_id)
    if kind:
        query = query.where(Letter.kind == kind)
    return session.scalars(query.order_by(Letter.id)).all()


def press_of_others(session: Session, campaign_id: str, sender: str, before: datetime, limit: int) -> Sequence[str]:
    """The newest printed pieces of all but one seat."""
    query = select(Letter.text).where(Letter.campaign_id == campaign_id, Letter.kind == "press")
    query = query.where(Letter.sender != sender, Letter.bell.is_not(None), Letter.at < before)
    return session.scalars(query.order_by(Letter.id.desc()).limit(limit)).all()


class LetterHead(NamedTuple):
    """A letter without its text."""

    id: int
    kind: str
    sender: str
    recipients: Sequence[str]
    anonymous: bool
    at: datetime
    in_reply_to: int | None
    withdrawn: bool


_HEADS = select(*(getattr(Letter, name) for name in LetterHead._fields))


def letter_heads(session: Session, campaign_id: str) -> list[LetterHead]:
    query = _HEADS.where(Letter.campaign_id == campaign_id).order_by(Letter.id)
    return [LetterHead(*row) for row in session.execute(query)]


def newest_heads(session: Session, campaign_id: str, after: datetime | None, most: int) -> list[LetterHead]:
    """The newest first, of those written after a moment."""
    query = _HEADS.where(Letter.campaign_id == campaign_id).order_by(Letter.id.desc()).limit(most)
    query = query if after is None else query.where(Letter.at > after)
    return [LetterHead(*row) for row in session.execute(query)]


def letters_by_id(session: Session, ids: Sequence[int]) -> Sequence[Letter]:
    return session.scalars(select(Letter).where(Letter.id.in_(ids)).order_by(Letter.id)).all()


def letters_since(session: Session, campaign_id: str, sender: str, since: datetime) -> int:
    """How many private letters a seat has written since then."""
    mine = (Letter.campaign_id == campaign_id, Letter.sender == sender, Letter.kind == "letter", Letter.at >= since)
    return session.scalar(select(func.count()).select_from(Letter).where(*mine)) or 0


def letter(session: Session, letter_id: int) -> Letter | None:
    return session.get(Letter, letter_id)


def letter_by_key(session: Session, campaign_id: str, key: str) -> Letter | None:
    return session.scalar(select(Letter).where(Letter.campaign_id == campaign_id, Letter.key == key))


_WITHDRAW = (
    update(Letter)
    .where(
        Letter.campaign_id == bindparam("in_campaign"),  # by the index; there is none on submissions
        Letter.kind == "press",
        Letter.bell.is_(None),
        Letter.submission_id == bindparam("of"),
    )
    .values(withdrawn=True)
)


def withdraw_press_of(session: Session, campaign_id: str, submission_id: int) -> None:
    """The press of a sheet, as far as it is not printed. Letters that are loaded already do not learn of it."""
    run(session, _WITHDRAW, {"in_campaign": campaign_id, "of": submission_id})


def proposal(session: Session, campaign_id: str, number: int) -> Proposal | None:
    return session.get(Proposal, (campaign_id, number))


def proposal_by_key(session: Session, campaign_id: str, key: str) -> Proposal | None:
    return session.scalar(select(Proposal).where(Proposal.campaign_id == campaign_id, Proposal.key == key))


def proposals(session: Session, campaign_id: str) -> Sequence[Proposal]:
    return session.scalars(select(Proposal).where(Proposal.campaign_id == campaign_id).order_by(Proposal.number)).all()


def sides_offered(session: Session, key: PhaseKey, letter: str) -> frozenset[str]:
    """What a seat orders by the proposals of a Phase that nobody has declined or withdrawn."""
    mine = [getattr(Proposal, name) == value for name, value in key._asdict().items()]
    found = session.scalars(select(Proposal).where(*mine)).all()
    return frozenset(p.orders[letter] for p in found if letter in p.orders and not {*p.answers.values()} - {"agreed"})


def proposals_since(session: Session, campaign_id: str, proposer: str, since: datetime) -> int:
    mine = (Proposal.campaign_id == campaign_id, Proposal.proposer == proposer, Proposal.at >= since)
    return session.scalar(select(func.count()).select_from(Proposal).where(*mine)) or 0


def next_proposal(session: Session, campaign_id: str) -> int:
    last = session.scalar(select(func.max(Proposal.number)).where(Proposal.campaign_id == campaign_id))
    return (last or 0) + 1


def request(session: Session, request_id: int) -> Request | None:
    return session.get(Request, request_id)


def request_by_key(session: Session, campaign_id: str, key: str) -> Request | None:
    return session.scalar(select(Request).where(Request.campaign_id == campaign_id, Request.key == key))


def requests(session: Session, campaign_id: str, state: str | None = None) -> Sequence[Request]:
    query = select(Request).where(Request.campaign_id == campaign_id)
    if state:
        query = query.where(Request.state == state)
    return session.scalars(query.order_by(Request.id)).all()


_ABSENT = (
    select(Request)
    .where(
        Request.campaign_id == bindparam("campaign_id"),
        Request.kind == "absence",
        Request.state != "declined",
        Request.starts <= bindparam("day"),
        Request.ends >= bindparam("day"),
    )
    .order_by(Request.id)
)


def absent_on(session: Session, campaign_id: str, day: date) -> Sequence[Request]:
    """Who declared an absence that covers the day."""
    return session.scalars(_ABSENT, {"campaign_id": campaign_id, "day": day}).all()


def absent_from(session: Session, campaign_id: str, day: date) -> Sequence[Request]:
    """Who declared an absence that begins after the day."""
    query = select(Request).where(Request.campaign_id == campaign_id, Request.kind == "absence")
    query = query.where(Request.state != "declined", Request.starts > day)
    return session.scalars(query.order_by(Request.starts, Request.letter)).all()
