"""What the desk says of a stack that is chosen on the map."""

from __future__ import annotations

from msgspec.structs import replace

from gm.position import Phase, Position
from gm.web.desk.form_choices import desk_view
from gm.web.desk.stack_info import look
from tests.orders.samples import BOARD, position

LISTING = """
A  KURS: RL2 Zinoviev, RU4 TULA
A  SMOL: RL1 Gai
A  CHER: WL1 Kappel
A  TVER: RL3 Trotsky
-  CHER: BU2 CHER/GE
C  VLAD: BU3 CHEL/CZ
A  VLAD: RL1 Kikvidze
C  BOX: CZ control
"""
SECOND = position(LISTING, phase=Phase.SECOND)


def index(stands: Position, name: str) -> int:
    return next(n for n, s in enumerate(stands.stacks) if s.pieces[0].name == name or s.pieces[0].bell == name)


def test_a_blue_stack_offers_its_subversion_by_all_reds_next_door_and_each_of_them_offers_it_too() -> None:
    """Nobody stands in the same province as an enemy, and yet there is something to order."""
    (chosen,) = look(BOARD, SECOND, "A", index(SECOND, "BU2 CHER/GE")).attacks
    assert chosen.order == "SUBVERT BU2 CHER/GE IN CHER WITH Zinoviev, Gai"
    assert chosen.words == "Subvert BU2 CHER/GE (unaligned) in CHER with Zinoviev, Gai"
    assert (chosen.battle.odds, chosen.battle.attack) == ("3-1", 7)
    (own,) = look(BOARD, SECOND, "A", index(SECOND, "Zinoviev")).attacks
    assert own.order == "SUBVERT BU2 CHER/GE IN CHER WITH Zinoviev"
    assert "doubled" not in own.battle.summary
    (twice,) = look(BOARD, replace(SECOND, subversion_doubled=True), "A", index(SECOND, "Zinoviev")).attacks
    assert twice.battle.attack == 12 and "the strength is doubled in this Phase" in twice.battle.summary
    far = look(BOARD, SECOND, "A", index(SECOND, "Trotsky"))
    assert not far.attacks and "Nobody whom this force may attack stands here." in far.words
    first = position(LISTING)
    assert not look(BOARD, first, "A", index(first, "BU2 CHER/GE")).attacks


def test_units_without_a_leader_are_named_as_an_order_names_them() -> None:
    told = look(BOARD, SECOND, "A", index(SECOND, "Kikvidze")).threats
    assert told == ["C could attack it: BU3 CHEL/CZ 3:1 = 3-1"]


def test_a_marker_of_control_says_of_which_nation() -> None:
    assert desk_view(BOARD, SECOND, "C").chits == ("CZ control (Czechoslovakia)",)
