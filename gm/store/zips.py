"""Reading zips that somebody else made, whatever their directory says of themselves.

Python unpacks bzip2 and LZMA members without regard to how much was asked for, and a deflated one too where all of it
is asked for at once: so only stored and deflated members are read, in pieces, and no further than the reader allows.
"""

from __future__ import annotations

import zipfile
from typing import IO

PIECE = 1 << 16
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class TooLong(ValueError):
    """A member that is longer than its reader allows."""


def opened(box: zipfile.ZipFile, name: str | zipfile.ZipInfo) -> IO[bytes]:
    """A member to be read in pieces: `read()` without a number is what this is to prevent."""
    info = name if isinstance(name, zipfile.ZipInfo) else box.getinfo(name)
    if info.compress_type not in PLAIN:
        raise zipfile.BadZipFile(f"{info.filename[:80]!r} is neither stored nor deflated")
    return box.open(info)


def content(box: zipfile.ZipFile, name: str | zipfile.ZipInfo, most: int) -> bytes:
    """All of a member; raises TooLong without having held more of it than allowed, and a piece."""
    found = bytearray()
    with opened(box, name) as member:
        while piece := member.read(PIECE):
            found += piece
            if len(found) > most:
                raise TooLong(f"a member of a zip is longer than {most} bytes")
    return bytes(found)
