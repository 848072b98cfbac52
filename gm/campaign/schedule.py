"""Deadlines and closing times of a Phase, computed in the campaign's local time so that 20:00 stays 20:00."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from gm.campaign.options import WEEKDAYS, CampaignOptions

DAYS_OF_A_YEAR = 366


class Clock(Protocol):
    def now(self) -> datetime:
        """The present, aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def deadline(options: CampaignOptions, phase: str, opened: datetime) -> datetime:
    """The campaign's hour, so many days after the Phase opened, not on a day that is skipped, never too soon."""
    zone = ZoneInfo(options.zone)
    day = opened.astimezone(zone).date() + timedelta(days=options.days(phase))
    earliest = opened + timedelta(hours=options.min_hours)
    while True:
        candidate = datetime.combine(day, options.closing_time, zone).astimezone(UTC)
        if not _skips(options, day) and candidate >= earliest:
            return candidate
        day += timedelta(days=1)


def hours_in(options: CampaignOptions, zone: str, now: datetime) -> tuple[str, ...]:
    """The campaign's hour on another clock over the next year, that of most days first: two zones change their clocks
    on different days, or only one of them does."""
    own, other = ZoneInfo(options.zone), ZoneInfo(zone)
    first = now.astimezone(own).date()
    due = (datetime.combine(first + timedelta(days=n), options.closing_time, own) for n in range(DAYS_OF_A_YEAR))
    return tuple(hour for hour, _ in Counter(f"{at.astimezone(other):%H:%M}" for at in due).most_common())


def more_hours(deadline: datetime, holds: datetime, hours: int) -> int:
    """So many hours after a deadline, or as many times them as lead beyond the time until which orders are taken."""
    return hours * max(1, int((holds - deadline) / timedelta(hours=hours)) + 1)


def _skips(options: CampaignOptions, day: date) -> bool:
    return WEEKDAYS[day.weekday()] in options.skip_days


def early(options: CampaignOptions, now: datetime) -> datetime:
    """When a Phase closes in which everybody is ready now; on a full quarter of an hour if there are hours between."""
    at = now + timedelta(hours=options.early_close_hours, minutes=options.early_delay_minutes)
    return _full(at, timedelta(minutes=15)) if options.early_close_hours else at


def resumed(options: CampaignOptions, due: datetime, paused: datetime | None, now: datetime) -> datetime:
    """A deadline after a pause: the time of day that was set, on the first day that leaves as long as was left then.

    It stays if it was set in the pause (`paused` is None), or if the pause was shorter than an hour.
    """
    brief = paused is None or now - paused < timedelta(hours=1)
    if brief and due - now >= timedelta(hours=1):
        return due
    zone = ZoneInfo(options.zone)
    there = due.astimezone(zone)
    earliest = due + (now - paused) if paused is not None else now + timedelta(hours=options.min_hours)
    day = there.date()
    while (moved := datetime.combine(day, there.time(), zone).astimezone(UTC)) < earliest or _skips(options, day):
        day += timedelta(days=1)
    return moved


def _full(moment: datetime, step: timedelta) -> datetime:
    """Up to the next full step."""
    return moment + (datetime.min.replace(tzinfo=UTC) - moment) % step


def after_pause(grace_until: datetime, paused: datetime, now: datetime) -> datetime:
    """The end of a grace after a pause, on a full hour."""
    return _full(grace_until + (now - paused), timedelta(hours=1))


def closing(options: CampaignOptions, due: datetime | None, grace_until: datetime | None) -> datetime | None:
    """Until when orders for a Phase that is due then are taken, if it is not sealed before."""
    return grace_until or (due + timedelta(hours=options.grace_hours) if due else None)


def local(moment: datetime, zone: str) -> str:
    """`Tuesday 3 March 2026, 20:00 (Europe/London)`."""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there:%A} {there.day} {there:%B %Y}, {there:%H:%M} ({zone})"
