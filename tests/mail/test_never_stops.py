"""Whatever comes or breaks, the next mail is read, the next campaign judged and the next mail sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from gm.board.load import standard_board
from gm.campaign import ticker
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.phase import intake
from gm.campaign.ports import Mail, Outgoing, Sending
from gm.campaign.reads import lookups
from gm.campaign.reads.metrics import figures_of
from gm.doctor.run_checks import examine
from gm.mail.handle.handler import MailHandler
from gm.mail.handle.sort_lines import sort_out
from gm.mail.parse.message import Envelope, read
from gm.mail.transport.smtp_out import MailboxSender
from gm.mail.wiring import builder_for
from gm.orders.parser import parse
from gm.orders.receipt import receipt_text, review
from gm.processes import Run
from gm.web.app import create_app
from tests.campaign_fixtures import new_campaign
from tests.mail.post import Post
from tests.reports.sample import issues
from tests.stopwatch import within

PARENTHESES = "(" * 1000
NESTS = {
    "from": f"From: {PARENTHESES} <a@players.test>\nTo: orders@bell.test\n",
    "cc": f"From: a@players.test\nCc: {PARENTHESES}\n",
    "many-cc": "From: a@players.test\n" + f"Cc: {PARENTHESES}\n" * 50,
    "domain": f"From: a@{'[' * 1000}\n",
    "reply-to": f"From: a@players.test\nReply-To: {PARENTHESES}\nDelivered-To: {PARENTHESES}\n",
}


@pytest.mark.parametrize("name", NESTS)
def test_brackets_in_a_head_cost_nothing(name: str) -> None:
    within(0.5, lambda: read((NESTS[name] + "Subject: x\n\nGIVE 1 PM TO B\n").encode()))


@pytest.mark.parametrize("name", NESTS)
def test_a_mail_of_brackets_is_stored_and_put_aside(post: Post, name: str) -> None:
    number = post.hand_in((NESTS[name] + "Subject: x\n\nGIVE 1 PM TO B\n").encode())
    assert post.state_of(number)[0] in ("quarantined", "handled")


class Stumbling(MailHandler):
    """Falls over one sender's mail, in a way that nobody foresaw."""

    def _handle(self, mail: inbox.Inbound, may_repeat: bool, run: Run) -> str:
        if b"stumble" in mail.raw:
            raise RecursionError("maximum recursion depth exceeded")
        return super()._handle(mail, may_repeat, run)


