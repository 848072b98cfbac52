"""A campaign as plain files: what everybody may have, and under private/ what another installation needs to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from gm import __version__
from gm.campaign.services import Services
from gm.campaign.work import no_campaign
from gm.errors import Conflict, NotAllowed
from gm.reports.verify import MANIFEST, dump, manifest_of
from gm.store.base import Base
from gm.store.repositories import campaigns, paper, people, phases, submissions
from gm.store.tables import Campaign, Phase

Progress = Callable[[str], None]
PUBLIC_STATES = ("published", "void")


def export(
    services: Services, campaign: str, folder: Path, public: bool = False, progress: Progress | None = None
) -> int:
    """Write the archive into a folder that is empty or not there yet. Gives the number of files."""
    must_be_empty(folder)
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        if not public and row.gm_letter is not None and row.status != "finished":
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
    """Write the files, and give their number."""
    for path, content in sorted(files.items()):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if progress is not None:
            progress(path)
    return len(files)


def public_files(session: Session, campaign: Campaign) -> Iterator[tuple[str, bytes]]:
    yield "campaign.json", dump(_campaign(session, campaign))
    for phase in phases.history(session, campaign.id):
        yield f"phases/{phase.ordinal:03d}-{phase.turn:02d}-{phase.phase}.json", dump(_phase(session, phase))
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
        lines.append(_bell_line(session, bell))
    yield "bells/index.json", dump({"bells": lines})
    press = [_row(letter) for letter in paper.letters(session, campaign.id, "press") if letter.bell is not None]
    for piece in press:
        if piece["anonymous"]:
            piece["sender"] = ""
    yield "press.json", dump({"press": [{k: p[k] for k in _PRESS} for p in press]})


_PRESS = ("sender", "text", "dateline", "bell", "at")


def _campaign(session: Session, campaign: Campaign) -> dict[str, Any]:
    seats = people.seats_with_holders(session, campaign.id)
    return {
        "id": campaign.id,
        "dice_name": campaign.dice_name,
        "name": campaign.name,
        "paper": campaign.paper,
        "status": campaign.status,
        "options": campaign.options,
        "gamesmaster": campaign.gm_name,
        "gamesmaster_plays": campaign.gm_letter,
        "players": {seat.letter: holder.name if holder else "" for seat, holder in seats},
        "created_at": campaign.created_at.isoformat(),
        "made_by": f"kolokol {__version__}",
    }


def _phase(session: Session, phase: Phase) -> dict[str, Any]:
    """All of a Phase that is over; of one that is not, what players know."""
    key = phases.key_of(phase)
    dice = phases.dice(session, key)
    over = phase.state in PUBLIC_STATES
    outcome = phases.adjudication(session, key) if over else None
    orders = phases.sealed(session, key) if over else ()
    return {
        "turn": phase.turn,
        "phase": phase.phase,
        "incarnation": phase.incarnation,
        "ordinal": phase.ordinal,
        "state": phase.state if over else "open",
        "erratum": phase.erratum,
        "position": phase.position if over or phase.state in ("open", "grace", "sealed") else None,
        "opened_at": _time(phase.opened_at),
        "deadline": _time(phase.deadline),
        "published_at": _time(phase.published_at),
        "commitment": dice.commitment,
        "secret": dice.secret if over else None,
        "orders_digest": phase.orders_digest if over else None,
        "orders": {
            row.letter: {
                "text": row.text,
                "version": row.version,
                "salt": row.salt,
                "receipt": row.receipt,
                "source": row.source,
            }
            for row in orders
        },
        "outcome": outcome.outcome if outcome is not None else None,
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
        opened: Phase | None = reported
    elif bell.kind == "final":
        opened = None
    else:
        later = phases.since(session, bell.campaign_id, reported.ordinal + 1)
        opened = later[0] if later else None
    if opened is None or opened.phase in ("finished", "setup"):
        return []
    return [phases.dice(session, phases.key_of(opened)).commitment]


# --- private


def _private_files(session: Session, campaign: Campaign, now: datetime) -> Iterator[tuple[str, bytes]]:
    rows: dict[str, Sequence[Base]] = {
        "players": people.everyone(session, campaign.id),
        "seats": people.seats(session, campaign.id),
        "tenures": people.tenures(session, campaign.id),
        "submissions": submissions.all_of(session, campaign.id),
        "letters": paper.letters(session, campaign.id),
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


def _time(value: datetime | None) -> str | None:
    return value.isoformat() if value is not None else None
