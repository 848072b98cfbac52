"""The front page is true, has judgement and a memory: held against the Outcomes of random campaigns."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import pytest

from gm.adjudicator.outcome import AssassinationTried, Moved, Outcome, PurgeRolled, Won
from gm.board.model import Piece
from gm.position import Phase
from gm.reports.issue import Issue
from gm.reports.prose import standard_prose
from gm.reports.view.model import BellView, Story
from gm.reports.view.names import names_for
from tests.reports.campaigns import BOARD, campaign, sensible
from tests.reports.truth import Truth, misread, unbacked
from tests.support import examples

PHASES = 16
TRUE = examples(500, 100) // PHASES + 1  # campaigns whose every sentence is checked
CAMPAIGNS = 20
ALONE = {bell for bell, number in Counter(p.bell for p in BOARD.pieces.values()).items() if number == 1}  # no twins


def stories(view: BellView) -> tuple[Story, ...]:
    return (view.story, *view.stories, *view.briefs)


@pytest.mark.parametrize("seed", range(TRUE))
def test_whoever_a_story_says_died_moved_won_or_lost_did(seed: int) -> None:
    check(campaign(seed, PHASES))


@pytest.mark.parametrize("number", range(3))
def test_so_it_is_in_campaigns_that_are_played_with_sense(number: int) -> None:
    check(sensible(number))


def check(issues: Sequence[tuple[Issue, BellView]]) -> None:
    outcomes = [issue.outcome for issue, _ in issues]
    told = 0
    for number, (issue, view) in enumerate(issues, start=1):
        truth = Truth(outcomes[:number])
        names = names_for(BOARD, standard_prose(), issue.players, issue.outcome)
        for story in stories(view):
            assert truth.wrong(story) == [], story
            assert list(unbacked(names, story)) == [], story
            assert list(misread(names, truth, story)) == [], story
            told += len(story.facts)
        assert dead_twice(view) == [], issue.number
        assert dead_arrived(issue.outcome, view) == [], issue.number
        assert unexplained(issue.outcome, view) == 0, issue.number
    assert told > 5 * len(issues)


def dead_twice(view: BellView) -> list[Story]:
    """Stories of sickness that bury again who fell on the same page, without a word of his having come back."""
    fallen = {f.who for s in stories(view) for f in s.facts if f.what in ("destroyed", "fell")}
    again = [s for s in stories(view) if any(f.what == "sick" and f.who in fallen & ALONE for f in s.facts)]
    return [s for s in again if s.kind == "epidemic" and "only just raised again" not in s.lead]


def dead_arrived(outcome: Outcome, view: BellView) -> list[AssassinationTried]:
    """Murders of Leaders who marched and did not come to the end of it, where the report says that all arrived."""
    told = [item.text for s in view.sections if s.key == "movement" for item in s.items]
    if not any("every one of them arrived" in text for text in told):
        return []
    ends: dict[Piece, str] = {}
    for move in (e for e in outcome.events if isinstance(e, Moved)):
        ends |= dict.fromkeys(move.pieces, move.path[-1]) | {p: where for where, p in move.dropped}
    dead = [e for e in outcome.events if isinstance(e, AssassinationTried) and e.success and e.target in ends]
    return [e for e in dead if ends[e.target] != e.province]


def unexplained(outcome: Outcome, view: BellView) -> int:
    """Purges that failed with a C and had no answer, less those of which the report says why."""
    rolled = [e for e in outcome.events if isinstance(e, PurgeRolled)]
    silent = sum(e.result == "C" and not (then and then.counter) for e, then in zip_longest(rolled, rolled[1:]) if e)
    told = [item.text for s in view.sections if s.key == "purges" for item in s.items]
    return silent - sum(text.startswith("No Counterpurge followed") for text in told)


def test_battles_and_fallen_leaders_lead_and_epidemics_seldom_do() -> None:
    leads = Counter(
        view.story.kind
        for seed in range(CAMPAIGNS)
        for issue, view in campaign(seed, PHASES)
        if issue.outcome.before.turn
    )
    total = leads.total()
    assert total > 10 * CAMPAIGNS
    assert 3 * (leads["battle"] + leads["leader_fell"] + leads["murder"]) >= total, leads
    assert 10 * leads["epidemic"] <= total, leads


def test_no_wording_stands_again_within_ten_issues() -> None:
    for seed in range(CAMPAIGNS):
        recent: list[tuple[str, ...]] = []
        for issue, view in campaign(seed, PHASES):
            used = Counter(view.wordings)
            assert max(used.values()) == 1, (seed, issue.number)
            assert not set(used) & {w for earlier in recent[-10:] for w in earlier}, (seed, issue.number)
            recent.append(view.wordings)


def test_no_two_wordings_begin_with_the_same_sentence() -> None:
    """A wording is remembered by its name, so that the same words must not stand under two names."""
    seen: Counter[str] = Counter()
    for pack in ("headlines", "tails", "obituaries"):
        for path, text in texts_of(standard_prose().packs[pack]):
            opening = re.split(r"(?<=[.:;!?])\s", text)[0]
            if not path.startswith(("victory_", "end")) and len(re.sub(r"\{[^}]*\}", "", opening).split()) >= 3:
                seen[opening] += 1
    assert len(seen) > 500 and [text for text, number in seen.items() if number > 1] == []


def texts_of(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, inner in table.items():
        if isinstance(inner, Mapping):
            yield from texts_of(inner, f"{path}{key}.")
        elif isinstance(inner, list):
            yield from ((path, text) for text in inner)


def test_a_war_that_the_calendar_ended_has_no_beaten_colour() -> None:
    ends = [campaign_[-1] for campaign_ in map(sensible, range(3))]
    for issue, view in ends:
        won = next(e for e in issue.outcome.events if isinstance(e, Won))
        assert won.condition == 5
        red, white = (int(f.by) for f in view.story.facts if f.what == "contested")
        how = ".even" if red == white else ".calendar"
        assert all(how in w for w in view.story.wordings if w.startswith("victory")), view.story
        assert won.color == ("white" if white > red else "red")
        assert f"{red} Red and {white} White" in view.verdict
        assert ("tie" in view.verdict) == (red == white)


def test_who_came_by_rail_neither_rides_nor_marches() -> None:
    seen = 0
    for issue, view in (pair for number in range(3) for pair in sensible(number)):
        moves = [e for e in issue.outcome.events if isinstance(e, Moved)]
        for story in (s for s in stories(view) if s.kind == "march"):
            who = {f.who for f in story.facts if f.what == "moved"}
            rail = any(e.by_rail and who & {p.bell for p in e.pieces} for e in moves)
            seen += rail
            assert not any(".road/" in w or ".far/" in w for w in story.wordings if rail), story
    assert seen


def test_pieces_that_nobody_owned_never_lead() -> None:
    for seed in range(CAMPAIGNS):
        for issue, view in campaign(seed, PHASES):
            if view.story.kind in ("epidemic", "withdrawal", "replacements"):
                owned = [f.who for f in view.story.facts if f.what in ("sick_of", "owned_then")]
                assert owned, (seed, issue.number)


def test_one_province_makes_one_battle_story() -> None:
    for seed in range(CAMPAIGNS):
        for _, view in campaign(seed, PHASES):
            places = [s.key for s in stories(view) if s.kind in ("battle", "leader_fell")]
            assert len(places) == len({key.partition("/")[2] for key in places})


def test_datelines_keep_to_the_calendar_and_no_wire_signs_again_within_three_issues() -> None:
    for seed in range(CAMPAIGNS):
        recent: list[set[str]] = []
        for issue, view in campaign(seed, PHASES):
            lines = [re.fullmatch(r"(.+), (\d+) \w+ \((.+)\)", s.dateline) for s in stories(view) if s.dateline]
            days = [(line[1], int(line[2])) for line in lines if line]
            first = issue.outcome.before.phase is Phase.FIRST
            assert days and all(day <= 14 if first else 15 <= day <= 28 for _, day in days), (seed, issue.number)
            assert issue.outcome.before.turn or all(" May " in s.dateline for s in stories(view) if s.dateline)
            wires = {line[3] for line in lines if line}
            assert not wires & {w for earlier in recent[-3:] for w in earlier}, (seed, issue.number)
            recent.append(wires)
