"""What the keeper of an archive could change in it: the Bells, which everybody got, bind it; `gm verify` names it."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Any

import pytest

from gm.adjudicator.versions import READING
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake
from gm.campaign.ports import Renderer
from gm.cli import main
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.fairness import chain_of, digest_of, dump
from gm.reports.proof.own_copy import compare_copy
from gm.reports.proof.verify import MANIFEST, ProofFinding, board_of, manifest_of, verify
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.ops.make_reading import DATA

Files = dict[str, bytes]
Change = Callable[[dict[str, Any]], object]


def played(template: Path, folder: Path, renderer: Renderer | None) -> tuple[Files, dict[int, str]]:
    """The public archive of a campaign in which E is played by a stand-in, and A's own copies of its issues."""
    folder.mkdir()
    shutil.copy(template, folder / "k.sqlite")
    services = installed(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock(), renderer=renderer)
    campaign = start(services, nmr="standin", grace_hours=0)
    for _ in range(2):
        for letter in "ABCD":
            intake.submit(services, campaign, letter, "VOTE END\nPRESS All for one.\nEND", source="web")
        deadlines.close_early(services, campaign)
        tick(services)
    archive.export(services, campaign, folder / "public", public=True)
    mails = outbox.listing(services, campaign, limit=1000)
    copies = {
        int(mail.key.split("/")[-2]): outbox.get(services, mail.id).text
        for mail in mails
        if mail.kind == "bell" and mail.letter == "A"
    }
    services.close()
    return importing.read_files(folder / "public"), copies


@pytest.fixture(scope="module", params=["printed", "plain"])
def made(
    request: pytest.FixtureRequest, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Files, dict[int, str]]:
    renderer = PlainRenderer() if request.param == "plain" else None
    return played(sqlite_template, tmp_path_factory.mktemp("bound") / "house", renderer)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """An archive made before Bells bound the whole record."""
    import zipfile

    folder = tmp_path_factory.mktemp("before")
    with zipfile.ZipFile(DATA / "reading-2.zip") as box:
        box.extractall(folder, [name for name in box.namelist() if name.startswith("dealt/")])
    return importing.read_files(folder / "dealt")


def sealed_anew(files: Files) -> Files:
    charter = json.loads(files[MANIFEST])
    return {**files, MANIFEST: manifest_of(files, charter["chain"], charter["campaign"])}


def last_judged(files: Files) -> str:
    return max(path for path in files if path.startswith("phases/") and json.loads(files[path])["outcome"])


def forged(files: Files, change: Change) -> tuple[ProofFinding, ...]:
    """The findings after the last judged Phase was changed, with the digest of its orders and the manifest."""
    path = last_judged(files)
    phase = json.loads(files[path])
    change(phase)
    return verify(sealed_anew({**files, path: dump(phase)})).findings


def rekeyed(files: Files, phase: dict[str, Any]) -> None:
    from gm.adjudicator.engine.options import game_options

    options = game_options(json.loads(files["campaign.json"])["options"])
    texts = {player: sealed["counted"] for player, sealed in phase["orders"].items()}
    phase["orders_digest"] = digest_of(texts, options, board_of(files))


def no_orders(phase: dict[str, Any]) -> None:
    phase["orders"] = {}


def one_sheet_less(phase: dict[str, Any]) -> None:
    del phase["orders"]["B"]


def older_reading(phase: dict[str, Any]) -> None:
    phase["reading"] = READING - 1
    phase["outcome"] |= {"rolls": [], "events": []}
    phase["outcome"]["after"] = phase["outcome"]["before"]


