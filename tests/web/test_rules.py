"""Every rule that is cited anywhere leads to a paragraph in our own words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gm.board.load import standard_board
from gm.campaign.reads.rulings import rules, ruling
from gm.campaign.services import Services
from gm.orders.kinds.catalogue import CATALOGUE
from gm.orders.rules.reasons import REASONS
from tests.web.table import OPEN, Browser, play

Make = Callable[[], Browser]

ROOT = Path(__file__).parents[2]
RULE = re.compile(r"(?:17/)?\d{1,2}\.\d{1,2}|[JSH]\d{1,2}")


def written_in(folder: str) -> Iterator[str]:
    """Rule numbers that stand as strings in the code that cites them."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE.fullmatch(node.value):
                yield node.value


def cited() -> set[str]:
    found = {rule for codes in REASONS.values() for rule in codes}
    found |= {rule for about in CATALOGUE for rule in (*about.rules, *about.done_by, *about.not_now)}
    found |= {*written_in("gm/adjudicator"), *written_in("gm/orders")}
    listed = (ROOT / "tests/cases/rules.txt").read_text("utf-8")
    return found | {line.split()[0] for line in listed.splitlines() if RULE.match(line)}


def test_no_rule_that_is_cited_is_without_its_paragraph() -> None:
    assert len(cited()) > 250
    assert sorted(rule for rule in cited() if ruling(rule) is None) == []


def test_every_paragraph_says_something_once() -> None:
    items = [r for section in rules() for r in section.items]
    assert len({r.number for r in items}) == len(items)
    assert [r.number for r in items if len(r.text) < 20 or not r.text.endswith((".", "!"))] == []


@pytest.mark.parametrize("path", [f"/c/{OPEN}/bells/3", "/orders-help", "/rules", "/rulings"])
def test_a_cited_number_leads_to_its_paragraph(browser: Make, table: Services, path: str) -> None:
    if path.startswith("/c/"):
        play(table, "first")
    anybody = browser()
    pages = {name: anybody.get(f"/{name}").text for name in ("rules", "rulings")}
    led = re.findall(r'href="/(rules|rulings)#([^"]+)"', anybody.get(path).text)
    assert led, path
    assert [(page, number) for page, number in led if f'id="{number}"' not in pages[page]] == []


def test_every_code_of_the_board_is_explained_on_one_page_that_the_helps_lead_to(
    browser: Callable[[], Browser],
) -> None:
    page, board = browser().get("/codes").text, standard_board()
    for province in board.provinces.values():
        assert f"<code>{province.code}</code></th><td>{province.name}</td>" in page, province.code
    for nation in board.nations.values():
        assert (
            f"<code>{nation.code}</code></th><td>{nation.name}</td><td>{nation.color.value.capitalize()}</td>" in page
        )
    for piece in board.pieces.values():
        assert f'class="num">{piece.code}</th><td>{piece.bell}</td>' in page, piece.bell
    for path in ("/how-to-play", "/orders-help", f"/c/{OPEN}/map"):
        assert 'href="/codes"' in browser().get(path).text, path
