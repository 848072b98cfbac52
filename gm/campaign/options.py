"""Campaign options: validation, defaults, description for the players, storage as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import time
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from gm.adjudicator.engine.options import DEALS, KEY_AREAS, VICTORIES, GameOptions, game_options
from gm.errors import Invalid
from gm.position import Phase
from gm.standin.strategy import Style

# What the game itself depends on is settled with the deal.
FIXED = tuple(field.name for field in fields(GameOptions))
EARLY = frozenset(("early_close", "early_close_hours", "early_delay_minutes", "ready"))  # when a Phase closes early
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class CampaignOptions:
    pregame_days: int = 7
    first_days: int = 4
    second_days: int = 3
    deadlines: bool = True  # no: a Phase is played as soon as all orders are there
    hour: str = "20:00"
    zone: str = "UTC"
    min_hours: int = 24  # no Phase is shorter, whatever the calendar says
    skip_days: tuple[str, ...] = ()  # weekdays on which no deadline falls
    grace_hours: int = 12
    reminders: tuple[int, ...] = (48, 6)  # hours before the deadline
    early_close: bool = True  # when everybody is ready
    ready: str = "said"  # by each player; "automatic": whoever's orders are understood in full is ready
    early_close_hours: int = 12  # how long before it everybody is told
    early_delay_minutes: int = 10  # on top of these hours
    show_ready: bool = True  # players see who is ready and whose orders are in
    nmr: str = "hold"  # or "standin"
    standin: str = "fanatic"  # the style of stand-ins, unless a seat has its own
    nmr_limit: int = 2  # Phases in a row without orders until the Gamesmaster is told to find a standby
    publish: str = "auto"  # "draft": after draft_hours by itself; "manual": only by the Gamesmaster
    draft_hours: int = 24
    beacon: bool = False  # a public randomness round goes into the dice
    anonymous_letters: bool = False
    public: bool = False
    masses: bool = False
    deal: str = "one-pot"
    victory: str = "annihilation"
    key_areas: tuple[str, ...] = KEY_AREAS  # only with victory = key-areas
    last_turn: int = 0  # 0: none
    auto_deal: bool = True

    def days(self, phase: str) -> int:
        return {
            Phase.PREGAME: self.pregame_days,
            Phase.FIRST: self.first_days,
            Phase.SECOND: self.second_days,
        }[Phase(phase)]

    @property
    def game(self) -> GameOptions:
        """The house rules among them: what the adjudicator is told."""
        return game_options(asdict(self))

    @property
    def closing_time(self) -> time:
        hour, minute = self.hour.split(":")
        return time(int(hour), int(minute))

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def changed(self, given: Mapping[str, Any]) -> CampaignOptions:
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
                if name == "key_areas":
                    values[name] = tuple(str(code).upper() for code in values[name])
            except (ValueError, TypeError):
                problems.append(f"{name}: {value!r} is no {_KINDS[kinds[name]]}")
        options = replace(self, **values)
        problems += _wrong(options)
        if problems:
            raise Invalid("options", "; ".join(problems), "gm campaign options lists what there is", problems=problems)
        return options


_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_KINDS = {int: "whole number", bool: "yes or no", str: "text", tuple: "list"}


def from_mapping(given: Mapping[str, Any]) -> CampaignOptions:
    return CampaignOptions().changed(given)


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
        numbers = [str(part).lstrip("-").isdecimal() for part in parts]
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
    "early_close_hours": (0, 24 * 14),
    "early_delay_minutes": (0, 24 * 60),
    "nmr_limit": (1, 20),
    "draft_hours": (1, 24 * 14),
    "last_turn": (0, 60),
}
_CHOICES = {
    "ready": ("said", "automatic"),
    "nmr": ("hold", "standin"),
    "standin": tuple(style.value for style in Style),
    "publish": ("auto", "draft", "manual"),
    "deal": DEALS,
    "victory": VICTORIES,
}


def _wrong(o: CampaignOptions) -> list[str]:
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
    if o.beacon and not o.deadlines:
        wrong.append("beacon needs deadlines: a round is named that comes out after them")
    if not is_zone(o.zone):
        wrong.append(f"zone: {o.zone!r} is no time zone such as Europe/London")
    if any(day not in WEEKDAYS for day in o.skip_days) or len(set(o.skip_days)) > 6:
        wrong.append("skip_days must be weekdays (saturday, sunday, ...), and leave one")
    if not o.key_areas or len(set(o.key_areas)) < len(o.key_areas):
        wrong.append("key_areas must be codes of provinces, each once")
    if any(not isinstance(h, int) or not 1 <= h <= 24 * 30 for h in o.reminders):
        wrong.append("reminders must be hours before the deadline, 1 to 720")
    return wrong


@cache
def _zones() -> frozenset[str]:
    """Those that everybody knows: not this machine's own, nor files that lie beside the zones."""
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})


def is_zone(name: str) -> bool:
    """Whether somebody may choose it."""
    return name in _zones()


def was_zone(name: str) -> bool:
    """Whether this machine can tell the time there: until November 2026 whatever it could was chosen."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return bool(name)


# How campaigns were run before there was such an option: they go on so until it is changed.
_BEFORE: dict[str, Any] = {"ready": "automatic", "early_close_hours": 0}


def with_defaults(stored: Mapping[str, Any]) -> CampaignOptions:
    """What was stored, by an older version too: what it did not know has its default."""
    known = {f.name for f in fields(CampaignOptions)}
    found = _BEFORE | {name: value for name, value in stored.items() if name in known}
    zone = str(found.get("zone", ""))
    if was_zone(zone) and not is_zone(zone):
        return replace(from_mapping({**found, "zone": "UTC"}), zone=zone)
    return from_mapping(found)


def describe(options: CampaignOptions) -> tuple[tuple[str, str], ...]:
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


def allowed(name: str) -> str:
    """What an option may be set to, in a few words."""
    if name in _RANGES:
        return "{} to {}".format(*_RANGES[name])
    if name in _CHOICES:
        return " or ".join(_CHOICES[name])
    if isinstance(getattr(CampaignOptions(), name), bool):
        return "yes or no"
    return _EXAMPLES[name]


_EXAMPLES = {
    "hour": "such as 20:00",
    "zone": "such as Europe/London",
    "skip_days": "such as saturday,sunday, or nothing",
    "reminders": "such as 48,6, each 1 to 720",
    "key_areas": "such as PETR,TVER,KIEV,OMSK",
}
