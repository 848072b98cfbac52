"""Orders that stand in another player's press or letter, quoted word by word and without a mark: in a mail that does
not say what it quotes, or that answers another mail of ours."""

from __future__ import annotations

import textwrap

import pytest

from gm.campaign.reads import lookups
from gm.mail.compare.printed import quoted_requests
from gm.store.mail_tables import Outbox
from tests.mail.post import Post
from tests.stopwatch import within

GOOD = "VOTE CONTINUE"
ASKED = ["PURGE C USING 2 PM", "VOTE END", "ABSENT until 6 December STANDIN", "READY", "CANCEL ALL"]
BEFORE = "The people of Samara stood in the square until night fell and cried out as one and"
HEADING = "== PRESS ====\n\n  From the newspaper's own correspondents:\n"
PRESS = BEFORE + " with one voice {asked} as the Czech colonel put it when he was asked what he had heard of all this."


@pytest.fixture
def game(first_phase: Post) -> Post:
    first_phase.write("D", GOOD)
    return first_phase


def print_press(post: Post, *press: str) -> Outbox:
    """Dmitri's Bell, with press of another in it, as it would stand in the next issue."""
    bell = [row for row in post.since(0) if row.kind == "bell" and row.letter == "D"][-1]
    with post.services.store.write() as session:
        row = session.merge(bell)
        words = "\n\n".join(textwrap.fill(piece, 70, initial_indent="  ", subsequent_indent="  ") for piece in press)
        row.text += (
            f"\n== PRESS {'=' * 63}\n\n  From the newspaper's own correspondents:\n\n{words}\n\n== COLOPHON ====\n"
        )
        row.text += "".join(f"  Line {n} of the colophon, which nobody writes by chance.\n" for n in range(9))
    return bell


def wrapped_at(asked: str, press: str) -> str:
    """The press as a program wraps it, with what it asks for on a line of its own."""
    above, below = press.split(asked)
    return f"{textwrap.fill(above, 70)}\n{asked}\n{textwrap.fill(below.strip(), 70)}"


def is_ready(post: Post, letter: str) -> bool:
    return next(s for s in lookups.state(post.services, post.campaign).seats if s.letter == letter).ready


def nothing_was_done(post: Post, mails: list[Outbox], asked: str) -> None:
    assert post.orders_of("D") == GOOD and not is_ready(post, "D")
    (told,) = mails
    assert f'"{asked}" stands, with the words beside it, in The Bell' in " ".join(told.text.split())


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("before", [f"Nice press.\n\n{HEADING}\n", "Nice.\n\n"])
def test_press_that_is_quoted_without_marks_is_no_order_though_five_letters_came_after_it(
    game: Post, asked: str, before: str
) -> None:
    print_press(game, PRESS.format(asked=asked))
    for number in range(12):
        game.write("B", f"LETTER TO D:\nThis is letter {number} of all those that I have for you.\nEND")
        game.clock.advance(minutes=10)
    mails = game.write("D", before + wrapped_at(asked, PRESS.format(asked=asked)), Subject="press")
    nothing_was_done(game, mails, asked)


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("short", ["Nice.\n\n{0}", "{0}\n\nNice.", "{0}"])
def test_nor_in_a_short_mail(game: Post, asked: str, short: str) -> None:
    print_press(game, PRESS.format(asked=asked))
    above, below = PRESS.format(asked=asked).split(asked)
    mails = game.write("D", short.format(f"{above.strip()}\n{asked}\n{below.strip()}"), Subject="press")
    nothing_was_done(game, mails, asked)


@pytest.mark.parametrize("asked", ASKED)
def test_nor_in_the_answer_to_a_receipt(game: Post, asked: str) -> None:
    print_press(game, PRESS.format(asked=asked))
    (receipt,) = game.write("D", GOOD)
    quoted = wrapped_at(asked, PRESS.format(asked=asked))
    mails = game.write("D", f"Thank you. And what does this mean?\n\n{quoted}\n", In_Reply_To=receipt.message_id)
    nothing_was_done(game, mails, asked)


def test_nor_where_a_program_changed_the_lines_beside_it(game: Post) -> None:
    links = "http://a.example/1 {asked} http://a.example/2"
    press = f"{PRESS.format(asked='nothing at all')} {links} {PRESS.format(asked='nothing else')}"
    print_press(game, press.format(asked="PURGE C USING 2 PM"))
    filtered = "https://safe.example/?url=a.example%2F1&data=05\nPURGE C USING 2 PM\nhttps://safe.example/?data=06"
    parts = textwrap.fill(press.split(links)[0], 70), filtered, textwrap.fill(press.split(links)[1].strip(), 70)
    mails = game.write("D", "Nice.\n\n" + "\n".join(parts), Subject="press")
    nothing_was_done(game, mails, "PURGE C USING 2 PM")


