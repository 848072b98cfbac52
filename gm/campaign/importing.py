"""A campaign comes from elsewhere: from an exported folder, or in mid-game from a position listing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Date, inspect
from sqlalchemy.orm import Session

from gm.campaign import options as campaign_options
from gm.campaign.lifecycle import add_campaign, add_seats, needs_standin, seat_players, taken_id
from gm.campaign.opening import prepare, stand_at
from gm.campaign.options import Options
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.campaign.tokens import GM, hash_of, seat_token
from gm.campaign.work import Work, record
from gm.errors import Invalid
from gm.notation import read_position
from gm.position import Phase as PhaseName
from gm.position import Position
from gm.reports.verify import MANIFEST, verify
from gm.store import tables
from gm.store.base import Base
from gm.store.mail_tables import Audit
from gm.store.repositories import campaigns, phases
from gm.store.types import UtcDateTime

PLAYED = (PhaseName.FIRST, PhaseName.SECOND, PhaseName.PREGAME)
# In the order in which their rows depend on one another.
ROWS: tuple[tuple[str, type[Base]], ...] = (
    ("players", tables.Player),
    ("seats", tables.Seat),
    ("tenures", tables.Tenure),
    ("phases", tables.Phase),
    ("dice", tables.Dice),
    ("submissions", tables.Submission),
    ("sealed_orders", tables.SealedOrders),
    ("adjudications", tables.Adjudication),
    ("waits", tables.Wait),
    ("decisions", tables.Decision),
    ("letters", tables.Letter),
    ("requests", tables.Request),
    ("bells", tables.Bell),
    ("audit", Audit),
)
# Columns that name a row of another table by its number, which is another here.
REFERENCES = {"player_id": "players", "submission_id": "submissions", "in_reply_to": "letters"}


def archive_paths(folder: Path) -> list[Path]:
    if not (folder / MANIFEST).is_file():
        raise Invalid("archive", f"{folder} holds no archive", "name the folder that gm export wrote")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def read_files(folder: Path) -> dict[str, bytes]:
    """All files of an archive by their path in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in archive_paths(folder)}


def import_archive(services: Services, folder: Path, as_id: str | None = None, actor: str = GM) -> str:
    """Take over an exported campaign. It is paused: resume it when the players know the new address."""
    files = read_files(folder)
    verdict = verify(services.board, files)
    if not verdict.ok:
        problems = [str(finding) for finding in verdict.findings]
        raise Invalid(
            "archive", f"the archive does not verify: {problems[0]}", "gm verify tells more", problems=problems
        )
    if "private/campaign.json" not in files:
        raise Invalid("archive", "this is a public archive: nobody could go on playing from it", "export it in full")
    charter = json.loads(files["private/campaign.json"])
    with services.store.write() as session:
        campaign = _insert_campaign(services, session, charter, as_id)
        _insert_rows(services, session, campaign, files)
        _rearm(services, session, campaign)
        record(session, campaign.id, services.clock.now(), actor, "import", source=charter["row"]["id"])
        return campaign.id


def _insert_campaign(services: Services, session: Session, charter: Mapping[str, Any], as_id: str | None) -> Any:
    row = dict(charter["row"])
    wanted = as_id or row["id"]
    if campaigns.get(session, wanted) is not None:
        raise taken_id(wanted)
    values = _values(tables.Campaign, row)
    values["id"] = wanted
    values["gm_token_hash"] = hash_of(seat_token(services.secret_key, wanted, GM, values["gm_generation"]))
    values["last_event_at"] = services.clock.now()
    if values["status"] == "running":
        values["status"] = "paused"
        values["paused_at"] = datetime.fromisoformat(charter["exported_at"])
        values["pause_reason"] = None
    campaign = tables.Campaign(**values)
    session.add(campaign)
    session.flush()
    return campaign


