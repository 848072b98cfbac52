"""The three ways in: IMAP mailbox, SMTP/LMTP listener, pipe. What they acknowledge is stored."""

from __future__ import annotations

import os
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gm.campaign.mailbox import inbox
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import holders
from gm.mail import wiring
from gm.mail.parse.message import Envelope
from gm.mail.transport.imap import AT_ONCE, Account, ImapSource
from gm.mail.transport.smtp_in import Listener, SmtpHandler
from gm.rehearsal.crew import free_port
from tests.campaign_fixtures import SECRET_KEY
from tests.mail.line import MAIL, SECRET, TOKEN, Shelf, listener_for
from tests.mail.post import Post
from tests.mail.world import PASSWORD, USER, Imap
from tests.support import wait_until

# --- SMTP and LMTP


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def listener(shelf: Shelf) -> Iterator[Listener]:
    made = listener_for(shelf, accepted_a_minute=5)
    made.start()
    yield made
    made.stop()


def client(listener: Listener, kind: type[smtplib.SMTP] = smtplib.SMTP) -> smtplib.SMTP:
    return kind("127.0.0.1", listener.port, timeout=60)


def test_who_held_a_seat_before_still_reaches_the_gamesmaster_by_the_old_address(post: Post) -> None:
    settings = replace(post.services.settings, lmtp_listen=f"127.0.0.1:{free_port()}")
    services, old, token = replace(post.services, settings=settings), post.address("A"), post.token("A")
    holders.replace(services, post.campaign, "A", NewPlayer("Zoya", "zoya@players.test", "UTC"))
    door = wiring.listener(services, lambda raw, envelope: post.desk.receive(raw, envelope) and None)
    door.start()
    try:
        with client(door) as smtp:
            to = [f"orders+{token}@bell.test"]
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                smtp.sendmail("stranger@evil.test", to, MAIL)
            smtp.sendmail(old, to, b"From: " + old.encode() + b"\r\nTo: " + to[0].encode() + b"\r\n\r\nGood bye!\r\n")
    finally:
        door.stop()
    assert "Good bye!" in post.since(0)[-1].text and post.since(0)[-1].letter == "GM"


def test_what_is_stored_is_acknowledged_with_the_envelope_kept(listener: Listener, shelf: Shelf) -> None:
    with client(listener) as smtp:
        smtp.sendmail("anna@players.test", [f"orders+{TOKEN}@bell.test"], MAIL)
    ((raw, road),) = shelf.taken
    assert raw == MAIL and road.rcpt_to == (f"orders+{TOKEN}@bell.test",) and road.mail_from == "anna@players.test"


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("orders@bell.test", 250),
        (f"orders+{TOKEN}@bell.test", 250),
        (f"ORDERS+{TOKEN.upper()}@BELL.TEST", 250),
        (f"orders+{TOKEN}-17@bell.test", 250),
        ("gm@bell.test", 250),
        ("postmaster@bell.test", 250),
        ("orders+aaaaaaaaaaaaaaaaaaaaaaaaaa@bell.test", 550),
        ("orders+short@bell.test", 550),
        ("ordersx@bell.test", 550),
        ("anybody@bell.test", 550),
        ("orders@elsewhere.test", 550),
        ("victim@elsewhere.test", 550),
    ],
)
def test_what_it_would_not_take_it_refuses_at_rcpt(listener: Listener, address: str, code: int) -> None:
    """No open relay, and no mail for tokens that do not exist."""
    with client(listener) as smtp:
        smtp.ehlo()
        smtp.mail("anna@players.test")
        assert smtp.rcpt(address)[0] == code


def test_a_mail_that_cannot_be_stored_is_left_with_its_sender(listener: Listener, shelf: Shelf) -> None:
    shelf.broken = True
    with client(listener) as smtp, pytest.raises(smtplib.SMTPDataError) as refused:
        smtp.sendmail("anna@players.test", ["orders@bell.test"], MAIL)
    assert refused.value.smtp_code == 451


def test_a_mail_that_is_too_large_is_refused_by_its_size(listener: Listener, shelf: Shelf) -> None:
    with client(listener) as smtp, pytest.raises((smtplib.SMTPSenderRefused, smtplib.SMTPDataError)) as refused:
        smtp.sendmail("anna@players.test", ["orders@bell.test"], MAIL + b"x" * 60_000)
    assert refused.value.smtp_code == 552 and shelf.taken == []


def knocks(smtp: smtplib.SMTP, sender: str, to: str, number: int) -> list[int]:
    codes = []
    for _ in range(number):
        smtp.mail(sender)
        codes.append(smtp.rcpt(to)[0])
        smtp.rset()
    return codes