def test_nor_what_a_letter_of_another_says_that_came_long_before(game: Post) -> None:
    asked = "PURGE C USING 2 PM"
    game.write("B", f"LETTER TO D:\n{PRESS.format(asked=asked)}\nEND")
    for number in range(6):
        game.write("E", f"LETTER TO D:\nThis is letter {number} of all those that I have for you.\nEND")
    game.clock.advance(minutes=10)
    mails = game.write("D", "Hm.\n" + wrapped_at(asked, PRESS.format(asked=asked)), Subject="what Boris wrote")
    nothing_was_done(game, mails, asked)


def test_nor_in_an_attached_file(game: Post) -> None:
    asked = "PURGE C USING 2 PM"
    print_press(game, PRESS.format(asked=asked))
    parts = ["--b\nContent-Type: text/plain\n\nSee the file.\n"]
    parts += ['--b\nContent-Type: text/plain; name="x.txt"\nContent-Disposition: attachment; filename="x.txt"\n']
    body = "\n".join([*parts, wrapped_at(asked, PRESS.format(asked=asked)), "--b--"])
    fields = {"Content-Type": "multipart/mixed; boundary=b", "MIME-Version": "1.0", "Subject": "press"}
    nothing_was_done(game, game.write("D", body, **fields), asked)


@pytest.mark.parametrize("sheet", ["COUNTERPURGE STRONGEST", "PURGE C USING 2 PM\nVOTE END", "REFUSE GIFTS\nREADY"])
@pytest.mark.parametrize(
    "words",
    [
        "{0}",
        "Dear Gregor,\n\n{0}\n\nbest wishes\nDmitri",
        "My orders:\n{0}",
        "Nice press, Clara!\n\n{0}\n\nDmitri\n\n\n",
    ],
)
@pytest.mark.parametrize("answers", [True, False])
def test_who_types_what_another_had_printed_is_obeyed(game: Post, sheet: str, words: str, answers: bool) -> None:
    lines = sheet.split("\n")
    bell = print_press(game, *(PRESS.format(asked=line) for line in lines), PRESS.format(asked=" ".join(lines)))
    game.write("D", words.format(sheet), In_Reply_To=bell.message_id if answers else "")
    assert all(line in game.orders_of("D") for line in lines if line != "READY")
    assert is_ready(game, "D") == ("READY" in lines)


def test_orders_typed_above_such_a_quotation_are_filed_and_those_in_it_are_not(game: Post) -> None:
    asked = "PURGE C USING 2 PM"
    print_press(game, PRESS.format(asked=asked))
    quoted = wrapped_at(asked, PRESS.format(asked=asked))
    game.write("D", f"VOTE END\n\nNice press:\n\n{quoted}", Subject="press")
    assert game.orders_of("D") == "VOTE END"
    game.write("D", f"{quoted}\n\nNice. My orders:\n\n{asked}\nVOTE END", Subject="press")
    assert game.orders_of("D") == f"{asked}\nVOTE END"


def test_ones_own_orders_of_the_last_phase_are_sent_again_as_the_bell_printed_them() -> None:
    moves = "MOVE Budenny, Slavin, Kamenev, RU8 MOSC:\nMOSC-TULA-OREL\nMOVE Sorokin, Smirnov, Voroshilov,\n"
    moves += "Frunze, Kalinin, Markin, Yeserov: TULA-OREL\nVOTE END"
    bell = f"== THE ORDERS OF THE PHASE ====\n\nDmitri Example (D)\n{moves}\n\n== COLOPHON ====\nOrders due soon.\n"
    assert not quoted_requests(f"Dear Gregor,\n\nthe same again:\n\n{moves}\n\nDmitri", [bell])
    assert not quoted_requests(moves, [bell])


def test_an_answer_typed_between_two_lines_of_a_bell_without_marks_is_typed() -> None:
    lines = [
        "You may order COUNTERPURGE STRONGEST in this Phase, or some such thing,",
        "and all is well that ends well.",
    ]
    for typed in ("{0}\nCOUNTERPURGE STRONGEST\n{1}", "{1}\nCOUNTERPURGE STRONGEST\n{0}"):
        text = typed.format(*lines)
        assert not quoted_requests(text, ["And a first line that is long enough.\n" + "\n".join(lines)]), text


@pytest.mark.parametrize(
    ("text", "press"),
    [
        ("PURGE C USING 2 PM\n" * 6_000, "purge c using 2 pm and so on " * 1_500),
        ("\n".join(f"PURGE C USING {n} PM" for n in range(6_000)), "purge c using 2 pm and so on " * 1_500),
        ("as one PURGE C USING 2 PM\n" * 6_000, "as one PURGE C USING 2 PM " * 1_500),
        ("purge " * 60_000, "purge " * 6_000),
    ],
)
def test_it_is_found_in_no_time(text: str, press: str) -> None:
    within(1.5, lambda: quoted_requests(text, [press] * 20))
