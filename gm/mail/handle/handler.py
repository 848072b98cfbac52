"""MailHandler: every mail is stored first, then its sender identified, then processed; it ends in one of four states:
handled, held for a confirmation, in quarantine, or (while something is broken) waiting to be tried again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import structlog
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from gm.campaign import keys
from gm.campaign.access import links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import addressee, failures, inbox, outbox
from gm.campaign.mailbox.inbox import Inbound
from gm.campaign.ports import Mail
from gm.campaign.seats import holders
from gm.campaign.seats.holders import Seat
from gm.campaign.services import Services
from gm.campaign.tokens import strike_secrets
from gm.errors import GmError, NotFound
from gm.mail.handle import answers, outsiders
from gm.mail.handle.one_mail import EARLIER, MailInProcess
from gm.mail.handle.reading import MailReading
from gm.mail.handle.sort_lines import Wishes, without_press
from gm.mail.identify.dkim import DnsText, speaks_against
from gm.mail.identify.rate_limit import DEFAULT, Answers, Limits, RateCounter, Spent
from gm.mail.identify.recognise import SeatLike, Trust, Who, is_our_bounce, recognise, tokens_of, vouched_for
from gm.mail.metrics import handling
from gm.mail.parse import headers
from gm.mail.parse.headers import HEAD
from gm.mail.parse.kind import LIKE_A_PERSONS, MailKind
from gm.mail.parse.message import BY_ITS_WORDS, TRUNCATED, Envelope, Incoming, read
from gm.mail.turns import NOBODY, Turns, known_seats
from gm.processes import Run, TooCostly, here

log = structlog.get_logger("mail")
STRANGERS_BYTES = 1_000_000  # kept of a mail of nobody we know, whose words are never read; a bounce has less
LOOK_AFTER = 200  # mails: then it is looked how many are of strangers
MOST_SEATS = 10  # to which one mail may go
TRIES = 4  # then a person must look at it
AUTOMATIC = "automatic"  # requests in a mail that a machine seems to have sent
BUSY = "busy"  # another process reads it


_Told = tuple[str, str, str, list[str]]  # by the head of a mail: sender, Message-ID, subject, recipients


class _Waiting:
    """The mails that wait, as seen during one sweep. Each look adds what came since."""

    def __init__(self, services: Services, before: datetime | None, ahead: bool, limit: int = 5_000) -> None:
        self._services, self._before, self._ahead, self._limit = services, before, ahead, limit
        self._numbers: list[int] = []
        self._seen = 0

    def look(self, again: bool = True) -> list[int]:
        if again or not self._numbers:
            where = {"before": self._before, "after": self._seen, "limit": self._limit}
            self._numbers += inbox.waiting(self._services, ahead=self._ahead, **where)  # type: ignore[arg-type]
            self._seen = max(self._seen, *self._numbers[-1:], 0)
        return self._numbers

    def done(self, *numbers: int) -> None:
        gone = set(numbers)
        self._numbers = [number for number in self._numbers if number not in gone]


class MailHandler:
    """One for a process; its memory only limits how often somebody is answered."""

    def __init__(
        self, services: Services, limits: Limits = DEFAULT, dns: DnsText | None = None, run: Run = here
    ) -> None:
        self._services = services
        self._run = run  # where mails are read: long-lived processes have a second one with limits for it
        self._dns = dns  # None: the system's
        self._limits = limits

        def seconds() -> float:
            return services.clock.now().timestamp()

        self._answers = Answers(limits, seconds)
        self._kept = RateCounter(3600, seconds)
        self._warned = RateCounter(3600, seconds)
        self._unasked = RateCounter(3600, seconds)
        self._asked = RateCounter(3600, seconds)  # apart from the answers: forged mail shall not use those up
        self._turns = Turns(services, seconds)
        self._bytes = Spent(86400, seconds)

    # --- taking it in

    def take(self, raw: bytes, envelope: Envelope) -> int:
        """Store it, whatever it is; only then may a source acknowledge it. Gives its number in the inbox."""
        return self.take_each(raw, envelope)[0]

    def take_each(self, raw: bytes, envelope: Envelope) -> list[int]:
        """The same, with the numbers for all the seats that it went to."""
        told = _told_by_head(raw)
        return [self._take(raw, each, 0, told).id for each in self._for_each_seat(envelope, told[3])]

    def receive(self, raw: bytes, envelope: Envelope) -> str:
        """Take it and deal with it at once."""
        told = _told_by_head(raw)
        outcomes = [self._receive(raw, each, told) for each in self._for_each_seat(envelope, told[3])]
        return outcomes[0]

    def _receive(self, raw: bytes, envelope: Envelope, told: _Told) -> str:
        stored = self._take(raw, envelope, 1, told)
        outcome = inbox.ASKED if stored.mail is None else self._handle_safely(stored.mail, stored)
        return self.handle(stored.id) if outcome == inbox.ASKED else outcome

    def _for_each_seat(self, envelope: Envelope, named: Sequence[str]) -> list[Envelope]:
        """A mail to the secret addresses of several seats, all of them one person's, comes once for each."""
        with_secret = [a for a in envelope.rcpt_to if tokens_of([a])] or named
        if len({token for token, _ in tokens_of(with_secret)}) < 2:
            return [envelope]
        seats = ((next(known_seats(self._services, [address]), None), address) for address in with_secret[:MOST_SEATS])
        found: dict[tuple[str, str], str] = {}
        for seat, address in seats:
            if seat is not None:
                found.setdefault((seat.campaign, seat.letter), address)
        return [replace(envelope, rcpt_to=(a,)) for a in found.values()] if len(found) > 1 else [envelope]

    def _take(self, raw: bytes, envelope: Envelope, attempts: int, told: _Told) -> inbox.Stored:
        services = self._services
        sender, message_id, subject, to = told
        secret = next(known_seats(services, [*envelope.rcpt_to, *to], subject), None)
        claimed = sender if sender and holders.seats_by_address(services, sender) else ""
        flood = self._is_flood(claimed, len(raw)) if secret is None else self._is_too_long(secret, len(raw))
        if len(raw) > services.settings.max_mail_bytes or flood:
            raw = f"{TRUNCATED}: {len(raw)}\r\n".encode() + raw[:HEAD]
        stored = inbox.store(
            services,
            raw,
            source=envelope.source,
            received_at=envelope.received_at,
            sender=sender,
            envelope_from="<>" if envelope.null_sender else envelope.mail_from,
            envelope_to=",".join(envelope.rcpt_to),
            message_id=message_id,
            attempts=attempts,
            ahead=secret is not None,
        )
        if secret is not None:
            self._turns.bears(stored.id, secret)
        elif stored.id % LOOK_AFTER == 0:
            inbox.drop_strangers(services)
        return stored

    def sweep(self, limit: int = 50, before: datetime | None = None, ahead: bool = False) -> int:
        """Deal with what waits: after a crash, and what was confirmed or released. Gives how many are settled. What
        bears a secret goes first, also what comes meanwhile, and those who wait take turns: however much others
        write, each waits for one mail of theirs. With `ahead`, nothing but that."""
        settled, tried, mine = 0, 0, _Waiting(self._services, before, ahead=True)
        others = None if ahead else _Waiting(self._services, before, ahead=False, limit=limit)
        while tried < limit:
            number = self._first(mine)
            if number is None and others is not None:
                number = next(iter(others.look(again=False)), None)
            if number is None:
                break
            tried += 1
            settled += self._deal_with(number)
            mine.done(number)
            if others is not None:
                others.done(number)
        return settled

    def _first(self, waiting: _Waiting) -> int | None:
        """The next mail that bears a secret. Whoever used up their share of processor time is put behind all others."""
        while numbers := waiting.look():
            number = self._turns.first(numbers)
            who = self._turns.whose(number)
            if self._turns.has_spent(who) < self._limits.seconds_an_hour:
                return number
            theirs = [each for each in numbers if self._turns.whose(each) == who]
            log.warning("mail put behind all other mail", mails=len(theirs), first=number)
            inbox.put_behind(self._services, theirs)
            waiting.done(*theirs)
        return None

    def answer_questions(self, limit: int = 50) -> int:
        """Answer the what-ifs that mails asked for: it takes long, and no other mail and no deadline waits for it.
        Those who ask take turns."""
        settled, tried = 0, set[int]()
        while len(tried) < limit:
            left = [number for number in inbox.questions(self._services) if number not in tried]
            if not left:
                break
            number = self._turns.first_question(left)
            tried.add(number)
            settled += self._deal_with(number)
        return settled

    def _deal_with(self, number: int) -> int:
        try:
            return int(self._handle_safely(inbox.get(self._services, number)) != BUSY)
        except NotFound:  # deleted meanwhile
            return 0
        except DBAPIError as error:  # the database is away or locked: the mail is kept and comes again
            log.warning("mail must wait", mail=number, error=type(error).__name__)
            return 0

    def handle(self, mail_id: int) -> str:
        """Deal with a mail now, and with a question in it too."""
        mail = inbox.get(self._services, mail_id)
        outcome = self._handle_safely(mail) if mail.state == "new" else mail.state
        return self.handle(mail_id) if outcome == inbox.ASKED else outcome

    def _is_flood(self, claimed: str, size: int) -> bool:
        """Of a mail to no secret address: `claimed` is the player's whose address it bears, as anybody's may."""
        if claimed and size <= HEAD:
            return False  # no less would be kept
        most = self._limits.claimed_kept_an_hour if claimed else self._limits.unknown_kept_an_hour
        return size > STRANGERS_BYTES or self._kept.add(claimed) > most

    def _is_too_long(self, seat: Seat, size: int) -> bool:
        """Of a mail that bears a secret: whether it is more than is kept of one person in a day."""
        return self._bytes.add(seat.address, size) > self._limits.bytes_a_day and size > HEAD

    # --- dealing with it

    def _handle_safely(self, mail: Inbound, stored: inbox.Stored | None = None) -> str:
        """Process one mail; an unexpected error does not stop the others, lose the mail, or repeat without end."""
        services = self._services
        tries = inbox.claim(services, mail.id) if stored is None else 1
        if tries is None:
            return BUSY
        if tries > TRIES:
            return self._unreadable(mail, "kept failing")
        try:
            with self._turns.on_account_of(self._turns.whose(mail.id), self._run) as run:
                outcome = self._handle(mail, stored is None or stored.repeats, run)
        except (OperationalError, InterfaceError):
            inbox.let_go(services, mail.id)
            raise
        except GmError as error:
            log.warning("mail refused", mail=mail.id, code=error.code)
            inbox.quarantine(services, mail.id, f"{error.code}: {error}", mail.campaign)
            outcome = "quarantined"
        except Exception as error:  # any error that a stranger's mail can cause: put it aside, go on
            log.error("mail unreadable", mail=mail.id, error=type(error).__name__)
            return self._unreadable(mail, type(error).__name__)
        handling.labels(outcome).inc()
        return outcome

    def _unreadable(self, mail: Inbound, why: str) -> str:
        """Put a mail that cannot be read into quarantine, as it came. It is counted: `gm doctor`, /readyz and the
        Gamesmaster's mail page tell of it; and whoever may have sent it is told, for they wait for a receipt."""
        handling.labels("unreadable").inc()
        seat = self._turns.seat_of(mail.id)
        campaign = mail.campaign or (seat.campaign if seat else None)
        inbox.quarantine(self._services, mail.id, f"{inbox.UNREADABLE}: {why}", campaign)
        if seat is not None and mail.sender == seat.address.lower() and self._may_answer(mail, seat):
            asked, costly = mail.reason == inbox.ASKED, why == TooCostly.__name__
            facts = {"name": seat.name, "number": mail.id, "received": mail.received_at, "zone": seat.zone}
            subject, text = answers.mail_text("unreadable", asked=asked, costly=costly, **facts)
            key = keys.of_inbox(mail.id, "unreadable-whatif" if asked else "unreadable")
            to = (seat.address, seat.name)
            outbox.queue(self._services, Mail(key, "answer", *to, subject, text, seat.campaign, seat.letter))
        return "quarantined"

    def _handle(self, mail: Inbound, may_repeat: bool, run: Run) -> str:
        if self._is_formers(mail):
            inbox.quarantine(self._services, mail.id, "it waited, and its seat has another holder now", mail.campaign)
            return "quarantined"
        opened = MailReading(run, mail.raw, _envelope(mail), self._services.secret_key, self._is_too_much(mail))
        if mail.reason == inbox.ASKED:
            return self._question(mail, opened)
        head, released = opened.head, _released(mail)
        if head.kind is MailKind.BOUNCE and head.why != BY_ITS_WORDS and not released:
            return self._bounce(mail, head)
        who = self._recognise(mail, head, run)
        if head.kind is MailKind.BOUNCE and who.trust is not Trust.TOKEN and not released:
            return self._bounce(mail, head)  # a player who quotes such words to their own address has not bounced
        seat = who.seat if isinstance(who.seat, Seat) else None
        if released and seat is not None and who.trust is Trust.TOKEN:
            return self._serve(mail, opened, seat, who)
        if head.kind is MailKind.LOOP:
            return self._note(mail, seat if who.trust is Trust.TOKEN else None, f"{head.kind}: {head.why}")
        if head.kind is MailKind.AUTO_REPLY and (done := self._automatic(mail, opened, seat, who)):
            return done
        former = outsiders.former_seat(self._services, head) if who.trust is not Trust.TOKEN else None
        if former is not None and (seat is None or seat.campaign != former.campaign):
            few = self._asked.add(former.address) <= self._limits.questions_an_hour
            words = opened.whole().own.text.strip() if few else ""
            outsiders.answer_former_holder(self._services, mail, former, words)
            return "quarantined"
        if seat is None:
            return self._stranger(mail, head)  # whose words are never read: anybody can send many
        if who.trust is Trust.CONFIRM and self._asks_no_more(seat, opened):
            return self._hold_unread(mail, seat, who.why)
        incoming = opened.whole()
        known = (seat.campaign, seat.letter) if who.trust is Trust.TOKEN else None  # then a forged one is not the first
        first = inbox.first_of(self._services, mail, known) if may_repeat else None
        if first is not None and first.letter and (first.campaign, first.letter) != (seat.campaign, seat.letter):
            first = None  # it went to the secret addresses of two seats
        if first is not None and not released:
            return self._repeated(mail, opened, first, seat if known else None)
        if who.why == "other-address" and holders.is_named_like_another(
            self._services, seat, incoming.name, incoming.sender
        ):
            inbox.quarantine(
                self._services, mail.id, f"to the address of {seat.letter}, in another's name", seat.campaign
            )
            return "quarantined"
        asks = MailInProcess(self._services, mail, incoming, seat, who, run)
        if incoming.kind is MailKind.BULK and who.trust is Trust.TOKEN and not asks.to_be_done().nothing:
            return self._hold(asks, AUTOMATIC, asks.to_be_done())
        if incoming.kind in (MailKind.BULK, MailKind.MALFORMED):
            inbox.quarantine(self._services, mail.id, f"{incoming.kind}: {incoming.why}", seat.campaign)
            return "quarantined"
        if who.trust is Trust.CONFIRM:
            return self._hold(asks, who.why, asks.to_be_done())
        return self._serve(mail, opened, seat, who)

    def _is_formers(self, mail: Inbound) -> bool:
        """Whether it is vouched for as a seat's that has changed hands since it came."""
        if not (mail.campaign and mail.letter and (_released(mail) or mail.reason == inbox.ASKED)):
            return False
        return holders.has_changed_hands(self._services, mail.campaign, mail.letter, mail.received_at)

    def _is_too_much(self, mail: Inbound) -> bool:
        """Whether mail without a secret has taken so much processor time that no more is spent on it."""
        most = self._limits.nobodys_seconds_an_hour
        return self._turns.has_spent(NOBODY) >= most and self._turns.whose(mail.id) == NOBODY

    def _asks_no_more(self, seat: Seat, opened: MailReading) -> bool:
        """Whether a mail is held by its head alone: nobody will be asked about it, and who sent it is not known."""
        return opened.head_alone or self._asked.count(seat.address) >= self._limits.questions_an_hour

    def _recognise(self, mail: Inbound, incoming: Incoming, run: Run) -> Who:
        services = self._services

        def by_token(token: str) -> Seat | None:
            return holders.seat_by_token(services, token)

        if (_released(mail) or mail.reason == inbox.ASKED) and mail.campaign and mail.letter:
            return vouched_for(holders.seat_of(services, mail.campaign, mail.letter), incoming, by_token)
        who = recognise(
            incoming,
            by_token,
            lambda address: _seats(holders.seats_by_address(services, address)),
            services.settings.trusted_authserv,
        )
        at_our_door = mail.source == "lmtp" and services.settings.verify_dkim and who.trust is Trust.TOKEN
        if at_our_door and run(speaks_against, mail.raw, self._dns):
            return replace(who, trust=Trust.CONFIRM, why="dkim-fail")
        return who

    def _repeated(self, mail: Inbound, opened: MailReading, first: Inbound, seat: Seat | None) -> str:
        incoming, earlier = opened.whole(), opened.run(read, first.raw, _envelope(first))
        if earlier.own == incoming.own and earlier.sheets == incoming.sheets:
            return self._note(mail, None, f"the same mail as {first.id}")
        reason = f"has the Message-ID of {first.id} and says something else"
        inbox.quarantine(self._services, mail.id, reason, first.campaign)
        if seat is not None and self._may_answer(mail, seat):  # whoever edits a mail and sends it again
            subject, text = answers.mail_text(
                "repeated", name=seat.name, number=mail.id, first=first.received_at, zone=seat.zone
            )
            to = (seat.address, seat.name)
            key = keys.of_inbox(mail.id, "repeated")
            outbox.queue(self._services, Mail(key, "answer", *to, subject, text, seat.campaign, seat.letter))
        return "quarantined"

    def _automatic(self, mail: Inbound, opened: MailReading, seat: Seat | None, who: Who) -> str | None:
        """What a machine sent is not answered. But no request of a seat's holder is lost because it looks so: under a
        subject that people write too it is read as any other mail (None), else its holder is asked."""
        head, known = opened.head, who.trust is Trust.TOKEN
        if seat is not None and not known and head.why == LIKE_A_PERSONS and self._asks_no_more(seat, opened):
            return None
        if seat is not None and (known or head.why == LIKE_A_PERSONS):
            words = MailInProcess(self._services, mail, opened.whole(), seat, who, opened.run)
            wishes = words.understood().wishes
            if head.why == LIKE_A_PERSONS and (not wishes.nothing or words.letter_answered() is not None):
                return None
            if not wishes.nothing and words.letter_answered() is None and words.question_answered() is None:
                return self._hold(words, AUTOMATIC, wishes)
        return self._note(mail, seat if known else None, f"{head.kind}: {head.why}")

    def _stranger(self, mail: Inbound, incoming: Incoming) -> str:
        """No answer: whoever asks shall not learn which addresses we know."""
        if done := outsiders.unsubscribed(self._services, incoming):
            return self._note(mail, None, done)
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
        ours = outbox.by_message_id(services, bounce.message_id) if bounce is not None and bounce.message_id else None
        if ours is None or bounce is None or not is_our_bounce(services.secret_key, bounce.message_id, bounce.key):
            inbox.quarantine(services, mail.id, "a bounce without the key of a mail of ours")
            return "quarantined"
        if not bounce.harmless:
            failures.came_back(services, ours.id, f"{bounce.status} {bounce.detail}".strip(), bounce.permanent)
        note = f"bounce {bounce.status} {bounce.action}".strip()
        inbox.handled(services, mail.id, ours.campaign_id, ours.letter, note)
        return "handled"

    # --- people

    def _hold(self, asks: MailInProcess, why: str, wishes: Wishes, phase: str = "") -> str:
        """Hold it until the seat's holder confirms that they sent it, or mean it. The question goes to the address
        that we know, and says all that the mail asks for; confirmed is that and nothing else."""
        services, mail, incoming, seat = self._services, asks.mail, asks.incoming, asks.seat
        reply = asks.letter_answered() is not None
        inbox.hold(services, mail.id, seat.campaign, seat.letter, why, asks.digest, incoming.words)
        theirs = why == EARLIER
        if self._may_answer(mail, seat) if theirs else self._may_ask(seat):
            token = addressee.own_keys(services, seat.campaign, seat.letter, seat.address)
            data = {"inbox": mail.id}
            ticket = Ticket(Purpose.CONFIRM, seat.campaign, seat.letter, links.fingerprint(token), data)
            link = links.url(services, links.sign(services, ticket))
            facts = {"number": mail.id, "name": seat.name, "why": why, "link": link, "sender": incoming.sender}
            facts |= {"received": mail.received_at, "zone": seat.zone, "about": strike_secrets(incoming.subject[:100])}
            shown, press = (wishes.orders, 0) if theirs else without_press(wishes.orders)
            does = {"commands": wishes.commands, "letters": wishes.letters, "reply": reply}
            subject, text = answers.mail_text(
                "held", orders=shown, press=press, campaign=seat.campaign, phase=phase, **does, **facts
            )
            key = keys.of_inbox(mail.id, "held")
            same = incoming.message_id if incoming.sender == seat.address else None
            to = (seat.address, seat.name)
            outbox.queue(services, Mail(key, "held", *to, subject, text, seat.campaign, seat.letter, in_reply_to=same))
        return "held"

    def _hold_unread(self, mail: Inbound, seat: Seat, why: str) -> str:
        inbox.hold(self._services, mail.id, seat.campaign, seat.letter, why)
        self._asked.add(seat.address)
        self._tell_unasked(seat)
        return "held"

    def _may_ask(self, seat: Seat) -> bool:
        """At most so many questions, for anybody can make us ask."""
        if self._asked.add(seat.address) <= self._limits.questions_an_hour:
            return True
        self._tell_unasked(seat)
        return False

    def _tell_unasked(self, seat: Seat) -> None:
        """One mail says that the questions stop, and what to do."""
        if self._unasked.add(seat.address) == 1:
            waiting = inbox.held_for(self._services, seat.campaign, seat.letter)
            subject, text = answers.mail_text("held_unasked", name=seat.name, waiting=waiting)
            key = keys.once("unasked", seat.campaign, seat.letter, waiting[-1] if waiting else "")
            to = (seat.address, seat.name)
            outbox.queue(self._services, Mail(key, "answer", *to, subject, text, seat.campaign, seat.letter))

    def _serve(self, mail: Inbound, opened: MailReading, seat: Seat, who: Who) -> str:
        in_process = MailInProcess(self._services, mail, opened.whole(), seat, who, opened.run)
        note = in_process.run(released=_released(mail))
        if in_process.doubt is not None:
            return self._hold(in_process, *in_process.doubt, in_process.open_phase)
        in_process.tell_of_other_addresses(lambda token: holders.seat_by_token(self._services, token) == seat)
        return self._answered(in_process, note, "answer")

    def _question(self, mail: Inbound, opened: MailReading) -> str:
        incoming = opened.whole()
        who = self._recognise(mail, incoming, opened.run)
        if not isinstance(who.seat, Seat):  # the campaign is gone
            return self._note(mail, None, "a question of nobody")
        in_process = MailInProcess(self._services, mail, incoming, who.seat, who, opened.run)
        return self._answered(in_process, in_process.try_out(), "whatif")

    def _answered(self, done: MailInProcess, note: str, what: str) -> str:
        worth = bool(done.answer.sections) and self._may_answer(done.mail, done.seat)
        answer = done.answer_mail(what) if worth else None
        inbox.answered(self._services, done.mail.id, done.seat.campaign, done.seat.letter, note, answer, done.asks)
        return inbox.ASKED if done.asks else "handled"

    def _may_answer(self, mail: Inbound, seat: Seat) -> bool:
        """At most so many answers; when they stop, one mail says so."""
        if self._answers.allow(seat.address):
            return True
        if self._warned.add(seat.address) == 1:
            hour = mail.received_at.strftime("%Y%m%d%H")
            subject, text = answers.mail_text("too_many", name=seat.name)
            key = keys.once("storm", seat.campaign, seat.letter, hour)
            to = (seat.address, seat.name)
            outbox.queue(self._services, Mail(key, "answer", *to, subject, text, seat.campaign, seat.letter))
        return False


def _told_by_head(raw: bytes) -> _Told:
    """Sender, Message-ID, subject, recipients. A mail whose head cannot be read is stored all the same."""
    try:
        message = headers.parse_head(raw)
        ids = headers.message_ids(message, "Message-ID")
        to = headers.addresses(message, *headers.RECIPIENTS)
        return headers.sender(message), ids[0] if ids else "", headers.text(message, "Subject"), to
    except Exception as error:
        log.warning("head unreadable", error=type(error).__name__)
        return "", "", "", []


def _seats(found: Sequence[Seat]) -> list[SeatLike]:
    """A person who is Gamesmaster and player at once writes as a player."""
    return [*(s for s in found if not s.is_gm), *(s for s in found if s.is_gm)]


def _released(mail: Inbound) -> bool:
    return bool(mail.reason and mail.reason.startswith("released by "))


def _envelope(mail: Inbound) -> Envelope:
    return Envelope(
        mail_from=mail.envelope_from.strip("<>"),
        rcpt_to=tuple(a for a in mail.envelope_to.split(",") if a),
        received_at=mail.received_at,
        source=mail.source,
        null_sender=mail.envelope_from == "<>",
    )
