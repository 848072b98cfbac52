"""The outbox to a real SMTP server on loopback: TLS, login, one connection, patience, and what comes of a refusal."""

from __future__ import annotations

import email
import io
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import aiosmtpd.tests
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from gm.campaign.mailbox import outbox
from gm.campaign.ports import Attachment, Outgoing
from gm.campaign.reads import lookups
from gm.mail.identify.recognise import is_our_bounce
from gm.mail.transport.compose import Context, MailIdentity, Unsendable, compose, encode
from gm.mail.transport.smtp_out import ConsoleSender, MailboxSender, MessageBuilder, Pace, Server, SmtpSender
from gm.mail.wiring import builder_for, sender_for
from gm.rehearsal.crew import free_port
from tests.mail.post import Post

CERTS = Path(aiosmtpd.tests.__file__).parent / "certs"
HOUSE = MailIdentity("gm@bell.test", "orders@bell.test", "bell.test", "Kolokol", b"k" * 32, "https://bell.test")


def outgoing(number: int = 1, **changes: object) -> Outgoing:
    values: dict[str, object] = {
        "id": number,
        "lease": "x",
        "message_id": f"<{number:032x}@bell.test>",
        "key": f"key/{number}",
        "campaign": "june",
        "letter": "A",
        "address": "anna@players.test",
        "name": "Anna",
        "kind": "bell",
        "subject": "The Bell #1",
        "text": "Hello.\n",
        "html": None,
        "attachments": (),
        "headers": {},
        "in_reply_to": None,
        "references": (),
        "bell": None,
        "attempts": 1,
        "created_at": datetime(2026, 3, 1, 12, tzinfo=UTC),
    }
    return Outgoing(**(values | changes))  # type: ignore[arg-type]


def builder(house: MailIdentity = HOUSE) -> MessageBuilder:
    pictures = {"map@bell": b"PNG" * 50}
    return MessageBuilder(house, lambda mail: Context("t" * 26, "The Bell"), lambda campaign, number, letter: pictures)


def built(mail: Outgoing, house: MailIdentity = HOUSE, context: Context | None = None) -> EmailMessage:
    raw = compose(mail, house, context or Context("t" * 26, "The Bell"), lambda: {"map@bell": encode(b"PNG" * 50)})
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


