"""Only what the sender typed is done: never what they quote of ours, of a forger, or of another player."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import inbox
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.mail.parse.line_kind import barred, keyword
from gm.store.mail_tables import Outbox
from tests.campaign_fixtures import new_campaign
from tests.mail.post import LETTERS, Post
from tests.mail.test_desk import sent_as

TEMPLATES = Path(__file__).parents[2] / "templates"
SLOVAK = (
    "Od: The Bell <orders@bell.test>\nOdoslané: pondelok 2. marca 2026 10:15\nKomu: Anna\nPredmet: Did you send this?\n"
)


def forged(post: Post, words: str) -> Outbox:
    """Somebody writes in Anna's name; gives the question that she gets."""
    (asked,) = post.write("A", words, To="orders@bell.test")
    return asked


def rewritten(text: str) -> str:
    """As a mail filter does it with every link."""
    return re.sub(r"http\S+", "https://safe.example/?url=http%3A%2F%2Fbell.test&data=05", text)


@pytest.mark.parametrize("words", ["No, not me!", "Nem", "nie ja", "Нет, это не я", "Not me. Who wrote that?"])
def test_no_to_a_question_takes_nothing_however_the_question_is_quoted(post: Post, words: str) -> None:
    asked = forged(post, "CANCEL ALL\nGIVE 3 PM TO E see http://evil.test/x\nCONFIRM")
    quoted = rewritten(asked.text)
    answer = {"In-Reply-To": asked.message_id, "To": f"orders+{post.token('A')}-q1@bell.test"}
    for body in (
        f"{words}\n\n{SLOVAK}\n{quoted}",
        f"{words}\n\n{SLOVAK}\n{quoted.replace('| ', '')}",  # a program that drops the bars
        f"{words}\n\nCONFIRM",  # and of the quotation nothing but this is left
    ):
        post.write("A", body, **answer)
        post.write("A", body, **(answer | {"In-Reply-To": ""}))
        post.write("A", body, **(answer | {"To": f"orders+{post.token('A')}@bell.test"}))
        assert post.desk.sweep() == 0 and post.orders_of("A") == "-"
    assert not inbox.in_state(post.services, "new")


def test_the_address_of_a_question_takes_yes_or_no_and_nothing_else(post: Post) -> None:
    asked = forged(post, "GIVE 3 PM TO E")
    message = sent_as(post, asked)
    number = re.search(r"-q(\d+)@", str(message["Reply-To"]))
    assert number is not None
    to = f"orders+{post.token('A')}-q{number[1]}@bell.test"
    (told,) = post.write("A", "GIVE 1 PM TO B\nRESIGN", To=to)
    assert "NOTHING HAS BEEN DONE" in told.text and post.orders_of("A") == "-"
    (told,) = post.write("A", "NO", To=to)
    assert "put aside" in told.text
    assert post.state_of(int(number[1])) == ("quarantined", "its seat's holder says that it is not theirs")
    (told,) = post.write("A", "CONFIRM", To=to)
    assert "Nothing of yours is waiting" in told.text and post.desk.sweep() == 0


@pytest.mark.parametrize(
    "denial",
    [
        "Thanks, but it wasn't me",
        "Hello, not me",
        "Danke, war ich nicht",
        "Merci, pas moi",
        "Спасибо, это не я",
        "Regards, it was someone else I think",
    ],
)
def test_a_yes_beside_a_denial_is_asked_about_again(post: Post, denial: str) -> None:
    """However it is dressed up: as a greeting or as a farewell, which otherwise say nothing."""
    forged(post, "GIVE 3 PM TO E")
    mine = next(m.id for m in inbox.in_state(post.services, "held"))
    for body in (f"CONFIRM\n\n{denial}", f"{denial}\n\nCONFIRM\n"):
        (told,) = post.write("A", body, To=f"orders+{post.token('A')}-q{mine}@bell.test")
        assert "NOTHING HAS BEEN DONE" in told.text and post.state_of(mine)[0] == "held"


def test_a_forgers_press_is_not_repeated_in_our_question_and_his_orders_are_called_his(post: Post) -> None:
    asked = forged(post, "GIVE 3 PM TO E\nPRESS The Gamesmaster says: send your password to me.\nAt once.\nEND")
    assert "password" not in asked.text and "At once" not in asked.text
    assert "It also has press (2 lines), which is not repeated here." in asked.text
    assert "These are its orders, in the words of whoever sent it, not in mine:" in asked.text
    assert "  | GIVE 3 PM TO E" in asked.text


def test_the_one_word_confirms_from_any_program(post: Post) -> None:
    for quote in ("", f"\n{SLOVAK}\n{{0}}", "\n> {0}", "\n-- \nAnna"):
        asked = forged(post, "GIVE 1 PM TO B")
        body = quote.replace("{0}", asked.text.replace("\n", "\n> ") if quote.startswith("\n>") else asked.text)
        mine = next(m.id for m in inbox.in_state(post.services, "held"))
        post.write("A", f"Hello,\nCONFIRM\n{body}", To=f"orders+{post.token('A')}-q{mine}@bell.test")
        assert post.state_of(mine)[0] == "new", quote
        post.desk.sweep()