ATTACKS: list[tuple[Change, str]] = [
    (no_orders, "has no orders of A"),
    (one_sheet_less, "has no orders of B"),
    (older_reading, "another version of the reading"),
    (lambda phase: phase["outcome"].update(rolls=[]), "its dice are not those"),
    (lambda phase: phase.update(outcome=None), "reports a Phase whose orders and results are not in the archive"),
    (lambda phase: phase.update(state="void"), "no Phase after it was begun again"),
    (lambda phase: phase["orders"]["B"].update(source="mail"), "cannot have come as the record says: mail"),
]
WHO_WROTE: list[tuple[Change, str]] = [
    (lambda phase: phase["orders"]["E"].update(standin=99), "cannot have come as the record says: standin"),
    (lambda phase: phase["orders"]["E"].update(source="submitted"), "cannot have come as the record says: submitted"),
    (lambda phase: phase["orders"]["E"].update(style="commander"), "is not the record whose digest stands in issue"),
    (lambda phase: phase.update(opened_at="2026-01-01T00:00:00+00:00"), "is not the record whose digest stands"),
]


@pytest.mark.parametrize(("change", "said"), [*ATTACKS, *WHO_WROTE])
def test_a_record_that_is_not_what_its_bell_reported_is_named(
    made: tuple[Files, dict[int, str]], change: Change, said: str
) -> None:
    files, _ = made

    def both(phase: dict[str, Any]) -> None:
        change(phase)
        rekeyed(files, phase)

    assert any(said in found.detail for found in forged(files, both)), forged(files, both)


@pytest.mark.parametrize(("change", "said"), ATTACKS)
def test_an_archive_of_before_is_compared_with_what_its_bells_print(before: Files, change: Change, said: str) -> None:
    assert any(said in found.detail for found in forged(before, change)), forged(before, change)


def test_an_archive_of_before_is_told_what_does_not_bind_it(before: Files) -> None:
    verdict = verify(before)
    assert verdict.ok, verdict.findings
    assert any("6 Phases are not bound as a whole by their Bells" in note for note in verdict.notes)
    assert any("made before issues sealed their pictures" in note for note in verdict.notes)


