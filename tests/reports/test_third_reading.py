"""What a cold reading of 20 issues found false or silly, each as the class that it was of."""

import re

import msgspec

from gm.adjudicator import outcome as o
from gm.orders.parser import parse
from gm.position import Phase
from gm.reports.issue import BarometerRow, Past
from gm.reports.prose import standard_prose
from gm.reports.story.memory import War
from gm.reports.view.reasons import own_orders
from tests.reports.campaigns import BOARD
from tests.reports.test_cold_reading import told
from tests.reports.test_fact_check import purged, spoils
from tests.reports.test_front_page import news_of, tails_of
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


def test_purges_of_one_session_are_told_in_their_order() -> None:
    """The story is told from the greatest; what came before it is not told as if it had come after."""
    for results, key in (("321", "purged_later"), ("123", "purged_earlier"), ("132", "purged_around")):
        happened = session(*zip(results, "ACA", ("Markin", "Sablin", "Sivers"), strict=True))
        tail = tails_of(news_of(happened, "purge"))[key]
        order = re.findall(r"Markin|Sablin|Sivers", str(tail.data["more"]))
        assert order == [n for n in ("Markin", "Sablin", "Sivers") if n in order] and len(order) == 2
    assert told(r"In the same session \{victim\}|same session cost") == [], "it may have been before or after"


def test_only_the_last_purge_of_a_session_has_the_last_word() -> None:
    first = msgspec.structs.replace(purge_rolled("C"), participants=("A",))
    back = msgspec.structs.replace(purge_rolled("C", counter=True), participants=("B",), object="A")
    late = msgspec.structs.replace(purge_rolled("1", counter=True), participants=("A",))
    events = (first, back, late, spoils("A", "Markin"))
    assert "last" in news_of(purged(*events, Markin="A"), "purge_late").when
    more = msgspec.structs.replace(purge_rolled("1"), participants=("C",), object="D")
    assert "last" not in news_of(purged(*events, more, Markin="A"), "purge_late").when


def test_points_that_were_gained_and_in_part_lost_again_are_told_with_the_net() -> None:
    """Fever took eight points of A and a regiment of three came back: A is five points down."""
    sick, well = stack("TVER", "A", "Sablin", "RU8 TVER"), stack("TVER", "A", "Sablin")
    other = stack("TVER", "A", "Sablin", "RU3 KALU")
    fever = o.EpidemicStruck(
        dice=(1, 1), provinces=("TVER",), lost=(("TVER", piece("RU8 TVER")),), changes=(o.Restacked((sick,), (well,)),)
    )
    back = o.Replaced(units=(piece("RU3 KALU"),), refused=(), changes=(o.Restacked((well,), (other,)),))
    points = {"A": o.Points(4, 0), "B": o.Points(6, 0), "C": o.Points(0, 0)}
    happened = o.Outcome(position(Phase.SECOND, sick), position(Phase.FIRST, other), (fever, back), (), (), points)
    rows = {p: BarometerRow(0, 0, 0, 0, n, 0) for p, n in (("A", 9), ("B", 6), ("C", 0))}
    news = news_of(happened, "lead_change", War((Past(4, rows),)))
    assert tails_of(news)["score_lost"].data["parts"] == "8 points of the Red score through the fever (net 5)"
    assert news.data["parts"] == "8 points of the Red score through the fever (net 5)"


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
