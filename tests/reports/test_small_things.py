"""Small things that a reader of The Bell stumbled over."""

from __future__ import annotations

from gm.adjudicator import outcome as o
from gm.orders.check.checker import check
from gm.position import Phase
from gm.reports.build import build_view
from gm.reports.render.text import columns
from gm.reports.view.model import BellView
from tests.orders.samples import BOARD, position, read
from tests.reports.test_view import fallen, issue, outcome, piece


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
