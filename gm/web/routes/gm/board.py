"""Checking an uploaded board pack and reporting what is wrong with it. Nothing is stored."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

from fastapi import APIRouter, Request, UploadFile
from starlette.responses import HTMLResponse

from gm.board.load import standard_board
from gm.board.pack import PackFiles
from gm.errors import Invalid
from gm.store import zips
from gm.web.guard.access import WRITE, AnyGamesmaster
from gm.web.pages import render
from gm.web.routes.gm.pack_report import check_pack

router = APIRouter(prefix="/gm", include_in_schema=False)
MOST_FILES = 12
MAX_FILE_BYTES = 400_000  # of one file, unpacked; the whole standard pack has a fifth of that
MAX_PACK_BYTES = 1_000_000  # of all files together, unpacked


@router.get("/board")
def form(request: Request, services: AnyGamesmaster) -> HTMLResponse:
    return render(request, "gm/board.html", board=standard_board(), verdict=None, files=())


@router.post("/board", dependencies=WRITE)
def upload(request: Request, services: AnyGamesmaster, pack: list[UploadFile]) -> HTMLResponse:
    files = uploaded(pack)
    if not files:
        raise _no_pack()
    verdict = check_pack(files)
    return render(request, "gm/board.html", board=standard_board(), verdict=verdict, files=[name for name, _ in files])


def uploaded(parts: list[UploadFile]) -> PackFiles:
    """The files of a pack from a form; none if none was chosen."""
    files: dict[str, bytes] = {}
    for part in parts[:8]:
        data = part.file.read(MAX_FILE_BYTES + 1)
        name = _short(part.filename or "")
        if name.endswith(".zip"):
            files |= _unpack(data, MAX_PACK_BYTES - sum(map(len, files.values())))
        elif name.endswith(".toml") and len(data) <= MAX_FILE_BYTES:
            files[name] = data
        if len(files) > MOST_FILES or sum(map(len, files.values())) > MAX_PACK_BYTES:
            raise _too_much()
    if not files and any(part.filename for part in parts):
        raise _no_pack()
    try:
        return tuple(sorted((name, data.decode()) for name, data in files.items()))
    except UnicodeDecodeError:
        raise Invalid(
            "pack", "A file of this pack is not a UTF-8 text.", "Save it as UTF-8 and send it again."
        ) from None


def _no_pack() -> Invalid:
    return Invalid("pack", "None of these files belongs to a board pack.", "Send .toml files, or a zip of them.")


def _too_much() -> Invalid:
    return Invalid(
        "pack",
        f"A pack has at most {MOST_FILES} files and {MAX_PACK_BYTES} bytes.",
        "Send only what differs from the standard pack.",
    )


def _short(name: str) -> str:
    """Its last part, and of that no more than a file may be called."""
    stem, dot, ending = Path(name.replace("\x00", "")).name.rpartition(".")
    return f"{stem[:60]}{dot}{ending}"


def _unpack(data: bytes, room: int) -> dict[str, bytes]:
    """The files of a zip, one after another: what its directory says of their sizes counts for nothing."""
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as box:
            for info in [i for i in box.infolist() if i.filename.endswith(".toml")][:MOST_FILES]:
                found[_short(info.filename)] = zips.content(box, info, min(MAX_FILE_BYTES, room))
                room -= len(found[_short(info.filename)])
    except zips.TooLong:
        raise _too_much() from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError, NotImplementedError, EOFError, ValueError):
        raise Invalid("pack", "That zip cannot be read.", "Send the files themselves, or a plain zip.") from None
    return found
