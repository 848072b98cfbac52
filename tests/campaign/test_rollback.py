"""Back to an earlier Phase: an erratum, new dice, and nothing that was is lost."""

import re
from pathlib import Path

import pytest

from gm.campaign.export import archive, importing
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import intake, rollback
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import Invalid, NotFound
from gm.reports.proof.verify import ArchiveVerdict, verify
from tests.campaign_fixtures import mails, start, tick

_SEAL = re.compile(r"\b[0-9a-f]{64}\b")


def turn_played(services: Services) -> str:
    campaign = start(services)
    for _ in range(3):
        for letter in "AB":
            intake.submit(services, campaign, letter, "VOTE END", source="web")
        deadlines.close_early(services, campaign)
        tick(services)
    assert lookups.state(services, campaign).turn == 2
    return campaign


def test_a_phase_begins_again_with_its_old_position_and_new_dice(services: Services) -> None:
    campaign = turn_played(services)
    before = lookups.position_at(services, campaign, 1, "first")
    old = lookups.bell(services, campaign, 2)
    rollback.rollback(services, campaign, 1, "first", "Lenin was in the wrong place")
    tick(services)
    state = lookups.state(services, campaign)
    assert (state.turn, state.phase, state.phase_state) == (1, "first", "open") and state.position == before
    erratum = lookups.latest_bell(services, campaign)
    assert erratum is not None and erratum.kind == "erratum" and erratum.number == 5
    assert "Lenin was in the wrong place" in erratum.text
    assert state.commitment in erratum.text and state.commitment not in old.text


def test_what_was_rolled_back_is_kept_as_void(services: Services) -> None:
    campaign = turn_played(services)
    rollback.rollback(services, campaign, 1, "first", "again")
    tick(services)
    history = [(line.turn, line.phase, line.incarnation, line.state) for line in lookups.history(services, campaign)]
    assert history == [
        (0, "setup", 0, "published"),
        (0, "pregame", 0, "published"),
        (1, "first", 0, "void"),
        (1, "second", 0, "void"),
        (2, "first", 0, "void"),
        (1, "first", 1, "open"),
    ]


def test_the_old_orders_stand_if_the_gamesmaster_wants_it(services: Services) -> None:
    campaign = turn_played(services)
    rollback.rollback(services, campaign, 1, "first", "again", keep_orders=True)
    tick(services)
    assert set(lookups.orders_of(services, campaign, "GM")) == {"A", "B"}


def test_orders_that_stand_get_a_new_seal_and_their_players_are_told_it(services: Services) -> None:
    """Once the receipt of the void Phase gave a seal that the new issue could never print."""
    campaign = turn_played(services)
    before = set(_SEAL.findall(lookups.bell(services, campaign, 2).text))
    rollback.rollback(services, campaign, 1, "first", "again", keep_orders=True)
    tick(services)
    told = {mail.letter: " ".join(mail.text.split()) for mail in mails(services, campaign, "counts_now")}
    assert set(told) == {"A", "B"} and all("VOTE END" in text and "Their seal is new" in text for text in told.values())
    deadlines.close_early(services, campaign)
    tick(services)
    printed = lookups.latest_bell(services, campaign)
    assert printed is not None and printed.number == 6
    for letter, text in told.items():
        (seal,) = _SEAL.findall(text)
        assert seal in printed.text and seal not in before, letter


def test_play_goes_on_after_a_rollback_and_can_be_rolled_back_again(services: Services) -> None:
    campaign = turn_played(services)
    for incarnation in (1, 2):
        rollback.rollback(services, campaign, 1, "second", "again")
        tick(services)
        deadlines.close_early(services, campaign)
        tick(services)
        assert lookups.state(services, campaign).turn == 2
        assert [line.incarnation for line in lookups.history(services, campaign)][-1] == incarnation
    assert lookups.outcome(services, campaign, 1, "second").after == lookups.state(services, campaign).position


