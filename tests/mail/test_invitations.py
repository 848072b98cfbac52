"""Saying yes or no to an invitation, by mail, in one's own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.campaign.access import links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.errors import NotNow
from tests.campaign_fixtures import FakeClock, new_campaign
from tests.mail.post import Post, services_on


@pytest.fixture
def invited(tmp_path: Path) -> Iterator[Post]:
    clock = FakeClock()
    services = services_on(f"sqlite:///{tmp_path / 'invited.sqlite'}", clock)
    yield Post(services, new_campaign(services), clock)
    services.close()


def status(post: Post, letter: str) -> str:
    return holders.seat_of(post.services, post.campaign, letter).status


def test_ten_lines_say_what_it_is_how_long_how_often_where_to_learn_it_and_how_to_answer(invited: Post) -> None:
    text = next(m for m in outbox.listing(invited.services, None) if m.kind == "invitation").text
    head = text.split("\n\n")[1].split("\n")
    assert len(head) <= 16 and all(len(line) <= 72 for line in text.split("\n"))
    for words in ("What it is:", "How long:", "How often:", "/how-to-play", "ACCEPT", "DECLINE", "Anna, Boris"):
        assert words in "\n".join(head), words
    assert "(auto:" not in text and "yes." not in text.split("in full:")[1], "options are told in sentences"


@pytest.mark.parametrize(
    "words",
    [
        "ACCEPT",
        "accept, with pleasure!",
        "Dear Gregor,\n\nthank you, I gladly accept your invitation.\n\nAnna",
        "I'm in",
        "Yes, count me in. I have wanted to play this for years.",
        "I accept, when does it begin?",
        "ACCEPT\nWhen does it begin?",
        "I accept. Maybe Boris would like to hear of it as well.",
    ],
)
def test_any_polite_sentence_accepts_and_the_gamesmaster_is_told(invited: Post, words: str) -> None:
    to_gm, answer = invited.write("A", words)
    assert status(invited, "A") == "held"
    assert to_gm.subject == "Anna accepts a seat in June 1918" and "No answer yet from Boris" in to_gm.text
    assert "Welcome to June 1918" in answer.text


@pytest.mark.parametrize("words", ["DECLINE", "I must decline, sorry: exams.", "No thanks", "I can't accept this time"])
def test_a_no_is_a_no_and_the_gamesmaster_is_told_with_the_words(invited: Post, words: str) -> None:
    to_gm, answer = invited.write("B", words)
    assert to_gm.subject == "Boris declines the invitation to June 1918"
    assert "gm campaign replace june-1918 B" in to_gm.text and (len(words) < 10 or words in to_gm.text)
    assert "Thank you for saying so" in answer.text
    seat = lookups.state(invited.services, invited.campaign).seats[1]
    assert (seat.status, seat.address) == ("invited", "")
    with pytest.raises(NotNow, match="nobody sits at B"):
        creation.deal(invited.services, invited.campaign, force=True)


def test_a_question_goes_to_the_gamesmaster_and_nothing_is_decided(invited: Post) -> None:
    to_gm, answer = invited.write("C", "How many hours a week is it, before I accept?")
    assert to_gm.address == "gm@players.test" and "How many hours" in to_gm.text
    assert "ACCEPT or the word" in answer.text and status(invited, "C") == "invited"


@pytest.mark.parametrize(
    "words",
    [
        "Would you accept a later date?",
        "Would you accept\na later date?",
        "Would you accept\nMonday the 7th instead?",
        "I will not accept this before Friday. Perhaps.",
        "I accept. Perhaps.",
        "I decline. Maybe.",
        "Can I decline later?",
        "How do I accept?",
        "accept?",
        "I might accept.",
        "I can't accept until I have asked at home.",
    ],
)
def test_a_question_or_a_perhaps_decides_nothing(invited: Post, words: str) -> None:
    to_gm, answer = invited.write("C", words)
    assert "ACCEPT or the word" in answer.text and status(invited, "C") == "invited"
    assert to_gm.address == "gm@players.test" and words.split("\n")[0] in to_gm.text


@pytest.mark.parametrize(("letter", "words"), [("A", "ACCEPT {}"), ("B", "DECLINE, sorry. {}")])
def test_the_gamesmaster_who_may_play_gets_no_key_of_a_seat_with_the_answer(
    invited: Post, letter: str, words: str
) -> None:
    """Whoever quotes their reply address or sign-in link in it would give their seat away."""
    token = invited.token(letter)
    ticket = links.sign(invited.services, Ticket(Purpose.SIGN_IN, invited.campaign, letter, links.fingerprint(token)))
    keys = f"orders+{token}@bell.test, {links.url(invited.services, ticket)}"
    before = invited.newest()
    invited.write(letter, words.format(keys))
    told = [mail for mail in invited.since(before) if mail.letter == "GM"]
    assert told and "[struck out]" in told[0].text
    assert all(secret not in told[0].text + (told[0].html or "") for secret in (token, ticket))
