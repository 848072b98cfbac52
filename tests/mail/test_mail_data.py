"""The bytes of a mail over SMTP and LMTP: what they cost, where they end, and how they are refused."""

from __future__ import annotations

import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.mail.transport import mail_data, smtp_in
from gm.mail.transport.mail_data import MailData, Refused
from gm.mail.transport.smtp_in import Listener
from tests.mail.line import MAIL, SECRET, Line, Shelf, listener_for
from tests.stopwatch import within
from tests.support import examples

MB = 1_000_000


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def listener(shelf: Shelf) -> Iterator[Listener]:
    made = listener_for(shelf, 10 * MB)
    made.start()
    yield made
    made.stop()


def received(data: bytes, most: int = 10 * MB, piece: int = 262_144) -> tuple[bytes, bytes]:
    """The mail, and what came after it."""
    mail = MailData(most)
    for at in range(0, len(data), piece):
        rest = mail.add(data[at : at + piece])
        if rest is not None:
            return mail.content(), rest + data[at + piece :]
    raise AssertionError("it never ended")


# --- what it costs


LINES = {
    "empty": b"\r\n",
    "short": b"x\r\n",
    "dots": b"..\r\n",
    "long": b"x" * 999 + b"\r\n",
    "bare": b"\n" * 900 + b"\r\n",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_ten_megabytes_take_a_moment_however_their_lines_are_broken(line: bytes) -> None:
    """Empty lines took thirteen seconds, in which nobody else was served."""
    data = line * (10 * MB // len(line)) + b".\r\n"
    mail, rest = within(1, lambda: received(data), tries=2)
    assert rest == b"" and len(mail) >= len(data) // 2


IN_A_PROCESS = """
import sys
from tests.mail.line import Shelf, listener_for
class Counted(Shelf):
    def take(self, raw, road): self.taken.append((b"", road)); print(len(raw), flush=True)
made = listener_for(Counted(), 10_000_000, accepted_a_minute=10**6)
made.start()
print(made.port, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def process() -> Iterator[tuple[int, int]]:
    """A listener in a process of its own: its port and number."""
    made = subprocess.Popen(
        [sys.executable, "-c", IN_A_PROCESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert made.stdout is not None and made.stdin is not None
    yield int(made.stdout.readline()), made.pid
    made.stdin.close()
    made.wait(30)
    made.stdout.close()


@contextmanager
def grows_by_less_than(most: float, pid: int) -> Iterator[None]:
    """However much memory a process has: not so much more of it at any moment."""

    def told(name: str) -> int:
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

    Path(f"/proc/{pid}/clear_refs").write_text("5")  # begins the greatest of VmRSS, VmHWM, anew
    before = told("VmRSS")
    yield
    assert told("VmHWM") - before < most


def test_a_line_that_never_ends_is_cut_off(process: tuple[int, int]) -> None:
    """A gigabyte without an end of line was kept, in two seconds, whatever the announced size."""
    port, pid = process
    with grows_by_less_than(10 * MB, pid), Line(port) as line:
        line.begins("orders@bell.test")
        sent = 0
        with pytest.raises(OSError):
            while sent < 500 * MB:
                line.socket.sendall(b"A" * 65_536)
                sent += 65_536
    assert sent < 40 * MB, "what is under way included"


def test_a_mail_of_empty_lines_takes_memory_by_its_bytes(process: tuple[int, int]) -> None:
    """It took forty-five times its size."""
    port, pid = process
    with Line(port) as line:
        assert line.begins("orders@bell.test").sends(MAIL + b".\r\n").startswith(b"250")
    with grows_by_less_than(4 * 9.8 * MB, pid), Line(port) as line:
        assert line.begins("orders@bell.test").sends(b"\r\n" * 4_900_000 + b".\r\n").startswith(b"250")


def test_all_large_mails_together_take_no_more_than_a_few(process: tuple[int, int]) -> None:
    """Of strangers two at a time; the others wait, and all are taken."""
    port, pid = process
    answers = list[bytes]()

    def send() -> None:
        with Line(port) as line:
            answers.append(line.begins("orders@bell.test").sends(b"\r\n" * 4_900_000 + b".\r\n")[:3])

    senders = [threading.Thread(target=send) for _ in range(12)]
    with grows_by_less_than(80 * MB, pid):
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(60)
    assert answers == [b"250"] * 12


def test_a_large_mail_that_has_no_turn_in_time_comes_again(
    listener: Listener, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of a stranger that never end; a player's large mail has turns of its own, and small ones need none."""
    monkeypatch.setattr(mail_data, "LARGE_SECONDS", 0.3)
    monkeypatch.setattr(smtp_in, "DRAIN_SECONDS", 0.3)
    large = b"x\r\n" * 100_000
    slow = [Line(listener.port).begins("orders@bell.test") for _ in range(2)]
    for line in slow:
        line.socket.sendall(large)
    time.sleep(0.3)
    with Line(listener.port) as third, Line(listener.port) as players, Line(listener.port) as small:
        assert third.begins("orders@bell.test").sends(large).startswith(b"452")
        assert players.begins(SECRET).sends(large + b".\r\n").startswith(b"250")
        assert small.begins("orders@bell.test").sends(MAIL + b".\r\n").startswith(b"250")
    for line in slow:
        assert line.sends(b".\r\n").startswith(b"250")
        line.socket.close()
    with Line(listener.port) as again:
        assert again.begins("orders@bell.test").sends(large + b".\r\n").startswith(b"250")
    assert len(shelf.taken) == 5


NOISE = [
    (b"\r\n", True),
    (b"\r\n", False),
    (b"NOOP\r\n", False),
    (b"\x1b[31m\r\n", False),
    (b"x" * 2000 + b"\r\n", False),
]


@pytest.mark.parametrize(("noise", "in_mail"), NOISE)
def test_who_sends_small_lines_without_end_delays_nobody(process: tuple[int, int], noise: bytes, in_mail: bool) -> None:
    """Nineteen such connections held honest mail for forty seconds."""
    port, _ = process
    ends = time.monotonic() + 3

    def flood(number: int) -> None:
        while time.monotonic() < ends:
            try:
                with Line(port, f"127.0.{number}.1") as line:
                    if in_mail:
                        line.begins("orders@bell.test").socket.sendall(b"A" * 1500 + b"\r\n")
                    while time.monotonic() < ends:
                        line.socket.sendall(noise * (65_536 // len(noise)))
            except (OSError, AssertionError):
                time.sleep(0.05)

    floods = [threading.Thread(target=flood, args=(number,)) for number in range(2, 21)]
    for each in floods:
        each.start()
    time.sleep(0.5)
    took = []
    while time.monotonic() < ends:
        began = time.monotonic()
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as honest:
            honest.sendmail("h@y.test", ["orders@bell.test"], MAIL)
        took.append(time.monotonic() - began)
        time.sleep(0.1)
    for each in floods:
        each.join()
    assert max(took) < 2, took


def test_who_talks_without_end_and_sends_nothing_is_sent_away(listener: Listener) -> None:
    with Line(listener.port) as line:
        line.says("EHLO x")
        line.socket.sendall(b"NOOP\r\n" * 1000)
        answers = list(iter(line.reply, b""))
    assert answers[-1].startswith(b"421") and len(answers) <= smtp_in.MOST_ANSWERS


# --- where it ends


PIECES = (b"\r\n", b"\n", b"\r", b".", b"..", b"a", b"\r\n.\r\n", b"\n.\n", b"\r.\r", b"\r\n.\n", b"\n.\r\n")


def as_lines_have_it(data: bytes) -> tuple[bytes, bytes]:
    """RFC 5321 word for word: line by line until one that is a dot alone."""
    kept = []
    while True:
        line, _, data = data.partition(b"\r\n")
        if line == b".":
            return b"".join(kept), data
        kept.append(line.removeprefix(b".") + b"\r\n")


@settings(max_examples=examples(2_000))
@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.integers(1, 9))
def test_nothing_but_a_dot_on_a_line_of_its_own_ends_a_mail(noise: bytes, piece: int) -> None:
    """However it comes: what another server takes for an end, or for none, smuggles no second mail."""
    data = noise + b"\r\n.\r\nNOOP\r\n"
    assert received(data, piece=piece) == as_lines_have_it(data)


def test_what_comes_after_the_end_is_the_next_command(listener: Listener, shelf: Shelf) -> None:
    with Line(listener.port) as line:
        line.begins("orders@bell.test").socket.sendall(MAIL + b".\r\nNOOP\r\nQUIT\r\n")
        assert [line.reply()[:3] for _ in range(3)] == [b"250", b"250", b"221"]
    assert shelf.taken[0][0] == MAIL


@pytest.mark.parametrize("size", [998, 999, 1000, 1001, 1002])
@pytest.mark.parametrize("before", [b"", b"x\r\n", b"\r\n" * 700])
def test_a_line_has_at_most_999_characters_and_its_end(size: int, before: bytes) -> None:
    data = before + b"x" * size + b"\r\n.\r\n"
    for piece in (1, 7, 100_000):
        if size <= 999:
            assert received(data, piece=piece)[0] == data[:-3]
        else:
            with pytest.raises(Refused, match=r"^500"):
                received(data, piece=piece)


def test_a_mail_has_at_most_the_announced_bytes() -> None:
    for piece in (1, 1000):
        assert len(received(b"x" * 98 + b"\r\n.\r\n", most=100, piece=piece)[0]) == 100
        with pytest.raises(Refused, match=r"^552"):
            received(b"x" * 99 + b"\r\n.\r\n", most=100, piece=piece)


# --- how it is refused


REFUSED = {"500": b"A" * 1500 + b"\r\n", "552": b"x\r\n" * 3_400_000, "451": MAIL}


@pytest.mark.parametrize("code", REFUSED)
def test_by_lmtp_there_is_a_refusal_for_each_recipient(listener: Listener, shelf: Shelf, code: str) -> None:
    """One alone left the mail server waiting for the second (RFC 2033)."""
    shelf.broken = True
    with Line(listener.port) as line:
        line.begins(SECRET, "gm@bell.test", greets="LHLO").socket.sendall(REFUSED[code] + b".\r\n")
        assert [line.reply()[:3], line.reply()[:3]] == [code.encode()] * 2


def test_who_is_refused_in_the_middle_can_read_why(listener: Listener, shelf: Shelf) -> None:
    """Also a program that reads no answer before it has sent all."""
    with smtplib.SMTP("127.0.0.1", listener.port, timeout=30) as smtp:
        smtp.helo()
        with pytest.raises(smtplib.SMTPDataError) as refused:
            smtp.sendmail("anna@players.test", ["orders@bell.test"], b"x\r\n" * 4_000_000)
    assert refused.value.smtp_code == 552 and shelf.taken == []


def test_who_breaks_off_in_the_middle_leaves_nothing(listener: Listener, shelf: Shelf) -> None:
    for _ in range(3):
        with Line(listener.port) as line:
            line.begins("orders@bell.test").socket.sendall(b"x\r\n" * 300_000)
    with Line(listener.port) as line:
        assert line.begins("orders@bell.test").sends(b"x\r\n" * 300_000 + b".\r\n").startswith(b"250")
    assert len(shelf.taken) == 1
