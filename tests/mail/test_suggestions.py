"""What a receipt says would work does work, in the whole sheet and for the player who asks."""

from __future__ import annotations

from gm.campaign.reads import lookups
from gm.orders.check.checker import check
from gm.orders.parser import parse
from tests.mail.post import Post


def suggestions(text: str) -> list[str]:
    lines = text.replace("|", " ").split("\n")
    return [line.split("This would work: ")[1].strip() for line in lines if "This would work: " in line]


def test_no_suggestion_is_refused_in_its_turn(first_phase: Post) -> None:
    post = first_phase
    state = lookups.state(post.services, post.campaign)
    theirs = next(s.leaders[0] for s in state.position.owned("B") if s.leaders)
    wrong = theirs.name[:-1] + "q"
    for sheet in ("PURGE B USING 1 PM", "PURGE B USNG 1 PM", f"MOVE {wrong} TO PSKO", "GIVE 99 PM TO B"):
        (answer,) = post.write("A", sheet)
        for line in suggestions(answer.text):
            read = parse(state.board, line, tuple("ABCDE"))
            found = check(state.board, state.position, "A", read.sheet)
            assert not [p for p in found if p.severity == "problem"], (sheet, line, found)
            assert theirs.name not in line


def test_a_misspelt_budenny_is_found(post: Post) -> None:
    (answer,) = post.write("A", "GIVE Budeny TO C")
    assert "Budenny" in answer.text
