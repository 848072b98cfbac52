"""What readers who came fresh to twenty issues and more found silly, each as the class that it was of."""

import re
from collections import Counter
from dataclasses import replace

import msgspec

from gm.adjudicator import outcome as o
from gm.orders.kinds import Goods
from gm.position import Phase
from gm.reports.build import build_view
from gm.reports.prose import standard_prose
from gm.reports.story.headlines import HeadlineWriter, find_news
from gm.reports.story.memory import record_of
from gm.reports.story.news import News, NewsContext, Tail
from gm.wording import fields_of
from tests.reports.campaigns import BOARD, campaign, sensible
from tests.reports.test_fact_check import every_story
from tests.reports.test_front_page import news_of
from tests.reports.test_stories import texts_of
from tests.reports.test_view import (
    attempt,
    fallen,
    happened_with,
    issue,
    moved,
    names_of,
    piece,
    position,
    purge_rolled,
    stack,
)

PROSE = standard_prose()
TOLD = [text for pack in ("headlines", "tails", "obituaries") for _, text in texts_of(PROSE.packs[pack])]


def told(pattern: str) -> list[str]:
    assert len(TOLD) > 700
    return [text for text in TOLD if re.search(pattern, text)]


def test_losses_are_paid_by_a_player_and_not_by_troops() -> None:
    """`Two French regiments won, and paid for it with a French regiment`."""
    paid = told(r"\{cost\}")
    assert len(paid) > 20
    by_troops = (
        r"(?:\{force\}|attackers)(?:(?!\{who\})[^.;:])*\b(?:lost|paid|price|cost)\b(?:(?!\{who\})[^.;:])*\{cost\}"
    )
    assert [text for text in paid if re.search(by_troops, text)] == []
    assert told(r"\{who\} (?:has )?(?:lost|loses|lose) \{force\}") == [], "Quist lost Quist's men"


def test_nobody_is_somewhere_for_a_player() -> None:
    """`Denikin is for Quist`, and `came for Quist` as if to fetch him: one attacks, leads and commands for somebody."""
    place = r"\{(?:at|place|origin|origin_at|force|leader|foe)\}|\b(?:is|are|stood|come|came|there|march|up|now|him)"
    found = told(rf"(?:{place}),? for \{{(?:who|other|owner)\}}")
    assert [text for text in found if not re.search(r"attack|fought|commands|victory|Victory", text)] == []


def test_a_colon_stands_behind_a_clause_or_a_label() -> None:
    """`He is dead, and with him is lost: a regiment`."""
    hanging = r"(?:is|are|was|were|has|have|lost with him|come together|as dead|with|to|of|from|came back|depots)"
    assert told(rf"[a-z,] (?:and )?[^.;:]*\b(?:is|are|was|were) lost: |\b{hanging}: \{{(?!points)") == [
        text for text in TOLD if text.startswith(("From the depots: ", "Back from the depots: "))
    ]


def test_a_leader_is_seen_with_what_is_his_owners_and_no_other() -> None:
    march = moved("Frunze", "RU4 VLDM", path=("VLDM", "NOVG"))
    before = position(Phase.FIRST, stack("VLDM", "A", "Frunze", "RU4 VLDM"))
    points = {p: o.Points(0, 0) for p in "ABC"}
    for owner, force in (("A", "the Red Vladimir brigade"), ("B", None), (None, None)):
        after = position(Phase.SECOND, stack("NOVG", "A", "Frunze"), stack("NOVG", owner, "RU4 VLDM"))
        news = news_of(o.Outcome(before, after, (march,), (), (), points), "march")
        assert news.data.get("force") == force, owner


def test_a_unit_that_dies_twice_in_an_issue_was_raised_in_between() -> None:
    unit = piece("RU2 KAZA")
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("KAZA",), lost=(("KAZA", unit),))
    again = news_of(happened_with(o.Replaced(units=(unit,)), sick), "epidemic")
    assert again.data["lost"] == "the Red Kazan regiment, only just raised again"
    poles = [p for p in BOARD.pieces.values() if p.bell == "GU8 POLA"]
    lost = tuple(("POLA", p) for p in (*poles, piece("WU2 ARCH")))
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("POLA",), lost=lost)
    again = news_of(happened_with(o.Replaced(units=tuple(poles)), sick), "epidemic")
    told = "the White Archangel regiment and, only just raised again, three Polish corps"
    assert again.data["lost"] == told
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("KAZA",), lost=(("KAZA", unit),))
    assert news_of(happened_with(sick), "epidemic").data["lost"] == "the Red Kazan regiment"


