"""The pictures of a Bell as each reader gets them by mail: a player's own map, a detail of it, and little weight."""

from collections.abc import Sequence
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from email.policy import default

from gm.campaign.mailbox import outbox
from gm.campaign.ports import Outgoing, Sending
from gm.campaign.services import Services
from gm.mail.wiring import builder_for
from gm.rendering.newsroom import Newsroom
from tests.campaign.test_rollback import turn_played

LAST = 4  # the issue that is looked at
MAIL = 600_000  # bytes, all in all


class Kept:
    """A sender that keeps what it would have sent."""

    def __init__(self, services: Services) -> None:
        self.builder = builder_for(services)
        self.raw: dict[str | None, bytes] = {}

    def send(self, mails: Sequence[Outgoing]) -> list[Sending]:
        for mail in mails:
            if mail.kind == "bell" and mail.bell == LAST and mail.letter in ("A", "B", "GM"):
                self.raw[mail.letter] = self.builder.build(mail)
        return [Sending(mail.id, mail.lease, True) for mail in mails]


def picture(mail: Message, cid: str) -> bytes:
    part = next(part for part in mail.walk() if part["Content-ID"] == f"<{cid}>")
    found = part.get_payload(decode=True)
    assert isinstance(found, bytes)
    return found


def test_each_player_is_mailed_their_own_map_with_a_detail_in_at_most_600_kilobytes(sqlite_services: Services) -> None:
    services = replace(sqlite_services, renderer=Newsroom())
    turn_played(services)
    kept = Kept(services)
    while outbox.send_due(services, kept, "test", limit=50):
        pass
    assert len(kept.raw) == 3 and max(map(len, kept.raw.values())) <= MAIL
    a, b = (message_from_bytes(kept.raw[letter], policy=default) for letter in "AB")
    assert picture(a, "map@bell") != picture(b, "map@bell")
    assert picture(a, "theatre@bell") != picture(b, "theatre@bell")
    assert picture(a, "barometer@bell") == picture(b, "barometer@bell")
    html = a.get_body(("html",)).get_content()  # type: ignore[attr-defined]
    assert html.count("/desk") >= 3, "a tap on either map opens the desk"