def test_a_flood_from_one_sender_is_put_off_not_lost(listener: Listener, shelf: Shelf) -> None:
    with client(listener) as smtp:
        smtp.ehlo()
        assert knocks(smtp, "flood@players.test", "orders@bell.test", 8) == [250] * 5 + [450] * 3


def test_what_is_refused_anyway_uses_up_nothing(listener: Listener, shelf: Shelf) -> None:
    with client(listener) as smtp:
        smtp.ehlo()
        assert knocks(smtp, "anna@players.test", "nobody@bell.test", 8) == [550] * 8
        assert knocks(smtp, "anna@players.test", "orders@bell.test", 1) == [250]


def test_a_stranger_under_a_players_address_does_not_lock_the_player_out(listener: Listener, shelf: Shelf) -> None:
    with client(listener) as smtp:
        smtp.ehlo()
        knocks(smtp, "anna@players.test", "orders@bell.test", 8)
        assert knocks(smtp, "anna@players.test", f"orders+{TOKEN}@bell.test", 1) == [250]


def test_an_address_that_cannot_be_looked_up_is_not_refused_for_good(shelf: Shelf) -> None:
    """The database is away."""

    def away(token: str) -> bool:
        raise OSError("the database is away")

    made = Listener(SmtpHandler("orders@bell.test", (), shelf.take, away), "127.0.0.1", free_port(), 50_000)
    made.start()
    try:
        with client(made) as smtp:
            smtp.ehlo()
            assert knocks(smtp, "anna@players.test", f"orders+{TOKEN}@bell.test", 1) == [451]
    finally:
        made.stop()


def test_lmtp_answers_for_every_recipient(listener: Listener, shelf: Shelf) -> None:
    with smtplib.LMTP("127.0.0.1", listener.port, timeout=60) as lmtp:
        lmtp.ehlo()
        lmtp.mail("anna@players.test")
        assert [lmtp.rcpt(a)[0] for a in ("orders@bell.test", "gm@bell.test")] == [250, 250]
        lmtp.putcmd("data")
        assert lmtp.getreply()[0] == 354
        lmtp.send(MAIL + b".\r\n")
        assert [lmtp.getreply()[0], lmtp.getreply()[0]] == [250, 250]
    assert len(shelf.taken) == 1


def test_the_null_sender_of_a_bounce_is_known(listener: Listener, shelf: Shelf) -> None:
    with client(listener) as smtp:
        smtp.sendmail("", ["gm@bell.test"], MAIL)
    assert shelf.taken[0][1].null_sender


def test_garbage_on_the_line_does_not_stop_the_listener(listener: Listener, shelf: Shelf) -> None:
    for noise in (b"\x00\xff" * 500 + b"\r\n", b"EHLO x\r\nMAIL FROM:<" + b"a" * 5000 + b">\r\n", b"DATA\r\n"):
        with socket.create_connection(("127.0.0.1", listener.port), 10) as line:
            line.sendall(noise)
    with client(listener) as smtp:
        smtp.sendmail("anna@players.test", ["orders@bell.test"], MAIL)
    assert len(shelf.taken) == 1


# --- IMAP


@pytest.fixture
def imap(tmp_path: Path) -> Iterator[Imap]:
    made = Imap(tmp_path / "pymap.log")
    yield made
    made.kill()


def source(imap: Imap, shelf: Shelf, **options: float) -> ImapSource:
    account = Account("127.0.0.1", imap.port, False, USER, PASSWORD)
    return ImapSource(account, shelf.take, **options)  # type: ignore[arg-type]


def test_imap_mail_is_taken_once_and_moved_away(imap: Imap, shelf: Shelf) -> None:
    for number in range(3):
        imap.deliver(MAIL.replace(b"<1@", f"<{number}@".encode()))
    assert source(imap, shelf).poll() == 3
    assert source(imap, shelf).poll() == 0
    assert (imap.count("INBOX"), imap.count("Kolokol")) == (0, 3)
    assert shelf.taken[0][0] == MAIL.replace(b"<1@", b"<0@")


def test_of_an_imap_mail_that_is_too_large_no_more_is_fetched_than_shows_it(imap: Imap, shelf: Shelf) -> None:
    """A mailbox may take mails of a gigabyte; the process was to hold each in memory."""
    imap.deliver(MAIL + b"x\r\n" * 1000)
    imap.deliver(MAIL)
    account = Account("127.0.0.1", imap.port, False, USER, PASSWORD, most=1000)
    assert ImapSource(account, shelf.take).poll() == 2
    assert [len(raw) for raw, _ in shelf.taken] == [1001, len(MAIL)]


