"""The mail desk: every mail is stored first, then recognised, then dealt with, and ends in exactly one of four places:
handled, held for a confirmation, in quarantine, or (while something is broken) waiting to be tried again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from email import message_from_bytes
from email.policy import compat32

import structlog

from gm.campaign import inbox, links, outbox, players
from gm.campaign.inbox import Inbound
from gm.campaign.links import Purpose, Ticket
from gm.campaign.players import Seat
from gm.campaign.ports import Mail
from gm.campaign.services import Services
from gm.errors import GmError
from gm.mail import answers, headers
from gm.mail.answers import Answer
from gm.mail.authenticate import SeatLike, Trust, Who, is_our_bounce, recognise
from gm.mail.counter import handling
from gm.mail.dkim_check import DnsText, speaks_against
from gm.mail.inbound import HEAD, TRUNCATED, Envelope, Incoming, read
from gm.mail.kinds import Kind
from gm.mail.reading import understand
from gm.mail.storm import DEFAULT, Answers, Counter, Limits
from gm.mail.visit import Visit

log = structlog.get_logger("mail")
TRIES = 4  # then somebody must look at it


class Desk:
    """One for a process; its memory only limits how often somebody is answered."""

    def __init__(self, services: Services, limits: Limits = DEFAULT, dns: DnsText | None = None) -> None:
        self._services = services
        self._dns = dns  # None: the system's
        self._limits = limits

        def seconds() -> float:
            return services.clock.now().timestamp()

        self._answers = Answers(limits, seconds)
        self._kept = Counter(3600, seconds)
        self._warned = Counter(3600, seconds)
        self._asked = Counter(3600, seconds)  # apart from the answers: forged mail shall not use those up

    # --- taking it in

    def take(self, raw: bytes, envelope: Envelope) -> int:
        """Store it, whatever it is; only then may a source acknowledge it. Gives its number in the inbox."""
        return self._take(raw, envelope, 0).id

    def receive(self, raw: bytes, envelope: Envelope) -> str:
        """Take it and deal with it at once."""
        stored = self._take(raw, envelope, 1)
        return self.handle(stored.id) if stored.mail is None else self._handle_safely(stored.mail, stored)

    def _take(self, raw: bytes, envelope: Envelope, attempts: int) -> inbox.Stored:
        services = self._services
        message = message_from_bytes(raw[:HEAD].split(b"\n\n", 1)[0].split(b"\r\n\r\n", 1)[0], policy=compat32)
        sender = headers.sender(message)
        ids = headers.message_ids(message, "Message-ID")
        who = sender or envelope.mail_from.lower() or "nobody"
        flood = self._kept.add(who) > self._limits.unknown_kept_an_hour and not self._known(sender)
        if len(raw) > services.settings.max_mail_bytes or flood:
            raw = f"{TRUNCATED}: {len(raw)}\r\n".encode() + raw[:HEAD]
        return inbox.store(
            services,
            raw,
            source=envelope.source,
            received_at=envelope.received_at,
            sender=sender,
            envelope_from="<>" if envelope.null_sender else envelope.mail_from,
            envelope_to=",".join(envelope.rcpt_to),
            message_id=ids[0] if ids else "",
            attempts=attempts,
        )

    def sweep(self, limit: int = 50) -> int:
        """Deal with all that waits: after a crash, and what was confirmed or released."""
        waiting = inbox.pending(self._services, limit)
        for mail in waiting:
            self._handle_safely(mail)
        return len(waiting)

    def handle(self, mail_id: int) -> str:
        mail = inbox.get(self._services, mail_id)
        return self._handle_safely(mail) if mail.state == "new" else mail.state

    def _known(self, address: str) -> bool:
        return bool(address) and bool(players.seats_by_address(self._services, address))

    # --- dealing with it

    def _handle_safely(self, mail: Inbound, stored: inbox.Stored | None = None) -> str:
        """A mail that nobody foresaw must not stop the others, nor be lost, nor come for ever."""
        services = self._services
        if stored is None and inbox.attempt(services, mail.id) > TRIES:
            inbox.quarantine(services, mail.id, "kept failing", mail.campaign)
            handling.labels("failed").inc()
            return "quarantined"
        try:
            outcome = self._handle(mail, stored is None or stored.repeats)
        except GmError as error:
            log.warning("mail refused", mail=mail.id, code=error.code)
            inbox.quarantine(services, mail.id, f"{error.code}: {error}", mail.campaign)
            outcome = "quarantined"
        handling.labels(outcome).inc()
        return outcome

    def _handle(self, mail: Inbound, may_repeat: bool) -> str:
        incoming = read(mail.raw, _road(mail))
        first = inbox.first_of(self._services, mail) if may_repeat else None
        if first is not None and not _released(mail):
            return self._repeated(mail, incoming, first)
        if incoming.kind is Kind.BOUNCE and not _released(mail):
            return self._bounce(mail, incoming)
        who = self._recognise(mail, incoming)
        seat = who.seat if isinstance(who.seat, Seat) else None
        if _released(mail) and seat is not None and who.trust is Trust.TOKEN:
            return self._serve(mail, incoming, seat, who.letter_id)
        if incoming.kind in (Kind.AUTO_REPLY, Kind.LOOP):
            return self._note(mail, seat, f"{incoming.kind}: {incoming.why}")
        if seat is None:
            return self._stranger(mail, incoming)
        if incoming.kind in (Kind.BULK, Kind.MALFORMED):
            inbox.quarantine(self._services, mail.id, f"{incoming.kind}: {incoming.why}", seat.campaign)
            return "quarantined"
        if who.trust is Trust.CONFIRM:
            return self._hold(mail, incoming, seat, who.why)
        return self._serve(mail, incoming, seat, who.letter_id)

    def _recognise(self, mail: Inbound, incoming: Incoming) -> Who:
        services = self._services
        if _released(mail) and mail.campaign and mail.letter:
            return Who(Trust.TOKEN, players.seat_of(services, mail.campaign, mail.letter))
        who = recognise(
            incoming,
            lambda token: players.seat_by_token(services, token),
            lambda address: _seats(players.seats_by_address(services, address)),
            services.settings.trusted_authserv,
        )
        at_our_door = mail.source == "lmtp" and services.settings.verify_dkim and who.trust is Trust.TOKEN
        if at_our_door and speaks_against(mail.raw, self._dns):
            return replace(who, trust=Trust.CONFIRM, why="dkim-fail")
        return who

    def _repeated(self, mail: Inbound, incoming: Incoming, first: Inbound) -> str:
        earlier = read(first.raw, _road(first))
        if earlier.own == incoming.own and earlier.sheets == incoming.sheets:
            return self._note(mail, None, f"the same mail as {first.id}")
        reason = f"has the Message-ID of {first.id} and says something else"
        inbox.quarantine(self._services, mail.id, reason, first.campaign)
        return "quarantined"

    def _stranger(self, mail: Inbound, incoming: Incoming) -> str:
        """No answer: whoever asks shall not learn which addresses we know."""
        words = incoming.plain_subject.split()
        if words and words[0].upper() == "UNSUBSCRIBE" and len(words) == 2 and incoming.sender:
            try:
                if players.unsubscribe(self._services, words[1].lower(), incoming.sender):
                    return self._note(mail, None, "unsubscribed")
            except GmError:
                pass  # no such campaign: a stranger after all
        inbox.quarantine(self._services, mail.id, "unknown sender")
        return "quarantined"

    def _note(self, mail: Inbound, seat: Seat | None, note: str) -> str:
        inbox.handled(
            self._services, mail.id, seat.campaign if seat else None, seat.letter if seat else None, note[:200]
        )
        return "handled"

    # --- mail that came back

    def _bounce(self, mail: Inbound, incoming: Incoming) -> str:
        """Only a mail with our own key in it is believed: anybody can write that somebody's mail came back."""
        services, bounce = self._services, incoming.bounce
        assert bounce is not None
        ours = outbox.by_message_id(services, bounce.message_id) if bounce.message_id else None
        if ours is None or not is_our_bounce(services.secret_key, bounce.message_id, bounce.key):
            inbox.quarantine(services, mail.id, "a bounce without the key of a mail of ours")
            return "quarantined"
        if not bounce.harmless and ours.campaign_id and ours.letter and ours.letter != "GM":
            detail = f"{bounce.status} {bounce.detail}".strip()
            players.note_bounce(services, ours.campaign_id, ours.letter, detail, bounce.permanent)
        note = f"bounce {bounce.status} {bounce.action}".strip()
        inbox.handled(services, mail.id, ours.campaign_id, ours.letter, note)
        return "handled"

    # --- people

    def _hold(self, mail: Inbound, incoming: Incoming, seat: Seat, why: str) -> str:
        """It waits until the seat's holder says that it is his. The question goes to the address that we know."""
        services = self._services
        inbox.hold(services, mail.id, seat.campaign, seat.letter, why)
        if self._asked.add(seat.address) <= self._limits.questions_an_hour:
            token = players.seat_token(services, seat.campaign, seat.letter)
            data = {"inbox": mail.id}
            ticket = Ticket(Purpose.CONFIRM, seat.campaign, seat.letter, links.fingerprint(token), data)
            link = links.url(services, links.sign(services, ticket))
            shown = understand(incoming, [seat.address]).wishes
            facts = {"number": mail.id, "name": seat.name, "why": why, "link": link, "sender": incoming.sender}
            subject, text = answers.mail_text("held", orders=shown.orders, campaign=seat.campaign, **facts)
            key = f"inbox/{mail.id}/held"
            same = incoming.message_id if incoming.sender == seat.address else None
            to = (seat.address, seat.name)
            outbox.queue(services, Mail(key, "held", *to, subject, text, seat.campaign, seat.letter, in_reply_to=same))
        return "held"

    def _serve(self, mail: Inbound, incoming: Incoming, seat: Seat, letter_id: int | None) -> str:
        visit = Visit(self._services, mail, incoming, seat, letter_id)
        note = visit.run()
        worth = bool(visit.answer.sections) and self._may_answer(mail, seat)
        answer = self._answer(mail, incoming, seat, visit.answer) if worth else None
        inbox.answered(self._services, mail.id, seat.campaign, seat.letter, note, answer)
        return "handled"

    def _may_answer(self, mail: Inbound, seat: Seat) -> bool:
        """At most so many answers; when they stop, one mail says so."""
        if self._answers.allow(seat.address):
            return True
        if self._warned.add(seat.address) == 1:
            hour = mail.received_at.strftime("%Y%m%d%H")
            subject, text = answers.mail_text("too_many", name=seat.name)
            key = f"storm/{seat.campaign}/{seat.letter}/{hour}"
            to = (seat.address, seat.name)
            outbox.queue(self._services, Mail(key, "answer", *to, subject, text, seat.campaign, seat.letter))
        return False

    def _answer(self, mail: Inbound, incoming: Incoming, seat: Seat, answer: Answer) -> Mail:
        text = answers.render("answer", name=seat.name, sections=answer.sections).strip() + "\n"
        return Mail(
            key=f"inbox/{mail.id}/answer",
            kind="answer",
            address=seat.address,
            name=seat.name,
            subject=f"Re: {incoming.plain_subject[:150] or 'your mail'}",
            text=text,
            campaign=seat.campaign,
            letter=seat.letter,
            html=answers.as_html(text) if answer.map_of is not None else None,
            attachments=tuple(answer.attachments),
            in_reply_to=incoming.message_id or None,
            bell=answer.map_of,
        )


def _seats(found: Sequence[Seat]) -> list[SeatLike]:
    """A person who is Gamesmaster and player at once writes as a player."""
    return [*(s for s in found if not s.is_gm), *(s for s in found if s.is_gm)]


def _released(mail: Inbound) -> bool:
    return bool(mail.reason and mail.reason.startswith("released by "))


def _road(mail: Inbound) -> Envelope:
    return Envelope(
        mail_from=mail.envelope_from.strip("<>"),
        rcpt_to=tuple(a for a in mail.envelope_to.split(",") if a),
        received_at=mail.received_at,
        source=mail.source,
        null_sender=mail.envelope_from == "<>",
    )
