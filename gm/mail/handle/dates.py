"""Parsing dates as people write them in a mail: `ABSENT from 5 March to 12 March 2026`. Ambiguous ones are refused."""

from __future__ import annotations

import re
from datetime import date, timedelta

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero gennaio",
            "feb february februar février febrero febbraio",
            "mar march märz maerz mars marzo",
            "apr april avril abril aprile",
            "may mai mayo maggio",
            "jun june juni juin junio giugno",
            "jul july juli juillet julio luglio",
            "aug august août agosto",
            "sep sept september septembre septiembre settembre",
            "oct october oktober octobre octubre ottobre okt",
            "nov november novembre noviembre",
            "dec december dezember décembre diciembre dicembre dez",
        ),
        start=1,
    )
    for name in names.split()
}
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_DOTTED = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?(?!\d)")
_DAY_MONTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?([^\W\d]{3,10})\.?(?:,?\s+(\d{4}))?", re.I)
_MONTH_DAY = re.compile(r"\b([^\W\d]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?", re.I)
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")


def period(text: str, today: date) -> tuple[date, date] | None:
    """First and last day that the text names; `until X` begins today. None if unclear, past or over half a year."""
    days = [day for _, day in sorted(_find(text, today))]
    if len(days) == 1:
        opens = re.match(r"^\s*(?:until|till|to|bis)\b", text, re.I)
        days = [today, days[0]] if opens else [days[0], days[0]]
    if len(days) != 2:
        return None
    first, last = days
    if last < first or last < today or (last - first) > timedelta(days=183):
        return None
    return first, last


def _find(text: str, today: date) -> list[tuple[int, date]]:
    found: dict[int, date] = {}
    taken: list[tuple[int, int]] = []
    for pattern, order in ((_ISO, "ymd"), (_DOTTED, "dmy"), (_DAY_MONTH, "dmy"), (_MONTH_DAY, "mdy"), (_SLASHED, "?")):
        for match in pattern.finditer(text):
            if any(a < match.end() and match.start() < b for a, b in taken):
                continue
            day = _day(match.groups(), order, today)
            if day:
                found[match.start()] = day
                taken.append(match.span())
    return list(found.items())


def _day(groups: tuple[str | None, ...], order: str, today: date) -> date | None:
    if order == "?":
        first, second = int(groups[0] or 0), int(groups[1] or 0)
        # 3/5 is the third of May or the fifth of March; 13/5 is plain.
        if first <= 12 and second <= 12 and first != second:
            return None
        order = "mdy" if second > 12 else "dmy"
    values = dict(zip(order, groups, strict=True))
    month_text = (values["m"] or "").lower()
    month = int(month_text) if month_text.isdecimal() else _MONTHS.get(month_text, 0)
    year = int(values["y"] or 0)
    try:
        if year:
            return date(year, month, int(values["d"] or 0))
        day = date(today.year, month, int(values["d"] or 0))
    except ValueError:
        return None
    # Without a year the next such day is meant; one just past still counts as this year's.
    return day if day >= today - timedelta(days=30) else day.replace(year=today.year + 1, day=min(day.day, 28))
