"""What a player can do by mail, and what he is told."""

from __future__ import annotations

import email
from email.policy import default
from pathlib import Path

import pytest
from sqlalchemy import select

from gm.campaign import ticker
from gm.campaign.access import links
from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import inbox, letters, outbox
from gm.campaign.manage import deadlines
from gm.campaign.phase import intake, rollback
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.mail.wiring import builder_for
from gm.store.mail_tables import Outbox
from gm.store.tables import Request
from tests.campaign_fixtures import FakeClock
from tests.mail.post import Post, begin, services_on


def sent_as(post: Post, row: Outbox) -> email.message.EmailMessage:
    """The mail as it goes out."""
    claimed = iter(lambda: outbox.claim(post.services, "test", 1000), [])
    mail = next(m for batch in claimed for m in batch if m.id == row.id)
    message = email.message_from_bytes(builder_for(post.services).build(mail), policy=default)
    assert isinstance(message, email.message.EmailMessage)
    return message


def test_a_receipt_has_canonical_form_problems_seal_and_the_deadline_in_the_players_own_zone(post: Post) -> None:
    (answer,) = post.write("E", "give 1 PM to B\nGIVE Lennin TO B\n")
    assert answer.address == post.address("E")
    assert "E1  GIVE 1 PM TO B" in answer.text
    assert "NOT UNDERSTOOD" in answer.text and "^^^" in answer.text
    assert "Deadline:  Monday 9 March 2026, 05:00 (Asia/Tokyo)" in answer.text
    own = intake.current_orders(post.services, post.campaign, "E")
    assert own is not None and own.receipt in answer.text


