"""The web server itself, on a port: half-open requests end, and only our own proxy is believed about addresses."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import uvicorn

from gm.campaign.services import Services
from gm.rehearsal.crew import free_port
from gm.web.guard.limits import Limiter
from gm.web.guard.slow import ImpatientProtocol
from gm.web.server import web_server
from tests.support import PATIENCE, wait_until


class Quick(ImpatientProtocol):
    head_seconds = 0.5


@contextmanager
def served(services: Services, **changes: object) -> Iterator[int]:
    port = free_port()
    changed = replace(services, settings=replace(services.settings, **changes))  # type: ignore[arg-type]
    server = uvicorn.Server(web_server(changed, "127.0.0.1", port, Quick, Limiter(factor=0.01)))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield port
    server.should_exit = True
    thread.join(10)


@pytest.mark.parametrize(
    "head", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET "]
)
def test_a_request_that_never_ends_is_ended(table: Services, head: bytes) -> None:
    with served(table) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(head)
        while line.recv(4096):  # until the server hangs up
            pass


def statuses(port: int, forwarded: list[str]) -> set[int]:
    found = set()
    for value in forwarded:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/campaigns")
        request.add_header("X-Forwarded-For", value)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                found.add(answer.status)
        except urllib.error.HTTPError as error:
            found.add(error.code)
    return found


@pytest.mark.parametrize(
    ("proxies", "addresses", "limited"),
    [
        ("127.0.0.1", [f"203.0.113.{n}" for n in range(8)], False),
        ("127.0.0.1", [f"203.0.113.{n}, 198.51.100.7" for n in range(8)], True),
        ("10.9.9.9", [f"203.0.113.{n}" for n in range(8)], True),
    ],
    ids=["our proxy names many callers", "a caller names many others before our proxy names him", "not our proxy"],
)
def test_only_our_proxys_last_word_is_believed(
    table: Services, proxies: str, addresses: list[str], limited: bool
) -> None:
    with served(table, behind_proxy=True, trusted_proxies=proxies) as port:
        assert (429 in statuses(port, addresses)) == limited
