"""One mail of a seat's holder, dealt with: each wish in it is carried out or refused, and adds to the one answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from gm.campaign import intake, outbox, press
from gm.campaign.intake import Submitted
from gm.campaign.links import Purpose
from gm.errors import GmError
from gm.mail import questions
from gm.mail.answers import fold
from gm.mail.caller import Caller
from gm.mail.commands import Command, LetterText, press_blocks
from gm.mail.orderish import keyword, looks_like_order
from gm.mail.reading import Understood, understand
from gm.orders.calendar import phase_name
from gm.orders.check import unordered
from gm.orders.model import Press
from gm.orders.parser import parse
from gm.orders.receipt import Review, receipt_text, review, serious

AT_ONCE = timedelta(seconds=1)
MAX_LINES = 1500  # of a sheet; there are not two hundred counters
MAX_RECEIPT = 60_000  # characters; who makes more mistakes learns of the first thousand


class Visit(Caller):
    def run(self) -> str:
        if self.letter_id is not None:
            self._guarded("letter", self._reply_to_letter)
            return ", ".join(self.done)
        understood = understand(self.incoming, [self.seat.address], self._quoted_mail())
        wishes = understood.wishes
        if wishes.orders.strip():
            self._guarded("orders", lambda: self._orders(understood))
        for number, letter in enumerate(wishes.letters):
            self._guarded("letter", lambda n=number, x=letter: self._letter(n, x))  # type: ignore[misc]
        for command in wishes.commands:
            self._guarded(command.word.lower(), lambda c=command: self._command(c))  # type: ignore[misc]
        if wishes.nothing:
            self.answer.add("nothing", talk=wishes.talk, notes=bool(understood.notes))
            self.done.append("nothing understood")
        elif wishes.talk:
            self.answer.add("talk", talk=wishes.talk[:12], more=max(0, len(wishes.talk) - 12))
        if understood.notes:
            self.answer.add("notes", notes=understood.notes, nothing=wishes.nothing)
        return ", ".join(self.done)[:200]

    def _guarded(self, what: str, work: Callable[[], None]) -> None:
        """A refusal of one wish is told and does not stop the others."""
        try:
            work()
        except GmError as error:
            self.answer.add("refused_wish", what=what, message=str(error), hint=error.hint)
            self.done.append(f"{what} refused: {error.code}")

    def _quoted_mail(self) -> str | None:
        """The text of the mail of ours that he answers, to tell what he typed between its lines."""
        if not self.incoming.own.below:
            return None
        for identity in self.incoming.references[:5]:
            row = outbox.by_message_id(self.services, identity)
            if row is not None and row.campaign_id == self.seat.campaign and row.letter == self.seat.letter:
                return row.text
        return None

    # --- orders

    def _orders(self, understood: Understood) -> None:
        text = understood.wishes.orders
        if self.seat.is_gm:
            self.answer.add("gm_orders")
            return
        if _only_resigns(text):
            self._resign()
        elif understood.wishes.only_press:
            self._press(text)
        else:
            self._submit(text)

    def _submit(self, text: str) -> None:
        lines = sum(1 for line in text.split("\n") if line.strip())
        if lines > MAX_LINES:
            self.answer.add("orders_too_long", lines=lines, most=MAX_LINES)
            self.done.append("orders too long")
            return
        if self._overtaken():
            self.answer.add("orders_overtaken", received=self.mail.received_at, zone=self.seat.zone)
            self.done.append("orders overtaken")
            return
        submitted = intake.submit(
            self.services,
            self.seat.campaign,
            self.seat.letter,
            text,
            source="mail",
            key=self.key("orders"),
            received_at=self.mail.received_at,
            inbox_id=self.mail.id,
        )
        problems = tuple(sorted(submitted.problems, key=lambda p: p.order))
        self.answer.add(
            "orders",
            submitted=submitted,
            body=self._receipt(text, submitted)[:MAX_RECEIPT],
            phase=phase_name(submitted.turn, submitted.phase),
            open_phase=_open_phase(submitted),
            zone=self.seat.zone,
            replaced=submitted.replaced and not _adds(text),
            serious=len({p.order for p in serious(problems)}),
            press=submitted.press if submitted.status == "taken" else 0,
        )
        self.done.append(f"orders {submitted.status} v{submitted.version}")
        if _adds(text) and submitted.status == "taken":
            self.answer.add("standing", text=submitted.canonical)
        if submitted.resign_asked:
            self._resign()

    def _overtaken(self) -> bool:
        """The time of receipt counts: a mail that waited, for a confirmation or a worker, replaces nothing newer."""
        if self.services.clock.now() - self.mail.received_at < AT_ONCE:
            return False
        own = intake.current_orders(self.services, self.seat.campaign, self.seat.letter)
        return own is not None and own.received_at > self.mail.received_at

    def _receipt(self, text: str, submitted: Submitted) -> str:
        """What was understood. With ADD, of the added lines alone: all that stands follows after it."""
        if submitted.status == "refused" or (submitted.status == "withdrawn" and not submitted.problems):
            return ""
        board, letter = self.services.board, self.seat.letter
        position = submitted.position or self.state.position
        if _adds(text):
            names = {name: letter for letter, name in self._names().items()}
            return fold(receipt_text(review(board, position, letter, parse(board, text, names)))).strip()
        name = phase_name(submitted.turn, submitted.phase)
        same = (submitted.turn, submitted.phase) == (position.turn, position.phase.value)
        idle = unordered(board, position, letter, submitted.sheet) if same else ()
        problems = tuple(sorted(submitted.problems, key=lambda p: p.order))
        return fold(receipt_text(Review(letter, name, submitted.sheet, problems, idle))).strip()

    def _resign(self) -> None:
        self.answer.add("resign", link=self.link(Purpose.RESIGN), title=self.state.name)
        self.done.append("resign asked")

    def _press(self, text: str) -> None:
        """Press alone: the orders on file stay as they are."""
        names = {name: letter for letter, name in self._names().items()}
        printed, passed = [], []
        pieces = [o for o in parse(self.services.board, text, names).sheet.orders if isinstance(o, Press)]
        for number, piece in enumerate(pieces):
            key = self.key(f"press/{number}")
            if piece.to:
                press.add_letter(self.services, self.seat.campaign, self.seat.letter, piece.to, piece.text, key=key)
                passed.append(piece)
            else:
                press.add_press(self.services, self.seat.campaign, self.seat.letter, piece.text, piece.dateline, key)
                printed.append(piece)
        self.answer.add("press", printed=printed, passed=passed, names=self._names(), paper=self.state.paper)
        self.done.append(f"press {len(pieces)}")

    # --- letters

    def _letter(self, number: int, letter: LetterText) -> None:
        to, unknown = self._letters_of(letter.to)
        if unknown:
            self.answer.add("letter_unknown", unknown=unknown, names=self._names())
            self.done.append("letter to nobody")
            return
        press.add_letter(
            self.services,
            self.seat.campaign,
            self.seat.letter,
            to,
            self._without_addresses(letter.text),
            anonymous=letter.anonymous,
            key=self.key(f"letter/{number}"),
        )
        self.answer.add("letter_sent", to=[self._name(x) for x in to], anonymous=letter.anonymous)
        self.done.append(f"letter to {','.join(to)}")

    def _reply_to_letter(self) -> None:
        """An answer to a private letter goes back to its author, all of it; nothing in it is taken for orders."""
        assert self.letter_id is not None
        original = press.letter_by_id(self.services, self.seat.campaign, self.letter_id)
        if original is None or self.seat.letter not in original.recipients or original.sender is None:
            self.answer.add("letter_lost")
            self.done.append("letter answers nothing")
            return
        text = self.incoming.own.text.strip()
        if not text:
            self.answer.add("letter_empty")
            self.done.append("empty letter")
            return
        subject = f"Re: {self.incoming.plain_subject[:150]}" if self.incoming.plain_subject else ""
        press.add_letter(
            self.services,
            self.seat.campaign,
            self.seat.letter,
            (original.sender,),
            self._without_addresses(text),
            subject=subject,
            in_reply_to=self.letter_id,
            key=self.key("reply"),
        )
        self.done.append("letter passed on")
        if any(keyword(line) and looks_like_order(line) for line in text.split("\n")):
            self.answer.add("letter_with_orders")

    def _without_addresses(self, text: str) -> str:
        """Nobody's address goes through the relay, not even in a signature."""
        known = [seat.address for seat in self.state.seats if seat.address] + [self.seat.address, self.incoming.sender]
        for address in sorted(set(known), key=len, reverse=True):
            if address:
                text = _ignoring_case(text, address)
        return text

    def _letters_of(self, names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        by_name = {seat.name.lower(): seat.letter for seat in self.state.seats}
        firsts = [seat.name.lower().split()[0] for seat in self.state.seats]
        by_name |= {f: s.letter for f, s in zip(firsts, self.state.seats, strict=True) if firsts.count(f) == 1}
        by_name |= {seat.letter.lower(): seat.letter for seat in self.state.seats}
        by_name |= {"gm": "GM", "gamesmaster": "GM", self.state.gm_name.lower(): "GM"}
        found = [by_name.get(name.lower().strip(" .")) for name in names]
        unknown = tuple(name for name, letter in zip(names, found, strict=True) if letter is None)
        return tuple(dict.fromkeys(x for x in found if x)), unknown

    # --- questions and requests

    def _command(self, command: Command) -> None:
        work = questions.COMMANDS.get(command.word)
        if work is None:
            self.answer.add("refused_wish", what=command.word, message="there is no such command", hint="send HELP")
            return
        work(self, command.argument)
        self.done.append(command.word.lower())

    def _names(self) -> dict[str, str]:
        return {seat.letter: seat.name for seat in self.state.seats}

    def _name(self, letter: str) -> str:
        return self.state.gm_name if letter == "GM" else f"{self._names()[letter]} ({letter})"


def _only_resigns(text: str) -> bool:
    blocks = press_blocks(text)
    return bool(blocks) and all(b.strip(" .!").upper() == "RESIGN" for b in blocks)


def _open_phase(submitted: Submitted) -> str:
    position = submitted.position
    return phase_name(position.turn, position.phase) if position else ""


def _adds(text: str) -> bool:
    return any(line.strip(" .").upper() == "ADD" for line in text.split("\n"))


def _ignoring_case(text: str, address: str) -> str:
    low = text.lower()
    start = low.find(address.lower())
    while start >= 0:
        text = text[:start] + "[address hidden]" + text[start + len(address) :]
        low = text.lower()
        start = low.find(address.lower())
    return text
