"""A whole campaign from the command line, as a Gamesmaster without the web runs it."""

import json
from pathlib import Path

import pytest

from gm.cli import main


@pytest.fixture
def gm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", f"sqlite:///{tmp_path}/k.sqlite")
    monkeypatch.setenv("KOLOKOL_SQLITE_SYNC", "off")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        captured = capsys.readouterr()
        assert end.value.code == code, captured.out + captured.err
        return captured.out + captured.err

    return run


PLAYERS = ("-p", "Anna <a@x.test>", "-p", "Boris <b@x.test> Europe/Berlin", "-p", "C: Clara <c@x.test>")


def test_a_campaign_is_run_without_the_web(gm, tmp_path: Path) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--set", "grace_hours=6", "--id", "june")
    assert "grace_hours           6" in gm("campaign", "options", "june")
    assert "invited: A, B, C" in gm("campaign", "invite", "june")
    assert "did not accept" in gm("campaign", "open", "june", code=2)
    gm("campaign", "accept", "june", "A")
    assert "publish" in gm("campaign", "open", "june", "--force")
    (tmp_path / "orders.txt").write_text("GIVE 1 PM TO B\n")
    assert "seal" in gm("submit", "june", "A", str(tmp_path / "orders.txt"))
    assert "reminded: B, C" in gm("campaign", "nudge", "june")
    assert "GIVE 1 PM TO B" in gm("campaign", "orders", "june")
    assert "new deadline" in gm("campaign", "extend", "june", "--hours", "24", "--reason", "Easter")
    gm("campaign", "pause", "june")
    gm("campaign", "resume", "june")
    gm("campaign", "replace", "june", "C", "Clement <cl@x.test>")
    state = json.loads(gm("campaign", "show", "june", "--json"))
    assert (state["phase"], state["seats"][2]["name"], state["seats"][0]["ordered"]) == ("pregame", "Clement", True)
    assert "publish" in gm("campaign", "close", "june", "--yes")
    assert "Clement" in gm("campaign", "show", "june")
    gm("campaign", "remove", "june", "B", "--reason", "silence", "--yes")
    assert "publish" in gm("campaign", "rollback", "june", "0", "pregame", "--reason", "a mistake", "--yes")
    assert "void" in gm("campaign", "history", "june")
    assert "rollback" in gm("campaign", "audit", "june")
    assert [line["id"] for line in json.loads(gm("campaign", "list", "--json"))] == ["june"]
    assert "mails" in gm("worker", "--once")
    assert "files" in gm("export", "june", str(tmp_path / "archive"))
    assert "all is well" in gm("verify", str(tmp_path / "archive"))
    assert "paused" in gm("import", str(tmp_path / "archive"), "--id", "copy")
    assert "publish" in gm("campaign", "finish", "june", "--reason", "enough", "--yes")
    assert json.loads(gm("campaign", "show", "june", "--json"))["status"] == "finished"


def test_a_draft_is_previewed_edited_and_published(gm, tmp_path: Path) -> None:
    gm("campaign", "new", "Draft", *PLAYERS, "--gm", "Greg <g@x.test>", "--set", "publish=manual")
    gm("campaign", "open", "draft", "--force")
    gm("campaign", "close", "draft", "--yes")
    gm("campaign", "edit", "draft", "--headline", "Silence!", "--decision", "A waits", "--reason", "tea")
    assert "SILENCE!" in gm("campaign", "preview", "draft", "--html", str(tmp_path / "b.html")).upper()
    assert "Silence!" in (tmp_path / "b.html").read_text()
    assert "issue #2" in gm("campaign", "publish", "draft")


def test_a_changed_archive_is_named_and_the_exit_code_says_so(gm, tmp_path: Path) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>")
    gm("campaign", "open", "june-1918", "--force")
    gm("campaign", "export", "june-1918", str(tmp_path / "a"), "--public")
    bell = tmp_path / "a" / "bells" / "001.txt"
    bell.write_text(bell.read_text().replace("The Bell", "The Gong", 1))
    assert "bells/001.txt" in gm("verify", str(tmp_path / "a"), code=1)
    verdict = json.loads(gm("verify", str(tmp_path / "a"), "--json", code=1))
    assert not verdict["ok"] and verdict["findings"][0]["where"] == "bells/001.txt"


def test_a_game_moves_here_from_a_listing(gm, tmp_path: Path) -> None:
    listing = tmp_path / "bell.txt"
    listing.write_text("TURN 3 second\nA  PETR: RL3 Lenin, RU8 PETR\nB  KUBA: WL3 Denikin\nA  BOX: 3 PM\n")
    gm("import", "--bell", str(listing), "--name", "Moved", *PLAYERS, "--gm", "G <g@x.test>", "--number", "9")
    assert "publish" in gm("campaign", "tick")
    state = json.loads(gm("campaign", "show", "moved", "--json"))
    assert (state["turn"], state["phase"], state["bell_number"]) == (3, "second", 9)
    listing.write_text("TURN 3 second\nA  PETR: RL3 Lennin\n")
    assert "Lenin" in gm("import", "--bell", str(listing), *PLAYERS, "--gm", "G <g@x.test>", code=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("campaign", "show", "nowhere"),
        ("campaign", "extend", "nowhere", "--hours", "3"),
        ("campaign", "new", "x", "-p", "nobody", "--gm", "G <g@x.test>"),
        ("campaign", "new", "x", "-p", "A <a@x.test>", "--gm", "G <g@x.test>"),
        ("campaign", "new", "x", *PLAYERS, "--gm", "G <g@x.test>", "--set", "grace_hours=many"),
        ("campaign", "new", "x", *PLAYERS, "--gm", "G <g@x.test>", "--set", "nonsense"),
        ("verify", "/nowhere"),
        ("import",),
        ("export", "nowhere", "out"),
    ],
)
def test_an_error_is_one_line_and_what_to_do(gm, arguments: tuple[str, ...]) -> None:
    lines = gm(*arguments, code=2).strip().splitlines()
    assert len(lines) == 2 and lines[0].startswith("gm: ") and lines[1].strip()
    assert "Traceback" not in "".join(lines)


def test_the_clock_can_be_asked_and_accepted(gm) -> None:
    assert "believed" in gm("campaign", "clock")
    assert "nothing in doubt" in gm("campaign", "clock", "--accept")


def test_an_older_database_is_brought_up_to_date(gm) -> None:
    assert "schema none ->" in gm("migrate")
