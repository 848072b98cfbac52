"""The what-if room: shares that are those of the rules, from what is published, and never at the campaign's cost."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from threading import Event, Thread

import msgspec
import pytest

from gm.errors import NotNow
from gm.orders.rules.odds import results_of
from gm.position import Phase, Position, to_json
from gm.whatif import process
from gm.whatif.answer_text import as_text, percent
from gm.whatif.process import WhatIfRoom, alone, bare
from gm.whatif.question import Answer, Question
from gm.whatif.run import answer
from tests.orders.samples import BOARD, position
from tests.playout import RandomPlayer
from tests.stopwatch import within
from tests.strategies import random_position
from tests.support import PATIENCE, wait_until

LISTING = "A LIVO: RL3 Lenin, RU8 PETR\nB LIVO: WL3 Denikin, WU4 KUBA"  # 11 against 7: 1-1


def question(stands: Position, orders: str, **more: object) -> Question:
    plain = {"position": to_json(stands), "seat": "A", "orders": orders, "seed": "19" * 16, "times": 300}
    return msgspec.convert(plain | more, Question)


@pytest.fixture(scope="module")
def battle() -> Answer:
    stands = position(LISTING, phase=Phase.SECOND)
    return answer(question(stands, "ATTACK Denikin IN LIVO WITH Lenin", names={"A": "Anna", "B": "Boris"}))


def test_a_battle_comes_out_as_often_as_its_table_says(battle: Answer) -> None:
    (fight,) = battle.fights
    assert (fight.place, fight.odds, fight.mine) == ("Livonia", "1-1", True)
    assert sum(fight.results.values()) == 300
    cells = list(results_of(BOARD, "1-1").values())
    for result in ("De", "Ex", "Ae"):
        assert abs(fight.results.get(result, 0) - 300 * cells.count(result) / 6) < 40, result


def test_each_own_order_has_its_fate_and_the_asker_is_told_about_his_leaders(battle: Answer) -> None:
    (fate,) = battle.fates
    assert (fate.text, fate.done) == ("ATTACK Denikin IN LIVO WITH Lenin", 300)
    assert 0 < battle.leaders["RL3 Lenin"] < 300
    text = " ".join(as_text(battle).split())
    assert "Livonia: RL3 Lenin (A) against WL3 Denikin (B), 1-1: won " in text
    assert "RL3 Lenin is lost in " in text and "Done every time." in text
    assert "no deadline" not in battle.sample and "As soon as it is there" not in battle.sample
    assert "T H E   B E L L" in battle.sample and "LIVO" in battle.sample
    assert "As it might read" in battle.sample and "#0" not in battle.sample


def test_the_same_question_has_the_same_answer() -> None:
    stands = random_position(BOARD, Random(3), ("A", "B", "C", "D"), Phase.FIRST)
    orders = RandomPlayer(BOARD, Random(3)).sheet(stands, "A").printed()
    one, other = (answer(question(stands, orders, standins=True, times=20)) for _ in range(2))
    assert msgspec.structs.replace(one, seconds=0.0) == msgspec.structs.replace(other, seconds=0.0)


def test_an_order_for_which_there_was_no_occasion_is_not_called_done() -> None:
    stands = position(LISTING, phase=Phase.SECOND)
    found = answer(question(stands, "COUNTERPURGE STRONGEST\nVOTE END\nLOSE Lenin", times=10))
    assert [(f.done, f.waited) for f in found.fates] == [(0, 10)] * 3
    assert as_text(found).count("It only stands on file, every time.") == 3
    fought = answer(question(stands, "ATTACK Denikin IN LIVO WITH Lenin\nLOSE Lenin", times=60))
    assert 0 < fought.fates[1].done < 60 and fought.fates[1].done + fought.fates[1].waited == 60
    assert "; else it only stands on file." in as_text(fought)


def test_what_cannot_be_read_is_named_and_a_resignation_is_not_tried() -> None:
    stands = position(LISTING, phase=Phase.SECOND)
    found = answer(question(stands, "ATACK Denikin\nRESIGN", times=5))
    assert found.unread == ("ATACK Denikin",) and not found.fates
    assert "Not understood, and left out:" in as_text(found)
    asked = msgspec.structs.replace(question(stands, "HOLD", times=5), others={"B": "ATACK Lenin"})
    found = answer(asked)
    assert found.unread_guesses == {"B": ("ATACK Lenin",)} and not found.unread
    assert "Not understood of your guess for B, and left out:\n  ATACK Lenin" in as_text(found)


@pytest.mark.parametrize(("part", "said"), [(0, "0%"), (1, "1%"), (299, "99%"), (300, "100%"), (150, "50%")])
def test_no_share_is_called_certain_that_is_not(part: int, said: str) -> None:
    assert percent(part, 300) == said


def test_five_hundred_plays_of_a_full_phase_take_less_than_two_seconds_of_processor_time() -> None:
    for phase in (Phase.FIRST, Phase.SECOND):
        dice = Random(5)
        stands = random_position(BOARD, dice, ("A", "B", "C", "D", "E"), phase)
        orders = RandomPlayer(BOARD, dice).sheet(stands, "A").printed()
        asked = question(stands, orders, times=500, standins=True)
        assert within(2, partial(answer, asked)).times == 500


def test_stand_ins_write_the_others_orders_anew_for_every_play() -> None:
    """Not some twenty sets over and over: a share of 2% would be one of them. The answer says how many there were."""
    dice = Random(5)
    stands = random_position(BOARD, dice, ("A", "B", "C", "D", "E"), Phase.FIRST)
    orders = RandomPlayer(BOARD, dice).sheet(stands, "A").printed()
    found = answer(question(stands, orders, times=200, standins=True))
    assert found.guesses > 150
    assert f"{found.guesses} different sets in 200 plays" in " ".join(as_text(found).split())
    nobody = answer(question(stands, orders, times=5))
    assert nobody.guesses == 0 and "Stand-ins" not in as_text(nobody)


# --- the process


def test_the_process_has_neither_settings_nor_secrets_and_answers_what_this_one_would() -> None:
    """It gets the question and nothing else: no database address, no key, no folder with a .env in it."""
    given = {"PATH": "/bin", "KOLOKOL_SECRET_KEY": "x" * 32, "KOLOKOL_DATABASE_URL": "sqlite:///x", "PGPASSWORD": "x"}
    assert bare(given) == {"PATH": "/bin"}
    asked = question(position(LISTING, phase=Phase.SECOND), "ATTACK Denikin IN LIVO WITH Lenin", times=30)
    there, here = WhatIfRoom().ask(asked, "own/A"), answer(asked)
    assert msgspec.structs.replace(there, seconds=0.0) == msgspec.structs.replace(here, seconds=0.0)
    single = msgspec.structs.replace(asked, times=1)  # most results never come
    assert "1 play of this Phase with dice of its own" in as_text(WhatIfRoom().ask(single, "own/A"))


def test_of_a_single_play_is_told_what_happened_and_neither_an_average_nor_a_share() -> None:
    stands = position(LISTING, phase=Phase.SECOND)
    told = set()
    for seed in range(12):
        asked = question(stands, "ATTACK Denikin IN LIVO WITH Lenin\nVOTE END", times=1, seed=f"{seed:02x}" * 16)
        found = answer(asked)
        text = " ".join(as_text(found).split())
        assert not re.search(r"average|mostly|every time|%|\d\.\d", text), text
        assert "ATTACK Denikin IN LIVO WITH Lenin Done." in text and "VOTE END It only stands on file." in text
        assert f"Points if Red wins: {found.red.before} now, {found.red.low} after it" in text
        assert f"You lost {found.strength_lost:.0f} strength points of your own" in text
        assert ("RL3 Lenin was lost." in text) is bool(found.leaders)
        told |= set(re.findall(r"against WL3 Denikin \(B\), 1-1: (won|Exchange|beaten off)[.;]", text))
    assert len(told) > 1


def test_a_seat_has_so_much_processor_time_an_hour_and_others_have_their_own() -> None:
    now = [0.0]
    room = WhatIfRoom(an_hour=0.000001, clock=lambda: now[0])
    asked = question(position(LISTING, phase=Phase.SECOND), "", times=1)
    room.ask(asked, "own/A")
    with pytest.raises(NotNow, match="a great deal"):
        room.ask(asked, "own/A")
    room.ask(asked, "own/B")
    now[0] = 3601
    room.ask(asked, "own/A")


def test_the_room_plays_the_shorter_game_by_its_own_rules() -> None:
    stands = random_position(BOARD, Random(3), ("A", "B", "C", "D"), Phase.SECOND)
    asked = question(stands, "PURGE B USING 8 PM", standins=True, times=20)
    found = answer(msgspec.structs.replace(asked, options={"masses": True}))
    assert [fate.failed for fate in found.fates] == [20]
    assert not any(fight.subversion for fight in found.fights) and not found.purges


class Held(WhatIfRoom):
    """A room in which every question is tried until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.let_go = Event()

    def _run(self, question: Question) -> Answer:
        self.asked.append(question.orders)
        self.let_go.wait(PATIENCE)
        raise NotNow("whatif-long", "", "")


def test_games_of_one_person_leave_a_place_to_everybody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred such games, begun from one address at a link a minute, kept both places taken for good."""
    monkeypatch.setattr(process, "WAIT_SECONDS", 0.2)
    room, stands = Held(), position(LISTING, phase=Phase.SECOND)

    def ask(who: str) -> None:
        with pytest.raises(NotNow):
            room.ask(question(stands, who), who)

    players = [Thread(target=ask, args=[who]) for who in (*map(alone, "abcde"), "june/A")]
    for player in players:
        player.start()
        wait_until(lambda: room.asked)
    wait_until(lambda: len(room.asked) == 2)
    assert room.asked == ["alone a", "june/A"]
    room.let_go.set()
    for player in players:
        player.join(PATIENCE)
