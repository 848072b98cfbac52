"""What two fact checkers of whole campaigns found false or silly, each as the class that it was of."""

import re
from dataclasses import replace

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.orders import kinds as m
from gm.orders.parser import parse
from gm.position import SYSTEM_PLAYER, Phase
from gm.reports.build import build_view
from gm.reports.issue import LongMarch, Past, PlayerInfo, Record
from gm.reports.prose import standard_prose
from gm.reports.render.text import render_text
from gm.reports.story.closing import closing
from gm.reports.story.headlines import HeadlineWriter
from gm.reports.story.memory import deaths, record_of
from gm.reports.story.news import News, NewsContext
from gm.reports.view.model import OrderLine
from gm.reports.view.names import names_for
from gm.reports.view.reasons import public_orders
from tests.reports.campaigns import BOARD, sensible
from tests.reports.test_front_page import news_of, tails_of
from tests.reports.test_view import (
    attempt,
    fallen,
    filed,
    happened_with,
    issue,
    moved,
    names_of,
    outcome,
    piece,
    position,
    purge_rolled,
    stack,
)

PROSE = standard_prose()
PLACES = {names_of(outcome()).at(code).lower() for code in BOARD.provinces}  # "in the Kirghiz steppe" is no wording
OTHERS = re.compile(
    r"\b(?:all who|everybody|nobody|those who|beside him|alone|among|with him|followed)\b", re.IGNORECASE
)


def every_story(happened: o.Outcome, news: News) -> list[str]:
    """Headline and lead in every wording that there is for it."""
    found, writer = [], HeadlineWriter(names_of(happened), happened, 5)
    while (story := writer.story(news)) is not None:
        found.append(f"{story.headline}. {story.lead}")
        writer.wires.clear()
    return found


def duel() -> o.Outcome:
    """One Leader against one, and neither lives."""
    one, other = stack("VLAD", "A", "Kikvidze"), stack("VLAD", "B", "Dieterichs")
    event = msgspec.structs.replace(
        fallen("Dieterichs", "VLAD"),
        attackers=(one,),
        defender=other,
        attack=1,
        odds="1-1",
        result="Ex",
        lost_by_attacker=one.pieces,
        lost_by_defender=other.pieces,
    )
    return o.Outcome(position(Phase.SECOND, one, other), position(Phase.FIRST), (event,), (), (), {})


def test_a_duel_is_told_as_one() -> None:
    news = news_of(duel(), "leader_fell")
    assert news.when[0] == "duel"
    assert "fell_opposite" not in tails_of(news)
    texts = every_story(duel(), news)
    assert len(texts) >= 3
    assert all("Kikvidze" in text and "Dieterichs" in text for text in texts)
    assert not any(re.search(r"either side|with the attack|everybody", text) for text in texts)


def lone(lost: bool) -> o.Outcome:
    one, other = stack("VLAD", "A", "Kikvidze"), stack("VLAD", "B", "Dieterichs", "WU2 VLAD")
    event = msgspec.structs.replace(
        fallen("Dieterichs", "VLAD"),
        attackers=(one,),
        defender=other,
        attack=1,
        defence=3,
        odds="1-3",
        result="Ex" if lost else "Ae",
        lost_by_attacker=one.pieces,
        lost_by_defender=other.units if lost else (),
    )
    after = position(Phase.FIRST, stack("VLAD", "B", "Dieterichs", *(() if lost else ("WU2 VLAD",))))
    return o.Outcome(position(Phase.SECOND, one, other), after, (event,), (), (), {})


@pytest.mark.parametrize("lost", [False, True])
def test_who_attacked_alone_fell_with_nobody(lost: bool) -> None:
    texts = every_story(lone(lost), news_of(lone(lost), "leader_fell"))
    assert len(texts) >= 2
    assert not any(re.search(r"nobody who|all who|followed|to the last man|everything", text) for text in texts)
    assert [d.cause for d in deaths(lone(lost))] == ["destroyed" if lost else "repulsed"]


@pytest.mark.parametrize("cause", ["repulsed", "attacking", "destroyed", "exchanged"])
def test_obituaries_and_the_roll_of_the_dead_speak_of_no_companions(cause: str) -> None:
    """He may have been alone, and may have been the one loss."""
    texts = [*PROSE.packs["obituaries"][cause]["texts"], *PROSE.packs["closing"]["dead"][cause]]
    assert not [text for text in texts if OTHERS.search(text)]


