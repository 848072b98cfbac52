"""Dice that can be proved, and luck that is written down."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from gm.adjudicator.chance import ProvableChance, ScriptedChance, ScriptError, commitment

SECRET = bytes(range(32))


def chance(digest: str = "abc") -> ProvableChance:
    return ProvableChance(SECRET, "bell", 1, "second", digest)


def test_the_same_occasion_always_gives_the_same_die_whatever_was_rolled_before() -> None:
    first = chance()
    alone = first.die("combat/LIVO/A/1")
    second = chance()
    for n in range(20):
        second.die(f"combat/TVER/B/{n}")
    assert second.die("combat/LIVO/A/1") == alone


def test_a_die_can_be_recomputed_with_nothing_but_hmac() -> None:
    message = b"bell|1|second|abc|combat/LIVO/A/1|0"
    number = int.from_bytes(hmac.new(SECRET, message, hashlib.sha256).digest()[:8], "big")
    assert number < (1 << 64) // 6 * 6  # not one of the few that are rejected
    assert chance().die("combat/LIVO/A/1") == number % 6 + 1


def test_other_orders_give_other_dice() -> None:
    rolls = [chance(digest).die("combat/LIVO/A/1") for digest in map(str, range(40))]
    assert len(set(rolls)) == 6


def test_all_faces_come_about_equally_often() -> None:
    faces = Counter(chance().die(f"combat/TVER/A/{n}") for n in range(6_000))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(850 < count < 1150 for count in faces.values())


def test_a_deal_gives_every_card_once_and_as_equally_as_possible() -> None:
    cards = [f"card {n}" for n in range(65)]
    hands = chance().deal("deal", cards, "ABCDEF")
    assert sorted(card for hand in hands.values() for card in hand) == sorted(cards)
    assert {len(hand) for hand in hands.values()} == {10, 11}
    assert [len(hands[p]) for p in "ABCDEF"] == [11, 11, 11, 11, 11, 10]


def test_the_commitment_is_the_plain_hash_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_a_script_is_used_from_the_front_and_says_what_is_missing_or_left() -> None:
    script = ScriptedChance({"combat": [3, 5]}, events=[(1, 2)], chits=["AM"], recipients=["B"])
    assert script.die("combat/TVER/A/1") == 3
    assert script.die("subversion/TVER/A/1") == 5
    with pytest.raises(ScriptError, match="not scripted"):
        script.die("combat/TVER/A/2")
    assert script.left_over() == ["event 1-2", "chit AM", "recipient B"]


def test_a_script_cannot_draw_what_is_not_there() -> None:
    script = ScriptedChance(chits=["AM"], recipients=["C"])
    with pytest.raises(ScriptError, match="not in the Randomizer"):
        script.draw("randomizer/A/1", ["PM"])
    with pytest.raises(ScriptError, match="not among"):
        script.pick("recipient/1", ["A", "B"])
