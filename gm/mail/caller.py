"""Who wrote a mail, from which seat, and the one answer that he will get."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.campaign import inbox, links, lookups, outbox, players
from gm.campaign.inbox import Inbound
from gm.campaign.links import Purpose, Ticket
from gm.campaign.lookups import CampaignState
from gm.campaign.players import Seat
from gm.campaign.services import Services
from gm.mail.answers import Answer
from gm.mail.inbound import Incoming


class Caller:
    def __init__(
        self, services: Services, mail: Inbound, incoming: Incoming, seat: Seat, letter_id: int | None = None
    ) -> None:
        self.services = services
        self.mail = mail
        self.incoming = incoming
        self.seat = seat
        self.letter_id = letter_id
        self.answer = Answer()
        self.done: list[str] = []  # for the inbox: what the mail came to
        self._state: CampaignState | None = None

    @property
    def state(self) -> CampaignState:
        if self._state is None:
            self._state = lookups.state(self.services, self.seat.campaign)
        return self._state

    def key(self, what: str) -> str:
        """The same mail again does the same thing once."""
        return f"inbox/{self.mail.id}/{what}"

    def link(self, purpose: Purpose) -> str:
        token = players.seat_token(self.services, self.seat.campaign, self.seat.letter)
        ticket = Ticket(purpose, self.seat.campaign, self.seat.letter, links.fingerprint(token))
        return links.url(self.services, links.sign(self.services, ticket))

    def questions_answered(self) -> Iterator[int]:
        """Mails about which we asked whether they were his, and this is the answer."""
        for identity in self.incoming.references[:10]:
            row = outbox.by_message_id(self.services, identity)
            asked = re.match(r"inbox/(\d+)/held$", row.key) if row is not None else None
            if asked:
                yield int(asked[1])

    def held(self) -> Iterator[int]:
        """Mails of this seat that wait for a confirmation."""
        for slip in inbox.in_state(self.services, "held", self.seat.campaign):
            if slip.letter == self.seat.letter:
                yield slip.id
