"""Mail of a rehearsal: an SMTP server with the players' mailboxes, and a client that delivers with retries."""

from __future__ import annotations

import email
import re
import smtplib
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from random import Random

from aiosmtpd.controller import Controller

_SEAL = re.compile(r"^Seal:\s+([0-9a-f]{64})\b", re.MULTILINE)
_LINK = re.compile(r"\S+/in#(\S+)")
GIVE_UP = 120  # seconds after which a mail server would bounce


@dataclass(slots=True)
class Mailbox:
    """What one person keeps of their mail: enough to answer the newest, and to compare seals."""

    newest: tuple[str, str, str] | None = None  # Reply-To, subject, Message-ID of the newest that can be answered
    bells: set[int] = field(default_factory=set)
    seals: dict[str, str] = field(default_factory=dict)  # by the Message-ID of the mail that it is for
    link: str | None = None
    mails: int = 0


class PostOffice:
    """An SMTP server on loopback that keeps what matters of every mail."""

    def __init__(self, port: int) -> None:
        self.mailboxes: dict[str, Mailbox] = {}
        self.seen: Counter[str] = Counter()  # by Message-ID: how often each mail came
        self.answered: dict[str, float] = {}  # when the first answer to a mail came
        self.bytes = 0
        self._lock = threading.Lock()
        self._controller = Controller(self, hostname="127.0.0.1", port=port)
        self._controller.start()

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        raw: bytes = envelope.original_content  # type: ignore[attr-defined]
        mail = email.message_from_bytes(raw, policy=default)
        assert isinstance(mail, EmailMessage)
        with self._lock:
            self.bytes += len(raw)
            self.seen[str(mail["Message-ID"])] += 1
            for address in envelope.rcpt_tos:  # type: ignore[attr-defined]
                self._file(self.mailboxes.setdefault(address.lower(), Mailbox()), mail)
        return "250 OK"

    def _file(self, box: Mailbox, mail: EmailMessage) -> None:
        body = mail.get_body(("plain",))
        text = str(body.get_content()) if body is not None else ""
        subject = str(mail["Subject"])
        answered = str(mail["In-Reply-To"] or "")
        box.mails += 1
        self.answered.setdefault(answered, time.monotonic())
        if "+" in str(mail["Reply-To"] or ""):  # with the secret part that says whose answer it is
            box.newest = (str(mail["Reply-To"]), subject, str(mail["Message-ID"]))
        if mail["List-Id"] and (number := re.search(r"#(\d+)", subject)):
            box.bells.add(int(number[1]))
        if found := _SEAL.search(text):
            box.seals[answered] = found[1]
        if found := _LINK.search(text):
            box.link = found[1]

    def box(self, address: str) -> Mailbox:
        with self._lock:
            return self.mailboxes.setdefault(address, Mailbox())

    def close(self) -> None:
        self._controller.stop()


class Postman:
    """Brings mail to the service, as a mail server would: tries again elsewhere and later until it is taken."""

    def __init__(self, ports: list[int], chance: Random) -> None:
        self._ports = ports
        self._chance = chance
        self.retries = 0
        self.refused: Counter[int] = Counter()

    def bring(self, sender: str, to: str, raw: bytes) -> bool:
        """Whether the service took it. A refusal for good (5xx) is counted; silence is tried again."""
        end = time.monotonic() + GIVE_UP
        while time.monotonic() < end:
            try:
                with smtplib.LMTP("127.0.0.1", self._chance.choice(self._ports), timeout=20) as line:
                    line.sendmail(sender, [to], raw)
                return True
            except smtplib.SMTPRecipientsRefused as error:
                code = next(iter(error.recipients.values()))[0]
                if 500 <= code < 600:
                    self.refused[code] += 1
                    return False
            except (OSError, smtplib.SMTPException):
                pass
            self.retries += 1
            time.sleep(self._chance.uniform(0.05, 0.4))
        raise TimeoutError("no worker took a mail for two minutes")
