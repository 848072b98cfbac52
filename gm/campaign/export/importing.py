"""Importing a campaign: from an exported folder, or in mid-game from a position listing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.exc import DataError, IntegrityError, OperationalError, StatementError
from sqlalchemy.orm import Session

from gm.board.load import packed
from gm.board.model import Board
from gm.board.pack import PackFiles
from gm.campaign import boards, keys
from gm.campaign import options as campaign_options
from gm.campaign.export.archive import public_files
from gm.campaign.export.folder import read_files
from gm.campaign.export.rows import HINT, odd, read, read_rows, values_of
from gm.campaign.export.taken_over import check_taken_over
from gm.campaign.mailbox import letters
from gm.campaign.manage.creation import (
    add_campaign,
    add_seats,
    beacon_for,
    needs_standin,
    seat_players,
    taken_id,
    welcome,
)
from gm.campaign.options import CampaignOptions
from gm.campaign.phase import awaited
from gm.campaign.phase.filing import file_ahead
from gm.campaign.phase.opening import draw, prepare, stand_at
from gm.campaign.phase.rollback import begin_again
from gm.campaign.ports import NewPlayer
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import hash_of, seat_token
from gm.campaign.transaction import Transaction, record
from gm.errors import GmError, Invalid
from gm.notation import read_position
from gm.position import Phase as PhaseName
from gm.position import Position
from gm.reports.proof.verify import MANIFEST, pack_of, verify
from gm.reports.render.text import listing
from gm.store import tables
from gm.store.base import Base
from gm.store.mail_tables import Audit
from gm.store.repositories import campaigns, paper, phases, submissions
from gm.wording import word_list

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?")
Rows = list[dict[str, Any]]
PLAYED = (PhaseName.FIRST, PhaseName.SECOND, PhaseName.PREGAME)
# In the order in which their rows depend on one another.
ROWS: tuple[tuple[str, type[Base]], ...] = (
    ("players", tables.PlayerRow),
    ("seats", tables.SeatRow),
    ("tenures", tables.Tenure),
    ("phases", tables.PhaseRow),
    ("dice", tables.Dice),
    ("submissions", tables.Submission),
    ("sealed_orders", tables.SealedOrders),
    ("adjudications", tables.Adjudication),
    ("waits", tables.Wait),
    ("decisions", tables.DecisionRow),
    ("letters", tables.Letter),
    ("proposals", tables.Proposal),
    ("requests", tables.Request),
    ("bells", tables.Bell),
    ("audit", Audit),
)
# Columns that name a row of another table by its number, which is another here.
REFERENCES = {"player_id": "players", "submission_id": "submissions", "in_reply_to": "letters"}


def import_archive(services: Services, folder: Path, as_id: str | None = None, actor: str = GM) -> str:
    """Take over an exported campaign. It is paused: resume it when the players know the new address."""
    files = read_files(folder)
    try:
        return _import(services, files, as_id, actor)
    except (GmError, OperationalError):  # a database that is away is no fault of the archive
        raise
    except Exception as error:
        what = f"the private files cannot be taken over ({type(error).__name__})"
        raise Invalid("archive", what, HINT) from error


def _import(services: Services, files: Mapping[str, bytes], as_id: str | None, actor: str) -> str:
    verdict = verify(files)
    if not verdict.ok:
        problems = [str(finding) for finding in verdict.findings]
        raise Invalid(
            "archive", f"the archive does not verify: {problems[0]}", "gm verify tells more", problems=problems
        )
    if "private/campaign.json" not in files:
        raise Invalid("archive", "this is a public archive: nobody could go on playing from it", "export it in full")
    charter = _charter(files)
    rows = {name: read_rows(files, name, table) for name, table in ROWS}
    with services.store.write() as session:
        campaign = _insert_campaign(services, session, charter, as_id)
        campaign.pack = boards.keep(session, boards.valid_pack(pack_of(files)))
        _insert_rows(services, session, campaign, files, rows)
        _compare(session, campaign, files)
        check_taken_over(session, campaign)
        _keeps_its_name(session, campaign)
        work = Transaction(services, session, campaign, actor)
        _redraw(work)
        _rearm(work)
        work.post()
        record(session, campaign.id, services.clock.now(), actor, "import", source=charter["row"]["id"])
        return campaign.id


def _charter(files: Mapping[str, bytes]) -> dict[str, Any]:
    """The campaign's own row, which has to say what the public files say of it."""
    path = "private/campaign.json"
    charter = read(files, path)
    if not isinstance(charter, dict) or not isinstance(charter.get("row"), dict):
        raise odd(path, "is no campaign")
    public, manifest = read(files, "campaign.json"), read(files, MANIFEST)
    row = values_of(tables.Campaign, charter["row"], path)
    if (row["status"], row.get("chain")) != (public["status"], manifest["chain"]):
        raise odd(path, "status or seal are not those of the public files")
    try:
        exported = datetime.fromisoformat(charter["exported_at"])
    except (KeyError, TypeError, ValueError):
        raise odd(path, "does not say when it was exported") from None
    if exported.tzinfo is None:
        raise odd(path, "does not say when it was exported")
    return {"row": row, "exported_at": exported}