def spoils(player: str, *names: str, victim: str = "B", pm: int = 0) -> o.PurgeSpoils:
    leaders = tuple(map(piece, names))
    return o.PurgeSpoils(player=player, victim=victim, points=1, leaders=leaders, pieces=leaders, pm=pm)


def purged(*events: o.Event, **owners: str) -> o.Outcome:
    """Purges of Player B, who had all of them; `owners`: who has each Leader afterwards."""
    before = position(Phase.FIRST, *(stack("TVER", "B", name) for name in owners))
    after = position(Phase.SECOND, *(stack("TVER", owner, name) for name, owner in owners.items()))
    return o.Outcome(before, after, events, (), (), {})


def test_of_several_who_gained_it_is_told_who_got_whom() -> None:
    events = (purge_rolled("2"), spoils("A", "Markin"), spoils("C", "Sablin"))
    happened = purged(*events, Markin="A", Sablin="C")
    news = news_of(happened, "purge")
    assert news.data["shares"] == "the sailor Markin to Archer; Sablin to Player C"
    for text in every_story(happened, news):
        assert not re.search(r"Archer and Player C (?:\w+ ){1,6}(?:with|over) the sailor", text), text
        assert not re.search(r"Sablin went to Archer", text), text
    one = purged(purge_rolled("2"), spoils("A", "Markin", "Sablin"), Markin="A", Sablin="A")
    assert "gain" in news_of(one, "purge").data
    assert "shares" not in news_of(one, "purge").data


def test_nobody_is_said_to_have_had_the_votes() -> None:
    """Whoever moves a Purge need not have assigned a single Marker to it."""
    table = PROSE.packs["headlines"]["purge"]
    pools = [table, *(inner for inner in table.values() if isinstance(inner, dict))]
    texts = [t for pool in pools for form in ("headlines", "leads", "briefs") for t in pool.get(form, ())]
    assert len(texts) > 20
    assert not [text for text in texts if re.search(r"vote", text)]


def context(happened: o.Outcome) -> NewsContext:
    return NewsContext(names_of(happened), happened)


def test_purges_of_which_no_leader_is_left_are_in_the_paper_all_the_same() -> None:
    """Quist took Bela Kun of Arnold and lost him again to Jansen: no Purge of its own has anything to show."""
    first = msgspec.structs.replace(purge_rolled("1"), participants=("A",), object="B")
    then = msgspec.structs.replace(purge_rolled("1", counter=True), participants=("C",), object="A")
    happened = purged(first, spoils("A", "Markin"), then, spoils("C", "Markin", victim="A"), Markin="C")
    news = news_of(happened, "purge_session")
    assert news.data["course"] == (
        "a Purge of Player B by Archer, which took the sailor Markin to Archer; "
        "a Counterpurge of Archer by Player C, which took the sailor Markin to Player C. "
        "At the end of it: the sailor Markin with Player C"
    )
    same = purged(first, spoils("A", "Markin"), then, spoils("B", "Markin", victim="A"), Markin="B")
    assert str(news_of(same, "purge_session").data["course"]).endswith("the sailor Markin with Player B")
    view = build_view(BOARD, issue(happened))
    assert "purge_session" in [s.kind for s in (view.story, *view.stories, *view.briefs)]


def test_every_issue_with_a_purge_has_one_on_its_front_page() -> None:
    seen = 0
    for campaign in map(sensible, range(3)):
        for issue_, view in campaign:
            if any(isinstance(e, o.PurgeRolled) for e in issue_.outcome.events):
                seen += 1
                kinds = {s.kind for s in (view.story, *view.stories, *view.briefs)}
                assert any("purge" in kind for kind in kinds), (issue_.number, kinds)
    assert seen > 5


@pytest.mark.parametrize(
    ("held", "seats"),
    [
        ((("PETR", "Lenin"),), {"PETROGRAD"}),
        ((("TVER", "Lenin"), ("PETR", "Denikin")), {"MOSCOW"}),
        ((("OREL", "Gai"), ("KAZA", "Lenin"), ("PETR", "Denikin")), {""}),
        ((("PETR", "Lenin"), ("TVER", "Gai")), {"PETROGRAD", "MOSCOW"}),
    ],
)
def test_the_committee_meets_in_a_capital(held: tuple[tuple[str, str], ...], seats: set[str]) -> None:
    after = position(Phase.SECOND, *(stack(province, "A", name) for province, name in held))
    happened = o.Outcome(position(Phase.FIRST), after, (purge_rolled("C"),), (), (), {})
    news = news_of(happened, "purge_failed")
    found = {HeadlineWriter(names_of(happened), happened, n).dateline(news).rpartition(", ")[0] for n in range(1, 12)}
    assert found == {seat or "FROM THE COMMITTEE" for seat in seats}, "where no Red stands no city is named"


