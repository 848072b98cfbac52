"""Sheets that nobody sent, and those of seats that are left: they follow from what is on record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gm.adjudicator.engine.options import game_options
from gm.campaign.export import archive, importing
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake, sealing
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.campaign.transaction import at_work
from gm.reports.proof.fairness import digest_of, receipt_of, salt_of
from gm.reports.proof.own_copy import find_receipt
from gm.reports.proof.verify import verify
from gm.store.repositories import phases
from tests.campaign_fixtures import start, tick

Files = dict[str, bytes]


def exported(services: Services, campaign: str, folder: Path) -> Files:
    archive.export(services, campaign, folder, public=True)
    return importing.read_files(folder)


def sealed_as(services: Services, campaign: str, text: str, source: str) -> None:
    """Whoever keeps the server writes C's sheet himself, after sealing, with all that follows from it."""
    with at_work(services, campaign, "keeper") as work:
        phase = work.phase
        key = phases.key_of(phase)
        rows = {row.letter: row for row in phases.sealed(work.session, key)}
        salt = salt_of(work.secret(key), work.campaign.dice_name, phase.turn, phase.phase, "C", 0)
        row = rows["C"]
        row.text, row.counted, row.version, row.salt, row.source = text, text, 0, salt, source
        row.receipt = receipt_of(salt, text)
        options = game_options(work.campaign.options)
        phase.orders_digest = digest_of({p: r.counted or "" for p, r in rows.items()}, options, work.board)


def sealed(services: Services, campaign: str) -> None:
    with at_work(services, campaign, "keeper") as work:
        sealing.seal(work, work.phase)


@pytest.fixture
def campaign(sqlite_services: Services) -> str:
    made = start(sqlite_services, grace_hours=0)
    intake.submit(sqlite_services, made, "C", "STANDING COUNTERPURGE\nVOTE END", source="web")
    deadlines.close_early(sqlite_services, made)
    tick(sqlite_services)
    assert lookups.state(sqlite_services, made).phase == "first"
    return made


@pytest.mark.parametrize(("text", "source"), [("", "none"), ("VOTE CONTINUE", "standing")])
def test_standing_orders_can_neither_be_dropped_nor_invented(
    sqlite_services: Services, campaign: str, tmp_path: Path, text: str, source: str
) -> None:
    sealed(sqlite_services, campaign)
    sealed_as(sqlite_services, campaign, text, source)
    tick(sqlite_services)
    found = [str(finding) for finding in verify(exported(sqlite_services, campaign, tmp_path / "x")).findings]
    assert any("the orders of C are not those that stood from the Phase before" in said for said in found), found


def test_a_seat_that_is_left_keeps_the_receipt_of_what_it_had_on_file(
    sqlite_services: Services, campaign: str, tmp_path: Path
) -> None:
    orders = {letter: intake.submit(sqlite_services, campaign, letter, "VOTE END", source="web") for letter in "CD"}
    holders.remove(sqlite_services, campaign, "C", "silent")
    holders.resign(sqlite_services, campaign, "D")
    deadlines.close_early(sqlite_services, campaign)
    tick(sqlite_services)
    files = exported(sqlite_services, campaign, tmp_path / "x")
    assert verify(files).ok, verify(files).findings
    phase = json.loads(next(files[path] for path in files if path.endswith("01-first.json")))
    assert phase["outcome"]["after"]["position"]["quitters"] == ["C", "D"]
    for letter, receipt in orders.items():
        kept = phase["orders"][letter]
        assert (kept["version"], kept["receipt"]) == (1, receipt.receipt) and "RESIGN" not in kept["text"]
        assert kept["counted"].endswith("\nRESIGN")
        found = find_receipt(files, receipt.receipt)
        assert found is not None and found.counted and found.player == letter


def test_the_orders_of_a_seat_that_is_left_cannot_be_written_anew(
    sqlite_services: Services, campaign: str, tmp_path: Path
) -> None:
    receipt = intake.submit(sqlite_services, campaign, "C", "VOTE CONTINUE", source="web").receipt
    holders.remove(sqlite_services, campaign, "C", "silent")
    sealed(sqlite_services, campaign)
    sealed_as(sqlite_services, campaign, "VOTE END\nRESIGN", "removed")
    tick(sqlite_services)
    files = exported(sqlite_services, campaign, tmp_path / "x")
    found = [str(finding) for finding in verify(files).findings]
    assert any("do not have the receipt that was given for them" in said for said in found), found
    assert find_receipt(files, receipt) is None


def test_a_receipt_of_before_is_found_in_what_was_sealed_anew(
    sqlite_services: Services, campaign: str, tmp_path: Path
) -> None:
    done = intake.submit(sqlite_services, campaign, "C", "VOTE END", source="web")
    holders.remove(sqlite_services, campaign, "C", "silent")
    sealed(sqlite_services, campaign)
    with sqlite_services.store.read() as session:
        row = phases.sealed(session, phases.key_of(phases.history(session, campaign)[-1]))[2]
        text = f"{row.text}\nRESIGN"
    sealed_as(sqlite_services, campaign, text, "removed")
    tick(sqlite_services)
    found = find_receipt(exported(sqlite_services, campaign, tmp_path / "x"), done.receipt)
    assert found is not None and found.counted
