"""Tables of the outbox, the inbox, the audit log and the clock."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, Integer, LargeBinary, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from gm.store.base import CAMPAIGN, Base, one_of
from gm.store.types import RowId


class Outbox(Base):
    """Mail to be sent, written in the transaction that caused it."""

    __tablename__ = "outbox"
    __table_args__ = (
        one_of("state", "queued", "sent", "failed", "cancelled"),
        Index(
            "ix_outbox_waiting",
            "not_before",
            sqlite_where=text("state = 'queued'"),
            postgresql_where=text("state = 'queued'"),
        ),
        Index(
            "ix_outbox_failed",
            "id",
            sqlite_where=text("state = 'failed'"),
            postgresql_where=text("state = 'failed'"),
        ),
        Index(None, "campaign_id", "id"),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str | None] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"))
    letter: Mapped[str | None] = mapped_column(String(2))
    address: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str] = mapped_column(String(24))
    key: Mapped[str] = mapped_column(Text, unique=True)
    message_id: Mapped[str] = mapped_column(Text, unique=True)
    in_reply_to: Mapped[str | None]
    subject: Mapped[str]
    text: Mapped[str]
    html: Mapped[str | None]
    headers: Mapped[dict[str, Any]]
    attachments: Mapped[list[Any]]
    bell: Mapped[int | None]  # whose map goes with it
    state: Mapped[str] = mapped_column(String(12))
    created_at: Mapped[datetime]
    not_before: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    lease: Mapped[str | None]
    sent_at: Mapped[datetime | None]
    error: Mapped[str | None]


class Inbox(Base):
    """Every mail that came in, as it came."""

    __tablename__ = "inbox"
    __table_args__ = (
        one_of("state", "new", "handled", "held", "quarantined"),
        Index(None, "state", "ahead", "id"),
        Index(None, "sender", "received_at"),
        Index(None, "campaign_id"),
    )
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)  # of Message-ID and content
    message_id: Mapped[str]
    raw: Mapped[bytes] = mapped_column(LargeBinary, deferred=True, deferred_raiseload=True)
    source: Mapped[str] = mapped_column(String(12))
    sender: Mapped[str]
    envelope_from: Mapped[str]
    envelope_to: Mapped[str]
    received_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str | None]
    campaign_id: Mapped[str | None] = mapped_column(ForeignKey(CAMPAIGN, ondelete="SET NULL"))
    letter: Mapped[str | None] = mapped_column(String(2))
    handled_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)
    ahead: Mapped[bool] = mapped_column(default=False, server_default=false())  # read before mail of strangers
    words: Mapped[str | None]  # of a mail that is held, as they were understood
    shown: Mapped[str | None] = mapped_column(String(64))  # digest of what our question said that it asks for
    claimed_until: Mapped[datetime | None]  # the process that reads it has so long before another may


class Audit(Base):
    """Who did what, when. Rows are only ever added."""

    __tablename__ = "audit"
    __table_args__ = (Index(None, "campaign_id", "id"),)
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    campaign_id: Mapped[str | None] = mapped_column(ForeignKey(CAMPAIGN, ondelete="CASCADE"))
    at: Mapped[datetime]
    actor: Mapped[str]
    action: Mapped[str] = mapped_column(String(40))
    data: Mapped[dict[str, Any]]


class ClockRow(Base):
    """One row: when the service last looked at the time, and whether it still believes it."""

    __tablename__ = "clock"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    last_tick_at: Mapped[datetime | None]
    halted_at: Mapped[datetime | None]
    halted_reason: Mapped[str | None]
