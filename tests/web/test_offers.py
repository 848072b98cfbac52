"""The desk offers only what can pass: every choice of its forms is an order that the check has nothing against."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from gm.board.load import standard_board
from gm.board.model import Board, Color
from gm.campaign.reads.summaries import SeatSummary
from gm.notation import read_position
from gm.orders.check.checker import check
from gm.orders.kinds import Move
from gm.orders.parser import parse
from gm.orders.problems import Severity
from gm.position import Phase, Player, Position, Solitaire
from gm.web.desk.form_choices import DeskView, desk_view
from gm.web.desk.reach import MOST_STEPS, Way, reach
from gm.web.pages import fragment
from gm.web.sample import positions_of_1976
from tests.board.test_odd_packs import railway
from tests.support import load_text

BOARD = standard_board()
JUNE = read_position(BOARD, positions_of_1976())
FIGHT = replace(JUNE, phase=Phase.SECOND)
# All beside each other, so that everybody could fight somebody.
CROWD = FIGHT.with_stacks([replace(s, province=s.province if s.color is Color.BLUE else "TVER") for s in FIGHT.stacks])
POSITIONS = {"june": JUNE, "fight": FIGHT, "crowd": CROWD, "before": replace(JUNE, turn=0, phase=Phase.PREGAME)}


def refused(position: Position, player: Player, text: str) -> list[str]:
    read = parse(BOARD, text, position.players)
    assert not read.problems and len(read.sheet.orders) == 1, text
    return [p.code for p in check(BOARD, position, player, read.sheet) if p.severity is Severity.PROBLEM]


def offered(view: DeskView, me: Player) -> Iterator[str]:
    for kind, targets in (("ATTACK", view.targets), ("SUBVERT", view.blue_targets)):
        for target in targets:
            yield from (f"{kind} {target.value} WITH {by}" for by in target.by)
    yield from (f"ASSASSINATE {leader} WITH {n}" for leader, _ in view.leaders for n in (*range(1, view.am + 1), "ALL"))
    yield from view.leave
    for victim in view.victims:
        others = [p for p in view.others if p != victim]
        yield f"PURGE {victim} WITH {', '.join(others)} USING {view.pm} PM DIVIDE {me} 1, {others[0]} 1"
    if view.victims:
        yield from (f"COUNTERPURGE {whose} TAKING {name}" for name, _, whose in view.spoils if whose)
    for what, _, _ in view.giveable:
        yield f"GIVE {what} TO {view.others[0]}"
        yield from (f"GIVE {what} TO {whose} FOR {wanted}" for wanted, _, whose in view.wanted)
    if view.phase == "second":
        yield from (f"{verb} {name}" for name, _, verb in view.losable)
    for verb in view.execution:
        yield f"EXECUTE CZAR WITH {', '.join(view.others)} USING {view.pm} PM" if verb == "EXECUTE" else verb


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("me", JUNE.players)
def test_no_choice_is_refused(name: str, me: Player) -> None:
    position, tried = POSITIONS[name], 0
    for text in offered(desk_view(BOARD, position, me), me):
        odds = {"below-half"} if text.startswith(("ATTACK", "SUBVERT")) else set()  # strong enough with others
        assert not set(refused(position, me, text)) - odds, text
        tried += 1
    assert tried


def test_whites_are_not_offered_to_whites_nor_white_leaders_to_a_purge() -> None:
    by_name = {p.name: s.color for s in CROWD.stacks for p in s.pieces}
    views = {me: desk_view(BOARD, CROWD, me) for me in CROWD.players}
    assert any(len(t.by) > 1 for view in views.values() for t in view.targets)
    for view in views.values():
        for target in view.targets:
            theirs = next(s.color for s in CROWD.stacks if s.pieces[0].bell == target.value.split(" IN ")[0])
            assert {theirs} not in [{by_name[name]} for name in target.by]
        assert all(by_name[name] is Color.RED for name, _, whose in view.spoils if whose)


def test_without_markers_nothing_that_takes_some_is_offered() -> None:
    bare = replace(JUNE, boxes={})
    view = desk_view(BOARD, bare, "A")
    assert (view.leaders, view.victims, view.execution, view.giveable) == ((), (), (), ())


def test_a_second_purge_of_a_game_turn_is_not_offered() -> None:
    view = desk_view(BOARD, replace(FIGHT, purge_done=True), "A")
    assert view.purged and not view.victims
    seats = [SeatSummary(letter, letter, "held", "UTC", 1) for letter in FIGHT.players]
    form = fragment("desk_forms.html", view=view, seats=seats, letter="A")
    assert 'data-writes="purge"' not in form and 'data-writes="counterpurge"' in form
    assert 'data-writes="purge"' in fragment(
        "desk_forms.html", view=desk_view(BOARD, FIGHT, "A"), seats=seats, letter="A"
    )


def test_without_a_force_there_is_none_to_choose() -> None:
    """Alone against the Whites the desk once said to choose one of no forces."""
    gone = replace(JUNE, stacks=tuple(s for s in JUNE.stacks if s.owner != "A"), solitaire=Solitaire())
    for phase, what in ((Phase.FIRST, "play the sheet as it is"), (Phase.SECOND, "end the Game-Turn")):
        view = desk_view(BOARD, replace(gone, phase=phase), "A")
        words = " ".join(fragment("desk_now.html", view=view, seats=(), forces=()).split())
        assert f"None of your forces is left, so nothing can be ordered: {what}." in words
        assert "Choose a force" not in words and "stands beside" not in words


def led(way: str, sheet: str = "", to: str = "") -> object:
    (order,) = parse(BOARD, f"MOVE Lenin, RU8 PETR: {way}", JUNE.players).sheet.orders
    return reach(BOARD, JUNE, "A", order, parse(BOARD, sheet, JUNE.players).sheet.orders, to)


def test_odds_of_a_move_count_ones_other_moves() -> None:
    alone = led("PETR-PSKO-LIVO")
    assert any("11:3 = 3-1" in words for words in alone.fights) and not any("Sablin" in w for w in alone.fights)
    together = led("PETR-PSKO-LIVO", "MOVE Sablin: PSKO-LIVO")
    assert any("Sablin" in words and "12:3 = 4-1" in words for words in together.fights)
    assert "11:3" in led("PETR").ways[[w.province for w in led("PETR").ways].index("LIVO")].label


def test_who_could_attack_at_the_end_of_a_move_is_told() -> None:
    assert not led("PETR").threats
    told = led("PETR-NOVG-TVER-VLDM-RYAZ-TAMB").threats
    assert told and all("could attack it" in words for words in told)


def test_a_province_out_of_reach_says_why() -> None:
    assert "CHER" in led("PETR", to="KHAR").why  # somebody stands in the way
    assert "LIVO" in led("PETR-PSKO-LIVO", to="COUR").why  # it is stopped already
    assert led("PETR", to="IRKU").why


def ways(board: Board, listing: str, text: str) -> tuple[Way, ...]:
    position = read_position(board, listing, tuple("AB"), turn=1, phase=Phase.FIRST)
    (order,) = parse(board, text, position.players).sheet.orders
    assert isinstance(order, Move)
    return reach(board, position, "A", order).ways


def test_the_ways_of_one_answer_have_an_end() -> None:
    """On a railway through four thousand provinces an answer had 65 MB; the nearest are told."""
    listing = "A  PETR: RL3 Lenin"
    all_of_them = ways(BOARD, listing, "MOVE Lenin: PETR BY RAIL")
    assert {way.province for way in all_of_them} >= {"TVER", "VLAD"}
    assert sum(len(way.path) for way in all_of_them) < MOST_STEPS / 5
    board = load_text(railway(1_000))
    told = ways(board, listing, "MOVE Lenin: PETR BY RAIL")
    assert MOST_STEPS / 2 < sum(len(way.path) for way in told) <= MOST_STEPS
    assert {way.province for way in told} >= {"QAAA", "QAAZ", "TVER"}
