"""Great changes of force are in the paper, however full the page is, and what is told of them is true by its making."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.position import Phase
from gm.reports.build import build_view
from gm.reports.issue import BarometerRow, Issue, Past, Reader
from gm.reports.prose import standard_prose
from gm.reports.story.headlines import find_news
from gm.reports.story.memory import War
from gm.reports.story.news import NewsContext
from gm.reports.view.model import BellView, Fact, Story
from gm.reports.view.names import names_for
from gm.reports.view.yours import for_player
from gm.wording import fields_of
from tests.reports.campaigns import BOARD, campaign, sensible
from tests.reports.test_fact_check import purged, spoils
from tests.reports.test_front_page import news_of, tails_of
from tests.reports.test_stories import stories, texts_of
from tests.reports.test_view import attempt, fallen, happened_with, issue, moved, piece, position, purge_rolled, stack

PROSE = standard_prose()
GREAT = 6  # points
TOLD = [text for pack in ("headlines", "tails", "obituaries") for _, text in texts_of(PROSE.packs[pack])]


def told(pattern: str) -> list[str]:
    return [text for text in TOLD if re.search(pattern, text)]


def pages() -> Iterator[tuple[Issue, BellView, list[Fact]]]:
    for issues in (*map(campaign, range(8)), *map(sensible, range(3))):
        for number, view in issues:
            yield number, view, [fact for story in stories(view) for fact in story.facts]


# --- whatever must be told


def test_whatever_must_be_told_has_a_place_on_the_page() -> None:
    seen = 0
    for number, view, _ in pages():
        names = names_for(BOARD, PROSE, number.players, number.outcome)
        found = find_news(NewsContext(names, number.outcome, War(number.past)))
        news = [n for n in found if n.must]
        keys = {s.key for s in stories(view)}
        topics = {topic for n in found if n.key in keys for topic in n.topics}
        missed = [n for n in news if n.kind != "toll" and n.key not in keys and not n.topics & topics]
        assert missed == [], (number.number, missed)
        seen += len(news)
    assert seen > 300


def test_of_three_fallen_leaders_and_more_each_is_named_in_a_story_or_a_brief() -> None:
    """Once a battle in which four had fallen stood in no story, for three others had."""
    seen = 0
    for number, view, _ in pages():
        names = names_for(BOARD, PROSE, number.players, number.outcome)
        for news in find_news(NewsContext(names, number.outcome, War(number.past))):
            if news.kind == "toll":
                page = " ".join(f"{s.headline} {s.lead}" for s in stories(view))
                dead = [fact.who.partition(" ")[2] for fact in news.facts if fact.what == "dead"]
                assert not [name for name in dead if name not in page], number.number
                seen += 1
    assert seen > 20


def test_a_change_at_the_top_of_a_score_is_told_ties_and_all() -> None:
    changes = 0
    for number, _view, facts in pages():
        outcome = number.outcome
        if outcome.before.turn < 1 or outcome.after.phase is Phase.FINISHED or not number.past:
            continue
        rows = number.past[-1].rows
        for color in ("red", "white"):
            old = {p: getattr(row, f"if_{color}") for p, row in rows.items()}
            new = {p: getattr(n, color) for p, n in outcome.points.items()}
            led, now = ({p for p, n in x.items() if n == max(x.values()) > 0} for x in (old, new))
            if led and now and led != now and led <= new.keys():
                changes += 1
                assert {f.who for f in facts if f.what == f"heads_{color}"} == now, (number.number, color)
                assert {f.who for f in facts if f.what == f"headed_{color}"} == led, (number.number, color)
    assert changes > 30


def test_the_czar_and_the_gold_do_not_change_hands_in_silence() -> None:
    changes = 0
    for number, _view, facts in pages():
        before, after = number.outcome.before, number.outcome.after
        for each in (p for p in before.where if p.is_imperial and p in after.where and before.turn >= 1):
            if (now := after.where[each].owner) != before.where[each].owner:
                changes += 1
                assert any((f.what, f.who, f.by) == ("has", now or "", each.bell) for f in facts), number.number
    assert changes > 5


def test_armies_that_come_and_go_with_their_nations_are_told() -> None:
    for number, _view, facts in pages():
        after = number.outcome.after
        for event in (e for e in number.outcome.events if isinstance(e, o.ChitDrawn)):
            if sum(p.value for p in event.withdrawn) >= GREAT:
                assert {p.bell for p in event.withdrawn} <= {f.who for f in facts if f.what == "withdrawn"}
            gained = [p for p in event.gained if p in after.where and after.where[p].owner == event.player]
            if sum(p.value for p in gained) >= GREAT and not event.set_aside:
                assert {p.bell for p in gained} <= {f.by for f in facts if f.what == "controls"}, number.number


def test_a_heavy_epidemic_is_told_with_all_its_dead() -> None:
    for number, _view, facts in pages():
        lost = [p for e in number.outcome.events if isinstance(e, o.EpidemicStruck) for _, p in e.lost]
        if sum(p.value for p in lost) >= GREAT:
            assert {p.bell for p in lost} == {f.who for f in facts if f.what == "sick"}, number.number
    heavy = PROSE.packs["headlines"]["epidemic"]["heavy"]
    assert all("{tally}" in t for t in (*heavy["leads"], *heavy["briefs"])), "others' dead are no less dead"
    sickness = r"(?i)fever|sick|typhus|epidemic|disease"
    assert all(re.search(sickness, t) for t in (*heavy["headlines"], *heavy["leads"], *heavy["briefs"]))


def test_what_purges_took_is_told_with_who_took_it() -> None:
    seen = 0
    for number, _view, facts in pages():
        for event in (e for e in number.outcome.events if isinstance(e, o.PurgeSpoils)):
            told_of = {(f.who, f.where, f.by) for f in facts if f.what == "spoil"}
            assert {(p.bell, event.victim, event.player) for p in event.leaders} <= told_of, number.number
            seen += len(event.leaders)
    assert seen > 30


def test_a_session_of_the_committee_is_told_roll_by_roll_with_who_has_whom_at_the_end() -> None:
    """A Counterpurge took Rykov and his regiment, and the next Purge took both on: the page told of neither."""
    first = msgspec.structs.replace(purge_rolled("C"), participants=("A",))
    back = msgspec.structs.replace(purge_rolled("1", counter=True), participants=("B",), object="A")
    more = msgspec.structs.replace(purge_rolled("1"), participants=("C",))
    took, on = (msgspec.structs.replace(spoils(p, "Markin", victim=v), rules=(p,)) for p, v in (("B", "A"), ("C", "B")))
    course = news_of(purged(first, back, took, more, on, Markin="C"), "purge_session").data["course"]
    assert course == (
        "a Purge of Player B by Archer, in vain; "
        "a Counterpurge of Archer by Player B, which took the sailor Markin to Player B; "
        "a Purge of Player B by Player C, which took the sailor Markin to Player C. "
        "At the end of it: the sailor Markin with Player C"
    )


def test_counterpurges_to_and_fro_are_counted_and_not_listed() -> None:
    first = msgspec.structs.replace(purge_rolled("C"), participants=("A",))
    rows = [
        msgspec.structs.replace(purge_rolled("C", counter=True), participants=pair[:1], object=pair[1])
        for pair in ("BA", "AB", "BA", "AB")
    ]
    course = news_of(
        purged(first, *(msgspec.structs.replace(e, rules=(str(n),)) for n, e in enumerate(rows))), "purge_session"
    )
    assert course.data["course"] == (
        "a Purge of Player B by Archer, in vain; four Counterpurges to and fro between Player B and Archer, all in vain"
    )


# --- claims that were false again and again are not made


def test_nothing_is_counted_over_the_issues() -> None:
    assert told(r"\{nth\}|\{months|[Ff]or the first time|[Nn]ever (?:before|had)|once before|\bstreak\b") == []
    assert told(r"nobody else (?:with|had)|nothing but victories|every battle") == []
    assert (
        not {"streak", "again", "killer_again", "purged_again", "same_hands", "score_lost"}
        & PROSE.packs["tails"].keys()
    )


def test_no_cause_is_given_for_a_change_of_the_score() -> None:
    kinds = [k for k in PROSE.packs["headlines"] if k.startswith(("lead_", "score_"))]
    texts = [text for kind in kinds for _, text in texts_of(PROSE.packs["headlines"][kind])]
    assert len(texts) > 60 and not [
        t for t in texts if re.search(r"through|\bsince \{|because|\bnet\b|\bover\b the", t)
    ]
    rows = {p: BarometerRow(0, 0, 0, 0, n, 0) for p, n in (("A", 40), ("B", 39), ("C", 3))}
    war = War((Past(4, rows),))

    def scored(**points: int) -> o.Outcome:
        return msgspec.structs.replace(happened_with(), points={p: o.Points(n, 0) for p, n in points.items()})

    jump = news_of(scored(A=40, B=39, C=20), "score_jump", war)
    assert jump.data["changes"] == "the Red score of Player C from 3 to 20"
    fallen_back = news_of(scored(A=20, B=39, C=3), "score_jump", war)
    assert fallen_back.data["changes"] == "the Red score of Archer from 40 to 20", "all of them, led or not"
    tie = news_of(scored(A=39, B=39, C=3), "lead_tie", war)
    assert (tie.data["who"], tie.data["other"], tie.data["points"]) == ("Archer and Player B", "Archer", 39)
    level = War((Past(4, rows | {"B": rows["A"]}),))
    alone = news_of(scored(A=41, B=40, C=3), "lead_alone", level)
    assert (alone.data["who"], alone.data["other"], alone.data["next"]) == ("Archer", "Archer and Player B", 40)


def test_a_month_of_agitators_is_no_month_without_an_attack() -> None:
    words = msgspec.structs.replace(fallen("WU2 LIVO"), subversion=True)
    kinds = {
        n.kind for n in find_news(NewsContext(names_for(BOARD, PROSE, {}, happened_with(words)), happened_with(words)))
    }
    assert "no_attack" not in kinds


def test_who_joined_a_march_on_the_way_has_not_made_it() -> None:
    """Romanovsky set out from Kaluga with Denikin; the brigade stood at Tula, where they stopped for it."""
    start = (stack("VLDM", "A", "Frunze", "RU4 VLDM"), stack("TULA", None, "RU4 TULA"))
    move = moved("Frunze", "RU4 VLDM", "RU4 TULA", path=("VLDM", "RYAZ", "TULA"))
    move = msgspec.structs.replace(move, picked=(("TULA", piece("RU4 TULA")),))
    after = position(Phase.SECOND, stack("TULA", "A", "Frunze", "RU4 VLDM", "RU4 TULA"))
    happened = o.Outcome(position(Phase.FIRST, *start), after, (move,), (), (), {p: o.Points(0, 0) for p in "ABC"})
    assert news_of(happened, "march").data["force"] == "the Red Vladimir brigade"
    texts = [text for _, text in texts_of(PROSE.packs["headlines"]["march"])]
    assert not [
        t for t in texts if re.search(r"\{who\} (?:has )?sen[dt]s?\b|\border(?:ed)?\b|asked it|\{steps|long way", t)
    ]


@pytest.mark.parametrize("kind", ["murder", "leader_fell"])
def test_it_is_said_whose_the_dead_leader_was(kind: str) -> None:
    whose = {"leader_of", "owner", "who"}
    table = PROSE.packs["headlines"][kind]
    pools = (table, *(inner for inner in table.values() if isinstance(inner, dict)))
    texts = [t for pool in pools for form in ("leads", "briefs") for t in pool.get(form, ())]
    bare = [t for t in texts if not whose & fields_of(t)]
    assert len(texts) > 15 and all({"force", "foe"} & fields_of(t) for t in bare), bare


def test_every_dateline_has_a_place() -> None:
    for _, view, _ in pages():
        lines = [s.dateline for s in stories(view) if s.dateline]
        assert lines and not [line for line in lines if not re.match(r"[A-Z][A-Z' -]+, \d", line)], lines


def test_a_lead_does_not_begin_with_its_headline_again() -> None:
    said = [(s.headline, s.lead) for _, view, _ in pages() for s in stories(view) if s.headline]
    twice = [pair for pair in said if pair[1].lower().startswith(pair[0].lower())]
    assert len(said) > 200 and len(twice) * 50 < len(said), twice


def test_a_page_with_a_list_of_all_the_dead_has_no_brief_of_one_of_them() -> None:
    for _, view, _ in pages():
        kinds = [s.kind for s in view.briefs]
        assert "toll" not in kinds or not {"murder", "leader_fell"} & set(kinds), view.briefs


def test_of_the_gold_that_was_found_on_a_march_it_is_not_said_where() -> None:
    """It was taken up at Tver on the way to Tiflis, and the paper had it found at Tiflis."""
    table = PROSE.packs["headlines"]["imperial"]
    texts = [t for when in ("taken", "found") for _, t in texts_of(table[when])]
    at = r"(?i)(?:found|taken|orders|signed|from \{other\})[^.]*(?<!now )\{(?:at|place)\}"
    assert len(texts) > 20 and [t for t in texts if re.search(at, t)] == []


def test_of_the_end_of_a_nations_troops_no_cause_is_given() -> None:
    """They may have died of the fever, one after the other in many months."""
    texts = PROSE.packs["headlines"]["nation_gone"]["briefs"]
    assert [t for t in texts if re.search(r"(?i)destroy|struck|beaten|fallen|killed|dead|perish", t)] == []


def test_behind_a_new_leader_of_a_score_all_who_are_second_are_named() -> None:
    """Jansen had led, and was now level with Unger behind Arnold: the paper named Jansen alone."""
    rows = {p: BarometerRow(0, 0, 0, 0, n, 0) for p, n in (("A", 30), ("B", 39), ("C", 38))}
    points = {p: o.Points(n, 0) for p, n in (("A", 41), ("B", 39), ("C", 39))}
    scored = msgspec.structs.replace(happened_with(), points=points)
    news = news_of(scored, "lead_change", War((Past(4, rows),)))
    assert (news.when, news.data["second"]) == (("level",), "Player B and Player C")
    level = PROSE.packs["headlines"]["lead_change"]["level"]
    assert level["only"] and all({"second", "next"} <= fields_of(t) for f in ("leads", "briefs") for t in level[f])


def test_who_has_nobody_on_the_map_is_not_told_to_move_to_attack_or_to_murder() -> None:
    seen = 0
    for number, view in sensible(0):
        after = number.outcome.after
        for player in after.active if after.phase in (Phase.FIRST, Phase.SECOND) else ():
            units = tuple(
                msgspec.structs.replace(s, pieces=tuple(p for p in s.pieces if p.is_unit)) if s.owner == player else s
                for s in after.stacks
            )
            for stacks, able in ((units, True), (tuple(s for s in after.stacks if s.owner != player), False)):
                left = msgspec.structs.replace(after, stacks=tuple(s for s in stacks if s.pieces))
                able = able and any(s.owner == player for s in left.stacks)
                lines = [
                    i.text for i in for_player(BOARD, view, left, Reader(player)).yours if i.kind.startswith("next")
                ]
                may = " ".join(lines)
                assert "Assassin" not in may and ("move your" in may or "attack" in may) == able, (number.number, may)
                seen += "Politburo" in may and not able
    assert seen


def test_a_list_of_the_dead_has_nobody_whom_a_story_of_the_page_has_told() -> None:
    seen = 0
    for number, view, _ in pages():
        for brief in (b for b in view.briefs if b.kind == "toll"):
            leads = " ".join(s.lead for s in (view.story, *view.stories))
            dead = {f.who for f in brief.facts if f.what == "dead"}
            told_of = {f.who for s in (view.story, *view.stories) for f in s.facts if f.what in ("fell", "murdered")}
            assert not [bell for bell in dead & told_of if bell.partition(" ")[2] in leads], number.number
            seen += len(dead)
    assert seen


def test_points_in_a_headline_of_the_fever_are_of_strength() -> None:
    texts = [t for _, t in texts_of(PROSE.packs["headlines"]["epidemic"]) if "{points" in t or "{had" in t]
    assert texts and all("of strength" in t or "on the map" in t for t in texts)


def test_who_perished_in_an_attack_was_not_beaten_off() -> None:
    assert told(r"[Bb]eaten off|[Bb]eat off") == []


# --- the last issue


def test_the_last_issue_says_by_how_much_and_before_whom() -> None:
    won = o.Won(color="red", condition=5, points={"A": 68, "B": 67, "C": 3}, rules=("H3",))
    stacks = (stack("TULA", "A", "Lenin"),)
    points = {"A": o.Points(68, 0), "B": o.Points(67, 0), "C": o.Points(3, 0)}
    end = o.Outcome(position(Phase.SECOND, *stacks), position(Phase.FINISHED, *stacks), (won,), (), (), points)
    margin = tails_of(news_of(end, "victory_red"))["margin"].data
    assert (margin["second"], margin["next"], margin["margin"]) == ("Player B", 67, 1)
    assert "67" in build_view(BOARD, issue(end)).story.lead
    tie = msgspec.structs.replace(won, points={"A": 68, "B": 68, "C": 3})
    both = tails_of(news_of(msgspec.structs.replace(end, events=(tie,)), "victory_red"))["winners"].data
    assert both["who"] == "Archer and Player B"
    for _, text in texts_of(PROSE.packs["headlines"]["victory_red"]["calendar_sole"]):
        assert {"red", "white"} <= fields_of(text) or "{who}" not in text


def test_the_house_never_prints_a_piece_of_press_twice() -> None:
    for issues in map(sensible, range(3)):
        pieces = [p.text for _, view in issues for p in view.press]
        assert len(pieces) == len(set(pieces))
    assert len({p["text"] for p in PROSE.packs["house"]["press"]}) >= 40


def test_a_murder_tells_no_story_about_the_killers_waiting() -> None:
    assert told(r"waited a long time|^Who killed|courage or a mistake|gained it at the other") == []
    happened = happened_with(attempt(True))
    assert isinstance(build_view(BOARD, issue(happened)).story, Story)
