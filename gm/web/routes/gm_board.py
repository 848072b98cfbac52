"""A board pack of one's own: uploaded, checked, and told what is wrong with it. Nothing is kept."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

from fastapi import APIRouter, Depends, Request, UploadFile
from starlette.responses import HTMLResponse

from gm.errors import Invalid
from gm.web.access import AnyGamesmaster, limit
from gm.web.packcheck import check_pack
from gm.web.pages import render

router = APIRouter(prefix="/gm", include_in_schema=False)
MOST_FILES = 12
LARGEST = 2_000_000  # of one file, unpacked


@router.get("/board")
def form(request: Request, services: AnyGamesmaster) -> HTMLResponse:
    return render(request, "gm/board.html", board=services.board, verdict=None, files=())


@router.post("/board", dependencies=[Depends(limit("write"))])
def upload(request: Request, services: AnyGamesmaster, pack: list[UploadFile]) -> HTMLResponse:
    files: dict[str, bytes] = {}
    for part in pack[:8]:
        data = part.file.read(LARGEST + 1)
        name = Path(part.filename or "").name
        if name.endswith(".zip"):
            files |= _unpack(data)
        elif name.endswith(".toml") and len(data) <= LARGEST:
            files[name] = data
    if not files:
        raise Invalid("pack", "None of these files belongs to a board pack.", "Send .toml files, or a zip of them.")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        verdict = check_pack(Path(folder))
    return render(request, "gm/board.html", board=services.board, verdict=verdict, files=sorted(files))


def _unpack(data: bytes) -> dict[str, bytes]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = [i for i in archive.infolist() if i.filename.endswith(".toml") and i.file_size <= LARGEST]
        return {Path(i.filename).name: archive.read(i) for i in infos[:MOST_FILES]}
    except (zipfile.BadZipFile, RuntimeError, OSError, NotImplementedError, EOFError):
        raise Invalid("pack", "That zip cannot be read.", "Send the files themselves.") from None
