"""What two readers of whole campaigns missed on the front pages, each as the class that it was of."""

import re

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.orders.kinds import Goods
from gm.position import Box, Markers, Phase
from gm.reports.issue import BarometerRow, Past
from gm.reports.story.headlines import HeadlineWriter, find_news
from gm.reports.story.memory import War
from gm.reports.story.news import NewsContext
from tests.reports.campaigns import campaign, sensible
from tests.reports.test_fact_check import PROSE, every_story, purged, spoils
from tests.reports.test_front_page import news_of, tails_of
from tests.reports.test_view import (
    attempt,
    execution,
    fallen,
    filed,
    happened_with,
    moved,
    names_of,
    piece,
    position,
    purge_rolled,
    stack,
)


def kinds_of(happened: o.Outcome, war: War | None = None) -> list[str]:
    return [n.kind for n in find_news(NewsContext(names_of(happened), happened, war or War()))]


# --- gifts and treachery


def with_gift(giver: str, receiver: str, pm: int, *, box: int = 0) -> o.Outcome:
    """A Purge of Player B by A and C, each with four Markers; `box`: what A has after the gift."""
    gave = o.Traded(giver=giver, receiver=receiver, given=Goods(pm=pm))
    happened = purged(gave, purge_rolled("2"), spoils("A", "Markin"), Markin="A")
    boxes = {**happened.before.boxes, "A": Box(Markers(pm=box))}
    return msgspec.structs.replace(happened, before=msgspec.structs.replace(happened.before, boxes=boxes))


def test_a_gift_is_in_the_purge_for_certain_only_if_all_markers_were() -> None:
    assert "gift_given" in tails_of(news_of(with_gift("B", "A", 1, box=6), "purge"))


def test_a_gift_that_the_purge_tells_is_not_told_again() -> None:
    happened = with_gift("B", "A", 1, box=4)
    assert news_of(happened, "trade").topics & news_of(happened, "purge").topics


def test_all_gifts_of_a_phase_are_told() -> None:
    gave = o.Traded(giver="A", receiver="B", given=Goods(am=1))
    other = o.Traded(giver="C", receiver="B", given=Goods(pm=1))
    both = news_of(happened_with(gave, other), "trade")
    assert both.when == ("many",)
    assert (
        both.data["gifts"]
        == "one Assassin Marker from Archer to Player B; one Politburo Marker from Player C to Player B"
    )
    assert news_of(happened_with(gave), "trade").when == ()


# --- the dead of value


def attack_upon(*names: str) -> o.Outcome:
    """All of them fall in one attack upon Player B at Petrograd."""
    event = msgspec.structs.replace(
        fallen(names[0]), defender=stack("PETR", "B", *names), lost_by_defender=tuple(map(piece, names))
    )
    return happened_with(event)


def test_a_headline_says_how_many_fell_with_him() -> None:
    happened = attack_upon("Berzin", "Sorokin", "Rykov", "Peterson")
    news = news_of(happened, "leader_fell")
    assert news.when[0] == "with_others"
    for text in every_story(happened, news):
        headline = text.partition(". ")[0].lower()
        assert "four" in headline or "three" in headline, headline
    assert "with_others" not in news_of(attack_upon("Berzin"), "leader_fell").when


def test_a_headline_counts_the_dead_of_both_sides_or_says_on_which() -> None:
    """Two fell in one fight, and the victor's Leader in the next one."""
    first = msgspec.structs.replace(
        fallen("Berzin"),
        number=1,
        defender=stack("PETR", "B", "Berzin", "Rykov"),
        lost_by_defender=(piece("Berzin"), piece("Rykov")),
    )
    then = msgspec.structs.replace(
        fallen("Lukomsky"), player="B", number=2, defender=stack("PETR", "A", "Lukomsky"), attackers=(first.defender,)
    )
    happened = happened_with(first, then)
    news = news_of(happened, "leader_fell")
    assert (news.data["fell"], news.data["more"], news.data["mine"]) == (3, 2, 2)
    for text in every_story(happened, news):
        headline = text.partition(". ")[0].lower()
        assert ("three" in headline or "two other" in headline) or ("two" in headline and "player b" in headline)


def test_whose_the_murdered_was_is_said() -> None:
    happened = happened_with(attempt(True))
    texts = every_story(happened, news_of(happened, "murder"))
    assert len(texts) > 5 and all("Baron Wrangel of Player B" in text for text in texts)