def test_nobody_has_left_a_leader_where_he_may_only_just_have_got_him() -> None:
    texts = [
        t
        for table in PROSE.packs["headlines"]["leader_fell"].values()
        if isinstance(table, dict)
        for t in table.get("leads", ())
    ]
    texts += PROSE.packs["headlines"]["march"]["leads"]
    assert not [t for t in texts if re.search(r"(?:owner|who)\} had (?:left|given|kept)|had given him", t)]


def test_sentences_behind_a_story_name_the_fallen_instead_of_calling_him_he() -> None:
    tails = PROSE.packs["tails"]
    for key in ("fell_too", "fell_too_many", "no_leader"):
        assert not [t for t in tails[key]["texts"] if re.search(r"\b(?:he|him|his)\b", t, re.IGNORECASE)]


def test_a_force_whose_leader_was_murdered_on_the_way_did_not_arrive() -> None:
    murder = msgspec.structs.replace(attempt(True), target=piece("Frunze"), owner="A", player="B", province="VLDM")
    move = moved("Frunze", "RU4 VLDM", path=("VLDM", "NOVG"))
    after = position(Phase.SECOND, stack("NOVG", None, "RU4 VLDM"))
    before = position(Phase.FIRST, stack("VLDM", "A", "Frunze", "RU4 VLDM"))
    happened = o.Outcome(before, after, (move, murder), (), (), {p: o.Points(0, 0) for p in "ABC"})
    view = build_view(BOARD, issue(happened))
    told = [item.text for s in view.sections if s.key == "movement" for item in s.items]
    assert told[0] == "1 force moved; 1 Leader was murdered before arriving:"
    assert told[1] == (
        "Archer (“A”): Frunze was murdered at Vladimir, and did not come to Novgorod. Murders are judged after all "
        "marches, so the rest of his force did: RU4 VLDM."
    )
    there = msgspec.structs.replace(murder, province="NOVG")
    view = build_view(BOARD, issue(msgspec.structs.replace(happened, events=(move, there))))
    told = [item.text for s in view.sections if s.key == "movement" for item in s.items]
    assert told == ["1 force moved, and every one of them arrived."]


def test_obituaries_have_no_words_of_the_stories_of_their_issue() -> None:
    seen = 0
    for campaign in map(sensible, range(3)):
        for _, view in campaign:
            stories = " ".join(f"{s.headline} {s.lead}" for s in (view.story, *view.stories, *view.briefs))
            told = words(stories)
            for obituary in (ob for ob in view.obituaries if ob.wording):
                seen += 1
                mine = words(obituary.text)
                runs = [" ".join(mine[n : n + 4]) for n in range(len(mine) - 3)]
                leader = PROSE.packs["leaders"][obituary.name]
                life = " ".join(words(f"{leader['title']} {leader['life']}"))
                runs = [run for run in runs if run not in PLACES and run not in life]
                assert not [run for run in runs if f" {run} " in f" {' '.join(told)} "]
    assert seen > 10


def words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.lower())


def after_marches(*marches: LongMarch) -> list[str]:
    past = tuple(Past(n, {}, (), Record(march=march)) for n, march in enumerate(marches, start=1))
    last = replace(issue(outcome()), past=past)
    return [a.text for a in closing(names_of(last.outcome), last).awards if a.kind == "march"]


def test_the_iron_boot_says_of_how_many_marches_it_was_one() -> None:
    path = ("PETR", "NOVG", "TVER")
    alone, shorter = LongMarch("Gai", "A", path, 0), LongMarch("Frunze", "B", path[:2], 3)
    assert "nobody went as far" in after_marches(shorter, alone)[0]
    assert "one of 4 marches" in after_marches(alone, replace(alone, alike=2))[0]
    assert after_marches(alone, replace(alone, alike=9)) == [], "one of many is nobody"
    assert after_marches(alone, replace(alone, alike=None)) == [], "issues of old did not count them"


