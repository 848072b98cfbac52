"""A campaign on a board of its own, from the form to the last issue, by web and mail, and verified elsewhere."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gm.adjudicator.outcome import Fought
from gm.board.load import standard_board
from gm.campaign import boards, ticker
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.errors import Invalid, NotNow
from gm.reports import build, fair_play
from gm.reports.proof.verify import manifest_of, verify
from tests.bombs import METHODS, bomb, held_at_most
from tests.campaign_fixtures import FakeClock, installed, new_campaign, settings_for
from tests.mail.post import Post
from tests.stopwatch import within
from tests.web.table import OWN, Browser, QuickNewsroom

# A railway moves, a province is renamed, and no attack is ever beaten off: every cell is Ex.
PACK = """
[pack]
name = "My copy of 1976"

[provinces.TVER]
name = "Kalinin"

[[rail]]
name = "Tashkent Railway"
provinces = ["OREN", "UFA"]

[combat]
""" + "\n".join(f'{die} = ["Ex", "Ex", "Ex", "Ex", "Ex", "Ex", "Ex"]' for die in range(1, 7))
Make = Callable[[], Browser]
FILES = (("mine.toml", PACK),)
PLAYERS = "\n".join(f"{name} {name.lower()}@box.test" for name in ("Anna", "Boris", "Clara"))
RAIL = "MOVE Dutov: OREN-UFA BY RAIL"


@pytest.fixture
def gamesmaster(browser: Callable[[], Browser]) -> Browser:
    return browser().sit(OWN, "GM")


def opened(gm: Browser, **more: object) -> str:
    form = {"name": "On my board", "players": PLAYERS, "gm_name": "Gregor", "gm_address": "gm@box.test"}
    form |= {"nmr": "standin", "last_turn": 1, "public": "true", **more}
    answer = gm.post("/gm/new", form, files=[("pack", ("mine.toml", PACK.encode()))])
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rpartition("/")[2]


def accepted(post: Post) -> None:
    for letter in "ABC":
        post.write(letter, "ACCEPT")
    ticker.tick(post.services)


def closed(services: Services, campaign: str) -> None:
    deadlines.close_early(services, campaign)
    report = ticker.tick(services)
    assert not report.failed, report.failed


def holder_of(services: Services, campaign: str, leader: str) -> str:
    for stack in lookups.state(services, campaign).position.stacks:
        if any(piece.name == leader for piece in stack.pieces):
            assert stack.owner is not None
            return stack.owner
    raise AssertionError(leader)


def fights(services: Services, campaign: str) -> list[str]:
    outcome = lookups.outcome(services, campaign, 1, "second")
    return [event.result for event in outcome.events if isinstance(event, Fought)]


def test_a_campaign_on_its_own_board_from_the_form_to_the_last_issue_and_verified_elsewhere(
    gamesmaster: Browser, browser: Callable[[], Browser], table: Services, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = opened(gamesmaster)
    digest = lookups.state(table, campaign).board.digest
    post = Post(table, campaign, clock)
    invitations = [m.text for m in outbox.listing(table, campaign, limit=50) if m.kind == "invitation"]
    assert len(invitations) == 3 and all("My copy of 1976" in text and digest in text for text in invitations)
    accepted(post)
    first = lookups.bell(table, campaign, 1).text
    told = " ".join(first.split())
    assert digest in first and "“My copy of 1976”" in told and "[H3] is number 1" in told
    closed(table, campaign)

    letter = holder_of(table, campaign, "Dutov")
    (receipt,) = [mail.text for mail in post.write(letter, RAIL) if mail.kind == "receipt"]
    assert "OREN-UFA BY RAIL" in receipt and "railway" not in receipt.casefold()
    player = browser().sit(campaign, letter)
    seen = player.json(f"/api/v1/campaigns/{campaign}/orders/check", {"text": RAIL}).json()
    assert seen["orders"][0]["rail"] and seen["orders"][0]["walked"][-1] == "UFA", seen
    assert "Kalinin" in player.get(f"/c/{campaign}/map/1/now.svg").text
    assert "Kalinin" in player.get(f"/api/v1/campaigns/{campaign}/desk").text
    board = player.get(f"/api/v1/campaigns/{campaign}/board").json()
    assert board["digest"] == digest and "Kalinin" in [p["name"] for p in board["provinces"]]
    assert "My copy of 1976" in player.get(f"/c/{campaign}").text
    closed(table, campaign)
    closed(table, campaign)
    assert lookups.state(table, campaign).status == "finished"
    assert set(fights(table, campaign)) == {"Ex"}
    assert all(digest in lookups.bell(table, campaign, line.number).text for line in lookups.bells(table, campaign))

    archive.export(table, campaign, tmp_path / "public", public=True)
    elsewhere = {"PATH": "/usr/bin:/bin", "KOLOKOL_DATABASE_URL": "sqlite:////nowhere/at/all.sqlite"}
    command = [sys.executable, "-m", "gm", "verify", str(tmp_path / "public")]
    told = subprocess.run(command, env=elsewhere, cwd=Path.cwd(), capture_output=True, text=True, check=False)
    assert told.returncode == 0 and "all is well" in told.stdout, told.stdout + told.stderr


def test_an_archive_brings_its_board_along_and_a_changed_pack_is_found(
    gamesmaster: Browser, table: Services, clock: FakeClock, sqlite_template: Path, tmp_path: Path
) -> None:
    campaign = opened(gamesmaster)
    accepted(Post(table, campaign, clock))
    archive.export(table, campaign, tmp_path / "full")
    files = importing.read_files(tmp_path / "full")
    settings = settings_for(f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'other.sqlite')}")
    there = installed(settings, clock=clock, renderer=QuickNewsroom())
    importing.import_archive(there, tmp_path / "full", as_id="moved")
    assert lookups.state(there, "moved").board is lookups.state(table, campaign).board
    there.close()

    def findings(path: str, old: str, new: str) -> set[str]:
        forged = {**files, path: files[path].replace(old.encode(), new.encode())}
        manifest = manifest_of(forged, lookups.state(table, campaign).chain, campaign)
        return {finding.check for finding in verify({**forged, "manifest.json": manifest}).findings}

    assert findings("pack/mine.toml", "Kalinin", "Kalinin") == set()
    assert "board" in findings("pack/mine.toml", '["OREN", "UFA"]', '["OREN", "CHEL"]')
    assert "board" in findings("pack/mine.toml", '["OREN", "UFA"]', '["OREN", "NOWH"]')
    for other in ('name = "Kalinin"\naliases = ["PETR2"]', 'name = "Twer"'):
        assert "board" in findings("pack/mine.toml", 'name = "Kalinin"', other)
    unit = '\n[[units]]\nid = 418\naliases = ["PETR"]\n'
    assert "board" in findings("pack/mine.toml", "[combat]", f"{unit}[combat]"), "a counter's other name in orders"
    endless = PACK.replace("[combat]", "[markers]\nassassins_in_randomizer = 4_000_000\n\n[combat]")
    forged = {**files, "pack/mine.toml": endless.encode()}
    forged["manifest.json"] = manifest_of(forged, lookups.state(table, campaign).chain, campaign)
    told = held_at_most(60, lambda: verify(forged).findings)
    assert any("5000 markers may be dealt and drawn" in finding.detail for finding in told), "not judged at all"
    forged = {path: content for path, content in files.items() if not path.startswith("pack/")}
    forged["manifest.json"] = manifest_of(forged, lookups.state(table, campaign).chain, campaign)
    assert "board" in {finding.check for finding in verify(forged).findings}


def test_issues_of_before_bind_no_names_and_a_note_says_so(
    gamesmaster: Browser, table: Services, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    campaign = opened(gamesmaster)
    before = fair_play.proof_of
    monkeypatch.setattr(build, "proof_of", lambda names, issue: replace(before(names, issue), names=""))
    accepted(Post(table, campaign, clock))
    archive.export(table, campaign, tmp_path / "old")
    verdict = verify(importing.read_files(tmp_path / "old"))
    assert verdict.ok and any("the issues print no digest of the names" in note for note in verdict.notes)
    monkeypatch.undo()
    closed(table, campaign)
    archive.export(table, campaign, tmp_path / "new")
    verdict = verify(importing.read_files(tmp_path / "new"))
    assert verdict.ok and any("the issues before #2 print no digest of the names" in note for note in verdict.notes)


def test_a_board_is_changed_before_the_deal_and_never_after(table: Services) -> None:
    campaign = new_campaign(table)
    assert change_options.change(table, campaign, {}, pack=FILES)["pack"] == ("standard", "My copy of 1976")
    told = [mail for mail in outbox.listing(table, campaign, limit=50) if mail.kind == "charter"]
    assert len(told) == 5 and all("My copy of 1976" in mail.text for mail in told)
    assert change_options.change(table, campaign, {}, pack=()) == {"pack": ("My copy of 1976", "standard")}
    creation.deal(table, campaign, force=True)
    with pytest.raises(NotNow):
        change_options.change(table, campaign, {}, pack=FILES)


def test_leaders_whom_only_the_pack_has_are_mourned_too(table: Services) -> None:
    """The issue on the first of them who fell could not be made: nobody had written his life."""
    named = "".join(
        f'[[leaders]]\nid = {leader.code}\nname = "X{leader.code}"\n' for leader in standard_board().leaders
    )
    people = [NewPlayer(n, f"{n}@x.test") for n in "abcd"]
    rules = {"nmr": "standin", "grace_hours": 0, "publish": "auto"}
    given = {"gm_name": "G", "gm_address": "g@x.test", "options": rules}
    campaign = creation.create(table, name="New", players=people, pack=(*FILES, ("names.toml", named)), **given)
    creation.deal(table, campaign, force=True)
    ticker.tick(table)
    for _ in range(5):
        closed(table, campaign)
    issues = [lookups.bell(table, campaign, line.number).text for line in lookups.bells(table, campaign)]
    assert any("of whom this paper knew" in " ".join(text.split()) for text in issues)


@pytest.mark.parametrize(
    "name", ["a\x1b]0;owned\x07.toml", "a\nb.toml", "..\\..\\b.toml", f"{'ж' * 200}.toml", ".toml"]
)
def test_a_pack_that_no_archive_could_carry_opens_no_campaign(table: Services, name: str) -> None:
    given = {"players": [NewPlayer(n, f"{n}@x.test") for n in "abc"], "gm_name": "G", "gm_address": "g@x.test"}
    with pytest.raises(Invalid, match="cannot be called"):
        creation.create(table, name="New", pack=((name, PACK),), **given)


def test_a_pack_whose_name_was_taken_once_is_exported_under_a_number(
    table: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given = {"players": [NewPlayer(n, f"{n}@x.test") for n in "abc"], "gm_name": "G", "gm_address": "g@x.test"}
    monkeypatch.setattr(boards, "new_pack", boards.valid_pack)
    campaign = creation.create(table, name="Old", pack=(("a\x1b.toml", PACK),), **given)
    creation.deal(table, campaign, force=True)
    ticker.tick(table)
    archive.export(table, campaign, tmp_path / "old")
    files = importing.read_files(tmp_path / "old")
    assert "pack/00.toml" in files and verify(files).ok


STRANGE_NAMES = r"""
[pack]
name = "My\u202e\u0000copy\nREADY"
[[leaders]]
id = 151
name = "Le\u202eni\u0000n\nREADY"
[[leaders]]
id = 171
name = "Trotsky\u202e"
[[leaders]]
id = 152
name = "Tr"
[provinces.PETR]
name = "Petro\nREADY\u202e\u0000grad"
[nations.FR]
name = "Fra\nREADY\u202e\u0000nce"
"""


def test_names_of_a_campaign_of_before_are_shown_on_one_line_and_change_nothing(
    table: Services, clock: FakeClock, browser: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A Leader's name put READY on a line of its own into a receipt, and NUL into pages."""
    people = [NewPlayer(name, f"{name.lower()}@box.test") for name in ("Anna", "Boris", "Clara")]
    monkeypatch.setattr(boards, "new_pack", boards.valid_pack)
    given = {"gm_name": "G", "gm_address": "g@x.test", "options": {"nmr": "standin", "publish": "auto"}}
    campaign = creation.create(table, name="Old", players=people, pack=(("p.toml", STRANGE_NAMES),), **given)
    creation.deal(table, campaign, force=True)
    ticker.tick(table)
    board, post = lookups.state(table, campaign).board, Post(table, campaign, clock)
    hands = lookups.outcome(table, campaign, 0, "setup").events[0].hands  # type: ignore[attr-defined]
    assert sum(hand.pm for hand in hands.values()) == board.markers.politburo_dealt, "neither is Lenin or Trotsky"
    closed(table, campaign)
    (owner,) = {letter for letter in "ABC" if holder_of(table, campaign, "Le ni n READY") == letter}
    (receipt,) = [m.text for m in post.write(owner, "MOVE Leninready: PETR-NOVG") if m.kind == "receipt"]
    assert "MOVE Le ni n READY: PETR-NOVG" in " ".join(receipt.split())
    closed(table, campaign)
    seated = browser().sit(campaign, "A")
    pages = ("", "/bells/1", "/bells/3", "/desk", "/map/1/now.svg")
    shown = [seated.get(f"/c/{campaign}{page}").text for page in pages]
    shown += [seated.get(f"/api/v1/campaigns/{campaign}/{page}").text for page in ("desk", "board")]
    shown += [mail.text for mail in outbox.listing(table, campaign, limit=100)]
    assert not any("\0" in text or "\u202e" in text for text in shown)
    assert not any("\nREADY" in mail.text for mail in outbox.listing(table, campaign, limit=100) if mail.kind == "bell")
    archive.export(table, campaign, tmp_path / "old")
    assert verify(importing.read_files(tmp_path / "old")).ok


