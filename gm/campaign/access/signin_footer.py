"""The sign-in link at the foot of every mail to a seat. It is added when the mail is sent and stored nowhere.

Letters between players carry none: an answer that quotes one would hand it to the other player.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache

from jinja2 import Environment

from gm.campaign.access import links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.services import Services
from gm.wording import environment


def belongs(kind: str) -> bool:
    return kind not in ("letter", "links")


def link(services: Services, campaign: str, letter: str, seat_token: str, kind: str, at: datetime) -> str:
    purpose = Purpose.ACCEPT if kind == "invitation" else Purpose.SIGN_IN
    ticket = Ticket(purpose, campaign, letter, links.fingerprint(seat_token))
    return links.url(services, links.sign(services, ticket, at))


def under_text(text: str, url: str, kind: str) -> str:
    """The footer as text, below a signature mark, so that mail programs leave it out of replies."""
    return f"{text.rstrip()}\n\n-- \n{_words('signin_footer.txt', url, kind)}\n"


def under_html(html: str | None, url: str, kind: str) -> str | None:
    if html is None:
        return None
    head, end, tail = html.rpartition("</body>")
    return f"{head}{_words('signin_footer.html', url, kind)}{end}{tail}" if end else html


@cache
def _environment() -> Environment:
    return environment("campaign", html=True)


def _words(template: str, url: str, kind: str) -> str:
    return _environment().get_template(template).render(url=url, invited=kind == "invitation").strip()