def test_marches_as_long_as_the_longest_are_counted() -> None:
    events = (moved("Lenin"), moved("Frunze", path=("VLDM", "NOVG"), number=2))
    march = record_of(BOARD, happened_with(*events), "", "", ()).march
    assert march is not None and march.alike == 1


def test_an_exchange_is_not_counted_as_a_victory_without_loss() -> None:
    record = record_of(BOARD, duel(), "", "", ())
    last = replace(issue(outcome()), past=(Past(1, {}, (), record),))
    line = closing(names_of(last.outcome), last).luck[0]
    assert (line.attacks, line.won, line.exchanged) == (1, 1, 1)
    said = " ".join(
        render_text(replace(build_view(BOARD, last), closing=closing(names_of(last.outcome), last))).split()
    )
    assert "1 attack, 0 clean victories, 1 exchange," in said


def test_the_whites_of_the_game_for_one_person_act_as_one() -> None:
    happened = outcome()
    after = msgspec.structs.replace(happened.after, players=("R", SYSTEM_PLAYER), solitaire=True)
    happened = msgspec.structs.replace(happened, after=after)
    players = {"R": PlayerInfo("Anna Ivanova"), SYSTEM_PLAYER: PlayerInfo(PROSE.template("words", "system"))}
    names = names_for(BOARD, PROSE, players, happened)
    assert names.who(SYSTEM_PLAYER) == "the White command"
    assert names.title(SYSTEM_PLAYER).startswith("The Whites")


def test_what_is_said_of_every_battle_tells_of_losses_only_with_their_names() -> None:
    """The attackers may have lost nobody, and the defenders neither."""
    table = PROSE.packs["headlines"]["battle"]
    said = [text for form in ("headlines", "leads", "briefs") for text in table[form]]
    assert not [
        text
        for text in said
        if re.search(r"loss|\blost\b|\bcost\b", re.sub(r"\{\w+", "", text))
        and "{lost}" not in text
        and "{cost}" not in text
    ]


def section(happened: o.Outcome, key: str) -> list[str]:
    view = build_view(BOARD, issue(happened))
    return [item.text for s in view.sections if s.key == key for item in s.items]


def line_of(happened: o.Outcome, order: m.Order) -> OrderLine:
    result = o.OrderResult("A", 1, order, o.Status.DONE, (o.Reason("carried-out", ()),))
    happened = msgspec.structs.replace(happened, results=(result,))
    return next(x for orders in public_orders(names_of(happened), happened, ()) for x in orders.orders)


def test_who_was_to_be_set_down_on_the_way_and_died_before_did_not_arrive() -> None:
    """MOVE Frunze: VLDM-NOVG(-Frunze)-OLON, and he was murdered at Vladimir."""
    move = msgspec.structs.replace(
        moved("Gai", path=("VLDM", "NOVG", "OLON")), dropped=(("NOVG", piece("Frunze")), ("NOVG", piece("RU4 VLDM")))
    )
    murder = msgspec.structs.replace(attempt(True), target=piece("Frunze"), owner="A", player="B", province="VLDM")
    before = position(Phase.FIRST, stack("VLDM", "A", "Frunze", "RU4 VLDM", "Gai"))
    after = position(Phase.SECOND, stack("OLON", "A", "Gai"), stack("NOVG", None, "RU4 VLDM"))
    happened = o.Outcome(before, after, (move, murder), (), (), {p: o.Points(0, 0) for p in "ABC"})
    told = section(happened, "movement")
    assert told[0] == "1 force moved; 1 Leader was murdered before arriving:"
    assert "did not come to Novgorod" in told[1] and told[1].endswith("did: RU4 VLDM.")
    order = parse(BOARD, "MOVE Frunze, RU4 VLDM, Gai: VLDM-NOVG(-Frunze, -RU4 VLDM)-OLON", "ABC").sheet.orders[0]
    assert line_of(happened, order).status == "partly"
    there = msgspec.structs.replace(happened, events=(move, msgspec.structs.replace(murder, province="NOVG")))
    assert line_of(there, order).status == "done"


def test_nobody_is_stacked_who_was_dead_before_he_came() -> None:
    murder = msgspec.structs.replace(attempt(True), target=piece("Frunze"), owner="A", player="B", province="VLDM")
    order = parse(BOARD, "STACK NOVG: Lenin, Frunze", "ABC").sheet.orders[0]
    assert line_of(happened_with(murder), order).status == "partly"
    there = msgspec.structs.replace(murder, province="NOVG")
    assert line_of(happened_with(there), order).status == "done"


