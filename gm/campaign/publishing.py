"""The Bell goes out: rendered while no transaction is open, then stored, mailed and the next Phase opened in one."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from gm.campaign import filing
from gm.campaign.issue import Draft, gather
from gm.campaign.opening import open_phase, stand_at
from gm.campaign.ports import BellDocument, Copy, Mail, Renderer
from gm.campaign.sealing import seal
from gm.campaign.services import Services
from gm.campaign.tokens import message_id
from gm.campaign.work import Work, at_work, no_campaign
from gm.errors import Conflict, NotAllowed, NotNow
from gm.reports.fairness import START_OF_CHAIN, chain_of
from gm.reports.view_input import Reader
from gm.store.repositories import campaigns, paper, phases
from gm.store.tables import Bell, Player
from gm.store.tables import Decision as DecisionRow

TRIES = 3  # when the campaign moved on while its Bell was being set


def publish(services: Services, campaign: str, actor: str, renderer: Renderer | None = None) -> int:
    """Print the issue that is due, and open what follows. Gives its number."""
    for _ in range(TRIES):
        draft, document, copies = _set(services, campaign, renderer or services.renderer)
        number = _print(services, campaign, actor, draft, document, copies)
        if number is not None:
            return number
    raise Conflict("busy", f"{campaign} changes too fast to be printed", "try again in a moment")


def preview(services: Services, campaign: str) -> BellDocument:
    """The issue as it would be printed now. Not for a Gamesmaster who plays."""
    return _set(services, campaign, services.renderer, copies=False, preview=True)[1]


def _set(
    services: Services, campaign: str, renderer: Renderer, copies: bool = True, preview: bool = False
) -> tuple[Draft, BellDocument, list[tuple[str | None, Player, Copy]]]:
    now = services.clock.now()
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        if preview and row.gm_letter is not None:
            raise NotAllowed("gm-plays", "a Gamesmaster who plays sees no draft", "the service publishes by itself")
        draft = gather(services, session, row, now)
    issue = draft.issue
    document = renderer.compose(issue)
    found: list[tuple[str | None, Player, Copy]] = []
    if copies:
        for letter, person in draft.readers:
            deadline = issue.deadline.astimezone(ZoneInfo(person.zone)) if issue.deadline else None
            reader = Reader(letter if letter in issue.players else None, deadline, person.zone)
            found.append((letter, person, renderer.personal(issue, document, reader)))
    return draft, document, found


def _print(
    services: Services,
    campaign: str,
    actor: str,
    draft: Draft,
    document: BellDocument,
    copies: list[tuple[str | None, Player, Copy]],
) -> int | None:
    """Store, mail, move on. None if the campaign is not any more what the draft was made from."""
    with at_work(services, campaign, actor, "inviting", "running") as work:
        phase = work.phase
        if phases.key_of(phase) != phases.key_of(draft.phase) or work.campaign.next_bell != draft.issue.number:
            return None
        if phase.state != draft.phase.state:
            return None
        number = work.campaign.next_bell
        _store(work, draft, document, number)
        _mail(work, document, number, copies)
        _move_on(work, draft)
        work.audit("publish", number=number, kind=draft.kind)
        return number


def _store(work: Work, draft: Draft, document: BellDocument, number: int) -> None:
    chain = chain_of(work.campaign.chain or START_OF_CHAIN, number, document.text)
    work.session.add(
        Bell(
            campaign_id=work.campaign.id,
            number=number,
            kind=draft.kind,
            turn=draft.phase.turn,
            phase=draft.phase.phase,
            incarnation=draft.phase.incarnation,
            subject=document.subject,
            headline=document.headline,
            wordings=list(document.wordings),
            text=document.text,
            html=document.html,
            json=dict(document.json),
            png=document.png,
            chart=document.chart,
            chain=chain,
            message_id=message_id(f"{work.campaign.id}/bell/{number}", work.services.settings.mail_domain),
            published_at=work.now,
        )
    )
    work.campaign.chain = chain
    work.campaign.next_bell = number + 1
    for letter_id in draft.press:
        letter = paper.letter(work.session, letter_id)
        if letter is not None:
            letter.bell = number


def _mail(work: Work, document: BellDocument, number: int, copies: list[tuple[str | None, Player, Copy]]) -> None:
    thread = message_id(f"{work.campaign.id}/thread", work.services.settings.mail_domain)
    for letter, person, copy in copies:
        work.mail(
            Mail(
                key=f"{work.campaign.id}/bell/{number}/{letter or person.address}",
                kind="bell",
                address=person.address,
                name=person.name,
                subject=document.subject,
                text=copy.text,
                campaign=work.campaign.id,
                letter=letter,
                html=copy.html,
                attachments=copy.attachments,
                in_reply_to=thread,
                bell=number if document.png else None,
            )
        )


def _move_on(work: Work, draft: Draft) -> None:
    phase = work.phase
    key = phases.key_of(phase)
    if phase.state == "adjudicated":
        phase.state = "published"
        phase.published_at = work.now
        phases.dice(work.session, key).revealed_at = work.now
    work.silence(key, "draft", "publish")
    later = phases.since(work.session, work.campaign.id, phase.ordinal)[-1]
    if later.phase == "finished":
        _finish(work, later is not phase)
        return
    work.campaign.status = "running"
    if later.phase == "setup":  # a deal that was rolled back is dealt again at once
        later.state = "open"
        stand_at(work, later)
        seal(work, later)
        return
    assert draft.issue.deadline is not None
    open_phase(work, later, draft.issue.deadline)
    filing.take_filed_ahead(work, later)


def _finish(work: Work, one_more: bool) -> None:
    """After the report on the last Phase comes one more issue, with the final standings."""
    last = phases.since(work.session, work.campaign.id, work.phase.ordinal)[-1]
    stand_at(work, last)
    if one_more:
        work.alarm("publish", work.now, last)
        return
    last.state = "published"
    last.published_at = work.now
    work.campaign.status = "finished"


def set_draft(
    services: Services, campaign: str, *, headline: str | None = None, lead: str | None = None, actor: str
) -> None:
    """The Gamesmaster's own headline and lead for the issue to come; an empty text takes his back."""
    with at_work(services, campaign, actor) as work:
        phase = work.phase
        if phase.state == "published":
            raise NotNow("published", f"{campaign} is finished", "the last Bell is out")
        if headline is not None:
            phase.headline = headline.strip() or None
        if lead is not None:
            phase.lead = lead.strip() or None
        work.audit("edit", headline=phase.headline, lead=phase.lead)


def decide(services: Services, campaign: str, text: str, reason: str, actor: str) -> None:
    """A decision that the rules leave to the Gamesmaster: recorded and printed in the issue to come."""
    with at_work(services, campaign, actor) as work:
        if not text.strip() or not reason.strip():
            raise NotNow("decision", "a decision needs its text and its reason", "give both")
        work.session.add(DecisionRow(**work.key._asdict(), text=text.strip(), reason=reason.strip(), at=work.now))
        work.audit("decide", text=text, reason=reason)