def test_a_later_mail_replaces_and_add_adds(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    (second,) = post.write("A", "GIVE 2 PM TO C")
    assert "This sheet (version 2) replaces your earlier one." in second.text
    (third,) = post.write("A", "ADD\nGIVE 1 AM TO D")
    assert post.orders_of("A") == "GIVE 2 PM TO C\nGIVE 1 AM TO D"
    assert "what you have added begins with A2" in third.text and "A1  GIVE 2 PM TO C" in third.text
    (fourth,) = post.write("A", "CANCEL ALL")
    assert "withdrawn" in fourth.text and post.orders_of("A") == "-"


def test_a_sheet_refused_by_its_guard_is_not_said_to_be_kept(post: Post) -> None:
    (answer,) = post.write("A", "ORDERS July 1918 First Phase\nGIVE 1 PM TO B")
    assert "NOT TAKEN" in answer.text and "kept" not in answer.text


def test_press_alone_leaves_the_orders_on_file(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    (answer,) = post.write("A", 'PRESS AS "Moscow" Snow falls.\nEND')
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    assert "will stand in the next issue" in answer.text
    assert [x.text for x in letters.letters_of(post.services, post.campaign, "A")] == ["Snow falls."]


def test_orders_after_the_deadline_are_refused_kept_and_explained(post: Post) -> None:
    post.clock.advance(days=9)
    (answer,) = post.write("A", "GIVE 1 PM TO B")
    assert "TOO LATE" in answer.text
    assert [v.status for v in intake.versions(post.services, post.campaign, "A")] == ["late"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("HELP", "One order a line"),
        ("HELP move", "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"),
        ("HELP letters", "LETTER TO B, C"),
        ("HELP RULES", "HELP and a number tells one"),
        ("HELP 5.27", "5.27 A force must stop as soon as"),
        ("HELP 8", "Below 1-2 there is no attack"),
        ("HELP J7", "J7 The snapshot"),
        ("HELP nonsense", 'There is no help on "nonsense"'),
        ("HELP second", "SUBVERT"),
        ("STATUS", "Awaited:     Anna (A), Boris (B), Clara (C), Dmitri (D) and Elena (E)"),
        ("POSITIONS", "A  BOX:"),
        ("POSITIONS B", "B  BOX:"),
        ("POSITIONS Boris", "B  BOX:"),
        ("POSITIONS Atlantis", "no player and no province"),
        ("MAP", "The map as in The Bell #1"),
        ("HISTORY", "#1"),
        ("HISTORY 1", "TVER"),
        ("HISTORY 7", "could not be done"),
        ("RULINGS", "J1"),
        ("RULINGS J18", "Purge Strength"),
        ("RULINGS 5.27", "J"),
        ("WHOAMI", "player A in June 1918"),
        ("ZONE Europe/Paris", "Europe/Paris"),
        ("ZONE Nowhere/Land", "could not be done"),
        ("ZONE localtime", "could not be done"),
        ("ZONE posix/Europe/London", "could not be done"),
        ("WAIT", "stays open until its deadline"),
        ("ACCEPT", "You have your seat"),
        ("UNSUBSCRIBE", "RESIGN"),
        ("CONFIRM", "Nothing of yours is waiting"),
    ],
)
def test_a_question_is_answered(post: Post, question: str, told: str) -> None:
    (answer,) = post.write("A", question)
    assert told in answer.text
    if question != "HISTORY 1":  # an old issue is as wide as it was printed
        assert max(len(line) for line in answer.text.split("\n") if "http" not in line) <= 100


def test_positions_of_one_player_show_only_his(post: Post) -> None:
    (answer,) = post.write("A", "POSITIONS B")
    lines = [line for line in answer.text.split("\n") if line[1:3] == "  "]
    assert lines and all(line.startswith("B") for line in lines)


def test_one_mail_with_many_wishes_is_answered_with_one_mail(post: Post) -> None:
    caused = post.write("A", "GIVE 1 PM TO B\nSTATUS\nHELP give\nWHOAMI\nABSENT from 5 March to 9 March\nnice weather")
    to_me = [row for row in caused if row.address == post.address("A")]
    assert len(to_me) == 1
    said = " ".join(to_me[0].text.split())
    assert "Read as conversation, not as orders, and passed on to nobody: nice weather" in said
    assert "put LETTER TO GM: or, for a player, LETTER TO BORIS: before it" in said


def test_an_answer_says_what_may_be_answered_and_how_a_person_is_reached(post: Post) -> None:
    (answer,) = post.write("A", "May two Leaders move together?")
    said = " ".join(answer.text.split())
    assert "none reads it" in said and "Answer this mail with orders or a command; HELP lists what there is." in said
    assert "To reach the Gamesmaster in person, begin with LETTER TO GM:" in said and said.count("LETTER TO") == 1
    assert "questions" not in said and "Your orders stand." not in said
    (status,) = post.write("A", "STATUS")
    foot = "What Gregor is to read begins with LETTER TO GM: and goes on in your own words."
    assert foot in " ".join(status.text.split())


def test_who_only_talks_is_told_once_how_to_reach_somebody_and_that_their_orders_stand(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    (answer,) = post.write("A", "What fine weather!\n\nSTATUS")
    said = " ".join(answer.text.split())
    assert "put LETTER TO GM: or, for a player, LETTER TO BORIS: before it. Your orders stand." in said
    assert "What Gregor is to read" not in said


def test_absent_and_extend_reach_the_gamesmaster(post: Post) -> None:
    caused = post.write("A", "ABSENT from 5 March to 9 March\n\nEXTEND please, my train is late")
    assert sorted(row.address for row in caused) == ["anna@players.test", "gm@players.test", "gm@players.test"]
    kinds = {(r.kind, str(r.starts), str(r.ends), r.note) for r in deadlines.requests(post.services, post.campaign)}
    assert ("absence", "2026-03-05", "2026-03-09", "") in kinds
    assert ("extension", "None", "None", "please, my train is late") in kinds


def test_who_goes_away_can_ask_for_a_stand_in(post: Post) -> None:
    caused = post.write("A", "ABSENT from 5 March to 9 March STANDIN")
    (answer,) = [row for row in caused if row.address == post.address("A")]
    assert "A stand-in plays for you" in " ".join(answer.text.split())
    (asked,) = deadlines.requests(post.services, post.campaign)
    assert (asked.standin, str(asked.starts), str(asked.ends)) == (True, "2026-03-05", "2026-03-09")


def test_two_absences_in_one_mail_are_two(post: Post) -> None:
    """Once the second was confirmed and not recorded."""
    post.write("A", "ABSENT from 5 March to 9 March\nABSENT from 20 March to 25 March STANDIN")
    with post.services.store.read() as session:
        known = {(row.starts.day, row.standin) for row in session.scalars(select(Request)) if row.starts}
    assert known == {(5, False), (20, True)}


def test_an_unclear_absence_is_asked_about(post: Post) -> None:
    (answer,) = post.write("A", "ABSENT from 3/5/2026 to 3/8/2026")
    assert "ABSENT from 2026-03-05 to 2026-03-12" in answer.text
    assert not deadlines.requests(post.services, post.campaign)


def test_resign_asks_first_and_happens_only_when_confirmed(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    (asked,) = post.write("A", "RESIGN")
    assert "Nothing has happened yet" in asked.text
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    token = asked.text.split("/in#")[1].split()[0]
    assert links.read(post.services, token, Purpose.RESIGN).letter == "A"
    assert lookups.state(post.services, post.campaign).seat("A").status == "held"
    post.write("A", "CONFIRM RESIGN")
    assert lookups.state(post.services, post.campaign).seat("A").status == "resigning"


@pytest.mark.parametrize("words", ["RESIGN", "LEAVE"])
def test_who_confirms_what_nobody_asked_is_asked_first(post: Post, words: str) -> None:
    (asked,) = post.write("A", f"CONFIRM {words}")
    assert "Nothing has happened yet" in " ".join(asked.text.split())
    assert lookups.state(post.services, post.campaign).seat("A").status == "held"
    assert len(post.write("A", f"CONFIRM {words}", Subject="Re: yes")) >= 5


@pytest.mark.parametrize("words", ["RESIGN", "LEAVE TO STANDIN"])
@pytest.mark.parametrize("is_open", [True, False])
def test_what_was_asked_in_a_phase_that_was_rolled_back_is_asked_again(
    first_phase: Post, words: str, is_open: bool
) -> None:
    post, confirmed = first_phase, f"CONFIRM {words.split()[0]}"
    post.write("A", words)
    post.clock.advance(minutes=5)
    deadlines.close_early(post.services, post.campaign)
    assert not ticker.tick(post.services).failed
    rollback.rollback(post.services, post.campaign, 1, "first", "a slip", actor="keeper")
    if is_open:
        assert not ticker.tick(post.services).failed
    (asked,) = post.write("A", confirmed)
    assert "Nothing has happened yet" in " ".join(asked.text.split())
    assert lookups.state(post.services, post.campaign).seat("A").status == "held"


def test_a_resignation_that_is_repeated_mails_nobody_else(post: Post) -> None:
    """Each CONFIRM RESIGN mailed everybody once more."""
    post.write("A", "RESIGN")
    assert len(post.write("A", "CONFIRM RESIGN")) >= 5
    for _ in range(3):
        post.clock.advance(minutes=1)
        (told,) = post.write("A", "CONFIRM RESIGN")
        assert (told.letter, told.kind) == ("A", "answer") and "has left the game already" in " ".join(
            told.text.split()
        )


def test_a_seat_is_left_to_a_stand_in_when_confirmed_and_given_back_with_a_briefing(post: Post) -> None:
    services, campaign = post.services, post.campaign
    ticker.tick(services)
    post.write("B", "STANDING REFUSE GIFTS")
    (asked,) = post.write("B", "Leave my seat to a stand-in, please.")
    assert "Nothing has\nhappened yet" in asked.text
    token = asked.text.split("/in#")[1].split()[0]
    assert links.read(services, token, Purpose.LEAVE).letter == "B"
    for words in ("CONFIRM LEAVE\nSTATUS", "No!\n\nCONFIRM LEAVE", f"Oh dear.\n\n{asked.text}"):
        post.write("B", words, **{"In-Reply-To": asked.message_id})
    assert lookups.state(services, campaign).seat("B").held
    old, address = post.token("B"), post.address("B")
    told = post.write("B", "CONFIRM LEAVE\n\n" + "\n".join(f"> {line}" for line in asked.text.split("\n")))
    assert {mail.kind for mail in told} == {"leaving", "left_to_standin"}  # no answer: it would hold the new keys
    farewell = next(mail for mail in told if mail.kind == "left_to_standin")
    assert farewell.address == address and post.token("B") not in str(sent_as(post, farewell))
    seat = lookups.state(services, campaign).seat("B")
    assert (seat.held, seat.standin, holders.seat_by_token(services, old)) == (False, True, None)
    deadlines.close_early(services, campaign)
    ticker.tick(services)
    holders.replace(services, campaign, "B", NewPlayer("Boris", address))
    (briefing,) = [m for m in outbox.listing(services, campaign) if m.kind == "briefing"]
    assert "STANDING REFUSE GIFTS" in briefing.text and "in place of Belsky" in " ".join(briefing.text.split())
    seat = lookups.state(services, campaign).seat("B")
    assert (seat.name, seat.held, seat.standin) == ("Boris", True, False)
    (asked,) = post.write("B", "LEAVE TO STANDIN")
    post.write("B", "CONFIRM LEAVE TO STANDIN", **{"In-Reply-To": asked.message_id})
    assert not lookups.state(services, campaign).seat("B").held


def test_a_mail_of_too_many_parts_is_read_as_far_as_it_goes_and_he_is_told(post: Post) -> None:
    parts = "".join(f"--b\nContent-Type: text/plain\n\nline {n}\n" for n in range(150))
    (answer,) = post.write("A", parts + "--b--\n", **{"Content-Type": "multipart/mixed; boundary=b"})
    assert "more parts or lines than I read" in " ".join(answer.text.split())


# --- letters


def test_a_letter_is_passed_on_without_any_address(post: Post) -> None:
    letter, receipt = post.write("A", "LETTER TO Boris: Shall we talk?\nAnna <anna@players.test>\nEND")
    assert letter.address == "boris@players.test" and "Shall we talk?" in letter.text
    message = sent_as(post, letter)
    assert "anna@players.test" not in message.as_string()
    assert "Anna (A)" in str(message["From"]) and "gm@bell.test" in str(message["From"])
    assert f"orders+{post.token('B')}-1@bell.test" in str(message["Reply-To"])
    assert message["Auto-Submitted"] is None, "a letter is a person's"
    assert "has gone to Boris (B)" in receipt.text


def test_an_answer_to_a_letter_goes_back_and_threads_with_the_first(post: Post) -> None:
    raw = post.raw("A", "LETTER TO B: Shall we talk?\nEND", **{"Message-ID": "<first@players.test>"})
    post.hand_in(raw)
    before = post.newest()
    first = next(r for r in outbox.listing(post.services, None) if r.kind == "letter")
    reply = post.raw(
        "B",
        "With pleasure.\nMOVE Lenin: PETR-PSKO would be wise.\n\n> Shall we talk?\n",
        To=f"orders+{post.token('B')}-1@bell.test",
        Subject="Re: A letter",
        **{"In-Reply-To": first.message_id},
    )
    post.hand_in(reply)
    back = next(r for r in post.since(before) if r.kind == "letter")
    assert back.address == "anna@players.test"
    assert "With pleasure." in back.text and "> Shall" not in back.text
    assert sent_as(post, back)["In-Reply-To"] == "<first@players.test>"
    assert post.orders_of("B") == "-", "nothing in a letter is an order"
    told = next(r for r in post.since(before) if r.kind == "answer")
    assert "NOT taken as your orders" in told.text


def test_the_answer_to_the_answer_threads_too(post: Post) -> None:
    post.write("A", "LETTER TO B: one\nEND")
    reply = {"To": f"orders+{post.token('B')}-1@bell.test", "Message-ID": "<two@players.test>"}
    back = next(r for r in post.write("B", "two", **reply) if r.kind == "letter")
    assert back.address == "anna@players.test"
    again = next(r for r in post.write("A", "three", To=f"orders+{post.token('A')}-2@bell.test") if r.kind == "letter")
    assert again.address == "boris@players.test"
    assert sent_as(post, again)["In-Reply-To"] == "<two@players.test>"


def test_an_anonymous_letter_names_nobody_and_can_be_answered(post: Post) -> None:
    letter = next(r for r in post.write("A", "LETTER ANONYMOUS TO B: Beware.\nEND") if r.kind == "letter")
    words = sent_as(post, letter).as_string()
    assert "Anna" not in words and "(A)" not in words
    back = post.write("B", "Of whom?", To=f"orders+{post.token('B')}-1@bell.test")
    assert [r.address for r in back] == ["anna@players.test"]


def test_who_wrote_unsigned_stays_so_when_they_answer_the_answer(post: Post) -> None:
    post.write("A", "LETTER ANONYMOUS TO B: Beware.\nEND")
    post.write("B", "Of whom?", To=f"orders+{post.token('B')}-1@bell.test")
    again = next(r for r in post.write("A", "Of C.", To=f"orders+{post.token('A')}-2@bell.test") if r.kind == "letter")
    words = sent_as(post, again).as_string()
    assert again.address == post.address("B") and "Anna" not in words and "(A)" not in words


def test_an_unsigned_letter_to_all_does_not_say_who_else_got_it(post: Post) -> None:
    """Once it said "to B, C, D, E", and so that it was A's."""
    copies = [m for m in post.write("A", "LETTER ANONYMOUS TO ALL: Beware.\nEND") if m.kind == "letter"]
    assert len(copies) == 4
    assert all("An unsigned letter to you:" in copy.text for copy in copies)
    seen = next(x for x in letters.letters_of(post.services, post.campaign, "C") if x.kind == "letter")
    assert (seen.sender, seen.recipients) == (None, ("C",))


def test_anonymous_letters_are_refused_where_the_campaign_does_not_allow_them(tmp_path: Path, clock: FakeClock) -> None:
    services = services_on(f"sqlite:///{tmp_path}/x.sqlite", clock)
    post = Post(services, begin(services), clock)
    (answer,) = post.write("A", "LETTER ANONYMOUS TO B: Beware.\nEND")
    assert "no anonymous letters" in " ".join(answer.text.split())
    services.close()


def test_a_letter_to_nobody_is_not_sent(post: Post) -> None:
    (answer,) = post.write("A", "LETTER TO Zorro: hello\nEND")
    assert "NOT SENT" in answer.text and "Zorro" in answer.text


def test_a_letter_to_the_gamesmaster(post: Post) -> None:
    letter, _ = post.write("A", "LETTER TO GM: May I?\nEND")
    assert letter.address == "gm@players.test"


# --- who is who


def test_a_known_address_without_token_is_held_until_confirmed_by_link(post: Post) -> None:
    (asked,) = post.write("A", "GIVE 1 PM TO B", To="orders@bell.test")
    assert "NOTHING HAS BEEN TAKEN YET" in asked.text and post.orders_of("A") == "-"
    token = asked.text.split("/in#")[1].split()[0]
    ticket = links.read(post.services, token, Purpose.CONFIRM)
    inbox.release(post.services, int(ticket.data["inbox"]), "A")  # what the page does
    assert post.desk.sweep() == 1
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_a_held_mail_is_confirmed_by_answering_the_question(post: Post) -> None:
    (asked,) = post.write("A", "GIVE 1 PM TO B", To="orders@bell.test")
    post.write("A", "CONFIRM", **{"In-Reply-To": asked.message_id})
    post.desk.sweep()
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_a_confirmation_is_for_one_mail_and_lets_no_forged_one_through(post: Post) -> None:
    (asked,) = post.write("A", "GIVE 1 PM TO B", To="orders@bell.test")
    post.write("A", "GIVE 3 PM TO E", To="orders@bell.test")  # somebody else, in her name
    (unclear,) = post.write("A", "CONFIRM")
    assert "Which mail do you mean?" in unclear.text and post.desk.sweep() == 0
    post.write("A", "CONFIRM", **{"In-Reply-To": asked.message_id})
    assert post.desk.sweep() == 1
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    assert len(inbox.in_state(post.services, "held")) == 1


def test_forged_mail_asks_a_player_a_few_times_only_and_does_not_silence_his_own(post: Post) -> None:
    before = post.newest()
    for _ in range(100):
        post.write("A", "GIVE 3 PM TO E", To="orders@bell.test")
    assert len(post.since(before)) == post.limits.questions_an_hour + 1, "and one that says why no more come"
    (answer,) = post.write("A", "STATUS")
    assert "Waiting for your confirmation" in answer.text


def test_orders_confirmed_after_the_deadline_count_by_when_they_came(post: Post) -> None:
    """The time of receipt counts; a confirmation after sealing is too late all the same."""
    (asked,) = post.write("A", "GIVE 1 PM TO B", To="orders@bell.test")
    post.clock.advance(days=9)
    post.write("A", "CONFIRM", **{"In-Reply-To": asked.message_id})
    post.desk.sweep()
    statuses = [v.status for v in intake.versions(post.services, post.campaign, "A")]
    assert len(statuses) == 1


def test_orders_that_waited_for_confirmation_do_not_replace_newer_ones(post: Post) -> None:
    (asked,) = post.write("A", "GIVE 1 PM TO B", To="orders@bell.test")
    post.clock.advance(hours=1)
    post.write("A", "GIVE 2 PM TO C")
    post.write("A", "CONFIRM", **{"In-Reply-To": asked.message_id})
    before = post.newest()
    post.desk.sweep()
    assert post.orders_of("A") == "GIVE 2 PM TO C"
    (answer,) = post.since(before)
    assert "newer orders of yours" in " ".join(answer.text.split())


def test_the_subject_tag_stands_for_the_address(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B", To="orders@bell.test", Subject=f"Re: The Bell [bell {post.token('A')}]")
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_a_replaced_player_can_order_no_more(post: Post) -> None:
    old = post.raw("A", "GIVE 1 PM TO B")
    holders.replace(post.services, post.campaign, "A", NewPlayer("Nina", "nina@players.test"))
    number = post.hand_in(old)
    assert post.state_of(number)[0] == "quarantined"
    assert post.orders_of("A") == "-"


def test_an_automatic_reply_of_a_player_is_noted_at_his_seat_and_not_answered(post: Post) -> None:
    number = post.hand_in(post.raw("A", "I am away.", **{"Auto-Submitted": "auto-replied"}))
    mail = inbox.get(post.services, number)
    assert (mail.state, mail.letter, mail.reason) == ("handled", "A", "auto-reply: Auto-Submitted: auto-replied")


def test_the_gamesmaster_can_ask_but_not_order(post: Post) -> None:
    raw = (
        f"From: Gregor <gm@players.test>\nTo: orders+{post.token('GM')}@bell.test\nSubject: x\nMessage-ID: <g@p>\n\n"
        "GIVE 1 PM TO B\nSTATUS\n"
    ).encode()
    before = post.newest()
    post.hand_in(raw)
    (answer,) = post.since(before)
    assert "Awaited" in answer.text and "a Gamesmaster's seat has no pieces" in " ".join(answer.text.split())


def test_orders_typed_between_the_unmarked_lines_of_our_own_mail_are_found(post: Post) -> None:
    bell = next(r for r in outbox.listing(post.services, None, limit=100) if r.kind == "bell" and r.letter == "A")
    lines = bell.text.split("\n")
    quoted = "\n".join([*lines[:8], "GIVE 1 PM TO B", *lines[8:]])
    block = "From: The Bell\nSent: Monday, March 2, 2026\nTo: Anna\nSubject: The Bell #1"
    post.write("A", f"See inside.\n\n{block}\n\n{quoted}", **{"In-Reply-To": bell.message_id})
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_what_stands_in_a_bell_is_never_taken_for_orders(post: Post) -> None:
    """A reply with nothing but the whole Bell below it, in each way of quoting, holds no orders."""
    bell = next(r for r in outbox.listing(post.services, None, limit=100) if r.kind == "bell" and r.letter == "A")
    block = "From: The Bell\nSent: Monday, March 2, 2026\nTo: Anna\nSubject: The Bell #1\n\n"
    marked = "On Mon, Mar 2, 2026 The Bell <x@bell.test> wrote:\n" + "\n".join("> " + x for x in bell.text.split("\n"))
    for body in (block + bell.text, marked):
        post.write("A", "Thanks!\n\n" + body, **{"In-Reply-To": bell.message_id})
    assert post.orders_of("A") == "-"


def test_mail_moves_the_campaign_to_its_next_bell(post: Post) -> None:
    for letter in "ABCDE":
        post.write(letter, "VOTE CONTINUE\nREADY")
    post.clock.advance(hours=13)
    assert not ticker.tick(post.services).failed
    assert lookups.state(post.services, post.campaign).bell_number == 2


@pytest.mark.parametrize(
    "words",
    [
        "LETTER TO B: ANONYMOUS\nBeware of C.\nEND",
        "LETTER TO B:\nAnonymous.\nBeware of C.\nEND",
        "LETTER TO B: ANONYMOUS Beware of C.\nEND",
        "LETTER TO B: (unsigned)\n\nBeware of C.\nEND",
        "LETTER TO B:\nBeware of C.\n\nAnonymous\nEND",
    ],
)
def test_a_letter_that_says_so_in_its_first_or_last_line_names_nobody(post: Post, words: str) -> None:
    letter = next(mail for mail in post.write("A", words) if mail.kind == "letter")
    name = holders.seat_of(post.services, post.campaign, "A").name
    assert "Beware of C." in letter.text and name not in letter.text + letter.subject


def test_a_letter_about_what_is_anonymous_is_signed_as_ever(post: Post) -> None:
    words = "LETTER TO B: Anonymous letters are foul.\nI sign mine.\nEND"
    letter = next(mail for mail in post.write("A", words) if mail.kind == "letter")
    assert "Anonymous letters are foul." in letter.text
    assert holders.seat_of(post.services, post.campaign, "A").name in letter.text
