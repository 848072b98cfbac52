"""The rest of the world, on loopback: an SMTP server that everybody sends through, the mailbox of the service on a real
IMAP server, and players with their mail programs."""

from __future__ import annotations

import email
import imaplib
import re
import smtplib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import cached_property, lru_cache
from pathlib import Path

from aiosmtpd.controller import Controller

from gm.rehearsal.crew import free_port
from tests.support import wait_until

HERE = "bell.test"
USER, PASSWORD = "orders", "only-for-this-test"


class Imap:
    """pymap with one mailbox, in a process of its own."""

    def __init__(self, log: Path, port: int | None = None) -> None:
        self.port = port or free_port()
        self._lock = threading.Lock()
        program = Path(sys.executable).with_name("pymap")
        arguments = ["--host", "127.0.0.1", "--port", str(self.port), "--no-tls", "--no-service", "admin", "dict"]
        arguments += ["--demo-user", USER, "--demo-password", PASSWORD]
        self._log = log.open("wb")
        self._process = subprocess.Popen([str(program), *arguments], stdout=self._log, stderr=self._log)
        wait_until(self._answers, 30, "pymap did not start")

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as s:
                return s.recv(4) == b"* OK"
        except OSError:
            return False

    @cached_property
    def client(self) -> imaplib.IMAP4:
        """One login for all: the server makes it slow on purpose."""
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=60)
        client.login(USER, PASSWORD)
        return client

    def deliver(self, raw: bytes) -> None:
        with self._lock:
            status, _ = self.client.append("INBOX", "", "", raw)  # type: ignore[arg-type]
        assert status == "OK"

    def count(self, folder: str) -> int:
        with self._lock:
            status, data = self.client.status(f'"{folder}"', "(MESSAGES)")
        found = re.search(rb"MESSAGES (\d+)", data[0] or b"") if status == "OK" else None
        return int(found[1]) if found else 0

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()


@dataclass
class World:
    """Everybody's SMTP server. Mail for the service goes into its IMAP mailbox, mail for players into theirs."""

    imap: Imap
    mailboxes: dict[str, list[EmailMessage]] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    connections: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        raw: bytes = envelope.original_content  # type: ignore[attr-defined]
        for rcpt in envelope.rcpt_tos:  # type: ignore[attr-defined]
            if rcpt.endswith("@" + HERE):
                self.imap.deliver(b"Delivered-To: " + rcpt.encode() + b"\r\n" + raw)
            else:
                message = email.message_from_bytes(raw, policy=default)
                assert isinstance(message, EmailMessage)
                with self._lock:
                    self.mailboxes.setdefault(rcpt.lower(), []).append(message)
        return "250 OK"

    def send(self, sender: str, raw: bytes, to: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail(sender, [to], raw)


@dataclass
class Person:
    """A player at his mail program."""

    letter: str
    name: str
    address: str
    zone: str
    program: Callable[[EmailMessage, str, str], str]  # (mail answered, own words, reply address) -> MIME body
    world: World
    sent: int = 0

    @property
    def mailbox(self) -> list[EmailMessage]:
        return self.world.mailboxes.setdefault(self.address, [])

    def waits_for(self, word: str, number: int = 1, seconds: float = 60) -> EmailMessage:
        """The n-th mail with these words in its subject or text, wherever its lines break."""

        def look() -> EmailMessage | None:
            found = [m for m in list(self.mailbox) if word in " ".join(f"{m['Subject']} {text_of(m)}".split())]
            return found[number - 1] if len(found) >= number else None

        found = wait_until(look, seconds, f"{self.name} waits for {word!r} ({number})")
        assert isinstance(found, EmailMessage)
        return found

    def answers(self, mail: EmailMessage, words: str) -> str:
        """Press Reply, type, press Send. Gives the Message-ID."""
        to = parseaddr(str(mail["Reply-To"]))[1]
        self.sent += 1
        identity = f"<{self.letter}{self.sent}.{len(words)}@{self.address.split('@')[1]}>"
        head = (
            f"From: {self.name} <{self.address}>\nTo: {to}\nSubject: Re: {mail['Subject']}\nMessage-ID: {identity}\n"
            f"In-Reply-To: {mail['Message-ID']}\nReferences: {mail['Message-ID']}\nMIME-Version: 1.0\n"
        )
        raw = (head + self.program(mail, words, to)).replace("\n", "\r\n").encode("utf-8")
        self.world.send(self.address, raw, to)
        return identity


@lru_cache(maxsize=2000)
def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


def html_of(message: EmailMessage) -> str:
    body = message.get_body(("html",))
    return str(body.get_content()) if body is not None else ""
