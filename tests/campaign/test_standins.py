"""Stand-ins in a campaign: sealed after the people, printed in The Bell, written again by `gm verify`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gm.adjudicator.outcome_json import outcome_from_json
from gm.board.load import standard_board
from gm.campaign import ticker
from gm.campaign.export import archive, importing
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import intake, past_issues
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.campaign.solo import against_standins
from gm.errors import Invalid, NotNow
from gm.orders.kinds import Sheet
from gm.reports.proof.fairness import dump, receipt_of
from gm.reports.proof.verify import MANIFEST, manifest_of, verify
from gm.standin.record import STANDIN, written
from gm.standin.strategy import Style
from gm.standin.tracks import tracks_of
from gm.store.base import PhaseKey
from gm.store.repositories import campaigns, phases
from gm.store.repositories.submissions import PROPOSED
from gm.store.tables import SealedOrders
from gm.wording import word_list
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick

Files = dict[str, bytes]


def play_phase(services: Services, campaign: str, **orders: str) -> None:
    for letter, text in orders.items():
        intake.submit(services, campaign, letter, text, source="web")
    deadlines.close_early(services, campaign)
    tick(services)


def sealed(services: Services, campaign: str, turn: int, phase: str) -> dict[str, SealedOrders]:
    with services.store.read() as session:
        return {row.letter: row for row in phases.sealed(session, PhaseKey(campaign, turn, phase, 0))}


@pytest.fixture(scope="module")
def played(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Services, str, Files]]:
    """A and B send orders; C and D are played by fanatics, E by a commander in one Phase, to the end of June."""
    folder = tmp_path_factory.mktemp("standins")
    shutil.copy(sqlite_template, folder / "k.sqlite")
    services = installed(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock())
    campaign = start(services, nmr="standin", grace_hours=0)
    play_phase(services, campaign, A="GIVE 1 PM TO B", C="REFUSE GIFTS")
    intake.submit(services, campaign, "D", "STANDING COUNTERPURGE NEVER", source="web")
    play_phase(services, campaign, A="VOTE END", B="VOTE CONTINUE")
    holders.set_standin(services, campaign, "E", True, style="commander")
    play_phase(services, campaign, A="COUNTERPURGE NEVER")
    archive.export(services, campaign, folder / "public", public=True)
    yield services, campaign, importing.read_files(folder / "public")
    services.close()


def phases_of(files: Files) -> list[tuple[str, dict]]:
    found = [(path, json.loads(files[path])) for path in sorted(files) if path.startswith("phases/")]
    return [(path, phase) for path, phase in found if phase["orders"]]


def by_standins(files: Files) -> list[tuple[str, str, dict]]:
    return [
        (path, letter, sealed)
        for path, phase in phases_of(files)
        for letter, sealed in phase["orders"].items()
        if sealed["source"] == "standin"
    ]


def test_the_archive_says_who_was_played_by_which_stand_in(played: tuple[Services, str, Files]) -> None:
    *_, files = played
    styles = [{p: o.get("style") for p, o in phase["orders"].items() if "style" in o} for _, phase in phases_of(files)]
    assert styles[2] == {"C": "fanatic", "E": "fanatic"}
    assert styles[3] == {"B": "fanatic", "C": "fanatic", "D": "fanatic", "E": "commander"}
    assert all(o["standin"] == STANDIN for _, _, o in by_standins(files))


def test_the_archive_verifies_with_every_sheet_of_a_stand_in_written_again(
    played: tuple[Services, str, Files],
) -> None:
    *_, files = played
    assert sum("MOVE" in sealed["text"] for _, _, sealed in by_standins(files)) > 1
    assert verify(files).findings == ()


def test_one_changed_byte_in_a_stand_ins_sheet_is_found(played: tuple[Services, str, Files]) -> None:
    *_, files = played
    path, letter, sealed = next(found for found in by_standins(files) if "MOVE" in found[2]["text"])
    phase = json.loads(files[path])
    phase["orders"][letter]["text"] = sealed["text"].replace("MOVE ", "MOVF ", 1)
    findings = verify({**files, path: dump(phase)}).findings
    assert {"hash", "receipt", "stand-in"} <= {f.check for f in findings}
    assert any(f"orders of {letter} are not those" in f.detail for f in findings)


def test_a_sheet_that_was_forged_with_its_receipt_and_every_hash_is_found(
    played: tuple[Services, str, Files],
) -> None:
    *_, files = played
    path, letter, sealed = next(found for found in by_standins(files) if "MOVE" in found[2]["text"])
    phase = json.loads(files[path])
    text = sealed["text"].partition("\n")[2]
    phase["orders"][letter] |= {"text": text, "receipt": receipt_of(sealed["salt"], text)}
    manifest = json.loads(files[MANIFEST])
    forged = {**files, path: dump(phase)}
    forged[MANIFEST] = manifest_of(forged, manifest["chain"], manifest["campaign"])
    found = [f for f in verify(forged).findings if f.check == "stand-in"]
    assert found and found[0].where == path


def test_the_bell_names_the_seats_and_their_styles(played: tuple[Services, str, Files]) -> None:
    *_, files = played
    bells = [files[path].decode() for path in sorted(files) if path.startswith("bells/") and path.endswith(".txt")]
    printed = [" ".join(text.split()) for text in bells if "Played by stand-ins in this Phase" in text]
    assert printed and "(fanatic)" in printed[0] and "(commander)" in printed[-1]


def test_what_a_player_has_standing_comes_first_and_is_kept(played: tuple[Services, str, Files]) -> None:
    *_, files = played
    _, phase = phases_of(files)[3]
    assert phase["orders"]["D"]["text"].startswith("STANDING COUNTERPURGE NEVER\n")


def test_the_draws_depend_on_what_the_people_sealed(services: Services) -> None:
    """Two campaigns alike but for one order of a person: their stand-ins do not write the same sheets."""
    texts = []
    for order in ("VOTE END", "VOTE CONTINUE"):
        campaign = start(services, name="June 1918 " + order[5:8], nmr="standin", grace_hours=0)
        play_phase(services, campaign, A="REFUSE GIFTS")
        play_phase(services, campaign, A=order)
        texts.append({p: o.text for p, o in sealed(services, campaign, 1, "first").items() if p != "A"})
    assert texts[0] != texts[1]


def test_who_asks_for_a_stand_in_while_away_is_played_by_one(services: Services, clock: FakeClock) -> None:
    campaign = start(services, grace_hours=0)
    today = clock.now().date()
    deadlines.absent(services, campaign, "B", today, date(today.year + 1, 1, 1), standin=True)
    play_phase(services, campaign, A="REFUSE GIFTS")
    play_phase(services, campaign)
    found = sealed(services, campaign, 1, "first")
    assert (found["B"].source, found["C"].source) == ("standin", "none")


def test_a_seat_takes_a_style_and_people_take_it_back(services: Services) -> None:
    campaign = start(services)
    with pytest.raises(Invalid, match="style"):
        holders.set_standin(services, campaign, "A", True, style="genius")
    holders.set_standin(services, campaign, "A", True, style="commander")
    assert lookups.state(services, campaign).seat("A").standin
    holders.set_standin(services, campaign, "A", False)
    assert not lookups.state(services, campaign).seat("A").standin


def test_a_declined_seat_is_left_to_a_stand_in_and_a_campaign_with_stand_ins_is_dealt_and_played(
    services: Services,
) -> None:
    people = [NewPlayer("Anna", "anna@p.test"), NewPlayer("Boris", "boris@p.test")]
    standin = NewPlayer("", "", standin=Style.COMMANDER)
    campaign = creation.create(services, name="Three", players=[*people, standin], gm_name="G", gm_address="g@p.test")
    creation.decline(services, campaign, "B")
    with pytest.raises(NotNow, match="nobody sits at B"):
        creation.deal(services, campaign, force=True)
    holders.set_standin(services, campaign, "B", True, style="fanatic")
    creation.accept(services, campaign, "A")
    tick(services)
    assert [s.name for s in lookups.state(services, campaign).seats] == ["Anna", "Belsky", "Cherkasov"]
    play_phase(services, campaign, A="REFUSE GIFTS FROM Belsky")
    sources = {p: o.source for p, o in sealed(services, campaign, 0, "pregame").items()}
    assert sources == {"A": "submitted", "B": "standin", "C": "standin"}


def thoughtful(services: Services, meanwhile: Callable[[], object]) -> Services:
    """While its stand-ins think, something else happens."""

    def standin(*given: object) -> Sheet:
        meanwhile()
        return written(*given)  # type: ignore[arg-type]

    return replace(services, standin=standin)


def test_the_campaign_is_not_locked_while_its_stand_ins_think(services: Services) -> None:
    campaign = start(services, nmr="standin", grace_hours=0)
    answers = []

    def order_too_late() -> None:
        answers.append(intake.submit(services, campaign, "A", "REFUSE GIFTS", source="web").status)

    deadlines.close_early(services, campaign)
    assert sealed(services, campaign, 0, "pregame") == {}  # not with the lock on
    assert not ticker.tick(thoughtful(services, order_too_late)).failed
    assert answers == ["late"] * 5
    assert {o.source for o in sealed(services, campaign, 0, "pregame").values()} == {"standin"}
    assert lookups.state(services, campaign).phase == "first"


def test_a_pause_while_stand_ins_think_holds_the_phase_until_it_is_resumed(services: Services) -> None:
    campaign = start(services, nmr="standin", grace_hours=0)
    play_phase(services, campaign, A="REFUSE GIFTS")
    deadlines.close_early(services, campaign)
    pause = iter([lambda: deadlines.pause(services, campaign)])
    ticker.tick(thoughtful(services, lambda: next(pause, lambda: None)()))
    state = lookups.state(services, campaign)
    assert (state.status, state.turn, state.phase, state.phase_state) == ("paused", 1, "first", "sealed")
    deadlines.resume(services, campaign)
    tick(services)
    assert lookups.state(services, campaign).phase == "second"
    assert {o.source for o in sealed(services, campaign, 1, "first").values()} == {"standin"}


def test_without_deadlines_a_phase_is_played_when_the_last_persons_orders_are_there(services: Services) -> None:
    campaign = start(services, deadlines=False)
    for letter in "ABCD":
        done = intake.submit(services, campaign, letter, "REFUSE GIFTS", source="web")
        assert (done.status, done.played) == ("taken", False)
    intake.say_ready(services, campaign, "A", False)
    assert not intake.submit(services, campaign, "E", "REFUSE GIFTS", source="web").played
    intake.say_ready(services, campaign, "A", None)
    tick(services)
    state = lookups.state(services, campaign)
    assert (state.turn, state.phase, state.deadline) == (1, "first", None)
    holders.set_standin(services, campaign, "E", True)
    for letter in "ABCD":
        done = intake.submit(services, campaign, letter, "", source="web")
    assert done.played


def test_no_stand_in_is_called_as_a_piece_is(services: Services) -> None:
    names = set(word_list("campaign/standins").values())
    assert len(names) == 26
    assert not names & {piece.name for piece in standard_board().pieces.values()}


def test_every_bell_says_how_they_stand_to_each_other_as_the_stand_ins_see_it(
    played: tuple[Services, str, Files],
) -> None:
    services, campaign, files = played
    board = standard_board()
    outcomes = [outcome_from_json(board, phase["outcome"]) for _, phase in phases_of(files) if phase["outcome"]]
    tracks = tracks_of(board, outcomes)
    bell = lookups.latest_bell(services, campaign)
    assert bell is not None
    assert bell.json["bell"]["record"]["relations"] == {a + b: n for (a, b), n in tracks.cooperation.items()}
    legend = "From 2 (friends) to 7 (enemies)"
    assert legend in " ".join(bell.text.split()) and legend in (bell.html or "")
    with services.store.write() as session:
        row = campaigns.get(session, campaign)
        assert row is not None
        phase = phases.current(session, row)
        kept = phase.course
        assert kept is not None
        phase.course = [[*entry[:3]] for entry in kept]  # as before issues noted it
    with services.store.read() as session:
        past = past_issues.issues_before(board, session, phases.current(session, campaigns.get(session, campaign)))
    assert past[-1].record.relations == bell.json["bell"]["record"]["relations"]


def test_an_offer_does_not_play_a_game_without_deadlines(services: Services) -> None:
    """Only whoever presses the button plays; a sheet that a proposal made is not theirs yet."""
    campaign = against_standins.begin(services, NewPlayer("Anna", "anna@players.test"), name="Alone", actor="test")
    state = lookups.state(services, campaign)
    made = intake.submit(services, campaign, "A", "GIVE 1 PM TO B", source=PROPOSED)
    assert made.status == "taken" and not made.played
    after = lookups.state(services, campaign)
    assert (after.turn, after.phase, after.phase_state) == (state.turn, state.phase, "open")
