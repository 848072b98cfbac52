"""Reading an archive from a folder that anybody may have made: plain files, names that can be shown, within limits."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from gm.errors import Invalid
from gm.reports.proof.verify import MANIFEST

MAX_FILES = 20_000
MAX_FILE, MAX_ALL = 64 << 20, 1 << 30  # bytes of one, and of all


def read_files(folder: Path, progress: Callable[[str], None] | None = None) -> dict[str, bytes]:
    """All files of an archive by their path in it."""
    found = _paths(folder)
    if MANIFEST not in found:
        raise Invalid("archive", f"{folder} holds no archive", "name the folder that gm export wrote")
    files = {}
    for name, path in sorted(found.items()):
        if progress is not None:
            progress(name)
        try:
            files[name] = path.read_bytes()
        except OSError as error:
            raise _unread(name, error.strerror or "unknown") from error
    return files


def _paths(folder: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    size = 0
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place) / name
            shown = path.relative_to(folder).as_posix()
            if not shown.isprintable():
                raise _unread(ascii(shown), "a name that cannot be shown")
            mode = path.lstat()
            if stat.S_ISREG(mode.st_mode):
                found[shown] = path
                size += mode.st_size
                if mode.st_size > MAX_FILE or size > MAX_ALL or len(found) > MAX_FILES:
                    raise _unread(shown, "there is more than an archive has")
            elif not stat.S_ISDIR(mode.st_mode):
                raise _unread(shown, "is no plain file")
    return found


def _unread(name: str, why: str) -> Invalid:
    return Invalid(
        "archive", f"{name[:200]} of the archive cannot be read: {why}", "take it from where it was exported"
    )
