"""Compose file, Dockerfile, Makefile and docs say the same as the program: names of commands, targets and settings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from gm import config
from gm.cli import COMMANDS, app
from gm.config import PREFIX, Settings

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
SETTINGS = {variable for variable, *_ in config.describe()}
PLACES = [*DOCS, ROOT / "docker-compose.yml", ROOT / "Dockerfile", ROOT / "Makefile", ROOT / ".env.example"]
# Variables that are for the tools around the program.
NOT_OURS = {"KOLOKOL_"}


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@cache
def compose() -> dict:
    return yaml.safe_load(read("docker-compose.yml"))


def code_of(path: Path) -> str:
    """What a reader would type: fenced blocks and `code` of a page, all of any other file."""
    text = path.read_text("utf-8")
    if path.suffix != ".md":
        return text
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    return "\n".join([*blocks, *spans])


# --- settings


@pytest.mark.parametrize("path", PLACES, ids=lambda p: p.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(rf"\b{PREFIX}[A-Z0-9_]*", path.read_text("utf-8"))) - NOT_OURS
    assert named <= SETTINGS, sorted(named - SETTINGS)


def test_settings_are_documented_in_one_place_and_it_is_up_to_date() -> None:
    assert read("docs/settings.md") == config.as_markdown(), "run: gm settings --markdown > docs/settings.md"
    assert read(".env.example") == config.as_env(), "run: gm settings --env > .env.example"


def test_the_example_is_the_defaults(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(re.sub(r"^#(KOLOKOL_)", r"\1", read(".env.example"), flags=re.MULTILINE))
    assert Settings.load({}, tmp_path / ".env") == Settings()


# --- commands and targets


@pytest.mark.parametrize("path", [*DOCS, ROOT / "Makefile"], ids=lambda p: p.name)
def test_every_command_that_is_named_exists(path: Path) -> None:
    before = r"/" if path.name == "Makefile" else r"(?:^|[\s/;|`])"
    named = set(re.findall(rf"{before}gm ([a-z]+)\b", code_of(path), re.MULTILINE))
    assert named <= {command.name for command in COMMANDS}, sorted(named)


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_option_that_is_named_exists(path: Path) -> None:
    """`gm demo --fresh` in a page means that `gm demo --help` tells of --fresh."""
    wrong = []
    for line in re.findall(r"(?:^|[\s/;|`])gm ([a-z]+[^\n;|#]*)", code_of(path), re.MULTILINE):
        words = line.split()
        path_of = [words[0]]
        if len(words) > 1 and re.fullmatch(r"[a-z][a-z-]+", words[1]) and is_group(words[0]):
            path_of.append(words[1])
        options = [found[0] for word in words if (found := re.match(r"--[a-z-]+", word))]
        if options:
            told = help_of(tuple(path_of))
            wrong += [f"gm {' '.join(path_of)} {option}" for option in options if option not in told]
    assert not wrong, wrong


@cache
def help_of(words: tuple[str, ...]) -> str:
    return CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output


def is_group(name: str) -> bool:
    return "COMMAND" in help_of((name,))


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_make_target_that_is_named_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^|[\s;&`])make ([a-z]+)\b", code_of(path), re.MULTILINE))
    assert named <= targets, sorted(named - targets)


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_link_between_pages_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    missing = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert not missing, missing


def test_readme_does_not_boast() -> None:
    """The figure in it is not above what is there."""
    claimed = re.search(r"over (\d+) \[plain-text cases\]", read("README.md"))
    assert claimed is not None
    cases = [
        line for path in (ROOT / "tests" / "cases").rglob("*.case") for line in path.read_text("utf-8").splitlines()
    ]
    assert sum(line.startswith("CASE") for line in cases) > int(claimed[1])


# --- docker


def test_compose_runs_commands_of_gm() -> None:
    names = {command.name for command in COMMANDS}
    services = {name: service for name, service in compose()["services"].items() if service.get("image") == "kolokol"}
    assert set(services) == {"migrate", "web", "worker"}
    for service in services.values():
        assert service["command"][0] in names
    assert compose()["services"]["worker"]["healthcheck"]["test"][:3] == ["CMD", "gm", "doctor"]


def test_compose_waits_for_the_database_and_its_schema() -> None:
    for name in ("web", "worker"):
        waits = compose()["services"][name]["depends_on"]
        assert waits["db"]["condition"] == "service_healthy"
        assert waits["migrate"]["condition"] == "service_completed_successfully"


def test_nothing_but_the_web_and_the_mail_catcher_listens_and_only_on_this_machine() -> None:
    ports = {name: service.get("ports", []) for name, service in compose()["services"].items()}
    assert {name for name, found in ports.items() if found} == {"web", "mail"}
    assert all(port.startswith("127.0.0.1:") for found in ports.values() for port in found)
    assert compose()["services"]["mail"]["profiles"] == ["try"]


def test_containers_have_no_rights_they_do_not_need() -> None:
    for name in ("web", "worker", "migrate"):
        service = compose()["services"][name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_compose_has_no_secret_of_its_own() -> None:
    """The secret key has no default, and the database's password opens nothing from outside."""
    environment = compose()["services"]["web"]["environment"]
    assert environment["KOLOKOL_SECRET_KEY"].startswith("${KOLOKOL_SECRET_KEY:?")
    assert "ports" not in compose()["services"]["db"]


