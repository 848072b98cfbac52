"""What a cold reading of 20 issues found false or silly, each as the class that it was of."""

import re

import msgspec

from gm.adjudicator import outcome as o
from gm.orders.parser import parse
from gm.position import Phase
from gm.reports.prose import standard_prose
from gm.reports.view.reasons import own_orders
from tests.reports.campaigns import BOARD
from tests.reports.test_cold_reading import told
from tests.reports.test_fact_check import purged, spoils
from tests.reports.test_second_reading import section
from tests.reports.test_stories import texts_of
from tests.reports.test_view import attempt, moved, names_of, piece, position, purge_rolled, stack

PROSE = standard_prose()


def session(*purges: tuple[str, str, str]) -> o.Outcome:
    """Purges of Player B one after the other: result, who took, whom."""
    events: list[o.Event] = []
    for result, player, leader in purges:
        events += [
            msgspec.structs.replace(purge_rolled(result), participants=(player,)),
            msgspec.structs.replace(spoils(player, leader), rules=(leader,)),
        ]
    return purged(*events, **{leader: player for _, player, leader in purges})


def stopped(path: tuple[str, ...], intended: tuple[str, ...]) -> str:
    move = msgspec.structs.replace(moved("Frunze", path=path), intended=intended, stopped="stopped")
    order = parse(BOARD, f"MOVE Frunze: {'-'.join(intended)}", "ABC").sheet.orders[0]
    result = o.OrderResult("A", move.number, order, o.Status.PARTLY, (o.Reason("stopped", ("5.2",)),))
    before = position(Phase.FIRST, stack(path[0], "A", "Frunze"))
    after = position(Phase.SECOND, stack(path[-1], "A", "Frunze"))
    happened = o.Outcome(before, after, (move,), (result,), (), {p: o.Points(0, 0) for p in "ABC"})
    return section(happened, "movement")[1]


def test_who_was_at_the_goal_is_not_said_to_have_stopped_short_of_it() -> None:
    """MOVE OMSK-CHEL-OMSK, stopped at Chelyabinsk: `got no farther, though Omsk was the goal`."""
    there_and_back = ("OMSK", "CHEL", "OMSK")
    for path in (("OMSK", "CHEL"), ("OMSK", "CHEL", "OMSK")):
        said = stopped(path, (*there_and_back, "CHEL", "OMSK"))
        assert "goal" not in said and "was done in part" in said
    assert "though Omsk was the goal" in stopped(("VLDM", "NOVG"), ("VLDM", "NOVG", "OMSK"))


def test_who_was_murdered_on_the_way_back_had_been_there_before() -> None:
    murder = msgspec.structs.replace(attempt(True), target=piece("Frunze"), owner="A", player="B", province="NOVG")
    move = moved("Frunze", "RU4 VLDM", path=("VLDM", "NOVG", "VLDM"))
    order = parse(BOARD, "MOVE Frunze, RU4 VLDM: VLDM-NOVG-VLDM", "ABC").sheet.orders[0]
    result = o.OrderResult("A", move.number, order, o.Status.DONE, (o.Reason("carried-out", ()),))
    before = position(Phase.FIRST, stack("VLDM", "A", "Frunze", "RU4 VLDM"))
    after = position(Phase.SECOND, stack("VLDM", None, "RU4 VLDM"))
    points = {p: o.Points(0, 0) for p in "ABC"}
    happened = o.Outcome(before, after, (move, murder), (result,), (), points)
    assert "did not come back to Vladimir" in section(happened, "movement")[1]
    line = own_orders(names_of(happened), happened, "A", ()).orders[0]
    assert [r.text for r in line.reasons] == ["Frunze was murdered at Novgorod, before coming back to Vladimir."]


def test_results_of_attempts_hold_whosever_the_victim_is() -> None:
    """He may be the sender's own, or nobody's."""
    reasons = PROSE.packs["reasons"]
    said = [text for code in ("no-meeting", "survived") for text in reasons[code]]
    assert len(said) == 4
    assert not [t for t in said if re.search(r"Leader of the sender (?!who could)|that Leader's owner", t)]


def test_an_attack_is_neither_destroyed_nor_alive() -> None:
    silly = r"\battack\b[^.;,]* (?:was|is|were) (?:destroyed|killed)|\battack\b[^.;,]* (?:live|died)\b"
    assert told(silly) == []
    assert not [text for _, text in texts_of(PROSE.packs["closing"]) if re.search(silly, text)]
