"""Press for the next Bell, and private letters between players, relayed with the addresses hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy.orm import Session

from gm.campaign import keys
from gm.campaign.mailbox import who_writes
from gm.campaign.notices import render_notice
from gm.campaign.ports import Mail
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import hide_addresses, strike_secrets
from gm.campaign.transaction import Transaction, at_work, campaign_row, must_hold, record
from gm.errors import Invalid, NotAllowed, NotNow
from gm.orders.kinds import Press
from gm.position import Player
from gm.store.repositories import mail, paper, people, phases
from gm.store.repositories.paper import LetterHead
from gm.store.tables import Letter
from gm.wording import clean

MAX_LETTER_CHARACTERS = 20_000  # characters of one piece
PRESS_PIECES = 20  # of one seat in an issue
PRESS_CHARACTERS = 20_000  # of them all
MOST_READ = 1000  # letters of a seat at once
LETTERS_AN_HOUR = 30  # of one seat
LONGEST_CHAIN = 100  # answers to answers that are followed back


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


ASKED_OF = 300  # letters, when it is asked how many are new


def add_press(
    services: Services, campaign: str, letter: str, text: str, dateline: str | None = None, key: str | None = None
) -> int:
    """Store a press item for the next Bell."""
    with at_work(services, campaign, letter) as work:
        full_key = key or keys.new("press", services.entropy(12))
        known = paper.letter_by_key(work.session, campaign, full_key)
        if known is not None:
            return known.id
        who_writes.must_play(work, letter)
        if not _has_room(work, letter, len(text)):
            what = f"an issue prints {PRESS_PIECES} pieces and {PRESS_CHARACTERS} characters of one player"
            raise NotNow("press", what, "shorten it, or wait for the next issue", sender=letter)
        row = _press(work, letter, text, dateline, full_key, None)
        _note(work, row)
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
    """A private letter to other players (or GM): mailed to them by the service. An answer without recipients goes
    to who wrote what it answers; who wrote unsigned stays unsigned in all that follows."""
    with at_work(services, campaign, sender) as work:
        full_key = key or keys.new("letter", services.entropy(12))
        known = paper.letter_by_key(work.session, campaign, full_key)
        if known is not None:
            return known.id
        if _too_many(work, sender):
            what = f"that is more than {LETTERS_AN_HOUR} letters in an hour"
            raise NotNow("letters", what, "wait a little, or say it all in one", sender=sender)
        if anonymous and not work.options.anonymous_letters:
            raise NotAllowed("anonymous", "this campaign takes no anonymous letters", "sign it", campaign=campaign)
        before = list(_before(work.session, in_reply_to))
        unsigned = anonymous or any(letter.anonymous and letter.sender == sender for letter in before)
        to = tuple(to) or tuple(letter.sender for letter in before[:1])
        who_writes.may_write(work, sender, to, {letter.sender for letter in before[:1] if letter.anonymous})
        subject = "" if unsigned else subject  # programs write the name of whoever answers into it
        row = _letter(work, sender, to, text, subject, unsigned, in_reply_to, full_key, None)
        _note(work, row, hidden=bool(before) and before[0].anonymous)
        return row.id


def _note(work: Transaction, row: Letter, hidden: bool = False) -> None:
    """The audit log says who wrote to whom, unless one of the two is unsigned: a Gamesmaster reads it, and may play."""
    if row.anonymous or hidden:
        record(work.session, work.campaign.id, work.now, "-", row.kind, id=row.id)
    else:
        work.audit(row.kind, sender=row.sender, to=list(row.recipients), id=row.id)


def _before(session: Session, letter_id: int | None) -> Iterator[Letter]:
    """The letter that is answered, and what that answered."""
    for _ in range(LONGEST_CHAIN):
        row = paper.letter(session, letter_id) if letter_id is not None else None
        if row is None:
            return
        yield row
        letter_id = row.in_reply_to


def hidden_recipients(session: Session, row: Letter) -> set[str]:
    """Who of those that a letter goes to wrote unsigned what it answers: nobody learns that they got it."""
    answered = paper.letter(session, row.in_reply_to) if row.in_reply_to is not None else None
    return {answered.sender} if answered is not None and answered.anonymous else set()


def letters_of(
    services: Services, campaign: str, letter: str, *, newest: int = MOST_READ, before: int | None = None
) -> list[LetterView]:
    """The letters that this seat (or GM) wrote or was sent, oldest first: so many of those before the given one."""
    with services.store.read() as session:
        campaign_row(session, campaign)
        heads = paper.letter_heads(session, campaign)
        held = _of_seat(heads, letter, _handed_on_since(session, campaign, letter))
        mine = [row.id for row in held if before is None or row.id < before]
        rows = paper.letters_by_id(session, mine[-newest:])
    known = {row.id: row for row in heads}
    return [view(row, letter, known.get(row.in_reply_to or 0)) for row in rows]


def letter_of(services: Services, campaign: str, letter: str, number: int | None) -> LetterView | None:
    """One of the letters that this seat wrote or was sent."""
    found = letters_of(services, campaign, letter, newest=1, before=number + 1) if number is not None else []
    return next((item for item in found if item.id == number), None)


def _of_seat(heads: Iterable[LetterHead], letter: str, since: datetime | None) -> Iterator[LetterHead]:
    mine = (row for row in heads if not row.withdrawn and (letter == row.sender or letter in row.recipients))
    return (row for row in mine if since is None or row.at > since)


def _handed_on_since(session: Session, campaign: str, letter: str) -> datetime | None:
    """A seat that changes hands in play brings its letters; who took it over before the deal gets none of before."""
    if letter == GM or not (deals := phases.deals(session, campaign)):
        return None
    dealt = min((sealed for sealed in deals if sealed is not None), default=None)
    successors = people.tenures(session, campaign, letter)[1:]
    began = [tenure.began_at for tenure in successors if dealt is None or tenure.began_at < dealt]
    return began[-1] if began else None


def take_back(services: Services, campaign: str, letter: str, number: int) -> None:
    """Withdraw a piece of one's own press that is not printed yet."""
    with at_work(services, campaign, letter) as work:
        row = paper.letter(work.session, number)
        if (
            row is None
            or (row.campaign_id, row.sender, row.kind) != (campaign, letter, "press")
            or row.bell is not None
        ):
            raise NotNow("press", "there is no such piece of yours that waits to be printed", "see your letters")
        row.withdrawn = True
        work.audit("press-withdrawn", letter=letter, id=row.id)