def _insert_campaign(services: Services, session: Session, charter: Mapping[str, Any], as_id: str | None) -> Any:
    values = dict(charter["row"])
    wanted = as_id or str(values.get("id"))
    if not _ID.fullmatch(wanted):
        raise Invalid("id", f"{wanted[:80]!r} cannot be the id of a campaign", "small letters, digits and dashes")
    if campaigns.get(session, wanted) is not None:
        raise taken_id(wanted)
    values["id"] = wanted
    values["gm_token_hash"] = hash_of(seat_token(services.secret_key, wanted, GM, values["gm_generation"]))
    values["last_event_at"] = services.clock.now()
    if values["status"] == "running":
        values["status"] = "paused"
        values["paused_at"] = charter["exported_at"]
        values["pause_reason"] = None
    campaign = tables.Campaign(**values)
    session.add(campaign)
    session.flush()
    return campaign


def _insert_rows(
    services: Services, session: Session, campaign: Any, files: Mapping[str, bytes], rows: Mapping[str, Rows]
) -> None:
    numbers: dict[str, dict[int, int]] = {}
    for name, table in ROWS:
        numbers[name] = {}
        for place, values in enumerate(rows[name], 1):
            values["campaign_id"] = campaign.id
            old = values.pop("id", None)
            values.pop("inbox_id", None)  # the raw mail stays where it came in
            for column, other in REFERENCES.items():
                if values.get(column) is not None and column in inspect(table).column_attrs:
                    if values[column] not in numbers[other]:
                        raise odd(f"private/{name}.json, row {place}", f"{column} names no row of {other}")
                    values[column] = numbers[other][values[column]]
            if table is tables.SeatRow:
                token = seat_token(services.secret_key, campaign.id, values["letter"], values["generation"])
                values["token_hash"] = hash_of(token)
            if table is tables.Bell:
                stem = f"bells/{values['number']:03d}"
                values["png"] = files.get(f"{stem}.png")
                values["chart"] = files.get(f"{stem}-barometer.png")
            row = table(**values)
            session.add(row)
            try:
                session.flush()
            except (IntegrityError, DataError, StatementError) as error:
                if isinstance(error, OperationalError):
                    raise
                raise odd(f"private/{name}.json, row {place}", "does not fit the other rows") from error
            if old is not None:
                numbers[name][old] = row.id  # type: ignore[attr-defined]


def _compare(session: Session, campaign: Any, files: Mapping[str, bytes]) -> None:
    """Check that the private files lead to the same campaign as the public ones, which everybody has."""
    for path, made in public_files(session, campaign):
        told = files.get(path)
        if told is None or _comparable(path, made) != _comparable(path, told):
            hint = "somebody changed one of them: take the archive from where it was exported"
            raise Invalid("archive", f"the private files say something else than the public {path}", hint)


def _comparable(path: str, content: bytes) -> object:
    """A campaign without what an import changes; Phases and issues with what older archives did not write."""
    if path == "campaign.json":
        charter = json.loads(content)
        return {name: value for name, value in charter.items() if name not in ("id", "status", "made_by")}
    if path.startswith("phases/"):
        phase = json.loads(content)
        if phase["state"] == "void":  # older archives did not write those of a Phase that was never judged
            phase.pop("corrections", None)
        judged_by = 1 if phase["outcome"] is not None else None
        return {"reading": judged_by, "dice": judged_by, **phase}
    if path == "bells/index.json":
        return [{"void": False, **line} for line in json.loads(content)["bells"]]
    return content


