"""Logging: one event per line, as text or JSON, with secrets removed.

Everything goes through here, also what libraries log. What looks like a secret is struck out wherever it stands: the
installation's own secrets by value; tokens of reply addresses, signed links, passwords in addresses by their shape.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Callable, MutableMapping
from dataclasses import fields
from typing import Any, TextIO

import structlog
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from gm.config import Settings

STRUCK = "[secret]"
# Names of values that are never written, whatever they hold.
SECRET_NAMES = re.compile(r"password|secret|token|cookie|authorization|csrf|salt|raw|orders|body", re.IGNORECASE)
# In two pieces, as a program that breaks words or lines leaves it, or somebody who thinks nobody looks for it so.
_IN_TWO = "|".join(rf"[a-z2-7]{{{n}}}(?:[-*.]|=?\s{{1,3}}(?:>\s?){{0,3}})[a-z2-7]{{{26 - n}}}" for n in range(4, 23))
# What lets somebody act for a seat: signed links (rewritten ones too), tickets, reply addresses, the secret of either.
SEAT_SECRET = re.compile(
    r"https?:\S{0,300}?(?:/|%2f)in(?:#|%23)\S+"
    r"|(?<![\w-])[\w-]{16,}(?:\.|%2e)[\w-]{5,8}(?:\.|%2e)[\w-]{20,}"
    r"|(?:[\w.-]{1,64}\+)?(?<![a-z0-9])[a-z2-7]{26}(?![a-z0-9])(?:-q?\d+)?(?:@[\w.-]+)?"
    r"|[\w.-]{1,64}\+(?:[a-z2-7](?:=?\s{1,3})?){26}(?![a-z0-9])(?:-q?\d+)?(?:@[\w.-]+)?"  # broken by a line's end
    r"|(?<![a-z0-9])(?=[a-z]{0,40}[2-7])[a-z2-7]{27,40}(?![a-z0-9])"  # with a letter typed before or behind it
    rf"|(?:[\w.-]{{1,64}}\+)?(?<![a-z0-9])(?=[a-z\s*.>=-]{{0,30}}[2-7])(?:{_IN_TWO})(?![a-z0-9])",
    re.IGNORECASE,
)
# A character as addresses may write it, once or several times over: `%61`, `%2561`; or one that nobody sees.
_QUOTED = re.compile(
    r"%(?:25){0,4}([2-7][0-9a-f])|[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]",
    re.IGNORECASE,
)
# What a terminal obeys, what ends a line, what turns the reading round, and what no encoding knows.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
TRACEBACKS = ("exception", "stack", "stack_info")  # that have lines
SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(://[^:/@\s]{1,300}):[^@\s]{1,600}@"), rf"\1:{STRUCK}@"),  # postgresql://user:password@host
    (re.compile(r"(Bearer )\S+", re.IGNORECASE), rf"\1{STRUCK}"),
)
NOISY = ("flufl.bounce", "uvicorn.access", "aiosmtpd", "mail.log", "procrastinate", "alembic", "asyncio")

LISTENER_FAILED = "the listener could not answer"
# What is said again and again while somebody attacks: of each of these one line a minute.
REPEATED = (
    "socket.accept() out of system resource",
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "No supported WebSocket library detected.",
    "%r unrecognised: %s",  # aiosmtpd, of a command
    "%r too many bogus commands",
    LISTENER_FAILED,
)

Event = MutableMapping[str, Any]


def configure(settings: Settings, extra_secrets: tuple[str, ...] = (), stream: TextIO | None = None) -> None:
    """Set up logging of this process, to standard error if nothing else is said."""
    strike = striker((*secrets_of(settings), *extra_secrets))
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        strike,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    as_json = settings.log_format == "json"
    renderer: Any = structlog.processors.JSONRenderer(ensure_ascii=False) if as_json else _console()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    handler.addFilter(OnceAMinute())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    level = logging.getLevelName(settings.log_level.upper())
    root.setLevel(level)
    for name in NOISY:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


class OnceAMinute(logging.Filter):
    """Of what comes by the thousand, one line a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        said = str(record.msg.get("event") if isinstance(record.msg, dict) else record.msg)  # ours, or a library's
        words = next((words for words in REPEATED if said.startswith(words)), None)
        if words is None:
            return True
        now = self._clock()
        if now - self._told.get(words, -60.0) < 60:
            return False
        self._told[words] = now
        return True


def _console() -> Any:
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), sort_keys=True)


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """The values that must never be seen."""
    found = [str(getattr(settings, f.name)) for f in fields(settings) if f.metadata["secret"]]
    try:
        found.append(make_url(settings.database_url).password or "")
    except ArgumentError:
        pass
    return tuple(value for value in found if value)


def without_seat_secrets(text: str, instead: str) -> str:
    """The text without what lets somebody act for a seat, also where it is written as `%61` for `a`, or broken."""
    if not (quoted := list(_QUOTED.finditer(text))):
        return SEAT_SECRET.sub(instead, text)
    plain, starts, at = list[str](), list[int](), 0  # as a browser reads it, and where each character stood
    for found in quoted:
        plain.append(text[at : found.start()])
        starts += range(at, found.start())
        if found[1]:
            plain.append(chr(int(found[1], 16)))
            starts.append(found.start())
        at = found.end()
    plain.append(text[at:])
    starts += range(at, len(text) + 1)
    spans = [found.span() for found in SEAT_SECRET.finditer(text)]
    spans += [(starts[s.start()], starts[s.end()]) for s in SEAT_SECRET.finditer("".join(plain))]
    kept, at = list[str](), 0
    for start, end in sorted(spans):
        if start >= at:
            kept += (text[at:start], instead)
        at = max(at, end)
    return "".join(kept) + text[at:]


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def striker(secrets: tuple[str, ...]) -> Callable[[Any, str, Event], Event]:
    """A step of the log that strikes out what must not be read."""
    known = re.compile("|".join(re.escape(s) for s in sorted(secrets, key=len, reverse=True))) if secrets else None

    def struck(words: str) -> str:
        if known is not None:
            words = known.sub(STRUCK, words)
        for shape, instead in SHAPES:
            words = shape.sub(instead, words)
        return without_seat_secrets(words, STRUCK)

    def clean(value: Any, has_lines: bool = False) -> Any:
        if isinstance(value, bytes):
            return f"{len(value)} bytes"
        if isinstance(value, dict):
            return {key: STRUCK if SECRET_NAMES.search(str(key)) else clean(item) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [clean(item) for item in value]
        if value is None or isinstance(value, bool | int | float):
            return value
        words = struck(str(value)).rstrip("\n")
        return "\n".join(_CONTROL.sub(_escaped, line) for line in (words.split("\n") if has_lines else [words]))

    def strike(_logger: Any, _method: str, event: Event) -> Event:
        for key, value in list(event.items()):
            if key.startswith("_"):  # structlog's own
                continue
            hidden = key != "event" and SECRET_NAMES.search(key)
            event[key] = STRUCK if hidden else clean(value, has_lines=key in TRACEBACKS)
        return event

    return strike
