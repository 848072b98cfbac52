"""Small things that a reader of our mails stumbled over."""

from __future__ import annotations

from gm.board.load import standard_board
from gm.campaign.mailbox import outbox
from gm.campaign.notices import explain
from gm.campaign.options import from_mapping
from tests.campaign_fixtures import let_pass
from tests.mail.post import Post


def test_zone_and_status_in_one_mail_speak_of_the_same_clock(post: Post) -> None:
    (answer,) = post.write("A", "ZONE Asia/Tokyo\nSTATUS")
    assert answer.text.count("(Asia/Tokyo)") == 2 and "Europe/London" not in answer.text


def test_status_says_in_words_that_nobody_is_awaited(post: Post) -> None:
    for letter in "ABCDE":
        post.write(letter, "HOLD")
    (answer,) = post.write("A", "STATUS")
    assert "Awaited:     nobody\n" in answer.text and "nobody's" not in answer.text


def test_rulings_have_no_heading_without_a_ruling(post: Post) -> None:
    (answer,) = post.write("A", "RULINGS")
    assert "What each order can come to" not in answer.text and "First Phase: trades" in answer.text


def test_twice_is_not_the_2_time(post: Post) -> None:
    let_pass(post.services, post.clock, days=16)
    told = [m for m in outbox.listing(post.services, post.campaign) if m.kind in ("no_orders", "find_standby")]
    assert any("sent nothing twice" in m.subject for m in told)
    assert not [m for m in told if "2. time" in m.text + m.subject]


def test_one_day_is_not_1_days() -> None:
    options = from_mapping(dict.fromkeys(("pregame_days", "first_days", "second_days", "nmr_limit"), 1))
    told = explain(options, standard_board())
    assert not [sentence for sentence in told if " 1 " in sentence]
