"""An IMAP mailbox as the way in: read by UID, stored first, then moved away. Waits by IDLE where the server can."""

from __future__ import annotations

import contextlib
import imaplib
import selectors
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from imap_tools.errors import ImapToolsError
from imap_tools.mailbox import BaseMailBox, MailBox, MailBoxUnencrypted

from gm.mail.inbound import Envelope

Take = Callable[[bytes, Envelope], None]
Report = Callable[[str], None]
POLL_SECONDS = 15.0  # where the server cannot IDLE
_TROUBLE = (ImapToolsError, imaplib.IMAP4.error, OSError, socket.timeout, EOFError)


@dataclass(frozen=True, slots=True)
class Account:
    host: str
    port: int = 993
    tls: bool = True
    user: str = ""
    password: str = field(default="", repr=False)
    folder: str = "INBOX"
    done_folder: str = "Kolokol"


class ImapSource:
    """`run` until `stop`: reads what is there, waits for more; a broken connection is made again, ever more slowly."""

    def __init__(
        self,
        account: Account,
        take: Take,
        *,
        report: Report = lambda line: None,
        idle_seconds: float = 25,
        timeout: float = 60,
    ) -> None:
        self._account = account
        self._take = take
        self._report = report
        self._idle_seconds = idle_seconds
        self._timeout = timeout
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        # What was stored and could not be moved: not fetched again while the folder stays the same.
        self._seen: set[str] = set()
        self._validity = ""

    def start(self) -> None:
        self._thread = threading.Thread(target=self.run, name="imap", daemon=True)
        self._thread.start()

    def stop(self, wait: float = 10) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(wait)

    def run(self) -> None:
        pause = 1.0
        while not self._stop.is_set():
            try:
                with self._connected() as box:
                    pause = 1.0
                    self._watch(box)
            except _TROUBLE as error:
                self._report(f"imap: {type(error).__name__}, again in {pause:.0f} s")
                self._stop.wait(pause)
                pause = min(pause * 2, 300)

    def poll(self) -> int:
        """Read once what is there, in a connection of its own. Gives how many were taken."""
        with self._connected() as box:
            return self._read_all(box)

    def _connected(self) -> BaseMailBox:
        account = self._account
        kind = MailBox if account.tls else MailBoxUnencrypted
        box = kind(account.host, port=account.port, timeout=self._timeout)
        box.login(account.user, account.password, initial_folder=account.folder)
        self._note_validity(box)
        with contextlib.suppress(*_TROUBLE):
            if account.done_folder and not box.folder.exists(account.done_folder):
                box.folder.create(account.done_folder)
        return box

    def _note_validity(self, box: BaseMailBox) -> None:
        """UIDs mean something only as long as UIDVALIDITY stays (RFC 3501, 2.3.1.1)."""
        status = box.folder.status(self._account.folder, ["UIDVALIDITY"])
        validity = str(status.get("UIDVALIDITY", ""))
        if validity != self._validity:
            self._seen.clear()
            self._validity = validity

    def _watch(self, box: BaseMailBox) -> None:
        can_idle = self._can_idle(box)
        while not self._stop.is_set():
            while self._read_all(box):
                pass  # what came meanwhile
            if can_idle:
                self._idle(box)
            else:
                self._stop.wait(min(self._idle_seconds, POLL_SECONDS))
                box.client.noop()

    def _can_idle(self, box: BaseMailBox) -> bool:
        """Asked anew: many servers tell what they can only after the login."""
        status, data = box.client.capability()
        words = b" ".join(d for d in data if isinstance(d, bytes)).upper().split()
        return status == "OK" and b"IDLE" in words

    def _idle(self, box: BaseMailBox) -> None:
        """In short slices, so that `stop` is heard. What the server told before the waiting began, in answer to other
        commands, imaplib has put aside: a mail may be among it, so then we look again first."""
        box.idle.start()
        waited = 0.0
        try:
            if box.client.response("EXISTS")[1] != [None]:
                return
            while waited < self._idle_seconds and not self._stop.is_set():
                # Only noticed here; read by idle.stop(), which waits for whole lines.
                if _has_more(box.client) or _readable(box.client.sock, 1.0):
                    return
                waited += 1
        finally:
            box.idle.stop()

    def _read_all(self, box: BaseMailBox) -> int:
        taken = 0
        for uid in box.uids("ALL"):
            if uid in self._seen or self._stop.is_set():
                continue
            raw = self._fetch(box, uid)
            if raw is None:
                continue
            self._take(raw, Envelope(source="imap"))  # raises: it stays where it is and comes again
            self._seen.add(uid)
            taken += 1
            self._move(box, uid)
        return taken

    def _fetch(self, box: BaseMailBox, uid: str) -> bytes | None:
        status, data = box.client.uid("fetch", uid, "(BODY.PEEK[])")
        if status != "OK":
            return None
        parts = [item[1] for item in data or [] if isinstance(item, tuple) and len(item) > 1]
        return bytes(parts[0]) if parts else None

    def _move(self, box: BaseMailBox, uid: str) -> None:
        """Out of the way; where that cannot be, at least marked as seen."""
        try:
            if self._account.done_folder:
                box.move(uid, self._account.done_folder)
            else:
                box.flag(uid, "\\Seen", True)
        except ImapToolsError:
            with contextlib.suppress(*_TROUBLE):
                box.flag(uid, "\\Seen", True)


def _has_more(client: imaplib.IMAP4) -> bool:
    """Whether the client has read more than it has looked at: then the socket is silent and yet there is news."""
    file, sock = getattr(client, "file", None) or getattr(client, "_file", None), client.sock
    if getattr(sock, "pending", lambda: 0)():
        return True
    timeout = sock.gettimeout()
    sock.settimeout(0)
    try:
        return bool(file.peek(1)) if file is not None else False
    except OSError:
        return False
    finally:
        sock.settimeout(timeout)


def _readable(sock: socket.socket, seconds: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(seconds))