class Mailhost:
    """Keeps what it gets; refuses whom it is told to."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.sessions: set[int] = set()
        self.encrypted: list[bool] = []
        self.refuse: dict[str, str] = {}
        self.data_answer = "250 OK"
        self.hang_up_after: int | None = None

    async def handle_RCPT(self, server: SMTP, session: object, envelope: object, address: str, options: object) -> str:
        if address in self.refuse:
            return self.refuse[address]
        envelope.rcpt_tos.append(address)  # type: ignore[attr-defined]
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: object, envelope: object) -> str:
        self.sessions.add(id(session))
        self.encrypted.append(session.ssl is not None)  # type: ignore[attr-defined]
        self.got.append(envelope.original_content)  # type: ignore[attr-defined]
        if self.hang_up_after is not None and len(self.got) == self.hang_up_after:
            server.transport.close()
        return self.data_answer


@pytest.fixture
def host() -> Mailhost:
    return Mailhost()


@pytest.fixture
def start(host: Mailhost) -> Iterator[Callable[..., Server]]:
    running: list[Controller] = []

    def begin(**options: object) -> Server:
        controller = Controller(host, hostname="127.0.0.1", port=free_port(), **options)
        controller.start()
        running.append(controller)
        return Server("127.0.0.1", controller.port, "none")

    yield begin
    for controller in running:
        controller.stop()


@pytest.fixture
def sender_to() -> Iterator[Callable[..., SmtpSender]]:
    made: list[SmtpSender] = []

    def make(server: Server, per_minute: int = 1_000_000) -> SmtpSender:
        made.append(SmtpSender(builder(), server, per_minute, timeout=10))
        return made[-1]

    yield make
    for sender in made:
        sender.close()


def tls_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTS / "server.crt", CERTS / "server.key")
    return context


def test_many_mails_go_over_one_connection(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    sender = sender_to(start())
    assert all(result.ok for result in sender.send([outgoing(n) for n in range(20)]))
    assert all(result.ok for result in sender.send([outgoing(99)]))
    assert len(host.got) == 21 and len(host.sessions) == 1


def test_starttls_is_used_and_demanded(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    plain = start(tls_context=tls_context())
    (result,) = sender_to(Server(plain.host, plain.port, "starttls", verify=False)).send([outgoing()])
    assert result.ok and host.encrypted == [True]
    without = start()
    (refused,) = sender_to(Server(without.host, without.port, "starttls", verify=False)).send([outgoing()])
    assert not refused.ok and not refused.permanent and len(host.got) == 1, "never in the clear by accident"


def test_a_certificate_that_nobody_vouches_for_is_refused(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    plain = start(tls_context=tls_context())
    (result,) = sender_to(Server(plain.host, plain.port, "starttls")).send([outgoing()])
    assert not result.ok and not result.permanent and host.got == []


def test_tls_from_the_start(host: Mailhost, sender_to: Callable[..., SmtpSender]) -> None:
    controller = Controller(host, hostname="127.0.0.1", port=free_port(), ssl_context=tls_context())
    controller.start()
    try:
        (result,) = sender_to(Server("127.0.0.1", controller.port, "tls", verify=False)).send([outgoing()])
        assert result.ok and len(host.got) == 1
    finally:
        controller.stop()


def test_login_and_a_wrong_password_that_stays_out_of_every_message(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    def check(server: object, session: object, envelope: object, mechanism: str, data: LoginPassword) -> AuthResult:
        return AuthResult(success=data.login == b"bell" and data.password == b"right-one", handled=False)

    plain = start(authenticator=check, auth_required=True, auth_require_tls=False)
    good = Server(plain.host, plain.port, "none", "bell", "right-one")
    assert next(iter(sender_to(good).send([outgoing()]))).ok
    bad = Server(plain.host, plain.port, "none", "bell", "wrong-one")
    assert "wrong-one" not in repr(bad)
    first, second = sender_to(bad).send([outgoing(1), outgoing(2)])
    assert not first.ok and not first.permanent and "login" in first.error and "wrong-one" not in first.error
    assert not second.ok and len(host.got) == 1


def test_a_refused_recipient_is_permanent_and_does_not_stop_the_others(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    host.refuse = {"gone@players.test": "550 5.1.1 no such user", "full@players.test": "452 4.2.2 mailbox full"}
    mails = [outgoing(1, address="gone@players.test"), outgoing(2, address="full@players.test"), outgoing(3)]
    gone, full, fine = sender_to(start()).send(mails)
    assert (gone.ok, gone.permanent) == (False, True) and "no such user" in gone.error
    assert (full.ok, full.permanent) == (False, False)
    assert fine.ok


def test_refused_content_is_permanent(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    host.data_answer = "554 5.7.1 spam"
    (result,) = sender_to(start()).send([outgoing()])
    assert (result.ok, result.permanent) == (False, True)


def test_a_server_that_hangs_up_is_called_again(
    host: Mailhost, start: Callable[..., Server], sender_to: Callable[..., SmtpSender]
) -> None:
    host.hang_up_after = 3
    results = list(sender_to(start()).send([outgoing(n) for n in range(6)]))
    assert all(result.ok for result in results)
    assert len({email.message_from_bytes(raw)["Message-ID"] for raw in host.got}) == 6, "a repeat can be recognised"


def test_a_server_that_is_down_fails_the_batch_for_now(sender_to: Callable[..., SmtpSender]) -> None:
    results = list(sender_to(Server("127.0.0.1", free_port(), "none")).send([outgoing(n) for n in range(5)]))
    assert [(r.ok, r.permanent) for r in results] == [(False, False)] * 5


def test_the_pace_is_never_faster_than_allowed() -> None:
    now = [0.0]
    pace = Pace(60, burst=3, clock=lambda: now[0])
    waits = []
    for _ in range(10):
        waits.append(pace.wait_for())
        now[0] += waits[-1]
    assert waits[:3] == [0, 0, 0] and all(w == pytest.approx(1.0) for w in waits[4:])


def test_a_permanent_failure_is_noted_at_the_seat_and_told_to_the_gamesmaster(
    post: Post, host: Mailhost, start: Callable[..., Server]
) -> None:
    host.refuse = {"anna@players.test": "550 5.1.1 no such user"}
    server = start()
    sender = SmtpSender(builder_for(post.services), server, 1_000_000)
    before = post.newest()
    while outbox.send_due(post.services, sender, "test", 100):
        pass
    sender.close()
    failed = outbox.listing(post.services, post.campaign, "failed")
    assert {row.address for row in failed} == {"anna@players.test"} and "no such user" in (failed[0].error or "")
    told = [row for row in post.since(before) if row.address == "gm@players.test"]
    assert told and "no such user" in told[0].text
    state = lookups.state(post.services, post.campaign)
    assert state.mails["failed"] == len(failed) and "no such user" in (state.seat("A").bounce or "")


def test_back_off_a_mail_that_cannot_go_waits_longer_each_time(post: Post) -> None:
    sender = SmtpSender(builder_for(post.services), Server("127.0.0.1", free_port(), "none"), 1_000_000)

    def tried() -> int:
        return sum(iter(lambda: outbox.send_due(post.services, sender, "test", 100), 0))

    total = tried()
    assert total and outbox.send_due(post.services, sender, "test", 100) == 0, "not again at once"
    post.clock.advance(minutes=2)
    assert tried() == total
    post.clock.advance(minutes=2)
    assert outbox.send_due(post.services, sender, "test", 100) == 0, "the second pause is longer"
    sender.close()


# --- the mail itself


def test_a_bell_has_text_html_map_and_calendar_in_their_places() -> None:
    html = '<p>Hello</p><img src="cid:map@bell">'
    ics = Attachment("deadline.ics", "text/calendar", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    message = built(outgoing(html=html, bell=1, attachments=(ics,)))
    assert [p.get_content_type() for p in message.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
    ]
    image = next(p for p in message.walk() if p.get_content_type() == "image/png")
    assert image["Content-ID"] == "<map@bell>" and image.get_content() == b"PNG" * 50


def test_headers_of_a_bell_an_answer_and_a_letter() -> None:
    bell = built(outgoing(references=("<root@bell.test>",), in_reply_to="<root@bell.test>"))
    assert bell["Auto-Submitted"] == "auto-generated" and bell["List-Id"] == "<june.bell.test>"
    assert bell["References"] == "<root@bell.test>" == bell["In-Reply-To"]
    assert bell["Reply-To"].addresses[0].addr_spec == f"orders+{'t' * 26}@bell.test"
    assert is_our_bounce(HOUSE.secret_key, str(bell["Message-ID"]), str(bell["X-Kolokol-Key"]))
    answer = built(outgoing(kind="answer"))
    assert answer["Auto-Submitted"] == "auto-replied" and answer["List-Id"] is None
    letter = built(outgoing(kind="letter", headers={"X-Kolokol-Letter": "17"}))
    assert letter["Auto-Submitted"] is None
    assert letter["Reply-To"].addresses[0].addr_spec == f"orders+{'t' * 26}-17@bell.test"


def test_a_reader_who_plays_no_side_can_unsubscribe_and_gets_no_token() -> None:
    message = built(outgoing(letter=None), context=Context(None, "The Bell", "https://bell.test/in#x"))
    assert "UNSUBSCRIBE" in message["List-Unsubscribe"] and "https://bell.test/in#x" in message["List-Unsubscribe"]
    assert "+" not in message["Reply-To"].addresses[0].addr_spec


def test_the_same_mail_is_the_same_bytes_however_often_it_is_sent() -> None:
    mail = outgoing(html="<p>ä</p>", text="Ленин " * 50)
    assert builder().build(mail) == builder().build(mail)


def test_words_of_any_alphabet_survive() -> None:
    message = built(outgoing(subject="Колокол №1: «Июнь» " * 6, name="Анна Келлер", text="Товарищи!\nÄrger\n" * 30))
    assert message["Subject"] == ("Колокол №1: «Июнь» " * 6).strip()
    assert message["To"].addresses[0].display_name == "Анна Келлер"
    body = message.get_body(("plain",))
    assert body is not None and body.get_content().replace("\r\n", "\n") == "Товарищи!\nÄrger\n" * 30


@pytest.mark.parametrize("name", ["Anna\r\nBcc: x@y", 'A "quote" B', "A, B", "A (x)", "x" * 200, "\x00", ""])
def test_no_name_breaks_the_header(name: str) -> None:
    message = built(outgoing(name=name, subject=name, headers={"X-Note": name}))
    assert message["Bcc"] is None
    assert message["To"].addresses[0].addr_spec == "anna@players.test"


@pytest.mark.parametrize("address", ["a@b\r\nRCPT TO:<x@y>", "a b@c", "", "a@b>", "я@b.test"])
def test_an_address_that_is_none_is_never_tried(address: str) -> None:
    with pytest.raises(Unsendable):
        built(outgoing(address=address))


def test_the_subject_tag_is_there_where_plus_addresses_are_lost() -> None:
    house = MailIdentity("gm@bell.test", "orders@bell.test", "bell.test", "Kolokol", b"k" * 32, tag_subjects=True)
    assert f"[bell {'t' * 26}]" in built(outgoing(), house)["Subject"]


def test_mailbox_and_console_send_nothing_and_say_so(post: Post) -> None:
    out = io.StringIO()
    assert all(r.ok for r in MailboxSender(builder()).send([outgoing()]))
    assert all(r.ok for r in ConsoleSender(builder(), out).send([outgoing()]))
    assert "To: Anna <anna@players.test>" in out.getvalue() and "t" * 26 not in out.getvalue()
    assert isinstance(sender_for(post.services), MailboxSender)
