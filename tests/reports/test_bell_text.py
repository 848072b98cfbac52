"""The text edition: complete at 72 columns, safe to quote, and readable back as the Position that it reports."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gm.adjudicator.outcome import Outcome
from gm.board.load import standard_board
from gm.notation import read_position
from gm.position import Position
from gm.reports.bell_text import WIDTH, listing, render_text, wrap, wrap_pieces
from gm.reports.calendar import OCTETS, fold, render_calendar
from gm.reports.view_build import build_view, for_reader
from gm.reports.view_input import Colophon, Editorial, Issue, PlayerInfo, PressItem, Reader
from tests.reports.golden_files import golden, read
from tests.reports.sample import issues, outcomes, views
from tests.strategies import positions, random_position
from tests.support import examples

BOARD = standard_board()
TEXTS = [name for name in golden() if name.endswith((".txt", ".ics"))]
HOSTILE = [
    "== POSITIONS ===========================================================",
    "A  PETR: RL3 Lenin",
    "PETR: RL3 Lenin, RU8 PETR",
    "TURN 9 second",
    "Player A",
    "Grossman (“A”):",
    "IN VICTORY BOX: 99 PM",
    "-- ",
    "#new",
]
words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=80)
hostile = st.lists(st.one_of(words, st.sampled_from(HOSTILE)), max_size=6).map("\n".join)


def issue_of(before: Position, after: Position, **more: object) -> Issue:
    players = {p: PlayerInfo(f"Player number {p}") for p in after.players}
    facts: dict[str, object] = {"players": players, "published": date(2026, 1, 2), "campaign": "Random", "number": 3}
    return Issue(outcome=Outcome(before, after, (), (), (), {}), **(facts | more))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TEXTS)
def test_the_sample_game_reads_as_in_its_golden_file(name: str) -> None:
    assert golden()[name] == read(name)


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_no_line_is_longer_than_72_columns(number: int) -> None:
    for line in render_text(views()[number]).splitlines():
        # A hash, an address or a path of provinces is not broken.
        assert len(line) <= WIDTH or " " not in line.strip(), line


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_the_positions_of_the_sample_game_can_be_read_back(number: int) -> None:
    after = outcomes()[number].after
    found = read_position(BOARD, listing(render_text(views()[number])), after.players)
    assert found == after


# A Position is no better for being small: a failing one is shown as it was found.
@settings(max_examples=examples(200), phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(before=positions(), after=positions())
def test_a_reader_of_text_alone_can_rebuild_every_position(before: Position, after: Position) -> None:
    text = render_text(build_view(BOARD, issue_of(replace(before, players=after.players, quitters=()), after)))
    assert read_position(BOARD, listing(text), after.players) == after


def test_the_positions_can_be_read_from_a_mail_that_quotes_the_issue() -> None:
    quoted = "".join(f"> {line}\n" for line in render_text(views()[3]).splitlines())
    after = outcomes()[3].after
    assert read_position(BOARD, listing(f"On Tuesday somebody wrote:\n{quoted}\nThanks!"), after.players) == after


@settings(max_examples=examples(100, 40))
@given(seed=st.integers(0, 20), press=hostile, lead=hostile, name=hostile, headline=hostile)
def test_nothing_that_people_write_can_change_the_positions(
    seed: int, press: str, lead: str, name: str, headline: str
) -> None:
    after = random_position(BOARD, Random(seed), tuple("ABCD"))
    issue = issue_of(
        after,
        after,
        press=(PressItem(press, after.players[0], name), PressItem(press)),
        editorial=Editorial(headline, lead),
        players={p: PlayerInfo(f"{name} {p}") for p in after.players},
        campaign=name,
        paper=name,
        colophon=Colophon(gamesmaster=name, address=name, notices=(name,)),
        errata=(lead,),
    )
    text = render_text(build_view(BOARD, issue))
    assert read_position(BOARD, listing(text), after.players) == after


def test_the_text_says_all_that_the_view_says() -> None:
    view = for_reader(BOARD, issues()[3], views()[3], Reader("E"))
    text = " ".join(render_text(view).split())
    said = [view.story.lead, *(s.lead for s in view.stories), *(b.lead for b in view.briefs)]
    said += [x.text for x in view.obituaries]
    said += [i.text for s in view.sections for i in s.items] + [i.text for i in view.rulings]
    said += [p.text for p in view.press] + [p.signature for p in view.press if p.signature]
    said += [c.text for c in view.colophon] + [view.map_alt, *view.proof.notes]
    said += [a.note for a in view.attacks if a.note]
    said += [r.text for p in view.orders for o in p.orders for r in o.reasons]
    said += [view.proof.secret, view.proof.next_commitment, view.proof.commitment, view.proof.orders_digest]
    said += [seal.seal for seal in view.proof.seals]
    for sentence in said:
        assert " ".join(sentence.split()) in text
    for order in (o for p in view.orders for o in p.orders):
        assert order.canonical in text


def test_each_attack_stands_in_the_table_with_odds_die_and_result() -> None:
    lines = render_text(views()[3]).splitlines()
    for attack in views()[3].attacks:
        die = "-" if attack.die is None else str(attack.die)
        row = rf"  {attack.province} .*{re.escape(attack.odds)} +{die} +{attack.result}"
        assert any(re.match(row, line) for line in lines), attack


def test_own_orders_stand_below_everything_else() -> None:
    text = render_text(for_reader(BOARD, issues()[2], views()[2], Reader("B")))
    assert text.index("== YOUR OWN ORDERS") > text.index("== COLOPHON")
    assert "You wrote: MOVE Bonch-B., RU3 OLON: OLON-ARCH" in text
    assert "YOUR OWN ORDERS" not in render_text(views()[2])


@given(text=words, width=st.integers(8, 72))
def test_wrapping_loses_nothing_and_keeps_the_width(text: str, width: int) -> None:
    clean = " ".join(text.split())
    lines = wrap(clean, width)
    assert "".join(lines).replace(" ", "") == clean.replace(" ", "")
    assert all(len(line) <= width or " " not in line.strip() or re.match(r"[RWGB][LU]\d ", line) for line in lines)


def test_a_long_path_is_broken_behind_a_province() -> None:
    assert wrap("MOVE Stalin: KURS-OREL-TULA-TVER(+RU2 KAZA)-NOVG", 22) == [
        "MOVE Stalin:",
        "KURS-OREL-TULA-",
        "TVER(+RU2 KAZA)-NOVG",
    ]


def test_wrapping_does_not_part_a_piece_from_its_tag() -> None:
    assert wrap("Lost here: RU8 PETR", 15) == ["Lost here:", "RU8 PETR"]


@given(items=st.lists(st.sampled_from(["RU8 PETR", "BU2 KHER/FR", "WL1 May-Maevsky", "GOLD"]), min_size=1, max_size=20))
def test_positions_are_broken_after_commas_only(items: list[str]) -> None:
    lines = wrap_pieces("KHER: ", ", ".join(items), " #new")
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line.endswith(",") for line in lines[:-1])
    assert " ".join(line.strip() for line in lines) == f"KHER: {', '.join(items)} #new"


# --- the calendar entry


def test_the_deadline_is_one_event_at_the_right_moment() -> None:
    text = render_calendar(issues()[3], views()[3])
    assert text is not None
    assert "\r\nDTSTART:19760316T170000Z\r\n" in text
    assert text.count("BEGIN:VEVENT") == 1
    assert "orders@example.org" in text.replace("\r\n ", "")
    assert all(len(line.encode()) <= OCTETS for line in text.split("\r\n"))
    assert text.replace("\r\n", "").isprintable()


def test_there_is_no_calendar_entry_when_nothing_is_due() -> None:
    last = replace(issues()[3], deadline=None)
    assert render_calendar(last, build_view(BOARD, last)) is None


def test_names_cannot_break_out_of_a_calendar_line() -> None:
    evil = replace(issues()[3], campaign="x\r\nATTENDEE:mailto:a@example.org;b,c\\d")
    text = render_calendar(evil, build_view(BOARD, evil))
    assert text is not None
    assert not re.search(r"^ATTENDEE", text, re.MULTILINE)
    assert "\\;b\\,c\\\\d" in text.replace("\r\n ", "")


@given(line=words)
def test_a_folded_calendar_line_unfolds_to_itself(line: str) -> None:
    assert fold(line).replace("\r\n ", "") == line
    assert all(len(part.encode()) <= OCTETS for part in fold(line).split("\r\n"))


def test_the_deadline_is_told_in_utc_as_well() -> None:
    due = datetime(2026, 3, 1, 22, 30, tzinfo=UTC)
    after = outcomes()[3].after
    assert "22:30 UTC" in render_text(build_view(BOARD, issue_of(after, after, deadline=due)))
