"""What the busiest pages read is the same on both engines, and no more than players may know."""

from __future__ import annotations

from dataclasses import replace

from gm.board.load import standard_board
from gm.campaign import charter, doors, importing, intake, publishing, sight, ticker
from gm.campaign.doors import Key
from gm.campaign.services import Services
from gm.web.sample import PLAYERS, orders_of_1976, positions_of_1976
from tests.web.table import OWN, QuickNewsroom


def begin(services: Services) -> Services:
    quick = replace(services, renderer=QuickNewsroom(standard_board()))
    importing.import_bell(
        quick,
        positions_of_1976(),
        name="Own",
        players=PLAYERS,
        gm_name="Gregor",
        gm_address="gm@own.test",
        options={"publish": "manual", "early_delay_minutes": 0},
        id=OWN,
        first_bell=2,
    )
    ticker.tick(quick)
    return quick


def test_the_desk_the_archive_and_the_proofs_are_read_on_either_engine(services: Services) -> None:
    quick = begin(services)
    intake.submit(quick, OWN, "A", "MOVE Lenin: PETR-PSKO", source="web")
    intake.wait(quick, OWN, "A")
    now = sight.now(quick, OWN)
    desk = sight.desk(quick, now, "A")
    assert desk.orders is not None
    assert (desk.orders.canonical, desk.waits, len(desk.position.stacks)) == ("MOVE Lenin: PETR-PSKO", True, 87)
    assert sight.desk(quick, now, "B").orders is None
    assert sight.proofs(quick, OWN) == []
    intake.wait(quick, OWN, "A", on=False)
    for letter, text in orders_of_1976("first").items():
        intake.submit(quick, OWN, letter, text, source="mail")
    ticker.tick(quick)
    publishing.publish(quick, OWN, "GM")
    assert [b.number for b in sight.bells(quick, OWN)] == [3, 2]
    assert [(p.turn, p.phase, p.state, len(p.points)) for p in sight.phases(quick, OWN)] == [
        (1, "first", "published", 5),
        (1, "second", "open", 0),
    ]
    proof = sight.proofs(quick, OWN)[0]
    assert (len(proof.sheets), proof.phase, bool(proof.secret)) == (5, "first", True)


def test_a_door_knows_whom_it_lets_in(services: Services) -> None:
    quick = begin(services)
    marks = {letter: doors.fingerprint(quick, OWN, letter) or "" for letter in ("A", "B", "GM")}
    door = doors.door(quick, OWN, [Key("A", marks["A"]), Key("B", marks["A"]), Key("GM", marks["GM"])])
    assert door is not None
    assert (door.letter, door.is_gm, door.player, door.zone) == ("A", True, "Ben", "America/New_York")
    nobody = doors.door(quick, OWN, [Key("A", "x"), Key("", "stranger@x.test")])
    assert nobody is not None
    assert not nobody.may_read
    charter.change(quick, OWN, {"public": True})
    reader = doors.door(quick, OWN, [])
    assert reader is not None
    assert reader.may_read
    assert doors.door(quick, "elsewhere", []) is None
    assert doors.fingerprint(quick, OWN, "Z") is None
