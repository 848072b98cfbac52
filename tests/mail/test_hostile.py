"""Mails that mean harm, or are broken: nothing crashes, nothing leaks, nothing is lost silently, nobody is stormed."""

from __future__ import annotations

import email
from dataclasses import replace
from email.policy import default
from pathlib import Path

import pytest

from gm.campaign.mailbox import inbox, letters, outbox
from gm.campaign.reads import lookups
from gm.mail.handle.handler import MailHandler
from gm.mail.identify.recognise import bounce_key
from gm.mail.parse.message import Envelope
from gm.mail.wiring import builder_for
from gm.store.mail_tables import Outbox
from gm.whatif.question import Answer
from tests.mail.post import LETTERS, Post
from tests.stopwatch import timed

HOSTILE = sorted((Path(__file__).parent / "hostile").glob("*.eml"))
SECONDS = 8.0  # a whole mail, on a loaded machine; the traps would take minutes


def expectation(path: Path) -> dict[str, str]:
    lines = path.read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith("#"))


def filled_in(raw: bytes, post: Post) -> bytes:
    """Tokens, and a real mail of ours for the bounces, put into their places."""
    sent = outbox.listing(post.services, None, limit=500)
    bell = next(row for row in sent if row.kind == "bell" and row.letter == "A")
    raw = raw.replace(b"@@MID@@", bell.message_id.encode())
    raw = raw.replace(b"@@KEY@@", bounce_key(post.services.secret_key, bell.message_id).encode())
    for letter in LETTERS:
        raw = raw.replace(f"@@{letter}@@".encode(), post.token(letter).encode())
    return raw


def prepared(expected: dict[str, str], post: Post) -> None:
    if "letter" in expected:
        sender, to, text = expected["letter"].split(" ", 2)
        letters.add_letter(post.services, post.campaign, sender, (to,), text)
    if "held-before" in expected:
        letter = expected["held-before"]
        post.hand_in(post.raw(letter, "GIVE 2 PM TO C", To="orders@bell.test"))


def test_there_are_at_least_forty_hostile_mails_each_with_its_expectation() -> None:
    assert len(HOSTILE) >= 40
    assert {p.stem for p in HOSTILE} == {p.stem for p in (Path(__file__).parent / "hostile").glob("*.expect")}


@pytest.mark.parametrize("path", HOSTILE, ids=lambda p: p.stem)
def test_hostile_mail_does_no_harm(path: Path, post: Post) -> None:
    expected = expectation(path.with_suffix(".expect"))
    prepared(expected, post)
    before, held_before = post.newest(), [s.id for s in inbox.in_state(post.services, "held")]
    raw = filled_in(path.read_bytes(), post)

    mail_id, took = timed(lambda: post.hand_in(raw))
    assert took < SECONDS

    state, reason = post.state_of(mail_id)
    caused = [m for m in post.since(before) if m.kind != "aside"]
    assert state in ("handled", "held", "quarantined"), "nothing is lost"
    assert state == expected["state"] or expected["state"] == "*"
    assert expected.get("reason", "") in reason
    assert inbox.get(post.services, mail_id).raw == raw, "kept as it came"
    assert len(caused) <= int(expected.get("mails-at-most", expected["mails"]))
    if "mails-at-most" not in expected:
        assert len(caused) == int(expected["mails"])
        assert {row.address for row in caused} == set(expected.get("to", "").split())
    if expected["orders"] != "*":
        assert post.orders_of("A") == expected["orders"]
    assert [s.id for s in inbox.in_state(post.services, "held") if s.id != mail_id] == held_before
    nothing_leaks(post, caused)
    if "says" in expected:
        assert any(expected["says"] in row.text for row in caused)
    if "not" in expected:
        assert not any(expected["not"] in row.text for row in caused)
    bounced = [seat.letter for seat in lookups.state(post.services, post.campaign).seats if seat.bounce]
    assert bounced == ([expected["bounced"]] if "bounced" in expected else [])


def nothing_leaks(post: Post, caused: list[Outbox]) -> None:
    """As it would go out: one header block of ours, and nothing of another seat in it."""
    builder = builder_for(post.services)
    tokens = {letter: post.token(letter) for letter in LETTERS}
    addresses = {letter: post.address(letter) for letter in LETTERS}
    for mail in (m for claimed in iter(lambda: outbox.claim(post.services, "test", 500), []) for m in claimed):
        if mail.id not in {row.id for row in caused}:
            continue
        raw = builder.build(mail)
        message = email.message_from_bytes(raw, policy=default)
        assert not message["Bcc"] and not message["Cc"]
        assert all(len(message.get_all(name, [])) == 1 for name in ("From", "To", "Subject", "Reply-To"))
        assert "elsewhere.test" not in str(message["To"])
        words = raw.decode("ascii").lower()
        for letter in LETTERS:
            if letter != mail.letter:
                assert tokens[letter] not in words
                assert addresses[letter] not in words


