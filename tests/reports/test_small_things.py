"""Small things that a reader of The Bell stumbled over."""

from __future__ import annotations

from msgspec import structs

from gm.adjudicator import outcome as o
from gm.notation import FLAGS
from gm.orders import kinds as m
from gm.orders.check.checker import check
from gm.position import Phase
from gm.reports.build import build_view
from gm.reports.render.text import columns, render_text
from gm.reports.view.model import BellView
from gm.reports.view.reasons import own_orders
from gm.wording import word_list
from tests.orders.samples import BOARD, position, read
from tests.reports.test_view import fallen, issue, names_of, outcome, piece


def sections(view: BellView) -> dict[str, str]:
    return {section.key: " ".join(item.text for item in section.items) for section in view.sections}


def test_a_death_in_battle_is_not_told_among_the_assassinations() -> None:
    shaken = o.RevolutionShaken(rules=("10.3",), leader=piece("Lenin"), owner="A", pm_lost=2, suspended=1)
    told = sections(build_view(BOARD, issue(outcome(fallen("Lenin"), shaken, phase=Phase.SECOND))))
    assert "lost to the Revolution" in told["attacks"] and "assassinations" not in told
    facts = {"player": "B", "number": 1, "owner": "A", "province": "PETR", "markers": 3, "dice": (6, 6), "total": 12}
    murder = o.AssassinationTried(rules=(), target=piece("Lenin"), success=True, **facts)
    told = sections(build_view(BOARD, issue(outcome(murder, shaken))))
    assert "lost to the Revolution" in told["assassinations"]


def test_receipt_and_bell_print_the_same_odds_beyond_the_table() -> None:
    stands = position("A PETR: RL3 Lenin, RU8 PETR\nB PETR: WL1 Kutepov", phase=Phase.SECOND)
    attacked = check(BOARD, stands, "A", read("ATTACK Kutepov IN PETR WITH Lenin, RU8 PETR").sheet)
    assert [p.data["odds"] for p in attacked if p.code == "odds"] == ["11-1"]


def test_a_table_breaks_no_name() -> None:
    lines = columns(["RL3 Tukhachevsky, RU8 PETR", "x"], (15, 3))
    assert any("Tukhachevsky" in line for line in lines) and any("RU8 PETR" in line for line in lines)


def test_nobody_buries_the_bell_under_lines_that_come_to_nothing() -> None:
    nonsense = [
        o.OrderResult("C", n, m.Unread(source=f"qz{n} wx"), o.Status.UNREAD, (o.Reason("not-understood", ()),))
        for n in range(1, 501)
    ]
    move = read("MOVE Lenin: PETR-PSKO").sheet.orders[0]
    failed = [o.OrderResult("B", n, move, o.Status.FAILED, (o.Reason("not-green", ()),)) for n in range(1, 501)]
    found = structs.replace(outcome(), results=(*nonsense, *failed))
    text = render_text(build_view(BOARD, issue(found)))
    assert "qz12 wx" in text and "qz13 wx" not in text and text.count("MOVE Lenin") <= 2 * 60
    assert "488 lines more of this sheet" in " ".join(text.split())
    assert "440 lines more of this sheet" in " ".join(text.split())
    own = own_orders(names_of(found), found, "C", ())
    assert len(own.orders) == 500, "the player's own copy has them all"


def test_what_is_carried_over_has_words_for_every_flag_of_the_notation() -> None:
    """The paper's page once said: Carried over: subversion-doubled."""
    assert word_list("bell/labels")["flags"].keys() == set(FLAGS)