def test_players_mail_is_read_before_that_of_any_number_of_strangers(imap: Imap, shelf: Shelf) -> None:
    """Also what comes while theirs is read."""
    theirs = MAIL.replace(b"Subject", b"To: " + SECRET.encode() + b"\r\nSubject")
    late = theirs.replace(b"<1@", b"<2@")
    for number in range(2 * AT_ONCE + 20):
        imap.deliver(MAIL.replace(b"<1@", f"<s{number}@".encode()))
    imap.deliver(theirs)

    def take(raw: bytes, envelope: Envelope) -> None:
        shelf.take(raw, envelope)
        if len(shelf.taken) == 20:
            imap.deliver(late)

    account = Account("127.0.0.1", imap.port, False, USER, PASSWORD)
    taken = ImapSource(account, take, bears=lambda head: SECRET.encode() in head).poll()
    read = [raw for raw, _ in shelf.taken]
    assert taken == len(read) == 2 * AT_ONCE + 22 and read[0] == theirs
    assert read.index(late) == AT_ONCE + 1
    assert [raw for raw in read if raw not in (theirs, late)] == [
        MAIL.replace(b"<1@", f"<s{number}@".encode()) for number in range(2 * AT_ONCE + 20)
    ]


def test_imap_mail_that_cannot_be_stored_stays_in_the_mailbox(imap: Imap, shelf: Shelf) -> None:
    imap.deliver(MAIL)
    shelf.broken = True
    with pytest.raises(OSError, match="could not be stored"):
        source(imap, shelf).poll()
    assert imap.count("INBOX") == 1
    shelf.broken = False
    assert source(imap, shelf).poll() == 1


def test_imap_idle_brings_a_mail_at_once(imap: Imap, shelf: Shelf) -> None:
    """Long before the poll that would bring it anyway."""
    watching = source(imap, shelf, idle_seconds=300)
    watching.start()
    try:
        imap.deliver(MAIL)
        wait_until(lambda: len(shelf.taken) == 1, 30)
        for number in range(10):
            imap.deliver(MAIL.replace(b"<1@", f"<{number + 10}@".encode()))
        wait_until(lambda: len(shelf.taken) == 11, 30)
        wait_until(lambda: imap.count("INBOX") == 0, 30)
    finally:
        watching.stop()


def test_imap_comes_back_after_the_server_was_away(tmp_path: Path, imap: Imap, shelf: Shelf) -> None:
    reports: list[str] = []
    account = Account("127.0.0.1", imap.port, False, USER, PASSWORD)
    watching = ImapSource(account, shelf.take, report=reports.append, idle_seconds=300)
    watching.start()
    try:
        imap.deliver(MAIL)
        wait_until(lambda: len(shelf.taken) == 1, 30)
        imap.kill()
        wait_until(lambda: reports, 30, "it should notice")
        again = Imap(tmp_path / "again.log", imap.port)
        try:
            again.deliver(MAIL.replace(b"<1@", b"<2@"))
            wait_until(lambda: len(shelf.taken) == 2, 60)
        finally:
            watching.stop()
            again.kill()
    finally:
        watching.stop()
    assert PASSWORD not in " ".join(reports)


def test_stopping_does_not_wait_for_the_server(imap: Imap, shelf: Shelf) -> None:
    watching = source(imap, shelf, idle_seconds=300)
    watching.start()
    time.sleep(1)
    started = time.monotonic()
    watching.stop()
    assert time.monotonic() - started < 60
    assert not [t for t in threading.enumerate() if t.name == "imap" and t.is_alive()]


# --- the pipe


def pipe(post: Post, raw: bytes, *arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    settings = {
        "KOLOKOL_DATABASE_URL": post.services.settings.database_url,
        "KOLOKOL_SECRET_KEY": SECRET_KEY,
        "KOLOKOL_ORDERS_ADDRESS": "orders@bell.test",
    }
    command = [sys.executable, "-m", "gm", "mail", "deliver", *arguments]
    return subprocess.run(
        command, input=raw, env=os.environ | settings | environ, capture_output=True, timeout=120, check=False
    )


def test_the_pipe_stores_and_deals_with_a_mail(post: Post) -> None:
    post.services.close()
    raw = post.raw("A", "GIVE 1 PM TO B")
    done = pipe(post, raw, "--from", "anna@players.test", "--to", "orders@bell.test")
    assert done.returncode == 0, done.stderr
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    (slip,) = inbox.in_state(post.services, "handled")
    assert (slip.source, slip.envelope_to) == ("pipe", "orders@bell.test")


def test_the_pipe_asks_the_mail_server_to_try_again_when_nothing_can_be_stored(post: Post) -> None:
    done = pipe(post, MAIL, KOLOKOL_DATABASE_URL="sqlite:////nonexistent/folder/x.sqlite")
    assert done.returncode == 75