def test_all_who_fell_are_counted_and_whose_they_were() -> None:
    happened = happened_with(fallen("Yudenich"), attempt(True), fallen("Kutepov", "TVER"))
    news = news_of(happened, "toll")
    assert news.data["dead"] == "General Yudenich, Baron Wrangel and General Kutepov of Player B"
    assert news.when == ()
    assert "toll" not in kinds_of(happened_with(fallen("Yudenich"), fallen("Kutepov", "TVER")))


# --- centres of power, depots, the Randomizer


def went_on(*after: o.Stack, before: tuple[o.Stack, ...] = (), phase: Phase = Phase.FIRST) -> o.Outcome:
    later = Phase.SECOND if phase is Phase.FIRST else Phase.FIRST
    return o.Outcome(position(phase, *before), position(later, *after), (), (), (), {})


def test_a_centre_without_a_red_leads() -> None:
    red, white = stack("PETR", "A", "Lenin", "RU8 PETR"), stack("PETR", "B", "Wrangel", "WU6 KHAR")
    taken = went_on(white, before=(red,))
    news = news_of(taken, "centre_lost")
    assert news.data["force"] == "Player B's Whites with 9 points under Baron Wrangel"
    assert not [text for text in every_story(taken, news) if re.search(r"Wrangel (?:are|stand)\b", text)]
    assert news.rank > 200 and "no_recruits" in tails_of(news)
    assert "centre_lost" not in kinds_of(went_on(white, red, before=(red,))), "a Red is still there"
    assert "centre_lost" not in kinds_of(went_on(white, before=(white,))), "it was so before"
    assert news_of(went_on(red, before=(white,)), "centre_back").when == ("red",)
    assert news_of(went_on(before=(white,)), "centre_back").when == ("empty", "recruits")


def test_no_depot_is_opened_by_a_centre_when_there_are_no_replacements_any_more() -> None:
    white = stack("PETR", "B", "Wrangel", "WU6 KHAR")
    happened = went_on(before=(white,))
    late = msgspec.structs.replace(happened, after=msgspec.structs.replace(happened.after, turn=6))
    texts = every_story(late, news_of(late, "centre_back"))
    assert len(texts) >= 2 and not [text for text in texts if "depot" in text or "siege" in text]


def test_red_units_that_a_lost_centre_keeps_away_are_told() -> None:
    white = stack("PETR", "B", "Wrangel")
    kept = o.Replaced(units=(), refused=((piece("RU8 TVER"), "9.13"), (piece("GU2 KHAR"), "9.12")))
    happened = msgspec.structs.replace(went_on(white, before=(white,), phase=Phase.SECOND), events=(kept,))
    news = news_of(happened, "depots_shut")
    assert (news.data["units"], news.data["centres"]) == (1, "at Petrograd")


def test_the_last_replacements_are_told_once() -> None:
    happened = went_on(phase=Phase.SECOND)
    for turn, told in ((4, False), (5, True), (6, False)):
        before = msgspec.structs.replace(happened.before, turn=turn)
        assert ("depots_end" in kinds_of(msgspec.structs.replace(happened, before=before))) is told


# --- last things


def test_a_foreign_power_that_was_destroyed_to_the_last_unit_is_told() -> None:
    french, british = stack("KHER", None, "BU2 KHER/FR"), stack("BAKU", None, "BU2 BAKU/BR")
    assert news_of(went_on(french, before=(french, british)), "nation_gone").data["adjective"] == "British"
    home = o.ChitDrawn(player="A", chit="BR withdrawal", withdrawn=(piece("BU2 BAKU/BR"),))
    gone = msgspec.structs.replace(went_on(french, before=(french, british)), events=(home,))
    assert "nation_gone" not in kinds_of(gone)


ENEMIES = (stack("OREL", "A", "Sablin", "RU8 TVER"), stack("OREL", "B", "Denikin", "WU8 DCOS"))


def test_a_month_without_an_attack_is_told_with_the_strongest_who_face_each_other() -> None:
    happened = went_on(*ENEMIES, stack("BAKU", "C", "Wrangel"), stack("BAKU", "A", "Gai"), phase=Phase.SECOND)
    news = news_of(happened, "no_attack")
    facing = tails_of(news)["still_facing"].data
    assert facing["armies"] == (
        "Player B's Whites with 11 points under General Denikin and Archer's Reds with 9 points under Sablin"
    )
    assert news.when == ()
    battle = msgspec.structs.replace(happened, events=(fallen("WU2 LIVO"),))
    assert "no_attack" not in kinds_of(battle)


# --- armies that face each other