def _insert_rows(services: Services, session: Session, campaign: Any, files: Mapping[str, bytes]) -> None:
    numbers: dict[str, dict[int, int]] = {}
    for name, table in ROWS:
        numbers[name] = {}
        for raw in json.loads(files[f"private/{name}.json"]):
            values = _values(table, raw)
            values["campaign_id"] = campaign.id
            old = values.pop("id", None)
            values.pop("inbox_id", None)  # the raw mail stays where it came in
            for column, other in REFERENCES.items():
                if isinstance(values.get(column), int):
                    values[column] = numbers[other].get(values[column])
            if table is tables.Seat:
                token = seat_token(services.secret_key, campaign.id, values["letter"], values["generation"])
                values["token_hash"] = hash_of(token)
            if table is tables.Bell:
                stem = f"bells/{values['number']:03d}"
                values["png"] = files.get(f"{stem}.png")
                values["chart"] = files.get(f"{stem}-barometer.png")
            row = table(**values)
            session.add(row)
            session.flush()
            if old is not None:
                numbers[name][old] = row.id  # type: ignore[attr-defined]


def _values(table: type[Base], raw: Mapping[str, Any]) -> dict[str, Any]:
    """JSON back to what the columns hold; what this version does not know is left out."""
    values: dict[str, Any] = {}
    for attribute in inspect(table).column_attrs:
        if attribute.key not in raw:
            continue
        value = raw[attribute.key]
        kind = attribute.columns[0].type
        if value is not None and isinstance(kind, UtcDateTime):
            value = datetime.fromisoformat(value)
        elif value is not None and isinstance(kind, Date):
            value = date.fromisoformat(value)
        values[attribute.key] = value
    return values


def _rearm(services: Services, session: Session, campaign: Any) -> None:
    """Set the alarms of the Phase in which it stands; they sleep until it is resumed."""
    work = Work(services, session, campaign, GM)
    phase = phases.current(session, campaign)
    kind = {"open": "close", "grace": "close", "sealed": "adjudicate", "adjudicated": "publish", "pending": "publish"}
    if phase.state in kind and campaign.status == "paused":
        work.alarm(kind[phase.state], None, phase)


def import_bell(
    services: Services,
    text: str,
    *,
    name: str,
    players: Sequence[NewPlayer],
    gm_name: str,
    gm_address: str,
    turn: int | None = None,
    phase: str | None = None,
    options: Mapping[str, Any] | Options | None = None,
    id: str | None = None,
    paper: str = "The Bell",
    first_bell: int = 1,
    actor: str = GM,
) -> str:
    """Start in mid-game from a listing in Bell notation: the next issue announces it, and its Phase opens."""
    chosen = options if isinstance(options, Options) else campaign_options.from_mapping(options or {})
    if chosen.nmr == "standin":
        needs_standin(services)
    seated = seat_players(name, players, gm_address, None)
    position = listed_position(services, text, tuple(sorted(seated)), turn, phase)
    with services.store.write() as session:
        campaign = add_campaign(
            services, session, id=id, name=name, paper=paper, gm_name=gm_name, gm_address=gm_address, options=chosen
        )
        campaign.status = "running"
        campaign.next_bell = first_bell
        work = Work(services, session, campaign, actor)
        add_seats(work, seated, "held")
        begun = prepare(work, position)
        stand_at(work, begun)
        work.alarm("publish", work.now, begun)
        work.audit("import-bell", name=name, turn=position.turn, phase=position.phase, position=position.digest)
        created = campaign.id
    services.wake(services.clock.now(), True)
    return created


def listed_position(
    services: Services, text: str, players: tuple[str, ...], turn: int | None, phase: str | None
) -> Position:
    """The listing as a Position in which players can order; its own TURN line counts, else what was said."""
    if phase is not None and phase not in PLAYED:
        raise Invalid("phase", f"{phase!r} is no Phase that players order for", f"say {', '.join(PLAYED)}")
    given = PhaseName(phase) if phase is not None else PhaseName.SETUP
    position = read_position(services.board, text, players, turn=turn or 0, phase=given)
    if position.phase not in PLAYED or (position.turn < 1 and position.phase is not PhaseName.PREGAME):
        raise Invalid("phase", "the listing does not say in which Phase the game stands", "give turn and Phase")
    return position
