"""Mails are read in a process of their own: one that takes too much is put aside, and nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gm.campaign.mailbox import inbox
from gm.mail.handle.handler import MailHandler
from gm.mail.identify.rate_limit import DEFAULT
from gm.processes import BoundedProcess, TooCostly
from tests.mail.post import Post


class Elsewhere:
    """Mails with a certain word in them never end."""

    def __init__(self) -> None:
        self.bounded = BoundedProcess(seconds=1)
        self.functions: set[str] = set()

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.functions.add(function.__name__)
        if function.__name__ == "read" and b"Zoological" in args[0]:
            return self.bounded(_never_ends)
        return self.bounded(function, *args, **kwargs)


def _never_ends() -> None:
    while True:
        pass


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    made = Elsewhere()
    yield made
    made.bounded.close()


def test_orders_read_elsewhere_get_their_receipt_and_a_costly_mail_is_put_aside(
    post: Post, elsewhere: Elsewhere
) -> None:
    post.desk = MailHandler(post.services, DEFAULT, run=elsewhere)
    post.write("A", "GIVE 1 PM TO B")
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    (told,) = [mail for mail in post.write("A", "Zoological\nGIVE 2 PM TO B") if mail.letter == "A"]
    assert "NOTHING IN IT WAS TAKEN" in " ".join(told.text.split())
    (receipt,) = post.write("A", "GIVE 3 PM TO C")
    assert receipt.kind == "receipt"
    assert post.orders_of("A") == "GIVE 3 PM TO C"
    assert {"read_head", "read", "understand"} <= elsewhere.functions
    (aside,) = inbox.quarantined(post.services)
    assert TooCostly.__name__ in (aside.reason or "")
