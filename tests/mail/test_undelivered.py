"""Mail that does not arrive: one notice about a dead address, the letter's author told, readers struck off."""

from __future__ import annotations

from collections.abc import Sequence

from gm.campaign.mailbox import outbox
from gm.campaign.ports import NewPlayer, Outgoing, Sending
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.mail.identify.recognise import bounce_key
from gm.mail.parse.message import Envelope
from gm.store.mail_tables import Outbox
from tests.mail.post import Post

GONE = "550 5.1.1 no such user"


class Server:
    """A mail server that refuses some addresses."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused

    def send(self, mails: Sequence[Outgoing]) -> list[Sending]:
        return [Sending(m.id, m.lease, m.address not in self.refused, GONE, permanent=True) for m in mails]


def send_all(post: Post, *refused: str) -> None:
    while outbox.send_due(post.services, Server(*refused), "test", 100):
        pass


def comes_back(post: Post, row: Outbox) -> None:
    """Some mail server far away has sent it back."""
    key = bounce_key(post.services.secret_key, row.message_id)
    raw = (
        "From: MAILER-DAEMON@far.test\nTo: gm@bell.test\nSubject: Undelivered Mail\nMIME-Version: 1.0\n"
        f"Message-ID: <bounce-{row.id}@far.test>\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n--b\nContent-Type: text/plain\n\n'
        "It could not be delivered.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; far.test\n\n"
        f"Final-Recipient: rfc822; {row.address}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; {GONE}\n\n--b\n"
        f"Content-Type: text/rfc822-headers\n\nMessage-ID: {row.message_id}\nX-Kolokol-Key: {key}\n\n--b--\n"
    )
    number = post.desk.take(raw.encode(), Envelope(source="pipe", null_sender=True))
    post.desk.handle(number)
    assert post.state_of(number)[0] == "handled"


def notices(post: Post, kind: str) -> list[Outbox]:
    return [row for row in outbox.listing(post.services, post.campaign) if row.kind == kind]


def to(post: Post, address: str) -> list[Outbox]:
    return [row for row in outbox.listing(post.services, post.campaign) if row.address == address]


def bounce(post: Post, letter: str) -> str | None:
    return lookups.state(post.services, post.campaign).seat(letter).bounce


def test_fourteen_refused_mails_make_one_notice_and_the_mark_ends_when_mail_arrives(post: Post) -> None:
    for _ in range(14):
        post.write("A", "STATUS")
        post.clock.advance(hours=1)
    send_all(post, "anna@players.test")
    assert len(outbox.listing(post.services, post.campaign, "failed")) > 14
    (notice,) = notices(post, "bounced")
    assert notice.address == "gm@players.test" and GONE in notice.text and bounce(post, "A") == GONE
    post.write("A", "STATUS")
    send_all(post)
    assert bounce(post, "A") is None


def test_a_mail_that_comes_back_later_is_shown_and_a_day_without_another_ends_the_mark(post: Post) -> None:
    send_all(post)
    mail = to(post, "boris@players.test")[0]
    comes_back(post, mail)
    (failed,) = outbox.listing(post.services, post.campaign, "failed")
    assert failed.id == mail.id and "came back: 5.1.1" in (failed.error or "")
    assert GONE in (bounce(post, "B") or "") and len(notices(post, "bounced")) == 1
    post.clock.advance(hours=2)
    post.write("B", "STATUS")
    send_all(post)
    assert bounce(post, "B") is not None, "it was handed on, but may yet come back"
    post.clock.advance(hours=30)
    post.write("B", "STATUS")
    send_all(post)
    assert bounce(post, "B") is None


def test_who_wrote_a_letter_learns_that_it_did_not_arrive(post: Post) -> None:
    post.write("A", "LETTER TO B: Shall we share Moscow?")
    send_all(post, "boris@players.test")
    (told,) = notices(post, "letter_failed")
    assert told.address == "anna@players.test" and "Shall we share Moscow?" in told.text and "Boris" in told.subject


def test_a_reader_whose_mail_keeps_coming_back_is_struck_off(post: Post) -> None:
    holders.add_reader(post.services, post.campaign, NewPlayer("Rita", "rita@far.test"))
    send_all(post)
    for number in range(3):
        assert [p.name for p in holders.readers(post.services, post.campaign)] == ["Rita"]
        with post.services.store.write() as session:
            session.add(_copy_of_a_bell(post, number))
        send_all(post)
        comes_back(post, to(post, "rita@far.test")[0])
    assert not holders.readers(post.services, post.campaign)
    (notice,) = notices(post, "struck_off")
    assert "rita@far.test" in notice.text and not notices(post, "bounced")


def _copy_of_a_bell(post: Post, number: int) -> Outbox:
    now = post.clock.now()
    identity = f"<copy-{number}@bell.test>"
    facts = {"key": identity, "message_id": identity, "kind": "bell", "subject": "The Bell", "text": "News."}
    empty = {"headers": {}, "attachments": [], "state": "queued", "created_at": now, "not_before": now}
    return Outbox(campaign_id=post.campaign, address="rita@far.test", name="Rita", **facts, **empty)
