"""The web server itself, on a port: half-open requests end, connections have their number, and only our own proxy is
believed about addresses."""

from __future__ import annotations

import resource
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import uvicorn

from gm.campaign.services import Services
from gm.rehearsal.crew import free_port
from gm.web.guard import crowd, security
from gm.web.guard.limits import Limiter
from gm.web.guard.slow import ImpatientProtocol
from gm.web.server import web_server
from tests.support import PATIENCE, wait_until


class Quick(ImpatientProtocol):
    head_seconds = 0.5
    reader_seconds = 0.5


@contextmanager
def served(services: Services, protocol: type[ImpatientProtocol] = Quick, **changes: object) -> Iterator[int]:
    port = free_port()
    changed = replace(services, settings=replace(services.settings, **changes))  # type: ignore[arg-type]
    server = uvicorn.Server(web_server(changed, "127.0.0.1", port, protocol, Limiter(factor=0.01)))
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


# --- how many, how slow


def closed(line: socket.socket) -> bool:
    """Whether the server hung up."""
    line.settimeout(0.3)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def alive(port: int, source: str = "127.0.0.2") -> bool:
    with socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0)) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return line.recv(15).startswith(b"HTTP/1.1 200")


class Patient(ImpatientProtocol):
    head_seconds = 60


@contextmanager
def crowded(services: Services, number: int, **changes: object) -> Iterator[tuple[int, list[socket.socket]]]:
    with served(services, Patient, **changes) as port:
        lines = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(number)]
        yield port, lines
        for line in lines:
            line.close()


def test_one_address_holds_so_many_connections_the_newest_and_lets_others_in(
    table: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "MOST_OF_ONE", 5)
    with crowded(table, 9) as (port, lines):
        assert [closed(line) for line in lines] == [True] * 4 + [False] * 5
        assert alive(port) and alive(port, "127.0.0.1")


class Caller:
    """A connection that is only counted."""

    def __init__(self, is_busy: bool = False) -> None:
        self.is_busy, self.is_gone = is_busy, False

    def dismiss(self) -> None:
        self.is_gone = True


def held(inside: crowd.Crowd, host: str, number: int, is_busy: bool = False) -> list[Caller]:
    callers = [Caller(is_busy) for _ in range(number)]
    assert all(inside.enter(host, caller) for caller in callers)
    return callers


@pytest.mark.parametrize(
    ("many", "neighbour", "stranger"),
    [("198.51.100.{}", "198.51.100.200", "203.0.113.1"), ("2001:db8:7:{}::1", "2001:db8:7:200::1", "2001:db8:8::1")],
)
@pytest.mark.parametrize("is_busy", [False, True])
def test_twenty_addresses_of_a_neighbourhood_keep_nobody_out(
    table: Services, many: str, neighbour: str, stranger: str, is_busy: bool
) -> None:
    """They held all thousand places, and a stranger got none."""
    inside = crowd.Crowd(table.settings, 65_536)
    crowding = [held(inside, many.format(n), crowd.MOST_OF_ONE, is_busy) for n in range(20)]
    honest = [*held(inside, neighbour, 6), *held(inside, stranger, 6)]
    for n in range(20):
        crowding.append(held(inside, many.format(n), 2 * crowd.MOST_OF_ONE, is_busy))
    assert not any(caller.is_gone for caller in honest)
    assert sum(not caller.is_gone for callers in crowding for caller in callers) == crowd.MOST - len(honest)


def test_of_whoever_makes_room_a_request_that_is_answered_goes_last(table: Services) -> None:
    inside = crowd.Crowd(table.settings, 65_536)
    busy, idle = held(inside, "198.51.100.1", 20, is_busy=True), held(inside, "198.51.100.1", 40)
    held(inside, "198.51.100.1", 40)
    assert not any(caller.is_gone for caller in busy) and all(caller.is_gone for caller in idle)


def test_our_proxy_is_never_cut_for_others_and_others_are_for_it(table: Services) -> None:
    settings = replace(table.settings, behind_proxy=True, trusted_proxies="10.0.0.1")
    inside = crowd.Crowd(settings, 65_536)
    strangers = [caller for n in range(10) for caller in held(inside, f"198.51.100.{n}", 50)]
    proxied = held(inside, "10.0.0.1", crowd.MOST)
    assert all(caller.is_gone for caller in strangers)
    assert not any(inside.enter(host, Caller()) for host in ("198.51.100.1", "10.0.0.1"))
    assert not any(caller.is_gone for caller in proxied)
    for caller in proxied:
        inside.leave(caller)
    assert inside.enter("198.51.100.1", Caller())


def test_there_is_an_end_to_connections_whoever_opens_them(table: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MOST", 5)
    with crowded(table, 7, behind_proxy=True) as (_, lines):
        assert [closed(line) for line in lines] == [False] * 5 + [True] * 2


@pytest.mark.parametrize("proxies", ["127.0.0.1", "10.0.0.0/8, 127.0.0.0/8", "*"])
def test_our_own_proxy_is_many_callers(table: Services, monkeypatch: pytest.MonkeyPatch, proxies: str) -> None:
    monkeypatch.setattr(crowd, "MOST_OF_ONE", 5)
    with crowded(table, 9, behind_proxy=True, trusted_proxies=proxies) as (_, lines):
        assert not any(closed(line) for line in lines)


def test_connections_leave_files_for_everything_else(table: Services) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 900), hard))
        config = web_server(table, "127.0.0.1", free_port())
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert files == min(hard, crowd.MOST_FILES) > config.crowd.most
        assert crowd.Crowd(table.settings, 1024).most <= 824
        assert config.backlog < 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


POST = b"POST /in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n"


def test_a_body_comes_at_a_least_rate_or_not_at_all(table: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.6)
    with served(table) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(POST % 19_000)
        begun, line_closed = time.monotonic(), False
        while not line_closed and time.monotonic() - begun < 20:
            try:
                line.sendall(b"a")  # now and then a byte, also after the answer
                time.sleep(0.1)
            except OSError:
                line_closed = True
        assert line_closed
        assert line.recv(12) == b"HTTP/1.1 408"


def test_a_slow_line_that_goes_on_is_waited_for(table: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 3.0)
    with served(table) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(POST % 20_000)
        for _ in range(10):
            line.sendall(b"a" * 2_000)
            time.sleep(0.4)  # longer in all than a body has that does not move
        assert line.recv(12) == b"HTTP/1.1 403"


def test_an_answer_that_nobody_reads_is_not_kept(table: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[crowd.Visitor] = []
    monkeypatch.setattr(crowd.Crowd, "leave", lambda self, visitor: left.append(visitor))
    with served(table) as port, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.settimeout(PATIENCE)
        line.connect(("127.0.0.1", port))
        line.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 400)  # more than any kernel holds
        wait_until(lambda: bool(left))
