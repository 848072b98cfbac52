"""What a page says stands in templates/, not in Python, but for the line and hint of an error beside its code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "gm" / "web"
FOR_PROGRAMS = {WEB / "api" / "__init__.py", WEB / "routes" / "health.py"}  # descriptions of the API and of the metrics
ERRORS = {"NotFound", "NotNow", "NotAllowed", "Invalid", "Conflict", "GmError", "UserError", "Unauthorised"}
ALLOWED = ERRORS | {"ValueError", "RuntimeError", "Field", "Query", "Path", "FastAPI", "info", "warning", "error"}
WORDS = re.compile(r"[A-Za-z]{2,}")
NO_PROSE = re.compile(r"[<>|;=\n]|img-src")
SENTENCE = 4  # words of two letters or more


def sentences(tree: ast.AST) -> list[tuple[int, str]]:
    """Strings of several words that are no docstring and no argument of what may have them."""
    found: list[tuple[int, str]] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ALLOWED:
                return
        text = node.value if isinstance(node, ast.Constant) else ""
        if isinstance(text, str) and len(WORDS.findall(text)) >= SENTENCE and " " in text and not NO_PROSE.search(text):
            found.append((node.lineno, text))  # type: ignore[attr-defined]
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def test_no_sentence_of_a_page_stands_in_python() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} {text!r}"
        for path in sorted(WEB.rglob("*.py"))
        if path not in FOR_PROGRAMS
        for line, text in sentences(ast.parse(path.read_text("utf-8")))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_sentence_in_python_is_seen() -> None:
    assert sentences(ast.parse('send("The deadline is in two days.")'))
    assert sentences(ast.parse('text = f"{who} has been told of it all"'))
    assert not sentences(ast.parse('raise Invalid("code", "there is nothing in it", "write something")'))
