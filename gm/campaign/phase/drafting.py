"""Drafting the next issue of the Bell: gathering, rendering, each reader's copy; for preview and for publishing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary
from zoneinfo import ZoneInfo

from gm.campaign.cache import BoundedCache
from gm.campaign.phase.issue import Draft, gather
from gm.campaign.ports import BellDocument, Copy, Renderer
from gm.campaign.services import Services
from gm.campaign.transaction import campaign_row
from gm.errors import NotAllowed, NotFound
from gm.reports.issue import Decision, Reader
from gm.reports.proof.fairness import chain_of, dump
from gm.reports.view.model import ALMANAC, HOUSE, Obituary
from gm.store.engine import Store


@dataclass(frozen=True)
class DraftStory:
    """A story of the draft, as the Gamesmaster's desk shows it."""

    key: str
    place: str  # main, story, brief, obituary, house, almanac, killed
    headline: str
    text: str
    about: str  # what it said when the service wrote it
    own: bool = False  # the Gamesmaster's words, or left out by him


@dataclass(frozen=True)
class DraftPreview:
    """A rendered draft."""

    draft: Draft
    document: BellDocument

    @cached_property
    def values(self) -> dict[str, Any]:
        """The issue as JSON, as it will be read from the database, with what it seals beside itself."""
        pictures = {"map": self.document.png, "barometer": self.document.chart}
        hashes = {name: hashlib.sha256(picture).hexdigest() for name, picture in pictures.items() if picture}
        made: dict[str, Any] = json.loads(json.dumps(self.document.json))
        line = {"subject": self.document.subject, "headline": self.document.headline}
        return {**made, "sealed": {**self.draft.beside, **line, "pictures": hashes}}

    @cached_property
    def seal(self) -> str:
        """The seal over this issue and all before it, which every reader's copy prints."""
        issue, document = self.draft.issue, self.document
        text, html = document.text.encode(), document.html.encode()
        return chain_of(issue.fairness.chain, issue.number, text, html, dump(self.values))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.draft.issue.decisions

    @property
    def stories(self) -> tuple[DraftStory, ...]:
        """In their order on the front page; last those that are left out."""
        bell = self.document.json.get("bell", {"story": {}, "stories": (), "briefs": ()})
        edits = self.draft.issue.editorial.stories
        printed = [("main", bell["story"]), *(("story", s) for s in bell["stories"])]
        printed += [("brief", s) for s in bell["briefs"]]
        small = [("obituary", Obituary(o["name"], "").key, o["text"]) for o in bell.get("obituaries", ())]
        small += [(HOUSE, p["key"], p["text"]) for p in bell.get("press", ())]
        small += [(ALMANAC, ALMANAC, text) for text in (bell.get("almanac"),) if text]
        printed += [(place, {"key": key, "headline": "", "lead": text}) for place, key, text in small]
        found = []
        for place, s in printed:
            if s.get("key"):
                edit = edits.get(s["key"])
                about = edit.about if edit else s["headline"] or s["lead"]
                found.append(DraftStory(s["key"], place, s["headline"], s["lead"], about, edit is not None))
        killed = ((key, edit) for key, edit in edits.items() if edit.killed)
        found += [DraftStory(key, "killed", e.headline, e.text, e.about, own=True) for key, e in killed]
        return tuple(found)

    @property
    def readers(self) -> tuple[tuple[str, str], ...]:
        """(letter, name) of the players who will get it."""
        return tuple((letter, person.name) for letter, person in self.draft.readers if letter)

    def copy(self, renderer: Renderer, letter: str | None, zone: str) -> Copy:
        """The mail to one reader, with the deadline on their own clock."""
        issue = self.draft.issue
        deadline = issue.deadline.astimezone(ZoneInfo(zone)) if issue.deadline else None
        kept = letter in self.draft.kept if self.draft.kept is not None else None
        player = letter if letter in issue.players else None
        bargains = len(self.readers) > 1  # with people, not with stand-ins
        reader = Reader(player, deadline, zone, self.seal, kept, self.draft.early, bargains)
        return renderer.personal(issue, self.document, reader)


# The last proof of each campaign: a page with its frame and its picture asks for the same one three times.
PREVIEWS = 20  # half a megabyte each; a worker publishes any number of campaigns
_KEPT: WeakKeyDictionary[Store, BoundedCache[str, tuple[object, BellDocument]]] = WeakKeyDictionary()


def same(text: str, other: str) -> bool:
    """Whether two texts differ in blanks only."""
    return text.split() == other.split()


def gather_draft(services: Services, campaign: str, *, for_gamesmaster: bool = False) -> Draft:
    """What goes into the issue. Raises NotNow where there is nothing to print."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        if for_gamesmaster and row.gm_letter is not None:
            raise NotAllowed("gm-plays", "a Gamesmaster who plays sees no draft", "the service publishes by itself")
        return gather(services, session, row, services.clock.now())


def typeset(services: Services, renderer: Renderer, draft: Draft) -> DraftPreview:
    """The issue set in type: the preview that was shown, if nothing has changed since."""
    if renderer is not services.renderer:
        return DraftPreview(draft, renderer.compose(draft.issue))
    issue = draft.issue
    state = (
        (draft.phase.turn, draft.phase.phase, draft.phase.incarnation, draft.kind),
        (
            issue.outcome.after.digest,
            len(issue.outcome.events),
            issue.published,
            issue.deadline,
            issue.editorial,
            issue.decisions,
            issue.press,
            issue.fairness,
        ),
    )
    kept = _KEPT.setdefault(services.store, BoundedCache(PREVIEWS))
    campaign = draft.phase.campaign_id
    found = kept.get(campaign)
    if found is None or found[0] != state:
        found = kept.put(campaign, (state, renderer.compose(issue)))
    return DraftPreview(draft, found[1])


def preview(services: Services, campaign: str) -> DraftPreview:
    """What the Gamesmaster is shown. Raises NotNow where there is nothing to print, NotAllowed if they play."""
    return typeset(services, services.renderer, gather_draft(services, campaign, for_gamesmaster=True))


def copy_for(services: Services, campaign: str, letter: str | None) -> Copy:
    """The issue as one player will get it by mail; None: as a reader without a seat does."""
    found = preview(services, campaign)
    zone = "UTC"
    if letter is not None:
        holder = next((person for seat, person in found.draft.readers if seat == letter), None)
        if holder is None:
            raise NotFound("seat", f"{letter} gets no copy", "see the seats")
        zone = holder.zone
    return found.copy(services.renderer, letter, zone)
