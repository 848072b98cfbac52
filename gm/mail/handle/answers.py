"""The answer to a mail: sections collected while it is processed, from templates/mail/*.txt."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

from gm.campaign.notices import text_environment
from gm.campaign.ports import Attachment
from gm.reports.render.html import MAP_CID
from gm.wording import subject_and_text


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


def as_html(text: str) -> str:
    """The same words with the map below them, for programs that show pictures."""
    return (
        '<!DOCTYPE html><html><body><pre style="white-space:pre-wrap;font-family:monospace">'
        f'{html.escape(text)}</pre><p><img src="cid:{MAP_CID}" alt="Map" width="700"></p></body></html>'
    )
