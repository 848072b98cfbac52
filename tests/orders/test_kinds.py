"""What an order is called, when it may be given and how it is written stands in its class and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gm.orders
from gm.adjudicator.sequence import ALLOWED
from gm.mail.parse.line_kind import KEYWORDS as MAIL_KEYWORDS
from gm.orders import kinds
from gm.orders.check.checker import check
from gm.orders.kinds.catalogue import CATALOGUE, KINDS, STANDING, VERBS
from gm.orders.language.grammar import grammar
from gm.orders.language.lexer import KEYWORDS, TERMINALS, lex
from gm.orders.language.sheet import DIRECTIVES, starts_order
from gm.orders.standing import is_standing
from gm.position import Phase
from tests.orders.samples import BOARD, position, read

RULES = (Path(gm.orders.__file__).parent / "language" / "grammar.lark").read_text("utf-8")
WITHOUT_COMMENTS = re.sub(r"//.*", "", RULES)
USED = set(re.findall(r"\b_?[A-Z]{2,}\b", WITHOUT_COMMENTS))
# Not keywords: the prefix STANDING, names, numbers, signs and the condition that no Purge may have.
GENERAL = {"_STANDING", "NAME", "NUMBER", "CONDITION", "_COMMA", "_COLON", "_DASH", "_PLUS", "_LPAR", "_RPAR"}


def test_every_terminal_of_the_grammar_comes_from_a_class_and_every_word_of_a_class_is_used_in_it() -> None:
    verbs = {f"_{verb}" for verb in VERBS} - {"_HOLD", "_PRESS"}  # they have no grammar: their text is free
    of_classes = verbs | {terminal for kind in KINDS for terminal in kind.about.words.values()}
    assert of_classes | GENERAL == USED == set(TERMINALS)
    assert "%declare" not in RULES and "%declare" in grammar()


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_is_exported_and_its_examples_are_orders_of_its_own(kind: type[kinds.Order]) -> None:
    assert getattr(kinds, kind.__name__) is kind
    assert kind.about.phases and kind.about.examples and kind.about.what.endswith(".")
    for example in kind.about.examples:
        (order,) = read(example).sheet.orders
        assert type(order) is kind, example
        assert starts_order(example)


def test_mail_and_lexer_know_the_first_words_of_the_classes() -> None:
    assert {*VERBS, STANDING.verb, *(word.upper() for word in DIRECTIVES)} == MAIL_KEYWORDS
    assert {verb.upper() for verb in KEYWORDS} == set(VERBS) - {"HOLD", "PRESS"}
    for verb, words in KEYWORDS.items():
        assert lex(verb)[0].type == words[verb] == f"_{verb.upper()}"


def test_the_catalogue_is_the_classes_and_standing() -> None:
    assert (*(kind.about for kind in KINDS), STANDING) == CATALOGUE


@pytest.mark.parametrize("phase", kinds.ORDER_PHASES)
def test_receipt_and_adjudicator_agree_in_which_phase_an_order_belongs(phase: Phase) -> None:
    stands = position("A PETR: RL3 Lenin", turn=0 if phase is Phase.PREGAME else 1, phase=phase)
    for kind in KINDS:
        sheet = read(kind.about.examples[0]).sheet
        if is_standing(sheet.orders[0]):  # VOTE waits on file for its Phase
            continue
        codes = {problem.code for problem in check(BOARD, stands, "A", sheet)}
        assert (kind in ALLOWED[phase]) == (not codes & {"wrong-phase", "only-alone"}), kind


def test_gifts_may_be_refused_before_the_game_and_an_execution_only_in_both_phases() -> None:
    assert kinds.RefuseGifts.about.phases == (Phase.PREGAME, Phase.FIRST, Phase.SECOND)
    assert kinds.RefuseExecution.about.phases == (Phase.FIRST, Phase.SECOND)
