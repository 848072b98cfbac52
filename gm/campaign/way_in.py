"""The link to his own desk that stands under every mail to a seat. It is added as a mail goes out and stored nowhere.

Letters between players carry none: an answer that quotes one would hand it to the other player.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gm.campaign import links
from gm.campaign.links import Purpose, Ticket
from gm.campaign.services import Services
from gm.reports.prose import templates_folder


def belongs(kind: str) -> bool:
    return kind not in ("letter", "links")


def link(services: Services, campaign: str, letter: str, seat_token: str, kind: str, at: datetime) -> str:
    purpose = Purpose.ACCEPT if kind == "invitation" else Purpose.SIGN_IN
    ticket = Ticket(purpose, campaign, letter, links.fingerprint(seat_token))
    return links.url(services, links.sign(services, ticket, at))


def under_text(text: str, url: str) -> str:
    """Behind the mark of a signature, which no answer brings back."""
    return f"{text.rstrip()}\n\n-- \n{_words('way_in.txt', url)}\n"


def under_html(html: str | None, url: str) -> str | None:
    if html is None:
        return None
    head, end, tail = html.rpartition("</body>")
    return f"{head}{_words('way_in.html', url)}{end}{tail}" if end else html


@cache
def _environment() -> Environment:
    folder = templates_folder() / "campaign"
    return Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, auto_reload=False)


def _words(template: str, url: str) -> str:
    return _environment().get_template(template).render(url=url).strip()
