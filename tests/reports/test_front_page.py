"""What fresh readers of whole campaigns found false or silly on the front page, each as the class that it was of."""

import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.position import Phase
from gm.reports.build import build_view
from gm.reports.issue import BarometerRow, Past
from gm.reports.prose import standard_prose
from gm.reports.story.headlines import HeadlineWriter, find_news
from gm.reports.story.memory import War
from gm.reports.story.news import News, NewsContext, Tail
from gm.reports.view.model import Story
from tests.reports.campaigns import campaign, sensible
from tests.reports.test_view import (
    BOARD,
    attempt,
    fallen,
    happened_with,
    issue,
    names_of,
    outcome,
    piece,
    position,
    stack,
)

PROSE = standard_prose()
# The steps of a Phase as 17/4.2 has them, with what is told of each; what tells how things stand comes after all.
STEPS = (
    ("trades", "trade", "no_trades", "deal"),
    ("seized",),
    ("march", "imperial_left", "czechs_left", "battle", "leader_fell", "subversion"),
    ("murder", "murder_failed"),
    ("purge", "purge_nothing", "purge_failed", "purge_plots", "purge_session"),
    ("withdrawal", "control", "replacements", "epidemic", "doubled"),
    (
        "camp",
        "imperial",
        "lead_tie",
        "lead_alone",
        "lead_change",
        "last_leader",
        "no_leader",
        "eve_red",
        "eve_white",
        "quit",
        "removed",
        "toll",
        "armies",
        "no_attack",
        "centre_lost",
        "centre_back",
    ),
    ("victory_red", "victory_white"),
)


def stories(seed: int) -> Iterator[tuple[Story, ...]]:
    for _, view in (*campaign(seed), *(sensible(seed) if seed < 3 else ())):
        yield (view.story, *view.stories)


def step_of(kind: str) -> int | None:
    return next((n for n, kinds in enumerate(STEPS) if kind in kinds), None)


def day_of(story: Story) -> int:
    found = re.search(r"(?:^|, )(\d+) ", story.dateline)
    assert found
    return int(found[1])


@pytest.mark.parametrize("seed", range(6))
def test_datelines_follow_the_steps_of_the_phase(seed: int) -> None:
    compared = 0
    for page in stories(seed):
        dated = [(n, day_of(s)) for s in page if (n := step_of(s.kind)) is not None and s.dateline]
        for n, day in dated:
            later = [other for m, other in dated if m > n]
            compared += len(later)
            assert all(other >= day for other in later), page
    assert compared > 5


def test_an_order_of_the_last_phase_is_answered_before_anything_else_happens() -> None:
    shot = o.ExecutionAnswered(holder="A", answer="complied")
    happened = happened_with(shot, *(attempt(False),))
    context = NewsContext(names_of(happened), happened)
    writer = HeadlineWriter(context.names, happened, 5)
    days = {n.kind: day_of(writer.story(n)) for n in find_news(context)}
    assert days["czar_executed"] < days["murder_failed"]


def news_of(happened: o.Outcome, kind: str, war: War | None = None) -> News:
    return next(n for n in find_news(NewsContext(names_of(happened), happened, war or War())) if n.kind == kind)


def tails_of(news: News) -> dict[str, Tail]:
    return {tail.key: tail for tail in news.tails}


SPOILS = o.PurgeSpoils(player="A", victim="B", points=1, pm=1)


def test_nobody_is_told_to_be_well_who_died_of_the_next_attempt() -> None:
    happened = happened_with(attempt(False), attempt(True))
    gone = tuple(s for s in happened.after.stacks if attempt(True).target not in s.pieces)
    happened = msgspec.structs.replace(happened, after=msgspec.structs.replace(happened.after, stacks=gone))
    kinds = [n.kind for n in find_news(NewsContext(names_of(happened), happened))]
    assert "murder" in kinds
    assert "murder_failed" not in kinds


def test_who_came_back_is_counted_without_those_whom_the_fever_took_at_once() -> None:
    units = [piece(name) for name in ("RU2 KAZA", "RU2 KRAS", "RU3 YARO", "RU3 OREL", "WU2 URAL", "GU2 KHAR")]
    lost = o.EpidemicStruck(dice=(1, 1), provinces=("OREL",), lost=(("OREL", piece("RU3 OREL")),))
    happened = happened_with(o.Replaced(units=tuple(units)), lost)
    back = tuple(stack(p.home, None, p.bell) for p in units if p.bell not in ("RU3 OREL", "RU2 KAZA"))
    after = msgspec.structs.replace(happened.after, stacks=(*happened.after.stacks, *back))
    news = news_of(msgspec.structs.replace(happened, after=after), "replacements")
    assert str(news.data["force"]).startswith("five Red, White and Nationalist regiments, not counting those")


def rows(red: int, other: int) -> dict[str, BarometerRow]:
    return {"A": BarometerRow(0, 0, 0, 0, red, 0), "B": BarometerRow(0, 0, 0, 0, other, 0)}


@pytest.mark.parametrize(("attack", "defence", "said"), [(2, 3, "upset"), (3, 3, "even"), (4, 3, "stronger")])
def test_only_the_weaker_side_wins_against_the_odds(attack: int, defence: int, said: str) -> None:
    odds = "1-2" if attack < defence else "1-1"
    event = msgspec.structs.replace(fallen("WU2 LIVO"), odds=odds, attack=attack, defence=defence)
    assert news_of(happened_with(event), "battle").when == (said, "won")