def test_who_left_since_is_back_in_the_game(services: Services) -> None:
    campaign = start(services)
    holders.resign(services, campaign, "C")
    deadlines.close_early(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).seat("C").status == "quit"
    rollback.rollback(services, campaign, 0, "pregame", "a misunderstanding")
    tick(services)
    assert lookups.state(services, campaign).seat("C").status == "held"


def test_even_the_deal_can_be_made_again(services: Services) -> None:
    campaign = start(services)
    before = lookups.state(services, campaign).position
    rollback.rollback(services, campaign, 0, "setup", "a card was missing")
    tick(services)
    state = lookups.state(services, campaign)
    assert (state.phase, state.bell_number) == ("pregame", 3) and state.position != before


def test_a_rollback_needs_a_reason_and_a_phase_that_was(services: Services) -> None:
    campaign = start(services)
    with pytest.raises(Invalid):
        rollback.rollback(services, campaign, 0, "pregame", " ")
    with pytest.raises(NotFound):
        rollback.rollback(services, campaign, 7, "first", "why not")


def test_orders_that_were_filed_ahead_are_not_found_again_after_a_rollback(services: Services) -> None:
    campaign = start(services)
    intake.submit(services, campaign, "A", "ORDERS June 1918 First Phase\nVOTE END", source="mail")
    deadlines.close_early(services, campaign)
    tick(services)
    assert set(lookups.orders_of(services, campaign, "GM")) == {"A"}
    rollback.rollback(services, campaign, 1, "first", "again")
    tick(services)
    assert lookups.orders_of(services, campaign, "GM") == {}


def verdict_on(services: Services, campaign: str, folder: Path) -> ArchiveVerdict:
    archive.export(services, campaign, folder, public=True)
    return verify(importing.read_files(folder))


LONG = "Lenin\twas in {PETR}, not  in “MOSC” \u2028 " + "and so on, and so on " * 20 + "x" * 90


@pytest.mark.parametrize("reason", ["again", LONG])
def test_an_archive_verifies_before_and_after_the_erratum_is_printed(
    services: Services, tmp_path: Path, reason: str
) -> None:
    campaign = turn_played(services)
    rollback.rollback(services, campaign, 1, "second", reason)
    before = verdict_on(services, campaign, tmp_path / "before")
    assert before.ok, before.findings
    assert any("no issue says so yet" in note for note in before.notes), before.notes
    tick(services)
    after = verdict_on(services, campaign, tmp_path / "after")
    assert after.ok, after.findings
    assert not any("no issue says so yet" in note for note in after.notes), after.notes


def test_an_archive_of_phases_rolled_back_again_and_again_verifies(services: Services, tmp_path: Path) -> None:
    campaign = turn_played(services)
    rollback.rollback(services, campaign, 1, "second", "first mistake")
    rollback.rollback(services, campaign, 1, "first", "second mistake")  # the first was never printed
    assert verdict_on(services, campaign, tmp_path / "0").ok
    tick(services)
    assert verdict_on(services, campaign, tmp_path / "1").ok
    deadlines.close_early(services, campaign)
    tick(services)
    rollback.rollback(services, campaign, 1, "first", "third mistake")
    tick(services)
    assert verdict_on(services, campaign, tmp_path / "2").ok
    rollback.rollback(services, campaign, 0, "setup", "a card was missing")
    assert verdict_on(services, campaign, tmp_path / "3").ok
    tick(services)
    assert verdict_on(services, campaign, tmp_path / "4").ok
    creation.finish(services, campaign, "no more")
    assert verdict_on(services, campaign, tmp_path / "5").ok
    tick(services)
    assert verdict_on(services, campaign, tmp_path / "6").ok
    rollback.rollback(services, campaign, 0, "setup", "once more")
    tick(services)
    last = verdict_on(services, campaign, tmp_path / "7")
    assert last.ok, last.findings
