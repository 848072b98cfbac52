"""No function, method or class is left that nobody calls."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent.parent
# Called by frameworks by the shape of their name.
BY_NAME = re.compile(
    r"handle_[A-Z]+|smtp_[A-Z]+|process_\w+|collect|factory|format_help|get_command|visit_\w+|do_\w+|preprocess|_|__call__"
)
UNUSED = ("function", "method", "class", "property")


def decorated(item: object) -> bool:
    """A decorator hands it to somebody: a route, a command, a task, a way to print an order."""
    path, line = item.filename, item.first_lineno  # type: ignore[attr-defined]
    tree = ast.parse(Path(path).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.decorator_list:
            plain = {"property", "staticmethod", "classmethod", "cache", "contextmanager"}
            first = min(d.lineno for d in node.decorator_list)
            names = {ast.unparse(d).split("(")[0] for d in node.decorator_list}
            if first <= line <= node.lineno and not names <= plain:
                return True
    return False


def elsewhere() -> str:
    """Where code is called by its name as text: templates, the grammar, the table of commands."""
    files = [p for p in (ROOT / "templates").rglob("*") if p.is_file()]
    files += [*(ROOT / "gm").rglob("*.lark"), ROOT / "gm" / "cli.py"]
    return "\n".join(p.read_text("utf-8", errors="replace") for p in files)


def unused() -> list[str]:
    finder = Vulture()
    finder.scavenge([str(ROOT / name) for name in ("gm", "migrations", "tests", "bench")])
    named = elsewhere()
    found = []
    for item in finder.get_unused_code(min_confidence=60):
        if ROOT / "gm" not in Path(item.filename).parents or item.typ not in UNUSED:
            continue
        if BY_NAME.fullmatch(item.name) or re.search(rf"\b{re.escape(item.name)}\b", named):
            continue
        if not decorated(item):
            found.append(f"{Path(item.filename).relative_to(ROOT)}:{item.first_lineno} {item.typ} {item.name}")
    return found


def test_nothing_is_left_that_nobody_calls() -> None:
    assert unused() == []
