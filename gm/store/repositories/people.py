"""Queries on players, seats, and who held them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from gm.store.base import run
from gm.store.tables import Campaign, PlayerRow, SeatRow, Tenure


def seats(session: Session, campaign_id: str) -> Sequence[SeatRow]:
    return session.scalars(select(SeatRow).where(SeatRow.campaign_id == campaign_id).order_by(SeatRow.letter)).all()


_GENERATION = select(SeatRow.generation).where(
    SeatRow.campaign_id == bindparam("campaign_id"), SeatRow.letter == bindparam("letter")
)


def generation(session: Session, campaign_id: str, letter: str) -> int | None:
    """How many held the seat so far; None if there is no such seat."""
    return run(session, _GENERATION, {"campaign_id": campaign_id, "letter": letter}).scalar()


# Asked with every mail that goes out, hence made once.
_HOLDERS_KEYS = (
    select(SeatRow.generation, PlayerRow.address)
    .outerjoin(PlayerRow, SeatRow.player_id == PlayerRow.id)
    .where(SeatRow.campaign_id == bindparam("campaign_id"), SeatRow.letter == bindparam("letter"))
)


def holders_keys(session: Session, campaign_id: str, letter: str) -> tuple[int | None, str | None]:
    """How many held the seat so far, and the address of who does now; None where nobody does."""
    row = run(session, _HOLDERS_KEYS, {"campaign_id": campaign_id, "letter": letter}).first()
    return (row[0], row[1]) if row is not None else (None, None)


_TABLE = (
    select(SeatRow, PlayerRow)
    .outerjoin(PlayerRow, SeatRow.player_id == PlayerRow.id)
    .where(SeatRow.campaign_id == bindparam("campaign_id"))
    .order_by(SeatRow.letter)
)


def seats_with_holders(session: Session, campaign_id: str) -> Sequence[tuple[SeatRow, PlayerRow | None]]:
    return [(row[0], row[1]) for row in session.execute(_TABLE, {"campaign_id": campaign_id})]


class SeatHeld(NamedTuple):
    """A seat and who holds it; without a holder the last three are None."""

    campaign_id: str
    letter: str
    status: str
    generation: int
    name: str | None
    address: str | None
    zone: str | None


# Asked with every mail that comes in, hence made once.
_BY_TOKEN = (
    select(
        SeatRow.campaign_id,
        SeatRow.letter,
        SeatRow.status,
        SeatRow.generation,
        PlayerRow.name,
        PlayerRow.address,
        PlayerRow.zone,
    )
    .outerjoin(PlayerRow, SeatRow.player_id == PlayerRow.id)
    .where(SeatRow.token_hash == bindparam("token_hash"))
)


def seat_by_token(session: Session, token_hash: str) -> SeatHeld | None:
    row = run(session, _BY_TOKEN, {"token_hash": token_hash}).first()
    return SeatHeld(*row) if row else None


def seats_by_address(session: Session, address: str) -> Sequence[tuple[SeatRow, PlayerRow]]:
    query = select(SeatRow, PlayerRow).join(PlayerRow, SeatRow.player_id == PlayerRow.id)
    rows = session.execute(query.where(PlayerRow.address == address).order_by(SeatRow.campaign_id, SeatRow.letter))
    return [(row[0], row[1]) for row in rows]


def past_tenures(session: Session, address: str) -> Sequence[tuple[Tenure, PlayerRow]]:
    """The seats that somebody held and holds no more, the latest first."""
    query = select(Tenure, PlayerRow).join(PlayerRow, Tenure.player_id == PlayerRow.id)
    query = query.where(PlayerRow.address == address, Tenure.ended_at.is_not(None)).order_by(Tenure.id.desc())
    return [(row[0], row[1]) for row in session.execute(query)]


def marked_seat(session: Session, campaign_id: str, letter: str) -> SeatRow | None:
    """The seat, if mail to it bounces."""
    query = select(SeatRow).where(SeatRow.campaign_id == campaign_id, SeatRow.letter == letter)
    return session.scalar(query.where(SeatRow.bounce.is_not(None)))


def everyone(session: Session, campaign_id: str, *roles: str) -> Sequence[PlayerRow]:
    query = select(PlayerRow).where(PlayerRow.campaign_id == campaign_id)
    if roles:
        query = query.where(PlayerRow.role.in_(roles))
    return session.scalars(query.order_by(PlayerRow.id)).all()


def tenures(session: Session, campaign_id: str, letter: str | None = None) -> Sequence[Tenure]:
    query = select(Tenure).where(Tenure.campaign_id == campaign_id)
    if letter is not None:
        query = query.where(Tenure.letter == letter)
    return session.scalars(query.order_by(Tenure.id)).all()


def letters_read_at(session: Session, campaign_id: str, letter: str) -> datetime | None:
    """When a seat last looked at its letters on the web."""
    seat = (SeatRow.campaign_id == campaign_id, SeatRow.letter == letter)
    return session.scalar(select(SeatRow.letters_read_at).where(*seat))


def read_letters(session: Session, campaign_id: str, letter: str, now: datetime) -> None:
    seat = (SeatRow.campaign_id == campaign_id, SeatRow.letter == letter)
    session.execute(update(SeatRow).where(*seat).values(letters_read_at=now))


def gm_plays_against_others(session: Session, campaign: Campaign) -> bool:
    """Whether the Gamesmaster holds a seat, and other people hold some too."""
    if campaign.gm_letter is None:
        return False
    return any(seat.player_id is not None and seat.letter != campaign.gm_letter for seat in seats(session, campaign.id))
