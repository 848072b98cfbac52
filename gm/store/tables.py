"""Tables of a campaign. Mappings only: gm.campaign decides what a row means, the repositories hold the queries.

There are no relationships and no lazy loading: every query names what it wants.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Date,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    false,
    text,
)
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
    paused_at: Mapped[datetime | None]  # None also in a pause once a deadline was set in it
    pause_reason: Mapped[str | None]
    pack: Mapped[str | None] = mapped_column(String(64))  # its own board, a row of packs; None: the standard one
    beacon: Mapped[dict[str, Any] | None]  # the public beacon that its dice use, as it was when they began to


class PackRow(Base):
    """A board pack that campaigns play with."""

    __tablename__ = "packs"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)  # hash of the files
    files: Mapped[list[Any]]  # [name, text]


class PlayerRow(Base):
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


class SeatRow(Base):
    """One of the sides. It stays when its holder changes."""

    __tablename__ = "seats"
    __table_args__ = (one_of("status", "invited", "held", "resigning", "removed", "quit"),)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"), primary_key=True)
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    status: Mapped[str] = mapped_column(String(12))
    generation: Mapped[int] = mapped_column(default=1)  # goes up with each holder: old reply addresses become invalid
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    nmr_count: Mapped[int] = mapped_column(default=0)  # Phases in a row without orders
    standin: Mapped[bool] = mapped_column(Boolean, default=False)  # a stand-in plays it
    style: Mapped[str | None] = mapped_column(String(12))  # in which style; None: the campaign's
    bounce: Mapped[str | None]  # why mail to them came back
    letters_read_at: Mapped[datetime | None]  # when its letters were last looked at on the web


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


class PhaseRow(Base):
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
    course: Mapped[list[Any] | None] = mapped_column(deferred=True)  # what was printed before it; None: look it up
    opened_at: Mapped[datetime | None]
    deadline: Mapped[datetime | None]  # the one that holds
    full_deadline: Mapped[datetime | None]  # what it was before everybody was ready; None: it did not come nearer
    grace_until: Mapped[datetime | None]  # set when the deadline passed with orders missing
    sealed_at: Mapped[datetime | None]
    adjudicated_at: Mapped[datetime | None]
    published_at: Mapped[datetime | None]
    orders_digest: Mapped[str | None] = mapped_column(String(64))
    headline: Mapped[str | None]  # the Gamesmaster's, for the Bell that reports this Phase
    lead: Mapped[str | None]
    editorial: Mapped[dict[str, Any] | None]  # what else is the Gamesmaster's own: column, farewell, stories by key
    erratum: Mapped[str | None]  # why it was begun again
    corrections: Mapped[dict[str, Any] | None]  # the position as published, and the events that led to `position`
    corrected: Mapped[int] = mapped_column(default=0, server_default="0")  # how many there are


class InPhase:
    """A Phase's key, which begins the primary key of what belongs to one."""

    campaign_id: Mapped[str] = mapped_column(String(80), primary_key=True, sort_order=-1)
    turn: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)
    phase: Mapped[str] = mapped_column(String(12), primary_key=True, sort_order=-1)
    incarnation: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


class Dice(InPhase, Base):
    """The secret of a Phase: drawn before it opens, revealed when it is published."""

    __tablename__ = "dice"
    __table_args__ = (of_phase(),)
    secret: Mapped[str] = mapped_column(String(64))
    commitment: Mapped[str] = mapped_column(String(64))
    drawn_at: Mapped[datetime]
    revealed_at: Mapped[datetime | None]
    beacon_round: Mapped[int | None] = mapped_column(BigInteger)  # of the public beacon, as the Bell printed it
    beacon: Mapped[dict[str, Any] | None]  # which round it became, and what that gave


class Adjudication(InPhase, Base):
    """What a Phase came to. The primary key is what makes it happen once."""

    __tablename__ = "adjudications"
    __table_args__ = (of_phase(),)
    outcome: Mapped[dict[str, Any]]
    points: Mapped[dict[str, Any]]
    reading: Mapped[int] = mapped_column(server_default="1")  # versions by which it was judged
    dice: Mapped[int] = mapped_column(server_default="1")
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
    raw: Mapped[str]  # as the player wrote it
    canonical: Mapped[str]  # all the player's orders as they then stood
    problems: Mapped[list[Any]]
    unread: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())  # not all was understood
    status: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str | None]
    salt: Mapped[str] = mapped_column(String(64))
    receipt: Mapped[str] = mapped_column(String(64))
    resigns: Mapped[bool] = mapped_column(Boolean, default=False)
    key: Mapped[str]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))


class UnsentSheet(InPhase, Base):
    """What a player has typed at the desk and not sent: for their own eyes, gone with the next sheet."""

    __tablename__ = "unsent_sheets"
    __table_args__ = (of_phase(),)
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    generation: Mapped[int]  # of the seat: who takes it over does not read it
    text: Mapped[str]
    at: Mapped[datetime]


class SealedOrders(InPhase, Base):
    """What counts: one text a player, fixed before the dice."""

    __tablename__ = "sealed_orders"
    __table_args__ = (
        of_phase(),
        one_of("source", "submitted", "none", "standing", "standin", "removed", "deal"),
    )
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    text: Mapped[str]
    version: Mapped[int]
    salt: Mapped[str] = mapped_column(String(64))
    receipt: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(String(12))
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submissions.id"))
    counted: Mapped[str | None]  # what keys the dice; none: sealed under version 1
    style: Mapped[str | None] = mapped_column(String(12))  # of the stand-in that wrote them
    standin: Mapped[int | None]  # the version of that stand-in


class Wait(InPhase, Base):
    """What a player said about an early end of the Phase: READY, or not (WAIT)."""

    __tablename__ = "waits"
    __table_args__ = (of_phase(),)
    letter: Mapped[str] = mapped_column(String(1), primary_key=True)
    ready: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
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


class DecisionRow(Base):
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


class Proposal(Base):
    """An order that needs partners, offered to them; who agrees has their side of it put on file."""

    __tablename__ = "proposals"
    __table_args__ = (UniqueConstraint("campaign_id", "key"),)
    campaign_id: Mapped[str] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    turn: Mapped[int]
    phase: Mapped[str] = mapped_column(String(12))
    incarnation: Mapped[int]
    proposer: Mapped[str] = mapped_column(String(1))
    orders: Mapped[dict[str, Any]]  # by letter, the proposer's included
    answers: Mapped[dict[str, Any]]
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


class EndedSession(Base):
    """A session of the web that was signed out, by the hash of its id; its cookie opens nothing any more."""

    __tablename__ = "ended_sessions"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    ended_at: Mapped[datetime] = mapped_column(index=True)
