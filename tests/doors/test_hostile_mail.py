"""Two hundred hostile mails in a row into a running process; afterwards an ordinary order mail is answered at once.

At a desk sixty; MAILS=200 makes it as many as in CI.
"""

from __future__ import annotations

import imaplib
import itertools
import os
import smtplib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from random import Random

from tests.doors.house import House, Player, Post, reply_address, text_of
from tests.doors.servers import PASSWORD, answers
from tests.support import IN_CI, PATIENCE, wait_until

MAILS = int(os.environ.get("MAILS") or (200 if IN_CI else 60))
HOSTILE = sorted((Path(__file__).parents[1] / "mail" / "hostile").glob("*.eml"))
DOMAIN = "hostile.test"


def generated(to: str) -> Iterator[bytes]:
    """What the hostile set has not: heads that nest, repeat and never end, made for a seat's own address."""
    for sign in '([<"':
        for field in ("From", "Cc", "To", "Reply-To", "Delivered-To", "Content-Type", "Message-ID", "References"):
            head = f"{field}: {sign * 1500}\r\n" * 20
            yield f"{head}To: {to}\r\nSubject: x\r\n\r\nRESIGN\r\n".encode()
    for number in range(20):
        yield f"From: a@hostile.test\r\nTo: {to}\r\nSubject: =?x{number}?Q?{'=00' * 3000}?=\r\n\r\n\x00RESIGN".encode()


def mutated(raw: bytes, to: str, chance: Random) -> bytes:
    """A hostile mail to a seat's own address, with some bytes changed, doubled or lost."""
    data = bytearray(f"To: {to}\r\n".encode() + raw[:200_000])
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(data))
        if chance.random() < 0.5:
            data[at] = chance.randrange(256)
        else:
            data[at:at] = data[max(0, at - chance.randrange(400)) : at]
    return bytes(data)


def hostile(to: str, number: int) -> Iterator[bytes]:
    chance = Random(1917)
    made = list(generated(to))
    for index in range(number):
        if index % 3 == 2 and made:
            yield made.pop(chance.randrange(len(made)))
        else:
            yield mutated(HOSTILE[index % len(HOSTILE)].read_bytes(), to, chance)


def new_mail(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "kolokol.sqlite", timeout=30)) as database:
        return int(database.execute("SELECT count(*) FROM inbox WHERE state = 'new'").fetchone()[0])


def seconds_to_answer(player: Player, bell: EmailMessage, words: str, house: House) -> float:
    began = time.monotonic()
    assert words in text_of(player.answer_to(player.answers(bell, words), PATIENCE, house.logs))
    return time.monotonic() - began


def test_after_a_hundred_hostile_mails_an_ordinary_one_is_answered_at_once(house: House, post: Post) -> None:
    house.write_env(post.by_imap(DOMAIN) | {"LMTP_LISTEN": f"127.0.0.1:{post.listener}"})
    house.start("serve", "--worker")
    anna = Player("Anna", "anna@hostile-players.test", post)
    seats = [w for p in ("Boris", "Clara") for w in ("-p", f"{p} <{p.lower()}@hostile-players.test>")]
    house.gm("campaign", "new", "Summer 1918", "--gm", f"Gregor <g@{DOMAIN}>", "-p", f"Anna <{anna.address}>", *seats)
    house.gm("campaign", "open", "summer-1918", "--force")
    bell = anna.waits_for("#1", PATIENCE, house.logs)
    wait_until(lambda: answers(post.listener), PATIENCE, house.logs)
    to = reply_address(bell)
    quiet = seconds_to_answer(anna, bell, "GIVE 1 PM TO B", house)
    taken = refused = 0
    with imaplib.IMAP4("127.0.0.1", post.dovecot.imap_port) as box:
        box.login(f"orders@{DOMAIN}", PASSWORD)
        for index, raw in zip(itertools.count(), hostile(to, 2 * MAILS)):
            if taken == MAILS:
                break
            try:
                if index % 2:
                    taken += box.append("INBOX", "", "", raw.replace(b"\x00", b""))[0] == "OK"  # type: ignore[arg-type]
                    continue
                door = to if index % 8 == 0 else f"orders@{DOMAIN}"  # a seat's own address takes sixty a minute
                with smtplib.LMTP("127.0.0.1", post.listener, timeout=60) as line:
                    line.sendmail(f"x{index}@{DOMAIN}", [door], raw)
                taken += 1
            except (smtplib.SMTPException, imaplib.IMAP4.error):  # such as a line of more than SMTP allows
                refused += 1
    assert taken == MAILS, f"{refused} refused"
    wait_until(lambda: not post.dovecot.mailbox(f"orders@{DOMAIN}") and not new_mail(house.folder), 120, house.logs)
    took = seconds_to_answer(anna, bell, "GIVE 1 PM TO C", house)
    print(f"{taken} hostile mails taken, {refused} refused; a receipt takes {took:.2f} s, before them {quiet:.2f} s")
    assert took < 5 + 3 * quiet
