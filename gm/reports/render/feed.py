"""The Atom feed of a campaign's issues (RFC 4287), for the web and for the archive of plain files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from gm.reports.prose import standard_prose
from gm.reports.render.html import environment
from gm.wording import clean


@dataclass(frozen=True, slots=True)
class FeedEntry:
    title: str
    id: str  # within the feed
    page: str
    summary: str
    updated: str  # as `stamp` writes it


def stamp(when: datetime | None) -> str:
    """RFC 3339; a feed without any issue has to be of some time, too."""
    return f"{(when or datetime(1918, 6, 1, tzinfo=UTC)).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def said_of(headline: str, void: bool) -> str:
    """The title of an issue; one whose report was rolled back is marked."""
    return f"{standard_prose().template('labels', 'void').upper()}: {headline}" if void else headline


def render_feed(
    *, paper: str, campaign: str, id: str, address: str, home: str, entries: Sequence[FeedEntry], base: str = ""
) -> str:
    """`address` is the feed's own, `home` the page of the campaign; the newest of the entries comes first."""
    entries = [replace(entry, title=clean(entry.title), summary=clean(entry.summary)) for entry in entries]
    paper, campaign = clean(paper), clean(campaign)
    updated = entries[0].updated if entries else stamp(None)
    return environment().get_template("feed.xml").render(locals())
