"""The answer to a mail: sections collected while it is processed, from templates/mail/*.txt; line wrapping."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from gm.campaign.notices import text_environment
from gm.campaign.ports import Attachment
from gm.reports.render.html import MAP_CID
from gm.wording import MAIL_WIDTH, subject_and_text

_HEAD = re.compile(r"^\s*(?:\S+\s{2,})?")


@dataclass
class Answer:
    """The sections of an answer; an empty answer is not sent."""

    sections: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    map_of: int | None = None  # number of the Bell whose map goes with it
    told: set[str] = field(default_factory=set)  # the templates of the sections

    def add(self, template: str, **data: object) -> None:
        text = render(template, **data).strip("\n")
        if text:
            self.sections.append(text)
            self.told.add(template)

    def has(self, template: str) -> bool:
        return template in self.told


def render(template: str, **data: object) -> str:
    return text_environment("mail").get_template(f"{template}.txt").render(**data)


def mail_text(template: str, **data: object) -> tuple[str, str]:
    """Subject (first line) and text of a mail of its own."""
    return subject_and_text(render(template, **data))


def fold(text: str) -> str:
    """Lines longer than 72 columns broken, with what follows under where the words began; lines of carets stay."""
    out: list[str] = []
    for line in _paragraphs(text.split("\n")):
        if len(line) <= MAIL_WIDTH or line.lstrip().startswith("|"):
            out.append(line)
            continue
        head = _HEAD.match(line)
        out.append(_broken(line, len(head.group()) if head else 0))
    return "\n".join(out)


def hang(line: str) -> str:
    """A line of a listing, what does not fit under what follows its colon."""
    return _broken(line, line.find(":") + 2)


def _broken(line: str, indent: int) -> str:
    """A line at its blanks into pieces of 72 columns, all but the first indented; words stay whole. As textwrap does
    it, in a tenth of the time: there are a dozen such lines in a receipt."""
    pieces: list[str] = []
    line = line.rstrip(" ")
    start = len(line) - len(line.lstrip(" "))
    while len(line) > MAIL_WIDTH:
        cut = line.rfind(" ", start, MAIL_WIDTH + 1)
        if cut < 0:
            cut = line.find(" ", max(start, MAIL_WIDTH))
            if cut < 0:
                break
        pieces.append(line[:cut].rstrip(" "))
        line = " " * indent + line[cut:].lstrip(" ")
        start = indent
    return "\n".join([*pieces, line])


def _paragraphs(lines: list[str]) -> list[str]:
    """Prose that was wrapped wider than a mail is, joined again; tables and lists stay as they are."""
    out: list[str] = []
    goes_on = False
    for line in lines:
        plain = bool(line.strip()) and not line.startswith((" ", "|")) and not re.match(r"^\S+\s{2,}", line)
        if goes_on and plain and not re.match(r"^\w+:", line):
            out[-1] += " " + line
        else:
            out.append(line)
        goes_on = plain and len(line) > MAIL_WIDTH
    return out


def as_html(text: str) -> str:
    """The same words with the map below them, for programs that show pictures."""
    return (
        '<!DOCTYPE html><html><body><pre style="white-space:pre-wrap;font-family:monospace">'
        f'{html.escape(text)}</pre><p><img src="cid:{MAP_CID}" alt="Map" width="700"></p></body></html>'
    )
