"""The options `deal`, `victory` and `last_turn` (H1-H3): what the cases cannot show."""

import statistics
from collections import Counter

import pytest

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import DEALS, GameOptions, game_options
from gm.adjudicator.outcome import Dealt
from gm.adjudicator.sequence import adjudicate
from gm.adjudicator.steps.setup import pots
from gm.board.load import standard_board
from gm.position import Phase, Position
from tests.support import examples

PLAYERS = tuple("ABCDEF")


def hands(deal: str, number: int, players: tuple[str, ...] = PLAYERS) -> dict[str, list[str]]:
    board = standard_board()
    chance = ProvableChance(number.to_bytes(32, "big"), "deals", 0, "setup", "")
    found: dict[str, list[str]] = {player: [] for player in players}
    for pot in pots(board, GameOptions(deal=deal), players):
        for player, cards in chance.deal(pot.occasion, pot.cards, pot.players).items():
            found[player] += cards
    return found


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("size", range(2, 9))
def test_every_deal_gives_every_card_once_and_nobody_two_more_than_another(deal: str, size: int) -> None:
    dealt = hands(deal, 7, tuple("ABCDEFGH"[:size]))
    cards = Counter(card for hand in dealt.values() for card in hand)
    assert cards == Counter(card for hand in hands("one-pot", 1).values() for card in hand)
    counts = [len(hand) for hand in dealt.values()]
    assert max(counts) - min(counts) <= 1


def test_three_pots_leave_nobody_without_a_good_Leader_and_one_pot_often_does() -> None:
    """The figures of the form and of docs: 4,000 deals to six players."""
    board = standard_board()
    value = {leader.name: leader.value for leader in board.leaders}
    deals = examples(4_000, here=800)
    without: dict[str, float] = {}
    spread: dict[str, float] = {}
    for deal in DEALS:
        poor, ratios = 0, []
        for number in range(deals):
            found = hands(deal, number)
            poor += any(not any(value.get(card, 0) >= 2 for card in hand) for hand in found.values())
            strengths = [sum(value.get(card, 0) for card in hand) for hand in found.values()]
            ratios.append(max(strengths) / max(1, min(strengths)))
        without[deal], spread[deal] = poor / deals, statistics.median(ratios)
    assert 0.50 < without["one-pot"] < 0.62
    assert without["three-pots"] == 0 and without["majors-first"] == 0
    assert spread["three-pots"] < spread["one-pot"]


def test_the_deal_of_a_campaign_is_the_one_that_its_options_name() -> None:
    board = standard_board()
    position = Position(players=PLAYERS, phase=Phase.SETUP)
    chance = ProvableChance(bytes(32), "deals", 0, "setup", "")
    outcome = adjudicate(board, position, {}, chance, GameOptions(deal="three-pots"))
    dealt = next(event for event in outcome.events if isinstance(event, Dealt))
    assert all(any(leader.value >= 2 for leader in goods.leaders) for goods in dealt.hands.values())
    assert "H1" in dealt.rules
    assert {roll.occasion.partition("/")[0] for roll in outcome.rolls} == {"deal-1", "deal-2", "deal-3"}


def test_options_of_an_older_version_have_their_defaults_and_every_house_rule_changes_the_digest() -> None:
    assert game_options({"masses": True, "hour": "20:00"}) == GameOptions(masses=True)
    changed = [
        GameOptions(deal="three-pots"),
        GameOptions(victory="key-areas"),
        GameOptions(key_areas=("PETR",)),
        GameOptions(last_turn=6),
        GameOptions(masses=True),
    ]
    assert len({options.digest for options in (GameOptions(), *changed)}) == 6