def test_a_mail_that_no_reader_can_cope_with_is_put_aside_and_told(post: Post) -> None:
    post.desk = Stumbling(post.services)
    raw = post.raw("A", "stumble")
    token = f"orders+{post.token('A')}@bell.test"
    bad = post.desk.take(raw, Envelope(source="lmtp", rcpt_to=(token,)))
    good = post.desk.take(post.raw("B", "GIVE 1 PM TO C"), Envelope(source="pipe"))
    assert post.desk.sweep() == 2
    assert post.state_of(bad) == ("quarantined", "unreadable: RecursionError") and post.state_of(good)[0] == "handled"
    assert inbox.get(post.services, bad).raw == raw
    assert inbox.get(post.services, bad).campaign == post.campaign, "its Gamesmaster sees it"
    assert figures_of(post.services).unreadable == 1
    spoil(post, "UPDATE inbox SET received_at = :now", now=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.000000"))
    told = [f.words for f in examine(post.services.settings, ["work"]) if f.check == "inbox"]
    assert any("could not be read" in words for words in told)
    with TestClient(create_app(post.services)) as client:
        assert "mail is not read" in client.get("/readyz").text or "no worker" in client.get("/readyz").text


def test_a_mail_is_read_by_one_of_many(post: Post) -> None:
    number = post.desk.take(post.raw("A", "GIVE 1 PM TO B"), Envelope(source="pipe"))
    assert [inbox.claim(post.services, number) for _ in range(6)] == [1, None, None, None, None, None]
    assert post.desk.sweep() == 0
    post.clock.advance(seconds=inbox.LEASE.total_seconds())
    assert post.desk.sweep() == 1 and post.state_of(number)[0] == "handled"


def test_a_database_that_is_locked_delays_a_mail_and_loses_none(post: Post) -> None:
    """Another process holds the write lock for longer than we wait."""
    path = post.services.settings.database_url.removeprefix("sqlite:///")
    number = post.desk.take(post.raw("A", "GIVE 1 PM TO B"), Envelope(source="pipe"))
    with closing(post.services.store.engine.raw_connection()) as ours:
        ours.cursor().execute("PRAGMA busy_timeout = 50")  # else a minute
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert post.desk.sweep() == 0
        other.execute("ROLLBACK")
    assert post.desk.sweep() == 1 and post.state_of(number)[0] == "handled"


# --- a mail received before the deadline counts for that Phase


def close_the_phase(post: Post) -> None:
    state = lookups.state(post.services, post.campaign)
    assert state.deadline is not None
    post.clock.set(state.deadline)
    assert not ticker.tick(post.services).failed


def sealed(post: Post, letter: str) -> str:
    with post.services.store.read() as session:
        found = session.execute(
            text("SELECT text FROM sealed_orders WHERE letter = :letter ORDER BY turn DESC, phase LIMIT 1"),
            {"letter": letter},
        ).all()
    return str(found[0][0]) if found else "-"


def test_what_was_acknowledged_before_the_deadline_is_sealed_however_late_it_is_read(post: Post) -> None:
    for letter in "ABCDE":
        post.hand_in(post.raw(letter, "GIVE 1 PM TO B" if letter != "B" else "GIVE 1 PM TO A"))
    state = lookups.state(post.services, post.campaign)
    assert state.deadline is not None
    post.clock.set(state.deadline - timedelta(seconds=13))
    number = post.desk.take(post.raw("A", "GIVE 2 PM TO C"), Envelope(source="lmtp"))  # 250 OK, and the desk stalls
    close_the_phase(post)
    assert sealed(post, "A") == "GIVE 2 PM TO C"
    assert post.state_of(number)[0] == "handled"


def test_a_mail_that_another_process_reads_at_the_deadline_is_waited_for(post: Post) -> None:
    state = lookups.state(post.services, post.campaign)
    assert state.deadline is not None
    post.clock.set(state.deadline - timedelta(seconds=5))
    number = post.desk.take(post.raw("A", "GIVE 2 PM TO C"), Envelope(source="lmtp"))
    assert inbox.claim(post.services, number) == 1  # and there its reader is killed
    post.clock.set(state.deadline)
    ticker.tick(post.services)
    assert lookups.state(post.services, post.campaign).phase_state == "open"
    post.clock.advance(seconds=inbox.LEASE.total_seconds() + 1)
    for _ in range(3):
        ticker.tick(post.services)
        post.clock.advance(seconds=4)
    assert post.state_of(number)[0] == "handled"
    assert intake_versions(post, "A") or sealed(post, "A") == "GIVE 2 PM TO C"


def intake_versions(post: Post, letter: str) -> list[str]:
    return [row.canonical for row in intake.versions(post.services, post.campaign, letter)]


def test_a_mail_from_before_a_phase_opened_is_not_its_orders(post: Post) -> None:
    for letter in "ABCDE":
        post.hand_in(post.raw(letter, "GIVE 1 PM TO B" if letter != "B" else "GIVE 1 PM TO A"))
    before = post.clock.now()
    close_the_phase(post)
    assert lookups.state(post.services, post.campaign).phase == "first"
    post.clock.advance(minutes=5)
    late = Envelope(source="imap", received_at=before)
    old = post.desk.take(post.raw("A", "VOTE END"), late)
    post.desk.handle(old)
    assert post.orders_of("A") == "-"
    assert "before" in post.since(0)[-1].text
    guarded = post.desk.take(post.raw("A", "ORDERS June 1918 First Phase\nVOTE END"), late)
    post.desk.handle(guarded)
    assert post.orders_of("A") == "VOTE END", post.since(0)[-1].text


# --- one bad row stops nobody else


def spoil(post: Post, statement: str, **values: object) -> None:
    with post.services.store.write() as session:
        session.execute(text(statement), values)


@pytest.mark.parametrize("options", ["{broken", '{"zone": "Nowhere/Land"}', "[]", '{"first_days": "many"}', "null"])
def test_a_campaign_that_cannot_be_read_stops_no_other(post: Post, options: str) -> None:
    for letter in "ABCDE":
        post.hand_in(post.raw(letter, "GIVE 1 PM TO B" if letter != "B" else "GIVE 1 PM TO A"))
    other = new_campaign(post.services, "Broken")
    spoil(post, "UPDATE campaigns SET options = :o WHERE id = :c", o=options, c=other)
    spoil(
        post,
        "INSERT INTO alarms (campaign_id, turn, phase, incarnation, kind, due_at, attempts) "
        "SELECT id, turn, phase, incarnation, 'adjudicate', '2026-01-01 00:00:00.000000', 0 FROM campaigns "
        "WHERE id = :c",
        c=other,
    )
    state = lookups.state(post.services, post.campaign)
    assert state.deadline is not None
    post.clock.set(state.deadline)
    report = ticker.tick(post.services)
    assert ("publish", post.campaign) in report.done
    ids = [line.id for line in lookups.overview(post.services)]
    assert post.campaign in ids
    with TestClient(create_app(post.services)) as client:
        assert client.get("/").status_code == 200
        assert client.get("/api/v1/campaigns").status_code == 200


class Half(MailboxSender):
    """Sends until it meets a mail that nobody can build."""

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sending]:
        for mail in mails:
            if "unbuildable" in mail.subject:
                raise ValueError("no such thing")
            yield Sending(mail.id, mail.lease, True)


