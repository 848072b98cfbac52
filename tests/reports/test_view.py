"""What a Bell says: news and their words, verdicts and reasons, what changed, what each reader may see."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
from hypothesis import Phase as Generation
from hypothesis import given, settings

from gm.adjudicator import outcome as o
from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.reasons import because
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.board.model import Color, Piece
from gm.orders.kinds import Goods
from gm.orders.parser import parse
from gm.orders.rules.reasons import REASONS
from gm.position import Held, How, Phase, Position, Stack, canonical
from gm.reports.build import build_view, for_reader
from gm.reports.issue import Editorial, Issue, Past, PlayerInfo, PressItem, Reader
from gm.reports.prose import Count, Prose, pick, standard_prose
from gm.reports.story.headlines import HeadlineWriter, find_news
from gm.reports.story.news import NewsContext
from gm.reports.view.map import barometer_rows
from gm.reports.view.model import BellView
from gm.reports.view.names import DisplayNames, names_for
from gm.reports.view.reasons import reason_item
from gm.wording import clean, fields_of
from tests.reports.campaigns import campaign
from tests.reports.sample import issues, outcomes, views
from tests.strategies import positions
from tests.support import examples

BOARD = standard_board()
ROOT = Path(__file__).resolve().parents[2]
PROSE = standard_prose()


def piece(name: str) -> Piece:
    """A Leader or Imperial unit by name, a unit by its notation."""
    return next(p for p in BOARD.pieces.values() if name == (p.bell if p.is_unit else p.name))


def stack(province: str, owner: str | None, *names: str) -> Stack:
    return Stack(province, owner, tuple(piece(n) for n in names))


def position(phase: Phase = Phase.FIRST, *stacks: Stack) -> Position:
    return Position(players=("A", "B", "C"), turn=2, phase=phase, stacks=canonical(stacks))


def outcome(*events: o.Event, phase: Phase = Phase.FIRST, stacks: tuple[Stack, ...] = ()) -> o.Outcome:
    before = position(phase, *stacks)
    later = msgspec.structs.replace(before, phase=Phase.SECOND if phase is Phase.FIRST else Phase.FIRST, turn=3)
    return o.Outcome(before, later, events, (), (), {p: o.Points(1, 2) for p in before.players})


def issue(of: o.Outcome, **more: object) -> Issue:
    names = {"A": PlayerInfo("Ann Archer"), "B": PlayerInfo("Bob Baker")}
    return Issue(number=5, outcome=of, campaign="Test", published=date(2026, 1, 2), players=names, **more)  # type: ignore[arg-type]


def names_of(of: o.Outcome) -> DisplayNames:
    return names_for(BOARD, PROSE, {"A": PlayerInfo("Ann Archer"), "C": PlayerInfo("", removed=True)}, of)


# --- words


def test_a_number_knows_its_noun() -> None:
    one, two = Count(1), Count(2)
    one.names = two.names = ["no", "one", "two"]
    assert f"{one:point|points} {two:point|points}" == "1 point 2 points"
    assert f"{two:#point|points} {Count(30):#point|points}" == "two points 30 points"
    assert f"{two}" == "2"


def test_a_choice_depends_on_its_seed_alone() -> None:
    assert pick("seed", 7) == pick("seed", 7)
    assert {pick(f"seed {n}", 3) for n in range(50)} == {0, 1, 2}


def test_clean_leaves_one_line_without_control_or_direction_signs() -> None:
    assert clean("a\r\n b\t\x00\u202ec\u2028 d") == "a b c d"


def test_months_run_on_from_june_1918() -> None:
    assert [PROSE.month(t) for t in (0, 1, 2, 7, 8, 20)] == [
        ("June", 1918),
        ("June", 1918),
        ("July", 1918),
        ("December", 1918),
        ("January", 1919),
        ("January", 1920),
    ]


# --- every template can be filled


def fallen(name: str, province: str = "PETR") -> o.Fought:
    return o.Fought(
        player="A",
        number=1,
        province=province,
        subversion=False,
        attackers=(stack(province, "A", "Lenin", "RU8 PETR"),),
        defender=stack(province, "B", name),
        attack=11,
        defence=1,
        odds="11-1",
        die=1,
        result="De",
        lost_by_defender=(piece(name),),
        credited_to_attacker="A",
    )


def fought(**more: object) -> o.Fought:
    return msgspec.structs.replace(
        fallen("Yudenich"), defender=stack("PETR", None, "WU2 LIVO"), lost_by_defender=(), **more
    )


def purge_rolled(result: str, counter: bool = False) -> o.PurgeRolled:
    return o.PurgeRolled(
        participants=("A", "C"),
        object="B",
        counter=counter,
        leadership={"A": 9, "C": 8},
        markers={"A": 4, "C": 4},
        strength=25,
        dice=5,
        result=result,
    )


def filed(verdict: str = "valid", **more: object) -> o.PurgeFiled:
    facts: dict[str, object] = {
        "player": "A",
        "number": 1,
        "object": "B",
        "participants": ("A", "C"),
        "using": 4,
        "division": (("A", 2), ("C", 1)),
        "separately": False,
        "verdict": verdict,
        "rules": ("17/11.0",),
    }
    return o.PurgeFiled(**(facts | more))  # type: ignore[arg-type]


def attempt(success: bool) -> o.AssassinationTried:
    return o.AssassinationTried(
        player="A",
        number=1,
        target=piece("Wrangel"),
        owner="B",
        province="ASTR",
        markers=2,
        dice=9,
        total=7,
        success=success,
    )


def execution(answer: str) -> o.ExecutionOrdered:
    return o.ExecutionOrdered(participants=("A", "C"), markers=10, holder="A", answer=answer)


def moved(*names: str, path: tuple[str, ...] = ("PETR", "NOVG"), number: int = 1) -> o.Moved:
    return o.Moved(player="A", number=number, pieces=tuple(map(piece, names)), path=path, intended=path)


SPOILS = o.PurgeSpoils(player="A", victim="B", points=2, leaders=(piece("Frunze"),), pieces=(piece("Frunze"),))
SITTING = (
    stack("NOVG", "A", "Lenin", "RU8 PETR"),
    stack("NOVG", "A", "Frunze", "RU4 VLDM"),
    stack("VOLO", "A", "Blucher", "RU2 EKAT", "Czar"),
    stack("TULA", "A", "Wrangel"),
    stack("TULA", "B", "Budenny"),
    stack("OREL", "A", "Sablin", "RU8 TVER", "RU6 KURS"),
    stack("OREL", "B", "Denikin", "WU8 DCOS"),
    stack("PETR", "A", "Gold"),
    stack("KHER", "A", "BU2 KHER/FR"),
    stack("CHIT", "A", "GU2 CHIT"),
    stack("BAKU", "A", "BU2 BAKU/BR"),
    stack("KAZA", None, "RU2 KAZA"),
)
NEWS: dict[str, tuple[o.Event, ...]] = {
    "victory_red": (o.Won(color=Color.RED, condition=2, points={"A": 40, "B": 12}),),
    "victory_white": (o.Won(color=Color.WHITE, condition=1, points={"A": 4, "B": 12}),),
    "murder": (attempt(True),),
    "murder_failed": (attempt(False),),
    "czar_executed": (execution("complied"),),
    "czar_refused": (execution("refused"),),
    "czar_pending": (execution("pending"),),
    "imperial_left": (o.Left(player="A", piece=piece("Czar"), province="ARCH"),),
    "czechs_left": (o.Left(player="A", piece=piece("BU3 CHEL/CZ"), province="VLAD"),),
    "purge": (purge_rolled("2"), SPOILS),
    "purge_failed": (purge_rolled("C"),),
    "purge_nothing": (purge_rolled("2"),),
    "purge_session": (purge_rolled("C"), purge_rolled("2", counter=True), SPOILS),
    "purge_plots": (filed("not-compatible"),),
    "leader_fell": (fallen("Yudenich"),),
    "battle": (fallen("WU2 LIVO"),),
    "toll": (fallen("Yudenich"), attempt(True), fallen("Kutepov", "TVER")),
    "subversion": (msgspec.structs.replace(fallen("BU2 CHER/GE"), subversion=True),),
    "epidemic": (o.EpidemicStruck(dice=(2, 1), provinces=("NOVG",), lost=(("NOVG", piece("RU8 PETR")),)),),
    "withdrawal": (o.ChitDrawn(player="A", chit="BR withdrawal", withdrawn=(piece("BU2 BAKU/BR"),)),),
    "control": (o.ChitDrawn(player="A", chit="FR control", gained=(piece("BU2 KHER/FR"),)),),
    "seized": (
        o.Seized(player="A", leader=piece("Kolchak"), units=(piece("GU2 CHIT"),), losers=("B",), province="CHIT"),
    ),
    "trade": (o.Traded(giver="A", receiver="B", given=Goods(pm=2)),),
    "deal": (o.Dealt(hands={"A": Goods(pm=3), "B": Goods(am=1)}),),
    "trades": (o.Traded(giver="A", receiver="B", given=Goods(leaders=(piece("Wrangel"),)), returned=Goods(pm=2)),),
    "march": (moved("Lenin", "RU8 PETR"),),
    "replacements": (o.Replaced(units=(piece("RU2 KAZA"),)),),
    "armies": (moved("Lenin", "RU8 PETR", path=("PETR", "OREL")),),
    "quit": (o.Quit(player="B"),),
    "removed": (o.Quit(player="C"),),  # see names_of
}
# What no single event makes: the score, and who is left, tested with whole campaigns.
STANDING = {"eve_red", "eve_white", "lead_change", "last_leader", "no_leader"}
STANDING |= {"no_piece", "no_color"}
STANDING |= {"centre_lost", "centre_back", "depots_shut", "depots_end", "nation_gone", "no_attack", "doubled"}
STANDING |= {"camp", "imperial", "lead_tie", "lead_alone", "score_jump", "last_month", "count_now", "imperial_journey"}
IDLE = {"quiet", "start", "erratum", "end", "no_trades"}
FORMS = ("headlines", "leads", "briefs")
SHORT = {"toll", "no_color", "nation_gone", "score_jump", "doubled", "count_now", "purge_plots"}  # told in brief alone


def happened_with(*events: o.Event) -> o.Outcome:
    """The events, with the pieces that they speak of where the events left them."""
    stood = position(Phase.FIRST, stack("PETR", "A", "Lenin", "RU8 PETR"), stack("EKAT", "A", "Blucher", "RU2 EKAT"))
    if any(isinstance(e, o.Moved) and piece("Frunze") in e.pieces for e in events):
        stood = msgspec.structs.replace(stood, stacks=(*stood.stacks, stack("VLDM", "A", "Frunze", "RU4 VLDM")))
    found = outcome(*events, stacks=SITTING)
    return msgspec.structs.replace(found, before=stood)


def desk_of(of: o.Outcome) -> NewsContext:
    return NewsContext(names_of(of), of)


def test_every_kind_of_news_of_the_templates_can_happen() -> None:
    assert set(NEWS) | STANDING | IDLE == set(PROSE.packs["headlines"])


@pytest.mark.parametrize("kind", NEWS)
def test_every_kind_of_news_is_found_and_told(kind: str) -> None:
    happened = happened_with(*NEWS[kind])
    news = next(n for n in find_news(desk_of(happened)) if n.kind == kind)
    writer = HeadlineWriter(names_of(happened), happened, 5)
    story = writer.brief(news) if kind in SHORT else writer.story(news)
    if kind in SHORT:
        assert story and "{" not in story.lead
        return
    assert "{" not in story.headline + story.lead + story.dateline
    assert story.headline[0].isupper() or not story.headline[0].isalpha()


def pools() -> Iterator[tuple[str, str, list[str]]]:
    """(kind, condition, wordings) of headlines.toml."""
    for kind, table in PROSE.packs["headlines"].items():
        for form in FORMS:
            yield kind, form, table.get(form, [])
        for condition, inner in table.items():
            if isinstance(inner, dict):
                for form in set(inner) & set(FORMS):
                    yield f"{kind}.{condition}", form, inner[form]


def test_every_kind_of_news_has_wordings_of_each_form_and_none_twice() -> None:
    for kind in PROSE.packs["headlines"]:
        for form in FORMS:
            texts = [t for name, f, found in pools() if f == form and name.partition(".")[0] == kind for t in found]
            assert len(set(texts)) == len(texts) or kind == "battle", (kind, form)
            assert len(set(texts)) >= 2 or (kind in SHORT and form != "briefs"), (kind, form)


def test_deaths_murders_and_epidemics_have_three_times_the_wordings_that_they_had() -> None:
    had = {"murder": 10, "murder_failed": 9, "leader_fell": 10, "epidemic": 9}
    for kind, number in had.items():
        texts = {t for name, _, found in pools() if name.partition(".")[0] == kind for t in found}
        assert len(texts) >= 3 * number, kind
    texts = PROSE.packs["obituaries"]
    assert sum(len(table["texts"]) for key, table in texts.items() if key != "bare") >= 3 * 11


def test_no_condition_of_the_templates_is_misspelt() -> None:
    """A table that no news ever asks for would never be printed."""
    asked = {"sole", "shared", "own", "one", "several", "rail", "road", "unequal", "parted", "empty", "took", "vain"}
    asked |= {
        "defending_won_lone",
        "defending_won_outnumbered",
        "duel",
        "with_others",
        "with_one",
        "attacking_then",
        "defending_then",
    }
    asked |= {"stronger", "upset", "walkover", "upset_repulsed", "mutual_empty", "even", "red", "white"}
    asked |= {"mixed", "third", "level", "rest", "exchange", "many", "recruits", "heavy", "taken", "found", "lost"}
    asked |= {f"{how}{end}" for how in ("vote", "keys", "calendar", "even") for end in ("", "_sole", "_shared")}
    courses = ("won", "repulsed", "dear", "mutual", "vain", "drawn")
    asked |= {f"{c}{end}" for c in courses for end in ("", "_own", "_then")}
    asked |= {f"{side}_{c}" for side in ("attacking", "defending") for c in courses}
    asked |= {f"attacking_{c}_{how}" for c in courses for how in ("led", "lone")}
    given = {name.partition(".")[2] for name, _, _ in pools()} - {""}
    assert given <= asked


@pytest.mark.parametrize("kind", NEWS)
def test_the_same_news_in_two_issues_running_never_reads_the_same(kind: str) -> None:
    happened = happened_with(*NEWS[kind])
    first = build_view(BOARD, issue(happened))
    past = Past(4, barometer_rows(happened.after, happened.points), first.wordings, first.record)
    second = build_view(BOARD, issue(happened, past=(past,)))
    assert second.story.headline != first.story.headline
    assert second.story.lead != first.story.lead
    assert not set(first.wordings) & set(second.wordings)


def test_the_four_issues_of_the_sample_game_share_no_wording() -> None:
    for earlier, later in zip(views(), views()[1:], strict=False):
        assert not set(earlier.wordings) & set(later.wordings)


def test_the_same_outcome_gives_the_same_front_page() -> None:
    again = build_view(BOARD, issues()[3])
    assert (again.story, again.stories, again.briefs) == (views()[3].story, views()[3].stories, views()[3].briefs)


def test_the_biggest_event_leads() -> None:
    happened = happened_with(*NEWS["epidemic"], *NEWS["murder"], *NEWS["purge"], *NEWS["march"])
    view = build_view(BOARD, issue(happened))
    assert view.story.kind == "murder"
    assert [s.kind for s in view.stories] == ["purge", "epidemic"], "it took much of what one had"
    assert "march" in [s.kind for s in view.briefs]


# --- what was wrong once


def front_text(*events: o.Event, phase: Phase = Phase.SECOND) -> str:
    """The whole front page, in every wording that there is for it."""
    found = msgspec.structs.replace(happened_with(*events), before=position(phase, *SITTING))
    texts = []
    past: list[Past] = []
    for _ in range(12):
        view = build_view(BOARD, issue(found, past=tuple(past)))
        texts += [f"{s.headline}. {s.lead}" for s in (view.story, *view.stories, *view.briefs)]
        texts += [x.text for x in view.obituaries]
        past.append(Past(4, {}, view.wordings))
    return " ".join(texts)


def test_an_epidemic_gives_each_town_its_own_dead() -> None:
    lost = (("RYAZ", piece("RU8 NOVG")), ("TIFL", piece("WU2 TIFL")))
    struck = o.EpidemicStruck(dice=(2, 4), provinces=("RYAZ", "TIFL"), lost=lost)
    text = front_text(struck)
    assert "at Ryazan the Red Novgorod corps; at Tiflis the White Tiflis regiment" in text
    assert not re.search(r"(?i)Ryazan[^.:]*White regiment", text.replace("at Tiflis the White regiment", ""))


def test_trotsky_killed_in_battle_is_no_murder() -> None:
    event = msgspec.structs.replace(fallen("Trotsky"), attackers=(stack("PETR", "A", "Wrangel", "WU8 DCOS"),))
    text = front_text(event, o.RevolutionShaken(leader=piece("Trotsky"), owner="B", pm_lost=1, suspended=1))
    assert "Trotsky" in text
    assert not re.search(r"assassin|murder|could not do", text)


def test_odds_of_one_to_one_are_never_called_safe() -> None:
    text = front_text(msgspec.structs.replace(fallen("WU2 LIVO"), odds="1-1", attack=2, defence=2))
    assert "one to one" in text
    assert "hardly in doubt" not in text
    assert any("hardly in doubt" in t for name, _, texts in pools() if name == "battle.walkover" for t in texts)


def test_a_nation_that_goes_home_takes_no_orders_in_the_same_issue() -> None:
    gained = (piece("BU2 BAKU/BR"),)
    text = front_text(
        o.ChitDrawn(player="A", chit="BR control", gained=gained),
        o.ChitDrawn(player="B", chit="BR withdrawal", withdrawn=gained),
    )
    assert "Great Britain" in text
    assert not re.search(r"take their orders|at the disposal|speaks for", text)


def test_a_regiment_that_came_back_and_fell_sick_is_counted_and_mourned() -> None:
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("KAZA",), lost=(("KAZA", piece("RU2 KAZA")),))
    found = happened_with(o.Replaced(units=(piece("RU2 KAZA"),)), sick)
    gone = tuple(s for s in found.after.stacks if piece("RU2 KAZA") not in s.pieces)
    found = msgspec.structs.replace(found, after=msgspec.structs.replace(found.after, stacks=gone))
    kinds = [n.kind for n in find_news(desk_of(found))]
    assert "replacements" not in kinds
    assert "epidemic" in kinds and "replacements" not in kinds, "nobody is left of those who came back"


def test_a_leader_lost_in_a_successful_exchange_led_no_attack_that_failed() -> None:
    event = msgspec.structs.replace(
        fallen("WU2 LIVO"), result="Ex", lost_by_attacker=(piece("Lenin"),), odds="5-1", die=5
    )
    text = front_text(event)
    assert "Lenin" in text
    assert not re.search(r"failed|repulse|nobody to send", text)


def test_sentences_begin_with_a_capital_and_provinces_have_their_article() -> None:
    text = front_text(
        msgspec.structs.replace(fallen("WU2 LIVO", "DCOS"), defender=stack("DCOS", None, "WU2 LIVO")),
        *NEWS["withdrawal"],
        *NEWS["purge"],
    )
    assert not re.search(r"[.!?] [a-z]", text)
    assert "Don Cossack" not in text
    assert "on the Don" in text


def test_stories_speak_of_regiments_and_not_in_notation() -> None:
    for _, view in (pair for seed in range(3) for pair in campaign(seed, 25)):
        for story in (view.story, *view.stories, *view.briefs):
            assert not re.search(r"\b[RWGB][LU]\d\b", story.headline + story.lead), story


def test_a_phase_without_news_is_quiet_and_says_so() -> None:
    assert build_view(BOARD, issue(outcome())).story.kind == "quiet"


def test_an_issue_that_only_announces_reports_no_phase() -> None:
    still = position(Phase.FIRST, *SITTING)
    announced = o.Outcome(still, still, (), (), (), {})
    view = build_view(BOARD, issue(announced))
    assert (view.story.kind, view.sections, view.orders) == ("start", (), ())
    assert view.masthead.game_date == "July 1918 - First Phase"
    corrected = build_view(BOARD, issue(announced, errata=("Lenin was in Tver.",)))
    assert corrected.story.kind == "erratum"
    assert corrected.errata == ("Lenin was in Tver.",)


@pytest.mark.parametrize(
    ("void", "told"),
    [((), "Erratum: "), ((4,), "Erratum: issue #4 is void, "), ((4, 5), "Erratum: issues #4 and #5 are void, ")],
)
def test_the_headline_of_an_erratum_names_the_issues_that_are_void_and_no_others(
    void: tuple[int, ...], told: str
) -> None:
    """Once it said that nothing printed of the month had happened, where the movement before it stood."""
    still = position(Phase.SECOND, *SITTING)
    view = build_view(BOARD, issue(o.Outcome(still, still, (), (), (), {}), errata=("A slip.",), void=void))
    assert view.story.headline.startswith(told) and "July 1918 Second Phase" in view.story.headline
    assert "void" not in view.story.headline + view.story.lead or void


def test_the_gamesmasters_words_go_before_those_of_the_templates() -> None:
    edited = replace(issues()[3], editorial=Editorial(headline="My headline", lead="First.\n\nSecond."))
    story = build_view(BOARD, edited).story
    assert (story.headline, story.lead) == ("My headline", "First.\n\nSecond.")
    assert story.byline
    only_headline = replace(issues()[3], editorial=Editorial(headline="Mine"))
    story = build_view(BOARD, only_headline).story
    assert story.headline == "Mine"
    assert story.lead == views()[3].story.lead


# --- obituaries


@pytest.mark.parametrize("leader", BOARD.leaders, ids=lambda p: p.name)
def test_every_leader_has_an_obituary_that_names_him(leader: Piece) -> None:
    view = build_view(BOARD, issue(outcome(fallen(leader.name), phase=Phase.SECOND)))
    (obituary,) = view.obituaries
    title = PROSE.packs["leaders"][leader.name]["title"]
    assert title.lower() in obituary.text.lower()
    assert PROSE.packs["leaders"][leader.name]["life"] in obituary.text


def test_the_czar_has_an_obituary_when_he_is_executed() -> None:
    shot = o.Boxed("B", Held(piece("Czar"), How.EXECUTED))
    view = build_view(BOARD, issue(outcome(msgspec.structs.replace(execution("complied"), changes=(shot,)))))
    assert [x.name for x in view.obituaries] == ["Czar"]


# --- reasons and verdicts


@pytest.mark.parametrize("code", sorted(PROSE.packs["reasons"]))
def test_every_reason_has_a_sentence_even_without_data(code: str) -> None:
    item = reason_item(names_of(outcome()), because(code))
    assert item.text.endswith((".", ")"))
    assert "{" not in item.text
    assert item.rules == REASONS[code]


def test_every_reason_that_the_adjudicator_can_give_has_a_sentence() -> None:
    said_before_the_deadline = {"ambiguous-name"}
    assert codes_named_in("adjudicator", "orders/rules") <= set(PROSE.packs["reasons"]) | said_before_the_deadline


def codes_named_in(*rooms: str) -> set[str]:
    files = [path for room in rooms for path in (ROOT / "gm" / room).rglob("*.py") if path.name != "reasons.py"]
    trees = [ast.parse(path.read_text("utf-8")) for path in files]
    return {n.value for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value in REASONS}


def test_no_sentence_stands_for_a_reason_that_does_not_exist() -> None:
    assert set(PROSE.packs["reasons"]) <= set(REASONS)
    assert set(PROSE.packs["purges"]["verdict"]) <= {*REASONS, "valid"}


def test_a_reason_with_data_names_pieces_players_and_places() -> None:
    names = names_of(outcome())
    stopped = reason_item(names, because("stopped", province="TVER", colors=("white",)))
    assert "Tver" in stopped.text and "White" in stopped.text
    mirror = reason_item(names, because("no-mirror", partner="A"))
    assert "Archer (“A”)" in mirror.text
    pieces = reason_item(names, because("not-there", piece=piece("RU8 PETR")))
    assert "RU8 PETR" in pieces.text


PURGE_VERDICTS = [
    "valid",
    "not-in-masses",
    "one-purge-a-turn",
    "conditional",
    "committee-member",
    "no-such-object",
    "no-division",
    "not-compatible",
    "too-few-markers",
    "in-a-purge-already",
    "wrong-phase",
    "quitter",
]


@pytest.mark.parametrize("verdict", PURGE_VERDICTS)
@pytest.mark.parametrize("joint", [True, False])
def test_every_purge_order_is_told_with_its_verdict_in_full_sentences(verdict: str, joint: bool) -> None:
    more: dict[str, object] = {} if joint else {"participants": ("A",), "division": ()}
    view = build_view(BOARD, issue(outcome(filed(verdict, **more))))
    section = next(s for s in view.sections if s.key == "purges")
    told = next(i for i in section.items if i.kind == verdict)
    assert told.text.startswith("Archer (“A”) ordered a Purge of Baker (“B”)")
    assert told.text.count(".") >= 2
    assert told.rules == ("17/11.0",)


def test_players_without_a_purge_order_are_named() -> None:
    view = build_view(BOARD, issue(outcome(filed("not-compatible"))))
    section = next(s for s in view.sections if s.key == "purges")
    assert any(i.text == "Baker (“B”) and Player “C” ordered no Purges." for i in section.items)


def test_the_purge_of_the_sample_game_is_told_with_its_strength_and_spoils() -> None:
    section = next(s for s in views()[3].sections if s.key == "purges")
    text = " ".join(i.text for i in section.items)
    assert "12 Leadership Points and 3 Markers of Grossman (“A”)" in text
    assert "Purge Strength of 29" in text
    assert "Grossman (“A”) received RL2 Tukhachevsky and RU8 NOVG." in text


# --- what happened


def test_the_attack_table_has_true_odds_dice_results_and_boxes() -> None:
    rows = {(a.province, a.player, a.odds): a for a in views()[3].attacks}
    trotsky = rows["ARCH", "D", "7-1/s"]
    assert (trotsky.die, trotsky.result) == (1, "De")
    assert [(x.piece, x.box) for x in trotsky.eliminated] == [("BU2 ARCH/US", "D")]
    livo = rows["LIVO", "A", "1-1"]
    assert [(x.piece, x.box) for x in livo.eliminated] == [("GU2 LIVO", "A"), ("WU2 ESTO", "N")]


def test_an_attack_without_a_die_stands_among_the_orders_with_its_reason_and_not_in_the_table() -> None:
    assert "POLT" not in [a.province for a in views()[3].attacks]
    (budenny,) = (o for p in views()[3].orders for o in p.orders if "IN POLT" in o.canonical)
    assert "8.31" in budenny.rules and "Poltava does not border" in budenny.reasons[0].text


def test_random_events_say_ne_where_there_was_no_effect() -> None:
    events = next(s for s in views()[2].sections if s.key == "events")
    assert "Vyatka (NE), Kaluga (NE) and Kiev (GU4 KIEV)" in events.items[0].text
    assert "an Assassin Marker" in events.items[1].text


def test_a_stopped_force_is_told_with_its_road_its_goal_and_the_rule() -> None:
    before = position(Phase.FIRST, stack("PETR", "A", "Lenin", "RU8 PETR"), stack("TVER", "B", "Sidorin", "WU3 STAV"))
    sheet = parse(BOARD, "MOVE Lenin, RU8 PETR: PETR-NOVG-TVER-RYAZ", "ABC").sheet
    result = adjudicate(BOARD, before, {"A": sheet}, ProvableChance(b"x" * 32, "c", 2, "first", "d"))
    view = build_view(BOARD, issue(result))
    section = next(s for s in view.sections if s.key == "movement")
    told = next(i for i in section.items if i.kind == "stopped")
    assert "PETR-NOVG-TVER" in told.text and "Ryazan" in told.text
    assert "5.27" in told.rules
    assert build_view(BOARD, issue(result)).orders[0].orders[0].status == "partly"


# --- positions and barometer


def test_what_changed_since_the_last_issue_is_marked() -> None:
    grossman = views()[3].positions.holdings[0]
    changed = {line.province for line in grossman.lines if line.changed}
    assert changed == {"LIVO", "RYAZ", "SARA", "TIFL"}
    assert grossman.box_changed
    assert "RL2 Tukhachevsky" in grossman.gained
    assert set(grossman.lost) == {"RU2 KAZA", "WU2 ESTO", "WU2 TIFL"}


def test_the_first_issue_marks_nothing() -> None:
    holdings = views()[0].positions.holdings
    assert not any(line.changed for h in holdings for line in h.lines)
    assert not any(h.gained or h.lost or h.box_changed for h in holdings)


def test_the_barometer_has_leadership_markers_and_both_scores() -> None:
    allen = next(r for r in views()[3].barometer if r.player == "C")
    assert (allen.red_leadership, allen.white_leadership, allen.pm, allen.am) == (1, 16, 0, 0)
    now = outcomes()[3].points["C"]
    assert (allen.red_points, allen.white_points) == (now.red, now.white)
    assert allen.white_change == now.white - outcomes()[2].points["C"].white
    since_first = now.white - outcomes()[0].points["C"].white
    assert views()[3].course.change("C", "if_white") == since_first != allen.white_change
    assert [i.label for i in views()[3].course.issues] == ["#1", "#2", "#3", "#4"]


def test_equals_share_a_rank_in_the_final_standings() -> None:
    won = o.Won(color=Color.RED, condition=2, points={"A": 10, "B": 12, "C": 10})
    view = build_view(BOARD, issue(outcome(won, phase=Phase.SECOND)))
    assert [(s.rank, s.player) for s in view.standings] == [(1, "B"), (2, "A"), (2, "C")]
    assert "Red victory" in view.verdict


# --- readers


def test_the_deadline_is_in_the_readers_own_zone() -> None:
    due = datetime(2026, 3, 1, 22, 30, tzinfo=UTC)
    made = issue(outcome(), deadline=due)
    tokyo = due.astimezone(timezone(timedelta(hours=9)))
    view = for_reader(BOARD, made, build_view(BOARD, made), Reader("A", tokyo, "Asia/Tokyo"))
    assert view.masthead.deadline is not None
    assert view.masthead.deadline.text == "Monday 2 March 2026, 07:30 Asia/Tokyo"
    assert view.masthead.deadline.utc == "1 March 2026, 22:30 UTC"
    assert any("Asia/Tokyo" in item.text for item in view.colophon)


def test_only_a_players_own_copy_has_what_he_wrote() -> None:
    common = views()[2]
    own = for_reader(BOARD, issues()[2], common, Reader("B")).own
    assert own is not None
    assert own.player == "B"
    assert any("Tukachevsky" in order.source for order in own.orders)
    assert common.own is None
    assert all(not order.source for player in common.orders for order in player.orders)
    assert for_reader(BOARD, issues()[2], common, Reader()).own is None


def test_private_letters_and_press_are_not_among_the_public_orders() -> None:
    sheet = parse(BOARD, 'PRESS TO B I will betray C\nEND\nPRESS AS "Tver" Hello\nEND', "ABC").sheet
    result = adjudicate(BOARD, position(), {"A": sheet}, ProvableChance(b"x" * 32, "c", 2, "first", "d"))
    view = build_view(BOARD, issue(result))
    assert "betray" not in repr(view)


def test_a_player_without_orders_is_reported_as_such() -> None:
    view = build_view(BOARD, issue(outcome(), without_orders=("B",)))
    assert "the forces hold in place [J39]" in next(p for p in view.orders if p.player == "B").note
    view = build_view(BOARD, issue(outcome(phase=Phase.SECOND), without_orders=("B",)))
    note = next(p for p in view.orders if p.player == "B").note
    assert note == "No orders were received; none of these forces attacked [J39].", "nobody moves in a Second Phase"


def test_press_is_printed_in_the_order_of_receipt_signed_or_under_its_dateline() -> None:
    made = issue(outcome(), press=(PressItem("One", "A"), PressItem("Two", None, "TVER"), PressItem("\x00 \n")))
    assert [(p.signature, p.dateline, p.text) for p in build_view(BOARD, made).press] == [
        ("Ann Archer (“A”)", "", "One"),
        ("", "TVER", "Two"),
    ]


# --- any outcome at all


@settings(max_examples=examples(100, 15), phases=(Generation.explicit, Generation.reuse, Generation.generate))
@given(before=positions(), after=positions())
def test_any_two_positions_make_an_issue(before: Position, after: Position) -> None:
    after = msgspec.structs.replace(
        after, players=before.players, boxes={p: after.box(p) for p in before.players}, quitters=()
    )
    view = build_view(BOARD, issue(o.Outcome(before, after, (), (), (), {})))
    assert view.digest == after.digest
    assert len(view.positions.holdings) == len(before.players)


def all_sentences(prose: Prose) -> Iterator[str]:
    def walk(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for inner in value.values():
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    yield from walk(dict(prose.packs))


def test_every_template_is_well_formed() -> None:
    found = list(all_sentences(PROSE))
    assert len(found) > 500
    for template in found:
        fields_of(template)


def test_boxes_of_players_who_hold_nothing_are_printed_as_nothing() -> None:
    view = build_view(BOARD, issue(outcome()))
    assert isinstance(view, BellView)
    assert {h.box for h in view.positions.holdings} == {"nothing"}


def test_where_nobody_wrote_the_paper_prints_a_piece_of_its_own_and_none_twice_within_ten_issues() -> None:
    printed = [view.press for _, view in campaign(0, 25)[2:]]
    assert all(len(pieces) == 1 for pieces in printed)
    texts = [pieces[0].text for pieces in printed]
    assert all(text not in texts[max(0, n - 10) : n] for n, text in enumerate(texts))
    assert all(p.signature != "the paper" for p in views()[2].press), "players wrote"


def test_a_month_ends_with_a_note_from_the_real_war() -> None:
    found = {view.masthead.game_date: view.almanac for _, view in campaign(0, 25)}
    assert "Ekaterinburg" in found["July 1918 - Combat"]
    assert found["July 1918 - Movement"] == ""


def test_a_purge_order_that_was_disallowed_is_quoted_as_it_was_written_and_answered() -> None:
    purges = next(s for s in views()[3].sections if s.key == "purges")
    davis = next(i.text for i in purges.items if i.text.startswith("Davis"))
    assert "The order in full: “PURGE A WITH E" in davis and davis.endswith("agreed with it.")