def test_that_units_had_come_back_is_said_once() -> None:
    """`..., only just raised again; ..., only just raised again; ..., only just raised again`."""
    units = [piece(name) for name in ("RU2 KAZA", "WU2 ARCH", "RU8 NOVG")]
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("KAZA",), lost=tuple((p.home, p) for p in units))
    for back, end in ((3, "; all of them only just raised again"), (2, "; of these, only just raised again: ")):
        tally = news_of(happened_with(o.Replaced(units=tuple(units[:back])), sick), "epidemic").data["tally"]
        assert str(tally).count("only just raised again") == 1 and end in str(tally), tally


def test_the_dead_of_a_fever_are_whose_they_were_when_it_came() -> None:
    """A unit that changed hands, or was picked up, in the same Phase."""
    unit = piece("RU4 VLDM")
    march = moved("Frunze", "RU4 VLDM", path=("VLDM", "NOVG"))
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("NOVG",), lost=(("NOVG", unit),))
    for owner in ("B", None):
        before = position(Phase.FIRST, stack("VLDM", "A", "Frunze"), stack("VLDM", owner, "RU4 VLDM"))
        after = position(Phase.SECOND, stack("NOVG", "A", "Frunze"))
        change = o.Restacked(before.stacks, (stack("NOVG", "A", "Frunze", "RU4 VLDM"),))
        taken = msgspec.structs.replace(march, changes=(change,))
        points = {p: o.Points(0, 0) for p in "ABC"}
        told = news_of(o.Outcome(before, after, (taken, sick), (), (), points), "epidemic").data["lost"]
        assert str(told).endswith(" of Archer"), told


def test_words_invent_no_troops_and_say_what_they_count() -> None:
    assert told(r"\b[Rr]eserves? ") == []
    assert told(r"loss of \{cost\} to") == []


def test_no_two_obituaries_of_an_issue_say_the_same() -> None:
    """`He died at Kiev` three times."""
    seen = 0
    for _, view in (*(p for n in range(3) for p in sensible(n)), *(p for n in range(6) for p in campaign(n))):
        lives = [(ob, PROSE.packs["leaders"][ob.name]) for ob in view.obituaries]
        said = Counter(
            ob.text.lower().replace(who["title"].lower(), "").replace(who["life"].lower(), "") for ob, who in lives
        )
        seen += len(lives)
        assert max((n for text, n in said.items() if text != ", ."), default=1) == 1, said
    assert seen > 50


def test_when_all_obituaries_were_used_a_name_stands_on_a_list() -> None:
    """Without a place: who was shot by order died nowhere."""
    assert fields_of(PROSE.template("obituaries", "bare")) == {"leader", "life"}


def test_no_two_names_stand_beside_each_other() -> None:
    """`There fell with Berzin Slavin`, `to a Counterpurge by Jansen Arnold has lost Smirnov`."""
    person = (
        r"\{(?:who|other|owner|victim|holder|killer|takers|movers|leader|leaders|name|foe|foe_name|last|prize|gain)\}"
    )
    assert told(rf"{person} {person}") == []


def test_no_colour_is_ahead_in_a_tie() -> None:
    """H3: equal strength after the last Game-Turn is a Red victory."""
    for units, how in ((("RU2 EKAT", "WU2 SARA"), "even"), (("RU4 TULA", "WU2 SARA"), "calendar")):
        stacks = (stack("TULA", None, units[0]), stack("KALU", None, units[1]))
        won = o.Won(color="red", condition=5, points={"A": 4, "B": 2, "C": 1}, rules=("H3",))
        points = {p: o.Points(1, 1) for p in "ABC"}
        end = o.Outcome(position(Phase.SECOND, *stacks), position(Phase.FINISHED, *stacks), (won,), (), (), points)
        view = build_view(BOARD, issue(end))
        assert all(f".{how}" in w for w in view.story.wordings if w.startswith("victory")), view.story
        assert how == "calendar" or "Reds are ahead" not in view.story.headline
        assert ("a tie is a Red victory" in view.verdict) == (how == "even")


def test_markers_that_came_back_are_no_gift() -> None:
    def traded(*flows: tuple[str, str, int, int | None]) -> list[News]:
        events = [
            o.Traded(giver=a, receiver=b, given=Goods(pm=n), returned=None if back is None else Goods(am=back))
            for a, b, n, back in flows
        ]
        happened = happened_with(*events)
        return [n for n in find_news(NewsContext(names_of(happened), happened)) if n.kind == "trade"]

    (gift,) = traded(("A", "B", 2, None))
    assert gift.when == () and gift.data["goods"] == "two Politburo Markers"
    (swap,) = traded(("A", "B", 2, 1))
    assert swap.when == ("exchange",) and swap.data["returned"] == "one Assassin Marker"
    (both,) = traded(("A", "B", 1, None), ("B", "A", 2, None))
    assert both.when == ("exchange",) and both.data["goods"] == "two Politburo Markers"
    assert traded(("A", "B", 1, None), ("B", "A", 1, None)) == [], "like for like"