def test_the_greatest_armies_are_named_with_all_strengths_whoever_leads_them() -> None:
    poles = stack("OREL", "C", "GU8 POLA", "GU8 POLA")
    march = moved("Sablin", "RU8 TVER", path=("TULA", "OREL"))
    happened = msgspec.structs.replace(went_on(*ENEMIES, poles), events=(march,))
    news = news_of(happened, "armies")
    assert news.data["armies"] == (
        "Player C's Poles with 16 points, Player B's Whites with 11 points under General Denikin and "
        "Archer's Reds with 9 points under Sablin"
    )
    assert "armies" not in kinds_of(went_on(*ENEMIES)), "nobody came there"
    reds = (
        stack("OREL", "A", "Sablin", "RU8 TVER"),
        stack("OREL", "B", "Lenin", "RU8 PETR"),
        stack("OREL", "A", "Ulagi"),
    )
    friends = msgspec.structs.replace(went_on(*reds), events=(march,))
    assert "armies" not in kinds_of(friends), "Reds do not face Reds"


def marched(*there: o.Stack) -> o.Outcome:
    return msgspec.structs.replace(went_on(*there), events=(moved("Sablin", "RU8 TVER", path=("TULA", "OREL")),))


def test_every_force_of_a_player_is_told_by_its_colour() -> None:
    """Quist's Greens and Quist's Reds are two forces, and may be enemies of each other."""
    happened = marched(*ENEMIES, stack("OREL", "B", "Gai", "RU6 KURS"))
    news = news_of(happened, "armies")
    assert news.data["armies"] == (
        "Player B's Whites with 11 points under General Denikin, Archer's Reds with 9 points under Sablin and "
        "Player B's Reds with 7 points under Gai"
    )
    texts = every_story(happened, news)
    assert len(texts) > 4 and not [text for text in texts if re.search(r"\d", text.partition(". ")[0])]
    free = news_of(marched(*ENEMIES, stack("OREL", None, "GU2 KHAR")), "armies")
    assert str(free.data["armies"]).endswith("and Ukrainians under nobody's orders with 2 points")
    many = news_of(marched(*ENEMIES, stack("OREL", "B", "Gai", "RU6 KURS"), stack("OREL", "C", "Rykov")), "armies")
    assert many.data["armies"] == (
        "Whites of Player B with 11 points and Reds of Archer, Player B and Player C with 17 points"
    )


def test_no_story_of_armies_has_a_superlative() -> None:
    table = PROSE.packs["headlines"]["armies"]
    texts = [t for form in ("headlines", "leads", "briefs") for t in table[form]]
    texts += PROSE.packs["tails"]["still_facing"]["texts"]
    assert not [t for t in texts if re.search(r"(?i)\b(?:greatest|strongest|most|all eyes|nowhere)\b", t)]


def test_who_has_nothing_left_on_the_map_is_told_so() -> None:
    points = {p: o.Points(0, 0) for p in "ABC"}
    both = (stack("OREL", "B", "Denikin"), stack("BAKU", "B", "Gai"))
    happened = msgspec.structs.replace(went_on(before=both), points=points)
    assert tails_of(news_of(happened, "no_piece"))["gone"].data["gone"] == "Gai is dead and General Denikin is dead"
    assert "no_leader" not in kinds_of(happened)


def test_who_has_no_leader_of_a_colour_left_is_told_so() -> None:
    points = {p: o.Points(0, 0) for p in "ABC"}
    both = (stack("OREL", "B", "Denikin"), stack("BAKU", "B", "Gai"))
    happened = msgspec.structs.replace(went_on(both[0], before=both), points=points)
    news = news_of(happened, "no_color")
    assert (news.data["color"], news.data["gone"]) == ("Red", "Gai is dead")
    assert "no_color" not in kinds_of(msgspec.structs.replace(went_on(*both, before=both), points=points))


# --- what changed the lead


def test_what_was_lost_and_won_again_in_one_phase_did_not_cost_the_lead() -> None:
    """A regiment of eight points fell sick, and another came: the score of A is what it was."""
    sick, well = stack("TVER", "A", "Sablin", "RU8 TVER"), stack("TVER", "A", "Sablin")
    other = stack("TVER", "A", "Sablin", "RU8 PETR")
    fever = o.EpidemicStruck(
        dice=(1, 1), provinces=("TVER",), lost=(("TVER", piece("RU8 TVER")),), changes=(o.Restacked((sick,), (well,)),)
    )
    back = o.Replaced(units=(piece("RU8 PETR"),), refused=(), changes=(o.Restacked((well,), (other,)),))
    points = {"A": o.Points(9, 0), "B": o.Points(10, 0), "C": o.Points(0, 0)}
    happened = o.Outcome(position(Phase.SECOND, sick), position(Phase.FIRST, other), (fever, back), (), (), points)
    rows = {p: BarometerRow(0, 0, 0, 0, n, 0) for p, n in (("A", 9), ("B", 1), ("C", 2))}
    assert "score_lost" not in tails_of(news_of(happened, "lead_change", War((Past(4, rows),))))


