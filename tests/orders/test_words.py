"""Every problem has its words, every order its help, and the printed guide is up to date."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import gm.orders
from gm.orders import kinds as m
from gm.orders.help import help_text, markdown_text, topic_text
from gm.orders.kinds.catalogue import BY_KEYWORD, KINDS, in_phase
from gm.orders.problems import Family, Problem
from gm.orders.rules.reasons import REASONS
from gm.orders.wording import caret, words_for
from gm.position import Phase
from gm.wording import fields_of

ROOT = Path(__file__).resolve().parents[2]
WORDS = tomllib.loads((ROOT / "templates" / "orders" / "problems.toml").read_text("utf-8"))
RESULTS = tomllib.loads((ROOT / "templates" / "bell" / "reasons.toml").read_text("utf-8"))
SOURCES = sorted(Path(gm.orders.__file__).parent.rglob("*.py"))


def test_every_code_has_words_and_all_words_belong_to_a_code() -> None:
    """A code is said by the receipt, by a result, or by both."""
    assert set(WORDS) <= set(REASONS)
    assert set(WORDS) | set(RESULTS) == set(REASONS)


def test_whatever_the_checker_says_has_its_words() -> None:
    named = set().union(*(literals(path) for path in SOURCES if path.parent.name == "check")) & set(REASONS)
    assert named <= set(WORDS)


def literals(path: Path) -> set[object]:
    return {n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)}


def test_every_problem_can_be_worded_without_any_data() -> None:
    for code in WORDS:
        said = words_for(Problem(code, Family.NOT_ALLOWED, words="X"))
        assert said[0].isupper() or not said[0].isalpha(), said


def test_of_several_wordings_the_last_one_needs_least() -> None:
    for code, wordings in WORDS.items():
        if isinstance(wordings, list):
            needs = [len(fields_of(w)) for w in wordings]
            assert needs[-1] == min(needs), code


def test_every_code_can_occur() -> None:
    """A code that no module names is dead; those of the steps come from steps.py with a colour or region."""
    named = set().union(*(literals(path) for path in SOURCES if path.name != "reasons.py"))
    composed = {"no-points-blue", "no-points-green", "no-rail-blue", "no-rail-green", "region-blue", "region-green"}
    assert set(WORDS) - named <= composed


def test_no_order_is_without_help() -> None:
    orders = {c for c in vars(m).values() if isinstance(c, type) and issubclass(c, m.Order)} - {m.Order, m.Unread}
    assert orders - {m.StandingOrder} == set(KINDS)


def test_help_names_every_order_and_tells_of_each() -> None:
    text = help_text()
    for keyword in BY_KEYWORD:
        assert keyword in text
        told = topic_text(keyword.lower())
        assert told is not None
        assert BY_KEYWORD[keyword].examples[0] in told
    assert topic_text("NAMES")
    assert topic_text("knitting") is None


def test_help_on_a_phase_lists_its_orders_only() -> None:
    told = topic_text("second phase")
    assert told is not None
    assert "ATTACK" in told
    assert "MOVE" not in told
    before = {"GIVE", "ACCEPT", "REFUSE GIFTS", "RESIGN", "PRESS", "HOLD"}
    assert {h.keyword for h in in_phase(Phase.PREGAME)} == before
    assert "REFUSE EXECUTION" not in {h.keyword for h in in_phase(Phase.PREGAME)}


def test_the_printed_guide_is_what_the_catalogue_says() -> None:
    """`gm orders help --markdown > docs/orders.md` brings it up to date."""
    assert (ROOT / "docs" / "orders.md").read_text("utf-8") == markdown_text()


def test_the_caret_of_a_long_line_is_shown_with_what_is_around_it() -> None:
    text = "STACK PSKO: " + "Lenin, " * 30 + "Nobody, " + "Gai, " * 30
    start = text.index("Nobody")
    shown, marks = caret(Problem("unknown-piece", Family.NOT_UNDERSTOOD, span=(start, start + 6), text=text), width=60)
    assert shown[marks.index("^") : marks.rindex("^") + 1] == "Nobody"
    assert len(shown) <= 66
