"""A campaign as files: it verifies without the database, every changed byte is found and named, and it can move."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board.load import standard_board
from gm.bootstrap import bootstrap
from gm.campaign import archive, calendar, importing, intake, lifecycle, lookups, rollback
from gm.campaign.plain import PlainRenderer
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services, no_wake
from gm.errors import Conflict, Invalid, NotAllowed
from gm.notation import format_position
from gm.reports.verify import MANIFEST, dump, manifest_of, verify
from tests.campaign_fixtures import FIVE, FakeClock, settings_for, start, tick
from tests.support import examples

Files = dict[str, bytes]


def play(services: Services) -> str:
    """The deal, the trades, a First Phase that is rolled back, again with orders; the Second is open."""
    campaign = start(services)
    intake.submit(services, campaign, "A", "GIVE 1 PM TO B\nPRESS All for one.\nEND", source="web")
    calendar.close_early(services, campaign)
    tick(services)
    calendar.close_early(services, campaign)
    tick(services)
    rollback.rollback(services, campaign, 1, "first", "an order was misread")
    tick(services)
    for letter in "ABC":
        intake.submit(services, campaign, letter, "GIVE 1 AM TO D\nVOTE END\nnonsense", source="web")
    calendar.close_early(services, campaign)
    tick(services)
    intake.submit(services, campaign, "B", "VOTE CONTINUE", source="web")
    return campaign


@pytest.fixture(scope="module")
def exported(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Files, Files]:
    """The files of one campaign: in full, and for the public."""
    import shutil

    folder = tmp_path_factory.mktemp("archive")
    shutil.copy(sqlite_template, folder / "k.sqlite")
    services = bootstrap(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock(), renderer=PlainRenderer())
    campaign = play(services)
    archive.export(services, campaign, folder / "full")
    archive.export(services, campaign, folder / "public", public=True)
    services.close()
    return importing.read_files(folder / "full"), importing.read_files(folder / "public")


def test_an_archive_verifies_from_its_files_alone(exported: tuple[Files, Files]) -> None:
    for files in exported:
        verdict = verify(standard_board(), files)
        assert verdict.ok, verdict.findings
        assert (verdict.phases, verdict.bells) == (6, 5) and verdict.dice > 0 and verdict.receipts == 20


@given(data=st.data())
@settings(max_examples=examples(400, 120))
def test_one_changed_byte_anywhere_is_found_and_the_file_named(
    exported: tuple[Files, Files], data: st.DataObject
) -> None:
    files = dict(exported[data.draw(st.integers(0, 1), label="which")])
    path = data.draw(st.sampled_from(sorted(files)), label="file")
    content = bytearray(files[path])
    index = data.draw(st.integers(0, len(content) - 1), label="byte")
    content[index] ^= data.draw(st.integers(1, 255), label="change")
    files[path] = bytes(content)
    verdict = verify(standard_board(), files)
    assert not verdict.ok
    named = {finding.where for finding in verdict.findings}
    # A changed name or hash in the manifest is named there or at the file that it speaks of.
    assert path in named or path == MANIFEST


@given(data=st.data())
@settings(max_examples=examples(60, 20))
def test_a_missing_or_an_added_file_is_named(exported: tuple[Files, Files], data: st.DataObject) -> None:
    files = dict(exported[1])
    path = data.draw(st.sampled_from(sorted(set(files) - {MANIFEST})))
    del files[path]
    assert path in {finding.where for finding in verify(standard_board(), files).findings}
    files = {**exported[1], "bells/999.txt": b"forged"}
    assert "bells/999.txt" in {finding.where for finding in verify(standard_board(), files).findings}


def forge(files: Files, path: str, old: bytes, new: bytes) -> set[str]:
    """Change a file and the manifest with it, as a forger would; gives the checks that still fail."""
    assert old in files[path], old
    forged = {**files, path: files[path].replace(old, new, 1)}
    import json

    charter = json.loads(forged[MANIFEST])
    forged[MANIFEST] = manifest_of(forged, charter["chain"], charter["campaign"])
    return {finding.check for finding in verify(standard_board(), forged).findings}


def phase_file(files: Files, phase: str) -> str:
    return max(path for path in files if path.endswith(f"-{phase}.json"))


def test_a_forger_who_also_mends_the_manifest_is_caught_by_receipts_dice_and_seals(
    exported: tuple[Files, Files],
) -> None:
    files = exported[1]
    first = phase_file(files, "first")
    assert "receipt" in forge(files, first, b"VOTE END", b"VOTE CONTINUE")
    assert {"commitment", "salt"} <= forge(files, first, b'"secret": "', b'"secret": "00')
    assert "receipt" in forge(files, first, b'"salt": "', b'"salt": "00')
    assert "digest" in forge(files, first, b'"orders_digest": "', b'"orders_digest": "00')
    assert "dice" in forge(files, first, b'"occasion": "', b'"occasion": "x')
    assert "chain" in forge(files, "bells/002.txt", b"The Bell", b"The Gong")
    assert "outcome" in forge(files, first, b'"victory": null', b'"victory": "red"')
    assert "form" in forge(files, first, b'"schema": 1', b'"schema": 1, "schema": 1')


def test_a_die_that_was_changed_with_all_else_in_place_is_named_by_its_occasion(exported: tuple[Files, Files]) -> None:
    import json

    files = dict(exported[1])
    path = phase_file(files, "first")
    phase = json.loads(files[path])
    roll = next(roll for roll in phase["outcome"]["rolls"] if roll["dice"])
    roll["dice"] = [die % 6 + 1 for die in roll["dice"]]
    files[path] = dump(phase)
    charter = json.loads(files[MANIFEST])
    files[MANIFEST] = manifest_of(files, charter["chain"], charter["campaign"])
    findings = [finding for finding in verify(standard_board(), files).findings if finding.check == "dice"]
    assert any(roll["occasion"] in finding.detail for finding in findings)


def test_a_public_archive_holds_no_address_no_secret_and_no_orders_of_the_open_phase(
    exported: tuple[Files, Files],
) -> None:
    everything = b"\n".join(exported[1].values())
    assert b"@players.test" not in everything and not any(path.startswith("private/") for path in exported[1])
    import json

    current = json.loads(exported[1][max(path for path in exported[1] if path.startswith("phases/"))])
    assert current["state"] == "open" and current["secret"] is None and current["orders"] == {}


def test_a_campaign_moves_to_another_installation_and_plays_on(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = play(services)
    archive.export(services, campaign, tmp_path / "out")
    elsewhere = replace(settings_for(f"sqlite:///{tmp_path}/other.sqlite"), secret_key="another-" + "y" * 40)
    other = bootstrap(elsewhere, clock=clock, renderer=PlainRenderer(), wake=no_wake)
    assert importing.import_archive(other, tmp_path / "out") == campaign
    here, there = lookups.state(services, campaign), lookups.state(other, campaign)
    assert there.position == here.position and there.seats == here.seats and there.status == "paused"
    assert lookups.bell(other, campaign, 4).text == lookups.bell(services, campaign, 4).text
    calendar.resume(other, campaign)
    calendar.close_early(other, campaign)
    tick(other)
    assert lookups.outcome(other, campaign, 1, "second").results, "the orders on file came along"
    archive.export(other, campaign, tmp_path / "again", public=True)
    assert verify(standard_board(), importing.read_files(tmp_path / "again")).ok
    other.close()


def test_an_import_under_another_id_keeps_its_dice(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = play(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    with pytest.raises(Conflict):
        importing.import_archive(sqlite_services, tmp_path / "out")
    copy = importing.import_archive(sqlite_services, tmp_path / "out", as_id="copy")
    calendar.resume(sqlite_services, copy)
    calendar.close_early(sqlite_services, copy)
    tick(sqlite_services)
    archive.export(sqlite_services, copy, tmp_path / "copy")
    assert verify(standard_board(), importing.read_files(tmp_path / "copy")).ok


def test_a_forged_archive_is_not_imported(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = play(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    path = tmp_path / "out" / "private" / "players.json"
    path.write_text(path.read_text().replace("Anna", "Mallory"))
    with pytest.raises(Invalid, match=r"private/players\.json"):
        importing.import_archive(sqlite_services, tmp_path / "out", as_id="copy")


def test_an_export_does_not_write_over_anything(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = start(sqlite_services)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("dear diary")
    with pytest.raises(Conflict):
        archive.export(sqlite_services, campaign, tmp_path / "full")


def test_a_game_in_progress_begins_here_from_its_listing(services: Services) -> None:
    campaign = play(services)
    position = lookups.state(services, campaign).position
    moved = importing.import_bell(
        services,
        format_position(position),
        name="Moved here",
        players=FIVE,
        gm_name="G",
        gm_address="g@players.test",
        first_bell=17,
    )
    tick(services)
    state = lookups.state(services, moved)
    assert (state.status, state.turn, state.phase, state.bell_number) == ("running", 1, "second", 17)
    assert state.position == position
    calendar.close_early(services, moved)
    tick(services)
    assert lookups.state(services, moved).turn == 2


def test_a_listing_that_does_not_say_when_is_refused(sqlite_services: Services) -> None:
    text = "A  PETR: RL3 Lenin, RU8 PETR\n"
    people = [NewPlayer(name, f"{name}@x.test") for name in "ABC"]
    given = {"name": "x", "players": people, "gm_name": "G", "gm_address": "g@x.test"}
    with pytest.raises(Invalid, match="Phase"):
        importing.import_bell(sqlite_services, text, **given)
    assert importing.import_bell(sqlite_services, text, **given, turn=2, phase="first")


def test_a_campaign_that_the_gamesmaster_ended_verifies(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = play(sqlite_services)
    lifecycle.finish(sqlite_services, campaign, "enough")
    tick(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    verdict = verify(standard_board(), importing.read_files(tmp_path / "out"))
    assert verdict.ok, verdict.findings


def test_a_gamesmaster_who_plays_exports_what_is_public_only(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = lifecycle.create(
        sqlite_services, name="Own", players=FIVE, gm_name="Anna", gm_address=FIVE[0].address, gm_letter="A"
    )
    with pytest.raises(NotAllowed):
        archive.export(sqlite_services, campaign, tmp_path / "full")
    archive.export(sqlite_services, campaign, tmp_path / "public", public=True)
