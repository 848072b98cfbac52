"""Service metrics for /readyz, /metrics and `gm doctor`, without personal data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from gm.campaign.mailbox.inbox import DROPPED
from gm.campaign.services import Services
from gm.config import Settings
from gm.store.engine import Store
from gm.store.repositories import campaigns, metrics

LOOKS_MISSED = 6  # so many looks late, the worker is taken for gone; at least three minutes


@dataclass(frozen=True, slots=True)
class Figures:
    campaigns: dict[str, int]  # by status
    phases: dict[str, int]  # where the campaigns that are not finished stand, by state
    inbox: dict[str, int]  # by state
    mails_ever: int
    mails_waiting: int
    mails_failed: int
    mail_wait_seconds: float  # how long the oldest has been waiting
    overdue: int  # things to do whose time has come
    overdue_seconds: float
    given_up: int
    unreadable: int  # mails of the last week that could not be processed
    dropped: int  # mails of strangers that were deleted in the last week, as there were too many
    inbox_wait_seconds: float  # how long the oldest mail that came in waits to be dealt with
    halted: str | None  # why the clock is not trusted
    last_look_seconds: float | None  # None: no worker ever looked
    patience_seconds: float  # after which a worker is taken for gone

    @property
    def mail_is_read(self) -> bool:
        return not self.unreadable and self.inbox_wait_seconds <= self.patience_seconds

    @property
    def worker_is_there(self) -> bool:
        return self.last_look_seconds is not None and self.last_look_seconds <= self.patience_seconds


def figures_of(services: Services) -> Figures:
    return count(services.store, services.settings, services.clock.now())


def count(store: Store, settings: Settings, now: datetime) -> Figures:
    """The metrics from a database; no service need be running."""
    with store.read() as session:
        clock = campaigns.peek_clock(session)
        waiting, waiting_since = metrics.waiting_mails(session)
        unread_since = metrics.oldest_unread(session)
        overdue, overdue_since = metrics.overdue(session, now)
        looked = clock.last_tick_at if clock else None
        return Figures(
            campaigns=metrics.campaigns_by_status(session),
            phases=metrics.present_phases_by_state(session),
            inbox=metrics.inbox_by_state(session),
            mails_ever=metrics.mails_ever(session),
            mails_waiting=waiting,
            mails_failed=metrics.failed_mails(session),
            mail_wait_seconds=max(0.0, (now - waiting_since).total_seconds()) if waiting_since else 0.0,
            overdue=overdue,
            overdue_seconds=max(0.0, (now - overdue_since).total_seconds()) if overdue_since else 0.0,
            given_up=metrics.given_up(session),
            unreadable=metrics.unreadable_mails(session, now - timedelta(days=7)),
            dropped=metrics.dropped_mails(session, DROPPED, now - timedelta(days=7)),
            inbox_wait_seconds=max(0.0, (now - unread_since).total_seconds()) if unread_since else 0.0,
            halted=clock.halted_reason if clock else None,
            last_look_seconds=(now - looked).total_seconds() if looked else None,
            patience_seconds=max(180.0, LOOKS_MISSED * settings.tick_seconds),
        )
