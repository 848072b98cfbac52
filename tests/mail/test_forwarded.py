"""Another person's words are nobody's orders, however and in whatever language a mail program passes them on."""

from __future__ import annotations

import html
from base64 import b64encode

import pytest

from gm.campaign.mailbox import inbox
from gm.mail.parse.copied_head import in_any_words
from gm.mail.parse.quotes import separate
from gm.store.mail_tables import Outbox
from tests.mail.post import Post

BORIS, ANNA = "Boris <boris@players.test>", "anna@players.test"
DO = "Do this:\n\nGIVE 3 PM TO E\nRESIGN\nREADY\n"
HEADS = {
    "slovak": f"Od: {BORIS}\nOdoslané: pondelok 2. marca 2026 10:15\nKomu: Anna\nPredmet: plán",
    "hungarian": f"Feladó: {BORIS}\nElküldve: 2026. március 2., hétfő 10:15\nCímzett: Anna\nTárgy: terv",
    "turkish": f"Kimden: {BORIS}\nGönderildi: 2 Mart 2026 Pazartesi 10:15\nKime: Anna\nKonu: plan",
    "romanian": f"De la: {BORIS}\nTrimis: luni, 2 martie 2026 10:15\nCătre: Anna\nSubiect: plan",
    "korean": f"보낸 사람: {BORIS}\n보낸 날짜: 2026년 3월 2일 월요일 오전 10:15\n받는 사람: Anna\n제목: plan",
    "japanese": f"差出人: {BORIS}\n送信日時: 2026年3月2日 10:15\n宛先: Anna\n件名: plan",
    "chinese": f"寄件者：{BORIS}\n寄件日期：2026年3月2日 10:15\n收件者：Anna\n主旨：plan",
    "greek": "Από: Boris\nΣτάλθηκε: Δευτέρα, 2 Μαρτίου 2026 10:15\nΠρος: Anna\nΘέμα: σχέδιο",
    "ukrainian": "Від: Boris\nНадіслано: понеділок, 2 березня 2026 р. 10:15\nКому: Anna\nТема: план",
    "croatian": f"Šalje: {BORIS}\nPoslano: 2. ožujka 2026. 10:15\nPrima: Anna\nPredmet: plan",
    "lithuanian": f"Nuo: {BORIS}\nIšsiųsta: 2026 m. kovo 2 d. 10:15\nKam: Anna\nTema: planas",
    "hebrew": f"מאת: {BORIS}\nנשלח: יום שני 02 מרץ 2026 10:15\nאל: Anna\nנושא: plan",
    "arabic": f"من: {BORIS}\nتم الإرسال: ٢ مارس ٢٠٢٦\nإلى: Anna\nالموضوع: plan",
    "thai": f"จาก: {BORIS}\nส่ง: 2 มีนาคม 2569 10:15\nถึง: Anna\nเรื่อง: plan",
    "vietnamese": f"Từ: {BORIS}\nĐã gửi: 2 Tháng Ba 2026\nTới: Anna\nChủ đề: plan",
    "bold": f"*Od:* {BORIS}\n*Odoslané:* 2. 3. 2026 10:15\n*Komu:* Anna\n*Predmet:* plán",
    "folded": "Kimden: Boris\n <boris@players.test>\nGönderildi: Pazartesi\nKime: Anna\nKonu: plan",
    "under the names": "Feladó:\nBoris\nElküldve:\n2026. március 2.\nCímzett:\nAnna\nTárgy:\nterv",
    "apart": f"Od: {BORIS}\n\nOdoslané: 2. marca 2026\n\nKomu: Anna\n\nPredmet: plán",
    "subject first": f"Tárgy: terv\nDátum: 2026. március 2.\nFeladó: {BORIS}\nCímzett: Anna",
    "drawn": f"-------- Preposlaná správa --------\nPredmet: plán\nOd: {BORIS}",
    "drawn, a name": f"---------- 전달된 메시지 ---------\n{BORIS} 2026",
    "raw": f"Return-Path: <boris@players.test>\nReceived: from x\nMIME-Version: 1.0\nFrom: {BORIS}\nSubject: plan",
    "attribution": f"po 2. 3. 2026 o 10:15 {BORIS} napísal(a):",
    "attribution, folded": "2026. márc. 2., H, 10:15 dátummal Boris\n<boris@players.test> ezt\nközölte:",
}


