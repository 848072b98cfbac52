"""Players, seats, and who held them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from gm.store.base import run
from gm.store.tables import Player, Seat, Tenure


def seats(session: Session, campaign_id: str) -> Sequence[Seat]:
    return session.scalars(select(Seat).where(Seat.campaign_id == campaign_id).order_by(Seat.letter)).all()


# Asked with every mail that goes out, hence made once.
_GENERATION = select(Seat.generation).where(
    Seat.campaign_id == bindparam("campaign_id"), Seat.letter == bindparam("letter")
)


def generation(session: Session, campaign_id: str, letter: str) -> int | None:
    """How many held the seat so far; None if there is no such seat."""
    return run(session, _GENERATION, {"campaign_id": campaign_id, "letter": letter}).scalar()


_TABLE = (
    select(Seat, Player)
    .outerjoin(Player, Seat.player_id == Player.id)
    .where(Seat.campaign_id == bindparam("campaign_id"))
    .order_by(Seat.letter)
)


def seats_with_holders(session: Session, campaign_id: str) -> Sequence[tuple[Seat, Player | None]]:
    return [(row[0], row[1]) for row in session.execute(_TABLE, {"campaign_id": campaign_id})]


class Held(NamedTuple):
    """A seat and who holds it; without a holder the last three are None."""

    campaign_id: str
    letter: str
    status: str
    name: str | None
    address: str | None
    zone: str | None


# Asked with every mail that comes in, hence made once.
_BY_TOKEN = (
    select(Seat.campaign_id, Seat.letter, Seat.status, Player.name, Player.address, Player.zone)
    .outerjoin(Player, Seat.player_id == Player.id)
    .where(Seat.token_hash == bindparam("token_hash"))
)


def seat_by_token(session: Session, token_hash: str) -> Held | None:
    row = run(session, _BY_TOKEN, {"token_hash": token_hash}).first()
    return Held(*row) if row else None


def seats_by_address(session: Session, address: str) -> Sequence[tuple[Seat, Player]]:
    query = select(Seat, Player).join(Player, Seat.player_id == Player.id)
    rows = session.execute(query.where(Player.address == address).order_by(Seat.campaign_id, Seat.letter))
    return [(row[0], row[1]) for row in rows]


def player(session: Session, player_id: int) -> Player | None:
    return session.get(Player, player_id)


def everyone(session: Session, campaign_id: str, *roles: str) -> Sequence[Player]:
    query = select(Player).where(Player.campaign_id == campaign_id)
    if roles:
        query = query.where(Player.role.in_(roles))
    return session.scalars(query.order_by(Player.id)).all()


def tenures(session: Session, campaign_id: str, letter: str | None = None) -> Sequence[Tenure]:
    query = select(Tenure).where(Tenure.campaign_id == campaign_id)
    if letter is not None:
        query = query.where(Tenure.letter == letter)
    return session.scalars(query.order_by(Tenure.id)).all()
