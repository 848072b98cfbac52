"""The house keeps its shape: imports point one way, the core is pure, rooms stay small.

The layers are those of docs/adr/0002-one-way-imports.md. A new room in gm/ must be given a place here.
"""

import ast
import graphlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.support import examples

ROOT = Path(__file__).resolve().parent.parent

# From the ground up. A room may import from the lines above its own, never from its own line or below.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "gamedate", "processes", "wording"}),
    frozenset({"board"}),
    frozenset({"position"}),
    frozenset({"notation"}),
    frozenset({"orders"}),
    frozenset({"adjudicator"}),
    frozenset({"standin"}),
    frozenset({"reports"}),
    frozenset({"cases", "whatif"}),
    frozenset({"config"}),
    frozenset({"logs"}),
    frozenset({"store"}),
    frozenset({"campaign"}),
    frozenset({"mail", "web"}),
    frozenset({"rendering"}),
    frozenset({"bootstrap"}),
    frozenset({"worker"}),
    frozenset({"backup", "doctor"}),
    frozenset({"rehearsal"}),
    frozenset({"laboratory"}),
    frozenset({"commands"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
HEIGHT = {room: height for height, layer in enumerate(LAYERS) for room in layer}

CORE = frozenset({"board", "position", "notation", "orders", "adjudicator", "reports", "standin"})

# The core takes values and returns values: it reaches for nothing outside itself.
OUTSIDE_WORLD = {
    "a database": ("sqlalchemy", "alembic", "psycopg", "psycopg_pool", "procrastinate", "sqlite3"),
    "the web": (
        "fastapi",
        "starlette",
        "uvicorn",
        "http",
        "httpx",
        "requests",
        "urllib.request",
        "itsdangerous",
    ),
    "mail": (
        "email",
        "smtplib",
        "imaplib",
        "mailbox",
        "aiosmtplib",
        "aiosmtpd",
        "imap_tools",
        "dkim",
        "authres",
    ),
    "the network or other processes": (
        "socket",
        "ssl",
        "asyncio",
        "threading",
        "multiprocessing",
        "subprocess",
    ),
    "a clock": ("time", "sched", "zoneinfo"),
    "a log or a terminal": (
        "logging",
        "structlog",
        "warnings",
        "rich",
        "typer",
        "click",
        "prometheus_client",
    ),
    "global chance": ("random", "secrets", "uuid"),
    "imports by name": ("importlib.import_module", "runpy"),
}
# A generator that is handed its seed is a value like any other.
HARMLESS = frozenset({"random.Random"})

IMPURE_CALLS = {
    "now": "a clock",
    "utcnow": "a clock",
    "today": "a clock",
    "urandom": "global chance",
    "getenv": "the environment",
}
IMPURE_BUILTINS = {
    "print": "a terminal",
    "input": "a terminal",
    "exec": "code as text",
    "eval": "code as text",
}

MODULE_LIMIT = 400
LEVEL_LIMIT = 12  # modules in one folder, besides its __init__
FUNCTION_LIMIT = 60


IMPORT_ALONE = """
import gc, importlib, os, sys, traceback
for name in sys.argv[1].split(","):
    for part in (name, name.rpartition(".")[0]):  # a module, or something in one
        try:
            importlib.import_module(part)
            break
        except (ImportError, ValueError):
            pass
assert not any(name.partition(".")[0] == "gm" for name in sys.modules)
gc.freeze()
wrong = 0
for name in sys.argv[2:]:
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(name)
        except BaseException:
            print(name)
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    wrong += os.waitpid(child, 0)[1] != 0
sys.exit(wrong != 0)
"""


@dataclass(frozen=True)
class Module:
    """One source file of gm/, parsed."""

    name: str
    is_package: bool
    lines: int
    tree: ast.Module

    @property
    def room(self) -> str:
        """The part of the house it is in: `gm.orders.check` is in `orders`."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else ""


def parse(name: str, source: str, is_package: bool = False) -> Module:
    return Module(name, is_package, source.count("\n"), ast.parse(source, filename=name))


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted((ROOT / "gm").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found.append(parse(name, path.read_text(encoding="utf-8"), is_package))
    return tuple(found)


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Every (line, dotted name) it imports, at the top, in a function, or for types only."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.name.split(".")
                kept = len(parts) - node.level + module.is_package
                base = ".".join([*parts[:kept], *([base] if base else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def is_or_is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def wrong_way_imports(module: Module) -> list[str]:
    wrong = []
    for line, name in imports(module):
        parts = name.split(".")
        if parts[0] != "gm" or len(parts) < 2 or parts[1] == module.room or parts[1] not in HEIGHT:
            continue
        if module.room not in HEIGHT or HEIGHT[parts[1]] >= HEIGHT[module.room]:
            wrong.append(f"{module.name}:{line} imports {name}, which is not below {module.room or 'gm'}")
    return wrong


def reaches_outside(module: Module) -> list[str]:
    found = []
    for line, name in imports(module):
        for what, packages in OUTSIDE_WORLD.items():
            if name not in HARMLESS and any(is_or_is_in(name, package) for package in packages):
                found.append(f"{module.name}:{line} reaches for {what} ({name})")
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            what = called_outside(node.func)
            if what:
                found.append(f"{module.name}:{node.lineno} calls for {what} ({ast.unparse(node.func)})")
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "os.environ":
            found.append(f"{module.name}:{node.lineno} reads the environment")
    return found


def called_outside(function: ast.expr) -> str | None:
    if isinstance(function, ast.Attribute):
        return IMPURE_CALLS.get(function.attr)
    if isinstance(function, ast.Name):
        return IMPURE_BUILTINS.get(function.id)
    return None


def too_long(module: Module) -> list[str]:
    found = []
    if module.lines >= MODULE_LIMIT:
        found.append(f"{module.name} has {module.lines} lines")
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length >= FUNCTION_LIMIT:
                found.append(f"{module.name}:{node.lineno} {node.name} has {length} lines")
    return found


def core() -> tuple[Module, ...]:
    return tuple(module for module in modules() if module.room in CORE)


def report(problems: list[str]) -> str:
    return "\n  ".join(["", *problems])


def test_every_room_of_the_house_has_its_layer() -> None:
    rooms = {module.room for module in modules()} - {"", "__main__"}
    assert rooms <= set(HEIGHT), f"give these a place in LAYERS: {sorted(rooms - set(HEIGHT))}"


def test_imports_point_one_way() -> None:
    problems = [problem for module in modules() for problem in wrong_way_imports(module)]
    assert not problems, report(problems)


def test_no_ring_of_modules_imports_itself() -> None:
    """Importing gm.a.b runs gm/a/__init__.py first, so that counts as an import too: then any module may come first."""
    known = {module.name for module in modules()}
    graph: dict[str, set[str]] = {}
    for module in modules():
        wanted = {name if name in known else name.rpartition(".")[0] for _, name in imports(module)}
        around = {package for name in wanted for package in packages_around(name)}
        graph[module.name] = ((wanted | around) & known) - {module.name} - packages_around(module.name)
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names the ring


def packages_around(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts))}


def test_the_rooms_inside_each_package_import_one_way_too() -> None:
    """`gm.orders.rules` may use `gm.orders.kinds` or the other way round, never both; so at every level."""
    known = {module.name: module for module in modules()}
    for package in (module.name for module in modules() if module.is_package and module.name != "gm"):
        graph: dict[str, set[str]] = {}
        for module in modules():
            if not module.name.startswith(package + "."):
                continue
            own = child(module.name, package)
            wanted = {name if name in known else name.rpartition(".")[0] for _, name in imports(module)}
            below = {child(name, package) for name in wanted if name.startswith(package + ".")}
            graph.setdefault(own, set()).update(below - {own})
        graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names the ring


def child(name: str, package: str) -> str:
    return name.removeprefix(package + ".").split(".")[0]


def test_campaign_mail_and_web_leave_queries_to_the_repositories() -> None:
    """They add and change rows; what is asked of the database stands in gm/store/repositories."""
    asking = {"select", "update", "delete", "insert", "text"}
    problems = [
        f"{module.name}:{line} imports {name}"
        for module in modules()
        if module.room in {"campaign", "mail", "web"}
        for line, name in imports(module)
        if name.startswith("sqlalchemy.") and name.rpartition(".")[2] in asking
    ]
    for module in modules():
        if module.room in {"campaign", "mail", "web"}:
            problems += [
                f"{module.name}:{node.lineno} asks with {ast.unparse(node.func)}"
                for node in ast.walk(module.tree)
                if isinstance(node, ast.Call)
                and re.search(r"\bsession\.(get|get_one|execute|scalars?|query)$", ast.unparse(node.func))
            ]
    assert not problems, report(problems)


def test_a_session_that_only_reads_is_given_nothing_that_writes() -> None:
    """On it a mail or an alarm would be lost without a word: a CampaignView has neither."""
    wrong = [
        f"{module.name}:{call.lineno}"
        for module in modules()
        for block in ast.walk(module.tree)
        if isinstance(block, ast.With)
        and any(ast.unparse(item.context_expr).endswith("store.read()") for item in block.items)
        for call in ast.walk(block)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Transaction"
    ]
    assert not wrong, report(wrong)


def test_no_package_level_is_crowded() -> None:
    counts = Counter(module.name.rpartition(".")[0] for module in modules() if not module.is_package)
    by_rule = {"gm.adjudicator.steps", "gm.adjudicator.solitaire"}  # a module a section of the rules
    crowded = {package: n for package, n in counts.items() if n > LEVEL_LIMIT and package not in by_rule}
    assert not crowded, crowded


def test_every_module_can_be_imported_first() -> None:
    """In a fresh interpreter each: forked from one that has imported other people's libraries, to save their start."""
    names = [module.name for module in modules() if module.name != "gm.__main__"]
    names = names[:: len(names) // examples(len(names), here=20)]
    libraries = {name for module in modules() for _, name in imports(module) if name.split(".")[0] not in ("gm", "")}
    command = [sys.executable, "-c", IMPORT_ALONE, ",".join(sorted(libraries)), *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_core_knows_no_outside_world() -> None:
    problems = [problem for module in core() for problem in reaches_outside(module)]
    assert not problems, report(problems)


def test_core_modules_and_functions_stay_small() -> None:
    problems = [problem for module in core() for problem in too_long(module)]
    assert not problems, report(problems)


def test_the_core_is_really_read() -> None:
    assert core(), "no core module was found: the other tests of this file would prove nothing"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("gm.board.map", "from gm.orders import model"),
        ("gm.orders.check", "import gm.campaign.phase.intake"),
        ("gm.orders.check", "from ..adjudicator.outcome import Outcome"),
        ("gm.standin.choose", "from gm.reports import build"),
        ("gm.store.tables", "def late():\n    from gm.web import app"),
        ("gm.web.app", "from gm import mail"),
    ],
)
def test_an_import_the_wrong_way_is_seen(name: str, source: str) -> None:
    assert len(wrong_way_imports(parse(name, source))) == 1


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("gm.orders.check", "from gm.board import Board\nfrom .model import Order"),
        ("gm.reports.render.html", "from gm.adjudicator.outcome import Outcome"),
        ("gm.cli", "from gm import web, mail, worker"),
    ],
)
def test_an_import_the_right_way_is_allowed(name: str, source: str) -> None:
    assert wrong_way_imports(parse(name, source)) == []