def as_html(text: str) -> str:
    lines = "".join(f"<p>{html.escape(line) or '&nbsp;'}</p>" for line in text.split("\n"))
    return f"<html><body>{lines}</body></html>"


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("above", ["", "Look at what he wants of me.\n\n"], ids=["nothing", "words"])
def test_what_another_wrote_is_not_taken_below_a_head_in_any_language(post: Post, head: str, above: str) -> None:
    (told,) = post.write("A", f"{above}{head}\n\n{DO}", Subject="Továbbítás: plan")
    assert post.orders_of("A") == "-" and "resign" not in told.text.lower().replace('"resign"', "")
    assert "nothing below it was taken" in " ".join(told.text.split()) and "GIVE 3 PM TO E" in told.text
    (told,) = post.write("A", f"{above}GIVE 1 PM TO B\n\n{head}\n\n{DO}", Subject="Továbbítás: plan")
    assert post.orders_of("A") == "GIVE 1 PM TO B"
    assert "nothing below it was taken" in " ".join(told.text.split())


@pytest.mark.parametrize("name", [name for name in HEADS if name != "attribution, folded"])
def test_nor_in_html(post: Post, name: str) -> None:
    post.write("A", as_html(f"FYI\n\n{HEADS[name]}\n\n{DO}"), Subject="plan", Content_Type="text/html; charset=utf-8")
    assert post.orders_of("A") == "-"


@pytest.mark.parametrize(
    "words",
    [
        "Game: June 1918\nPlayer: Anna\nCamp: Reds\n\nGIVE 1 PM TO B",
        "Lenin: It is 1918.\nTrotsky: Never!\nStalin: Da.\n\nGIVE 1 PM TO B",
        "---------- my orders ----------\nGIVE 1 PM TO B",
        "===== ORDERS =====\n\nGIVE 1 PM TO B",
        "Beware: I am late\nPS: sorry\nGIVE 1 PM TO B",
        "My orders for 6.3.2026, 20:00:\nGIVE 1 PM TO B",
        "Hello:\nGive: see below\n\nGIVE 1 PM TO B\n\nTel: 0123 4567\nMail: anna@players.test\nWeb: www.example.org",
    ],
)
def test_what_people_type_is_no_head(post: Post, words: str) -> None:
    post.write("A", words)
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_a_head_needs_an_address_or_a_date_of_our_days() -> None:
    assert in_any_words(["A: x", "B: y", "C: b@example.org"], 0) and in_any_words(["A: x", "B: 2026", "C: z"], 0)
    assert not in_any_words(["A: x", "B: June 1918", "C: z"], 0) and not in_any_words(["A: x", "B: 2026"], 0)
    assert not in_any_words(["MOVE Lenin: PETR-PSKO", "A: b@example.org", "C: 2026"], 0)


def test_press_that_is_cut_off_there_is_told(post: Post) -> None:
    (told,) = post.write(
        "A", "PRESS A letter was found:\nOd: Lenin\nKomu: Anna\nPosta: l@example.org\nAll is lost.\nEND"
    )
    assert "nothing below it was taken" in " ".join(told.text.split())


# --- attached


def with_file(post: Post, words: str, kind: str, name: str, data: bytes, **fields: str) -> str:
    body = (
        f'--xx\nContent-Type: text/plain\n\n{words}\n--xx\nContent-Type: {kind}; name="{name}"\n'
        f'Content-Disposition: attachment; filename="{name}"\nContent-Transfer-Encoding: base64\n\n'
        f"{b64encode(data).decode()}\n--xx--\n"
    )
    (told,) = post.write("A", body, Content_Type='multipart/mixed; boundary="xx"', **fields)
    return " ".join(told.text.split())


@pytest.mark.parametrize("head", [h for n, h in HEADS.items() if n != "subject first"], ids=str)
@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream"])
def test_a_mail_of_another_that_was_saved_and_attached_is_not_taken(post: Post, head: str, kind: str) -> None:
    told = with_file(post, "See what he writes.", kind, "boris.txt", f"{head}\n\n{DO}".encode())
    assert "boris.txt holds orders" in told and "NOT taken" in told and post.orders_of("A") == "-"


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("", {"Subject": "Fwd: my orders"}),
        ("", {"Subject": "WG: orders"}),
        (f"---------- Forwarded message ---------\nFrom: {BORIS}\nDate: Mon\nTo: Anna\n\nMine are attached.", {}),
        (f"FYI\n\n{HEADS['slovak']}\n\nMine are attached.", {"Subject": "FW: x"}),
        (f"FYI\n\n{HEADS['korean']}\n\nMine are attached.", {}),
    ],
)
def test_a_sheet_that_came_with_a_forwarded_mail_is_not_taken(post: Post, words: str, fields: dict[str, str]) -> None:
    told = with_file(post, words, "text/plain", "orders.txt", b"GIVE 3 PM TO E\n", **fields)
    assert "orders.txt holds orders" in told and post.orders_of("A") == "-"


