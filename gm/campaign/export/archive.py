"""Exporting a campaign as files: the public archive, and under private/ what another installation needs to go on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from gm import __version__
from gm.board.pack import PackFiles
from gm.campaign import boards
from gm.campaign.record.archived import PUBLIC_STATES, names, phase_record, press_lines
from gm.campaign.services import Services
from gm.campaign.transaction import campaign_row
from gm.errors import Conflict, Invalid, NotAllowed
from gm.reports.proof.fairness import dump
from gm.reports.proof.verify import MANIFEST, PACK, manifest_of
from gm.store.base import Base
from gm.store.repositories import campaigns, paper, people, phases, submissions
from gm.store.tables import Campaign, PhaseRow

Progress = Callable[[str], None]


def export(
    services: Services, campaign: str, folder: Path, public: bool = False, progress: Progress | None = None
) -> int:
    """Write the archive into a folder that is empty or does not exist yet. Returns the number of files."""
    must_be_empty(folder)
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        if not public and row.status != "finished" and people.gm_plays_against_others(session, row):
            what = "a Gamesmaster who plays sees nobody's orders, and a full archive holds them"
            raise NotAllowed("gm-plays", what, "export it with --public, or when the campaign is finished")
        files = dict(public_files(session, row))
        if not public:
            files.update(_private_files(session, row, services.clock.now()))
        files[MANIFEST] = manifest_of(files, row.chain, row.dice_name)
    return write(folder, files, progress)


def must_be_empty(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise Conflict("folder", f"{folder} is not empty", "choose a new folder")


def write(folder: Path, files: Mapping[str, bytes], progress: Progress | None) -> int:
    """Write the files and return their number."""
    if strange := next((path for path in files if not _is_plain(path)), None):
        raise Invalid(
            "path", f"{strange[:200]!r} cannot be the name of a file", "somebody changed the database by hand"
        )
    for path, content in sorted(files.items()):
        target = folder / path
        private = path.startswith("private/")
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if progress is not None:
            progress(path)
    return len(files)


def _is_plain(path: str) -> bool:
    """Whether a path stays in its folder, whatever the database says a file is called."""
    parts = path.split("/")
    return path.isprintable() and "\\" not in path and not {"", ".", ".."}.intersection(parts)


def _pack_files(session: Session, campaign: Campaign) -> PackFiles:
    """As they are called, or numbered in their order: once any name was taken."""
    files = boards.files_named(session, campaign.pack)
    if all(_is_plain(f"{PACK}{name}") for name, _ in files):
        return files
    return tuple((f"{number:02d}.toml", text) for number, (_, text) in enumerate(files))


def public_files(session: Session, campaign: Campaign) -> Iterator[tuple[str, bytes]]:
    yield "campaign.json", dump(_campaign(session, campaign))
    for name, text in _pack_files(session, campaign):
        yield f"{PACK}{name}", text.encode()
    for phase in phases.history(session, campaign.id):
        record = phase_record(session, phase, over=phase.state in PUBLIC_STATES)
        yield f"phases/{phase.ordinal:03d}-{phase.turn:02d}-{phase.phase}.json", dump(record)
    lines = []
    for line in paper.bell_lines(session, campaign.id):
        bell = paper.bell(session, campaign.id, line.number)
        assert bell is not None
        stem = f"bells/{bell.number:03d}"
        yield f"{stem}.txt", bell.text.encode()
        yield f"{stem}.json", dump(bell.json)
        if bell.html:
            yield f"{stem}.html", bell.html.encode()
        for suffix, picture in (
            ("", paper.bell_png(session, campaign.id, bell.number)),
            ("-barometer", paper.bell_chart(session, campaign.id, bell.number)),
        ):
            if picture:
                yield f"{stem}{suffix}.png", picture
        lines.append(_bell_line(session, bell) | {"void": line.void})
    yield "bells/index.json", dump({"bells": lines})
    press = [letter for letter in paper.letters(session, campaign.id, "press") if letter.bell is not None]
    yield "press.json", dump({"press": press_lines(press)})


def _campaign(session: Session, campaign: Campaign) -> dict[str, Any]:
    return {
        "id": campaign.id,
        "dice_name": campaign.dice_name,
        "status": campaign.status,
        "options": campaign.options,
        **names(session, campaign),
        # Only where there is one, so that other campaigns are written as they always were.
        **({"board": boards.board_of(session, campaign).digest} if campaign.pack else {}),
        "created_at": campaign.created_at.isoformat(),
        **({"beacon": campaign.beacon} if campaign.beacon else {}),
        "made_by": f"kolokol {__version__}",
    }


def _bell_line(session: Session, bell: Any) -> dict[str, Any]:
    """A line of the index; with the commitments that the issue had to print."""
    return {
        "number": bell.number,
        "kind": bell.kind,
        "turn": bell.turn,
        "phase": bell.phase,
        "incarnation": bell.incarnation,
        "subject": bell.subject,
        "headline": bell.headline,
        "published_at": bell.published_at.isoformat(),
        "chain": bell.chain,
        "commitments": _announced(session, bell),
    }


def _announced(session: Session, bell: Any) -> list[str]:
    reported = phases.get(session, phases.key_of(bell))
    assert reported is not None
    if bell.kind in ("start", "erratum"):
        opened: PhaseRow | None = reported
    elif bell.kind == "final":
        opened = None
    else:
        later = phases.since(session, bell.campaign_id, reported.ordinal + 1)
        opened = later[0] if later else None
    if opened is None or opened.phase == "finished":
        return []
    commitment = phases.dice(session, phases.key_of(opened)).commitment
    # Of a deal that is begun again; issues of before did not print it.
    return [commitment] if opened.phase != "setup" or commitment in bell.text else []


# --- private


def _private_files(session: Session, campaign: Campaign, now: datetime) -> Iterator[tuple[str, bytes]]:
    rows: dict[str, Sequence[Base]] = {
        "players": people.everyone(session, campaign.id),
        "seats": people.seats(session, campaign.id),
        "tenures": people.tenures(session, campaign.id),
        "submissions": submissions.all_of(session, campaign.id),
        "letters": paper.letters(session, campaign.id),
        "proposals": paper.proposals(session, campaign.id),
        "requests": paper.requests(session, campaign.id),
        "audit": campaigns.audit_log(session, campaign.id)[::-1],
    }
    history = phases.history(session, campaign.id)
    keys = [phases.key_of(phase) for phase in history]
    rows["phases"] = history
    rows["dice"] = [phases.dice(session, key) for key in keys]
    rows["adjudications"] = [found for key in keys if (found := phases.adjudication(session, key)) is not None]
    rows["sealed_orders"] = [row for key in keys for row in phases.sealed(session, key)]
    rows["waits"] = [row for key in keys for row in phases.waits(session, key)]
    rows["decisions"] = [row for key in keys for row in phases.decisions(session, key)]
    lines = paper.bell_lines(session, campaign.id)
    rows["bells"] = [bell for line in lines if (bell := paper.bell(session, campaign.id, line.number))]
    for name, kept in rows.items():
        yield f"private/{name}.json", dump([_row(row) for row in kept])
    yield "private/campaign.json", dump({"exported_at": now.isoformat(), "row": _row(campaign)})


def _row(row: Base) -> dict[str, Any]:
    """A row as JSON, without the pictures (they are files of their own) and without the hashes of tokens."""
    skipped = ("png", "chart", "token_hash", "gm_token_hash")
    mapper = inspect(type(row))
    return {c.key: _plain(getattr(row, c.key)) for c in mapper.column_attrs if c.key not in skipped}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime | date) else value