def test_all_czechs_who_sailed_are_told() -> None:
    left = tuple(o.Left(player="A", piece=piece(f"BU3 {c}/CZ"), province="VLAD") for c in ("OMSK", "EKAT"))
    czechs = [
        n
        for n in find_news(NewsContext(names_of(happened_with(*left)), happened_with(*left)))
        if n.kind == "czechs_left"
    ]
    assert [n.data["what"] for n in czechs] == ["two Czech regiments"]


def test_who_is_left_in_a_province_was_left_by_the_fighting_and_not_by_what_came_after() -> None:
    """A regiment raised there in the same Phase came later than the dateline of the battle."""
    defender = stack("PETR", "B", "WU2 LIVO")
    lenin = stack("PETR", "A", "Lenin", "RU8 PETR")
    event = msgspec.structs.replace(
        fallen("WU2 LIVO"), attackers=(lenin,), defender=defender, changes=(o.Restacked((defender,), ()),)
    )
    before = position(Phase.SECOND, lenin, defender)
    alone = o.Outcome(before, position(Phase.FIRST, lenin), (event,), (), (), {})
    raised = o.Outcome(before, position(Phase.FIRST, lenin, stack("PETR", None, "RU3 OREL")), (event,), (), (), {})
    assert "left_holder" in tails_of(news_of(alone, "battle"))
    assert not {"left_holder", "left_color", "left_empty"} & tails_of(news_of(raised, "battle")).keys()


def test_snow_falls_where_there_is_snow() -> None:
    south = PROSE.packs["words"]["season"]["south"]
    seasons = {name.removesuffix("_south") for name in PROSE.packs["weather"]}
    assert all(f"{season}_south" in PROSE.packs["weather"] and season in PROSE.packs["weather"] for season in seasons)
    seen = 0
    for issue_, view in (pair for number in range(3) for pair in sensible(number)):
        used = [w for w in view.story.wordings if w.startswith("weather.")]
        places = {f.where for f in view.story.facts if f.where}
        seen += len(used)
        assert all(("_south/" in w) == (view.story.key.partition("/")[2] in south) for w in used), (
            issue_.number,
            places,
        )
    assert seen


def test_never_used_wordings_go_before_used_ones() -> None:
    seen: list[str] = []
    for _, view in sensible(0):
        texts = [w for w in view.story.wordings if w.startswith("murder./leads")]
        seen += texts
    known = len(PROSE.packs["headlines"]["murder"]["leads"])
    assert len(set(seen[:known])) == len(seen[:known])


def test_a_page_has_one_sentence_of_memory_of_a_kind() -> None:
    for _, view in (pair for number in range(3) for pair in sensible(number)):
        again = [w for w in view.wordings if w.startswith("tails.again")]
        left = [w for w in view.wordings if w.startswith("tails.left_")]
        assert len(again) <= 1
        assert len(left) <= 1


def test_prose_gives_odds_in_words_and_no_troops_twice() -> None:
    for _, view in (pair for number in range(3) for pair in sensible(number)):
        for story in (view.story, *view.stories, *view.briefs):
            text = f"{story.headline} {story.lead}"
            assert not re.search(r"\b\d+-\d+\b", text), text
            assert not re.search(r"troops lost|withdr\w+ \w+ (?:Japanese|British|French|American)", text), text


def test_a_house_piece_is_signed_by_the_paper_and_is_no_readers_letter() -> None:
    assert not any("READER" in piece["dateline"] for piece in PROSE.packs["house"]["press"])


def test_the_barometer_speaks_of_changes_only_where_there_was_an_issue_before() -> None:
    first = build_view(BOARD, issue(outcome()))
    assert first.barometer_note == "barometer_note"  # the positions that it began with were printed before
    still = replace(first, barometer=tuple(replace(r, red_change=0, white_change=0) for r in first.barometer))
    assert still.barometer_note == "barometer_note_first"
    later = build_view(BOARD, replace(issue(outcome()), past=(Past(1, rows(1, 2)),)))
    assert later.barometer_note == "barometer_note"
    won = build_view(BOARD, issue(happened_with(o.Won(color="red", condition=2, points={"A": 4, "B": 2}))))
    assert won.barometer_note == "barometer_note_end"


def test_what_happened_before_the_fight_that_is_told_is_told_as_earlier() -> None:
    first = msgspec.structs.replace(fallen("WU2 LIVO"), number=1)
    second = msgspec.structs.replace(fallen("Yudenich"), number=2)
    assert "also_won_before" in tails_of(news_of(happened_with(first, second), "leader_fell"))
    assert "also_won" in tails_of(news_of(happened_with(second, first), "leader_fell"))


def test_units_are_named_after_their_home_wherever_they_stand() -> None:
    """`The Red regiment` at Baku might be any."""
    names = names_of(outcome())
    for unit in (p for p in BOARD.pieces.values() if p.is_unit and str(p.color) in ("red", "white")):
        home = PROSE.packs["words"]["home"].get(unit.home, BOARD.provinces[unit.home].name)
        assert f" {home} " in names.told([unit]), unit
    both = names.told([piece("GU2 CHIT"), piece("GU2 IRKU")])
    assert both == "the Siberian Chita regiment and the Siberian Irkutsk regiment"
    japan = [p for p in BOARD.pieces.values() if p.nation == "JA"]
    assert names.told(japan, bare=True) == "three divisions"


def test_where_a_nation_is_withdrawn_from_its_troops_stood() -> None:
    """They may have marched far from the port where they landed."""
    gone = o.ChitDrawn(player="A", chit="BR withdrawal", withdrawn=(piece("BU2 BAKU/BR"),))
    before = position(Phase.SECOND, stack("TVER", "A", "BU2 BAKU/BR"))
    happened = o.Outcome(before, position(Phase.FIRST), (gone,), (), (), {})
    assert news_of(happened, "withdrawal").place == "TVER"