# --- epidemics by what they took


def fever(*lost: str, fought: bool = False) -> o.Outcome:
    army = stack("TVER", "A", "Lenin", "RU8 TVER", "RU6 KURS", "RU3 OREL")
    left = tuple(p for p in army.pieces if p.bell not in lost)
    struck = o.EpidemicStruck(dice=(1, 1), provinces=("TVER",), lost=tuple(("TVER", piece(name)) for name in lost))
    events = ((fallen("WU2 LIVO"),) if fought else ()) + (struck,)
    before, after = position(Phase.SECOND, army), position(Phase.FIRST, o.Stack("TVER", "A", left))
    return o.Outcome(before, after, events, (), (), {})


def test_a_fever_that_took_a_third_of_an_army_is_a_story_and_never_goes_before_a_battle() -> None:
    heavy, light = news_of(fever("RU8 TVER"), "epidemic"), news_of(fever("RU3 OREL"), "epidemic")
    assert (heavy.when[0], heavy.data["points"], heavy.data["had"]) == ("heavy", 8, 20)
    assert heavy.rank > light.rank and heavy.must and not light.must and "heavy" not in light.when
    assert heavy.may_lead and not news_of(fever("RU8 TVER", fought=True), "epidemic").may_lead


# --- by whom, and from whom


def test_who_ordered_the_death_of_the_czar_is_told() -> None:
    order = tails_of(news_of(happened_with(execution("complied")), "czar_executed"))["czar_order"]
    assert (order.data["movers"], order.data["markers"]) == ("Archer and Player C", 10)


def test_from_whom_the_gold_was_taken_is_told() -> None:
    guarded, free = stack("PETR", "B", "WU2 LIVO", "Gold"), stack("PETR", "A", "Lenin", "Gold")
    event = msgspec.structs.replace(fallen("WU2 LIVO"), defender=guarded, captured=(piece("Gold"),))
    event = msgspec.structs.replace(event, changes=(o.Restacked((guarded, stack("PETR", "A", "Lenin")), (free,)),))
    happened = msgspec.structs.replace(
        went_on(free, before=(guarded, stack("PETR", "A", "Lenin")), phase=Phase.SECOND), events=(event,)
    )
    news = news_of(happened, "imperial")
    assert news.when == ("taken",) and (news.data["who"], news.data["other"]) == ("Archer", "Player B")


def test_a_purge_that_was_only_ordered_is_told_with_its_mover_and_its_victim() -> None:
    happened = happened_with(filed("not-compatible"))
    news = news_of(happened, "purge_plots")
    assert news.data["motions"] == "Archer against Player B"
    assert all("Archer against Player B" in text for text in every_story(happened, news)[:4])


@pytest.mark.parametrize("number", range(3))
def test_every_fallen_leader_can_have_a_story_of_his_own(number: int) -> None:
    seen = 0
    for issue_, _ in (*sensible(number), *campaign(number)):
        context = NewsContext(names_of(issue_.outcome), issue_.outcome)
        for news in (n for n in find_news(context) if n.kind in ("leader_fell", "murder")):
            seen += 1
            assert HeadlineWriter(context.names, issue_.outcome, 5).story(news) is not None, news.when
    assert seen > 10


def test_who_attacked_alone_and_killed_a_leader_of_a_defence_that_held_has_a_story() -> None:
    one, two = stack("OREL", "C", "Smirnov"), stack("OREL", "B", "Yudenich", "Sidorin")
    event = msgspec.structs.replace(
        fallen("Sidorin", "OREL"),
        player="C",
        attackers=(one,),
        defender=two,
        attack=1,
        defence=2,
        odds="1-2",
        result="Ex",
        lost_by_attacker=one.pieces,
        lost_by_defender=(piece("Sidorin"),),
    )
    happened = o.Outcome(
        position(Phase.SECOND, one, two), position(Phase.FIRST, stack("OREL", "B", "Yudenich")), (event,), (), (), {}
    )
    assert len(every_story(happened, news_of(happened, "leader_fell"))) >= 2
