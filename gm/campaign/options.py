"""The choices of a campaign: checked when it is made, printed for the players, kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

from gm.errors import Invalid
from gm.position import Phase

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Options:
    pregame_days: int = 7
    first_days: int = 4
    second_days: int = 3
    hour: str = "20:00"
    zone: str = "UTC"
    min_hours: int = 24  # no Phase is shorter, whatever the calendar says
    skip_days: tuple[str, ...] = ()  # weekdays on which no deadline falls
    grace_hours: int = 12
    reminders: tuple[int, ...] = (48, 6)  # hours before the deadline
    early_close: bool = True
    early_delay_minutes: int = 10  # time to think better of it after the last sheet came in
    nmr: str = "hold"  # or "standin"
    nmr_limit: int = 2  # Phases in a row without orders until the Gamesmaster is told to find a standby
    publish: str = "auto"  # "draft": after draft_hours by itself; "manual": only by the Gamesmaster
    draft_hours: int = 24
    anonymous_letters: bool = False
    public: bool = False
    masses: bool = False
    auto_deal: bool = True

    def days(self, phase: str) -> int:
        return {
            Phase.PREGAME: self.pregame_days,
            Phase.FIRST: self.first_days,
            Phase.SECOND: self.second_days,
        }[Phase(phase)]

    @property
    def closing_time(self) -> time:
        hour, minute = self.hour.split(":")
        return time(int(hour), int(minute))

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def changed(self, given: Mapping[str, Any]) -> Options:
        """These options with some others; raises Invalid with all that is wrong."""
        problems: list[str] = []
        kinds = {f.name: type(getattr(self, f.name)) for f in fields(self)}
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name not in kinds:
                problems.append(f"there is no option {name}")
                continue
            try:
                values[name] = _read(value, kinds[name])
            except (ValueError, TypeError):
                problems.append(f"{name}: {value!r} is no {_KINDS[kinds[name]]}")
        options = replace(self, **values)
        problems += _wrong(options)
        if problems:
            raise Invalid("options", "; ".join(problems), "gm campaign options lists what there is", problems=problems)
        return options


_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_KINDS = {int: "whole number", bool: "yes or no", str: "text", tuple: "list"}


def from_mapping(given: Mapping[str, Any]) -> Options:
    return Options().changed(given)


def _read(value: Any, kind: type) -> Any:
    if kind is bool:
        if isinstance(value, bool):
            return value
        word = str(value).lower()
        if word not in _YES + _NO:
            raise ValueError
        return word in _YES
    if kind is int:
        if isinstance(value, bool | float):
            raise ValueError
        return int(value)
    if kind is tuple:
        parts = value.replace(",", " ").split() if isinstance(value, str) else list(value)
        numbers = [str(part).lstrip("-").isdigit() for part in parts]
        return tuple(int(p) for p in parts) if parts and all(numbers) else tuple(str(p).lower() for p in parts)
    if not isinstance(value, str):
        raise ValueError
    return value


_RANGES = {
    "pregame_days": (1, 60),
    "first_days": (1, 60),
    "second_days": (1, 60),
    "min_hours": (0, 24 * 30),
    "grace_hours": (0, 24 * 14),
    "early_delay_minutes": (0, 24 * 60),
    "nmr_limit": (1, 20),
    "draft_hours": (1, 24 * 14),
}
_CHOICES = {"nmr": ("hold", "standin"), "publish": ("auto", "draft", "manual")}


def _wrong(o: Options) -> list[str]:
    wrong = [
        f"{name} must be between {low} and {high}"
        for name, (low, high) in _RANGES.items()
        if not low <= getattr(o, name) <= high
    ]
    wrong += [
        f"{name} must be {' or '.join(allowed)}"
        for name, allowed in _CHOICES.items()
        if getattr(o, name) not in allowed
    ]
    try:
        o.closing_time  # noqa: B018
    except ValueError:
        wrong.append("hour must be a time of day such as 20:00")
    if not is_zone(o.zone):
        wrong.append(f"zone: {o.zone!r} is no time zone such as Europe/London")
    if any(day not in WEEKDAYS for day in o.skip_days) or len(set(o.skip_days)) > 6:
        wrong.append("skip_days must be weekdays (saturday, sunday, ...), and leave one")
    if any(not isinstance(h, int) or not 1 <= h <= 24 * 30 for h in o.reminders):
        wrong.append("reminders must be hours before the deadline, 1 to 720")
    return wrong


def is_zone(name: str) -> bool:
    """Whether the name is a time zone that this machine knows."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return bool(name)


def with_defaults(stored: Mapping[str, Any]) -> Options:
    """What was stored, by an older version too: what it did not know has its default."""
    known = {f.name for f in fields(Options)}
    return from_mapping({name: value for name, value in stored.items() if name in known})


def describe(options: Options) -> tuple[tuple[str, str], ...]:
    """(name, value) of every option."""
    shown = []
    for name, value in options.to_json().items():
        if isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, list):
            text = ", ".join(str(item) for item in value) or "none"
        else:
            text = str(value)
        shown.append((name, text))
    return tuple(shown)
