"""Settings of an installation, read from the environment or `.env`, with defaults that are safe to try.

A setting `database_url` is read from `KOLOKOL_DATABASE_URL`. `describe()` lists them all for the docs and `gm doctor`.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from dotenv import dotenv_values

from gm.errors import Invalid

PREFIX = "KOLOKOL_"


def _setting(default: Any, words: str, *, secret: bool = False, shown: bool = True) -> Any:
    """secret: never to be printed anywhere; not shown: may hold a password, and stays out of logs."""
    return field(default=default, repr=shown and not secret, metadata={"words": words, "secret": secret})


@dataclass(frozen=True)
class Settings:
    # Storage
    database_url: str = _setting(
        "sqlite:///kolokol.sqlite",
        "where everything is kept: sqlite:///FILE, or postgresql://user:password@host/name for several workers",
        shown=False,
    )
    database_pool: int = _setting(10, "connections a process may hold to PostgreSQL")
    sqlite_sync: str = _setting(
        "full", "full: a Bell once mailed is not forgotten by a power cut; normal or off are faster, for trying out"
    )
    # Identity
    secret_key: str = _setting(
        "", "signs links and makes the secret part of reply addresses; 32 characters or more", secret=True
    )
    base_url: str = _setting("http://127.0.0.1:8000", "how players reach the web pages; links in mails start with it")
    instance: str = _setting("Kolokol", "the name of this installation in mails and on the web")
    demo: bool = _setting(False, "trying-out mode: anyone may sit down as any player; never for a real campaign")
    # Mail out
    mail_transport: str = _setting("mailbox", "smtp, mailbox (kept and shown, not sent) or console")
    mail_from: str = _setting("gm@localhost", "the sender of all mails")
    mail_domain: str = _setting("localhost", "the domain in Message-IDs")
    orders_address: str = _setting(
        "orders@localhost", "where players reply to; the secret part goes before the @, after a +"
    )
    subject_tags: bool = _setting(
        False, "put the secret part into subjects too, where the mail server loses what stands behind the +"
    )
    smtp_host: str = _setting("localhost", "submission server")
    smtp_port: int = _setting(587, "its port")
    smtp_tls: str = _setting("starttls", "starttls, tls or none")
    smtp_user: str = _setting("", "login name, empty: no login")
    smtp_password: str = _setting("", "its password", secret=True)
    mail_lease_seconds: int = _setting(300, "how long one worker may take to send a batch before another tries")
    mails_per_minute: int = _setting(60, "never send faster than this")
    # Mail in
    imap_host: str = _setting("", "mailbox to read orders from; empty: none")
    imap_port: int = _setting(993, "its port")
    imap_tls: bool = _setting(True, "TLS from the start")
    imap_user: str = _setting("", "login name")
    imap_password: str = _setting("", "its password", secret=True)
    imap_folder: str = _setting("INBOX", "folder that is read")
    imap_done_folder: str = _setting("Kolokol", "folder that handled mail is moved to")
    lmtp_listen: str = _setting("", "host:port of the SMTP/LMTP listener; empty: none")
    trusted_authserv: str = _setting("", "authserv-id whose Authentication-Results are believed; empty: none")
    verify_dkim: bool = _setting(False, "check DKIM signatures of mail that comes to our own listener (needs DNS)")
    max_mail_bytes: int = _setting(10_000_000, "larger mail is refused")
    # Time
    tick_seconds: int = _setting(20, "how often the worker looks for what is due")
    clock_jump_minutes: int = _setting(60, "a longer gap between two looks stops adjudication until it is confirmed")
    render_lease_seconds: int = _setting(120, "how long one worker may take to set a Bell before another tries")
    # Dice
    beacon_url: str = _setting(
        "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "the public randomness beacon for campaigns with the option beacon: drand, or one that answers in its form",
    )
    # Web
    listen: str = _setting("127.0.0.1:8000", "host:port of the web server")
    session_days: int = _setting(60, "how long a browser stays signed in")
    admins: str = _setting("", "addresses, with commas, of those who keep this installation and may open new campaigns")
    alone_seconds: int = _setting(
        0, "processor seconds a day that games of one person may use for each address; 0: none are offered to visitors"
    )
    behind_proxy: bool = _setting(False, "believe X-Forwarded-For and -Proto of the proxies below")
    trusted_proxies: str = _setting(
        "127.0.0.1,::1", "addresses or networks, with commas, of your own proxies; what others forward is not believed"
    )
    # Operation
    log_format: str = _setting("console", "console or json")
    log_level: str = _setting("info", "debug, info, warning or error")
    metrics_token: str = _setting(
        "", "what /metrics asks for as a bearer token; empty: it answers this machine alone", secret=True
    )

    @property
    def keepers(self) -> tuple[str, ...]:
        """The addresses of those who keep this installation."""
        return tuple(a.strip().lower() for a in self.admins.split(",") if a.strip())

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, dotenv: Path | None = Path(".env")) -> Settings:
        """Settings from a `.env` file and, before it, the environment."""
        found = _read_dotenv(dotenv) if dotenv and dotenv.is_file() else {}
        found |= os.environ if environ is None else environ
        _refuse_unknown(found)
        values = {}
        for f in fields(cls):
            raw = found.get(PREFIX + f.name.upper())
            if raw is not None:
                values[f.name] = _convert(f.name, raw, type(f.default))
        settings = cls(**values)
        settings.check()
        return settings

    def check(self) -> None:
        """Raise Invalid for what cannot work."""
        problems = []
        if self.mail_transport not in ("smtp", "mailbox", "console"):
            problems.append(f"{PREFIX}MAIL_TRANSPORT must be smtp, mailbox or console")
        if self.smtp_tls not in ("starttls", "tls", "none"):
            problems.append(f"{PREFIX}SMTP_TLS must be starttls, tls or none")
        if self.secret_key and len(self.secret_key) < 32:
            problems.append(f"{PREFIX}SECRET_KEY must have 32 characters or more")
        if not self.database_url.startswith(("sqlite:", "postgresql:", "postgresql+psycopg:")):
            problems.append(f"{PREFIX}DATABASE_URL must start with sqlite: or postgresql:")
        if self.sqlite_sync not in ("full", "normal", "off"):
            problems.append(f"{PREFIX}SQLITE_SYNC must be full, normal or off")
        if self.tick_seconds < 1 or self.clock_jump_minutes < 1:
            problems.append(f"{PREFIX}TICK_SECONDS and {PREFIX}CLOCK_JUMP_MINUTES must be 1 or more")
        if problems:
            raise Invalid("settings", "; ".join(problems), "correct the environment or .env", problems=problems)

    @property
    def offers_alone(self) -> bool:
        """Whether anybody may begin a game of one person from the front page."""
        return self.demo or self.alone_seconds > 0

    @property
    def is_postgresql(self) -> bool:
        return self.database_url.startswith("postgresql")


def describe() -> Iterator[tuple[str, str, str, bool]]:
    """(variable, default, words, secret) of every setting."""
    for f in fields(Settings):
        default = "" if f.default is MISSING else str(f.default)
        yield PREFIX + f.name.upper(), default, f.metadata["words"], f.metadata["secret"]


def as_markdown() -> str:
    """docs/settings.md."""
    lines = [
        "# Settings",
        "",
        "Every setting is an environment variable, or a line of a file `.env` in the folder where `gm` is started;",
        "the environment wins. All have defaults that are safe to try. `gm settings` shows what they are on your",
        "machine, `gm doctor` whether they work. This page is written by `gm settings --markdown`.",
        "",
        "| Variable | Default | What it is |",
        "|---|---|---|",
    ]
    for variable, default, words, secret in describe():
        shown = f"`{default}`" if default else "(none)"
        lines.append(f"| `{variable}` | {shown} | {words}{' **(secret)**' if secret else ''} |")
    return "\n".join(lines) + "\n"


def as_env() -> str:
    """.env.example."""
    lines = ["# Copy this file to .env and take the # away where you want something else. `gm doctor` checks it.", ""]
    for variable, default, words, _ in describe():
        lines += [f"# {words}", f"#{variable}={default}", ""]
    return "\n".join(lines)


def _convert(name: str, raw: str, kind: type) -> Any:
    variable = PREFIX + name.upper()
    if kind is bool:
        if raw.lower() in ("1", "true", "yes", "on"):
            return True
        if raw.lower() in ("0", "false", "no", "off", ""):
            return False
        raise Invalid("settings", f"{variable} must be true or false", "correct the environment or .env")
    if kind is int:
        try:
            return int(raw)
        except ValueError:
            raise Invalid("settings", f"{variable} must be a whole number", "correct the environment or .env") from None
    return raw


def _read_dotenv(path: Path) -> dict[str, str]:
    """A `.env` as other programs read it: quotes, comments behind a value, `export`. A `$` is a `$`."""
    values = dotenv_values(path, interpolate=False, encoding="utf-8")
    return {name: value for name, value in values.items() if value is not None}


def _refuse_unknown(found: Mapping[str, str]) -> None:
    """A misspelt setting would silently stay at its default."""
    known = [PREFIX + f.name.upper() for f in fields(Settings)]
    unknown = sorted(name for name in found if name.startswith(PREFIX) and name not in known)
    if not unknown:
        return
    near = [difflib.get_close_matches(name, known, 1, 0.8) for name in unknown]
    named = [f"{name} (did you mean {close[0]}?)" if close else name for name, close in zip(unknown, near, strict=True)]
    raise Invalid("settings", f"there is no setting {', '.join(named)}", "gm settings lists them all", unknown=unknown)
