"""What two readers of whole campaigns missed on the front pages, each as the class that it was of."""

import re

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.orders.kinds import Goods
from gm.position import Box, Markers, Phase
from gm.reports.issue import BarometerRow, Clash, Death, Past, Record
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


def test_whoever_was_purged_with_his_own_gift_is_told_so() -> None:
    happened = with_gift("B", "A", 1, box=4)
    news, plain = news_of(happened, "purge"), news_of(with_gift("C", "A", 1), "purge")
    assert news.when[0] == "betrayed" and news.rank > plain.rank
    tail = tails_of(news)["gift_used"]
    assert (tail.data["friend"], tail.data["goods"], tail.data["used"]) == ("Archer", "one Politburo Marker", 4)
    assert all("Archer" in text.partition(". ")[0] for text in every_story(happened, news)), "the headline names him"
    assert "gift_used" not in tails_of(plain)


def test_one_marker_is_not_among_them() -> None:
    gave = o.Traded(giver="B", receiver="A", given=Goods(pm=1))
    rolled = msgspec.structs.replace(purge_rolled("2"), markers={"A": 1, "C": 7})
    happened = purged(gave, rolled, spoils("A", "Markin"), Markin="A")
    boxes = {**happened.before.boxes, "A": Box(Markers(pm=1))}
    happened = msgspec.structs.replace(happened, before=msgspec.structs.replace(happened.before, boxes=boxes))
    assert "gift_used_one" in tails_of(news_of(happened, "purge"))
    assert not [t for t in PROSE.packs["tails"]["gift_used_one"]["texts"] if "among" in t or "them" in t]


def test_a_gift_is_in_the_purge_for_certain_only_if_all_markers_were() -> None:
    assert "gift_given" in tails_of(news_of(with_gift("B", "A", 1, box=6), "purge"))


def test_a_present_before_a_purge_is_told() -> None:
    tail = tails_of(news_of(with_gift("A", "B", 1), "purge"))["gift_back"]
    assert tail.data["givers"] == "Archer"


def test_a_gift_that_the_purge_tells_is_not_told_again() -> None:
    happened = with_gift("B", "A", 1, box=4)
    assert news_of(happened, "trade").topics & news_of(happened, "purge").topics


def test_all_gifts_of_a_phase_are_told_and_a_gift_to_an_enemy_as_one() -> None:
    gave = o.Traded(giver="A", receiver="B", given=Goods(am=1))
    other = o.Traded(giver="C", receiver="B", given=Goods(pm=1))
    both = news_of(happened_with(gave, other), "trade")
    assert both.when == ("many",)
    assert (
        both.data["gifts"]
        == "one Assassin Marker from Archer to Player B; one Politburo Marker from Player C to Player B"
    )
    fought = War((Past(4, {}, (), Record(clashes=(Clash("TVER", "B", "A", "De"),))), Past(5, {})))
    assert news_of(happened_with(gave), "trade", fought).when == ("enemies",)
    assert news_of(happened_with(gave), "trade").when == ()


# --- the dead of value


def attack_upon(*names: str) -> o.Outcome:
    """All of them fall in one attack upon Player B at Petrograd."""
    event = msgspec.structs.replace(
        fallen(names[0]), defender=stack("PETR", "B", *names), lost_by_defender=tuple(map(piece, names))
    )
    return happened_with(event)


def test_of_equals_the_known_one_names_the_headline() -> None:
    assert news_of(attack_upon("Slavin", "Stalin"), "leader_fell").data["name"] == "Stalin"
    assert news_of(attack_upon("Stalin", "Frunze"), "leader_fell").data["name"] == "Frunze", "worth more"
    assert news_of(attack_upon("Slavin", "Gai"), "leader_fell").data["name"] == "Slavin", "he led"


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


def test_never_so_many_dead_is_told_though_all_fell_in_one_place() -> None:
    happened = attack_upon("Berzin", "Sorokin", "Rykov")
    few = War((Past(4, {}, (), Record(dead=(Death("Gai", "defending", "TVER", "C", "A"),))),))
    assert news_of(happened, "toll", few).when == ("most",)
    assert "toll" not in kinds_of(happened)


def test_whose_the_murdered_was_is_said() -> None:
    happened = happened_with(attempt(True))
    texts = every_story(happened, news_of(happened, "murder"))
    assert len(texts) > 5 and all("Baron Wrangel of Player B" in text for text in texts)


def test_all_who_fell_are_counted_and_whose_they_were() -> None:
    happened = happened_with(fallen("Yudenich"), attempt(True), fallen("Kutepov", "TVER"))
    news = news_of(happened, "toll")
    assert news.data["dead"] == "General Yudenich, Baron Wrangel and General Kutepov of Player B"
    assert news.when == ()
    few = War((Past(4, {}, (), Record(dead=(Death("Gai", "defending", "TVER", "C", "A"),))),))
    assert news_of(happened, "toll", few).when == ("most",)
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
    assert news.rank > 250 and "no_recruits" in tails_of(news)
    assert "centre_lost" not in kinds_of(went_on(white, red, before=(red,))), "a Red is still there"
    assert "centre_lost" not in kinds_of(went_on(white, before=(white,))), "it was so before"
    assert news_of(went_on(red, before=(white,)), "centre_back").when == ("red", "recruits")
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


