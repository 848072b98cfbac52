"""Every command line of README and the guides does what the page says, run as its reader would run it."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gm.cli import app
from gm.config import Settings, describe
from tests.doors.documents import PAGES, ROOT, read
from tests.doors.house import BIN, House, Post, clean_environment
from tests.support import PATIENCE, wait_until

# What is not run, and why.
NOT_RUN = {
    "make test": "it runs this very test",
    "git pull": "git's own; there is nothing of ours in it",
}
# Run smaller than a person would: tests/ops/test_rehearsal.py rehearses.
SMALLER = {"gm rehearse --campaigns 20 --turns 6 --kill": "gm rehearse --campaigns 20 --turns 6 --kill --help"}
# The places in the pages, and where they are in a test.
PLACES = {"/srv/kolokol": ".", "/somewhere/else/": "elsewhere/"}
GOES_ON = re.compile(r"^(?:\.venv/bin/|/srv/kolokol/\.venv/bin/)?gm (serve|worker)( --[a-z-]+)*$")
# What the reader of the page has done by then, without a command of its own in the page.
BEFORE: Mapping[str, tuple[str, ...]] = {
    "gm campaign show summer-1918": ("gm campaign open summer-1918 --force",),
    "gm campaign grant": (
        'python -c "from gm.bootstrap import bootstrap; from gm.campaign.manage import deadlines; '
        "deadlines.ask_extension(bootstrap(), 'summer-1918', 'B', 'a train')\"",
    ),
    "gm import --bell": (f"cp {ROOT}/tests/reports/golden/bell-4.txt bell.txt",),
    "gm submit": ("echo 'GIVE 1 PM TO C' > orders.txt",),
}


class Reader:
    """Types what stands in a page, in a folder of their own."""

    def __init__(self, house: House) -> None:
        self._house = house
        folder = house.folder
        (folder / ".venv").symlink_to(BIN.parent)
        shutil.copy(ROOT / ".env.example", folder)
        (folder / "elsewhere").mkdir()
        self.typed: list[str] = []

    def types(self, line: str) -> None:
        for start, before in BEFORE.items():
            if line.startswith(start):
                for command in before:
                    self._run(command)
        self.typed.append(line)
        if GOES_ON.match(line):
            self._starts(line)
        elif line not in NOT_RUN:
            self._run(SMALLER.get(line, line))

    def _run(self, line: str) -> None:
        for place, here in PLACES.items():
            line = line.replace(place, here)
        folder = ROOT if line.startswith("make ") else self._house.folder
        done = subprocess.run(
            ["bash", "-euc", line], cwd=folder, env=clean_environment(), capture_output=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout.decode()}\n{done.stderr.decode()}"

    def _starts(self, line: str) -> None:
        """It comes up, and goes when it is told to."""
        words = line.split()[1:]
        process = self._house.start(*words)
        if words[0] == "serve":
            self._house.wait_for_web()
        else:
            wait_until(lambda: "worker_started" in self._house.logs(), PATIENCE, self._house.logs)
        self._house.stop(process)
        assert process.returncode in (0, -signal.SIGTERM), self._house.logs()


@pytest.mark.parametrize("name", PAGES)
def test_every_line_in_a_block_is_known_for_what_it_is(name: str) -> None:
    """A new kind of line is either run by the tests below or must be told apart from those that are."""
    page = read(name)
    assert page.unknown == () and (page.commands or page.mentioned)


@pytest.mark.parametrize("name", PAGES)
def test_every_command_that_is_mentioned_exists_with_its_options(name: str) -> None:
    for line in read(name).mentioned:
        words = line.removeprefix(".venv/bin/").split()
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), line
        elif words[0] == "gm":
            found = CliRunner().invoke(app, [*words[1:], "--help"])
            assert found.exit_code == 0, f"{line}: {found.output}"


@pytest.mark.parametrize("name", PAGES)
def test_every_setting_in_a_page_is_one_and_is_accepted(name: str) -> None:
    known = {variable for variable, *_ in describe()}
    for block in read(name).settings:
        assert set(block) <= known
        Settings.load({n: v for n, v in block.items() if v != "..."}, dotenv=None)


def test_make_run_shows_a_table_to_sit_down_at(tmp_path: Path) -> None:
    """README: `make run`, on another port and in another folder than somebody's own demonstration."""
    assert "make run" in read("README.md").commands
    recipe = subprocess.run(
        ["make", "--no-print-directory", "-n", "run"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    command = recipe.strip().splitlines()[-1]
    assert command.endswith("gm demo")
    house = House(tmp_path)
    try:
        process = house.start("demo", "--listen", f"127.0.0.1:{house.port}")
        house.wait_for_web()
        assert house.get("/try")[0] == 200 and house.get("/mailbox")[0] == 200
        house.stop(process, signal.SIGINT)
    finally:
        house.close()


def test_the_gamesmasters_guide_from_the_first_line_to_the_last(house: House, post: Post) -> None:
    """Its settings for Postfix, then its commands in their order."""
    reader = Reader(house)
    house.write_env(post.by_lmtp() | {"ADMINS": "keeper@example.org"})
    for line in read("docs/gamesmaster-guide.md").commands:
        reader.types(line)
    assert (house.folder / "archive").is_dir()


def test_operations_from_the_first_line_to_the_last(house: House, post: Post) -> None:
    """Everything but Docker, which has a test of its own."""
    reader = Reader(house)
    page = read("docs/operations.md")
    for line in page.commands:
        if line.startswith("docker "):
            continue
        reader.types(line)
        if line == "chmod 600 .env":  # from here on with our ports, and the key that was just made
            secret = (house.folder / ".env").read_text().splitlines()[-1]
            house.write_env(post.by_lmtp() | {"SECRET_KEY": secret.partition("=")[2]})
    for line in (*page.by_cron, *page.by_systemd):
        reader.types(line)
    assert len(list((house.folder / "backups").iterdir())) == 1
