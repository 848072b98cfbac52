"""Players who order all the time by web, LMTP and IMAP, and note what was acknowledged."""

from __future__ import annotations

import itertools
import json
import smtplib
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.doors.house import Player, Post

ORDERS = ("GIVE 1 PM TO B", "GIVE 1 PM TO C", "VOTE END", "GIVE 2 PM TO B")


@dataclass
class Load:
    """One thread a door. A sender whose mail was not taken sends it again, as a mail server would."""

    post: Post
    addresses: dict[str, str]  # a seat's letter -> its reply address
    senders: dict[str, str]  # and the address of who sits on it
    imap_domain: str
    listeners: list[int]
    web: str
    tokens: dict[str, str]  # a seat's letter -> its token for programs
    seed: int = 1918
    acknowledged: set[str] = field(default_factory=set)  # Message-IDs
    versions: list[tuple[str, int]] = field(default_factory=list)  # (letter, version) that the web confirmed
    _stop: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        for work in (self._by_lmtp, self._by_imap, self._by_web):
            thread = threading.Thread(target=self._again_and_again, args=(work,), daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()

    def _again_and_again(self, work: Callable[[Random, int], None]) -> None:
        chance = Random(f"{self.seed}/{work.__name__}")
        for number in itertools.count(1):
            if self._stop.wait(chance.uniform(0.05, 0.5)):
                return
            work(chance, number)

    def _mail(self, chance: Random, door: str, number: int) -> tuple[str, str, bytes]:
        letter = chance.choice(sorted(self.addresses))
        writer = Player(f"{letter}-{door}", self.senders[letter], self.post, number)
        identity, raw = writer.written(self.addresses[letter], chance.choice(ORDERS))
        return self.addresses[letter], identity, raw

    def _by_lmtp(self, chance: Random, number: int) -> None:
        to, identity, raw = self._mail(chance, "lmtp", number)
        while not self._stop.is_set():
            try:
                with smtplib.LMTP("127.0.0.1", chance.choice(self.listeners), timeout=30) as line:
                    line.sendmail("a@load.test", [to], raw)
            except (OSError, smtplib.SMTPException):
                self._stop.wait(0.2)
                continue
            self.acknowledged.add(identity)
            return

    def _by_imap(self, chance: Random, number: int) -> None:
        """Into the mailbox that the service reads: taken by the mail server, so it must not be lost."""
        to, identity, raw = self._mail(chance, "imap", number)
        self.post.postfix.send("b@load.test", f"{to.partition('@')[0]}@{self.imap_domain}", raw)
        self.acknowledged.add(identity)

    def _by_web(self, chance: Random, number: int) -> None:
        letter = chance.choice(sorted(self.tokens))
        body = json.dumps({"text": chance.choice(ORDERS)}).encode()
        head = {"Authorization": f"Bearer {self.tokens[letter]}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.web}/api/v1/campaigns/summer-1918/orders", data=body, headers=head)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                self.versions.append((letter, json.load(answer)["version"]))
        except (OSError, ValueError, urllib.error.HTTPError):
            return