def test_a_sheet_of_ones_own_is_taken_as_before(post: Post) -> None:
    with_file(post, "My orders are attached.", "text/plain", "orders.txt", b"GIVE 1 PM TO B\n-- \nanna@players.test\n")
    assert post.orders_of("A") == "GIVE 1 PM TO B"


@pytest.mark.parametrize(
    "kind", ["message/rfc822", "message/global", "message/news", "message/x-mail", "message/partial"]
)
def test_a_whole_mail_of_another_is_not_taken_whatever_its_kind_is_called(post: Post, kind: str) -> None:
    inside = f"From: {BORIS}\nTo: {ANNA}\nSubject: plan\nContent-Type: text/plain\n\nGIVE 3 PM TO E\nRESIGN\n"
    body = f"--xx\nContent-Type: text/plain\n\nFYI\n--xx\nContent-Type: {kind}\n\n{inside}\n--xx--\n"
    post.write("A", body, Content_Type='multipart/mixed; boundary="xx"')
    assert post.orders_of("A") == "-"
    post.write("A", inside, Content_Type=kind)
    assert post.orders_of("A") == "-"


# --- forwards that lie


@pytest.mark.parametrize(
    "sender",
    [
        f'"{ANNA}" <boris@players.test>',
        f"{ANNA} (Boris) <boris@players.test>",
        f"<boris@players.test> [mailto:{ANNA}]",
        f"Boris\nTo: {ANNA}",
        f"Boris\nAnnak: {ANNA}",
    ],
)
def test_a_name_written_as_an_address_makes_nobody_the_author(post: Post, sender: str) -> None:
    words = f"---------- Forwarded message ---------\nFrom: {sender}\nDate: Mon, 2 Mar 2026\nSubject: x\n\n{DO}"
    post.write("A", words, Subject="Fwd: x")
    assert post.orders_of("A") == "-"


def test_a_forward_within_a_forward_of_another_is_what_the_other_says(post: Post) -> None:
    inner = f"---------- Forwarded message ---------\nFrom: Anna <{ANNA}>\nDate: Mon\nTo: B\n\n{DO}"
    outer = f"---------- Forwarded message ---------\nFrom: {BORIS}\nDate: Mon\nTo: Anna\n\nHello\n\n{inner}"
    post.write("A", outer, Subject="Fwd: x")
    assert post.orders_of("A") == "-"


@pytest.mark.parametrize("attached", [False, True])
def test_a_forwarded_mail_with_ones_own_name_on_it_is_asked_about(post: Post, attached: bool) -> None:
    words = f"---------- Forwarded message ---------\nFrom: Anna <{ANNA}>\nDate: Mon\nTo: B\n\nGIVE 3 PM TO E"
    fields = {"Subject": "Fwd: somebody writes in my name"}
    if attached:
        inside = f"From: Anna <{ANNA}>\nTo: clara@players.test\n\nGIVE 3 PM TO E\n"
        words = f"--xx\nContent-Type: text/plain\n\nNot mine!\n--xx\nContent-Type: message/rfc822\n\n{inside}--xx--\n"
        fields["Content-Type"] = 'multipart/mixed; boundary="xx"'
    (asked,) = post.write("A", words, **fields)
    assert asked.kind == "held" and "has your own name on it" in " ".join(asked.text.split())
    assert "| GIVE 3 PM TO E" in asked.text and post.orders_of("A") == "-"
    number = max(mail.id for mail in inbox.in_state(post.services, "held"))
    post.write("A", "CONFIRM", To=f"orders+{post.token('A')}-q{number}@bell.test")
    post.desk.sweep()
    assert post.orders_of("A") == "GIVE 3 PM TO E"


# --- letters


def letter_to_b(post: Post) -> Outbox:
    return next(m for m in post.write("A", "LETTER TO B: Betray Clara!\nEND") if m.kind == "letter")


