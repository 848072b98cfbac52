"""Many mails at once, of strangers or of one player: nobody else waits for them more than a moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gm.mail.handle.handler import MailHandler
from gm.mail.parse.message import Envelope
from tests.mail.post import Post
from tests.stopwatch import within

FIELD = b"Content-Type: multipart/mixed; boundary          =b%d\n\n--b%d\n"
NESTED = b"".join(FIELD % (n, n) for n in range(500))


def test_a_flood_of_strangers_holds_no_players_mail(post: Post) -> None:
    """Sixty mails of 61 KB in five seconds held all mail for a minute and a half."""
    order: list[tuple[str, str]] = []

    def noting(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if function.__name__ in ("read_head", "read"):
            order.append((function.__name__, args[0].split(b"@")[0].decode().removeprefix("From: ")))
            if order[-1][1] == "x0":
                desk.take(post.raw("B", "GIVE 2 PM TO A"), Envelope(source="lmtp"))
        return function(*args, **kwargs)

    desk = MailHandler(post.services, run=noting)
    for number in range(60):
        raw = b"From: x%d@evil.test\nTo: orders@bell.test\n%s" % (number, NESTED + b"x\n" * 10_000)
        desk.take(raw, Envelope(source="lmtp"))
    desk.take(post.raw("A", "GIVE 1 PM TO B"), Envelope(source="lmtp"))
    assert within(2, lambda: desk.sweep(100), tries=1) == 62
    assert (post.orders_of("A"), post.orders_of("B")) == ("GIVE 1 PM TO B", "GIVE 2 PM TO A")
    names = [name.split(" ")[0].lower() for _, name in order]
    assert names[:5] == ["anna", "anna", "x0", "boris", "boris"], "what comes meanwhile waits for one stranger"
    assert {what for what, name in order if name.startswith("x")} == {"read_head"}, "whose words are never read"