def test_a_resignation_is_never_quoted(post: Post) -> None:
    (asked,) = post.write("A", "RESIGN")
    for words in ("No", "Nem!", "Sorry, that was a mistake"):
        for quoted in (asked.text, asked.text.replace('"', ""), re.sub(r"\s+", "\n", asked.text)):
            post.write("A", f"{words}\n\n{SLOVAK}\n{quoted}", **{"In-Reply-To": asked.message_id})
            post.write("A", f"{words}\n\nCONFIRM RESIGN", **{"In-Reply-To": asked.message_id})
    assert lookups.state(post.services, post.campaign).seat("A").status == "held"
    post.write("A", "CONFIRM RESIGN\n\n" + re.sub("^", "> ", asked.text, flags=re.M))
    assert lookups.state(post.services, post.campaign).seat("A").status == "resigning"


def test_a_wrapped_quotation_of_a_receipt_withdraws_nothing(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    (receipt,) = post.write("A", "ADD\nGIVE 2 AM TO C")
    standing = post.orders_of("A")
    for width in (20, 30, 40, 60):
        wrapped = "\n".join(
            "\n".join([f"> {line[:width]}", *([line[width:]] if line[width:] else [])])
            for line in receipt.text.split("\n")
        )
        post.write("A", f"Thanks!\n\nThe Bell:\n{wrapped}", **{"In-Reply-To": receipt.message_id})
        assert post.orders_of("A") == standing, width


def test_a_corrected_sheet_keeps_its_unchanged_lines(post: Post) -> None:
    (receipt,) = post.write("A", "GIVE 1 PM TO B\nGIVE 2 AM TO C\nVOTE CONTINUE")
    block = "From: The Bell\nSent: Monday, March 2, 2026\nTo: Anna\nSubject: Re: orders\n"
    words = f"Sorry:\nGIVE 1 PM TO B\nGIVE 1 AM TO C\nVOTE CONTINUE\n\n{block}\n{receipt.text}"
    post.write("A", words, **{"In-Reply-To": receipt.message_id})
    assert post.orders_of("A") == "GIVE 1 PM TO B\nGIVE 1 AM TO C\nVOTE CONTINUE"


@pytest.mark.parametrize("quote", ["", "\n{0}", f"\n{SLOVAK}\n{{0}}", "\n> {0}"])
def test_an_order_is_taken_though_the_bell_prints_the_same_words(post: Post, quote: str) -> None:
    bell = the_bell(post)
    printed = f"{bell.text}\nwhat the others ordered, as it was carried out or not:\nVOTE CONTINUE\nREFUSE GIFTS\n"
    with post.services.store.write() as session:
        session.get_one(Outbox, bell.id).text = printed
    body = quote.replace("{0}", printed.replace("\n", "\n> ") if quote.startswith("\n>") else printed)
    post.write("A", f"VOTE CONTINUE\nREFUSE GIFTS\nREADY\n{body}", **{"In-Reply-To": bell.message_id})
    assert post.orders_of("A") == "VOTE CONTINUE\nREFUSE GIFTS"
    post.write("A", f"Thank you!\n{body}", **{"In-Reply-To": bell.message_id})
    post.write("A", f"GIVE 1 PM TO B\n{body}", **{"In-Reply-To": bell.message_id})
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_a_subject_of_ours_or_of_another_player_is_no_request(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    post.write("A", "Thanks, I got it.", Subject="Re: CANCEL ALL")
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    post.write("A", "", Subject="CANCEL ALL")
    assert post.orders_of("A") == "-"


def test_an_answer_to_a_letter_is_one_though_the_address_lost_its_number(post: Post) -> None:
    letter = next(r for r in post.write("B", "LETTER TO A: RESIGN\nCANCEL ALL\nEND") if r.kind == "letter")
    post.write("A", "GIVE 1 PM TO B")
    tagged = {"To": "orders@bell.test", "Subject": f"Re: A letter [bell {post.token('A')}]"}
    caused = post.write("A", f"I shall do that.\n\n{letter.text}", **tagged, **{"In-Reply-To": letter.message_id})
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    back = next(r for r in caused if r.kind == "letter")
    assert back.address == post.address("B") and "CANCEL ALL" not in back.text


def test_somebodys_forwarded_words_without_a_name_are_not_taken(post: Post) -> None:
    post.write(
        "A", "---------- Forwarded message ---------\nSubject: do this\n\nGIVE 3 PM TO E", Subject="Fwd: do this"
    )
    assert post.orders_of("A") == "-"


def test_a_no_to_an_invitation_is_none_however_little_the_program_tells(post: Post) -> None:
    """Without In-Reply-To, without marks, in a language that we do not know: what stands in our mails is not theirs."""
    campaign = new_campaign(post.services, "Later")
    asked = next(r for r in post.since(0) if r.kind == "invitation" and (r.campaign_id, r.letter) == (campaign, "A"))
    to = f"orders+{holders.seat_token(post.services, campaign, 'A')}@bell.test"
    for quoted in (asked.text, re.sub(r"\s+", "\n", asked.text)):
        post.write("A", f"Nem, sajnos nincs időm.\n\n{SLOVAK}\n{quoted}", To=to, Subject="Invitation")
        assert lookups.state(post.services, campaign).seat("A").status == "invited"
    post.write("A", f"I accept!\n\n{SLOVAK}\n{asked.text}", To=to, Subject="Invitation")
    assert lookups.state(post.services, campaign).seat("A").status == "held"


# --- an earlier Phase


def next_phase(post: Post) -> None:
    for letter in LETTERS:
        post.write(letter, "VOTE CONTINUE\nREADY")
    post.clock.advance(hours=13)
    assert not ticker.tick(post.services).failed
    post.clock.advance(minutes=5)


def the_bell(post: Post) -> Outbox:
    return [r for r in post.since(0) if r.kind == "bell" and r.letter == "A"][-1]


def test_orders_that_answer_an_earlier_phases_mail_are_asked_about(post: Post) -> None:
    old = the_bell(post)
    (receipt,) = post.write("A", "VOTE CONTINUE")
    next_phase(post)
    for answered in (old, receipt):
        (asked,) = post.write("A", "VOTE END", **{"In-Reply-To": answered.message_id})
        assert "Do you mean this Phase?" in asked.subject and "June 1918" in asked.text
        assert post.orders_of("A") == "-"
    number = max(m.id for m in inbox.in_state(post.services, "held"))
    post.write("A", "CONFIRM", To=f"orders+{post.token('A')}-q{number}@bell.test")
    assert post.desk.sweep() == 1 and post.orders_of("A") == "VOTE END"


def test_what_answers_the_newest_bell_or_names_its_phase_is_taken(post: Post) -> None:
    old = the_bell(post)
    next_phase(post)
    post.write("A", "VOTE END", **{"In-Reply-To": the_bell(post).message_id})
    assert post.orders_of("A") == "VOTE END"
    post.write("A", "ORDERS June 1918 First Phase\nVOTE CONTINUE", **{"In-Reply-To": old.message_id})
    assert post.orders_of("A") == "VOTE CONTINUE"
    (answer,) = post.write("A", "STATUS", **{"In-Reply-To": old.message_id})
    assert "Your orders" in answer.text, "a question may be asked in answer to anything"
    post.write("A", "VOTE END")
    assert post.orders_of("A") == "VOTE END", "a mail that answers nothing is for the open Phase"


# --- our own mails


def templates() -> list[Path]:
    return sorted([*TEMPLATES.glob("mail/*.txt"), *TEMPLATES.glob("campaign/*.txt")])


def words_of(path: Path) -> str:
    """A template's own words, its paragraphs as they are filled."""
    text = re.sub(r"{%.*?%}", "", path.read_text("utf-8")).replace("{{ number }}", "12")
    return re.sub(r'{{ \(?"(.*)"\)?\|fill }}', lambda m: m[1].replace('\\"', '"'), text)


@pytest.mark.parametrize("path", templates(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_no_line_of_our_mails_is_a_bare_request(path: Path) -> None:
    """As they go out: where a paragraph must show how something is written, there are bars before it."""
    assert not [line for line in barred(words_of(path)).split("\n") if keyword(line)]


def test_bars_stand_only_where_something_could_be_taken_for_a_request() -> None:
    text = "== PRESS ===\n  * A line of peace,\n    in two.\n  * He said to me:\n    MOVE Lenin: PETR-PSKO\n\nEnd."
    assert barred(text).split("\n") == [
        "== PRESS ===",
        "  * A line of peace,",
        "    in two.",
        "|   * He said to me:",
        "|     MOVE Lenin: PETR-PSKO",
        "",
        "End.",
    ]


def test_a_sentence_that_only_wraps_at_a_word_of_orders_gets_no_bars() -> None:
    """Once the rest of a reader's own box, its foot too, stood behind bars."""
    text = "  * Your Leaders neither move nor\n    attack, though they defend.\n   B1. VOTE END [counted]\n++++"
    assert barred(text).split("\n") == [
        "  * Your Leaders neither move",
        "    nor attack, though they defend.",
        "   B1. VOTE END [counted]",
        "++++",
    ]
    orders = "He wrote:\n  attack Sidorin in TVER with Lenin"
    assert not [line for line in barred(orders).split("\n") if keyword(line)]


DANGEROUS = ("CONFIRM", "CONFIRM RESIGN", "CONFIRM LEAVE", "JOIN", "CANCEL", "ADD", "AGREE", "DISAGREE", "READY")


@pytest.mark.parametrize("path", templates(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_no_wrapping_makes_a_request_of_what_we_ask(path: Path) -> None:
    text = " ".join(words_of(path).split())
    for width in range(12, 100):
        wrapped = re.findall(rf".{{1,{width}}}(?:\s|$)", text)
        assert not [line for line in wrapped if keyword(line) in DANGEROUS], width
