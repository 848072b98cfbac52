"""Orders that are wrong in the ways people get them wrong: each is told so in its own words, at the right place, with a
line that would have worked."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from gm.orders import kinds as m
from gm.orders.check.checker import check
from gm.orders.parser import parse
from gm.orders.problems import Family, Problem, Severity
from gm.orders.receipt import problem_lines
from gm.orders.wording import caret, words_for
from gm.position import Phase, Position
from tests.orders.samples import BOARD, position

PLAYERS = {"Anna": "A", "Boris": "B", "Clara": "C"}
LISTING = """
A  PETR: RL3 Lenin, RU8 PETR
A  TULA: RL1 Kamenev, RL1 Sorokin, RU4 TULA
A  KAZA: RL1 Markin
A  SMOL: RL2 Zinoviev, RU6 SMOL
A  KUBA: WL1 Lukomsky
A  ASTR: WL3 Wrangel, WU4 ASTR
A  LIVO: RL1 Sablin
A  CHER: RL1 Smirnov
A  KURS: RL2 Voroshilov, RU6 KURS
B  NOVG: RL2 Tukhachevsky, RU8 NOVG
B  TVER: WL1 Sidorin, WU3 STAV
B  TAUR: WL1 Kutepov, WU4 TAUR
B  FINL: GU6 FINL
C  OMSK: WL2 Kolchak, WU3 OMSK, GOLD
C  EKAT: RL1 Blucher, RU2 EKAT, CZAR
-  KAZA: RU2 KAZA
-  LIVO: BU2 LIVO/GE; GU2 LIVO
-  CHER: BU2 CHER/GE
-  KIEV: GU4 KIEV
-  KHER: BU2 KHER/FR, BU2 KHER/FR, BU2 KHER/FR
-  BOX: RL3 Trotsky
A  BOX: 3 PM, 1 AM
B  BOX: 5 PM, FN control
C  BOX: 6 PM, 1 AM
"""
FIRST = position(LISTING, phase=Phase.FIRST)
SECOND = position(LISTING, phase=Phase.SECOND)


class Wrong(NamedTuple):
    order: str
    code: str
    words: str  # where the caret points
    suggestion: str | None
    told: str  # a part of the message
    phase: Position = FIRST


WRONG = [
    # not understood: names
    Wrong(
        "MOVE Lenin, RU8 PETR: PETR-Novgrod",
        "unknown-province",
        "Novgrod",
        "MOVE Lenin, RU8 PETR: PETR-NOVG",
        "Did you mean NOVG (Novgorod)?",
    ),
    Wrong(
        "MOVE Lennin, RU8 PETR: PETR-PSKO",
        "unknown-piece",
        "Lennin",
        "MOVE Lenin, RU8 PETR: PETR-PSKO",
        "Did you mean Lenin?",
    ),
    Wrong(
        "MOVE Lenin, RU6 PETR: PETR-PSKO",
        "unknown-piece",
        "RU6 PETR",
        "MOVE Lenin, RU8 PETR: PETR-PSKO",
        "Did you mean RU8 PETR?",
    ),
    Wrong("MOVE RL2 Lenin: PETR-PSKO", "unknown-piece", "RL2 Lenin", "MOVE Lenin: PETR-PSKO", "Did you mean Lenin?"),
    Wrong(
        "ASSASSINATE Tuckachefsky WITH 1", "unknown-leader", "Tuckachefsky", "ASSASSINATE Tukhachevsky WITH 1", "Did"
    ),
    Wrong("GIVE 2 PM TO Clarra", "unknown-player", "Clarra", "GIVE 2 PM TO C", "Did you mean C?"),
    Wrong("EMIGRATE Zcar FROM PETR", "unknown-piece", "Zcar", "EMIGRATE Czar FROM PETR", "Did you mean Czar?"),
    Wrong("ACCEPT RU8 PETR FROM B", "not-a-leader", "RU8 PETR", "ACCEPT Lenin FROM B", "no Leader"),
    Wrong("MOVE 4 BU2 KHER/FR: KHER-TAUR", "too-many-of-a-kind", "4", "MOVE 3 BU2 KHER/FR: KHER-TAUR", "only 3"),
    # not understood: words
    Wrong("MVOE Lenin: PETR-PSKO", "unknown-order", "MVOE", "MOVE Lenin: PETR-PSKO", "Did you mean MOVE?"),
    Wrong("Lenin, RU8 PETR: PETR-PSKO", "verb-missing", "Lenin", "MOVE Lenin, RU8 PETR: PETR-PSKO", "MOVE"),
    Wrong(
        "MOVE Lenin, RU8 PETR PETR-PSKO-LIVO",
        "missing",
        "PETR-PSKO-LIVO",
        "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO",
        "a colon",
    ),
    Wrong("MOVE Lenin RU8 PETR: PETR-PSKO", "missing", "RU8", "MOVE Lenin, RU8 PETR: PETR-PSKO", "a comma"),
    Wrong("MOVE Lenin, RU8 PETR LIVO", "missing", "LIVO", "MOVE Lenin, RU8 PETR TO LIVO", "TO"),
    Wrong("GIVE 2 PM B", "missing", "B", "GIVE 2 PM TO B", "TO"),
    Wrong("GIVE 2 PM TOO B", "misspelt-word", "TOO", "GIVE 2 PM TO B", "meant for TO"),
    Wrong("GIVE 2 PM FOR B", "wrong-word", "FOR", "GIVE 2 PM TO B", "TO should stand here"),
    Wrong("GIVE 2 TO B", "unexpected", "TO", "GIVE 2 PM TO B", "expected PM or AM"),
    Wrong("ASSASSINATE Sidorin WIHT 1", "misspelt-word", "WIHT", "ASSASSINATE Sidorin WITH 1", "meant for WITH"),
    Wrong(
        "PURGE B WITH C USING 3 PM DIVIDE A 1 C 1",
        "missing",
        "C",
        "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1",
        "a comma",
    ),
    Wrong("COUNTERPURGE STRONGST", "misspelt-word", "STRONGST", "COUNTERPURGE STRONGEST", "meant for STRONGEST"),
    Wrong("MOVE Lenin: PETR-PSKO BY RALI", "misspelt-word", "BY RALI", "MOVE Lenin: PETR-PSKO BY RAIL", "BY RAIL"),
    Wrong("MOVE Markin: KAZA(RU2 KAZA)", "sign-missing", "RU2 KAZA", "MOVE Markin: KAZA(+RU2 KAZA)", "picks"),
    Wrong("STACK TULA Kamenev, Sorokin", "missing", "Kamenev", "STACK TULA: Kamenev, Sorokin", "a colon"),
    Wrong("ATTACK GU2 LIVO LIVO WITH Sablin", "missing", "LIVO", "ATTACK GU2 LIVO IN LIVO WITH Sablin", "IN", SECOND),
    Wrong("ATTACK GU2 LIVO IN LIVO: Sablin", "wrong-word", ":", "ATTACK GU2 LIVO IN LIVO WITH Sablin", "WITH", SECOND),
    Wrong("ATTACK LIVO: GU2 LIVO WITH Sablin", "unexpected", ":", "ATTACK GU2 LIVO IN LIVO WITH Sablin", "IN", SECOND),
    Wrong("ATTACK Sablin: GU2 LIVO IN LIVO", "unexpected", ":", "ATTACK GU2 LIVO IN LIVO WITH Sablin", "IN", SECOND),
    # not allowed: movement
    Wrong("MOVE Lenin, RU8 PETR: PETR-LIVO", "closed", "LIVO", "MOVE Lenin, RU8 PETR: PETR-ESTO-LIVO", "is closed"),
    Wrong("MOVE Zinoviev: SMOL-PETR", "no-border", "PETR", "MOVE Zinoviev: SMOL-PSKO-PETR", "do not touch"),
    Wrong(
        "MOVE Zinoviev, RU6 SMOL: PETR-PSKO",
        "starts-elsewhere",
        "PETR",
        "MOVE Zinoviev, RU6 SMOL: SMOL-PSKO",
        "stands in SMOL",
    ),
    Wrong(
        "MOVE Sorokin: TULA-RYAZ-TVER-NOVG",
        "stopped",
        "TVER",
        "MOVE Sorokin: TULA-KALU-SMOL-PSKO-NOVG",
        "stopped in TVER: WL1 Sidorin, WU3 STAV (B)",
    ),
    Wrong("MOVE Tukachevsky: NOVG-TVER", "not-his", "Tukachevsky", "MOVE Zinoviev: SMOL-TVER", "belongs to B"),
    Wrong("MOVE Kamenev, RU8 PETR: TULA-KALU", "not-there", "RU8 PETR", "MOVE Kamenev: TULA-KALU", "stands in PETR"),
    Wrong("MOVE Trotsky: TVER-RYAZ", "not-on-map", "Trotsky", "MOVE Kamenev: TULA-RYAZ", "in the neutral box"),
    Wrong(
        "STACK TULA: Kamenev, Sorokin, RU4 TULA, Zinoviev",
        "stack-missing",
        "Zinoviev",
        "STACK TULA: Kamenev, Sorokin, RU4 TULA",
        "will be in SMOL",
    ),
    Wrong("EXIT BU2 KHER/FR", "no-exit", "BU2 KHER/FR", None, "Only Czech units"),
    # not allowed: politics
    Wrong("GIVE 5 PM TO B", "cannot-pay", "5", "GIVE 3 PM TO B", "3 PM and 1 AM"),
    Wrong("GIVE 2 PM TO A", "not-a-partner", "A", "GIVE 2 PM TO B", "A is you"),
    Wrong("PURGE B USING 3 PM", "too-few-markers", "3", "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1", "needs 8 PM"),
    Wrong(
        "PURGE B WITH C USING 3 PM",
        "no-division",
        "PURGE B WITH C USING 3 PM",
        "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1",
        "divided",
    ),
    Wrong(
        "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1 IF C AGREES",
        "conditional",
        "IF C AGREES",
        "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1",
        "condition",
    ),
    Wrong("ASSASSINATE Sidorin WITH 3", "too-many-assassins", "3", "ASSASSINATE Sidorin WITH 1", "You have 1"),
    Wrong(
        "EXECUTE CZAR USING 3 PM",
        "too-few-for-execution",
        "EXECUTE CZAR USING 3 PM",
        "EXECUTE CZAR WITH C, B USING 3 PM",
        "needs 10 PM",
    ),
    # not allowed: combat
    Wrong(
        "ATTACK GU2 LIVO IN LIVO WITH Lenin",
        "not-in-province",
        "Lenin",
        "ATTACK GU2 LIVO IN LIVO WITH Sablin",
        "is in PETR",
        SECOND,
    ),
    Wrong(
        "ATTACK BU2 LIVO/GE IN PSKO WITH Sablin",
        "target-not-there",
        "BU2 LIVO/GE",
        "ATTACK BU2 LIVO/GE IN LIVO WITH Sablin",
        "is in LIVO",
        SECOND,
    ),
    Wrong(
        "SUBVERT BU2 CHER/GE IN CHER WITH Lenin, Voroshilov",
        "not-adjacent",
        "Lenin",
        "SUBVERT BU2 CHER/GE IN CHER WITH Voroshilov",
        "not next to CHER",
        SECOND,
    ),
    Wrong(
        "ATTACK Smirnov IN CHER WITH Smirnov",
        "not-opposed",
        "Smirnov",
        None,
        "does not fight",
        SECOND,
    ),
]


def problems_of(text: str, stands: Position) -> list[Problem]:
    parsed = parse(BOARD, text, PLAYERS)
    found = [*parsed.problems, *check(BOARD, stands, "A", parsed.sheet)]
    return [p for p in found if p.severity is not Severity.NOTE]


def test_there_are_more_than_thirty_of_them() -> None:
    assert len(WRONG) > 30
    assert len({w.code for w in WRONG}) > 25


@pytest.mark.parametrize("wrong", WRONG, ids=lambda w: w.order)
def test_a_wrong_order_is_told_what_is_wrong_where_and_what_would_be_right(wrong: Wrong) -> None:
    found = problems_of(wrong.order, wrong.phase)
    problem = next((p for p in found if p.code == wrong.code), None)
    assert problem is not None, found
    assert problem.words == wrong.words == problem.text[slice(*problem.span)]
    assert wrong.told in words_for(problem)
    assert problem.suggestion == wrong.suggestion
    assert bool(problem.rules) == (problem.family is Family.NOT_ALLOWED)


@pytest.mark.parametrize("wrong", [w for w in WRONG if w.suggestion], ids=lambda w: w.order)
def test_the_suggestion_for_a_wrong_order_would_have_worked(wrong: Wrong) -> None:
    assert wrong.suggestion is not None
    # What an order comes to is one thing, whether a name is known another: ACCEPT and EMIGRATE stay impossible here.
    impossible = {"wrong-phase", "no-imperial", "immovable", "left-behind", "unled-stack"}
    left = [p for p in problems_of(wrong.suggestion, wrong.phase) if p.code not in impossible]
    assert left == []


@pytest.mark.parametrize("wrong", WRONG, ids=lambda w: w.order)
def test_the_caret_stands_under_the_offending_words(wrong: Wrong) -> None:
    problem = next(p for p in problems_of(f"  3) {wrong.order}.", wrong.phase) if p.code == wrong.code)
    shown, marks = caret(problem)
    assert shown[marks.index("^") : marks.rindex("^") + 1] == wrong.words
    assert len(list(problem_lines(problem))) >= 3


def test_a_second_purge_is_refused_and_the_first_one_offered_again() -> None:
    first = "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1"
    (problem,) = problems_of(f"{first}\nPURGE C WITH B USING 3 PM DIVIDE A 1, B 1", FIRST)
    assert (problem.code, problem.order, problem.words) == ("double-purge", 2, "PURGE")
    assert problem.suggestion == first
    assert "11.13" in problem.rules


def test_an_order_of_the_other_phase_is_told_how_to_file_it_ahead() -> None:
    order = "ATTACK GU2 LIVO IN LIVO WITH Sablin"
    (problem,) = problems_of(order, FIRST)
    assert (problem.code, problem.suggestion) == ("wrong-phase", "ORDERS June 1918 Second Phase")
    assert problems_of(f"{problem.suggestion}\n{order}", FIRST) == []
    assert problems_of(f"{problem.suggestion}\n{order}", SECOND) == []


def test_a_guard_for_a_phase_that_is_over_keeps_everything_out() -> None:
    (problem,) = problems_of("ORDERS June 1918 First Phase\nMOVE Nobody: NOWHERE", SECOND)[1:]
    assert problem.code == "guard-mismatch"
    assert problem.suggestion == "ORDERS June 1918 Second Phase"
    assert words_for(problem).startswith("These orders are for June 1918 First Phase, but June 1918 Second")


def test_the_last_of_several_mistakes_in_a_line_is_mended_as_well() -> None:
    problem = problems_of("MOVE Lennin, RU6 PETR: PETR-Pskof-Novgrod", FIRST)[0]
    assert problem.suggestion == "MOVE Lenin, RU8 PETR: PETR-PSKO-NOVG"


def test_a_name_that_fits_counters_of_several_nations_must_say_which() -> None:
    stands = position("A ARCH: RL1 Peterson\n- ARCH: BU2 ARCH/US; BU2 ARCH/BR", phase=Phase.SECOND)
    problem = problems_of("ATTACK BU2 ARCH IN ARCH WITH Peterson", stands)[0]
    assert (problem.code, problem.family) == ("ambiguous-name", Family.NOT_UNDERSTOOD)
    assert "BU2 ARCH/BR or BU2 ARCH/US" in words_for(problem)
    assert problem.suggestion == "ATTACK BU2 ARCH/BR IN ARCH WITH Peterson"


def test_the_nation_need_not_be_said_where_only_one_stands() -> None:
    stands = position("A ARCH: RL1 Peterson\n- ARCH: BU2 ARCH/US\n- VOLO: BU2 ARCH/BR", phase=Phase.SECOND)
    assert problems_of("ATTACK BU2 ARCH IN ARCH WITH Peterson", stands) == []


@pytest.mark.parametrize("order", ["ATTACK LIVO: Sablin", "ATTACK Sablin, RU4 PSKO: LIVO", "SUBVERT LIVO: Sablin"])
def test_an_attack_written_like_a_move_is_told_how_attacks_are_written(order: str) -> None:
    (problem,) = problems_of(order, SECOND)
    assert (problem.code, problem.words) == ("battle-words", ":")
    assert "whom, then IN which province, then WITH which of your forces" in words_for(problem)
    assert problem.suggestion in (m.Attack.about.examples[0], m.Subvert.about.examples[0])
