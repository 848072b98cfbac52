"""The text edition: complete at 72 columns, safe to quote, and readable back as the Position that it reports."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gm.adjudicator.outcome import OrderResult, Outcome, Status
from gm.board.load import standard_board
from gm.notation import read_position
from gm.orders.parser import parse
from gm.position import Position
from gm.reports.build import build_view, for_reader
from gm.reports.issue import Colophon, Editorial, Issue, PlayerInfo, PressItem, Reader, SeatNews
from gm.reports.render.ics import OCTETS, fold, moved_deadline, render_calendar
from gm.reports.render.text import WIDTH, listing, render_text, wrap, wrap_pieces
from tests.reports.campaigns import sensible
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
    text = render_text(
        build_view(BOARD, issue_of(msgspec.structs.replace(before, players=after.players, quitters=()), after))
    )
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
        colophon=Colophon(gamesmaster=name, notices=(name,)),
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
    said += [c.text for c in view.colophon] + [*view.proof.notes]
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
        row = rf"  {attack.province} +{re.escape(attack.odds)} +{attack.die} +{attack.result} "
        assert any(re.match(row, line) for line in lines), attack


def test_what_is_a_players_own_stands_above_all_the_news_and_once() -> None:
    view = for_reader(BOARD, issues()[3], views()[3], Reader("E"))
    text = render_text(view)
    box = text[text.index("++ FOR YOUR EYES ONLY") : text.index(views()[3].story.headline.upper())]
    flat = " ".join(box.split())
    for item in view.yours:
        assert item.text in flat
    assert "You wrote: SUBVERT BU2 POLT/GE IN POLT WITH Budyenny" in box
    assert text.count("SUBVERT BU2 VITE/GE IN VITE WITH Frunze") == 1
    assert "FOR YOUR EYES ONLY" not in render_text(views()[3])


def test_the_box_tells_orders_gains_points_rank_enemies_and_what_may_be_done() -> None:
    view = for_reader(BOARD, issues()[3], views()[3], Reader("E"))
    told = {item.kind: item.text for item in view.yours}
    assert told["orders_some"] == "Marked done: 2 of your 4 orders; not, or not wholly: E1 and E2."
    assert told["fights"] == "Your attacks: Vitebsk at 6-1/s, die 1: De."
    assert told["boxed"] == "Into your box: BU2 VITE/GE."
    assert told["gained"] == "Taken from Costikyan in a Purge: RL1 Muraviev and RU4 PSKO (Pskov)."
    assert "42 (+7) for a Red victory (second, up from third); 10 for a White victory (third)" in told["score"]
    assert told["front"] == (
        "Daghestan: your 4 against GU2 DAGH. Best odds, if all stay: you 2-1; nobody commands them."
    )
    assert "5 Politburo Markers" in told["next"] and "1 Assassin Marker" in told["next"]
    assert "due" not in told, "the masthead says it"


def test_hashes_stand_at_the_foot_and_refused_attacks_not_in_the_list_of_attacks() -> None:
    text = render_text(views()[3])
    assert text.index("== FAIR PLAY") > text.index("== COLOPHON") > text.index("== THE ORDERS OF THE PHASE")
    attacks = text[text.index("== ATTACKS") : text.index("== PURGES")]
    assert "POLT" not in attacks
    assert "Poltava does not border" in text


@pytest.mark.parametrize("seed", range(2))
def test_a_text_bell_of_an_ordinary_phase_has_at_most_350_lines(seed: int) -> None:
    """One in twenty may be no ordinary one, and longer."""
    lengths = [
        render_text(for_reader(BOARD, issue, view, Reader("A"))).count("\n")
        for issue, view in (*zip(issues(), views(), strict=True), *sensible(seed))
    ]
    longer = sorted(length for length in lengths if length > 350)
    assert len(longer) <= len(lengths) / 20 + 1 and max(lengths) <= 380, longer


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
    assert "Players answer issue #" in text.replace("\r\n ", "")
    assert all(len(line.encode()) <= OCTETS for line in text.split("\r\n"))
    assert text.replace("\r\n", "").isprintable()


def test_the_calendar_entry_ends_after_it_starts_and_a_moved_one_replaces_it() -> None:
    issue, view = issues()[3], views()[3]
    first = render_calendar(issue, view)
    assert first is not None and view.masthead.deadline is not None
    later = view.masthead.deadline.at + timedelta(days=2)
    now = view.masthead.deadline.at - timedelta(days=1)
    moved = [
        moved_deadline(issue.campaign, "The Bell", issue.number, "x", later, now + timedelta(hours=h)) for h in (0, 1)
    ]
    entries = [
        dict(line.split(":", 1) for line in text.split("\r\n") if line[:1].isalpha()) for text in (first, *moved)
    ]
    assert all(entry["DTSTART"] < entry["DTEND"] for entry in entries)
    assert len({entry["UID"] for entry in entries}) == 1
    numbers = [int(entry["SEQUENCE"]) for entry in entries]
    assert numbers == sorted(set(numbers)) and numbers[-1] < 2**31


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


def test_who_is_taken_out_is_asked_nothing_and_the_colophon_tells_the_others() -> None:
    """Once the box said what may be done now, and counted the resignation that a removal is made of as an order."""
    issue = issues()[3]
    after = msgspec.structs.replace(issue.outcome.after, quitters=("E",))
    outcome = msgspec.structs.replace(issue.outcome, after=after)
    news = replace(issue.colophon, seats=(SeatNews("removed", "E"),))
    gone = replace(issue, outcome=outcome, colophon=news)
    view = for_reader(BOARD, gone, build_view(BOARD, gone), Reader("E"))
    told = {item.kind: item.text for item in view.yours}
    assert "nothing more is asked of you" in told["left"] and not {"next", "due", "front"} & set(told)
    said = [item.text for item in view.colophon]
    others = [item.text for item in for_reader(BOARD, gone, build_view(BOARD, gone), Reader("A")).colophon]
    assert any("taken out of the game" in text for text in others)
    assert not any("taken out of the game" in text for text in said), "the box says it to whom it is about"
    assert not any("Send orders" in text for text in said)
    assert "Orders due" not in render_text(view) and any(
        text.startswith("The others' orders are due:") for text in said
    )


@pytest.mark.parametrize(
    ("votes", "told"),
    [
        ({"E": True}, "The war goes on. Votes for its end: Goldberg (“E”), with 5 Politburo Markers. It takes 10, and"),
        ({"E": False}, "The war goes on: nobody's vote is for its end."),
    ],
)
def test_a_vote_is_told_as_counted_and_that_the_war_goes_on(votes: dict[str, bool], told: str) -> None:
    """Once it was called carried out, as if the war had ended."""
    issue = issues()[3]
    outcome = issue.outcome
    order = parse(BOARD, "VOTE END" if votes["E"] else "VOTE CONTINUE", {}).sheet.orders[0]
    result = OrderResult("E", 1, order, Status.DONE)
    after = msgspec.structs.replace(outcome.after, votes=votes)
    voted = replace(issue, outcome=msgspec.structs.replace(outcome, after=after, results=(result,)))
    view = for_reader(BOARD, voted, build_view(BOARD, voted), Reader("E"))
    assert view.own is not None and view.own.orders[0].reasons[0].text.startswith(told)
    assert not [item for item in view.yours if item.kind.startswith("orders")]


def test_a_copy_speaks_to_its_reader() -> None:
    player, gamesmaster = (
        [item.text for item in for_reader(BOARD, issues()[3], views()[3], reader).colophon]
        for reader in (Reader("E"), Reader())
    )
    assert any("Send orders by replying" in text for text in player) and any("LETTER TO GM" in text for text in player)
    assert any("Players send their orders" in text for text in gamesmaster)
    assert not any("LETTER TO GM" in text or "replying" in text for text in gamesmaster)


def test_where_a_phase_is_played_again_a_copy_says_whether_orders_stand() -> None:
    def told(reader: Reader, kind: str) -> list[str]:
        return [item.text for item in for_reader(BOARD, issues()[3], views()[3], reader).yours if item.kind == kind]

    (stands,) = told(Reader("E", kept=True), "kept")
    assert stands == "A mail of its own brings your orders with their new seal.", "the erratum says that they stand"
    (early,) = told(Reader("E", kept=True, early=True), "kept")
    assert early.endswith("You are not READY; answer READY when you want to change nothing more.")
    assert told(Reader("E", kept=False), "kept_none") == ["None of your orders are on file; please send some."]
