"""Who is let in to the listener when many want to be."""

from __future__ import annotations

import random
import smtplib
import threading
import time
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from gm.mail.transport import smtp_in, visitors
from gm.mail.transport.smtp_in import Listener
from gm.mail.transport.visitors import Visitors
from tests.mail.line import MAIL, SECRET, Line, Shelf, listener_for


class Caller:
    """A connection that says nothing."""

    def __init__(self, is_busy: bool = False) -> None:
        self.is_busy, self.dismissed = is_busy, False

    def dismiss(self) -> None:
        self.dismissed = True


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def inside(clock: Clock) -> Visitors:
    return Visitors(clock)


def crowd(inside: Visitors, number: int, host: str, is_busy: bool = False) -> list[Caller]:
    """All of them are let in; `host` may have a place for their number."""
    callers = [Caller(is_busy) for _ in range(number)]
    for each, caller in enumerate(callers):
        assert inside.enter(host.format(each), caller)
    return callers


def remaining(callers: list[Caller]) -> int:
    return sum(not caller.dismissed for caller in callers)


# --- whoever is most makes room


def test_of_one_neighbourhood_so_many_are_connected_and_the_longest_silent_makes_room(inside: Visitors) -> None:
    callers = crowd(inside, visitors.FEW_OF_ONE, "10.0.0.{}")
    newest = Caller()
    assert inside.enter("10.0.0.200", newest) and not newest.dismissed
    assert [caller.dismissed for caller in callers] == [True] + [False] * (visitors.FEW_OF_ONE - 1)


def test_of_one_neighbourhood_the_caller_with_most_connections_makes_room(inside: Visitors) -> None:
    honest = crowd(inside, 1, "10.0.0.99")
    many = crowd(inside, visitors.FEW_OF_ONE - 1, "10.0.0.1")
    crowd(inside, 30, "10.0.0.1")
    assert remaining(honest) == 1 and remaining(many) == 0


@pytest.mark.parametrize("host", ["2001:db8:7:{:x}::1", "192.0.2.{}"])
def test_a_site_or_a_block_of_addresses_is_one_neighbourhood(inside: Visitors, host: str) -> None:
    assert remaining(crowd(inside, 50, host)) == visitors.FEW_OF_ONE


def test_when_all_places_of_others_are_taken_the_neighbourhood_with_most_makes_room(inside: Visitors) -> None:
    few = crowd(inside, 1, "10.1.0.1")
    many = [crowd(inside, visitors.FEW_OF_ONE, f"10.2.{net}.1") for net in range(3)]
    assert inside.enter("10.3.0.1", Caller())
    assert remaining(few) == 1 and sum(map(remaining, many)) == visitors.MOST_OF_OTHERS - 2


def test_who_brings_a_players_mail_just_now_makes_no_room(inside: Visitors, clock: Clock) -> None:
    busy = crowd(inside, visitors.FEW_OF_ONE, "10.0.0.1", is_busy=True)
    assert not inside.enter("10.0.0.1", Caller()) and remaining(busy) == len(busy)
    clock.now += visitors.SPARED_SECONDS
    assert inside.enter("10.0.0.1", Caller()) and remaining(busy) == len(busy) - 1


# --- relays


def test_who_brought_a_players_mail_finds_a_place_whatever_others_do(inside: Visitors) -> None:
    relay = Caller()
    assert inside.enter("203.0.113.5", relay)
    inside.brought_mail(relay)
    for number in range(200):
        inside.enter(f"10.0.{number}.1", Caller(is_busy=True))
    mine = crowd(inside, visitors.MOST_OF_ONE - 1, "203.0.113.5")
    assert remaining([relay, *mine]) == visitors.MOST_OF_ONE


def test_relays_take_the_places_of_others_and_not_the_reverse(inside: Visitors) -> None:
    for net in range(3):
        relay = Caller()
        assert inside.enter(f"203.0.{net}.5", relay)
        inside.brought_mail(relay)
    others = crowd(inside, visitors.MOST_OF_OTHERS, "10.0.{}.1")
    relays = [crowd(inside, visitors.MOST_OF_ONE - 1, f"203.0.{net}.5") for net in range(2)]
    assert remaining(others) == visitors.MOST - 2 * visitors.MOST_OF_ONE - 1
    crowd(inside, 50, "10.1.{}.1")
    assert list(map(remaining, relays)) == [visitors.MOST_OF_ONE - 1] * 2


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_the_mail_server_of_this_machine_is_a_relay_from_the_start(inside: Visitors, host: str) -> None:
    """Else strangers' mail alone could make it believe that the service is down."""
    own = crowd(inside, visitors.MOST_OF_ONE, host)
    for _ in range(2 * visitors.CALLS_A_MINUTE):
        assert inside.enter(host, Caller())
    assert remaining(own) == 0


