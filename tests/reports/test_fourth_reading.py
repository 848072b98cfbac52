"""What two more cold readings found false or silly, each as the class that it was of."""

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.orders.parser import parse
from gm.position import Phase
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from gm.reports.story.headlines import HeadlineWriter, find_news
from gm.reports.view.reasons import occasion
from tests.reports.campaigns import BOARD
from tests.reports.sample import issues, views
from tests.reports.test_fact_check import news_of
from tests.reports.test_second_reading import section
from tests.reports.test_view import desk_of, fallen, happened_with, names_of, outcome, piece, position, stack

POINTS = {p: o.Points(0, 0) for p in "ABC"}


def ordered(player: str, text: str) -> o.OrderResult:
    order = parse(BOARD, text, "ABC").sheet.orders[0]
    return o.OrderResult(player, 1, order, o.Status.DONE, (o.Reason("carried-out", ()),))


@pytest.mark.parametrize(
    ("had", "said"),
    [
        (2, "assigning 2 Politburo Markers."),
        (1, "assigning 2 Politburo Markers, of which one was there when the Purges came."),
        (0, "assigning 2 Politburo Markers, but none was left when the Purges came."),
    ],
)
def test_a_purge_order_is_told_with_the_markers_that_it_named(had: int, said: str) -> None:
    """`assigning no Politburo Marker`, of an order that named two, which had been given away in the trades."""
    filed = o.PurgeFiled(
        player="A",
        number=1,
        object="B",
        participants=("A", "C"),
        using=had,
        division=(("A", 1), ("C", 1)),
        separately=False,
        verdict="not-compatible",
    )
    result = ordered("A", "PURGE B WITH C USING 2 PM DIVIDE A 1, C 1")
    happened = o.Outcome(position(Phase.FIRST), position(Phase.SECOND), (filed,), (result,), (), POINTS)
    assert any(said in text for text in section(happened, "purges"))


def test_an_order_of_losses_was_of_use_only_if_it_named_somebody_who_was_lost() -> None:
    finns = stack("FINL", "A", "GU6 FINL", "GU2 MINS")
    fight = o.Fought(
        player="A",
        number=2,
        province="FINL",
        subversion=False,
        attackers=(finns,),
        defender=stack("FINL", "B", "Frunze"),
        attack=8,
        defence=2,
        odds="4-1",
        die=5,
        result="Ex",
        lost_by_attacker=(piece("GU2 MINS"),),
        lost_by_defender=(piece("Frunze"),),
    )
    for text, key in (("LOSE GU2 MINS", "losses_used"), ("LOSE Lenin, Markin", "losses_other")):
        result = ordered("A", text)
        happened = o.Outcome(position(Phase.SECOND), position(Phase.FIRST), (fight,), (result,), (), POINTS)
        assert occasion(happened, result) == key


def test_all_who_come_under_somebodys_orders_are_counted_though_some_are_lost_again() -> None:
    """`Poland puts two corps at the disposal of Quist`: there were three, and one died of the fever."""
    corps = tuple(p for p in BOARD.pieces.values() if p.bell == "GU8 POLA")
    drawn = o.ChitDrawn(player="A", chit="PO control", gained=corps)
    left = tuple(msgspec.structs.replace(stack("POLA", "A", "GU2 MINS"), pieces=(p,)) for p in corps[1:])
    happened = o.Outcome(position(Phase.SECOND), position(Phase.FIRST, *left), (drawn,), (), (), POINTS)
    news = news_of(happened, "control")
    assert news.data["gained"] == "three corps (one of them lost again since)"
    assert {f.what for f in news.facts} == {"controls", "came", "nation"}


def test_the_last_month_is_counted_before_its_battles() -> None:
    """The one figure that decides the war (H3) stood in no issue before the last."""
    red, white = stack("TVER", "A", "RU8 TVER"), stack("KHAR", "B", "WU4 KUBA")
    before = msgspec.structs.replace(position(Phase.FIRST, red, white), turn=6)
    after = msgspec.structs.replace(before, phase=Phase.SECOND)
    happened = o.Outcome(before, after, (), (), (), POINTS)
    page = HeadlineWriter(names_of(happened), happened, 5, last_turn=6).front_page()
    brief = next(b for b in page.briefs if b.kind == "count_now")
    assert "8" in brief.lead and "4" in brief.lead


def test_who_has_the_czar_with_him_is_not_alone_in_his_camp() -> None:
    for names, alone in ((("Blucher",), True), (("Blucher", "Czar"), False)):
        fight = msgspec.structs.replace(fallen("Blucher"), defender=stack("PETR", "B", *names))
        assert ("defending_won_lone" in news_of(happened_with(fight), "leader_fell").when) == alone


def test_units_of_a_kind_and_an_owner_are_counted_among_those_of_others() -> None:
    """`the White Kuban brigade of Jansen, a Finnish division and a Finnish division`"""
    finns = tuple(p for p in BOARD.pieces.values() if p.bell == "GU6 FINL")[:2]
    told = desk_of(outcome()).told_of((piece("WU4 KUBA"), *finns), {piece("WU4 KUBA"): "A"})
    assert told == "the White Kuban brigade of Archer and two Finnish divisions"


def test_no_combat_is_promised_when_the_war_is_over() -> None:
    doubled = o.SubversionDoubled(dice=(4, 3), already=False)
    happened = outcome(doubled)
    over = msgspec.structs.replace(happened, after=msgspec.structs.replace(happened.after, phase=Phase.FINISHED))
    assert any("in the next combat" in text for text in section(happened, "events"))
    assert any("there is no combat any more" in text for text in section(over, "events"))


def test_who_had_nothing_to_purge_with_is_not_told_that_the_order_was_nearly_valid() -> None:
    filed = o.PurgeFiled(
        player="A",
        number=1,
        object="B",
        participants=("A", "C"),
        using=0,
        division=(),
        separately=True,
        verdict="not-compatible",
    )
    result = ordered("A", "PURGE B WITH C SEPARATELY")
    happened = o.Outcome(position(Phase.FIRST), position(Phase.SECOND), (filed,), (result,), (), POINTS)
    said = " ".join(section(happened, "purges"))
    assert "neither a Red Leader nor a Marker" in said and "would have been valid" not in said
    assert not [n for n in find_news(desk_of(happened)) if n.kind == "purge_plots"]


def test_against_stand_ins_alone_no_bargain_and_no_joint_purge_is_promised() -> None:
    for bargains, said in ((True, "trade Markers"), (False, None)):
        view = for_reader(BOARD, issues()[3], views()[3], Reader("E", bargains=bargains))
        text = next((item.text for item in view.yours if item.kind.startswith("next")), "")
        assert ("trade" in text) == (said is not None)
        assert ("join a Purge with 5 Politburo Markers" in text) == bargains
