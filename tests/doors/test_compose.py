"""Each service of docker-compose.yml, run as a process with its own command and environment."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import yaml

from tests.doors.documents import ROOT, read
from tests.doors.house import BIN, House, Player, Post, text_of
from tests.support import PATIENCE, wait_until

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
OURS = [name for name, service in COMPOSE.items() if service.get("image") == "kolokol"]
_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def filled_in(value: object, dotenv: dict[str, str]) -> str:
    """`${NAME:-default}` and `${NAME:?why}`, as compose reads them from .env."""

    def fill(found: re.Match[str]) -> str:
        name, sign, rest = found.groups()
        if dotenv.get(name):
            return dotenv[name]
        assert sign != "?", f"{name}: {rest}"
        return rest or ""

    return _VARIABLE.sub(fill, str(value))


class Stack:
    """`docker compose up` without Docker: host names and ports become those of this machine, nothing else changes."""

    def __init__(self, house: House, database: str, smtp: int) -> None:
        self.house = house
        self._database = database
        self._smtp = smtp

    def environment(self, name: str) -> dict[str, str]:
        lines = (self.house.folder / ".env").read_text().splitlines()
        dotenv = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        image = dict(re.findall(r"^\s+(KOLOKOL_\w+)=(\S+)", DOCKERFILE, re.MULTILINE))
        given = {key: filled_in(value, dotenv) for key, value in COMPOSE[name].get("environment", {}).items()}
        found = image | dotenv | given
        assert "@db:5432/kolokol" in found["KOLOKOL_DATABASE_URL"]
        assert (found["KOLOKOL_SMTP_HOST"], found["KOLOKOL_SMTP_PORT"]) == ("mail", "1025")
        assert found["KOLOKOL_LISTEN"] == "0.0.0.0:8000"
        return found | {
            "KOLOKOL_DATABASE_URL": self._database,
            "KOLOKOL_SMTP_HOST": "127.0.0.1",
            "KOLOKOL_SMTP_PORT": str(self._smtp),
            "KOLOKOL_LISTEN": f"127.0.0.1:{self.house.port}",
        }

    def up(self, name: str) -> subprocess.Popen[bytes]:
        return self.house.start(*COMPOSE[name]["command"], **self.environment(name))

    def run(self, name: str, *command: str) -> None:
        """`docker compose exec`, and what a healthcheck does."""
        done = subprocess.run(
            command,
            cwd=self.house.folder,
            env=os.environ | self.environment(name) | {"PATH": f"{BIN}:{os.environ['PATH']}"},
            capture_output=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout.decode()}{done.stderr.decode()}\n{self.house.logs()}"


@pytest.fixture
def empty_database(postgres_server: str) -> Iterator[str]:
    """As the service `db` makes it: without a table."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS kolokol WITH (FORCE)")
        connection.execute("CREATE DATABASE kolokol")
    yield postgres_server.replace("/postgres?", "/kolokol?")
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP DATABASE kolokol WITH (FORCE)")


@pytest.mark.postgres
def test_every_service_comes_up_and_mail_reaches_the_players(house: House, post: Post, empty_database: str) -> None:
    """The lines of docs/operations.md: .env, `up`, `exec worker gm doctor`, `--scale worker=3`."""
    assert OURS == ["migrate", "web", "worker"]
    lines = read("docs/operations.md").commands
    docker = [line for line in lines if line.startswith("docker ")]
    assert docker == [
        "docker compose --profile try up",
        "docker compose up -d",
        "docker compose exec worker gm doctor",
        "docker compose up -d --scale worker=3",
    ]
    (house.folder / ".env.example").write_bytes((ROOT / ".env.example").read_bytes())
    for line in lines[: lines.index(docker[0])]:
        subprocess.run(["bash", "-euc", line], cwd=house.folder, check=True)
    env = house.folder / ".env"
    assert env.stat().st_mode & 0o777 == 0o600
    ours = "KOLOKOL_MAIL_FROM=gm@bell.test\nKOLOKOL_MAIL_DOMAIN=bell.test\nKOLOKOL_ORDERS_ADDRESS=orders@bell.test\n"
    env.write_text(env.read_text() + ours)  # "for real, with your mail server in .env"
    stack = Stack(house, empty_database, post.postfix.port)
    migrate = stack.up("migrate")
    assert migrate.wait(PATIENCE) == 0, house.logs()
    workers = [stack.up("web"), *(stack.up("worker") for _ in range(3))]
    house.wait_for_web()
    stack.run("worker", "gm", "doctor")
    check = COMPOSE["worker"]["healthcheck"]["test"]
    wait_until(lambda: "worker_started" in house.logs(), PATIENCE, house.logs)
    stack.run("worker", *check[1:])
    stack.run("web", *_healthcheck(house.port))
    assert all(process.poll() is None for process in workers)
    anna = Player("Anna", "anna@compose.test", post)
    seats = ["-p", f"Anna <{anna.address}>", "-p", "Boris <boris@compose.test>", "-p", "Clara <clara@compose.test>"]
    stack.run("worker", "gm", "campaign", "new", "Summer 1918", "--gm", "Gregor <gregor@compose.test>", *seats)
    assert "Summer 1918" in text_of(anna.waits_for("Summer 1918", PATIENCE, house.logs))


def _healthcheck(port: int) -> list[str]:
    """The image's own, at our port."""
    found = re.search(r"^HEALTHCHECK[^\[]*\\\n\s+CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert found is not None
    command: list[Any] = yaml.safe_load(found[1])
    return [str(word).replace(":8000", f":{port}") for word in command]
