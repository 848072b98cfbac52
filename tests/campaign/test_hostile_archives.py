"""An archive that anybody may have made: it can be played on here, or a line says why not and nothing is left."""

from __future__ import annotations

import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.export import archive, importing
from gm.campaign.manage import corrections, deadlines
from gm.campaign.phase import intake
from gm.campaign.reads import lookups, summaries
from gm.campaign.services import Services
from gm.cli import main
from gm.errors import Conflict, Invalid
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.fairness import dump
from gm.reports.proof.verify import MANIFEST, verify
from gm.store.repositories import campaigns
from tests.campaign.test_bound import sealed_anew
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.support import examples

Files = dict[str, bytes]
Row = dict[str, Any]


@pytest.fixture(scope="module")
def house(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Services, Files]]:
    """An installation, and the full archive of a campaign of it with something in every private file."""
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copy(sqlite_template, folder / "k.sqlite")
    services = installed(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock(), renderer=PlainRenderer())
    campaign = start(services, grace_hours=0)
    for letter in "AB":
        intake.submit(services, campaign, letter, "VOTE END\nPRESS All for one.\nEND", source="web")
    deadlines.ask_extension(services, campaign, "C", "the post is slow")
    deadlines.close_early(services, campaign)
    tick(services)
    position = lookups.state(services, campaign).position
    owner = next(letter for letter in "ABCDE" if position.box(letter).pm)
    other = next(letter for letter in "ABCDE" if letter != owner)
    corrections.correct(services, campaign, [f"MOVE PM FROM {owner} TO {other}"], reason="misread", insist=True)
    intake.submit(services, campaign, "A", "VOTE END", source="web")
    archive.export(services, campaign, folder / "full")
    yield services, importing.read_files(folder / "full")
    services.close()


def taken(house: tuple[Services, Files], files: Files, folder: Path) -> str | None:
    """Import it: None and nothing left, or a campaign that can be played on. Any other exception is a fault."""
    services, _ = house
    shutil.rmtree(folder, ignore_errors=True)
    archive.write(folder / "in", sealed_anew(files), None)
    before = [line.id for line in lookups.overview(services)]
    try:
        made = importing.import_archive(services, folder / "in", as_id="copy")
    except Invalid as refused:
        assert [line.id for line in lookups.overview(services)] == before
        assert "\n" not in str(refused) and len(str(refused)) < 500
        return None
    try:
        deadlines.resume(services, made)
        tick(services)
        deadlines.close_early(services, made)
        tick(services)
        summaries.position(services, made)
        archive.export(services, made, folder / "out")
        verdict = verify(importing.read_files(folder / "out"))
        assert verdict.ok, verdict.findings
    finally:
        gone(services, made)
    return made


def gone(services: Services, campaign: str) -> None:
    from sqlalchemy import text

    with services.store.write() as session:
        session.execute(text("DELETE FROM campaigns WHERE id = :id"), {"id": campaign})


def changed(files: Files, path: str, change: Callable[[Any], object]) -> Files:
    data = json.loads(files[path])
    made = change(data)
    return {**files, path: dump(data if made is None else made)}


def test_the_archive_itself_is_taken_over(house: tuple[Services, Files], tmp_path: Path) -> None:
    assert taken(house, house[1], tmp_path / "x") == "copy"


CONTENTS = [
    b"",
    b"{}\n",
    b"[]\n",
    b"null\n",
    b"5\n",
    b'"x"\n',
    b"[\n 5\n]\n",
    b"[\n null\n]\n",
    b"[" * 100_000,
    b"\xff\xfe\x00",
]


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: repr(content[:8]))
def test_private_files_that_hold_something_else(house: tuple[Services, Files], tmp_path: Path, content: bytes) -> None:
    for path in [path for path in house[1] if path.startswith("private/")]:
        taken(house, {**house[1], path: content}, tmp_path / "x")


def test_private_files_that_are_missing(house: tuple[Services, Files], tmp_path: Path) -> None:
    for path in [path for path in house[1] if path.startswith("private/")]:
        taken(house, {name: content for name, content in house[1].items() if name != path}, tmp_path / "x")


def row_of(data: Any, number: int = 0) -> Row:
    found: Row = data["row"] if isinstance(data, dict) else data[number]
    return found


NASTY = [
    None,
    True,
    -1,
    10**30,
    2**40,
    1.5,
    "",
    "x",
    "x" * 500,
    "\0",
    "a@b.c\r\nBcc: d@e.f",
    "../../etc/passwd",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00",
    [],
    {},
    [[[]]],
    {"x": {"x": 1}},
]


