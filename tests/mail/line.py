"""A listener, where its mail goes, and somebody who talks to it byte by byte."""

from __future__ import annotations

import socket
from typing import Any

from gm.mail.identify.rate_limit import Limits
from gm.mail.parse.message import Envelope
from gm.mail.transport.smtp_in import Listener, SmtpHandler
from gm.rehearsal.crew import free_port

TOKEN = "abcdefghijklmnopqrstuvwx23"
SECRET = f"orders+{TOKEN}@bell.test"
MAIL = b"From: a@players.test\r\nSubject: x\r\nMessage-ID: <1@players.test>\r\n\r\nGIVE 1 PM TO B\r\n"


class Shelf:
    """Where a source puts what it takes; may be out of order."""

    def __init__(self) -> None:
        self.taken: list[tuple[bytes, Envelope]] = []
        self.broken = False

    def take(self, raw: bytes, road: Envelope) -> None:
        if self.broken:
            raise OSError("disk full")
        self.taken.append((raw, road))


def listener_for(shelf: Shelf, most: int = 50_000, **limits: Any) -> Listener:
    doorman = SmtpHandler(
        "orders@bell.test", ("gm@bell.test",), shelf.take, lambda token: token == TOKEN, Limits(**limits)
    )
    return Listener(doorman, "127.0.0.1", free_port(), most, "mx.bell.test")


class Line:
    """A connection from some address of this machine."""

    def __init__(self, port: int, host: str = "127.0.0.1", greeting: bool = True) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 30, source_address=(host, 0))
        self._file = self.socket.makefile("rb")
        self.greeting = self.reply() if greeting else b""

    def reply(self) -> bytes:
        """The last line of an answer; nothing if the connection has ended."""
        try:
            while (line := self._file.readline())[3:4] == b"-":
                pass
        except ConnectionResetError:
            return b""
        return line

    def says(self, command: str) -> bytes:
        self.socket.sendall(command.encode() + b"\r\n")
        return self.reply()

    def begins(self, *recipients: str, greets: str = "EHLO") -> Line:
        """A mail; what follows is its bytes."""
        said = [f"{greets} x", "MAIL FROM:<a@x.test>", *(f"RCPT TO:<{to}>" for to in recipients), "DATA"]
        answers = [self.says(command)[:3] for command in said]
        assert answers == [b"250"] * (len(said) - 1) + [b"354"], answers
        return self

    def sends(self, data: bytes) -> bytes:
        self.socket.sendall(data)
        return self.reply()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self.socket.close()