def test_the_same_mail_twice_is_taken_once(post: Post) -> None:
    raw = post.raw("A", "GIVE 1 PM TO B")
    first, again = post.hand_in(raw), post.hand_in(raw)
    assert first == again
    assert len([r for r in outbox.listing(post.services, None) if r.kind == "receipt"]) == 1


def test_the_same_mail_on_two_roads_is_taken_once(post: Post) -> None:
    raw = post.raw("A", "PRESS Hear, hear.\nEND")
    post.hand_in(raw)
    other = post.hand_in(b"Received: from elsewhere by mx.bell.test; Mon, 2 Mar 2026 10:00:00 +0000\n" + raw)
    assert post.state_of(other) == ("handled", f"the same mail as {other - 1}")
    assert len(letters.letters_of(post.services, post.campaign, "A")) == 1


def test_old_orders_sent_again_under_the_old_message_id_do_not_replace_newer_ones(post: Post) -> None:
    old = post.raw("A", "GIVE 1 PM TO B")
    post.hand_in(old)
    post.write("A", "GIVE 2 PM TO C")
    post.hand_in(b"X-Resent: yes\n" + old)
    assert post.orders_of("A") == "GIVE 2 PM TO C"


def test_another_text_under_a_known_message_id_goes_into_quarantine(post: Post) -> None:
    old = post.raw("A", "GIVE 1 PM TO B")
    post.hand_in(old)
    forged = post.hand_in(old.replace(b"1 PM TO B", b"3 PM TO E"))
    assert post.state_of(forged)[0] == "quarantined"
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_orders_of_an_earlier_phase_are_refused_by_their_guard(post: Post) -> None:
    (answer,) = post.write("A", "ORDERS June 1918 Second Phase\nGIVE 1 PM TO B")
    assert "NOT TAKEN" in answer.text
    assert post.orders_of("A") == "-"


def test_a_mail_of_twenty_megabytes_is_kept_as_its_head_and_answered_once(post: Post) -> None:
    raw = post.raw("A", "GIVE 1 PM TO B\n" + "x" * 76 + "\n" + ("y" * 76 + "\n") * 270_000)
    assert len(raw) > 20_000_000
    before = post.newest()
    mail_id = post.hand_in(raw)
    kept = inbox.get(post.services, mail_id)
    assert len(kept.raw) < 100_000 and kept.state == "handled"
    (answer,) = post.since(before)
    assert "too large" in answer.text
    assert post.orders_of("A") == "-"


def test_a_thousand_mails_in_a_minute_are_all_taken_and_hardly_answered(post: Post) -> None:
    before = post.newest()
    for number in range(1000):
        post.desk.take(post.raw("A", f"GIVE {number % 3 + 1} PM TO B"), Envelope(source="imap"))
    while post.desk.sweep(100):
        pass
    caused = [m for m in post.since(before) if m.kind != "aside"]
    assert len(caused) <= post.limits.answers_a_minute + 1
    assert sum("So many mails" in row.subject for row in caused) == 1
    assert len(inbox.in_state(post.services, "handled", limit=2000)) == 1000
    assert post.orders_of("A") == "GIVE 1 PM TO B", "the last one counts"


def test_a_flood_of_large_mails_from_a_stranger_fills_no_disk(post: Post) -> None:
    for number in range(260):
        raw = f"From: evil@elsewhere.test\nMessage-ID: <{number}@elsewhere.test>\n\n{'z' * 70_000}".encode()
        post.desk.take(raw, Envelope(source="imap"))
    while post.desk.sweep(100):
        pass
    slips = inbox.quarantined(post.services, limit=1000)
    assert len(slips) == 260
    last = inbox.get(post.services, slips[0].id)
    assert len(last.raw) < 66_000 and b"X-Kolokol-Truncated: 700" in last.raw


def falls_over(*asked: object) -> Answer:
    raise RuntimeError("something that nobody thought of")


def test_a_mail_that_cannot_be_dealt_with_ends_in_quarantine_and_the_next_is_read(post: Post) -> None:
    """An error deep in what a mail asks for, not in reading it."""
    desk = MailHandler(replace(post.services, what_if=falls_over))
    bad, good = (
        post.desk.take(post.raw("A", words), Envelope(source="pipe"))
        for words in ("WHATIF\nGIVE 1 PM TO B", "GIVE 2 PM TO B")
    )
    desk.sweep()
    desk.answer_questions()
    assert post.state_of(bad) == ("quarantined", "unreadable: RuntimeError")
    assert post.state_of(good)[0] == "handled" and post.orders_of("A") == "GIVE 2 PM TO B"
