"""What a receipt advises: a suggestion keeps all that was understood, and a warning names its cause."""

from __future__ import annotations

import pytest

from gm.orders.problems import Problem
from gm.orders.receipt import review
from gm.orders.wording import words_for
from gm.position import RED_PLAYER, SYSTEM_PLAYER, Phase, Position, Solitaire
from tests.orders.samples import BOARD, position, read

STANDS = """
A  PETR: RL3 Lenin, RU8 PETR
A  KAZA: RL1 Markin
A  TULA: RL1 Sorokin, RL1 Kamenev, RU4 TULA
A  SMOL: RL1 Slavin, RU6 SMOL; RL1 Stalin, RU3 OREL
A  VLDM: RL2 Frunze
A  KIEV: GU4 KIEV
A  BOX: 8 PM, 1 AM, UK control
B  TVER: WL1 Sidorin
B  KIEV: RL1 Blucher
B  BOX: 4 PM, 1 AM
-  KAZA: RU2 KAZA; GU2 KHAR
"""
FIRST = position(STANDS)
SECOND = position(STANDS, phase=Phase.SECOND)


def against(text: str, stands: Position = FIRST, player: str = "A") -> tuple[Problem, ...]:
    parsed = read(text)
    return review(BOARD, stands, player, parsed).problems


def told(text: str, code: str, stands: Position = FIRST, player: str = "A") -> tuple[str, str | None]:
    """What is said, and suggested."""
    problem = next(p for p in against(text, stands, player) if p.code == code)
    return words_for(problem), problem.suggestion


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("MOVE Markin (KAZA): KAZA(+RU2 KAZA)-SIMB", "MOVE Markin: KAZA(+RU2 KAZA)-SIMB"),
        ("MOVE RU2 KAZA TO SIMB", "MOVE Markin, RU2 KAZA: KAZA-SIMB"),
        ("MOVE Kamenev from TULA to KALU", "MOVE Kamenev TO KALU"),
        ("MOVE Lenin BY RAIL TO Moscow", "MOVE Lenin TO TVER BY RAIL"),
        ("MOVE Lenin (RU8 PETR): PETR-PSKO", "MOVE Lenin, RU8 PETR: PETR-PSKO"),
        # What stands elsewhere is named as the trouble; the drop beside it is kept.
        (
            "MOVE Sorokin, Kamenev: TULA-RYAZ(+RU2 KAZA, -Kamenev)-TAMB",
            "MOVE Sorokin, Kamenev: TULA-RYAZ(-Kamenev)-TAMB",
        ),
        # Of what is told only as a missing comma nothing can be kept that works.
        ("MOVE Sorokin, Kamenev: TULA-RYAZ(+RU2 KAZA -Kamenev)-TAMB", None),
    ],
)
def test_a_suggestion_keeps_all_that_was_understood_or_is_not_made(line: str, suggestion: str | None) -> None:
    assert next(p for p in against(line) if p.code != "left-behind").suggestion == suggestion


def test_no_suggestion_makes_units_nobodys_and_it_is_told_which_would_be() -> None:
    sheet = "MOVE Frunze: VLDM-TVER-SMOL\nSTACK SMOL: Frunze, RU6 SMOL, RU3 OREL"
    assert told(sheet, "stack-missing")[1] is None
    words, suggestion = told(sheet, "unled-stack")
    assert "nobody's: RU3 OREL and RU6 SMOL" in words or "nobody's: RU6 SMOL and RU3 OREL" in words
    assert suggestion is None


def test_it_is_told_which_units_lose_the_leader_whom_a_stack_takes_away() -> None:
    assert "nobody's: RU3 OREL" in told("STACK SMOL: Slavin, RU6 SMOL, Stalin", "unled-stack")[0]
    assert "unled-stack" not in {p.code for p in against("STACK SMOL: Slavin, RU6 SMOL, RU3 OREL, Stalin")}


def test_a_gift_that_cannot_be_paid_takes_nothing_from_a_purge() -> None:
    assert {p.code for p in against("GIVE 9 PM TO B\nPURGE B USING 8 PM")} == {"cannot-pay"}


def test_no_suggestion_is_the_line_that_is_flagged() -> None:
    words, suggestion = told("PURGE B USING 8 PM\nGIVE 1 PM TO B", "given-away")
    assert suggestion is None
    assert "leaves 7, and 8 are needed. Leave out order 2" in words


