"""When a Phase closes. All arithmetic is done on the campaign's own clock on the wall, so that 20:00 stays 20:00."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from gm.campaign.options import WEEKDAYS, Options


class Clock(Protocol):
    def now(self) -> datetime:
        """The present, aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def deadline(options: Options, phase: str, opened: datetime) -> datetime:
    """The campaign's hour, so many days after the Phase opened, not on a day that is skipped, never too soon."""
    zone = ZoneInfo(options.zone)
    day = opened.astimezone(zone).date() + timedelta(days=options.days(phase))
    earliest = opened + timedelta(hours=options.min_hours)
    while True:
        candidate = datetime.combine(day, options.closing_time, zone).astimezone(UTC)
        if WEEKDAYS[day.weekday()] not in options.skip_days and candidate >= earliest:
            return candidate
        day += timedelta(days=1)


def local(moment: datetime, zone: str) -> str:
    """`Tuesday 3 March 2026, 20:00 (Europe/London)`."""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there:%A} {there.day} {there:%B %Y}, {there:%H:%M} ({zone})"
