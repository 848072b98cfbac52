"""The cases cover the rules: each rule of the list is cited, each ruling is there, the page in the docs is theirs."""

from pathlib import Path

from typer.testing import CliRunner

from gm.board.load import standard_board
from gm.campaign.reads.rulings import rulings
from gm.cases.coverage import cited, coverage_page, read_wanted
from gm.cases.reader import read_cases, read_text
from gm.cli import app

TESTS = Path(__file__).parent
FOLDER = TESTS / "cases"
PAGE = TESTS.parent / "docs" / "adjudicator-cases.md"
BOARD = standard_board()
CASES = list(read_cases(BOARD, [FOLDER]))
WANTED = read_wanted([FOLDER])


def test_every_rule_of_the_list_is_cited_by_a_case() -> None:
    assert [rule for rule in WANTED.words if rule not in cited(CASES)] == []


def test_every_ruling_is_on_the_list() -> None:
    assert [f"J{n}" for n in range(1, 47) if f"J{n}" not in WANTED.words] == []
    published = [item.number for section in rulings() for item in section.items if item.number[0] == "S"]
    assert published == [f"S{n}" for n in range(1, 21)]
    assert [number for number in published if number not in WANTED.words] == []


def test_every_postal_change_is_on_the_list() -> None:
    changes = ["4.2", "5.0", "8.0", "10.0", "11.0", "12.0", "13.26", "13.5", "15.0"]
    assert [c for c in changes if f"17/{c}" not in WANTED.words] == []


def test_cases_of_our_own_cite_only_rules_of_the_list() -> None:
    """A number that is not on the list is a slip of the pen, or a rule that belongs on it."""
    own = cited(case for case in CASES if "published" not in case.path)
    assert sorted(set(own) - set(WANTED.words)) == []


def test_what_no_case_can_test_is_cited_by_none() -> None:
    assert [rule for rule in WANTED.untestable if rule in cited(CASES)] == []


def test_the_page_in_the_docs_is_up_to_date() -> None:
    """If not: gm cases --coverage tests/cases > docs/adjudicator-cases.md"""
    assert PAGE.read_text("utf-8") == coverage_page(CASES, WANTED)


def test_the_command_prints_the_page() -> None:
    result = CliRunner().invoke(app, ["cases", "--coverage", str(FOLDER)])
    assert result.exit_code == 0
    assert result.output == PAGE.read_text("utf-8")


def test_the_page_names_rules_that_no_case_cites(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("# list\n5.27  strangers\n5.28  points\n- 5.37  cities\n", "utf-8")
    text = "CASE x  A title\nRULES 5.27 5.27\nPLAYERS A\nPHASE 1 first\nPOSITION\nEXPECT\n  A  BOX:\nEND\n"
    page = coverage_page(list(read_text(BOARD, text, "f.case")), read_wanted([tmp_path]))
    assert "Not cited: 5.28." in page
    assert "| 5.27 | strangers | 1 | x |" in page
    assert "| 5.28 | points | 0 | **none** |" in page
    assert "- 5.37 cities" in page


def test_rules_stand_in_the_order_of_the_rulebook() -> None:
    table = coverage_page(CASES).partition("## The cases")[0]
    rules = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")]
    wanted = ["4.2", "5.0", "5.11", "5.28", "5.31", "10.0", "13.26", "13.31", "17/4.2", "17/13.5", "J2", "J11"]
    assert [rule for rule in rules if rule in wanted] == wanted
