"""A full disk, and a database that somebody else holds locked: no mail is lost, the service says so and goes on."""

from __future__ import annotations

import resource
import smtplib
import sqlite3
from contextlib import closing

from tests.doors.house import House, Player, Post, reply_address, text_of
from tests.doors.servers import answers
from tests.support import PATIENCE, wait_until

DOMAIN = "full.test"


def test_a_full_disk_loses_no_mail_and_is_told(house: House, post: Post) -> None:
    """No file of the process may grow, which is what a full disk looks like to it."""
    house.write_env(post.by_imap(DOMAIN) | {"LMTP_LISTEN": f"127.0.0.1:{post.listener}"})
    process = house.start("serve", "--worker")
    anna = Player("Anna", "anna@full-players.test", post)
    seats = [w for p in ("Boris", "Clara") for w in ("-p", f"{p} <{p.lower()}@full-players.test>")]
    house.gm("campaign", "new", "Summer 1918", "--gm", f"Gregor <g@{DOMAIN}>", "-p", f"Anna <{anna.address}>", *seats)
    house.gm("campaign", "open", "summer-1918", "--force")
    bell = anna.waits_for("#1", PATIENCE, house.logs)
    wait_until(lambda: answers(post.listener), PATIENCE, house.logs)
    assert house.get("/readyz") == (200, "ok\n")

    _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, most))
    wait_until(lambda: "cannot be written to" in house.get("/readyz")[1], PATIENCE, house.logs)
    assert house.get("/readyz")[0] == 503
    with smtplib.LMTP("127.0.0.1", post.listener, timeout=60) as line:
        line.ehlo()
        line.mail(f"x@{DOMAIN}")
        assert line.rcpt(f"orders@{DOMAIN}")[0] == 250
        assert line.data(b"From: x@full.test\r\nSubject: x\r\n\r\nhello\r\n")[0] == 451, "not stored, not acknowledged"
    identity = anna.answers(bell, "GIVE 1 PM TO B")
    wait_until(lambda: post.dovecot.mailbox(f"orders@{DOMAIN}"), PATIENCE, house.logs)

    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
    assert "GIVE 1 PM TO B" in text_of(anna.answer_to(identity, PATIENCE, house.logs)), reply_address(bell)
    wait_until(lambda: house.get("/readyz") == (200, "ok\n"), PATIENCE, house.logs)
    assert process.poll() is None, "the same process all the while"


def test_the_doctor_tells_of_a_database_that_somebody_holds_locked(house: House, post: Post) -> None:
    house.write_env(post.settings(DOMAIN))
    players = [word for name in "ABC" for word in ("-p", f"{name} <{name}@x.test>")]
    house.gm("campaign", "new", "Summer 1918", "--gm", f"G <g@{DOMAIN}>", *players)
    with closing(sqlite3.connect(house.folder / "kolokol.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "cannot be written to: database is locked" in " ".join(
            house.gm("doctor", "--only", "database", fails=True).split()
        )
        other.execute("ROLLBACK")
    assert "cannot be written to" not in house.gm("doctor", "--only", "database")
