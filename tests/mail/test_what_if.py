"""WHATIF before the orders of a mail: they are tried out, and nothing is filed."""

from __future__ import annotations

from tests.mail.post import Post


def test_orders_below_whatif_are_tried_and_not_filed(post: Post) -> None:
    (answer,) = post.write("A", "WHATIF 20\nGIVE 1 PM TO B\n\nGUESS B\nREFUSE GIFTS\n")
    assert "20 plays of this Phase" in " ".join(answer.text.split())
    assert "1. GIVE 1 PM TO B | Failed every time." in " ".join(answer.text.split())
    assert "You guessed for B; everybody else played as a stand-in would." in " ".join(answer.text.split())
    assert post.orders_of("A") == "-"
    assert [a["name"] for a in answer.attachments] == ["a-bell-as-it-might-read.txt"]


def test_the_word_in_a_sentence_is_talk(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B\n\nWhat if I were to march on Tver?")
    assert post.orders_of("A") == "GIVE 1 PM TO B"