def test_of_every_stack_that_subverts_the_table_says_where_it_stood() -> None:
    stacks = (stack("MOHI", "A", "Trotsky"), stack("CHER", "A", "Gai"), stack("OREL", "A", "Smirnov"))
    event = msgspec.structs.replace(
        fallen("BU2 CHER/GE", "CHER"), attackers=stacks, subversion=True, defender=stack("CHER", None, "BU2 CHER/GE")
    )
    (row,) = build_view(BOARD, issue(happened_with(event))).attacks
    assert row.attackers == "“A” Red: RL3 Trotsky (in MOHI); RL1 Gai; RL1 Smirnov (in OREL)"


def test_markers_that_come_with_lenin_and_trotsky_were_not_drawn() -> None:
    leaders = (piece("Lenin"), piece("Gai"), piece("Trotsky"))
    hands = {"A": m.Goods(4, 1, leaders), "B": m.Goods(2, 0, (piece("Frunze"),)), "C": m.Goods(0, 0, leaders)}
    told = section(happened_with(o.Dealt(hands=hands)), "deal")
    assert "2 Politburo Markers and 1 Assassin Marker. 2 Politburo Markers come with Lenin and Trotsky." in told[0]
    assert told[1].endswith("drew RL2 Frunze and 2 Politburo Markers.")
    assert "Politburo" not in told[2], "the shorter game has none"


def test_separate_purges_have_no_spoils_to_divide() -> None:
    for separately in (False, True):
        told = section(happened_with(filed("not-compatible", separately=separately)), "purges")
        assert any("were to be divided" in text for text in told) is not separately


def wordings(pack: str, kind: str) -> list[str]:
    """All texts of a kind of news, or of a small pool, with those of its conditions."""
    table = PROSE.packs[pack][kind]
    pools = [table, *(inner for inner in table.values() if isinstance(inner, dict))]
    return [t for pool in pools for form in ("headlines", "leads", "briefs", "texts") for t in pool.get(form, ())]


def test_a_change_of_the_lead_says_of_nobody_that_he_rose_or_fell() -> None:
    """Whoever led may have what he had, and be passed; and who leads now may only have kept it."""
    moved = re.compile(r"fallen|dropped|risen|climbed|gone to|went (?!to press)|\bleft\b|sunk|gained|draws")
    texts = wordings("headlines", "lead_change")
    assert len(texts) > 25 and [t for t in texts if moved.search(t)] == []


def test_the_story_of_one_death_does_not_say_that_it_was_the_only_one() -> None:
    texts = [t for kind in ("leader_fell", "murder") for t in wordings("headlines", kind)]
    assert [t for t in texts if re.search(r"a Leader less|one Leader|only one|no other Leader", t)] == []


def test_who_survived_an_attempt_need_not_be_there_any_more() -> None:
    """A man may be attacked wherever he came on his march, and marched on."""
    texts = wordings("headlines", "murder_failed")
    assert [t for t in texts if re.search(r"\bis (?:\w+ )?\{(?:at|town)\}", t)] == []


def test_leaders_who_are_left_are_counted_as_the_paper_goes_to_press() -> None:
    """The dateline of the story may be of an earlier day than another death on the same page."""
    texts = [*wordings("tails", "last_leader"), *wordings("tails", "no_leader")]
    assert [t for t in texts if not re.search(r"as we go to press|when this page was set", t, re.IGNORECASE)] == []


def test_streets_and_windows_are_in_towns() -> None:
    """`{town}` is known only of provinces that are called after one: there are no shops in the Kirghiz steppe."""
    urban = re.compile(
        r"\b(?:windows?|streets?|town hall|mayor|shops?|station-master|innkeepers?|belfry|schoolmaster|every door|"
        r"second house|balcon\w+|pavements?|lamp-posts?|cabs?|police)\b"
    )
    placed = [k for k in PROSE.packs["headlines"] if any("{at}" in t for t in wordings("headlines", k))]
    texts = [t for kind in placed for t in wordings("headlines", kind) if urban.search(t)]
    assert len(texts) > 8
    assert [t for t in texts if "{town}" not in t and "balcony" not in t] == []
    names = names_of(outcome())
    assert names.is_town("TVER") and not names.is_town("KIRG") and not names.is_town("DCOS")


