"""The desk's live check, the receipt and the adjudicator read an order alike, if nobody else acts."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome import Fought, Moved, Outcome
from gm.adjudicator.sequence import adjudicate
from gm.campaign.phase import sheets
from gm.campaign.phase.intake import Preview
from gm.orders import kinds as m
from gm.orders.parser import parse
from gm.orders.receipt import Review, receipt_text, review
from gm.position import Phase, Player, Position
from gm.web.desk.check import live_check
from gm.web.models import Checked
from tests.orders.samples import BOARD, position
from tests.playout import RandomPlayer
from tests.strategies import random_position
from tests.support import examples

PLAYERS = ("A", "B", "C", "D")


def read_thrice(stands: Position, player: Player, text: str) -> tuple[Checked, Review, Outcome]:
    """The same text as the desk, a receipt and the adjudicator take it."""
    parsed = parse(BOARD, text, PLAYERS)
    told = review(BOARD, stands, player, parsed)
    read = sheets.read(BOARD, text, dict(zip(PLAYERS, PLAYERS, strict=True)))
    desk = live_check(BOARD, stands, player, Preview(read.sheet, read.canonical, told.problems, read), text)
    chance = ProvableChance(b"k" * 32, "thrice", stands.turn, stands.phase, "0" * 64)
    return desk, told, adjudicate(BOARD, stands, {player: parsed.sheet}, chance)


def random_orders(seed: int, phase: Phase, *kinds: type[m.Order]) -> tuple[Position, Player, list[str]]:
    dice = Random(seed)
    stands = random_position(BOARD, dice, PLAYERS, phase)
    player = dice.choice(stands.active)
    sheet = RandomPlayer(BOARD, dice).sheet(stands, player)
    return stands, player, [o.printed() for o in sheet.orders if isinstance(o, kinds)]


@settings(max_examples=examples(2_000, 60), deadline=None)
@given(st.integers(0, 2**32))
def test_a_force_stops_where_desk_and_receipt_say(seed: int) -> None:
    stands, player, lines = random_orders(seed, Phase.FIRST, m.Seize, m.Move, m.Attach)
    desk, told, outcome = read_thrice(stands, player, "\n".join(lines))
    moved = {e.number: e for e in outcome.events if isinstance(e, Moved)}
    for order in desk.orders:
        if order.kind not in ("Move", "Attach"):
            continue
        event = moved.get(order.number)
        if event is None:
            assert len(order.walked) <= 1 and not order.acts, order
            continue
        assert (tuple(order.walked), tuple(order.path)) == (event.path, event.intended), order
        acts = sorted((act.province, act.sign, act.code) for act in order.acts)
        handled = [(p, "+", x.code) for p, x in event.picked] + [(p, "-", x.code) for p, x in event.dropped]
        assert acts == sorted(handled), order
        said = {p.code for p in told.problems if p.order == order.number}
        cut = {"no-border": "starts-elsewhere"} if len(event.path) == 1 else {}
        assert event.stopped is None or {event.stopped, cut.get(event.stopped)} & said, order
        assert ("stopped" in said) == (event.stopped == "stopped"), order


@settings(max_examples=examples(2_000, 60), deadline=None)
@given(st.integers(0, 2**32))
def test_the_attackers_that_count_and_their_odds_are_those_of_desk_and_receipt(seed: int) -> None:
    stands, player, lines = random_orders(seed, Phase.SECOND, m.Attack, m.Subvert)
    for line in lines:
        desk, told, outcome = read_thrice(stands, player, line)
        battle = desk.orders[0].battle
        fought = next((e for e in outcome.events if isinstance(e, Fought)), None)
        if fought is None:
            assert battle is None or battle.odds is None, line
            assert "odds" not in {p.code for p in told.problems}, line
            continue
        assert battle is not None, line
        odds = fought.odds
        assert (battle.attack, battle.defence, battle.odds) == (fought.attack, fought.defence, odds), line
        assert tuple(stands.stacks[n] for n in desk.orders[0].stacks) == fought.attackers, line
        assert battle.results[str(fought.die)] == fought.result, line
        assert f"{fought.attack} against {fought.defence}: odds of {odds}." in receipt_text(told), line


def test_an_attacker_in_another_province_does_not_count() -> None:
    """Once the desk showed 14 to 4 here, when Lenin was in RYAZ."""
    listing = "A TVER: RL1 Sytin, RU2 KAZA\nA RYAZ: RL3 Lenin, RU8 PETR\nB TVER: WL1 Sidorin, WU3 STAV"
    stands = position(listing, phase=Phase.SECOND)
    desk, told, outcome = read_thrice(stands, "A", "ATTACK Sidorin IN TVER WITH Sytin, Lenin")
    battle = desk.orders[0].battle
    assert battle is not None
    assert (battle.attack, battle.defence, battle.odds) == (3, 4, "1-2")
    assert desk.orders[0].stacks == [n for n, s in enumerate(stands.stacks) if s.owner == "A" and s.province == "TVER"]
    assert "3 against 4: odds of 1-2." in receipt_text(told)
    assert next((e.attack, e.defence, e.odds) for e in outcome.events if isinstance(e, Fought)) == (3, 4, "1-2")