def test_compose_is_valid_by_the_tool_itself(tmp_path: Path) -> None:
    """Where a compose tool is there; the other tests read the file where it is not."""
    tool = compose_tool()
    if tool is None:
        services = compose()["services"]
        known = set(compose()["volumes"])
        for service in services.values():
            assert "image" in service
            assert set(service.get("depends_on", {})) <= set(services)
            assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= known
        return
    shutil.copy(ROOT / "docker-compose.yml", tmp_path)
    (tmp_path / ".env").write_text(f"KOLOKOL_SECRET_KEY={'x' * 40}\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = [*tool, "--profile", "try", "config", "--services"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {"db", "migrate", "web", "worker", "mail"}


def compose_tool() -> list[str] | None:
    for tool in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(tool[0]) and subprocess.run([*tool, "version"], capture_output=True).returncode == 0:
            return tool
    return None


def test_the_image_runs_as_nobody_in_particular_and_is_watched() -> None:
    text = read("Dockerfile")
    assert re.search(r"^USER kolokol$", text, re.MULTILINE) and "HEALTHCHECK" in text and "/healthz" in text
    assert text.index("USER kolokol") < text.index("ENTRYPOINT")


def test_the_image_copies_what_is_there_and_the_context_holds_it() -> None:
    copied = re.findall(r"^COPY (?!--)(\S+) ", read("Dockerfile"), re.MULTILINE)
    allowed = {line[1:] for line in read(".dockerignore").splitlines() if line.startswith("!")}
    assert copied and set(copied) == allowed
    for name in copied:
        assert (ROOT / name).exists()


def test_the_program_runs_from_what_the_image_holds(tmp_path: Path) -> None:
    """Only gm/, templates/ and migrations/ side by side: a database is made, and the doctor finds it well."""
    for name in ("gm", "templates", "migrations"):
        shutil.copytree(ROOT / name, tmp_path / "app" / name, ignore=shutil.ignore_patterns("__pycache__"))
    home = tmp_path / "home"
    home.mkdir()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path / "app"), "PYTHONDONTWRITEBYTECODE": "1"}

    def gm(*words: str) -> str:
        command = [sys.executable, "-P", "-m", "gm", *words]
        done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "schema none ->" in gm("migrate")
    assert "ok    schema" in gm("doctor", "--only", "database", "--only", "fonts")
    assert str(tmp_path / "app") in gm_file(environment, home)


def gm_file(environment: dict[str, str], home: Path) -> str:
    command = [sys.executable, "-P", "-c", "import gm; print(gm.__file__)"]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True).stdout


def test_no_file_holds_the_marks_of_a_merge_that_was_not_finished() -> None:
    found = subprocess.run(
        ["git", "grep", "-nIE", "^(<{7}|>{7}) ", "--", "."], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.stdout == "", found.stdout


def test_the_tests_that_the_page_on_security_names_are_there() -> None:
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = set(re.findall(r"tests/[\w/.-]+", page))
    assert len(named) > 10 and not [name for name in named if not list(ROOT.glob(f"{name}*"))]
