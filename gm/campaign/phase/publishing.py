"""Publishing the Bell: rendered outside any transaction, then stored, mailed and the next Phase opened in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from gm.campaign import keys
from gm.campaign.phase import filing, past_issues
from gm.campaign.phase.drafting import DraftPreview, gather_draft, preview, same, typeset
from gm.campaign.phase.issue import Draft
from gm.campaign.phase.opening import called_off, carry_farewell, open_phase, stand_at
from gm.campaign.phase.sealing import seal
from gm.campaign.ports import Attachment, BellDocument, Copy, Mail, Renderer
from gm.campaign.record.archived import bound
from gm.campaign.services import Services
from gm.campaign.transaction import LEAVING, Transaction, at_work
from gm.errors import Conflict, NotFound, NotNow
from gm.reports.issue import StoryEdit
from gm.store.repositories import paper, phases
from gm.store.tables import Bell, PhaseRow, PlayerRow
from gm.store.tables import DecisionRow as DecisionRow
from gm.wording import clean

TRIES = 3  # when the campaign changed while its Bell was being rendered


def publish(services: Services, campaign: str, actor: str, renderer: Renderer | None = None) -> int:
    """Print the issue that is due, and open what follows. Gives its number."""
    renderer = renderer or services.renderer
    began = services.processor()
    for _ in range(TRIES):
        made = typeset(services, renderer, gather_draft(services, campaign))
        copies = [(letter, person, made.copy(renderer, letter, person.zone)) for letter, person in made.draft.readers]
        number = _print(services, campaign, actor, made, copies, services.processor() - began)
        if number is not None:
            return number
    raise Conflict("busy", f"{campaign} changes too fast to be printed", "try again in a moment")


def _print(
    services: Services,
    campaign: str,
    actor: str,
    made: DraftPreview,
    copies: list[tuple[str | None, PlayerRow, Copy]],
    seconds: float,
) -> int | None:
    """Store and mail the issue, open what follows. None if the campaign changed since the draft was made."""
    draft, document = made.draft, made.document
    with at_work(services, campaign, actor, "inviting", "running") as work:
        phase = work.phase
        if phases.key_of(phase) != phases.key_of(draft.phase) or work.campaign.next_bell != draft.issue.number:
            return None
        if phase.state != draft.phase.state or bound(work.session, phase) != draft.issue.fairness.record:
            return None  # the Gamesmaster corrected something since
        if any(_changed_hands(work, letter, person) for letter, person, _ in copies):
            return None
        number, off = work.campaign.next_bell, _called_off(work, phase)
        _store(work, made, number)
        _mail(work, document, number, copies, off)
        _move_on(work, draft, document)
        work.audit("publish", number=number, kind=draft.kind, seconds=round(seconds, 3))
        return number


def _changed_hands(work: Transaction, letter: str | None, person: PlayerRow) -> bool:
    """Whether a seat has another holder than the one for whom a copy was made."""
    now = [holder for seat, holder in work.table if seat.letter == letter]
    return any(holder is None or holder.address != person.address for holder in now)


def _store(work: Transaction, made: DraftPreview, number: int) -> None:
    draft, document = made.draft, made.document
    services, key = work.services, keys.of_campaign(work.campaign.id, "bell", number)
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
            json=made.values,
            png=document.png,
            chart=document.chart,
            chain=made.seal,
            message_id=keys.message_id(services.secret_key, key, services.settings.mail_domain),
            published_at=work.now,
        )
    )
    work.campaign.chain = made.seal
    work.campaign.next_bell = number + 1
    for letter_id in draft.press:
        letter = paper.letter(work.session, letter_id)
        if letter is not None:
            letter.bell = number


def _called_off(work: Transaction, phase: PhaseRow) -> tuple[Attachment, ...]:
    """The deadline that the last issue brought, if it will not come about: after a rollback, a finish, a CLOSE."""
    before = phases.since(work.session, work.campaign.id, phase.ordinal - 1)[0] if phase.state == "pending" else phase
    return called_off(work, before)


def _mail(
    work: Transaction,
    document: BellDocument,
    number: int,
    copies: list[tuple[str | None, PlayerRow, Copy]],
    off: tuple[Attachment, ...],
) -> None:
    thread = keys.thread_id(work.campaign.id, work.services.settings.mail_domain)
    gone = {seat.letter for seat, _ in work.table if seat.status in LEAVING}  # they have no deadline to be called off
    for letter, person, copy in copies:
        work.mail(
            Mail(
                key=keys.of_campaign(work.campaign.id, "bell", number, letter or person.address),
                kind="bell",
                address=person.address,
                name=person.name,
                subject=document.subject,
                text=copy.text,
                campaign=work.campaign.id,
                letter=letter,
                html=copy.html,
                attachments=(*(off if letter not in gone else ()), *copy.attachments),
                in_reply_to=thread,
                bell=number if document.png else None,
            )
        )


def _move_on(work: Transaction, draft: Draft, document: BellDocument) -> None:
    phase = work.phase
    key = phases.key_of(phase)
    if phase.state == "adjudicated":
        phase.state = "published"
        phase.published_at = work.now
        phases.dice(work.session, key).revealed_at = work.now
    work.silence(key, "draft", "publish")
    later = phases.since(work.session, work.campaign.id, phase.ordinal)[-1]
    if later is not phase:
        carry_farewell(phase, later)
        record = document.json.get("bell", {}).get("record", {})
        later.course = past_issues.extended(work.board, draft.issue, document.wordings, record)
    if later.phase == "finished":
        _finish(work, later is not phase)
        return
    work.campaign.status = "running"
    if later.phase == "setup":  # a deal that was rolled back is dealt again at once
        later.state = "open"
        stand_at(work, later)
        seal(work, later)
        return
    phases.dice(work.session, phases.key_of(later)).beacon_round = draft.issue.fairness.next_round
    open_phase(work, later, draft.issue.deadline)
    filing.take_filed_ahead(work, later)


def _finish(work: Transaction, one_more: bool) -> None:
    """After the report on the last Phase comes one more issue, with the final standings."""
    last = phases.since(work.session, work.campaign.id, work.phase.ordinal)[-1]
    stand_at(work, last)
    if one_more:
        work.alarm("publish", work.now, last)
        return
    last.state = "published"
    last.published_at = work.now
    work.campaign.status = "finished"
    if work.options.deadlines:  # who plays alone keeps nothing
        work.tell_gm("over", keys.of_phase(last), bell=work.campaign.next_bell - 1)


def set_draft(
    services: Services,
    campaign: str,
    *,
    headline: str | None = None,
    lead: str | None = None,
    column: str | None = None,
    farewell: str | None = None,
    actor: str,
) -> None:
    """Set the Gamesmaster's own words for the issue to come; an empty text takes them back. The farewell waits for the
    last issue."""
    with at_work(services, campaign, actor) as work:
        phase = _to_come(work)
        if headline is not None:
            phase.headline = clean(headline) or None
        if lead is not None:
            phase.lead = lead.strip() or None
        own = {"column": column, "farewell": farewell}
        _keep(phase, {name: text.strip() for name, text in own.items() if text is not None})
        kept = phase.editorial or {}
        told = {name: kept[name] for name in own if name in kept}
        work.audit("edit", headline=phase.headline, lead=phase.lead, **told)


def edit_story(
    services: Services, campaign: str, key: str, *, headline: str = "", text: str = "", killed: bool = False, actor: str
) -> None:
    """Leave a story of the draft out, or print it in the Gamesmaster's words; with neither it is as it was made.

    With the main story go headline and lead, which were about it."""
    found = {story.key: story for story in preview(services, campaign).stories}
    if key not in found:
        raise NotFound("story", f"the draft has no story {key!r}", f"it has: {', '.join(found) or 'none'}")
    story = found[key]
    # What comes back from the form as it was made is no edit.
    edit = StoryEdit(
        headline="" if not story.own and same(headline, story.headline) else clean(headline),
        text="" if not story.own and same(text, story.text) else text.strip(),
        killed=killed,
        about=story.about,
    )
    with at_work(services, campaign, actor) as work:
        phase = _to_come(work)
        if killed and story.place == "main":  # the words above it were about it, and would stand over the next one
            phase.headline = phase.lead = None
        stories = dict((phase.editorial or {}).get("stories", {}))
        stories.pop(key, None)
        if edit.killed or edit.headline or edit.text:
            stories[key] = asdict(edit)
        _keep(phase, {"stories": stories})
        work.audit("edit", story=key, headline=edit.headline, text=edit.text, killed=edit.killed)


def _to_come(work: Transaction) -> PhaseRow:
    """The Phase that the next issue reports."""
    if work.phase.state == "published":
        raise NotNow("published", f"{work.campaign.id} is finished", "the last Bell is out")
    return work.phase


def _keep(phase: PhaseRow, parts: Mapping[str, object]) -> None:
    kept = {**(phase.editorial or {}), **parts}
    phase.editorial = {name: part for name, part in kept.items() if part} or None


def decide(services: Services, campaign: str, text: str, reason: str, actor: str) -> None:
    """A decision that the rules leave to the Gamesmaster: recorded and printed in the issue to come."""
    with at_work(services, campaign, actor) as work:
        if not text.strip() or not reason.strip():
            raise NotNow("decision", "a decision needs its text and its reason", "give both")
        work.session.add(DecisionRow(**work.key._asdict(), text=text.strip(), reason=reason.strip(), at=work.now))
        work.audit("decide", text=text, reason=reason)
