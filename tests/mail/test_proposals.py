"""PROPOSE and AGREE by mail."""

from __future__ import annotations

from gm.campaign.reads import lookups
from gm.campaign.seats import proposals
from tests.mail.post import Post


def leader_of(post: Post, letter: str) -> str:
    """A Leader that the deal gave to a player."""
    position = lookups.state(post.services, post.campaign).position
    return next(leader.name for stack in position.owned(letter) for leader in stack.leaders)


def test_a_trade_is_proposed_and_agreed_by_mail(post: Post) -> None:
    mine, theirs = leader_of(post, "A"), leader_of(post, "B")
    mails = post.write("A", f"PROPOSE GIVE {mine} TO B FOR {theirs}")
    asked, receipt = sorted(mails, key=lambda mail: mail.letter != "B")
    assert asked.letter == "B" and f"GIVE {theirs} TO A FOR {mine}" in asked.text
    assert "Your proposal 1 is on its way to Boris (B)" in receipt.text
    assert post.orders_of("A") == f"GIVE {mine} TO B FOR {theirs}"
    told = post.write("B", "AGREE 1")
    assert {mail.letter for mail in told} == {"A", "B"}
    assert post.orders_of("B") == f"GIVE {theirs} TO A FOR {mine}"


def test_to_disagree_files_nothing(post: Post) -> None:
    post.write("A", f"PROPOSE GIVE {leader_of(post, 'A')} TO B FOR {leader_of(post, 'B')}")
    post.write("B", "Disagree 1.")
    assert post.orders_of("B") == "-"


def test_to_disagree_with_ones_own_proposal_withdraws_it(post: Post) -> None:
    post.write("A", f"PROPOSE GIVE {leader_of(post, 'A')} TO B FOR {leader_of(post, 'B')}")
    told = post.write("A", "DISAGREE 1")
    assert {mail.letter for mail in told} == {"A", "B"}
    assert "You have withdrawn proposal 1" in next(mail.text for mail in told if mail.letter == "A")
    assert post.orders_of("A") == "-"


def test_a_sentence_that_agrees_with_something_is_talk(post: Post) -> None:
    post.write("A", f"PROPOSE GIVE {leader_of(post, 'A')} TO B FOR {leader_of(post, 'B')}")
    post.write("B", "Agree with you about Tver, but not in 1918.\nGIVE 1 PM TO C")
    assert post.orders_of("B") == "GIVE 1 PM TO C"


def test_letter_to_all_goes_to_every_other_player(post: Post) -> None:
    mails = post.write("A", "LETTER TO ALL:\nComrades!\nEND")
    assert sorted(m.letter for m in mails if m.kind == "letter") == ["B", "C", "D", "E"]


def test_an_answer_that_goes_to_and_fro_is_told_once_each_way(post: Post) -> None:
    post.write("A", f"PROPOSE GIVE {leader_of(post, 'A')} TO B FOR {leader_of(post, 'B')}")
    before = post.newest()
    for word in ("AGREE", "DISAGREE") * 4:
        post.clock.advance(minutes=1)
        post.write("B", f"{word} 1")
    assert len([mail for mail in post.since(before) if mail.letter == "A"]) == 2


def test_two_proposals_of_one_mail_that_begin_with_the_same_words_are_two(post: Post) -> None:
    """The second was taken for the first come again."""
    position = lookups.state(post.services, post.campaign).position
    mine = ", ".join(leader.name for stack in position.owned("A") for leader in stack.leaders)
    assert len(f"GIVE {mine} TO ") > 72
    post.write("A", f"PROPOSE GIVE {mine} TO B FOR 1 PM\n\nPROPOSE GIVE {mine} TO C FOR 2 PM")
    made = proposals.proposals_of(post.services, post.campaign, "A")
    assert len(made) == 2