def test_whoever_had_his_own_man_murdered_does_not_mourn_him() -> None:
    own = msgspec.structs.replace(attempt(True), target=piece("Frunze"), owner="A", player="A", province="VLDM")
    happened = happened_with(own)
    writer = HeadlineWriter(names_of(happened), happened, 5)
    texts = []
    while (obituary := writer.obituaries()[0]).wording:
        texts.append(obituary.text)
    assert len(texts) > 5
    assert not [text for text in texts if "Archer" in text]


def test_a_fight_between_forces_of_one_player_is_told_as_one() -> None:
    red, white = stack("TULA", "A", "Lenin", "RU4 TULA"), stack("TULA", "A", "WU2 SARA")
    won = msgspec.structs.replace(fallen("WU2 SARA", "TULA"), attackers=(red,), defender=white)
    lost = msgspec.structs.replace(
        won, attackers=(white,), defender=red, result="Ae", lost_by_attacker=white.pieces, lost_by_defender=()
    )
    both = msgspec.structs.replace(won, result="Ex", lost_by_attacker=(piece("Lenin"),))
    for event, kind in ((won, "battle"), (lost, "battle"), (both, "leader_fell")):
        happened = o.Outcome(position(Phase.SECOND, red, white), position(), (event,), (), (), {})
        texts = every_story(happened, news_of(happened, kind))
        assert len(texts) >= 2
        said = r"one command|[Bb]oth|two forces|same|of Archer met|left hand|commands as well"
        assert not [t for t in texts if not re.search(said, t)]


def told_behind(*keys: str) -> str:
    """A battle with these sentences behind it."""
    happened = happened_with(fallen("WU2 LIVO"))
    facts = {"leader": "Lenin", "name": "Lenin", "holder": "Archer", "who": "Archer", "other": "Baker", "nth": "third"}
    news = replace(news_of(happened, "battle"), tails=tuple(Tail(key, facts) for key in keys))
    return str(HeadlineWriter(names_of(happened), happened, 5).story(news, main=True).lead)


def test_there_is_where_the_sentence_before_was() -> None:
    """`No recruit is enrolled until further notice. Nobody but Quist is left there.`"""
    for key in ("depots", "no_leader"):
        assert re.search(
            r"(?:left|stands|power|holds|belongs|wants|strength) [^.]*(?:at Petrograd|province)",
            told_behind(key, "left_holder"),
        )
    for _, view in (pair for number in range(3) for pair in sensible(number)):
        for story in (view.story, *view.stories):
            assert not re.search(r"\bthere\b[^.]*\. [^.]*\bthere\b[^.]*\. [^.]*\bthere\b", story.lead), story.lead


def test_the_depots_close_once_on_a_page() -> None:
    assert len(re.findall(r"depots|drafting offices", told_behind("depots", "depots"))) == 1


def test_nobody_has_nothing_to_lose_from_whom_something_was_taken() -> None:
    taken = o.PurgeSpoils(player="A", victim="B", points=1, leaders=(piece("Markin"),), pieces=(piece("Markin"),))
    back = o.PurgeSpoils(player="B", victim="A", points=1, leaders=(piece("Markin"),), pieces=(piece("Markin"),))
    counter = msgspec.structs.replace(purge_rolled("1", counter=True), participants=("B",), object="A")
    stacks = (stack("TVER", "B", "Markin"),)
    for events, kind, when in (
        ((purge_rolled("1"), taken, counter, back), "purge_session", ("took",)),
        ((purge_rolled("1"),), "purge_nothing", ()),
    ):
        happened = o.Outcome(position(Phase.FIRST, *stacks), position(Phase.SECOND, *stacks), events, (), (), {})
        assert news_of(happened, kind).when == when


def test_a_life_that_the_story_begins_alike_is_still_told_with_a_place() -> None:
    """`General Lukomsky, who had` stood in the story, and so no obituary of his was left."""
    happened = happened_with(fallen("Lukomsky"))
    writer = HeadlineWriter(names_of(happened), happened, 5)
    writer.told = frozenset({("general", "lukomsky", "who", "had")})
    assert writer.obituaries()[0].wording


def test_who_marched_in_a_circle_has_not_come_from_anywhere() -> None:
    """`Baron Wrangel has left Yekaterinoslav, and is at Yekaterinoslav.`"""
    circle = moved("Frunze", "RU4 VLDM", path=("VLDM", "NOVG", "VLDM"))
    stacks = (stack("VLDM", "A", "Frunze", "RU4 VLDM"), stack("VLDM", "B", "Wrangel"))
    before, after = position(Phase.FIRST, *stacks), position(Phase.SECOND, *stacks)
    happened = o.Outcome(before, after, (circle,), (), (), {p: o.Points(0, 0) for p in "ABC"})
    kinds = {n.kind for n in find_news(NewsContext(names_of(happened), happened))}
    assert not kinds & {"march", "armies", "camp"}
    assert record_of(BOARD, happened, "", "", ()).march is None
