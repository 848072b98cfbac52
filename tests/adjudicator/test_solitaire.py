"""The game for one person: random games to the end, and what must hold in every position of them."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.outcome import Outcome, Status
from gm.adjudicator.outcome_json import outcome_from_json, outcome_to_json
from gm.adjudicator.sequence import adjudicate
from gm.adjudicator.solitaire.sequence import SEQUENCE, opening
from gm.board.load import standard_board
from gm.board.model import Color
from gm.board.ways import CAPITALS, next_steps
from gm.notation import format_position, read_position
from gm.orders import kinds as m
from gm.orders.rules.stacking import fault
from gm.position import RED_PLAYER, Phase, Position, from_json, to_json
from gm.standin import solitaire_red as red
from tests.support import examples

BOARD = standard_board()


def random_sheet(position: Position, random: Random) -> m.Sheet:
    """Any orders that a human might write, sensible or not."""
    orders = _movement(position, random) if position.phase is Phase.FIRST else _attacks(position, random)
    return m.Sheet(tuple(orders))


def _movement(position: Position, random: Random) -> Iterator[m.Order]:
    assert position.solitaire is not None
    provinces = sorted(BOARD.provinces)
    red = [p for p in position.where if p.is_unit and p.color is Color.RED]
    leaders = [p for s in position.owned(RED_PLAYER) for p in s.leaders]
    for leader in random.sample(position.solitaire.reserve, min(7, len(position.solitaire.reserve))):
        if red and random.random() < 0.8:
            unit = random.choice(red)
            yield m.Deploy(leader=leader, unit=m.Named((unit,)))
        else:
            yield m.Deploy(leader=leader, province=random.choice(provinces))
        leaders.append(leader)
    for leader in leaders:
        if random.random() < 0.3:
            here = position.where[leader].province if leader in position.where else random.choice(provinces)
            loose = [m.Named((p,)) for s in position.at(here) for p in s.pieces if random.random() < 0.7]
            yield m.Restack(province=here, pieces=(m.Named((leader,)), *loose))
        force = [leader, *(random.choice(red) for _ in range(random.randrange(4)) if red)]
        to = random.choice([*CAPITALS, *provinces])
        yield m.Move(force=tuple(m.Named((p,)) for p in force), to=to, by_rail=random.random() < 0.5)
        if random.random() < 0.2:
            yield m.Move(
                force=(m.Named((leader,)),),
                path=(m.Stop(to, (m.Handling(m.Act.PICK, m.Named((BOARD.gold,))),)),),
            )


def _attacks(position: Position, random: Random) -> Iterator[m.Order]:
    for province, stacks in sorted(position.by_province.items()):
        ours = [s for s in stacks if s.owner == RED_PLAYER]
        others = [s for s in stacks if s.color is not Color.RED]
        for target in others:
            if ours and random.random() < 0.8:
                yield m.Attack(
                    target=m.Named((target.pieces[0],)),
                    province=province,
                    attackers=tuple(m.Named((s.pieces[0],)) for s in ours if random.random() < 0.8)
                    or (m.Named((ours[0].pieces[0],)),),
                )
            elif target.color is Color.BLUE and (red := position.owned(RED_PLAYER)):
                agitator = m.Named((random.choice(red).pieces[0],))
                yield m.Subvert(target=m.Named((target.pieces[0],)), province=province, attackers=(agitator,))
    if random.random() < 0.7:
        yield m.Done()


def game(seed: int) -> Iterator[Outcome]:
    """A game of mostly sensible orders, so that it lasts, and some wild ones."""
    random = Random(seed)
    position, number = opening(contested=bool(seed % 4)), 0
    while position.phase is not Phase.FINISHED:
        sheet = m.Sheet()
        if position.phase is not Phase.SETUP:
            wild = random.random() < 0.2
            sheet = random_sheet(position, random) if wild else red.sheet(BOARD, position)
        secret = seed.to_bytes(32, "big")
        chance = ProvableChance(secret, "solo", position.turn, position.phase, str(number))
        outcome = adjudicate(BOARD, position, {RED_PLAYER: sheet}, chance)
        yield outcome
        position, number = outcome.after, number + 1
        assert number < 100


def check(outcome: Outcome) -> None:
    before, after = outcome.before, outcome.after
    if before.phase is not Phase.SETUP:
        assert Counter(before.all_pieces()) == Counter(after.all_pieces())
    assert Counter(after.all_pieces()) == Counter(BOARD.pieces.values())
    assert [s for s in after.stacks if fault(BOARD, s.pieces) is not None] == []  # 7.1 and J2
    assert replay(BOARD, before, outcome.events) == after
    assert all(isinstance(result.status, Status) for result in outcome.results)
    assert from_json(BOARD, to_json(after)) == after
    assert read_position(BOARD, format_position(after)) == after


@given(st.integers(0, 10**9))
@settings(max_examples=examples(1_000, 20), deadline=None)
def test_a_random_game_ends_and_loses_no_piece_and_breaks_no_stack(seed: int) -> None:
    outcomes = list(game(seed))
    for outcome in outcomes:
        check(outcome)
    assert 1 <= outcomes[-1].after.turn <= 7


@given(st.integers(0, 10**9))
@settings(max_examples=examples(50, 3), deadline=None)
def test_the_same_inputs_give_the_same_game(seed: int) -> None:
    first, second = list(game(seed)), list(game(seed))
    assert [o.after.digest for o in first] == [o.after.digest for o in second]
    assert [outcome_to_json(o) for o in first] == [outcome_to_json(o) for o in second]


def test_an_outcome_survives_its_json() -> None:
    for outcome in game(7):
        assert outcome_from_json(BOARD, outcome_to_json(outcome)) == outcome


def test_the_table_of_steps_reads_like_the_sequence_of_play() -> None:
    names = [step.name for step in SEQUENCE if step.name]
    assert names == ["27", "A1", "A2", "A3", "A4", "A5", "B6", "B7", "B8", "B9", "B10", "C", "D"]


@pytest.mark.parametrize("province", sorted(BOARD.provinces))
def test_every_province_has_a_way_to_a_capital(province: str) -> None:
    steps = next_steps(BOARD)
    here, taken = province, 0
    while here not in CAPITALS:
        here, taken = steps[here][-1], taken + 1
        assert taken < len(steps)


@pytest.mark.parametrize("code", [328, 329, 330])
def test_a_listing_tells_twins_apart_of_whom_one_has_fought(code: int) -> None:
    text = "W  BOX: FN control\n-  PETR: GU6 FINL #328; GU6 FINL #329\n-  BOX: GU6 FINL #330\n"
    text += f"DEFENDED: GU6 FINL #{code}\n"
    listed = read_position(BOARD, f"{text}WAYS: nothing\n", ("R", "W"), turn=2, phase=Phase.SECOND)
    assert listed.solitaire is not None
    assert [p.code for p in listed.solitaire.defended] == [code]
    assert read_position(BOARD, format_position(listed)) == listed


def test_the_figures_on_the_page_are_those_of_the_games() -> None:
    """If not: gm solo measure 300, and with --contested; both go into docs/solitaire.md."""
    page = (Path(__file__).parents[2] / "docs" / "solitaire.md").read_text("utf-8")
    printed = {row[0].strip(): int(row[1].split()[0]) for row in re.findall(r"^\| ([^|]+) \| (\d[^|]*) \|", page, re.M)}
    games = list(red.play_games(300))
    ends = Counter(game.result for game in games)
    assert printed == {
        "Red, decisive": ends["red decisive"],
        "Red, substantive": ends["red substantive"],
        "Red, marginal": ends["red marginal"],
        "draw": ends["draw"],
        "Whites, decisive": ends["white decisive"],
        "outnumbered at once": sum(game.outnumbered for game in games),
    }
