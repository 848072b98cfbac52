"""The sender of the mail being processed: seat, campaign, and the answer that they will get."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

from gm.campaign import keys
from gm.campaign.access import links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import addressee, inbox, outbox
from gm.campaign.mailbox.inbox import Inbound
from gm.campaign.ports import Mail
from gm.campaign.reads import lookups
from gm.campaign.reads.lookups import CampaignState
from gm.campaign.roles import Claim
from gm.campaign.seats.holders import Seat
from gm.campaign.services import Services
from gm.mail.handle import answers
from gm.mail.handle.answers import Answer
from gm.mail.handle.sort_lines import Wishes
from gm.mail.handle.understand import Answered, Understood, understand
from gm.mail.identify.recognise import Who
from gm.mail.parse.line_kind import barred
from gm.mail.parse.message import Incoming
from gm.processes import Run, here
from gm.store.mail_tables import Outbox

OWN_ORDERS = ("receipt", "on_behalf", "briefing")  # mails that show a player their own orders
RECENT = 5  # mails of ours that one which names none may quote
SHORT = 6  # lines of a mail that is not compared with those: of others' words it may still quote some


class Correspondent:
    def __init__(
        self, services: Services, mail: Inbound, incoming: Incoming, seat: Seat, who: Who, run: Run = here
    ) -> None:
        self.services = services.working_for(Claim(seat.campaign, seat.letter, seat.generation))
        self.run_reading = run
        self.mail = mail
        self.incoming = incoming
        self.seat = seat
        self.letter_id = who.letter_id
        self.question = who.question
        self.answer = Answer()
        self.done: list[str] = []  # for the inbox: what the mail came to
        self._state: CampaignState | None = None

    @property
    def state(self) -> CampaignState:
        if self._state is None:
            self._state = lookups.state(self.services, self.seat.campaign)
        return self._state

    @property
    def may_order(self) -> bool:
        """Whether orders are of any use to whoever gets the answer."""
        return not self.seat.is_gm and self.seat.status == "held" and self.state.status in ("running", "paused")

    def answer_mail(self, what: str) -> Mail:
        """The sections of the answer as a mail; the same answer (`what`) to the same mail is sent once."""
        seat, answer, incoming = self.seat, self.answer, self.incoming
        told = seat.is_gm or answer.has("letter_sent") or any("LETTER TO GM:" in section for section in answer.sections)
        gm = "" if told else self.state.gm_name
        facts = {"name": seat.name, "sections": answer.sections, "orders": self.may_order, "gm": gm}
        text = barred(answers.render("answer", **facts).strip() + "\n")
        return Mail(
            key=self.key(what),
            kind="receipt" if answer.has("orders") else "answer",
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

    def in_this_phase(self, note: str) -> str:
        """A note for the inbox, with the Phase that it is about."""
        return f"{note} in {self.state.turn}/{self.state.phase}/{self.state.incarnation};"

    @property
    def is_early(self) -> bool:
        """It came before the open Phase was opened: whoever is ready was so for another."""
        opened = self.state.opened_at
        return opened is not None and self.mail.received_at < opened.replace(microsecond=0)

    def key(self, what: str) -> str:
        """The same mail again does the same thing once."""
        return keys.of_inbox(self.mail.id, what)

    def link(self, purpose: Purpose, **data: object) -> str:
        token = addressee.own_keys(self.services, self.seat.campaign, self.seat.letter, self.seat.address)
        ticket = Ticket(purpose, self.seat.campaign, self.seat.letter, links.fingerprint(token), data)
        return links.url(self.services, links.sign(self.services, ticket))

    @cached_property
    def answered(self) -> Outbox | None:
        """The mail of ours that is answered."""
        seat = self.seat
        return outbox.answered(self.services, self.incoming.references[:10], seat.campaign, seat.letter, self.mail)

    def held(self) -> list[int]:
        """The newest mails of this seat that wait for a confirmation."""
        return inbox.held_for(self.services, self.seat.campaign, self.seat.letter)

    def is_held(self, number: int) -> bool:
        """Asked of the mail itself: others in the same name, however many, must not hide it."""
        return inbox.is_held_for(self.services, number, self.seat.campaign, self.seat.letter)

    def quotable(self, printed: Sequence[str] = ()) -> Answered:
        """The words of ours that it may quote. `printed`: those of others, whose requests alone are looked for."""
        row, others = self.answered, tuple(printed)
        if row is not None:
            own = row.kind in OWN_ORDERS
            return Answered(row.text, row.html, own, row.kind == "bell", files=_files(row), printed=others)
        # It does not say what it answers: perhaps one of the last mails that this seat was sent.
        recent = outbox.recent(self.services, self.seat.campaign, self.seat.letter, self.mail, RECENT)
        files = tuple(file for row in recent for file in _files(row))
        short = self.incoming.body.count("\n") < SHORT
        words = "" if short else "\n".join(dict.fromkeys([*(row.text for row in recent), *others]))
        return Answered(words, None, own_orders=True, named=False, files=files, printed=others)

    def letter_answered(self) -> int | None:
        """By the address, or where a mail system lost what stands behind its +, by what the mail refers to. Forwards
        refer to it as well: to pass on to its author what is said about a letter would be worse than not to."""
        if self.letter_id is None and self.answered is not None and self.answered.kind == "letter":
            if self.incoming.may_forward or self.incoming.forwarded:
                return None
            number = str(self.answered.headers.get("X-Kolokol-Letter", ""))
            return int(number) if number.isdecimal() else None
        return self.letter_id

    def question_answered(self) -> int | None:
        """By its number in the inbox, the mail about which we asked."""
        if self.question is None and self.answered is not None:
            return keys.inbox_number(self.answered.key, "held")
        return self.question

    def understood(self) -> Understood:
        """All that it asks for."""
        return self._understood

    @cached_property
    def _understood(self) -> Understood:
        printed = outbox.words_of_others(self.services, self.seat.campaign, self.seat.letter, self.mail)
        return self.run_reading(understand, self.incoming, [self.seat.address], self.quotable(printed))

    @property
    def digest(self) -> str:
        """Of all that it asks for, to tell whether a mail that was asked about is still understood in the same way."""
        wishes = self.understood().wishes
        asked = (self.letter_answered(), wishes.orders, wishes.commands, wishes.letters)
        return hashlib.sha256(repr(asked).encode("utf-8", "replace")).hexdigest()

    def to_be_done(self) -> Wishes:
        """What would be done if it was confirmed: of an answer to a letter nothing but to pass it on."""
        return Wishes() if self.letter_answered() is not None else self.understood().wishes


def _files(row: Outbox) -> tuple[tuple[str, str], ...]:
    return tuple((part["name"], part["data"]) for part in row.attachments)
