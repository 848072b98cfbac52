"""Zips that unpack to far more than they say."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
MEGABYTE = 1 << 20
METHODS = {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA, "deflated": zipfile.ZIP_DEFLATED}


def bomb(
    method: int,
    name: str,
    megabytes: int,
    said: int = 1_000,
    start: bytes = b"",
    others: dict[str, bytes] | None = None,
) -> bytes:
    """A zip whose first member is so long, while its directory gives another size."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as box:
        with box.open(name, "w") as member:
            member.write(start)
            for _ in range(megabytes):
                member.write(bytes(MEGABYTE))
        for other, content in (others or {}).items():
            box.writestr(other, content, zipfile.ZIP_DEFLATED)
    made = bytearray(held.getvalue())
    entry = made.index(b"PK\x01\x02")
    struct.pack_into("<I", made, entry + 24, said)
    return bytes(made)


def held_at_most(megabytes: float, work: Callable[[], T]) -> T:
    """What the work gives; it fails if the work held more memory than that at any time."""
    tracemalloc.start()
    try:
        result = work()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < megabytes * MEGABYTE, f"{peak / MEGABYTE:.0f} MB"
    return result
