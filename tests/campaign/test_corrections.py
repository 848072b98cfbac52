"""Corrections carry their proof: conserved, mailed, printed, replayed by gm verify; and where they are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.adjudicator.corrections import conserved, corrected
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.outcome import Corrected
from gm.board.load import standard_board
from gm.campaign import ticker
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import corrections, deadlines
from gm.campaign.phase import drafting, intake, publishing, rollback
from gm.campaign.reads import lookups, summaries
from gm.campaign.services import Services, no_wake
from gm.errors import Invalid, NotAllowed, NotNow
from gm.notation import read_position
from gm.position import Position
from gm.reports.proof.fairness import dump
from gm.reports.proof.verify import MANIFEST, Files, manifest_of, verify
from gm.store.repositories import campaigns, phases
from gm.web.sample import orders_of_1976, positions_of_1976
from tests.campaign_fixtures import FakeClock, installed, settings_for
from tests.web.table import QuickNewsroom, people

GAME = "june"
WHY = "the listing of 1976 had it otherwise"


def begun(services: Services, **more: object) -> None:
    importing.import_bell(
        services,
        positions_of_1976(),
        name="June",
        players=people(GAME),
        gm_name="Gregor",
        gm_address="gm@june.test",
        options={"publish": "manual", "ready": "automatic", "early_close_hours": 0, "early_delay_minutes": 0},
        id=GAME,
        **more,  # type: ignore[arg-type]
    )
    ticker.tick(services)


@pytest.fixture
def table(sqlite_url: str, clock: FakeClock) -> Iterator[Services]:
    services = installed(settings_for(sqlite_url), clock=clock, renderer=QuickNewsroom(), wake=no_wake)
    begun(services)
    yield services
    services.close()


def position(services: Services) -> Position:
    return summaries.position(services, GAME)


def correct(services: Services, *lines: str, **more: object) -> str:
    return corrections.correct(services, GAME, lines, reason=WHY, **more)  # type: ignore[arg-type]


def spot(position: Position, name: str) -> tuple[str, str | None]:
    stack = next(s for p, s in position.where.items() if p.name == name)
    return stack.province, stack.owner


def play(services: Services, phase: str) -> None:
    for letter, text in orders_of_1976(phase).items():
        intake.submit(services, GAME, letter, text, source="mail")
    ticker.tick(services)


def exported(services: Services, folder: Path) -> Files:
    archive.export(services, GAME, folder, public=True)
    return importing.read_files(folder)


def printed(services: Services, number: int) -> str:
    return " ".join(lookups.bell(services, GAME, number).text.split())


# --- the event


@pytest.fixture(scope="module")
def stands() -> Position:
    return read_position(standard_board(), positions_of_1976(), tuple("ABCDE"))


KINDS = {
    "moved": ["MOVE Lenin TO KIEV"],
    "removed": ["REMOVE Lenin TO B"],
    "removed from the game": ["REMOVE RU8 PETR TO GONE"],
    "given": ["OWNER Lenin C"],
    "marker": ["MOVE 2 PM FROM A TO B", "MOVE PM FROM B TO RANDOMIZER"],
    "added": ["REMOVE Lenin TO NEUTRAL", "ADD Lenin TO KIEV OWNER D"],
    "back from out of the game": ["REMOVE Lenin TO GONE", "ADD Lenin TO KIEV OWNER NOBODY"],
}


@pytest.mark.parametrize("lines", KINDS.values(), ids=KINDS)
def test_every_kind_is_an_event_that_replays_and_conserves(stands: Position, lines: list[str]) -> None:
    event = corrected(standard_board(), stands, lines, reason=WHY, insist=True)
    after = replay(standard_board(), stands, [event])
    assert after != stands and conserved(stands, after)
    assert all(part.before != part.after for part in event.parts) and len(event.parts) == len(lines)


REFUSED = {
    "ADD Lenin TO KIEV OWNER A": "twice",
    "REMOVE Lenin": "lost",
    "REMOVE PM FROM A": "lost",
    "ADD PM TO A": "twice",
    "MOVE 30 PM FROM A TO B": "no 30 PM",
    "MOVE Lenin TO NOWH": "no province",
    "OWNER Lenin Z": "no player",
    "MOVE Nemo TO KIEV": "Nemo",
    "MOVE Lenin TO PETR": "so already",
    "LENIN GOES HOME": "no correction",
    "MOVE PM FROM A TO GONE": "cannot lie",
}


@pytest.mark.parametrize(("line", "words"), REFUSED.items())
def test_what_would_lose_or_double_a_piece_or_is_not_understood_is_refused(
    stands: Position, line: str, words: str
) -> None:
    with pytest.raises((Invalid, ValueError)) as caught:
        corrected(standard_board(), stands, [line], reason=WHY, insist=True)
    assert words in str(caught.value)


def test_a_stack_that_breaks_the_rules_needs_insistence_and_the_event_says_so(stands: Position) -> None:
    line = _crowding(stands)
    with pytest.raises(Invalid, match=r"7\.1"):
        corrected(standard_board(), stands, [line], reason=WHY)
    event = corrected(standard_board(), stands, [line], reason=WHY, insist=True)
    assert event.insisted and not corrected(standard_board(), stands, KINDS["given"], reason=WHY).insisted


def _crowding(stands: Position) -> str:
    """A Red Leader put into a stack of Whites."""
    white = next(s for s in stands.stacks if s.leaders and s.color == "white")
    red = next(s for s in stands.stacks if s.leaders and s.color == "red")
    return f"MOVE {red.leaders[0].name} TO {white.province} WITH {white.leaders[0].name}"


# --- a position that was published


def test_a_published_position_is_corrected_mailed_checked_printed_and_verified(table: Services, tmp_path: Path) -> None:
    _, owner = spot(position(table), "Lenin")
    for letter, text in orders_of_1976("first").items():
        if letter != "E":
            intake.submit(table, GAME, letter, text, source="mail")
    words = correct(table, "REMOVE Lenin TO GONE", rule="5.27")
    assert "Lenin" in words and WHY in words and "5.27" in words
    mails = [m for m in outbox.listing(table, GAME, limit=50) if m.kind == "correction"]
    assert {m.address for m in mails} >= {p.address for p in people(GAME)} | {"gm@june.test"}
    own = next(m.text for m in mails if m.letter == owner)
    assert "checked again" in own and "Lenin" in own.partition("checked again")[2]
    assert not any(p.name == "Lenin" for p in position(table).where)
    (entry,) = [row for row in lookups.audit(table, GAME) if row.action == "correct"]
    assert entry.data["reason"] == WHY and entry.data["lines"] == ["REMOVE Lenin TO GONE"]

    open_phase = json.loads(next(v for k, v in sorted(exported(table, tmp_path / "open").items()) if "first" in k))
    assert open_phase["corrections"][0]["reason"] == WHY and open_phase["state"] == "open"
    assert verify(importing.read_files(tmp_path / "open")).ok

    intake.submit(table, GAME, "E", orders_of_1976("first")["E"], source="mail")
    ticker.tick(table)
    publishing.publish(table, GAME, "GM")
    assert "ERRATUM" in printed(table, 2) and WHY in printed(table, 2)
    outcome = lookups.outcome(table, GAME, 1, "first")
    assert isinstance(outcome.events[0], Corrected) and not outcome.events[0].draft
    files = exported(table, tmp_path / "over")
    assert verify(files).ok, verify(files).findings
    _assert_forgeries_are_found(files)


def _assert_forgeries_are_found(files: Files) -> None:
    path = next(path for path in sorted(files) if path.startswith("phases/") and "first" in path)
    phase = json.loads(files[path])
    event = phase["outcome"]["events"][0]
    assert event["$"] == "Corrected"
    changes = {
        "the reason": lambda: event.update(reason="another"),
        "what it did": lambda: event.update(changes=event["changes"][:-1]),
        "that it was": lambda: phase["outcome"]["events"].pop(0),
    }
    for what, change in changes.items():
        phase = json.loads(files[path])
        event = phase["outcome"]["events"][0]
        change()
        forged = {**files, path: dump(phase)}
        manifest = json.loads(files[MANIFEST])
        forged[MANIFEST] = manifest_of(forged, manifest["chain"], manifest["campaign"])
        assert not verify(forged).ok, what


def test_a_corrected_campaign_can_be_moved_and_rolled_back(
    table: Services, sqlite_template: Path, clock: FakeClock, tmp_path: Path
) -> None:
    correct(table, "OWNER Lenin C")
    archive.export(table, GAME, tmp_path / "full")
    path = tmp_path / "there.sqlite"
    path.write_bytes(sqlite_template.read_bytes())
    there = installed(settings_for(f"sqlite:///{path}"), clock=clock, renderer=QuickNewsroom(), wake=no_wake)
    importing.import_archive(there, tmp_path / "full")
    deadlines.resume(there, GAME)
    ticker.tick(there)
    if lookups.state(there, GAME).phase_state == "pending":
        publishing.publish(there, GAME, "GM")
    assert spot(position(there), "Lenin")[1] == "C"
    play(there, "first")
    publishing.publish(there, GAME, "GM")
    assert verify(exported(there, tmp_path / "moved")).findings == ()
    there.close()


# --- a draft


def test_a_result_of_a_draft_is_overruled_printed_and_verified(table: Services, tmp_path: Path) -> None:
    play(table, "first")
    before = len([m for m in outbox.listing(table, GAME, limit=200) if m.kind == "correction"])
    correct(table, "REMOVE Lenin TO B")
    assert len([m for m in outbox.listing(table, GAME, limit=200) if m.kind == "correction"]) == before
    publishing.publish(table, GAME, "GM")
    assert WHY in printed(table, 2)
    outcome = lookups.outcome(table, GAME, 1, "first")
    assert isinstance(outcome.events[-1], Corrected) and outcome.events[-1].draft
    assert any(h.piece.name == "Lenin" for h in position(table).box("B").held)
    play(table, "second")
    publishing.publish(table, GAME, "GM")
    files = exported(table, tmp_path / "over")
    assert verify(files).findings == ()


def test_a_draft_that_was_being_set_is_set_again_after_a_correction(table: Services) -> None:
    play(table, "first")
    assert WHY not in drafting.preview(table, GAME).document.text
    correct(table, "OWNER Lenin C")
    assert WHY in " ".join(drafting.preview(table, GAME).document.text.split())


# --- never


def test_nothing_is_corrected_once_orders_are_sealed(table: Services, clock: FakeClock) -> None:
    with table.store.write() as session:
        row = campaigns.get(session, GAME)
        assert row is not None
        phases.current(session, row).state = "sealed"
    with pytest.raises(NotNow):
        correct(table, "OWNER Lenin C")


def test_a_gamesmaster_who_plays_needs_the_keeper(table: Services) -> None:
    with table.store.write() as session:
        row = campaigns.get(session, GAME)
        assert row is not None
        row.gm_letter = "A"
    with pytest.raises(NotAllowed):
        correct(table, "OWNER Lenin C")
    correct(table, "OWNER Lenin C", keeper=True, actor="keeper")
    assert [row.actor for row in lookups.audit(table, GAME) if row.action == "correct"] == ["keeper"]


def test_a_refused_correction_changes_nothing_and_tells_nobody(table: Services) -> None:
    before = position(table)
    with pytest.raises(Invalid):
        correct(table, "OWNER Lenin C", "ADD Lenin TO KIEV OWNER A")
    assert position(table) == before
    assert not [m for m in outbox.listing(table, GAME, limit=50) if m.kind == "correction"]


def test_a_corrected_phase_that_is_begun_again_verifies_with_the_position_that_its_erratum_prints(
    table: Services, tmp_path: Path
) -> None:
    correct(table, "OWNER Lenin C")
    here = lookups.state(table, GAME)
    rollback.rollback(table, GAME, here.turn, here.phase, "begun again")
    ticker.tick(table)
    assert lookups.state(table, GAME).phase_state == "open"
    files = exported(table, tmp_path / "again")
    last = json.loads(files[max(path for path in files if path.startswith("phases/"))])
    assert last["corrections"] and last["position"] != json.loads(files["bells/002.json"])["position"]
    assert verify(files).findings == ()
