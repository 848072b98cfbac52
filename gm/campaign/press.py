"""Press for the next Bell, and private letters passed on with the addresses hidden."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.campaign.tokens import GM, message_id
from gm.campaign.words import word
from gm.campaign.work import Work, at_work, no_campaign
from gm.errors import Invalid, NotAllowed
from gm.orders.model import Press
from gm.position import Player
from gm.store.repositories import campaigns, mail, paper
from gm.store.tables import Letter

LONGEST = 20_000  # characters of one piece


@dataclass(frozen=True, slots=True)
class LetterView:
    id: int
    kind: str
    sender: str | None  # None: anonymous to whoever asks
    recipients: tuple[str, ...]
    subject: str
    text: str
    dateline: str | None
    at: datetime
    bell: int | None
    in_reply_to: int | None


def add_press(
    services: Services, campaign: str, letter: str, text: str, dateline: str | None = None, key: str | None = None
) -> int:
    """A piece for the next Bell."""
    with at_work(services, campaign, letter) as work:
        full_key = key or f"press/{services.entropy(12).hex()}"
        known = paper.letter_by_key(work.session, campaign, full_key)
        if known is not None:
            return known.id
        row = _press(work, letter, text, dateline, full_key, None)
        work.audit("press", letter=letter, id=row.id)
        return row.id


def add_letter(
    services: Services,
    campaign: str,
    sender: str,
    to: Sequence[str],
    text: str,
    *,
    subject: str = "",
    anonymous: bool = False,
    in_reply_to: int | None = None,
    key: str | None = None,
) -> int:
    """A private letter to other players (or GM): mailed to them by the service."""
    with at_work(services, campaign, sender) as work:
        full_key = key or f"letter/{services.entropy(12).hex()}"
        known = paper.letter_by_key(work.session, campaign, full_key)
        if known is not None:
            return known.id
        if anonymous and not work.options.anonymous_letters:
            raise NotAllowed("anonymous", "this campaign takes no anonymous letters", "sign it", campaign=campaign)
        row = _letter(work, sender, tuple(to), text, subject, anonymous, in_reply_to, full_key, None)
        work.audit("letter", sender=sender, to=list(to), id=row.id)
        return row.id


def letters_of(services: Services, campaign: str, letter: str) -> list[LetterView]:
    """All that this seat (or GM) wrote or was sent, and nobody else's."""
    with services.store.read() as session:
        if campaigns.get(session, campaign) is None:
            raise no_campaign(campaign)
        rows = paper.letters(session, campaign)
    return [view(row, letter) for row in rows if letter == row.sender or letter in row.recipients]


def letter_by_id(services: Services, campaign: str, letter_id: int, reader: str | None = None) -> LetterView | None:
    """A letter as `reader` may see it; without one, as its author does."""
    with services.store.read() as session:
        row = paper.letter(session, letter_id)
        return view(row, reader or row.sender) if row is not None and row.campaign_id == campaign else None


def view(row: Letter, reader: str) -> LetterView:
    known = not row.anonymous or reader == row.sender
    return LetterView(
        row.id,
        row.kind,
        row.sender if known else None,
        tuple(row.recipients),
        row.subject,
        row.text,
        row.dateline,
        row.at,
        row.bell,
        row.in_reply_to,
    )


def file_from_sheet(work: Work, letter: Player, pieces: Sequence[Press], submission_id: int) -> None:
    """PRESS lines of an order sheet. A piece that cannot be used never stands in the way of the orders."""
    seats = {seat.letter for seat, _ in work.table}
    for number, piece in enumerate(pieces):
        text, to = piece.text.strip()[:LONGEST], tuple(p for p in piece.to if p in seats - {letter})
        if not text or (piece.to and not to):
            continue
        if to:
            # Sent with every version of the sheet, passed on once.
            key = f"sheet/{work.key.turn}/{work.key.phase}/{letter}/{','.join(to)}/{hash_of(text)}"
            if paper.letter_by_key(work.session, work.campaign.id, key) is None:
                _letter(work, letter, to, text, "", False, None, key, submission_id)
        else:
            _press(work, letter, text, piece.dateline, f"sheet/{submission_id}/{number}", submission_id)