def test_that_the_randomizer_is_empty_is_told_when_it_becomes_so() -> None:
    happened = went_on(phase=Phase.SECOND)
    full = msgspec.structs.replace(happened.before, randomizer=Markers(am=1))
    assert "randomizer_empty" in kinds_of(msgspec.structs.replace(happened, before=full))
    assert "randomizer_empty" not in kinds_of(happened)
    told = War((Past(4, {}, ("randomizer_empty./briefs/0",)),))
    assert "randomizer_empty" not in kinds_of(msgspec.structs.replace(happened, before=full), told), "Markers go back"


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
    fought = War((Past(4, {}, (), Record(clashes=(Clash("TVER", "B", "A", "De"),))),))
    assert news_of(happened, "no_attack", fought).when == ("first",), "there was a battle in the one month before"
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
    assert news.when == () and "strength" not in news.data, "three forces are not two figures"
    assert "armies" not in kinds_of(went_on(*ENEMIES)), "nobody came there"
    reds = (
        stack("OREL", "A", "Sablin", "RU8 TVER"),
        stack("OREL", "B", "Lenin", "RU8 PETR"),
        stack("OREL", "A", "Ulagi"),
    )
    friends = msgspec.structs.replace(went_on(*reds), events=(march,))
    assert "armies" not in kinds_of(friends), "Reds do not face Reds"
    standoff = news_of(happened, "standoff")
    assert standoff.topics & news.topics and standoff.rank < news.rank


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
    two = news_of(marched(*ENEMIES), "armies")
    assert (two.when, two.data["strength"], two.data["against"]) == (("two",), 11, 9)


def test_no_story_of_armies_has_a_superlative() -> None:
    table = PROSE.packs["headlines"]["armies"]
    texts = [t for form in ("headlines", "leads", "briefs") for t in (*table[form], *table["two"][form])]
    texts += PROSE.packs["tails"]["still_facing"]["texts"]
    assert not [t for t in texts if re.search(r"(?i)\b(?:greatest|strongest|most|all eyes|nowhere)\b", t)]


def test_a_camp_that_shrank_is_no_concentration() -> None:
    march = moved("Frunze", path=("TULA", "OREL"))
    after = (stack("OREL", "A", "Sablin", "RU8 TVER"), stack("OREL", "A", "Frunze"))
    smaller, greater = (
        msgspec.structs.replace(went_on(*after, before=(there, stack("TULA", "A", "Frunze"))), events=(march,))
        for there in (stack("OREL", "A", "Sablin", "RU8 TVER", "RU6 KURS"), stack("OREL", "A", "Sablin", "RU8 TVER"))
    )
    assert "rendezvous" not in kinds_of(smaller)
    assert news_of(greater, "rendezvous").data["strength"] == 11


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


def test_a_change_of_the_lead_is_told_with_what_made_it() -> None:
    """Fever took eight points of A, and a Purge gave a Leader of two to B."""
    sick, calm = stack("TVER", "A", "RU8 TVER", "Sablin"), stack("TVER", "A", "Sablin")
    his, other = stack("OREL", "C", "Frunze"), stack("OREL", "B", "Frunze")
    taken = msgspec.structs.replace(spoils("B", "Frunze", victim="C"), changes=(o.Restacked((his,), (other,)),))
    fever = o.EpidemicStruck(
        dice=(1, 1),
        provinces=("TVER",),
        lost=(("TVER", piece("RU8 TVER")),),
        changes=(o.Restacked((sick,), (calm,)),),
    )
    rolled = msgspec.structs.replace(purge_rolled("2"), participants=("B",), object="C")
    gai = stack("BAKU", "B", "Gai")
    points = {"A": o.Points(1, 0), "B": o.Points(3, 0), "C": o.Points(0, 0)}
    happened = o.Outcome(
        position(Phase.FIRST, sick, his, gai),
        position(Phase.SECOND, calm, other, gai),
        (rolled, taken, fever),
        (),
        (),
        points,
    )
    rows = {p: BarometerRow(0, 0, 0, 0, n, 0) for p, n in (("A", 9), ("B", 1), ("C", 2))}
    news = news_of(happened, "lead_change", War((Past(4, rows),)))
    assert tails_of(news)["score_lost"].data["parts"] == "8 points of the Red score through the fever"
    assert tails_of(news)["score_gained"].data["parts"] == "2 points of the Red score through Purges"
    assert "cost" in news.when
    more = msgspec.structs.replace(happened, points=points | {"B": o.Points(30, 0)})
    assert not [t for t in news_of(more, "lead_change", War((Past(4, rows),))).tails if t.key.startswith("score_")], (
        "neither the fever nor the Purge decided it"
    )


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
    assert heavy.rank > 100 > light.rank and "heavy" not in light.when
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
    assert tails_of(news_of(happened, "imperial_captured"))["taken_from"].data["other"] == "Player B"


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