@pytest.mark.parametrize("seed", range(examples(40, 8)))
def test_rows_with_odd_values(house: tuple[Services, Files], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    paths = [p for p in house[1] if p.startswith("private/") and len(house[1][p]) > 4]
    for _ in range(12):
        path = chance.choice(paths)

        def change(data: Any) -> object:
            rows = [data["row"]] if isinstance(data, dict) else data
            row = chance.choice(rows)
            match chance.randrange(6):
                case 0:
                    row.pop(chance.choice(sorted(row)))
                case 1:
                    rows.append(dict(row))
                case 2:
                    rows.remove(row)
                case _:
                    row[chance.choice(sorted(row))] = chance.choice(NASTY)
            return None

        taken(house, changed(house[1], path, change), tmp_path / "x")


REFUSED: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "zone": ("players", lambda d: d[0].update(zone="../../etc/passwd"), "no time zone"),
    "address": ("players", lambda d: d[0].update(address="a@b.c\r\nBcc: d@e.f"), "no mail address"),
    "long address": ("players", lambda d: d[0].update(address="a" * 10**6 + "@b.c"), "no mail address"),
    "gm": ("campaign", lambda d: d["row"].update(gm_address="nobody"), "reach its Gamesmaster"),
    "generation": ("campaign", lambda d: d["row"].update(gm_generation="x"), "gm_generation cannot be 'x'"),
    "many keys": ("seats", lambda d: d[0].update(generation=2**31 - 1), "cannot be a seat"),
    "many keys of the chair": ("campaign", lambda d: d["row"].update(gm_generation=2**31 - 1), "reach its Gamesmaster"),
    "orders": ("submissions", lambda d: d[-1].update(canonical="VOTE CONTINUE"), "the receipt that was given for it"),
    "salt": ("submissions", lambda d: d[-1].update(salt="0" * 32), "the receipt that was given for it"),
    "next issue": ("campaign", lambda d: d["row"].update(next_bell=99), "next issue"),
    "status": ("campaign", lambda d: d["row"].update(status="finished"), "status or seal"),
    "seal": ("campaign", lambda d: d["row"].update(chain="0" * 64), "status or seal"),
    "turn": ("campaign", lambda d: d["row"].update(turn=99), "does not stand where"),
    "version": ("submissions", lambda d: d[0].update(version="x"), "version cannot be 'x'"),
    "whose": ("submissions", lambda d: d[0].update(letter="Z"), "could have sent this"),
    "nobody's seat": ("seats", lambda d: d[0].update(player_id=10**6), "names no row of players"),
    "course": ("phases", lambda d: d[-1].update(course=[5]), "cannot be read"),
    "editorial": ("phases", lambda d: d[-1].update(editorial={"stories": 5}), "cannot be read"),
    "state": ("phases", lambda d: d[-1].update(state="weird"), "does not fit"),
    "twice": ("phases", lambda d: d.append(dict(d[-1])), "does not fit"),
    "no text": ("letters", lambda d: d[0].update(text=None), "text is missing"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_named(house: tuple[Services, Files], tmp_path: Path, name: str) -> None:
    services, files = house
    file, change, words = REFUSED[name]
    archive.write(tmp_path / "in", sealed_anew(changed(files, f"private/{file}.json", change)), None)
    with pytest.raises(Invalid) as refused:
        importing.import_archive(services, tmp_path / "in", as_id="copy")
    assert words in str(refused.value) and f"private/{file}.json" in str(refused.value)


def test_options_that_are_no_options_are_not_taken_over_with_the_public_file_changed_too(
    house: tuple[Services, Files], tmp_path: Path
) -> None:
    for options in ([], {"zone": "Mars/Phobos"}, {"hour": "99:99"}, {"first_days": 10**9}):
        files = changed(house[1], "private/campaign.json", lambda d, o=options: d["row"].update(options=o))
        files = changed(files, "campaign.json", lambda d, o=options: d.update(options=o))
        assert taken(house, files, tmp_path / "x") is None


# --- the folder


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that ends with a line for people, and no traceback."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    said = capsys.readouterr()
    assert end.value.code, said
    return " ".join((said.out + said.err).split())


@pytest.fixture
def folder(house: tuple[Services, Files], tmp_path: Path) -> Path:
    archive.write(tmp_path / "in", house[1], None)
    return tmp_path / "in"


def test_links_pipes_and_names_that_cannot_be_shown_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(words: str, path: Path) -> None:
        assert words in told(capsys, "verify", str(folder))
        path.unlink()

    for target in ("/etc/passwd", str(folder), "/nowhere"):
        (folder / "private" / "notes.json").symlink_to(target)
        refused("private/notes.json of the archive cannot be read: is no plain file", folder / "private" / "notes.json")
    os.mkfifo(folder / "bells" / "pipe")
    refused("is no plain file", folder / "bells" / "pipe")
    for name in (b"a\nb", b"\xff\xfe", "x\u202ey".encode(), b"\x1b[2J"):
        path = Path(os.fsdecode(os.path.join(os.fsencode(folder), name)))
        path.write_bytes(b"x")
        refused("a name that cannot be shown", path)
    huge = folder / "huge.json"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    refused("more than an archive has", huge)


def test_names_are_such_as_a_new_campaign_may_have(house: tuple[Services, Files], tmp_path: Path) -> None:
    for number, name in enumerate(("x" * 321, "June\r\nBcc: a@b.c", "June\x1b[2J")):
        files = changed(house[1], "private/campaign.json", lambda d, name=name: d["row"].update(name=name))
        files = changed(files, "campaign.json", lambda d, name=name: d.update(name=name))
        archive.write(tmp_path / str(number), sealed_anew(files), None)
        with pytest.raises(Invalid, match="too long, or cannot be printed"):
            importing.import_archive(house[0], tmp_path / str(number), as_id="copy")
    with pytest.raises(Invalid, match="320 characters"):
        start(house[0], name="x" * 321)


def test_nothing_of_an_archive_moves_the_terminal(
    house: tuple[Services, Files], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "x\x1b[2J\x1b[H\x1b[32mall is well\x9b0m\u202e"
    path = max(path for path in house[1] if path.startswith("phases/"))
    files = changed(house[1], path, lambda d: d.update({evil: 1}))
    shutil.rmtree(folder)
    archive.write(folder, sealed_anew(files), None)
    with pytest.raises(SystemExit):
        main(["verify", str(folder)])
    out = capsys.readouterr()
    assert "all is well" in out.out and not set("\x1b\x9b\u202e") & set(out.out + out.err)
    assert all(finding.detail.isprintable() for finding in verify(sealed_anew(files)).findings)


def test_no_command_ends_with_a_traceback_for_what_it_is_given(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(folder / "nowhere")
    assert "holds no archive" in told(capsys, "verify", nowhere)
    assert "holds no archive" in told(capsys, "verify", str(folder / MANIFEST))
    assert "cannot be read" in told(capsys, "verify", str(folder), "--bell", nowhere)
    assert "cannot be read" in told(capsys, "verify", str(folder), "--bell", str(folder))
    odd = folder.parent / "copy.eml"
    for kind in (
        "text/plain; charset=klingon",
        "multipart/mixed",
        "text/plain; charset=utf-8\nContent-Transfer-Encoding: x",
    ):
        odd.write_text(f"From: a@b.c\nSubject: x\nMIME-Version: 1.0\nContent-Type: {kind}\n\nx\n")
        told(capsys, "verify", str(folder), "--bell", str(odd))
    for path, content in (
        ("bells/index.json", b'{"bells": [5]}'),
        ("private/submissions.json", b"\xff"),
        (MANIFEST, b"{"),
    ):
        kept = (folder / path).read_bytes()
        (folder / path).write_bytes(content)
        told(capsys, "verify", str(folder), "--bell", str(odd), "--receipt", "0" * 64)
        (folder / path).write_bytes(kept)


def public_changes() -> Iterator[tuple[str, Callable[[Any], object]]]:
    for value in NASTY:
        yield "campaign.json", lambda d, v=value: d.update(beacon=v)
        yield "phases", lambda d, v=value: d.update(orders=v)
        yield "phases", lambda d, v=value: d.update(outcome=v)
        yield "phases", lambda d, v=value: d.update(outcome={"rolls": v})
        yield "phases", lambda d, v=value: d["outcome"].update(events=v)
        yield "bells/001.json", lambda d, v=value: d.update(proof=v)
        yield "bells/001.json", lambda d, v=value: d.update(bell=v)
        yield "bells/001.json", lambda d, v=value: d.update(position=v)
        yield "bells/001.json", lambda d, v=value: d.update(sealed=v)
        yield "bells/index.json", lambda d, v=value: d.update(bells=v)
        yield "press.json", lambda d, v=value: d.update(press=v)
    yield "phases", lambda d: d["position"].update(players=["A"] * 100_000)
    yield "phases", lambda d: d["position"]["stacks"].extend(d["position"]["stacks"] * 5000)
    yield "phases", lambda d: d["orders"]["A"].update(text="MOVE Lenin TO TVER\n" * 50_000)


def test_public_files_that_hold_anything_get_a_verdict_in_time(house: tuple[Services, Files]) -> None:
    files = house[1]
    judged = max(p for p in files if p.startswith("phases/") and json.loads(files[p])["outcome"])
    for path, change in public_changes():
        forged = changed(files, judged if path == "phases" else path, change)
        began = time.process_time()
        assert not verify(sealed_anew(forged)).ok
        assert time.process_time() - began < 5
    for content in (b'{"files":NaN}', b'{"files":"\\ud800"}', b'{"files":[]}', b"[]"):
        assert not verify({**files, MANIFEST: content}).ok


# --- a listing


LISTINGS = [
    b"",
    b"\x00" * 1000,
    b"\xff\xfe\xff" * 1000,
    b"TURN 1 first\nA  PETR: " + b"RL3 Lenin, " * 20_000,
    b"TURN " + b"9" * 5000 + b" first\nA  PETR: RL3 Lenin\n",
    b"TURN -1 first\nA  PETR: RL3 Lenin\n",
    b"A  PETR: " + b";" * 50_000,
    b"A" * 200_000,
    b"TURN 1 first\nA  " + b"X: RL1 Y, " * 5000,
    b"PLAYERS " + b"A " * 50_000,
    "TURN ١ first\nＡ  PETR: RL3 Lenin\n".encode(),
    b"== POSITIONS =====\nPETR: " + b" " * 200_000 + b"x",
    b"A:" + b" " * 300_000 + b"\n" + b" \n" * 100_000,
    b"Subject: x\nFrom: y\nContent-Type: text/plain; charset=klingon\n\nx",
]


@pytest.mark.parametrize("content", LISTINGS, ids=range(len(LISTINGS)))
def test_a_hostile_listing_begins_no_campaign(
    tmp_path: Path, sqlite_url: str, content: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", sqlite_url)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "listing.txt").write_bytes(content)
    people = [word for name in ("Anna", "Boris", "Clara") for word in ("-p", f"{name} <{name}@x.test>")]
    began = time.process_time()
    said = told(capsys, "import", "--bell", "listing.txt", "--gm", "G <g@x.test>", *people)
    assert "gm:" in said and "Traceback" not in said
    assert time.process_time() - began < 5


def test_an_import_over_a_campaign_that_is_there_is_refused(house: tuple[Services, Files], folder: Path) -> None:
    with pytest.raises(Conflict):
        importing.import_archive(house[0], folder)


def test_no_export_writes_outside_its_folder(house: tuple[Services, Files], tmp_path: Path) -> None:
    """Whatever the database calls a file: it may have come from somebody's backup."""
    for name in ("pack/../../x.toml", "/x.toml", "pack/..", "pack//x", "pack/a\\b.toml", "pack/\x1b.toml"):
        with pytest.raises(Invalid, match="cannot be the name of a file"):
            archive.write(tmp_path / "out", {name: b"x"}, None)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.json").symlink_to(tmp_path / "kept")
    with pytest.raises(FileExistsError):
        archive.write(tmp_path / "out", {"x.json": b"x"}, None)
    assert not (tmp_path / "x.toml").exists() and not (tmp_path / "kept").exists()


def test_forged_points_of_a_phase_that_is_out_are_not_taken_over(house: tuple[Services, Files], tmp_path: Path) -> None:
    """The standings showed 999 points, and the archive that was exported afterwards verified."""
    services, files = house
    forgeries: tuple[Callable[[Any], object], ...] = (
        lambda rows: rows[0]["points"].update(A=[999, 0]),
        lambda rows: rows[0]["points"].pop("A"),
        lambda rows: rows[0]["points"].update(A=["0", 0]),
        lambda rows: rows[0]["points"].update(Z=[0, 0]),
    )
    for number, forgery in enumerate(forgeries):
        folder = tmp_path / str(number)
        archive.write(folder, sealed_anew(changed(files, "private/adjudications.json", forgery)), None)
        with pytest.raises(Invalid, match=r"points|is no row"):
            importing.import_archive(services, folder, as_id="copy")


def test_a_forged_draft_or_forged_sealed_orders_are_not_taken_over(sqlite_services: Services, tmp_path: Path) -> None:
    services = sqlite_services
    campaign = start(services, grace_hours=0)
    with services.store.write() as session:
        row = campaigns.get(session, campaign)
        assert row is not None
        row.options = {**row.options, "publish": "manual"}
    intake.submit(services, campaign, "B", "VOTE END", source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).phase_state == "adjudicated"
    archive.export(services, campaign, tmp_path / "full")
    files = importing.read_files(tmp_path / "full")
    forged = {
        "private/adjudications.json": lambda d: d[-1]["outcome"]["after"]["position"]["boxes"]["A"].update(pm=9),
        "private/sealed_orders.json": lambda d: d[-1].update(text="VOTE CONTINUE"),
        "private/phases.json": lambda d: d[-1]["position"]["boxes"]["A"].update(pm=9),
        "private/dice.json": lambda d: d[-2].update(secret="00" * 32),
    }
    for path, change in forged.items():
        archive.write(tmp_path / path, sealed_anew(changed(files, path, change)), None)
        with pytest.raises(Invalid):
            importing.import_archive(services, tmp_path / path, as_id="copy")
    archive.write(tmp_path / "good", sealed_anew(files), None)
    assert importing.import_archive(services, tmp_path / "good", as_id="copy")