@dataclass(frozen=True, slots=True)
class Thread:
    """The letters between a seat and one set of others, oldest first."""

    others: tuple[str, ...]  # letters or GM; empty: whoever wrote without a name
    letters: tuple[LetterView, ...]
    unread: int


def threads(found: Sequence[LetterView], letter: str, read_at: datetime | None) -> list[Thread]:
    """A seat's letters by whom they were exchanged with, the newest conversation first."""
    talks: dict[tuple[str, ...], list[LetterView]] = {}
    for item in found:
        if item.kind == "letter":
            others = {item.sender or "", *item.recipients} - {letter, ""}
            talks.setdefault(tuple(sorted(others)) if item.sender else (), []).append(item)
    made = [Thread(o, tuple(t), sum(_is_new(item, letter, read_at) for item in t)) for o, t in talks.items()]
    return sorted(made, key=lambda thread: thread.letters[-1].at, reverse=True)


def _is_new(item: LetterView | LetterHead, letter: str, read_at: datetime | None) -> bool:
    return item.sender != letter and (read_at is None or item.at > read_at)


def unread(services: Services, campaign: str, letter: str) -> int:
    """How many letters a seat has not yet looked at on the web, of the newest ones: every page asks."""
    with services.store.read() as session:
        read_at = people.letters_read_at(session, campaign, letter)
        since = _handed_on_since(session, campaign, letter)
        found = list(_of_seat(paper.newest_heads(session, campaign, read_at, ASKED_OF), letter, since))
    return sum(_is_new(item, letter, read_at) for item in found if item.kind == "letter")


def look_at(services: Services, campaign: str, letter: str) -> datetime | None:
    """Note that a seat has its letters before it. Gives when it had them before."""
    with services.store.write() as session:
        must_hold(services, session, campaign)
        before = people.letters_read_at(session, campaign, letter)
        people.read_letters(session, campaign, letter, services.clock.now())
        return before


def letter_by_id(services: Services, campaign: str, letter_id: int, reader: str | None = None) -> LetterView | None:
    """A letter as `reader` may see it; without one, as its author does."""
    with services.store.read() as session:
        row = paper.letter(session, letter_id)
        return view(row, reader or row.sender) if row is not None and row.campaign_id == campaign else None


def view(row: Letter, reader: str, answered: Letter | LetterHead | None = None) -> LetterView:
    """`answered`: the letter that it answers. If that was unsigned, its author is not named as the recipient."""
    known = not row.anonymous or reader == row.sender
    hidden = {answered.sender} - {reader} if answered is not None and answered.anonymous else set()
    return LetterView(
        row.id,
        row.kind,
        row.sender if known else None,
        tuple(letter for letter in row.recipients if letter not in hidden and (known or letter == reader)),
        row.subject,
        row.text,
        row.dateline,
        row.at,
        row.bell,
        row.in_reply_to,
    )


def file_from_sheet(work: Transaction, letter: Player, pieces: Sequence[Press], submission_id: int) -> None:
    """Store the PRESS lines of an order sheet. An item that cannot be used never stops the orders; of one for which
    there is no room the player is told."""
    left_out: list[Press] = []
    seats, gone = {seat.letter for seat, _ in work.table}, who_writes.out_of_game(work)
    for number, piece in enumerate(pieces):
        text, to = piece.text.strip()[:MAX_LETTER_CHARACTERS], tuple(p for p in piece.to if p in seats - {letter})
        if not text or (piece.to and not to):
            continue
        if to and (gone & set(to) or _too_many(work, letter)):
            left_out.append(piece)
        elif to:
            # Sent with every version of the sheet, passed on once.
            key = keys.once("sheet", work.key.turn, work.key.phase, letter, ",".join(to), hash_of(text))
            if paper.letter_by_key(work.session, work.campaign.id, key) is None:
                words = hide_addresses(text, (holder.address for _, holder in work.table if holder is not None))
                _letter(work, letter, to, words, "", False, None, key, submission_id)
        elif not _has_room(work, letter, len(text)):
            left_out.append(piece)
        else:
            _press(work, letter, text, piece.dateline, f"sheet/{submission_id}/{number}", submission_id)
    if left_out:
        work.audit("press-left-out", letter=letter, pieces=len(left_out))
        limits = {"pieces": PRESS_PIECES, "characters": PRESS_CHARACTERS, "letters": LETTERS_AN_HOUR}
        opening = [piece.text.strip()[:60] for piece in left_out]
        out = any(gone & set(piece.to) for piece in left_out)
        work.tell(letter, "press_left_out", keys.once("sheet", submission_id), left_out=opening, out=out, **limits)


