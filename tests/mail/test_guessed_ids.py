"""Message-IDs of ours that somebody works out, and what a holder is asked about: confirmed is what was shown."""

from __future__ import annotations

import hashlib

from gm.campaign import keys
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import holders
from gm.store.mail_tables import Inbox, Outbox
from tests.mail.post import Post


def guessed(key: str) -> str:
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@bell.test>"


def asked(post: Post, words: str, **fields: str) -> tuple[int, Outbox]:
    number = post.hand_in(post.raw("A", words, To="orders@bell.test", **fields))
    post.clock.advance(minutes=1)
    question = outbox.by_key(post.services, keys.of_inbox(number, "held"))
    assert question is not None
    return number, question


def confirmed(post: Post, number: int) -> list[Outbox]:
    before = post.newest()
    post.write("A", "CONFIRM", To=f"orders+{post.token('A')}-q{number}@bell.test")
    post.desk.sweep()
    return post.since(before)


def test_no_message_id_can_be_worked_out(post: Post) -> None:
    rows = outbox.listing(post.services, None, limit=1000)
    assert rows and not any(row.message_id == guessed(row.key) for row in rows)


def test_a_mail_that_names_the_question_which_it_will_cause_is_done_as_it_was_shown(post: Post) -> None:
    letter, _ = post.write("B", "LETTER TO A:\nShall we speak of Moscow?\nEND")
    post.clock.advance(minutes=1)
    secret = post.services.secret_key
    for make in (guessed, lambda key: keys.message_id(secret, key, "bell.test")):  # even if they knew the secret
        before = post.hand_in(post.raw("B", "STATUS", To="orders@bell.test"))  # tells them the number of the next mail
        to_come = make(keys.of_inbox(before + 1, "held"))
        refs = f"{to_come} {guessed(letter.key)} {letter.message_id}"
        number, question = asked(post, f"GIVE 1 PM TO B # {before}", In_Reply_To=to_come, References=refs)
        assert number == before + 1 and "It answers a letter" in question.text
        told = confirmed(post, number)
        assert post.orders_of("A") == "-" and all(row.kind != "receipt" for row in told)


def test_what_would_be_understood_otherwise_than_shown_is_not_done(post: Post) -> None:
    number, _ = asked(post, "GIVE 1 PM TO B")
    with post.services.store.write() as session:
        row = session.get(Inbox, number)
        assert row is not None and row.shown
        row.shown = "0" * 64
    *_, answer = confirmed(post, number)
    assert post.orders_of("A") == "-" and "NOTHING HAS BEEN TAKEN from mail" in answer.text
    number, _ = asked(post, "GIVE 2 PM TO B")
    confirmed(post, number)
    assert post.orders_of("A") == "GIVE 2 PM TO B"


def test_a_mail_of_before_is_still_known_by_its_old_message_id(post: Post) -> None:
    letter, _ = post.write("B", "LETTER TO A:\nShall we speak of Moscow?\nEND")
    with post.services.store.write() as session:
        session.merge(letter).message_id = guessed(letter.key)
    post.write("A", "Gladly.", In_Reply_To=guessed(letter.key))
    passed = outbox.listing(post.services, None, limit=1)[0]
    assert (passed.kind, passed.address) == ("letter", post.address("B"))


def test_nobody_writes_to_the_gamesmaster_as_a_former_player_by_a_guess(post: Post) -> None:
    clara = post.address("C")
    holders.replace(post.services, post.campaign, "C", NewPlayer("Stefan", "stefan@players.test"))
    farewell = next(row for row in outbox.listing(post.services, None) if row.kind == "replaced")
    fields = {"From": f"Clara <{clara}>", "To": "orders@bell.test"}

    def writes(message_id: str) -> str:
        number = post.hand_in(post.raw("C", "I was cheated!", In_Reply_To=message_id, **fields))
        return inbox.get(post.services, number).reason or ""

    assert "who held C before" in writes(farewell.message_id), "she has the mail that she answers"
    assert writes(guessed(farewell.key)) == "unknown sender"
    with post.services.store.write() as session:
        session.merge(farewell).message_id = guessed(farewell.key)
    assert writes(guessed(farewell.key)) == "unknown sender", "nor by that of a mail of before"