# --- how often


def test_whoever_calls_too_often_waits_and_takes_nothing_from_the_neighbours(inside: Visitors, clock: Clock) -> None:
    let_in = [inside.enter("10.0.0.1", Caller()) for _ in range(10 * visitors.CALLS_A_MINUTE)]
    assert let_in.count(True) == visitors.CALLS_A_MINUTE
    assert inside.enter("10.0.0.2", Caller())
    clock.now += 61
    assert inside.enter("10.0.0.1", Caller())


def test_a_whole_neighbourhood_calls_no_more_often_than_some_of_it(inside: Visitors) -> None:
    let_in = [inside.enter(f"10.0.0.{number % 250}", Caller()) for number in range(2000)]
    assert let_in.count(True) == visitors.NEIGHBOURS_CALLS


# --- over real connections


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def listener(shelf: Shelf) -> Iterator[Listener]:
    made = listener_for(shelf, accepted_a_minute=10**6)
    made.start()
    yield made
    made.stop()


def test_idle_connections_are_few_and_end(listener: Listener, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand of them used up the files of the process, and the log grew by two megabytes a second."""
    monkeypatch.setattr(visitors, "CALLS_A_MINUTE", 5)
    monkeypatch.setattr(smtp_in, "IDLE_SECONDS", 1.0)
    with capture_logs() as logged:
        opened = [Line(listener.port, "127.0.0.2") for _ in range(30)]
    assert [line.greeting[:3] for line in opened] == [b"220"] * 5 + [b"421"] * 25
    assert len(logged) == 1 and all(line.reply() == b"" for line in opened), "and those ended"
    with Line(listener.port) as line:
        assert line.begins(SECRET).sends(MAIL + b".\r\n").startswith(b"250")
    for line in opened:
        line.socket.close()


def test_a_connection_that_makes_room_is_told_so_and_who_brought_a_mail_stays(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "MOST_OF_OTHERS", 3)
    opened = [Line(listener.port, f"127.0.{net}.1") for net in range(2, 5)]
    with Line(listener.port, "127.0.9.1") as relay:
        assert opened[0].reply().startswith(b"421")
        assert relay.begins(SECRET).sends(MAIL + b".\r\n").startswith(b"250")
        late = [Line(listener.port, f"127.0.{net}.1") for net in range(5, 8)]
        assert [line.reply()[:3] for line in opened[1:]] == [b"421"] * 2
        assert relay.says("NOOP").startswith(b"250")
    for line in (*opened, *late):
        line.socket.close()


@pytest.mark.parametrize("attackers", ["127.0.0.{}", "127.0.{}.1"], ids=["neighbours", "five networks"])
def test_who_keeps_all_places_taken_shuts_out_nobody(listener: Listener, attackers: str) -> None:
    """Five addresses with twenty connections each, opened again before they could be closed for others: of ninety-six
    honest calls four were let in. The relay has brought a player's mail before, and the other server never."""
    with Line(listener.port, "127.0.77.1") as line:
        assert line.begins(SECRET).sends(MAIL + b".\r\n").startswith(b"250")
    ends = time.monotonic() + 8

    def occupy(host: str) -> None:
        while time.monotonic() < ends:
            try:
                with Line(listener.port, host) as line:
                    line.says("EHLO x")
                    line.says("MAIL FROM:<a@x.test>")
                    line.says("RCPT TO:<orders@bell.test>")
                    line.socket.settimeout(random.uniform(0.8, 1.2))
                    line.reply()
            except OSError:
                pass
            time.sleep(0.05)

    hosts = [attackers.format(number) for number in range(2, 7) for _ in range(20)]
    crowds = [threading.Thread(target=occupy, args=(host,)) for host in hosts]
    for each in crowds:
        each.start()
    time.sleep(1)
    let_in: dict[str, list[bool]] = {"127.0.77.1": [], "127.0.0.99": []}
    while time.monotonic() < ends - 1:
        for host, results in let_in.items():
            try:
                with smtplib.SMTP("127.0.0.1", listener.port, timeout=5, source_address=(host, 0)) as smtp:
                    smtp.sendmail("h@y.test", ["orders@bell.test"], MAIL)
                results.append(True)
            except (OSError, smtplib.SMTPException):
                results.append(False)
        time.sleep(0.1)
    for each in crowds:
        each.join()
    shares = {host: sum(results) / len(results) for host, results in let_in.items()}
    assert shares["127.0.77.1"] >= 0.95 and shares["127.0.0.99"] > 0.8, shares
