"""No line of a mail takes longer to look at than in proportion: one pattern that does holds the whole process."""

from __future__ import annotations

import pytest

from gm.mail.handle.sort_lines import sort_out
from gm.mail.parse import phrases, quotes
from gm.mail.parse.html import to_text
from gm.mail.parse.line_kind import COMMANDS, KEYWORDS, looks_like_order, meant_for_us
from gm.mail.parse.line_kind import keyword as kind_of_line
from gm.mail.parse.message import read
from gm.mail.parse.parts import unflow
from tests.stopwatch import within

FILLERS = (
    " ",
    ", ",
    ",",
    ".",
    ". ",
    "-",
    "- ",
    "_",
    "!",
    "a ",
    "please ",
    "to ",
    "> ",
    "(",
    "1 ",
    "\u00a0",
    "\t",
    "*",
    "RU8 ",
)
WORDS = (
    *sorted(COMMANDS),
    *sorted(KEYWORDS),
    "ACCEPT",
    "YES",
    "NOT",
    "I am not",
    "On Monday",
    "From:",
    "--",
    "o",
    "1.",
)


def long_line(word: str, filler: str, length: int = 4000) -> str:
    return f"{word} {filler * (length // len(filler))}x"


@pytest.mark.parametrize("filler", FILLERS, ids=repr)
def test_the_kind_of_a_line_is_told_in_no_time_whatever_stands_in_it(filler: str) -> None:
    """`READY`, four thousand blanks and an `x` took twenty minutes."""
    lines = [long_line(word, filler) for word in WORDS]
    within(1.5, lambda: [(kind_of_line(line), meant_for_us(line), looks_like_order(line)) for line in lines])


@pytest.mark.parametrize("filler", FILLERS, ids=repr)
def test_quotations_signatures_and_phrases_are_told_in_no_time(filler: str) -> None:
    lines = [long_line(word, filler) for word in WORDS]

    def look() -> None:
        for line in lines:
            phrases.is_attribution(line)
            phrases.header_line(line)
        quotes.separate("\n".join(lines))
        quotes.separate("Hello\n-- \n" + "\n".join(lines))
        unflow("\n".join(f"{line} " for line in lines))
        sort_out("\n".join(lines), "", "")
        to_text("<p>".join(lines))

    within(4, look)


@pytest.mark.parametrize("where", ["", "-- \n", "Dear all,\n"])
@pytest.mark.parametrize("head", ["", "Content-Type: text/plain; format=flowed\n"])
def test_a_strangers_mail_of_a_few_kilobytes_costs_nothing(where: str, head: str) -> None:
    lines = "\n".join(f"{word}{' ' * 3600}x" for word in ("READY", "MAP", "ACCEPT", "AGREE", "CONFIRM", "LEAVE"))
    raw = f"From: stranger@evil.test\nTo: orders@bell.test\n{head}\n{where}{lines}\n".encode()
    within(1, lambda: read(raw))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("READY   please  !", "READY"),
        ("  not   yet  ready", "WAIT"),
        ("CONFIRM    RESIGN", "CONFIRM RESIGN"),
        ("ACCEPT   the   invitation", "JOIN"),
        ("HOLD   all", "HOLD"),
        ("MOVE    Lenin:   PETR-PSKO", "MOVE"),
    ],
)
def test_blanks_between_words_change_nothing(line: str, kind: str) -> None:
    assert kind_of_line(line) == kind


STYLES = {
    "blanks": f"width:{' ' * 20_000}x",
    "ones": f"margin:{'1' * 20_000}",
    "noughts": f"margin:{'0' * 20_000}",
    "many noughts": f"font-size:{'0' * 200_000}x",
    "colons": f"margin{' ' * 9_000}:",
    "declarations": "font-size:000x;margin:1111;width:   x;" * 2_000,
}


@pytest.mark.parametrize("tag", ["p", "div", "blockquote"])
@pytest.mark.parametrize("kind", STYLES)
def test_no_style_of_an_html_mail_costs_more_than_its_length(kind: str, tag: str) -> None:
    """Two kilobytes of blanks in a style took a quarter of a minute, twenty some hours."""
    source = f'<html><body><{tag} style="{STYLES[kind]}">MOVE Lenin: PETR-PSKO</{tag}></body></html>'
    within(0.5, lambda: to_text(source))


def test_what_a_bounded_style_hides_is_hidden_all_the_same() -> None:
    for style in (
        "font-size: 0000px",
        "display  :  none",
        f"color:red;{' ' * 90}font-size:0",
        "overflow:hidden;height: 0",
    ):
        assert "secret" not in to_text(f'<p>shown</p><p style="{style}">secret</p>')