def _redraw(work: Transaction) -> None:
    """Draw again what was not rolled yet: whoever kept the campaign before us knew the secret.

    Of a Phase that is open the hash was printed, so it begins again: the next issue says why and prints the new hash,
    and orders on file wait for it. Of one that is still to open nothing was printed yet.
    """
    session, phase = work.session, work.phase
    if work.campaign.status == "paused" and phase.state in ("open", "grace"):
        standing = awaited.counting(submissions.entries(session, phases.key_of(phase)))
        begin_again(work, phase, word_list("bell/words")["moved"])
        for letter, entry in sorted(standing.items()):
            sent = submissions.get(session, entry.id)
            assert sent is not None
            letters.withdraw(work, sent.id)  # its press is filed again with it
            file_ahead(work, letter, sent.canonical, phase.turn, phase.phase, keys.once("moved", entry.id))
        return
    for row in phases.history(session, work.campaign.id, "pending"):
        draw(work, phases.dice(session, phases.key_of(row)))
    if work.campaign.status == "inviting":  # its hash and the name of its dice stood in the invitations
        dice = phases.dice(session, phases.key_of(phase))
        draw(work, dice)
        work.campaign.dice_name = work.campaign.id
        facts = {"commitment": dice.commitment, "dice_name": work.campaign.dice_name}
        for seat, _ in work.table:
            work.tell(seat.letter, "redrawn", dice.commitment, **facts)


def _keeps_its_name(session: Session, campaign: Any) -> None:
    """The first issue stands at the address that the invitations named, and its dice are named after it."""
    sealed = campaign.status != "inviting" and phases.current(session, campaign).state not in ("open", "pending")
    if campaign.id != campaign.dice_name and sealed and not paper.bell_lines(session, campaign.id):
        what = f"its deal is sealed under the name {campaign.dice_name!r}, and no issue has told that yet"
        raise Invalid("id", what, "import it under that id, or when its first issue is out")


def _rearm(work: Transaction) -> None:
    """Set the alarms of the present Phase; they do nothing until the campaign is resumed."""
    phase = work.phase
    kind = {"open": "close", "grace": "close", "sealed": "adjudicate", "adjudicated": "publish", "pending": "publish"}
    if phase.state in kind and work.campaign.status == "paused":
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
    options: Mapping[str, Any] | CampaignOptions | None = None,
    id: str | None = None,
    paper: str = "The Bell",
    first_bell: int = 1,
    pack: PackFiles = (),
    actor: str = GM,
) -> str:
    """Start in mid-game from a listing in Bell notation: the next issue announces it, and its Phase opens."""
    chosen = options if isinstance(options, CampaignOptions) else campaign_options.from_mapping(options or {})
    if chosen.nmr == "standin":
        needs_standin(services)
    beacon = beacon_for(services, chosen)
    seated = seat_players(services, name, players, gm_address, None)
    pack = boards.new_pack(pack)
    position = listed_position(packed(pack), text, tuple(sorted(seated)), turn, phase)
    with services.store.write() as session:
        campaign = add_campaign(
            services, session, id=id, name=name, paper=paper, gm_name=gm_name, gm_address=gm_address, options=chosen
        )
        campaign.pack = boards.keep(session, pack)
        campaign.status = "running"
        campaign.beacon = beacon
        campaign.next_bell = first_bell
        work = Transaction(services, session, campaign, actor)
        add_seats(work, seated, "held")
        begun = prepare(work, position)
        stand_at(work, begun)
        work.alarm("publish", work.now, begun)
        welcome(work)
        work.post()
        work.audit("import-bell", name=name, turn=position.turn, phase=position.phase, position=position.digest)
        created = campaign.id
    services.wake(services.clock.now(), True)
    return created


def listed_position(board: Board, text: str, players: tuple[str, ...], turn: int | None, phase: str | None) -> Position:
    """The listing as a Position in which players can order; its own TURN line counts, else what was said."""
    if phase is not None and phase not in PLAYED:
        raise Invalid("phase", f"{phase!r} is no Phase that players order for", f"say {', '.join(PLAYED)}")
    text = listing(text) or text  # a whole Bell, or its positions alone
    given = PhaseName(phase) if phase is not None else PhaseName.SETUP
    position = read_position(board, text, players, turn=turn or 0, phase=given)
    if position.phase not in PLAYED or (position.turn < 1 and position.phase is not PhaseName.PREGAME):
        raise Invalid("phase", "the listing does not say in which Phase the game stands", "give turn and Phase")
    return position
