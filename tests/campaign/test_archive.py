"""A campaign as files: it verifies without the database, every changed byte is found and named, and it can move."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.adjudicator.chance import commitment
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import intake, rollback
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import Services, no_wake
from gm.cli import main
from gm.errors import Conflict, Invalid, NotAllowed
from gm.notation import format_position
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.fairness import dump
from gm.reports.proof.verify import MANIFEST, manifest_of, verify
from gm.store.repositories import campaigns, phases
from tests.campaign_fixtures import FIVE, FakeClock, installed, settings_for, start, tick
from tests.support import examples

Files = dict[str, bytes]


def play(services: Services) -> str:
    """The deal, the trades, a First Phase that is rolled back, again with orders; the Second is open."""
    campaign = start(services)
    intake.submit(services, campaign, "A", "GIVE 1 PM TO B\nPRESS All for one.\nEND", source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    deadlines.close_early(services, campaign)
    tick(services)
    rollback.rollback(services, campaign, 1, "first", "an order was misread")
    tick(services)
    for letter in "ABC":
        intake.submit(services, campaign, letter, "GIVE 1 AM TO D\nVOTE END\nnonsense", source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    intake.submit(services, campaign, "B", "VOTE CONTINUE", source="web")
    return campaign


@pytest.fixture(scope="module")
def exported(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Files, Files]:
    """The files of one campaign: in full, and for the public."""
    import shutil

    folder = tmp_path_factory.mktemp("archive")
    shutil.copy(sqlite_template, folder / "k.sqlite")
    services = installed(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock(), renderer=PlainRenderer())
    campaign = play(services)
    archive.export(services, campaign, folder / "full")
    archive.export(services, campaign, folder / "public", public=True)
    services.close()
    return importing.read_files(folder / "full"), importing.read_files(folder / "public")


def test_an_archive_verifies_from_its_files_alone(exported: tuple[Files, Files]) -> None:
    for files in exported:
        verdict = verify(files)
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
    verdict = verify(files)
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
    assert path in {finding.where for finding in verify(files).findings}
    files = {**exported[1], "bells/999.txt": b"forged"}
    assert "bells/999.txt" in {finding.where for finding in verify(files).findings}


def forge(files: Files, path: str, old: bytes, new: bytes) -> set[str]:
    """Change a file and the manifest with it, as a forger would; gives the checks that still fail."""
    assert old in files[path], old
    forged = {**files, path: files[path].replace(old, new, 1)}
    charter = json.loads(forged[MANIFEST])
    forged[MANIFEST] = manifest_of(forged, charter["chain"], charter["campaign"])
    return {finding.check for finding in verify(forged).findings}


def phase_file(files: Files, phase: str) -> str:
    return max(path for path in files if path.endswith(f"-{phase}.json"))


def test_a_forger_who_also_mends_the_manifest_is_caught_by_receipts_dice_and_seals(
    exported: tuple[Files, Files],
) -> None:
    files = exported[1]
    first = phase_file(files, "first")
    assert "receipt" in forge(files, first, rb"VOTE END\nnonsense", rb"VOTE CONTINUE\nnonsense")
    assert {"commitment", "salt"} <= forge(files, first, b'"secret": "', b'"secret": "00')
    assert "receipt" in forge(files, first, b'"salt": "', b'"salt": "00')
    assert "digest" in forge(files, first, b'"orders_digest": "', b'"orders_digest": "00')
    assert "dice" in forge(files, first, b'"occasion": "', b'"occasion": "x')
    assert "chain" in forge(files, "bells/002.txt", b"The Bell", b"The Gong")
    assert "outcome" in forge(files, first, b'"victory": null', b'"victory": "red"')
    assert "form" in forge(files, first, b'"schema": 1', b'"schema": 1, "schema": 1')


def test_a_die_that_was_changed_with_all_else_in_place_is_named_by_its_occasion(exported: tuple[Files, Files]) -> None:
    files = dict(exported[1])
    path = phase_file(files, "first")
    phase = json.loads(files[path])
    roll = next(roll for roll in phase["outcome"]["rolls"] if roll["dice"])
    roll["dice"] = [die % 6 + 1 for die in roll["dice"]]
    files[path] = dump(phase)
    charter = json.loads(files[MANIFEST])
    files[MANIFEST] = manifest_of(files, charter["chain"], charter["campaign"])
    findings = [finding for finding in verify(files).findings if finding.check == "dice"]
    assert any(roll["occasion"] in finding.detail for finding in findings)


def swapped(services: Services, campaign: str, folder: Path) -> Files:
    """An archive whose keeper changed the dice of an open Phase in the database, and hid it from the index."""
    secret = "5e" * 32
    with services.store.write() as session:
        phase = phases.current(session, campaigns.get(session, campaign))
        dice = phases.dice(session, phases.key_of(phase))
        dice.secret, dice.commitment = secret, commitment(bytes.fromhex(secret))
    deadlines.close_early(services, campaign)
    tick(services)
    archive.export(services, campaign, folder, public=True)
    files = importing.read_files(folder)
    index = json.loads(files["bells/index.json"])
    for line in index["bells"]:
        line["commitments"] = []
    files["bells/index.json"] = dump(index)
    charter = json.loads(files[MANIFEST])
    return {**files, MANIFEST: manifest_of(files, charter["chain"], charter["campaign"])}


def test_an_index_without_commitments_does_not_hide_dice_that_were_swapped(
    sqlite_services: Services, tmp_path: Path
) -> None:
    campaign = start(sqlite_services)
    files = swapped(sqlite_services, campaign, tmp_path / "out")
    findings = verify(files).findings
    assert [(f.where, f.check) for f in findings] == [
        ("phases/001-00-pregame.json", "commitment"),
        ("bells/001.txt", "announced"),
        ("bells/index.json", "index"),
    ]
    assert "did not stand in the Bell that opened it, #1" in findings[0].detail


def without(files: Files, *gone: str) -> Files:
    """As somebody would leave something out: index and manifest fit."""
    left = {path: content for path, content in files.items() if not path.startswith(gone)}
    index = json.loads(left["bells/index.json"])
    index["bells"] = [line for line in index["bells"] if f"bells/{line['number']:03d}.txt" in left]
    left["bells/index.json"] = dump(index)
    chain = index["bells"][-1]["chain"]
    return {**left, MANIFEST: manifest_of(left, chain, json.loads(files[MANIFEST])["campaign"])}


def test_gaps_are_found_and_phases_that_were_begun_again_are_told(exported: tuple[Files, Files]) -> None:
    public = exported[1]
    notes = verify(public).notes
    assert "turn 1, first: void: an order was misread" in notes and any("invitations" in note for note in notes)
    left_out = verify(without(public, "bells/003")).findings
    assert any(f.check == "gap" and "#2 and #4" in f.detail for f in left_out)
    void = next(path for path in public if path.startswith("phases/002-"))
    assert any(f.check == "gap" for f in verify(without(public, void)).findings)


def test_a_player_asks_for_his_own_receipt(
    sqlite_services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = start(sqlite_services)
    old = intake.submit(sqlite_services, campaign, "A", "GIVE 1 PM TO B", source="web").receipt
    new = intake.submit(sqlite_services, campaign, "A", "GIVE 1 PM TO C", source="web").receipt
    deadlines.close_early(sqlite_services, campaign)
    tick(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    said = {}
    for receipt in (new, old, "0" * 64):
        with pytest.raises(SystemExit) as end:
            main(["verify", str(tmp_path / "out"), "--receipt", receipt])
        said[receipt] = (end.value.code, " ".join(capsys.readouterr().out.split()))
    assert said[new][0] == 0 and "receipt of A, turn 0, pregame, version 2: these orders were sealed" in said[new][1]
    assert "GIVE 1 PM TO C" in said[new][1]
    assert said[old][0] == 1 and "not what was sealed" in said[old][1]
    assert said["0" * 64][0] == 1 and "no orders in this archive" in said["0" * 64][1]


def test_a_public_archive_holds_no_address_no_secret_and_no_orders_of_the_open_phase(
    exported: tuple[Files, Files],
) -> None:
    everything = b"\n".join(exported[1].values())
    assert b"@players.test" not in everything and not any(path.startswith("private/") for path in exported[1])
    current = json.loads(exported[1][max(path for path in exported[1] if path.startswith("phases/"))])
    assert current["state"] == "open" and current["secret"] is None and current["orders"] == {}


def test_a_campaign_moves_to_another_installation_and_plays_on(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = play(services)
    archive.export(services, campaign, tmp_path / "out")
    elsewhere = replace(settings_for(f"sqlite:///{tmp_path}/other.sqlite"), secret_key="another-" + "y" * 40)
    other = installed(elsewhere, clock=clock, renderer=PlainRenderer(), wake=no_wake)
    assert importing.import_archive(other, tmp_path / "out") == campaign
    here, there = lookups.state(services, campaign), lookups.state(other, campaign)
    assert there.position == here.position and there.status == "paused"
    assert [seat.address for seat in there.seats] == [seat.address for seat in here.seats]
    assert lookups.bell(other, campaign, 4).text == lookups.bell(services, campaign, 4).text
    deadlines.resume(other, campaign)
    tick(other)
    there = lookups.state(other, campaign)
    assert there.seats == here.seats, "the orders on file came along"
    assert there.commitment != here.commitment, "who kept it before knew the secret"
    notice = lookups.bell(other, campaign, here.bell_number + 1)
    assert there.commitment in notice.text and "moved to another installation" in notice.text
    mailed = [mail for mail in outbox.listing(other, campaign) if mail.kind == "bell"]
    assert len(mailed) == 6 and all(there.commitment in mail.text for mail in mailed), "five players and Gregor"
    deadlines.close_early(other, campaign)
    tick(other)
    assert lookups.outcome(other, campaign, 1, "second").results, "the orders on file came along"
    archive.export(other, campaign, tmp_path / "again", public=True)
    verdict = verify(importing.read_files(tmp_path / "again"))
    assert verdict.ok, verdict.findings
    assert any("void: The campaign has moved" in note for note in verdict.notes)
    other.close()


def test_a_campaign_that_moves_before_the_deal_has_its_deal_drawn_anew(
    sqlite_services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = creation.create(
        sqlite_services, name="Early", players=FIVE, gm_name="Gregor", gm_address="g@players.test"
    )
    archive.export(sqlite_services, campaign, tmp_path / "out")
    copy = importing.import_archive(sqlite_services, tmp_path / "out", as_id="copy")
    told = {row.text for row in outbox.listing(sqlite_services, copy) if row.kind == "redrawn"}
    new = lookups.state(sqlite_services, copy).commitment
    assert new != lookups.state(sqlite_services, campaign).commitment
    assert len(told) == 5 and all(new in text for text in told)


def test_an_import_under_another_id_keeps_its_dice(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = play(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    with pytest.raises(Conflict):
        importing.import_archive(sqlite_services, tmp_path / "out")
    copy = importing.import_archive(sqlite_services, tmp_path / "out", as_id="copy")
    deadlines.resume(sqlite_services, copy)
    tick(sqlite_services)
    deadlines.close_early(sqlite_services, copy)
    tick(sqlite_services)
    archive.export(sqlite_services, copy, tmp_path / "copy")
    assert verify(importing.read_files(tmp_path / "copy")).ok


def test_a_forged_archive_is_not_imported(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = play(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    path = tmp_path / "out" / "private" / "players.json"
    path.write_text(path.read_text().replace("Anna", "Mallory"))
    with pytest.raises(Invalid, match=r"private/players\.json"):
        importing.import_archive(sqlite_services, tmp_path / "out", as_id="copy")


def _sign_again(folder: Path) -> None:
    """As somebody would who changes a file and knows how the manifest is made."""
    files = importing.read_files(folder)
    files.pop(MANIFEST)
    charter = json.loads(files["private/campaign.json"])["row"]
    (folder / MANIFEST).write_bytes(manifest_of(files, charter["chain"], charter["dice_name"]))


def test_private_files_that_contradict_the_public_ones_are_not_imported(
    sqlite_services: Services, tmp_path: Path
) -> None:
    """Other orders under a seal that everybody has seen, with the manifest made anew."""
    campaign = play(sqlite_services)
    folder = tmp_path / "out"
    archive.export(sqlite_services, campaign, folder)
    path = folder / "private" / "sealed_orders.json"
    rows = json.loads(path.read_text())
    rows[0]["text"] = "VOTE END"
    path.write_bytes(dump(rows))
    _sign_again(folder)
    with pytest.raises(Invalid, match="something else than the public"):
        importing.import_archive(sqlite_services, folder, as_id="copy")
    assert lookups.overview(sqlite_services)[-1].id == campaign, "nothing of it is left"


@pytest.mark.parametrize("wrong", ["../etc", "A B", "", "x" * 200, "a/b", "-"])
def test_an_import_under_an_impossible_id_is_refused(sqlite_services: Services, tmp_path: Path, wrong: str) -> None:
    campaign = start(sqlite_services)
    folder = tmp_path / "out"
    archive.export(sqlite_services, campaign, folder)
    path = folder / "private" / "campaign.json"
    charter = json.loads(path.read_text())
    charter["row"]["id"] = wrong
    path.write_bytes(dump(charter))
    _sign_again(folder)
    with pytest.raises(Invalid, match="cannot be"):
        importing.import_archive(sqlite_services, folder)


def test_the_private_part_of_an_export_is_its_owners_alone(sqlite_services: Services, tmp_path: Path) -> None:
    archive.export(sqlite_services, start(sqlite_services), tmp_path / "out")
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "out" / "private").iterdir()}
    assert modes == {0o600} and (tmp_path / "out" / "private").stat().st_mode & 0o777 == 0o700


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
    deadlines.close_early(services, moved)
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
    creation.finish(sqlite_services, campaign, "enough")
    tick(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    verdict = verify(importing.read_files(tmp_path / "out"))
    assert verdict.ok, verdict.findings


def test_a_gamesmaster_who_plays_exports_what_is_public_only(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = creation.create(
        sqlite_services, name="Own", players=FIVE, gm_name="Anna", gm_address=FIVE[0].address, gm_letter="A"
    )
    with pytest.raises(NotAllowed):
        archive.export(sqlite_services, campaign, tmp_path / "full")
    archive.export(sqlite_services, campaign, tmp_path / "public", public=True)