FORWARD = '---------- Forwarded message ---------\nFrom: "Anna (A), by The Bell" <gm@bell.test>\nDate: Mon\nTo: B\n\n'


@pytest.mark.parametrize("subject", ["Fwd: A letter", "İlt: A letter", "전달: A letter", "Re: A letter"])
def test_what_is_said_about_a_forwarded_letter_does_not_go_to_its_author(post: Post, subject: str) -> None:
    letter = letter_to_b(post)
    own = "LETTER TO GM:\nAnna wants me to betray Clara. I shall pretend to.\nEND\n\nGIVE 1 PM TO C\n\n"
    fields = {"In-Reply-To": letter.message_id, "Subject": subject}
    mails = post.write("B", f"{own}{FORWARD}{letter.text}", **fields)
    assert not [m for m in mails if m.address == ANNA] and post.orders_of("B") == "GIVE 1 PM TO C"
    assert [m for m in mails if m.kind == "letter" and m.address == "gm@players.test" and "pretend" in m.text]
    mails = post.write("B", f"Gregor, look at this!\n\n{FORWARD}{letter.text}", **fields)
    assert [m.address for m in mails] == ["boris@players.test"]
    quoted = letter.text.replace("\n", "\n> ")
    if subject.startswith("Re"):
        (back,) = post.write("B", f"Never!\n\nOn Mon, 2 Mar 2026 Anna wrote:\n> {quoted}", **fields)
        assert back.address == ANNA and "Never!" in back.text


@pytest.mark.parametrize("to", ["", "-1"])
def test_a_letter_to_somebody_goes_to_nobody_else(post: Post, to: str) -> None:
    letter = letter_to_b(post)
    address = f"orders+{post.token('B')}{to and '-' + letter.headers['X-Kolokol-Letter']}@bell.test"
    fields = {"In-Reply-To": letter.message_id, "Subject": "Re: A letter", "To": address}
    (told,) = post.write("B", "LETTER TO C:\nShe wants me to betray you.\nEND", **fields)
    assert told.address == "boris@players.test" and "NOTHING WAS PASSED ON" in told.text
    mails = post.write("B", "GIVE 1 PM TO C\n", **fields)
    assert ([m.address for m in mails if m.kind == "letter"] == [ANNA]) is bool(to) and post.orders_of("B") == "-"


def test_an_address_in_the_subject_of_an_answer_is_hidden(post: Post) -> None:
    letter = letter_to_b(post)
    (back,) = post.write("B", "No.", Subject="Re: ask boris@players.test", **{"In-Reply-To": letter.message_id})
    assert "boris@" not in back.subject.lower()


def test_letters_beyond_the_tenth_and_a_letter_that_a_forward_cuts_off_are_told(post: Post) -> None:
    mails = post.write("A", "\n".join(f"LETTER TO B:\nLetter {n}\nEND\n" for n in range(12)))
    (told,) = [m for m in mails if m.address == ANNA]
    assert "the last 2 of yours were NOT read" in " ".join(told.text.split())
    mails = post.write("A", f"LETTER TO B:\nSee what C wrote.\n{FORWARD.replace('Anna (A)', 'C')}I hate B.\nEND")
    (told,) = [m for m in mails if m.address == ANNA]
    assert "Your letter ends where" in told.text


# --- questions are no orders


@pytest.mark.parametrize(
    "words",
    [
        "Dear Gregor,\nis it true that from PETR-PSKO one can go on to Livonia with RU8 PETR?\nAnna",
        "I do not agree, Boris.\n| Hello\n| MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO\n| yours Boris",
        *(
            f"No!\n{mark}MOVE Lenin, RU8 PETR: PETR-PSKO"
            for mark in ("\t> ", "    > ", "» ", "AB> ", ": ", "＞ ", "› ")
        ),
        *(f"No!\n{mark}MOVE Lenin, RU8 PETR: PETR-PSKO" for mark in ("} ", "% ", "# ", "│ ", "&gt; ", "* > ")),
    ],
)
def test_lines_that_name_a_place_replace_no_orders_on_file(post: Post, words: str) -> None:
    post.write("A", "GIVE 1 PM TO B\nGIVE 1 AM TO C")
    (told,) = post.write("A", words, Subject="A question")
    assert post.orders_of("A") == "GIVE 1 PM TO B\nGIVE 1 AM TO C" and told.kind == "answer"