def test_the_digest_of_a_record_is_worked_out_as_the_documentation_says(made: tuple[Files, dict[int, str]]) -> None:
    """With nothing but the words of docs/archive.md and the standard library."""
    docs = " ".join((Path(__file__).parents[2] / "docs" / "archive.md").read_text("utf-8").split())
    recipe = docs.partition("record of a Phase: `H` of its file with only the entries ")[2].partition("stands in the")[
        0
    ]
    assert "keys sorted, UTF-8, `,` and `:` without blanks, no newline at the end" in recipe
    names = re.findall(r"`([a-z_]+)`", recipe)
    files, _ = made
    record = json.loads(files[last_judged(files)])
    bound = {name: record[name] for name in names if name in record}
    shortest = json.dumps(bound, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256(shortest.encode("utf-8")).hexdigest()
    assert digest in files[max(path for path in files if re.fullmatch(r"bells/\d+\.txt", path))].decode()


def test_a_new_archive_is_bound_as_a_whole(made: tuple[Files, dict[int, str]]) -> None:
    verdict = verify(made[0])
    assert verdict.ok, verdict.findings
    assert not any("not bound" in note or "made before" in note for note in verdict.notes), verdict.notes


def rewritten(files: Files, old: str, new: str) -> Files:
    """The last issue in other words: text, JSON, index and manifest fit one another."""
    index = json.loads(files["bells/index.json"])
    line, earlier = index["bells"][-1], index["bells"][-2]
    stem = f"bells/{line['number']:03d}"
    changed = {
        path: content.replace(old.encode(), new.encode()) if path.startswith(f"{stem}.") else content
        for path, content in files.items()
        if not path.endswith(".png") or path.startswith("bells/")
    }
    assert changed[f"{stem}.txt"] != files[f"{stem}.txt"]
    html = changed.get(f"{stem}.html", b"").decode()
    text, document = changed[f"{stem}.txt"].decode(), changed[f"{stem}.json"]
    line["chain"] = chain_of(earlier["chain"], line["number"], text.encode(), html.encode(), document)
    line |= {name: line[name].replace(old, new) for name in ("subject", "headline")}
    changed["bells/index.json"] = dump(index)
    return {**changed, MANIFEST: manifest_of(changed, line["chain"], json.loads(files[MANIFEST])["campaign"])}


def told(folder: Path, copy: str, files: Files, capsys: pytest.CaptureFixture[str]) -> tuple[Any, str]:
    """What `gm verify ARCHIVE --bell COPY` says, and its exit code."""
    shutil.rmtree(folder, ignore_errors=True)
    archive.write(folder / "archive", files, None)
    (folder / "copy.txt").write_text(copy, "utf-8")
    with pytest.raises(SystemExit) as end:
        main(["verify", str(folder / "archive"), "--bell", str(folder / "copy.txt")])
    return end.value.code, " ".join(capsys.readouterr().out.split())


def test_a_reader_compares_the_last_issue_with_the_copy_in_his_own_mailbox(
    made: tuple[Files, dict[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, copies = made
    last = max(copies)
    seal = json.loads(files[MANIFEST])["chain"]
    assert seal in copies[last] and seal not in files[f"bells/{last:03d}.txt"].decode()
    code, said = told(tmp_path / "x", copies[last], files, capsys)
    assert code == 0 and f"your copy of issue #{last} prints the seal of this archive" in said
    assert f"nothing after issue #{last}, the last, seals it" in said and seal in said
    code, said = told(tmp_path / "x", copies[last - 1], files, capsys)
    assert code == 0 and f"of #{last} to #{last} it says nothing" in said
    changed = rewritten(files, "June 1918", "July 1918")
    assert verify(changed).ok, "nothing in the archive can show it"
    code, said = told(tmp_path / "x", copies[last].replace("\n", "\n> "), changed, capsys)
    assert code == 1 and f"your copy of issue #{last} IS NOT that of this archive" in said


def test_a_copy_that_prints_the_right_seals_over_other_contents_is_not_the_same(
    made: tuple[Files, dict[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, copies = made
    last = max(copies)
    own = copies[last]
    receipt = json.loads(files[last_judged(files)])["orders"]["B"]["receipt"]
    assert receipt in own and "PETR" in own
    for forged_copy in (own.replace(receipt, "0" * 64), own.replace("PETR", "ASTR"), own.replace("Lenin", "Stalin")):
        code, said = told(tmp_path / "x", forged_copy, files, capsys)
        assert code == 1 and "prints the seal of this archive, but IS NOT what the seal is of" in said, said
    for number, copy in copies.items():
        assert compare_copy(files, copy).same, compare_copy(files, copy)
        quoted = "\n".join(f"> {line}" for line in copy.splitlines())
        assert compare_copy(files, quoted).same and compare_copy(files, copy.replace("\n", " ")).same, number
    page = f"<html><body>{''.join(f'<p>{escape(line)}</p>' for line in own.splitlines())}</body></html>"
    code, said = told(tmp_path / "x", page, files, capsys)
    assert code == 0 and "your copy is in HTML" in said, said
    code, said = told(tmp_path / "x", page.replace(receipt, "0" * 64), files, capsys)
    assert code == 1, said


def test_a_copy_of_before_is_compared_by_the_hashes_that_it_prints(
    before: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = before["bells/006.txt"].decode()
    code, said = told(tmp_path / "x", copy, before, capsys)
    assert code == 0 and "your copy of issue #6 prints no seal of its own; all other seals are the same in both" in said
    receipt = json.loads(before[last_judged(before)])["orders"]["B"]["receipt"]
    code, said = told(tmp_path / "x", copy, rewritten(before, receipt, "0" * 64), capsys)
    assert code == 1 and "IS NOT that of this archive" in said and receipt in said
    code, said = told(tmp_path / "x", copy.replace("0", "1"), before, capsys)
    assert code == 1 and "it was made of other issues" in said


def test_pictures_press_and_names_are_sealed_and_a_strange_file_is_named(made: tuple[Files, dict[int, str]]) -> None:
    files, _ = made
    strange = sealed_anew({**files, "bells/notes.exe": b"x"})
    assert [(f.where, f.check) for f in verify(strange).findings] == [("bells/notes.exe", "file")]
    said = sealed_anew({**files, "press.json": files["press.json"].replace(b"All for one.", b"All for me.", 1)})
    assert {f.check for f in verify(said).findings} == {"press"}
    named = sealed_anew({**files, "campaign.json": files["campaign.json"].replace(b'"Anna', b'"Olga')})
    assert any("campaign.json: players not as in issue" in note for note in verify(named).notes)
    pictures = [path for path in files if path.endswith(".png")]
    for path in pictures:
        drawn = sealed_anew({**files, path: files[path] + b"x"})
        assert [(f.where, f.check) for f in verify(drawn).findings] == [(path, "picture")]


@pytest.mark.parametrize("path", ["press.json", "campaign.json", "phases"])
def test_json_nested_without_end_is_a_finding_and_not_an_accident(
    made: tuple[Files, dict[int, str]], path: str
) -> None:
    files, _ = made
    path = last_judged(files) if path == "phases" else path
    assert verify(sealed_anew({**files, path: b"[" * 100_000})).findings


def test_the_open_phase_is_the_one_that_its_position_says(made: tuple[Files, dict[int, str]]) -> None:
    files, _ = made
    path = max(path for path in files if path.startswith("phases/"))
    record = json.loads(files[path])
    assert record["outcome"] is None
    findings = verify(sealed_anew({**files, path: dump(record | {"turn": 10**30})})).findings
    assert any("is of another Phase than the record says" in str(finding) for finding in findings)


def test_a_published_phase_is_not_taken_back_without_an_erratum(made: tuple[Files, dict[int, str]]) -> None:
    """Whoever keeps the archive cannot annul a result that they do not like: no issue withdrew it."""
    files, _ = made
    last, after = last_judged(files), max(path for path in files if path.startswith("phases/"))
    judged, following = json.loads(files[last]), json.loads(files[after])
    again = following | {name: judged[name] for name in ("turn", "phase", "position")} | {"incarnation": 1}
    changed = {path: content for path, content in files.items() if path != after}
    changed[last] = dump(judged | {"state": "void"})
    changed[after[:11] + last[11:]] = dump(again | {"erratum": "a mistake"})
    assert any("prints an erratum" in str(finding) for finding in verify(sealed_anew(changed)).findings)


def annulled(files: Files, position: bool = True) -> Files:
    """The last Phase that was reported is void, and the open one is that Phase begun again, with no issue saying so."""
    judged, begun = last_judged(files), max(path for path in files if path.startswith("phases/"))
    void, again = json.loads(files[judged]) | {"state": "void"}, json.loads(files[begun])
    again |= {name: void[name] for name in ("turn", "phase")} | {"incarnation": 1, "erratum": "a mistake"}
    again["position"] = void["position"] if position else None
    path = f"phases/{again['ordinal']:03d}-{again['turn']:02d}-{again['phase']}.json"
    kept = {name: content for name, content in files.items() if name != begun}
    return sealed_anew({**kept, judged: dump(void), path: dump(again)})


@pytest.mark.parametrize("position", [True, False])
def test_a_reported_phase_is_not_void_unless_an_issue_prints_an_erratum(
    made: tuple[Files, dict[int, str]], position: bool
) -> None:
    found = [str(finding) for finding in verify(annulled(made[0], position)).findings]
    assert any("which reports it, prints an erratum" in said for said in found), found
    assert any("is not the Phase that issue #" in said for said in found), found
    assert any("the archive has no such Phase with its hash" in said for said in found), found


def test_an_archive_of_before_cannot_have_its_last_phase_annulled_either(before: Files) -> None:
    assert any("prints an erratum" in str(finding) for finding in verify(annulled(before)).findings)


def test_the_open_phase_begins_with_the_position_of_the_newest_issue(made: tuple[Files, dict[int, str]]) -> None:
    files, _ = made
    path = max(path for path in files if path.startswith("phases/"))
    record = json.loads(files[path])
    other = json.loads(files[last_judged(files)])["position"]
    record["position"] = other | {name: record[name] for name in ("turn", "phase")}
    found = [str(finding) for finding in verify(sealed_anew({**files, path: dump(record)})).findings]
    assert any("does not begin with the position of issue #" in said for said in found), found


def test_the_open_phase_cannot_be_left_out_with_its_hash_in_the_index(made: tuple[Files, dict[int, str]]) -> None:
    files, _ = made
    index = json.loads(files["bells/index.json"])
    for line in index["bells"]:
        line["commitments"] = []
    last = max(path for path in files if path.startswith("phases/"))
    kept = {path: content for path, content in files.items() if path != last}
    found = verify(sealed_anew({**kept, "bells/index.json": dump(index)})).findings
    assert any("the archive has no such Phase with its hash" in str(finding) for finding in found), found


def with_press(copy: str, words: str) -> str:
    """A copy in which somebody's press says this, somewhere above the proof."""
    lines = copy.splitlines()
    lines.insert(12, f"  {words}")
    return "\n".join(lines) + "\n"


def test_seals_in_somebodys_words_do_not_count_in_a_readers_copy(
    made: tuple[Files, dict[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither to make another history pass for the true one, nor to call the true one false."""
    files, copies = made
    last = max(copies)
    changed = rewritten(files, "June 1918", "July 1918")
    other = json.loads(changed[MANIFEST])["chain"]
    labels = "All issues up to this one, as they were printed for everybody, together have the seal"
    for words in (f"A riddle: {other}", f"{labels} {other}", f"seal of all issues with this one {other}"):
        code, said = told(tmp_path / "x", with_press(copies[last], words), changed, capsys)
        assert code == 1 and f"your copy of issue #{last} IS NOT that of this archive" in said
    chains = {line["number"]: line["chain"] for line in json.loads(files["bells/index.json"])["bells"]}
    before = "All issues before this one together have the seal"
    for words in (chains[1], f"{chains[1]} and {chains[2]}", "0" * 64, f"{before} {chains[1]}", f"{before} {'0' * 64}"):
        code, said = told(tmp_path / "x", with_press(copies[last], words), files, capsys)
        assert code == 0 and f"your copy of issue #{last} prints the seal of this archive" in said


def test_another_text_under_a_number_in_other_digits_is_not_the_issue(made: tuple[Files, dict[int, str]]) -> None:
    files, _ = made
    for digits in ("٠٠٢", "００２", "0002"):
        hidden = {**files, f"bells/{digits}.txt": files["bells/002.txt"], "bells/002.txt": b"All is well.\n"}
        checks = {(f.where, f.check) for f in verify(sealed_anew(hidden)).findings}
        assert (f"bells/{digits}.txt", "file") in checks and ("bells/002.txt", "chain") in checks


def test_a_copy_that_is_newer_than_the_archive_proves_all_of_it(
    made: tuple[Files, dict[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, copies = made
    last = max(copies)
    cut = {path: content for path, content in files.items() if not path.startswith(f"bells/{last:03d}")}
    index = json.loads(cut["bells/index.json"])
    index["bells"].pop()
    cut["bells/index.json"] = dump(index)
    own = compare_copy(cut, copies[last])
    assert own.same and own.number == last and own.last == last - 1
    code, said = told(tmp_path / "x", "no Bell at all\n", files, capsys)
    assert code == 1 and "prints no seal where a Bell does" in said


@pytest.mark.parametrize("form", ["mbox", "digit", "utf-16", "html"])
def test_a_copy_is_read_however_it_was_saved(
    made: tuple[Files, dict[int, str]], tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files, copies = made
    last = max(copies)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["X-Spam2-Level"] = "a@b.c", "d@e.f", "The Bell", "1"
    if form == "html":
        mail.set_content("".join(f"<p>{escape(line)}</p>" for line in copies[last].splitlines()), subtype="html")
    else:
        mail.set_content(copies[last], cte="base64")
    raw = copies[last].encode("utf-16") if form == "utf-16" else mail.as_bytes()
    archive.write(tmp_path / "archive", files, None)
    (tmp_path / "copy").write_bytes((b"From a@b Wed Nov 18 2026\n" if form == "mbox" else b"") + raw)
    with pytest.raises(SystemExit) as end:
        main(["verify", str(tmp_path / "archive"), "--bell", str(tmp_path / "copy")])
    assert not end.value.code and f"#{last} prints the seal" in " ".join(capsys.readouterr().out.split())
