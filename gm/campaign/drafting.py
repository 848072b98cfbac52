"""The draft of an issue as the Gamesmaster looks at it: set once, shown as every reader will get it."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary
from zoneinfo import ZoneInfo

from gm.campaign.issue import Draft, gather
from gm.campaign.ports import BellDocument, Copy
from gm.campaign.services import Services
from gm.campaign.work import no_campaign
from gm.errors import NotAllowed, NotFound
from gm.reports.view_input import Decision, Reader
from gm.store.engine import Store
from gm.store.repositories import campaigns


@dataclass(frozen=True)
class Proof:
    """A draft, set in type."""

    draft: Draft
    document: BellDocument

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.draft.issue.decisions

    @property
    def readers(self) -> tuple[tuple[str, str], ...]:
        """(letter, name) of the players who will get it."""
        return tuple((letter, person.name) for letter, person in self.draft.readers if letter)


# The last proof of each campaign: a page with its frame and its picture asks for the same one three times.
_KEPT: WeakKeyDictionary[Store, dict[str, tuple[object, Proof]]] = WeakKeyDictionary()


def proof(services: Services, campaign: str) -> Proof:
    """Raises NotNow where there is nothing to print, NotAllowed for a Gamesmaster who plays."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        if row.gm_letter is not None:
            raise NotAllowed("gm-plays", "a Gamesmaster who plays sees no draft", "the service publishes by itself")
        draft = gather(services, session, row, services.clock.now())
    issue = draft.issue
    state = (
        (draft.phase.turn, draft.phase.phase, draft.phase.incarnation, draft.kind),
        (issue.published, issue.deadline, issue.editorial, issue.decisions, issue.press),
    )
    kept = _KEPT.setdefault(services.store, {})
    if campaign not in kept or kept[campaign][0] != state:
        kept[campaign] = (state, Proof(draft, services.renderer.compose(issue)))
    return kept[campaign][1]


def copy_for(services: Services, campaign: str, letter: str | None) -> Copy:
    """The issue as one player will get it by mail; None: as a reader without a seat does."""
    found = proof(services, campaign)
    zone = "UTC"
    if letter is not None:
        holder = next((person for seat, person in found.draft.readers if seat == letter), None)
        if holder is None:
            raise NotFound("seat", f"{letter} gets no copy", "see the seats")
        zone = holder.zone
    deadline = found.draft.issue.deadline
    reader = Reader(letter, deadline.astimezone(ZoneInfo(zone)) if deadline else None, zone)
    return services.renderer.personal(found.draft.issue, found.document, reader)