def queue(post: Post, subject: str) -> None:
    outbox.queue(post.services, Mail(subject, "note", "anna@players.test", "Anna", subject, "text", post.campaign, "A"))


def test_a_mail_that_cannot_be_built_stops_no_other(post: Post) -> None:
    sender = MailboxSender(builder_for(post.services))
    while outbox.send_due(post.services, sender, "w"):
        pass
    queue(post, "first")
    queue(post, "second")
    queue(post, "third")
    spoil(post, "UPDATE outbox SET attachments = '[{\"wrong\": 1}]' WHERE key = 'first'")
    spoil(post, "UPDATE outbox SET headers = '{broken' WHERE key = 'second'")
    outbox.send_due(post.services, sender, "w")
    found = {m.key: m.state for m in _rows(post)}
    assert found == {"first": "failed", "second": "failed", "third": "sent"}


def _rows(post: Post) -> list[Outgoing]:
    with post.services.store.read() as session:
        rows = session.execute(text("SELECT key, state FROM outbox WHERE key IN ('first', 'second', 'third')")).all()
    return list(rows)  # type: ignore[arg-type]


def test_what_went_out_is_noted_although_the_next_one_broke_the_batch(post: Post) -> None:
    sender = MailboxSender(builder_for(post.services))
    while outbox.send_due(post.services, sender, "w"):
        pass
    for subject in ("good", "unbuildable"):
        queue(post, subject)
    with pytest.raises(ValueError, match="no such thing"):
        outbox.send_due(post.services, Half(builder_for(post.services)), "w")
    assert [m.state for m in outbox.listing(post.services, None, None, 2)] == ["queued", "sent"]


HEAD = b"From: a@b.test\r\nTo: orders@bell.test\r\nSubject: x\r\n"
COSTLY = {
    "a field of semicolons": HEAD + b"Content-Type: text/plain" + b";;;;;;;;;;\r\n " * 58_000 + b"\r\n\r\nhello",
    "heads of parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
    + (b"--x\r\nContent-Type: text/plain" + b";;;;;;;;;;\r\n " * 8_000 + b"\r\n\r\nhi\r\n") * 10,
    "parts in parts": HEAD
    + b"Content-Type: multipart/mixed; boundary*=x\r\n\r\n"
    + b"--x\r\nContent-Type: multipart/mixed; boundary =x\r\n\r\n" * 20_000,
    "forwarded mails": HEAD
    + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
    + b"--x\r\nContent-Type: message/rfc822\r\n\r\n" * 100_000,
    "bare returns": HEAD + b"Content-Type: text/plain\r\n\r\n" + b"a\r" * 1_000_000,
    "lines set in": HEAD
    + b"Content-Type: text/html\r\n\r\n"
    + b"<div style='margin-left:4px'>" * 140
    + b"<p>x" * 20_000,
    "quotations": HEAD + b"Content-Type: text/html\r\n\r\n" + b"<blockquote type=cite>" * 120 + b"<p>x" * 40_000,
}


SHEETS = {
    "press and empty lines": "PRESS x" + "\n" * 60_000 + "END",
    "an order that never ends": "MOVE (A,\n" + "B,\n" * 60_000,
    "offers among orders": "PROPOSE x\nGIVE 1 PM TO B\n" * 20_000,
    "many press": "PRESS x\n\n" * 30_000,
    "letters": "LETTER TO B\n\n" * 30_000,
}


@pytest.mark.parametrize("kind", SHEETS)
def test_no_sheet_takes_longer_to_sort_out_than_in_proportion(kind: str) -> None:
    """The words of a mail are cut at a size, and the work is in proportion to it: so no mail needs a limit of time."""
    within(4, lambda: sort_out(SHEETS[kind]))


def test_a_receipt_with_thousands_of_problems_is_written_in_proportion() -> None:
    parsed = parse(standard_board(), "nonsense 1\n" * 20_000, {})
    told = review(standard_board(), issues()[0].outcome.after, "A", parsed)
    assert within(3, lambda: receipt_text(told)).count("nonsense") >= 20_000


@pytest.mark.parametrize("kind", COSTLY)
def test_no_mail_takes_longer_to_read_than_in_proportion(kind: str) -> None:
    """Each of these once held the mailbox for half a minute and more, and with it the deadlines of all campaigns."""
    within(2, lambda: read(COSTLY[kind]))
