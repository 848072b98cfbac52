"""The game for one person as a campaign: no deadline, played sheet by sheet, with dice that anybody can check."""

import re
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from gm.adjudicator.chance import commitment
from gm.board.load import standard_board
from gm.campaign.export import archive, importing
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import Services, no_wake
from gm.campaign.solo import solitaire
from gm.campaign.solo.single_player import MOST_GAMES
from gm.cli import main
from gm.errors import Invalid, NotNow
from gm.position import Phase, Position, from_json
from gm.rendering.newsroom import Newsroom, PlainRenderer
from gm.reports.proof.verify import verify
from gm.standin import solitaire_red as red
from gm.store.repositories import campaigns, phases
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick
from tests.mail.post import Post, services_on

ANNA = NewPlayer("Anna Ivanova", "anna@players.test")


def begin(services: Services, **options: bool) -> str:
    return solitaire.begin(services, ANNA, name="Alone", actor="R", **options)


def position_of(services: Services, campaign: str) -> Position:
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        assert row is not None
        return from_json(standard_board(), phases.current(session, row).position)


def play_to_the_end(services: Services, campaign: str) -> int:
    """A simple player's sheets, one after the other. Gives how many there were."""
    for number in count():
        position = position_of(services, campaign)
        if position.phase is Phase.FINISHED:
            return number
        text = red.sheet(standard_board(), position).printed()
        assert solitaire.play(services, campaign, text, source="web").status == "taken"
    raise AssertionError


@pytest.fixture
def plain(store_url: str, clock: FakeClock):
    """A service whose Bells are set quickly, on either engine."""
    made = installed(settings_for(store_url), clock=clock, renderer=PlainRenderer(), wake=no_wake)
    yield made
    made.close()


def test_a_game_is_played_to_its_end_and_its_archive_verifies(plain: Services, tmp_path: Path) -> None:
    campaign = begin(plain, contested=True)
    sheets = play_to_the_end(plain, campaign)
    game = solitaire.game(plain, campaign)
    assert game.result in ("red", "white", "draw")
    assert lookups.state(plain, campaign).status == "finished"
    archive.export(plain, campaign, tmp_path / "files")
    verdict = verify(importing.read_files(tmp_path / "files"))
    assert verdict.ok, verdict.findings
    assert verdict.judged_again == sheets + 1  # the set-up and every sheet
    assert tick(plain) == []  # nothing is left for a worker to do


def test_what_is_played_was_fixed_before_the_sheet_was_written(plain: Services) -> None:
    campaign = begin(plain, contested=True)
    before = solitaire.game(plain, campaign).commitment
    solitaire.play(plain, campaign, "", source="web")
    with plain.store.read() as session:
        first = phases.latest_incarnation(session, campaign, 1, "first")
        assert first is not None
        dice = phases.dice(session, phases.key_of(first))
    assert commitment(bytes.fromhex(dice.secret)) == before == dice.commitment
    assert solitaire.game(plain, campaign).commitment not in ("", before)


def test_an_attack_sheet_comes_in_parts_each_with_its_own_dice(plain: Services) -> None:
    campaign = begin(plain, contested=True)
    solitaire.play(plain, campaign, "", source="web")
    seen = {solitaire.game(plain, campaign).commitment}
    for part in (2, 3):
        solitaire.play(plain, campaign, "", source="web")
        game = solitaire.game(plain, campaign)
        assert (game.turn, game.phase, game.part) == (1, Phase.SECOND, part)
        seen.add(game.commitment)
    assert len(seen) == 3
    solitaire.play(plain, campaign, "DONE", source="web")
    assert solitaire.game(plain, campaign).phase in (Phase.FIRST, Phase.FINISHED)


def test_a_sheet_with_a_line_that_is_not_understood_is_not_played(plain: Services) -> None:
    campaign = begin(plain)
    before = position_of(plain, campaign)
    done = solitaire.play(plain, campaign, "MOVE Lenin TO TVER\nMOVE Lennin TOO far", source="web")
    assert (done.status, done.reason) == ("refused", "unread")
    assert position_of(plain, campaign) == before


def test_the_record_of_an_address_holds_its_games_and_no_others(plain: Services) -> None:
    start(plain)  # a campaign of five
    games = [begin(plain), begin(plain, contested=True)]
    found = solitaire.games_of(plain, "Anna@Players.test")
    assert {game.campaign for game in found} == set(games)
    assert {game.contested for game in found} == {False, True}
    assert solitaire.games_of(plain, "boris@players.test") == ()


