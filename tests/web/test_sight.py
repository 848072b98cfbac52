"""What the busiest pages read is the same on both engines, and no more than players may know."""

from __future__ import annotations

from dataclasses import replace

from gm.campaign import ticker
from gm.campaign.access import callers
from gm.campaign.access.callers import Credential
from gm.campaign.export import importing
from gm.campaign.manage import change_options
from gm.campaign.phase import intake, publishing
from gm.campaign.reads import summaries
from gm.campaign.services import Services
from gm.web.sample import PLAYERS, orders_of_1976, positions_of_1976
from tests.web.table import OWN, QuickNewsroom


def begin(services: Services) -> Services:
    quick = replace(services, renderer=QuickNewsroom())
    importing.import_bell(
        quick,
        positions_of_1976(),
        name="Own",
        players=PLAYERS,
        gm_name="Gregor",
        gm_address="gm@own.test",
        options={"publish": "manual", "ready": "automatic", "early_close_hours": 0, "early_delay_minutes": 0},
        id=OWN,
        first_bell=2,
    )
    ticker.tick(quick)
    return quick


def test_the_desk_the_archive_and_the_proofs_are_read_on_either_engine(services: Services) -> None:
    quick = begin(services)
    intake.submit(quick, OWN, "A", "MOVE Lenin: PETR-PSKO", source="web")
    intake.say_ready(quick, OWN, "A", False)
    now = summaries.now(quick, OWN)
    desk = summaries.desk(quick, now, "A")
    assert desk.orders is not None
    assert (desk.orders.canonical, desk.said, len(desk.position.stacks)) == ("MOVE Lenin: PETR-PSKO", False, 87)
    assert summaries.desk(quick, now, "B").orders is None
    assert summaries.proofs(quick, OWN) == []
    intake.say_ready(quick, OWN, "A", None)
    for letter, text in orders_of_1976("first").items():
        intake.submit(quick, OWN, letter, text, source="mail")
    ticker.tick(quick)
    publishing.publish(quick, OWN, "GM")
    assert [b.number for b in summaries.bells(quick, OWN)] == [3, 2]
    assert [(p.turn, p.phase, p.state, len(p.points)) for p in summaries.phases(quick, OWN)] == [
        (1, "first", "published", 5),
        (1, "second", "open", 0),
    ]
    proof = summaries.proofs(quick, OWN)[0]
    assert (len(proof.sheets), proof.phase, bool(proof.secret)) == (5, "first", True)


def test_a_door_knows_whom_it_lets_in(services: Services) -> None:
    quick = begin(services)
    marks = {letter: callers.fingerprint(quick, OWN, letter) or "" for letter in ("A", "B", "GM")}
    door = callers.door(
        quick, OWN, [Credential("A", marks["A"]), Credential("B", marks["A"]), Credential("GM", marks["GM"])]
    )
    assert door is not None
    assert (door.letter, door.is_gm, door.player, door.zone) == ("A", True, "Ben", "America/New_York")
    nobody = callers.door(quick, OWN, [Credential("A", "x"), Credential("", "stranger@x.test")])
    assert nobody is not None
    assert not nobody.may_read
    change_options.change(quick, OWN, {"public": True})
    reader = callers.door(quick, OWN, [])
    assert reader is not None
    assert reader.may_read
    assert callers.door(quick, "elsewhere", []) is None
    assert callers.fingerprint(quick, OWN, "Z") is None
