"""The schema of a campaign. Mappings only: what a row means is for gm.campaign, how it is found for the repositories.

Nothing is loaded behind anyone's back: there are no relationships, and every query names what it wants.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import Boolean, Date, ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from gm.store.base import CAMPAIGN, PHASE_KEY, Base, of_phase, one_of
from gm.store.types import RowId


class Campaign(Base):
    __tablename__ = "campaigns"
    __table_args__ = (
        one_of("status", "inviting", "running", "paused", "finished"),
        Index(None, "last_event_at"),
    )
    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    dice_name: Mapped[str]  # what the dice are keyed by; stays the same when an import must change the id
    name: Mapped[str]
    paper: Mapped[str]
    status: Mapped[str] = mapped_column(String(12))
    options: Mapped[dict[str, Any]]
    gm_name: Mapped[str]
    gm_address: Mapped[str]
    gm_letter: Mapped[str | None] = mapped_column(String(1))  # a Gamesmaster who plays
    gm_token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    gm_generation: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime]
    last_event_at: Mapped[datetime]  # the clock must never read less
    next_bell: Mapped[int] = mapped_column(default=1)
    chain: Mapped[str] = mapped_column(String(64), default="")  # of the published Bells
    # Where the campaign stands; its history is never read to find out.
    turn: Mapped[int] = mapped_column(default=0)
    phase: Mapped[str] = mapped_column(String(12), default="setup")
    incarnation: Mapped[int] = mapped_column(default=0)
    paused_at: Mapped[datetime | None]
    pause_reason: Mapped[str | None]


class Player(Base):
    """A person in a campaign: with a seat, waiting for one, or reading along."""

    __tablename__ = "players"
    __table_args__ = (
        one_of("role", "player", "standby", "reader", "gone"),
        Index(None, "campaign_id"),
        Index(None, "address"),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"))
    name: Mapped[str]
    address: Mapped[str]  # lower case
    zone: Mapped[str] = mapped_column(default="UTC")
    role: Mapped[str] = mapped_column(String(12))
    joined_at: Mapped[datetime]


class Seat(Base):
    """One of the sides. It outlives whoever holds it."""

    __tablename__ = "seats"
    __table_args__ = (one_of("status", "invited", "held", "resigning", "removed", "quit"),)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"), primary_key=True)
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    status: Mapped[str] = mapped_column(String(12))
    generation: Mapped[int] = mapped_column(default=1)  # goes up with each holder, so that old reply addresses die
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    nmr_count: Mapped[int] = mapped_column(default=0)  # Phases in a row without orders
    standin: Mapped[bool] = mapped_column(Boolean, default=False)  # the stand-in plays for him
    bounce: Mapped[str | None]  # why mail to him came back


class Tenure(Base):
    """Who held a seat, and when."""

    __tablename__ = "tenures"
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"), index=True)
    letter: Mapped[str] = mapped_column(String(1))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    why: Mapped[str | None]


class Phase(Base):
    """One Phase. A rollback starts it again as its next incarnation; the old one becomes void and is kept."""

    __tablename__ = "phases"
    __table_args__ = (
        one_of("state", "pending", "open", "grace", "sealed", "adjudicated", "published", "void"),
        UniqueConstraint("campaign_id", "ordinal"),
    )
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(12), primary_key=True)
    incarnation: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int]  # 0 for the deal, then as they came, void ones too
    state: Mapped[str] = mapped_column(String(12))
    position: Mapped[dict[str, Any]]  # as it begins
    opened_at: Mapped[datetime | None]
    deadline: Mapped[datetime | None]
    grace_until: Mapped[datetime | None]  # set when the deadline passed with orders missing
    sealed_at: Mapped[datetime | None]
    adjudicated_at: Mapped[datetime | None]
    published_at: Mapped[datetime | None]
    orders_digest: Mapped[str | None] = mapped_column(String(64))
    headline: Mapped[str | None]  # the Gamesmaster's, for the Bell that reports this Phase
    lead: Mapped[str | None]
    erratum: Mapped[str | None]  # why it was begun again


class Dice(Base):
    """The secret of a Phase: drawn before it opens, revealed when it is published."""

    __tablename__ = "dice"
    __table_args__ = (of_phase(),)
    campaign_id: Mapped[str] = mapped_column(String(80), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(12), primary_key=True)
    incarnation: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))
    commitment: Mapped[str] = mapped_column(String(64))
    drawn_at: Mapped[datetime]
    revealed_at: Mapped[datetime | None]


class Adjudication(Base):
    """What a Phase came to. The primary key is what makes it happen once."""

    __tablename__ = "adjudications"
    __table_args__ = (of_phase(),)
    campaign_id: Mapped[str] = mapped_column(String(80), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(12), primary_key=True)
    incarnation: Mapped[int] = mapped_column(primary_key=True)
    outcome: Mapped[dict[str, Any]]
    points: Mapped[dict[str, Any]]
    worker: Mapped[str]
    at: Mapped[datetime]


class Alarm(Base):
    """Something to be done at a time: a deadline is a row. Without due_at it sleeps until the campaign is resumed."""

    __tablename__ = "alarms"
    __table_args__ = (
        one_of("kind", "remind", "close", "adjudicate", "draft", "publish"),
        of_phase(),
        Index(
            "ix_alarms_due",
            "due_at",
            sqlite_where=text("done_at IS NULL"),
            postgresql_where=text("done_at IS NULL"),
        ),
        Index(None, *PHASE_KEY),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(String(80))
    turn: Mapped[int]
    phase: Mapped[str] = mapped_column(String(12))
    incarnation: Mapped[int]
    kind: Mapped[str] = mapped_column(String(12))
    hours: Mapped[int | None]  # of a reminder: how long before the deadline
    due_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None]


class Submission(Base):
    """Everything anyone ever sent as orders: taken, late, refused or filed ahead."""

    __tablename__ = "submissions"
    __table_args__ = (
        one_of("status", "taken", "withdrawn", "ahead", "late", "refused"),
        UniqueConstraint("campaign_id", "key"),
        Index(None, "campaign_id", "turn", "phase", "incarnation", "letter", "version"),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"))
    turn: Mapped[int]  # the Phase that it was for
    phase: Mapped[str] = mapped_column(String(12))
    incarnation: Mapped[int]  # -1: filed ahead, before that Phase was there
    letter: Mapped[str] = mapped_column(String(1))
    version: Mapped[int]
    received_at: Mapped[datetime]
    source: Mapped[str] = mapped_column(String(12))
    actor: Mapped[str]
    raw: Mapped[str]  # what he wrote
    canonical: Mapped[str]  # all his orders as they then stood
    problems: Mapped[list[Any]]
    status: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str | None]
    salt: Mapped[str] = mapped_column(String(64))
    receipt: Mapped[str] = mapped_column(String(64))
    resigns: Mapped[bool] = mapped_column(Boolean, default=False)
    key: Mapped[str]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))


class SealedOrders(Base):
    """What counts: one text a player, fixed before the dice."""

    __tablename__ = "sealed_orders"
    __table_args__ = (
        of_phase(),
        one_of("source", "submitted", "none", "standing", "standin", "removed", "deal"),
    )
    campaign_id: Mapped[str] = mapped_column(String(80), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(12), primary_key=True)
    incarnation: Mapped[int] = mapped_column(primary_key=True)
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    text: Mapped[str]
    version: Mapped[int]
    salt: Mapped[str] = mapped_column(String(64))
    receipt: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(String(12))
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submissions.id"))


class Wait(Base):
    """A player who asked that the Phase should not close early."""

    __tablename__ = "waits"
    __table_args__ = (of_phase(),)
    campaign_id: Mapped[str] = mapped_column(String(80), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(12), primary_key=True)
    incarnation: Mapped[int] = mapped_column(primary_key=True)
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    at: Mapped[datetime]


class Bell(Base):
    __tablename__ = "bells"
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    turn: Mapped[int]  # the Phase that it reports
    phase: Mapped[str] = mapped_column(String(12))
    incarnation: Mapped[int]
    subject: Mapped[str]
    headline: Mapped[str]
    wordings: Mapped[list[Any]]  # of its stories, so that the next issue says it otherwise
    text: Mapped[str]
    html: Mapped[str]
    json: Mapped[dict[str, Any]]
    png: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True, deferred_raiseload=True)
    chart: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True, deferred_raiseload=True)  # the barometer
    chain: Mapped[str] = mapped_column(String(64))
    message_id: Mapped[str]
    published_at: Mapped[datetime]


class Decision(Base):
    """What the rules left to the Gamesmaster, for the Bell of a Phase."""

    __tablename__ = "decisions"
    __table_args__ = (of_phase(), Index(None, *PHASE_KEY))
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(String(80))
    turn: Mapped[int]
    phase: Mapped[str] = mapped_column(String(12))
    incarnation: Mapped[int]
    text: Mapped[str]
    reason: Mapped[str]
    at: Mapped[datetime]


class Letter(Base):
    """Press (for all, in the next Bell) and private letters passed on by the service."""

    __tablename__ = "letters"
    __table_args__ = (
        one_of("kind", "press", "letter"),
        UniqueConstraint("campaign_id", "key"),
        Index(None, "campaign_id", "kind", "bell"),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(8))
    sender: Mapped[str] = mapped_column(String(2))  # a letter, or GM
    recipients: Mapped[list[Any]]
    subject: Mapped[str]
    text: Mapped[str]
    dateline: Mapped[str | None]
    anonymous: Mapped[bool] = mapped_column(Boolean, default=False)
    in_reply_to: Mapped[int | None] = mapped_column(ForeignKey("letters.id"))
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submissions.id"))
    bell: Mapped[int | None]  # the issue that printed it
    withdrawn: Mapped[bool] = mapped_column(Boolean, default=False)
    key: Mapped[str]
    at: Mapped[datetime]


class Request(Base):
    """What a player asked of the Gamesmaster: more time, or leave."""

    __tablename__ = "requests"
    __table_args__ = (
        one_of("kind", "extension", "absence"),
        one_of("state", "asked", "granted", "declined"),
        UniqueConstraint("campaign_id", "key"),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"))
    letter: Mapped[str] = mapped_column(String(1))
    kind: Mapped[str] = mapped_column(String(12))
    note: Mapped[str]
    starts: Mapped[date | None] = mapped_column(Date)
    ends: Mapped[date | None] = mapped_column(Date)
    standin: Mapped[bool] = mapped_column(Boolean, default=False)
    state: Mapped[str] = mapped_column(String(12))
    key: Mapped[str]
    at: Mapped[datetime]