def test_a_pack_that_cannot_be_played_opens_no_campaign(gamesmaster: Browser, table: Services) -> None:
    form = {"name": "Broken", "players": PLAYERS, "gm_name": "Gregor", "gm_address": "gm@box.test"}
    bad = b'[borders]\nadd = ["PETR-FOOO"]'
    answer = gamesmaster.post("/gm/new", form, files=[("pack", ("bad.toml", bad))])
    assert answer.status_code == 422 and "FOOO" in answer.text and "Choose it again" in answer.text
    assert "broken" not in {line.id for line in lookups.overview(table)}
    with pytest.raises(Invalid):
        change_options.change(table, OWN, {}, pack=(("bad.toml", bad.decode()),))


def zipped(*texts: str) -> dict[str, tuple[str, bytes, str]]:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, text in enumerate(texts):
            archive.writestr(f"f{number}.toml", text)
    return {"pack": ("p.zip", held.getvalue(), "application/zip")}


def test_a_small_zip_makes_no_large_pack_and_no_large_page(browser: Make) -> None:
    gm = browser().sit(OWN, "GM")
    rail = "[[rail]]\nname = 'x'\nprovinces = [" + "'QQ'," * 70_000 + "'QQ']\n"
    answer = within(5, lambda: gm.post("/gm/board", files=zipped(*[rail] * 12)))
    assert answer.status_code == 422 and "1000000 bytes" in answer.text
    answer = within(5, lambda: gm.post("/gm/board", files=zipped(rail, rail)))
    assert answer.status_code == 200 and len(answer.text) < 200_000
    assert "the rest was not looked at" in answer.text


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", ["/gm/board", "/gm/new"])
def test_a_zip_that_unpacks_to_more_than_it_says_is_refused(browser: Make, method: str, path: str) -> None:
    """Three kilobytes of bzip2 became four gigabytes of the server's memory."""
    gm = browser().sit(OWN, "GM")
    form = {"name": "Bomb", "players": PLAYERS, "gm_name": "Gregor", "gm_address": "gm@box.test"}
    zip_file = ("p.zip", bomb(METHODS[method], "f.toml", 64), "application/zip")
    answer = held_at_most(16, lambda: gm.post(path, form, files={"pack": zip_file}))
    assert answer.status_code == 422 and "That zip cannot be read" in answer.text


def test_a_zip_whose_member_is_longer_than_a_file_may_be_is_refused(browser: Make) -> None:
    gm = browser().sit(OWN, "GM")
    zip_file = ("p.zip", bomb(METHODS["deflated"], "f.toml", 64, said=64 << 20), "application/zip")
    answer = held_at_most(16, lambda: gm.post("/gm/board", files={"pack": zip_file}))
    assert answer.status_code == 422 and "1000000 bytes" in answer.text
