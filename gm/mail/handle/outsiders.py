"""Mail of people who hold no seat: readers who want no more Bells, and who held a seat before."""

from __future__ import annotations

from gm.campaign import keys
from gm.campaign.access import links
from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.mailbox.inbox import Inbound
from gm.campaign.ports import Mail
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.seats.holders import Seat
from gm.campaign.services import Services
from gm.campaign.tokens import strike_secrets
from gm.errors import GmError
from gm.mail.handle import answers
from gm.mail.identify.recognise import tokens
from gm.mail.parse.message import Incoming


def unsubscribed(services: Services, incoming: Incoming) -> str:
    """What was done, "" if it is no such wish. By the ticket that a mail program copies from the head of a Bell.
    Without it, for anybody can write a sender's name, a reader of ours is mailed a link."""
    words = incoming.plain_subject.split()
    if len(words) < 2 or words[0].upper() != "UNSUBSCRIBE":
        return ""
    try:
        if signed := words[2:]:
            ticket = links.read(services, "".join(signed), Purpose.UNSUBSCRIBE)
            gone = holders.unsubscribe(services, ticket.campaign, str(ticket.data["address"]))
            return "unsubscribed" if gone else ""
        offered = holders.offer_to_unsubscribe(services, words[1].lower(), incoming.sender)
        return "asked whether to unsubscribe" if offered else ""
    except GmError:  # no such campaign, no ticket of ours: a stranger
        return ""


def former_seat(services: Services, incoming: Incoming) -> Seat | None:
    known = [token for token, _ in tokens(incoming)]
    answers_to = outbox.farewell_to(services, incoming.references[:10], incoming.sender)
    return holders.formerly(services, incoming.sender, known, answers_to)


def answer_former_holder(services: Services, mail: Inbound, seat: Seat, words: str) -> None:
    """One kind answer, whatever they send; the mail is put before the Gamesmaster, with its words if they are given."""
    state = lookups.state(services, seat.campaign)
    now = next((s.name for s in state.seats if s.letter == seat.letter), "")
    facts = {"title": state.name, "gm": state.gm_name, "letter": seat.letter, "successor": now}
    keeper = state.gm_letter is not None  # then no Gamesmaster can look into it
    subject, text = answers.mail_text("former", name=seat.name, keeper=keeper, **facts)
    key = keys.once("former", seat.campaign, seat.letter, seat.address)
    outbox.queue(services, Mail(key, "answer", seat.address, seat.name, subject, text, seat.campaign))
    reason = f"from {seat.name}, who held {seat.letter} before"
    former = inbox.Former(seat.name, seat.address, seat.letter, strike_secrets(words)[: inbox.PASSED_ON])
    inbox.quarantine(services, mail.id, reason, seat.campaign, former)
