"""Receiving mail from an IMAP mailbox by UID, players' first: stored, then moved. IDLE where the server can."""

from __future__ import annotations

import contextlib
import imaplib
import re
import selectors
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise

from imap_tools.errors import ImapToolsError
from imap_tools.mailbox import BaseMailBox, MailBox, MailBoxUnencrypted

from gm.mail.parse.headers import HEAD, RECIPIENTS
from gm.mail.parse.message import Envelope

Take = Callable[[bytes, Envelope], None]
Report = Callable[[str], None]
Bears = Callable[[bytes], bool]  # whether a mail with such a head bears the secret of a seat
POLL_SECONDS = 15.0  # where the server cannot IDLE
AGAIN_SECONDS = 10.0  # until a mail that could not be stored is tried again
AT_ONCE = 50  # mails; of more the heads are looked at first, and strangers' mail is read in such portions
HEADS = 200  # at a time
_HEAD = f"BODY.PEEK[HEADER.FIELDS ({' '.join((*RECIPIENTS, 'Subject')).upper()})]<0.{HEAD // 8}>"
_UID = re.compile(rb"\bUID (\d+)")
_INTERNALDATE = re.compile(rb'INTERNALDATE "([^"]{20,30})"')
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
    most: int = 10_000_000  # bytes of a mail that are fetched, and one more: who stores it then sees that it is larger


class ImapSource:
    """`run` until `stop`: reads what is there, waits for more; a broken connection is made again, ever more slowly."""

    def __init__(
        self,
        account: Account,
        take: Take,
        *,
        bears: Bears = lambda head: True,
        report: Report = lambda line: None,
        idle_seconds: float = 25,
        timeout: float = 60,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._account = account
        self._take = take
        self._bears = bears
        self._report = report
        self._idle_seconds = idle_seconds
        self._timeout = timeout
        self._clock = clock
        self._stop = threading.Event()
        self._look = threading.Event()  # has_read() asks for a look now
        self._read_to: datetime | None = None  # what came before then has been taken
        self._thread: threading.Thread | None = None
        # Mail that could not be stored, with when to try it again: the others need not wait for it.
        self._put_off: dict[str, float] = {}
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
            except Exception as error:  # of the line, the server or one mail: whatever it is, the reader goes on
                self._report(f"imap: {type(error).__name__}, again in {pause:.0f} s")
                self._stop.wait(pause)
                pause = min(pause * 2, 300)

    def poll(self) -> int:
        """Read once what is there, in a connection of its own. Gives how many were taken."""
        taken = 0
        with self._connected() as box:
            while found := self._read(box):
                taken += found
        if self._put_off:
            raise OSError(f"{len(self._put_off)} mails could not be stored and stay in the mailbox")
        return taken

    def has_read(self, before: datetime, seconds: float) -> bool:
        """Whether all players' mail that had come before then has been taken; looks now and waits a little."""
        end = time.monotonic() + seconds
        while self._read_to is None or self._read_to < before:
            if time.monotonic() > end or self._stop.is_set():
                return False
            self._look.set()
            time.sleep(0.05)
        return True

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
            self._look.clear()
            while self._read(box):
                pass  # what came meanwhile
            if can_idle:
                self._idle(box)
            else:
                self._look.wait(min(self._idle_seconds, POLL_SECONDS))
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
            while waited < self._wait_seconds() and not self._stop.is_set() and not self._look.is_set():
                # Only noticed here; read by idle.stop(), which waits for whole lines.
                if _has_more(box.client) or _readable(box.client.sock, 0.5):
                    return
                waited += 0.5
        finally:
            box.idle.stop()

    def _wait_seconds(self) -> float:
        return min(self._idle_seconds, AGAIN_SECONDS) if self._put_off else self._idle_seconds

    def _read(self, box: BaseMailBox) -> int:
        """All mail of players that waits, and a portion of the strangers'. Gives how many were taken."""
        began, now = self._clock(), time.monotonic()
        waiting = [u for u in box.uids("ALL") if u not in self._seen and self._put_off.get(u, 0) <= now]
        theirs = waiting if len(waiting) <= AT_ONCE else self._of_players(box, waiting)
        taken = sum(self._take_one(box, uid) for uid in theirs)
        if not self._put_off and not self._stop.is_set():
            self._read_to = began
        others = sorted(set(waiting) - set(theirs), key=int)
        return taken + sum(self._take_one(box, uid) for uid in others[:AT_ONCE])

    def _of_players(self, box: BaseMailBox, waiting: list[str]) -> list[str]:
        """In the order of the mailbox."""
        found = set()
        for first in range(0, len(waiting), HEADS):
            status, data = box.client.uid("fetch", ",".join(waiting[first : first + HEADS]), f"({_HEAD})")
            for item, behind in pairwise([*data, b""]) if status == "OK" else ():
                if isinstance(item, tuple) and self._bears(bytes(item[1])):
                    told = bytes(item[0]) + (behind if isinstance(behind, bytes) else b"")
                    found |= {uid.decode() for uid in _UID.findall(told)}
        return [uid for uid in waiting if uid in found]

    def _take_one(self, box: BaseMailBox, uid: str) -> bool:
        found = None if self._stop.is_set() else self._fetch(box, uid)
        if found is None:
            return False
        raw, arrived = found
        try:
            self._take(raw, Envelope(source="imap", received_at=arrived))
        except Exception as error:  # it stays where it is and comes again; the next one may be storable
            self._put_off[uid] = time.monotonic() + AGAIN_SECONDS
            self._report(f"imap: a mail could not be stored: {type(error).__name__}")
            return False
        self._put_off.pop(uid, None)
        self._seen.add(uid)
        self._move(box, uid)
        return True

    def _fetch(self, box: BaseMailBox, uid: str) -> tuple[bytes, datetime | None] | None:
        """A mail, of a larger one the beginning, and when it reached the mailbox: that is when it was received, even if
        no worker ran then."""
        status, data = box.client.uid("fetch", uid, f"(INTERNALDATE BODY.PEEK[]<0.{self._account.most + 1}>)")
        if status != "OK":
            return None
        for item in data or []:
            if isinstance(item, tuple) and len(item) > 1:
                told = _INTERNALDATE.search(bytes(item[0]))
                return bytes(item[1]), _moment(told[1].decode()) if told else None
        return None

    def _move(self, box: BaseMailBox, uid: str) -> None:
        """Move a stored mail to the folder for read mail; where that fails, mark it as seen."""
        try:
            if self._account.done_folder:
                box.move(uid, self._account.done_folder)
            else:
                box.flag(uid, "\\Seen", True)
        except ImapToolsError:
            with contextlib.suppress(*_TROUBLE):
                box.flag(uid, "\\Seen", True)


def _moment(text: str) -> datetime | None:
    """`17-Jul-1996 02:44:25 -0700` (RFC 3501, 2.3.3)."""
    try:
        return datetime.strptime(text.strip(), "%d-%b-%Y %H:%M:%S %z").astimezone(UTC)
    except ValueError:
        return None


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