def withdraw(work: Work, submission_id: int) -> None:
    """A new sheet replaces the press of the old one, as far as it is not printed."""
    paper.withdraw_press_of(work.session, work.campaign.id, submission_id)


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]


def _press(work: Work, letter: str, text: str, dateline: str | None, key: str, submission_id: int | None) -> Letter:
    row = Letter(
        campaign_id=work.campaign.id,
        kind="press",
        sender=letter,
        recipients=[],
        subject="",
        text=_checked(text),
        dateline=dateline,
        anonymous=dateline is not None,  # it is the paper's voice, not the player's
        key=key,
        submission_id=submission_id,
        at=work.now,
    )
    work.session.add(row)
    work.session.flush()
    return row


def _letter(
    work: Work,
    sender: str,
    to: tuple[str, ...],
    text: str,
    subject: str,
    anonymous: bool,
    in_reply_to: int | None,
    key: str,
    submission_id: int | None,
) -> Letter:
    recipients = tuple(dict.fromkeys(letter for letter in to if letter != sender))
    if not recipients:
        raise Invalid("recipients", "a letter needs somebody to go to", "name a player by his letter")
    for letter in recipients:
        if letter != GM:
            work.seat(letter)
    row = Letter(
        campaign_id=work.campaign.id,
        kind="letter",
        sender=sender,
        recipients=list(recipients),
        subject=subject,
        text=_checked(text),
        anonymous=anonymous,
        in_reply_to=in_reply_to,
        key=key,
        submission_id=submission_id,
        at=work.now,
    )
    work.session.add(row)
    work.session.flush()
    for letter in recipients:
        _pass_on(work, row, letter)
    return row


def _pass_on(work: Work, row: Letter, to: str) -> None:
    if to == GM:
        name, address = work.campaign.gm_name, work.campaign.gm_address
    else:
        _, holder = work.seat(to)
        if holder is None:
            return
        name, address = holder.name, holder.address
    author = _author(work, row)
    facts = {"name": name, "author": author, "title": work.campaign.name, "to": row.recipients}
    subject, text = word("letter", subject=row.subject, text=row.text, **facts)
    key = f"{work.campaign.id}/letter/{row.id}/{to}"
    headers = {"X-Kolokol-Letter": str(row.id)}
    answers = _answers(work, row, to)
    about = (subject, text, work.campaign.id, to)
    work.mail(Mail(key, "letter", address, name, *about, headers=headers, in_reply_to=answers))


def _answers(work: Work, row: Letter, to: str) -> str | None:
    """What an answer answers, as its reader's mail program knows it: his own mail, or our copy of the letter."""
    before = paper.letter(work.session, row.in_reply_to) if row.in_reply_to is not None else None
    if before is None:
        return None
    if to != before.sender:
        return message_id(f"{work.campaign.id}/letter/{before.id}/{to}", work.services.settings.mail_domain)
    by_mail = re.match(r"inbox/(\d+)/", before.key)
    return mail.incoming_message_id(work.session, int(by_mail[1])) if by_mail else None


def _author(work: Work, row: Letter) -> str | None:
    if row.anonymous:
        return None
    if row.sender == GM:
        return work.campaign.gm_name
    _, holder = work.seat(row.sender)
    return f"{holder.name} ({row.sender})" if holder else row.sender


def _checked(text: str) -> str:
    text = text.strip()
    if not text:
        raise Invalid("empty", "there is nothing in it", "write something")
    if len(text) > LONGEST:
        raise Invalid("too-long", f"it has {len(text)} characters, {LONGEST} are allowed", "shorten it")
    return text