@pytest.mark.parametrize(
    "source",
    [
        "import sqlalchemy.orm",
        "from fastapi import FastAPI",
        "import aiosmtplib",
        "import logging",
        "from time import monotonic",
        "import random",
        "from random import choice",
        "def f(datetime):\n    return datetime.now()",
        "import os\nkey = os.environ['KEY']",
        "print('hello')",
    ],
)
def test_a_reach_outside_the_core_is_seen(source: str) -> None:
    assert len(reaches_outside(parse("gm.adjudicator.steps.combat", source))) == 1


def test_a_seeded_generator_is_no_reach_outside() -> None:
    assert reaches_outside(parse("gm.standin.choose", "from random import Random")) == []


def test_a_long_function_and_a_long_module_are_seen() -> None:
    source = "def long():\n" + "    pass\n" * (MODULE_LIMIT - 1)
    assert len(too_long(parse("gm.orders.check", source))) == 2


def test_migrations_are_one_chain() -> None:
    """Two changes that land side by side with the same number would leave every installation without a way up."""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "migrations" / "versions").glob("*.py"))]
    revisions = [re.findall(r'^(?:down_)?revision = (?:"(\w+)"|None)', text, re.MULTILINE) for text in texts]
    assert [older for _, older in revisions[1:]] == [own for own, _ in revisions[:-1]]


def test_no_test_hangs_on_the_deal() -> None:
    """An installation in a test has the same dice in every run: `installed` of tests/campaign_fixtures.py makes it.
    Only processes that are killed draw their own, and what is tested with them holds for any dice."""
    makers = {
        path.name for path in ROOT.glob("tests/**/*.py") if re.search(r"^from gm\.bootstrap", path.read_text(), re.M)
    }
    assert makers == {"campaign_fixtures.py", "fault_worker.py"}