@pytest.mark.parametrize("ends", [1, 2])
def test_the_end_of_a_forward_is_only_where_the_program_writes_one(post: Post, ends: int) -> None:
    end = "----- End forwarded message -----\n"
    words = f"---------- Forwarded message ---------\nFrom: {BORIS}\nDate: Mon\nTo: Anna\n\nHello\n{(end + DO) * ends}"
    post.write("A", words, Subject="Fwd: x")
    assert post.orders_of("A") == "-"
    by_mutt = separate(f"----- Forwarded message from {BORIS} -----\nFrom: {BORIS}\n\n{(DO + end) * ends}HOLD")
    assert by_mutt.text == "HOLD"


# --- what stands between quoted lines, and below a letter


LONG_LINE = "> I propose that you write to Gregor the following order for First Phase:"


def test_the_tail_of_a_wrapped_line_is_not_taken_but_told(post: Post) -> None:
    words = (
        f"What now?\n\nOn Wed, 18 Nov 2026 at 10:00, Boris <b@x.test> wrote:\n{LONG_LINE}\n{GIVE}\n> and so on.\n> B"
    )
    (told,) = post.write("A", words)
    assert post.orders_of("A") == "-" and "I cannot tell who typed it there" in " ".join(told.text.split())


GIVE = "GIVE 3 PM TO E"


def test_short_answers_between_quoted_lines_are_passed_on(post: Post) -> None:
    letter = letter_to_b(post)
    words = (
        "> Shall we attack Moscow together in the Second Phase, you from Tula, I from Tver?\nYes, gladly.\n"
        "> And will you leave Petrograd alone until the Bell of July, as you promised?\nNo, never!\n> A\n\nMore later."
    )
    fields = {"In-Reply-To": letter.message_id, "Subject": "Re: A letter"}
    (back,) = post.write("B", words, **fields)
    assert all(part in back.text for part in ("Yes, gladly.", "No, never!", "More later."))


@pytest.mark.parametrize(
    "words",
    [
        f"____________________\nFrom: Boris\n\n{GIVE}",
        f"From: Boris\nSubject: x\n\n{GIVE}",
        f"##- Please type your reply above this line -##\n{GIVE}",
        f"Boris <boris@players.test>\n02.03.2026 10:15\nTo: Anna\ncc:\nSubject: x\n\n{GIVE}",
        f"See:\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{GIVE}\n-----BEGIN PGP SIGNATURE-----\nx",
        f"----- Forwarded by Boris/ORG on 18.11.2026 10:00 -----\n{GIVE}",
        f"-----Özgün İleti-----\nKimden: Boris <boris@players.test>\n\n{GIVE}",
    ],
)
def test_other_heads_are_told_as_well(post: Post, words: str) -> None:
    post.write("A", f"Look!\n\n{words}")
    assert post.orders_of("A") == "-"


def test_a_subject_line_is_not_nearly_an_order(post: Post) -> None:
    post.write("A", "GIVE 1 PM TO B")
    post.write("A", "Subject: plan\nIs that allowed?")
    assert post.orders_of("A") == "GIVE 1 PM TO B"


@pytest.mark.parametrize("what", ["LETTER TO B:", "PRESS Moscow:"])
def test_orders_below_a_letter_or_press_without_end_go_to_nobody(post: Post, what: str) -> None:
    words = (
        f"{what}\nLet us be friends.\n\nMy orders:\nMOVE Trotsky, RU8 MOSC: MOSC-TULA\nCOUNTERPURGE STRONGEST\n\nAnna"
    )
    (told,) = post.write("A", words)
    assert told.address == ANNA and "no line with the one word END" in " ".join(told.text.split())
    assert post.orders_of("A") == "-"
    mails = post.write("A", f"{what}\nMOVE over, comrade!\nEND\n\nGIVE 1 PM TO B")
    assert post.orders_of("A").startswith("GIVE 1 PM TO B") or "GIVE 1 PM TO B" in post.orders_of("A")
    assert any("MOVE over" in mail.text for mail in mails)


def test_one_mail_holds_orders_for_a_few_phases_only(post: Post) -> None:
    years = [(year, phase) for year in range(1919, 1922) for phase in ("First", "Second")]
    words = "\n".join(f"ORDERS {month} {y} {p} Phase\nHOLD" for month in ("June", "July", "May") for y, p in years)
    (told,) = post.write("A", words)
    assert "more than 10 Phases at once" in " ".join(told.text.split())
