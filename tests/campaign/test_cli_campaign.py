"""A whole campaign from the command line, as a Gamesmaster without the web runs it."""

import json
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.campaign.access import links
from gm.campaign.access.ended_sessions import keeper_mark
from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import outbox
from gm.campaign.options import CampaignOptions
from gm.cli import main
from gm.config import Settings
from gm.mail.wiring import builder_for
from tests.campaign_fixtures import installed


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


def test_a_keeper_ends_all_sessions_and_gets_a_new_link(gm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOLOKOL_ADMINS", "keeper@x.test")
    old, new = gm("link"), gm("link", "--end-sessions")
    services = installed(Settings.load())
    marks = [links.read(services, link.strip().rpartition("#")[2], Purpose.ADMIN).fingerprint for link in (old, new)]
    assert marks == ["", keeper_mark(services, "keeper@x.test")] and marks[1]
    services.close()


def test_a_campaign_gets_another_board_until_the_deal_from_the_command_line(gm, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[pack]\nname = "Mine"\n[provinces.PETR]\nport = false\n')
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--id", "june", "--pack", "mine.toml")
    assert "pack = Mine\n" in gm("campaign", "options", "june")
    gm("campaign", "set", "june", "deal=three-pots", "last_turn=6")
    assert "cannot be played" in gm("campaign", "set", "june", "--pack", _bad(tmp_path), code=2)
    gm("campaign", "open", "june", "--force")
    assert "settled with the deal" in gm("campaign", "set", "june", "deal=one-pot", code=2)
    assert "last_turn = 6\n" in gm("campaign", "options", "june")
    gm("export", "june", str(tmp_path / "archive"), "--public")
    assert (tmp_path / "archive" / "pack" / "mine.toml").is_file()
    assert "all is well" in gm("verify", str(tmp_path / "archive"))


def _bad(folder: Path) -> str:
    (folder / "bad.toml").write_text('[borders]\nadd = ["PETR-FOOO"]')
    return str(folder / "bad.toml")


def test_a_campaign_is_run_without_the_web(gm, tmp_path: Path) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--set", "grace_hours=6", "--id", "june")
    assert "grace_hours = 6\n    hours after the deadline" in gm("campaign", "options", "june")
    assert "0 to 336; default 12; can be changed at any time" in gm("campaign", "options")
    assert gm("campaign", "set", "june", "grace_hours=8", "deal=three-pots").split("\n")[:2] == [
        "grace_hours = 8 (was 6)",
        "deal = three-pots (was one-pot)",
    ]
    assert "there is no option" in gm("campaign", "set", "june", "gracehours=8", code=2)
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
    for holder in ("a", "GM"):
        assert "what opened it before has ended" in gm("campaign", "keys", "june", holder)
    assert "new-keys" in gm("campaign", "audit", "june")
    state = json.loads(gm("campaign", "show", "june", "--json"))
    assert (state["phase"], state["seats"][2]["name"], state["seats"][0]["ordered"]) == ("pregame", "Clement", True)
    assert "publish" in gm("campaign", "close", "june", "--yes")
    assert "Clement" in gm("campaign", "show", "june")
    assert "would be there twice" in gm("campaign", "correct", "june", "ADD Lenin TO TVER", "--reason", "x", code=2)
    (tmp_path / "right.txt").write_text("REMOVE Lenin TO NEUTRAL\nADD Lenin TO FINL OWNER C\n")
    why = ("--reason", "dealt wrong", "--rule", "15.2")
    told = gm("campaign", "correct", "june", "--file", str(tmp_path / "right.txt"), *why)
    assert "Lenin" in told and "under Clement" in told and "Reason: dealt wrong." in told
    assert "dealt wrong" in gm("campaign", "audit", "june")
    gm("campaign", "remove", "june", "B", "--reason", "silence", "--yes")
    assert "publish" in gm("campaign", "rollback", "june", "0", "pregame", "--reason", "a mistake", "--yes")
    assert "void" in gm("campaign", "history", "june")
    assert "rollback" in gm("campaign", "audit", "june")
    assert [line["id"] for line in json.loads(gm("campaign", "list", "--json"))] == ["june"]
    assert "mails" in gm("worker", "--once")
    assert "files" in gm("export", "june", str(tmp_path / "archive"))
    assert "all is well" in gm("verify", str(tmp_path / "archive"))
    assert "book.html is written" in " ".join(gm("book", "june", "--out", str(tmp_path / "book.pdf"), "--html").split())
    issues = len(list((tmp_path / "archive" / "bells").glob("*.txt")))
    assert (tmp_path / "book.html").read_text().count('href="#issue-') == issues > 1
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
    assert "Own words." in gm("campaign", "edit", "draft", "--column", "Own words.") + gm(
        "campaign", "preview", "draft"
    )
    key = gm("campaign", "preview", "draft", "--stories").split()[0]
    gm("campaign", "edit", "draft", "--story", key, "--kill")
    assert f"{key} (killed)" in gm("campaign", "preview", "draft", "--stories")
    assert "issue #2" in gm("campaign", "publish", "draft")


@pytest.mark.browser
@pytest.mark.slow
def test_a_book_is_printed_where_there_is_a_browser(gm, tmp_path: Path) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--id", "june")
    gm("campaign", "open", "june", "--force")
    assert "june.pdf is written" in gm("book", "june")
    assert (tmp_path / "june.pdf").read_bytes().startswith(b"%PDF")


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


def test_deadlines_are_promises_on_the_command_line(gm, tmp_path: Path) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--id", "june")
    gm("campaign", "open", "june", "--force")
    assert "before the deadline that everybody was told" in gm("campaign", "extend", "june", "--hours", "-24", code=2)
    assert "--shorten" in gm("campaign", "extend", "june", "--hours", "-24", "--shorten", code=2)
    gm("campaign", "extend", "june", "--hours", "-24", "--shorten", "--reason", "we all agreed")
    (tmp_path / "orders.txt").write_text("VOTE END\n")
    for letter in "ABC":
        said = gm("submit", "june", letter, str(tmp_path / "orders.txt"), "--ready")
        assert "\nready" in said
    state = json.loads(gm("campaign", "show", "june", "--json"))
    assert state["deadline"] < state["full_deadline"]
    shown = gm("campaign", "show", "june")
    assert "nearer because everybody is ready" in shown and "ready" in shown


def test_every_option_is_explained(gm) -> None:
    told = gm("campaign", "options")
    assert all(f"\n{name} = " in told for name in CampaignOptions().to_json())
    assert told.count("; default ") == told.count("can be changed") - 1 == len(CampaignOptions().to_json())


def test_a_seat_is_declined_and_readers_come_and_go_by_command(gm) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--id", "june")
    assert "C is empty" in gm("campaign", "decline", "june", "C", "--note", "exams")
    assert "nobody sits at C" in gm("campaign", "open", "june", "--force", code=2)
    gm("campaign", "reader", "june", "Rita <rita@x.test>")
    gm("campaign", "standby", "june", "Stefan <stefan@x.test>")
    told = gm("campaign", "show", "june")
    assert "reader: Rita <rita@x.test>" in told and "standby: Stefan <stefan@x.test>" in told
    gm("campaign", "strike", "june", "rita@x.test")
    assert "Rita" not in gm("campaign", "show", "june")
    assert "is no standby" in gm("campaign", "strike", "june", "rita@x.test", code=2)


FIVE = [f"{letter}: {letter}ddie <{letter.lower()}@x.test>" for letter in "ABCDE"]


def test_a_whole_bell_as_it_was_mailed_starts_a_campaign(gm, tmp_path: Path) -> None:
    bell = (Path(__file__).parents[1] / "reports" / "golden" / "bell-4.txt").read_text("utf-8")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "gm@bell.test", "a@x.test", "The Bell #4"
    mail.set_content("> " + bell.replace("\n", "\n> "))
    (tmp_path / "bell.eml").write_bytes(mail.as_bytes())
    who = [word for player in FIVE for word in ("-p", player)]
    gm("import", "--bell", str(tmp_path / "bell.eml"), "--id", "back", *who, "--gm", "Greg <g@x.test>")
    assert "July 1918 First Phase" in gm("campaign", "show", "back")
    (tmp_path / "spoilt.txt").write_text(bell.replace("RL2 ", "RL7 ").replace("WU2 ", "WU9 "))
    told = gm("import", "--bell", str(tmp_path / "spoilt.txt"), *who, "--gm", "Greg <g@x.test>", code=2)
    assert len(told.strip().split("\n")) <= 9 and "line 5" in told and "more" in told


def test_the_new_gamesmaster_is_written_to_at_once_with_a_link(gm) -> None:
    gm("campaign", "new", "June 1918", *PLAYERS, "--gm", "Greg <g@x.test>", "--id", "june")
    services = installed(Settings.load())
    (first,) = [m for m in outbox.listing(services, "june") if m.letter == "GM"]
    mails = [m for claimed in iter(lambda: outbox.claim(services, "test", 100), []) for m in claimed]
    sent = next(builder_for(services).build(m) for m in mails if m.id == first.id)
    services.close()
    assert first.subject == "June 1918: your campaign is made" and "Anna, Boris and Clara are invited" in first.text
    assert b"/in#" in sent
