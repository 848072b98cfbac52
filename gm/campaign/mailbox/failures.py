"""Mail that could not be delivered: refused when it was sent, or come back later. One notice about a dead address, the
sender of a letter told, readers struck off, and the mark at the seat taken away when mail arrives again."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from gm.campaign import keys
from gm.campaign.mailbox import gm_sight, letters
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import Transaction, at_work
from gm.store.mail_tables import Outbox
from gm.store.repositories import mail, paper, people
from gm.store.tables import Letter

STRIKES = 3  # mails in a row that a reader or standby did not get
CAME_BACK = "came back: "
SILENCE = timedelta(days=1)  # a mail that has not come back for so long has arrived


def refused(services: Services, mail_id: int) -> None:
    """A mail was given up while it was being sent."""
    _told(services, mail_id, None, True)


def came_back(services: Services, mail_id: int, detail: str, permanent: bool) -> None:
    """A mail server accepted it, and another has sent it back."""
    _told(services, mail_id, detail, permanent)


def _told(services: Services, mail_id: int, detail: str | None, permanent: bool) -> None:
    with services.store.read() as session:
        found = mail.outgoing(session, mail_id)
        campaign = found.campaign_id if found is not None else None
    if campaign is None:
        return
    with at_work(services, campaign, "mail") as work:
        row = mail.outgoing(work.session, mail_id, lock=True)
        assert row is not None
        letter, hidden = _letter_in(work.session, row), hides_recipient(work.session, row)
        private = row.kind in gm_sight.PRIVATE
        about = {"kind": row.kind} | ({} if private else {"letter": row.letter})
        if detail is not None:
            work.audit("bounce", **about, detail="" if private else detail[:500], permanent=permanent)
            if not permanent:
                return
            row.state, row.error = "failed", f"{CAME_BACK}{detail}"[:2000]
        else:
            work.audit("mail-failed", **about, error="" if private else (row.error or "")[:500])
        work.session.flush()
        if not hidden and gm_sight.shows_failure(work.campaign, row):
            _mark(work, row)
        if letter is not None:
            _tell_author(work, row, letter, hidden)


def _letter_in(session: Session, row: Outbox) -> Letter | None:
    return paper.letter(session, int(row.headers.get("X-Kolokol-Letter", 0))) if row.kind == "letter" else None


def hides_recipient(session: Session, row: Outbox) -> bool:
    """Whether a mail answers an unsigned letter and goes to its author, whom nobody is told."""
    letter = _letter_in(session, row)
    return letter is not None and row.letter in letters.hidden_recipients(session, letter)


def hides_name(session: Session, row: Outbox) -> bool:
    """Whether a list of mails leaves out to whom this one went: who got an unsigned letter tells who wrote it."""
    letter = _letter_in(session, row)
    return (letter is not None and letter.anonymous) or hides_recipient(session, row)


def _mark(work: Transaction, row: Outbox) -> None:
    """At the seat, and once to the Gamesmaster, but never about their own address."""
    error = (row.error or "").removeprefix(CAME_BACK)[:500]
    if row.letter is None:
        _strike(work, row, error)
        return
    for seat, holder in work.table:
        if seat.letter == row.letter and seat.bounce is None and (holder is None or holder.address == row.address):
            seat.bounce = error
            if row.address != work.campaign.gm_address:
                who = holder.name if holder else seat.letter
                about = keys.once(seat.letter, seat.generation, work.now.isoformat())
                work.tell_gm("bounced", about, who=who, seat=seat.letter, detail=error)


def _strike(work: Transaction, row: Outbox, error: str) -> None:
    """A reader or standby whose mails keep coming back gets no more of them."""
    states = mail.states_to(work.session, work.campaign.id, row.address, STRIKES)
    if len(states) < STRIKES or any(state != "failed" for state in states):
        return
    for person in people.everyone(work.session, work.campaign.id, "standby", "reader"):
        if person.address == row.address:
            person.role = "gone"
            work.audit("struck-off", name=person.name, address=person.address)
            facts = {"who": person.name, "address": person.address, "number": STRIKES, "detail": error}
            work.tell_gm("struck_off", keys.once("reader", person.id), **facts)


def _tell_author(work: Transaction, row: Outbox, letter: Letter, hidden: bool) -> None:
    """`hidden`: who was to get it wrote unsigned, and is named to nobody, nor marked at their seat: the next mail that
    does not arrive will do that, when nobody can tell by the time which letter it was."""
    about = keys.once("letter", letter.id, "" if hidden else row.letter or "")
    facts = {"to": None if hidden else row.name, "sent": letter.at, "text": letter.text}
    if letter.sender == GM:
        work.tell_gm("letter_failed", about, **facts)
    else:
        work.tell(letter.sender, "letter_failed", about, **facts)


def delivered(session: Session, row: Outbox) -> None:
    """A mail went out: if an earlier one has arrived since the last failure, the address is good again. One that was
    refused when it was sent is proved wrong at once; one that came back later, by a day without another."""
    if row.campaign_id is None or row.letter is None or row.sent_at is None:
        return
    seat = people.marked_seat(session, row.campaign_id, row.letter)
    if seat is None:
        return
    last = mail.last_failed(session, row.campaign_id, row.letter)
    since = last.sent_at if last is not None else None
    if since is None or mail.arrived_between(session, row.campaign_id, row.letter, since, row.sent_at - SILENCE):
        seat.bounce = None