def test_of_an_exchange_one_side_may_give_nothing_as_its_mirror_tells() -> None:
    found = against("GIVE 1 PM TO B FOR 0 PM")
    assert [p.code for p in found] == ["needs-mirror"]
    mirror = str(found[0].data["mirror"])
    assert mirror == "GIVE 0 PM TO A FOR 1 PM"
    assert [p.code for p in against(mirror, player="B")] == ["needs-mirror"]
    assert "gives-nothing" in {p.code for p in against("GIVE 0 PM TO B FOR 0 PM")}
    assert "gives-nothing" in {p.code for p in against("GIVE 0 PM TO B")}


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("ASSASSINATE Sidorin WITH 0", "no-markers", "With 0 no Assassin Marker is set"),
        ("ASSASSINATE Sidorin WITH 3", "too-many-assassins", "You have 1 Assassin Marker left"),
        ("ASSASSINATE Czar WITH 1", "not-assassinated", "is an Imperial unit"),
        ("GIVE Czar TO B", "not-traded", "cannot be traded"),
        ("GIVE UK control TO B", "not-traded", "“UK control” cannot be traded"),
        ("GIVE BR withdrawal TO B", "not-traded", "cannot be traded"),
        ("GIVE GU4 KIEV TO B", "not-traded", "cannot be traded"),
        ("GIVE 1 PM TO A", "not-a-partner", "A is you"),
        ("GIVE 6 PM TO B\nGIVE 6 PM TO B", "cannot-pay", "give away 6 PM already, which leaves 2 PM"),
        ("MOVE Lenin TO PETR", "nowhere", "is in PETR already"),
        ("COUNTERPURGE B\nCOUNTERPURGE NEVER", "first-counts", "Order 1 stands before this one and counts wherever"),
        ("COUNTERPURGE NEVER\nCOUNTERPURGE B", "first-counts", "this one never does"),
        ("MOVE Lenin, RU8 PETR: PETR-\nPSKO-LIVO", "unknown-order", "The line above ends in “-”"),
        ("MOVE Lenin, RU8 PETR:\nPETR-PSKO", "unknown-order", "The line above ends in “:”"),
    ],
)
def test_the_reason_is_the_true_one(text: str, code: str, words: str) -> None:
    assert words in told(text, code)[0]


def test_of_two_counterpurges_for_two_purgers_both_count() -> None:
    sheet = "COUNTERPURGE B IF PURGED BY B\nCOUNTERPURGE STRONGEST"
    assert against(sheet) == ()


def test_who_cannot_be_attacked_is_no_reason_to_attack_somebody_else() -> None:
    assert told("ATTACK Markin IN KAZA WITH Markin", "not-opposed", SECOND)[1] is None


# The game for one person

ALONE = Position(
    players=(RED_PLAYER, SYSTEM_PLAYER),
    turn=1,
    phase=Phase.FIRST,
    stacks=position("R  PETR: RL3 Lenin, RU8 PETR\nW  KIEV: WL3 Denikin, WU4 KUBA", players="RW").stacks,
    solitaire=Solitaire(
        reserve=tuple(p for p in BOARD.leaders if p.name in ("Frunze", "Stalin", "Markin")), deployable=2
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DEPLOY Frunze TO TVER\nDEPLOY Stalin ON RU8 PETR", ""),
        ("DEPLOY Frunze TO TVER\nDEPLOY Stalin TO TVER\nDEPLOY Markin TO TVER", "You may deploy 2 in this Game-Turn"),
        ("DEPLOY Frunze TO TVER\nDEPLOY Frunze TO PETR", "is deployed by order 1 already"),
        ("DEPLOY Lenin TO TVER", "RL3 Lenin stands in PETR"),
        ("DEPLOY Denikin TO TVER", "WL3 Denikin is not Red"),
        ("DEPLOY Trotsky TO TVER", "RL3 Trotsky does not wait"),
        ("DEPLOY Frunze ON RU8 TVER", "RU8 TVER is no Red combat unit on the map"),
    ],
)
def test_who_may_be_deployed_is_told_before_the_sheet_is_played(text: str, expected: str) -> None:
    said = " ".join(words_for(p) for p in against(text, ALONE, RED_PLAYER))
    assert expected in said if expected else not said