def test_obituaries_know_nothing_of_what_a_man_had_with_him() -> None:
    """He may have had the Imperial Gold."""
    texts = [t for cause in PROSE.packs["obituaries"] if cause != "bare" for t in wordings("obituaries", cause)]
    assert len(texts) > 40 and [t for t in texts if re.search(r"owned|saddlebag|purse|penn|poor|rich", t)] == []


def test_who_had_no_leader_before_is_not_said_to_have_none_left() -> None:
    """Only foreign troops of his fell; his last Leader did months ago."""
    troops = stack("PETR", "B", "BU2 BAKU/BR")
    lenin = stack("PETR", "A", "Lenin", "RU8 PETR")
    other = stack("PETR", "C", "Yudenich")
    first = msgspec.structs.replace(
        fallen("BU2 BAKU/BR"), defender=troops, number=2, changes=(o.Restacked((troops,), ()),)
    )
    second = msgspec.structs.replace(fallen("Yudenich"), defender=other, changes=(o.Restacked((other,), ()),))
    before = position(Phase.SECOND, lenin, troops, other)
    happened = o.Outcome(before, position(Phase.FIRST, lenin), (first, second), (), (), {})
    tails = news_of(happened, "leader_fell").tails
    assert [(t.key, t.data["owner"]) for t in tails if t.key == "no_leader"] == [("no_leader", "Player C")]


def test_the_dead_of_a_fight_are_told_before_what_is_left_to_their_owner() -> None:
    yudenich, lenin = stack("PETR", "B", "Yudenich", "Denikin"), stack("PETR", "A", "Lenin", "RU8 PETR")
    event = msgspec.structs.replace(
        fallen("Yudenich"),
        defender=yudenich,
        lost_by_defender=yudenich.pieces,
        changes=(o.Restacked((yudenich,), ()),),
    )
    before = position(Phase.SECOND, lenin, yudenich)
    happened = o.Outcome(before, position(Phase.FIRST, lenin), (event,), (), (), {})
    assert [t.key for t in news_of(happened, "leader_fell").tails][:2] == ["fell_too", "no_leader"]


def test_a_man_alone_has_no_strength_about_him_and_is_no_staff() -> None:
    happened = happened_with(fallen("Yudenich"))
    news = news_of(happened, "leader_fell")
    assert "defending_won_lone" in news.when and "defending_won_outnumbered" not in news.when
    assert news.data["enemy"] == "General Yudenich of Player B"
    with_him = msgspec.structs.replace(fallen("Yudenich"), defender=stack("PETR", "B", "Yudenich", "Miller"))
    news = news_of(happened_with(with_him), "leader_fell")
    assert "defending_won_outnumbered" in news.when
    assert news.data["enemy"] == "Player B's staff under General Yudenich"


def test_who_had_nothing_to_lose_brought_nothing_to_the_committee() -> None:
    nothing = o.PurgeSpoils(player="A", victim="B", points=1)
    empty = purged(purge_rolled("1"), nothing)
    news = news_of(empty, "purge_nothing")
    assert news.when == ("empty",)
    assert all("Player B" in text and "brought" not in text for text in every_story(empty, news))
    had = purged(purge_rolled("1"), nothing, Markin="B")
    assert news_of(had, "purge_nothing").when == ()


def test_troops_that_were_just_named_in_full_are_the_same_troops() -> None:
    regiments = stack("LIVO", "B", "GU2 LIVO", "GU2 ESTO")
    first = msgspec.structs.replace(
        fallen("Gai", "LIVO"), attackers=(stack("LIVO", "A", "Gai", "RU8 PETR"),), defender=regiments, result="Ae"
    )
    first = msgspec.structs.replace(first, lost_by_attacker=first.attackers[0].pieces, lost_by_defender=())
    second = msgspec.structs.replace(
        fallen("WU2 LIVO", "LIVO"), player="B", attackers=(regiments,), defender=stack("LIVO", "C", "WU2 LIVO")
    )
    tail = tails_of(news_of(happened_with(first, second), "leader_fell"))["also_won"]
    assert tail.data["force"] == "the same troops of Player B"
    assert tail.data["enemy"] == "the White Livonia regiment of Player C"


def test_a_plot_of_one_is_no_whispering() -> None:
    one = PROSE.packs["headlines"]["purge_plots"]
    assert not [t for t in one["briefs"] if re.search(r"whisper|[Kk]nives|[Pp]ens", t)]
