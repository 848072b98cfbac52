"""What a player is told of orders that came by mail: corrections, ADD, two Phases at once, HOLD, attacks in HTML."""

from __future__ import annotations

import pytest

from gm.campaign.phase import intake
from gm.campaign.reads import summaries
from tests.mail.post import Post


def nine(post: Post) -> str:
    """Orders that any deal allows, nine if it gave A so many Leaders."""
    leaders = [
        piece.name for stack in summaries.position(post.services, post.campaign).owned("A") for piece in stack.leaders
    ]
    return "\n".join(f"GIVE {name} TO B" for name in leaders[:9])


def test_a_one_line_correction_of_nine_orders_leads_with_what_was_dropped_and_offers_add(post: Post) -> None:
    sheet = nine(post)
    post.write("A", sheet)
    (answer,) = post.write("A", "GIVE 2 PM TO C")
    told = " ".join(answer.text.split())
    assert f"NO LONGER ON FILE: {len(sheet.splitlines())} of the orders" in told
    assert told.index("NO LONGER ON FILE") < told.index("A1 GIVE 2 PM TO C")
    again = answer.text[answer.text.index("    ADD\n") :].split("\n\n")[
        0
    ]  # with the bars that keep it from being taken
    post.write("A", "\n".join(line.strip("| ") for line in again.split("\n")))
    assert post.orders_of("A") == f"GIVE 2 PM TO C\n{sheet}"


def test_what_cannot_be_done_is_neither_promised_nor_offered_again(post: Post) -> None:
    other = next(stack for stack in summaries.position(post.services, post.campaign).owned("B") if stack.leaders)
    impossible = f"GIVE {other.leaders[0].name} TO C"
    (answer,) = post.write("A", f"{impossible}\nREADY")
    told = " ".join(answer.text.split())
    assert "on file, but it cannot be carried out" in told and "You are READY with your sheet as it stands" in told
    assert "It happens if" not in told
    (answer,) = post.write("A", "HOLD")
    assert "NO LONGER" not in answer.text and impossible not in answer.text


def test_a_whole_new_sheet_of_the_same_length_is_not_said_to_drop_anything(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B\nGIVE 1 PM TO C")
    (answer,) = post.write("A", "GIVE 1 PM TO B\nGIVE 2 PM TO C")
    assert "NO LONGER" not in answer.text and "This sheet (version 2) replaces your earlier one." in answer.text


def test_add_numbers_on_and_repeats_what_is_still_unread(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B\nGIVE Lennin TO B")
    (answer,) = post.write("A", "ADD\nGIVE 1 PM TO C")
    assert "A1  GIVE 1 PM TO B" in answer.text and "A3  GIVE 1 PM TO C" in answer.text
    assert "There is no Leader “Lennin”" in " ".join(answer.text.split())
    assert "begins with A3" in answer.text and "To mend it" in answer.text


def test_add_lists_only_what_is_really_without_orders(first_phase: Post) -> None:
    post = first_phase
    (whole,) = post.write("A", "HOLD PETR")
    idle = [line for line in whole.text.split("Without orders:")[1].split("\n") if line.startswith("    ")]
    assert len(idle) > 1
    province, pieces = idle[0].strip().split(": ")
    post.write("A", f"STACK {province}: {pieces.replace(chr(10), ' ')}")
    (answer,) = post.write("A", "ADD\nCOUNTERPURGE STRONGEST")
    assert f"    {province}:" not in answer.text.split("Without orders:")[1]


def test_the_orders_of_two_phases_in_one_mail_are_both_taken(post: Post) -> None:
    (answer,) = post.write(
        "A", "ORDERS before the game\nGIVE 1 PM TO B\n\nORDERS June 1918 First Phase\nCOUNTERPURGE STRONGEST"
    )
    assert "trades before the game are on file" in answer.text
    assert "June 1918 First Phase are kept" in answer.text and "conversation" not in answer.text
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    (ahead,) = [r for r in _sent(post, "A", 1) if r.status == "ahead"]
    assert ahead.canonical == "COUNTERPURGE STRONGEST"


def test_the_line_that_a_receipt_advises_works_where_it_says(post: Post) -> None:
    (told,) = post.write("A", "GIVE 1 PM TO B\nMOVE Lenin TO PSKO")
    advised = "ORDERS June 1918 First Phase"
    assert f"put this line in front of the orders for that Phase: {advised}" in " ".join(
        told.text.replace("|", " ").split()
    )
    (answer,) = post.write("A", f"GIVE 1 PM TO B\n{advised}\nMOVE Lenin TO PSKO")
    assert "trades before the game are on file" in answer.text and "First Phase are kept" in answer.text
    assert post.orders_of("A") == "GIVE 1 PM TO B"


@pytest.mark.parametrize("behind", ["", "\nGIVE 1 PM TO C"])
def test_an_orders_line_that_names_the_open_phase_once_more_says_nothing_new(post: Post, behind: str) -> None:
    post.write("A", f"GIVE 1 PM TO B\nORDERS before the game{behind}")
    assert post.orders_of("A") == f"GIVE 1 PM TO B{behind}"


def test_orders_that_do_not_say_for_which_phase_they_are_are_not_guessed_at(post: Post) -> None:
    (answer,) = post.write("A", "GIVE 1 PM TO B\nORDERS June 1918 First Phase\nORDERS before the game\nGIVE 1 PM TO C")
    assert "NOT TAKEN" in answer.text and post.orders_of("A") == "-"


@pytest.mark.parametrize("words", ["HOLD", "hold.", "Hold all", "HOLD Lenin, RU8 PETR"])
def test_hold_is_understood_and_orders_nothing(post: Post, words: str) -> None:
    (answer,) = post.write("A", words)
    assert "are on file" in answer.text and "what has no order stays as it is" in answer.text
    assert "NOT UNDERSTOOD" not in answer.text and post.orders_of("A") == ""


def test_hold_on_is_conversation(post: Post) -> None:
    (answer,) = post.write("A", "Hold on, I will write on Sunday.")
    assert "neither orders nor a command" in answer.text and post.orders_of("A") == "-"


@pytest.mark.parametrize(
    "lines",
    [
        '<blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>LOSE RU8 PETR</div></blockquote>',
        '<p class=MsoNormal style="margin-left:36.0pt">LOSE RU8 PETR</p>',
        '<div><span class="Apple-tab-span" style="white-space:pre">\t</span>LOSE RU8 PETR</div>',
        "<div>&nbsp; LOSE RU8 PETR</div>",
        "<ul><li>LOSE RU8 PETR</li></ul>",
    ],
)
def test_what_stands_under_an_attack_does_so_in_html_too(post: Post, lines: str) -> None:
    body = f"<html><body><div>ATTACK WU2 SARA IN SARA WITH RL3 Lenin</div>{lines}</body></html>"
    post.write("A", body, Content_Type="text/html; charset=utf-8")
    (row,) = _sent(post, "A", 0)
    assert row.canonical == "ATTACK WU2 SARA IN SARA WITH Lenin\n  LOSE RU8 PETR"


def _sent(post: Post, letter: str, turn: int) -> list[intake.Submission]:
    with post.services.store.read() as session:
        return [r for r in session.query(intake.Submission).all() if r.letter == letter and r.turn == turn]
