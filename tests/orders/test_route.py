"""Paths and reachable provinces on the published positions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from gm.orders import model as m
from gm.orders.check import check
from gm.orders.problems import Severity
from gm.orders.route import reachable, route
from gm.position import Phase, Position
from tests.orders.samples import BOARD, PLAYERS, position
from tests.strategies import positions
from tests.support import examples

STANDS = position("""
A  PETR: RL3 Lenin, RU8 PETR
A  TAUR: WL1 Kutepov, WU4 TAUR
B  TVER: WL1 Sidorin, WU3 STAV
B  FINL: GU6 FINL
-  LIVO: BU2 LIVO/GE
B  BOX: FN control
""")
LENIN = STANDS.at("PETR")[0].pieces
KUTEPOV = STANDS.at("TAUR")[0].pieces
FINNS = STANDS.at("FINL")[0].pieces


@pytest.mark.parametrize(
    ("force", "path", "reached", "why"),
    [
        (LENIN, "PETR-NOVG-TVER", "PETR-NOVG-TVER", None),
        (LENIN, "PETR-NOVG-TVER-RYAZ", "PETR-NOVG-TVER", "stopped"),
        (LENIN, "PETR-LIVO", "PETR", "closed"),
        (LENIN, "PETR-TULA", "PETR", "no-border"),
        (KUTEPOV, "TAUR-KUBA", "TAUR-KUBA", None),
        (FINNS, "FINL-PETR-NOVG", "FINL-PETR", "region-finnish"),
    ],
)
def test_a_path_goes_as_far_as_the_rules_let_it(force, path: str, reached: str, why: str | None) -> None:  # type: ignore[no-untyped-def]
    verdict = route(BOARD, STANDS, force, path.split("-"))
    assert "-".join(verdict.path) == reached
    assert verdict.stopped == why
    assert verdict.arrives == (why is None)


def test_a_force_reaches_where_it_must_stop_and_nothing_behind_it() -> None:
    found = reachable(BOARD, STANDS, LENIN)
    assert found["TVER"].must_stop
    assert found["LIVO"].must_stop
    assert not found["NOVG"].must_stop
    assert found["NOVG"].steps == 1
    assert "PETR" not in found


def test_blue_and_green_units_reach_their_region_only() -> None:
    assert set(reachable(BOARD, STANDS, FINNS)) == {"PETR", "OLON", "ARCH"}


@given(positions(players=PLAYERS, phase=Phase.FIRST))
@settings(max_examples=examples(60, here=5), deadline=None)
def test_every_province_that_lights_up_can_be_ordered_without_a_complaint(stands: Position) -> None:
    """The path of each reachable province, as a MOVE, passes the checker."""
    for stack in stands.stacks:
        if stack.owner is None or stack.owner in stands.quitters or not stack.leaders or stack.imperials:
            continue
        force = tuple(m.Named((p,)) for p in stack.pieces)
        for reach in reachable(BOARD, stands, stack.pieces).values():
            order = m.Move(force=force, path=tuple(m.Stop(p) for p in reach.path), by_rail=reach.by_rail)
            found = check(BOARD, stands, stack.owner, m.Sheet((order,)))
            assert [p for p in found if p.severity is not Severity.NOTE] == []
