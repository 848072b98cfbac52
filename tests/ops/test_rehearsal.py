"""A small rehearsal: real processes, real mail on loopback, a worker killed now and then, and everything holds."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.sequence import adjudicate
from gm.board.load import for_shorter_game, standard_board
from gm.orders.parser import parse
from gm.position import Phase, Position
from gm.rehearsal.clock import PushedClock
from gm.rehearsal.director import Plan
from gm.rehearsal.invariants import unwhole
from gm.rehearsal.person import Person
from gm.rehearsal.player import RandomPlayer
from gm.rehearsal.stage import Stage, rehearse

BOARD = standard_board()


def deal() -> Position:
    luck = ProvableChance(b"s" * 32, "c", 0, "setup", "d")
    return adjudicate(BOARD, Position(players=("A", "B", "C")), {}, luck).after


@pytest.mark.slow
def test_a_campaign_is_rehearsed_from_the_invitation_to_the_standings(tmp_path: Path) -> None:
    plan = Plan(campaigns=1, players=3, turns=1, seed=1918)
    found = rehearse(Stage(plan, tmp_path / "stage", workers=2, kill=True, kill_every=10))
    wrong = {check.words: check.wrong for check in found.checks if check.wrong}
    assert wrong == {}
    looked_at = {check.words: check.looked_at for check in found.checks}
    assert len(looked_at) == 11
    assert looked_at["every Phase was adjudicated once"] >= 4
    assert looked_at["every archive verifies (dice, receipts, chain)"] > 0
    assert looked_at["the Bell's seals are those of the receipts"] > 0
    json.dumps(dict(found.lines))


def test_the_clock_is_pushed_forward_and_never_back(tmp_path: Path) -> None:
    clock, other = PushedClock(tmp_path / "clock"), PushedClock(tmp_path / "clock")
    ahead = clock.now() + timedelta(days=3)
    clock.push_to(ahead)
    assert timedelta() <= other.now() - ahead < timedelta(seconds=5)
    other.push_to(ahead - timedelta(days=1))
    assert clock.now() >= ahead


def test_a_piece_that_is_lost_is_noticed() -> None:
    dealt = deal()
    assert unwhole(BOARD, dealt) is None
    assert unwhole(BOARD, dealt.with_stacks(dealt.stacks[1:])) is not None
    twice = dealt.with_stacks([*dealt.stacks, replace(dealt.stacks[0], province="TVER")])
    assert unwhole(BOARD, twice) is not None
    assert unwhole(for_shorter_game(BOARD), dealt) is not None, "the shorter game has no Imperial units"


@pytest.mark.parametrize("seed", range(20))
def test_what_random_players_write_can_be_read_again(seed: int) -> None:
    """Their sheets go as text through the real parser; only what was meant as nonsense is not understood."""
    position = deal()
    for phase in (Phase.PREGAME, Phase.FIRST, Phase.SECOND):
        here = replace(position, phase=phase, turn=0 if phase is Phase.PREGAME else 1)
        person = Person("c", "A", "Anna", "a@x", RandomPlayer(BOARD, Random(seed)), Random(seed), None, False)  # type: ignore[arg-type]
        text = person.orders(here)
        unread = [problem for problem in parse(BOARD, text, here.players).problems if problem.family == "unread"]
        assert all("over there" in problem.text for problem in unread), text
