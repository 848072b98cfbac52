"""Checks of `gm doctor` on the installation: settings, secrets, fonts, board, words, Python."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy.engine import make_url

from gm.board.load import standard_board
from gm.board.problems import BoardError
from gm.config import Settings
from gm.doctor.finding import Finding, fail, ok, warn
from gm.reports.render.raster import font_files, render_png

LOCAL = ("127.0.0.1", "localhost", "::1")
KEY_BYTES = 32


def python(_: Settings) -> Iterator[Finding]:
    yield ok("python", f"{sys.version.split()[0]}")
    try:
        ZoneInfo("Europe/Moscow")
    except ZoneInfoNotFoundError:
        yield fail("python", "there are no time zones", "install the package tzdata")


def board(_: Settings) -> Iterator[Finding]:
    try:
        found = standard_board()
    except (BoardError, OSError) as error:
        yield fail("board", f"the standard board cannot be read: {error}", "install Kolokol again")
        return
    yield ok("board", f"{len(found.provinces)} provinces, {len(found.pieces)} counters")


def fonts(_: Settings) -> Iterator[Finding]:
    """Without its fonts the renderer silently draws no text: draw some and see whether anything is there."""
    missing = [path for path in font_files() if not Path(path).is_file()]
    if missing:
        yield fail("fonts", f"{len(missing)} of the bundled fonts are missing", "install Kolokol again")
        return
    frame = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40">{}</svg>'
    words = '<text x="10" y="30" font-family="PT Sans Narrow" font-size="30">KOLOKOL</text>'
    if render_png(frame.format(words), 200) == render_png(frame.format(""), 200):
        yield fail("fonts", "pictures come out without words", "install Kolokol again")
    else:
        yield ok("fonts", "maps are drawn with their words")


def secrets(settings: Settings) -> Iterator[Finding]:
    if settings.secret_key:
        yield ok("secrets", "KOLOKOL_SECRET_KEY is set")
    elif settings.is_postgresql:
        todo = "set KOLOKOL_SECRET_KEY, for example to what `openssl rand -hex 32` prints"
        yield fail("secrets", "there is no secret key", todo)
    else:
        yield from _key_file(Path(f"{make_url(settings.database_url).database}.key"))
    if settings.smtp_password and settings.smtp_tls == "none" and settings.smtp_host not in LOCAL:
        yield fail("secrets", "the SMTP password would go over the net unencrypted", "set KOLOKOL_SMTP_TLS=starttls")
    if settings.imap_password and not settings.imap_tls and settings.imap_host not in LOCAL:
        yield fail("secrets", "the IMAP password would go over the net unencrypted", "set KOLOKOL_IMAP_TLS=true")
    env = Path(".env")
    if env.is_file() and stat.S_IMODE(env.stat().st_mode) & 0o077:
        yield warn("secrets", ".env can be read by others on this machine", "chmod 600 .env")


def _key_file(path: Path) -> Iterator[Finding]:
    if not path.is_file():
        yield ok("secrets", f"the key will be made beside the database, as {path.name}")
    elif stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield fail("secrets", f"{path} can be read by others on this machine", f"chmod 600 {path}")
    elif len(path.read_bytes().strip()) < KEY_BYTES:
        yield fail("secrets", f"{path} is cut short", "restore it from a backup")
    else:
        yield ok("secrets", f"the key is in {path.name}, for its owner alone")


def web(settings: Settings) -> Iterator[Finding]:
    address = urlsplit(settings.base_url)
    local = address.hostname in LOCAL
    if address.scheme not in ("http", "https") or not address.hostname:
        yield fail("web", f"{settings.base_url!r} is no address of a web page", "set KOLOKOL_BASE_URL=https://...")
    elif local:
        todo = "set KOLOKOL_BASE_URL to the address that players will use"
        yield warn("web", f"links in mails lead to {settings.base_url}, which only this machine can open", todo)
    elif address.scheme == "http":
        todo = "put a proxy with TLS before it and set KOLOKOL_BASE_URL=https://..."
        yield warn("web", "links in mails are not encrypted", todo)
    else:
        yield ok("web", f"links lead to {settings.base_url}")
    if settings.demo and not local:
        todo = "set KOLOKOL_DEMO=false"
        yield fail("web", "the trying-out mode is on: anybody may sit down as any player", todo)
    if not settings.admins and not settings.demo:
        yield warn("web", "nobody may open campaigns on the web", "set KOLOKOL_ADMINS to your mail address")