def test_a_campaign_of_several_is_no_game_for_one(plain: Services) -> None:
    campaign = start(plain)
    with pytest.raises(Invalid):
        solitaire.game(plain, campaign)


def test_the_bell_tells_what_the_system_did(sqlite_url: str, clock: FakeClock) -> None:
    services = installed(settings_for(sqlite_url), clock=clock, renderer=Newsroom(), wake=no_wake)
    campaign = begin(services)
    bell = lookups.latest_bell(services, campaign)
    assert bell is not None
    assert "RED AND THE OTHERS" in bell.text
    told = " ".join(bell.text.split())
    assert re.search(r"WL1 Rodzyanko( and WU2 ESTO)? rolled [1-6]: ESTO-PETR", told)  # an epidemic may take the unit
    assert "no deadline" in bell.text
    assert "POLITICAL BAROMETER" not in bell.text
    assert solitaire.game(services, campaign).commitment in bell.text
    assert "rolled" in (bell.html or "")
    services.close()


def test_a_sheet_by_mail_is_played_at_once_and_answered_with_a_bell(sqlite_url: str, clock: FakeClock) -> None:
    services = services_on(sqlite_url, clock)
    campaign = begin(services, contested=True)
    post = Post(services, campaign, clock)
    (receipt,) = post.write("R", "STACK PETR: Lenin, RU8 PETR")
    assert "STACK PETR: Lenin, RU8 PETR" in receipt.text
    assert "is played" in receipt.text
    tick(services)
    assert solitaire.game(services, campaign).phase is Phase.SECOND
    assert len(lookups.bells(services, campaign)) == 2
    (refusal,) = post.write("R", "ATTACK Nobody IN PETR WITH Lenin")
    assert "WAS NOT PLAYED" in refusal.text
    assert len(lookups.bells(services, campaign)) == 2
    services.close()


def test_a_game_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", f"sqlite:///{tmp_path}/k.sqlite")
    monkeypatch.setenv("KOLOKOL_SQLITE_SYNC", "off")
    monkeypatch.chdir(tmp_path)

    def gm(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        captured = capsys.readouterr()
        assert end.value.code == code, captured.out + captured.err
        return captured.out + captured.err

    told = gm("solo", "new", "Anna <anna@players.test>", "--id", "alone", "--contested")
    assert "deploy and move" in told
    phrases = ("after the trades", "No Purge orders", "PM: Politburo")
    assert not [said for said in phrases if said in " ".join(told.split())], "27.2: there are none"
    (tmp_path / "sheet.txt").write_text("STACK PETR: Lenin, RU8 PETR\n")
    assert "STACK PETR" in gm("solo", "play", "alone", "sheet.txt", "--check")
    (tmp_path / "wrong.txt").write_text("\nDEPLOY Denikin TO TVER\n")
    checked = gm("solo", "play", "alone", "wrong.txt", "--check")
    assert "| DEPLOY Denikin TO TVER\n" in checked and "(line 2): WL3 Denikin is not Red" in checked
    assert "deploy and move" in gm("solo", "show", "alone")
    assert "attack (part 1)" in gm("solo", "play", "alone", "sheet.txt")
    (tmp_path / "bad.txt").write_text("HALLO\n")
    assert "nothing was played" in gm("solo", "play", "alone", "bad.txt", code=2)
    (tmp_path / "done.txt").write_text("DONE\n")
    gm("solo", "play", "alone", "done.txt")
    assert "alone" in gm("solo", "record", "anna@players.test")
    gm("export", "alone", "files")
    gm("verify", "files")
    assert "outnumbered" in gm("solo", "measure", "3")


def test_games_of_visitors_are_counted_in_the_transaction_that_begins_them(services: Services) -> None:
    """However many links are followed at the same moment."""
    told: list[str] = []

    def one() -> None:
        try:
            told.append(begin(services, visitor=True))
        except NotNow as error:
            told.append(error.code)

    threads = [Thread(target=one) for _ in range(MOST_GAMES + 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told.count("games") == 2 and len(set(told)) == MOST_GAMES + 1
    assert begin(services), "whoever keeps the installation begins as many as they like"