def _has_room(work: Transaction, sender: str, characters: int) -> bool:
    """Whether the next issue has room for a piece of this seat: it is mailed to everybody."""
    if sender == GM:
        return True
    waiting = [row for row in paper.unprinted_press(work.session, work.campaign.id) if row.sender == sender]
    return len(waiting) < PRESS_PIECES and sum(len(row.text) for row in waiting) + characters <= PRESS_CHARACTERS


def _too_many(work: Transaction, sender: str) -> bool:
    """What one seat may send to the others within an hour; the Gamesmaster may write to all."""
    if sender == GM:
        return False
    since = work.now - timedelta(hours=1)
    return paper.letters_since(work.session, work.campaign.id, sender, since) >= LETTERS_AN_HOUR


def withdraw(work: Transaction, submission_id: int) -> None:
    """A new sheet replaces the press of the old one, as far as it is not printed."""
    paper.withdraw_press_of(work.session, work.campaign.id, submission_id)


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]


def _press(
    work: Transaction, letter: str, text: str, dateline: str | None, key: str, submission_id: int | None
) -> Letter:
    row = Letter(
        campaign_id=work.campaign.id,
        kind="press",
        sender=letter,
        recipients=[],
        subject="",
        text=_checked(text),
        dateline=clean(dateline) if dateline is not None else None,
        anonymous=dateline is not None,  # it is the paper's voice, not the player's
        key=key,
        submission_id=submission_id,
        at=work.now,
    )
    work.session.add(row)
    work.session.flush()
    return row


def _letter(
    work: Transaction,
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
        raise Invalid("recipients", "a letter needs somebody to go to", "name a player by their letter")
    for letter in recipients:
        if letter != GM:
            work.seat(letter)
    row = Letter(
        campaign_id=work.campaign.id,
        kind="letter",
        sender=sender,
        recipients=list(recipients),
        subject=clean(strike_secrets(subject)),
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


def _pass_on(work: Transaction, row: Letter, to: str) -> None:
    if to == GM:
        name, address = work.campaign.gm_name, work.campaign.gm_address
    else:
        _, holder = work.seat(to)
        if holder is None:
            return
        name, address = holder.name, holder.address
    facts: dict[str, object] = {"name": name, "author": _author(work, row), "title": work.campaign.name}
    facts["gm_writes_or_reads"] = to == GM or (row.sender == GM and not row.anonymous)
    # Who else got an unsigned letter would tell who did not: its author.
    facts["others"] = [] if row.anonymous else [_called(work, other) for other in row.recipients if other != to]
    subject, text = render_notice("letter", subject=row.subject, text=row.text, **facts)
    key = keys.of_campaign(work.campaign.id, "letter", row.id, to)
    headers = {"X-Kolokol-Letter": str(row.id)}
    answers = _answers(work, row, to)
    about = (subject, text, work.campaign.id, to)
    work.mail(Mail(key, "letter", address, name, *about, headers=headers, in_reply_to=answers))


def _answers(work: Transaction, row: Letter, to: str) -> str | None:
    """What a reply refers to, as its reader's mail program knows it: their own mail, or our copy of the letter."""
    before = paper.letter(work.session, row.in_reply_to) if row.in_reply_to is not None else None
    if before is None:
        return None
    if to != before.sender:
        copy = keys.of_campaign(work.campaign.id, "letter", before.id, to)
        sent = mail.outgoing_by_key(work.session, copy)
        return sent.message_id if sent is not None else None
    by_mail = keys.inbox_number(before.key)
    return mail.incoming_message_id(work.session, by_mail) if by_mail is not None else None


def _author(work: Transaction, row: Letter) -> str | None:
    return None if row.anonymous else _called(work, row.sender)


def _called(work: Transaction, letter: str) -> str:
    if letter == GM:
        return work.campaign.gm_name
    _, holder = work.seat(letter)
    return f"{holder.name} ({letter})" if holder else letter


def _checked(text: str) -> str:
    text = strike_secrets(text.strip())
    if not text:
        raise Invalid("empty", "there is nothing in it", "write something")
    if len(text) > MAX_LETTER_CHARACTERS:
        raise Invalid("too-long", f"it has {len(text)} characters, {MAX_LETTER_CHARACTERS} are allowed", "shorten it")
    return text
