"""Processing one mail of a seat's holder: each request in it is carried out or refused, and adds to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

from gm.campaign import keys
from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import inbox, letters, outbox
from gm.campaign.mailbox.who_writes import OUT
from gm.campaign.manage import creation
from gm.campaign.phase import intake
from gm.campaign.phase.intake import Submitted
from gm.campaign.seats import holders
from gm.campaign.tokens import hide_addresses
from gm.errors import GmError
from gm.gamedate import phase_name
from gm.mail.handle import commands, yes_or_no
from gm.mail.handle.correspondent import Correspondent
from gm.mail.handle.invitation import InvitationAnswer, answer_in
from gm.mail.handle.sort_lines import LetterText, MailCommand, Wishes, press_blocks, sort_out
from gm.mail.handle.understand import Answered, Understood, without_quotes
from gm.mail.handle.yes_or_no import Reply
from gm.mail.identify.recognise import tokens_of
from gm.mail.parse.line_kind import keyword, looks_like_order
from gm.orders.check.vetting import vet_suggestions
from gm.orders.kinds import Hold, Order, Press, Unread
from gm.orders.language.names import names_of
from gm.orders.parser import Parsed, parse
from gm.orders.receipt import problem_lines, receipt_text, serious
from gm.wording import fold

EARLIER = "earlier-phase"  # orders in answer to a mail of a Phase that is over
SUPPOSED = "what-if"  # orders below a sentence that begins with "What if"
FORWARDED = "forwarded"  # a mail with the sender's own name on it, which anybody can write
READY = ("READY", "WAIT")
RESIGN_ASKED = "resign asked"
AT_ONCE = timedelta(seconds=1)
_ALL = ("all", "everybody", "everyone", "all players")  # LETTER TO ALL
MAX_TOLD = 12  # lines of which is told why they cannot be read
MAX_RECEIPT = 60_000  # characters; a receipt with more problems is cut off


class MailInProcess(Correspondent):
    released = False  # somebody confirmed or let in the mail, who may not have seen all of it
    doubt: tuple[str, Wishes] | None = None  # why, and what was not done but is to be asked about
    unclear = False  # nothing in it can be read as an order: it replaces none that can
    asks = False  # a what-if is left to be answered, while other mail and deadlines go on

    def run(self, released: bool = False) -> str:
        """`released`: somebody who may has said that the mail is meant as it stands."""
        if released and self.mail.shown not in (None, self.digest):
            self.answer.add("understood_otherwise", number=self.mail.id)
            return "understood otherwise than was asked"
        if (number := self.letter_answered()) is not None:
            self._guarded("letter", lambda: self._reply_to_letter(number))
            return ", ".join(self.done)
        self.released = released
        asked = None if released else self.question_answered()
        if asked is not None:
            self._guarded("confirm", lambda: self._yes_or_no(asked))
            return ", ".join(self.done)
        if self.seat.status == "invited" and (said := answer_in(self._own_words())):
            self._guarded("invitation", lambda: self._invitation(said))
            return ", ".join(self.done)
        understood = self.understood()
        wishes = understood.wishes
        if not released and understood.forwarded:
            self.doubt = FORWARDED, wishes
        elif not released and wishes.what_if is None and self._is_of_an_earlier_phase(wishes):
            self.doubt = EARLIER, replace(wishes, letters=(), talk=())
        elif not released and wishes.supposed and wishes.what_if is None:
            self.doubt = SUPPOSED, wishes
        if self.doubt is not None:
            return ""
        self.unclear = wishes.what_if is None and self._would_replace_by_nothing(wishes.orders)
        if wishes.what_if is None and wishes.orders.strip():
            self._guarded("orders", lambda: self._orders(understood))
        for position, letter in enumerate(wishes.letters):
            self._guarded("letter", lambda n=position, x=letter: self._letter(n, x))  # type: ignore[misc]
        noted = READY if self._submits(wishes) else READY[: self.unclear]  # with the sheet: its receipt says so
        for command in (c for c in wishes.commands if c != wishes.what_if and c.word not in noted):
            self._guarded(command.word.lower(), lambda c=command: self._command(c, wishes))  # type: ignore[misc]
        self.asks = wishes.what_if is not None
        if not self.asks:
            self._tell_of_the_rest(understood)
        return ", ".join(self.done)[:200]

    def tell_of_other_addresses(self, is_own: Callable[[str], bool]) -> None:
        """It may have gone to the address for orders and to that of a letter or a question, all of one seat."""
        tails = dict.fromkeys(tail for token, tail in tokens_of(self.incoming.recipients) if is_own(token))
        if len(tails) > 1:
            self.answer.add("one_address", letter=self.letter_id is not None, question=self.question is not None)

    def try_out(self) -> str:
        """The answer to WHATIF. Whatever else the mail asked for was done before."""
        understood = self.understood()
        self._guarded("whatif", lambda: commands.what_if(self, understood.wishes))
        self._tell_of_the_rest(understood)
        return ", ".join(self.done)[:200]

    def _tell_of_the_rest(self, understood: Understood) -> None:
        wishes = understood.wishes
        if wishes.nothing and self.seat.status == "invited" and self._own_words():
            self._guarded("letter", self._undecided)
        elif wishes.nothing:
            self.answer.add("nothing", talk=wishes.talk, notes=bool(understood.notes), stand=self._stand())
            self.done.append("nothing understood")
        elif wishes.talk:
            more = max(0, len(wishes.talk) - 12)
            self.answer.add("talk", talk=wishes.talk[:12], more=more, stand=self._stand(), player=self._some_player())
        if understood.notes and not wishes.is_only("CONFIRM LEAVE"):
            self.answer.add("notes", notes=understood.notes, nothing=wishes.nothing)

    def _stand(self) -> bool:
        """Whether orders are on file of which the answer has said nothing yet."""
        if not self.may_order or self.answer.has("orders"):
            return False
        return intake.current_orders(self.services, self.seat.campaign, self.seat.letter) is not None

    def _on_file(self) -> str:
        """The orders of the seat that count, as they are printed; empty where there are none."""
        found = intake.current_orders(self.services, self.seat.campaign, self.seat.letter)
        return found.canonical if found is not None else ""

    def _some_player(self) -> str:
        """Another player as a letter would name them; empty where there is none."""
        others = self._everybody()
        first = self._names()[others[0]].split()[0].upper() if others else ""
        return first if self._letters_of((first,))[0] == others[:1] else "".join(others[:1])

    def _own_words(self) -> str:
        """What was typed; the subject, if nothing was and it is no `Re:` of ours."""
        text = self.run_reading(without_quotes, self.incoming, self.quotable())[0].own.text.strip()
        return text or ("" if self.incoming.is_answer else self.incoming.subject)

    def _invitation(self, said: InvitationAnswer) -> None:
        if said is InvitationAnswer.NO:
            creation.decline(self.services, self.seat.campaign, self.seat.letter, self._own_words()[:1000])
            self.answer.add("declined", title=self.state.name, gm=self.state.gm_name)
        else:
            commands.join(self, self._own_words()[:1000])
        self.done.append(f"invitation: {said}")

    def _undecided(self) -> None:
        """Neither yes nor no: perhaps a question that the Gamesmaster can answer."""
        text, seat = self._without_addresses(self._own_words()), self.seat
        letters.add_letter(self.services, seat.campaign, seat.letter, ("GM",), text, key=self.key("undecided"))
        self.answer.add("undecided", gm=self.state.gm_name, title=self.state.name)
        self.done.append("undecided")

    def _guarded(self, what: str, work: Callable[[], None]) -> None:
        """A refusal of one request is told and does not stop the others."""
        try:
            work()
        except GmError as error:
            self.answer.add("refused_wish", what=what, message=str(error), hint=error.hint)
            self.done.append(f"{what} refused: {error.code}")

    def _yes_or_no(self, number: int) -> None:
        """Whatever else such an answer holds, a stranger's mail is quoted in it: nothing of it is done."""
        services, waits = self.services, self.is_held(number)
        asked = outbox.by_key(services, keys.of_inbox(number, "held"))
        question = Answered(asked.text) if asked is not None else None
        said = self.run_reading(yes_or_no.reply, self.incoming, question, number)
        if waits and said is Reply.UNCLEAR:
            self.answer.add("confirm_unclear", number=number, link=self.link(Purpose.CONFIRM, inbox=number))
        elif waits and said is Reply.NO:
            inbox.quarantine(services, number, "its seat's holder says that it is not theirs")
            self.answer.add("denied", number=number)
        else:
            if waits:
                inbox.release(services, number, self.seat.letter)
            self.answer.add("confirm", count=int(waits), waiting=self.held())
        self.done.append(f"question {number}: {said}")

    def _is_of_an_earlier_phase(self, wishes: Wishes) -> bool:
        """Orders that answer a mail from before the open Phase, and do not say for which Phase they are."""
        ready = any(command.word == "READY" for command in wishes.commands)
        orders = bool(wishes.orders.strip()) and not wishes.only_press and not _only_resigns(wishes.orders)
        if self.answered is None or self.seat.is_gm or not (orders or ready):
            return False
        if any(keyword(line) == "ORDERS" for line in wishes.orders.split("\n")):
            return False
        opened = self.state.opened_at
        if self.state.phase_state not in ("open", "grace") or opened is None:
            return False
        return self.answered.created_at < opened and self.mail.received_at >= opened.replace(microsecond=0)

    @property
    def open_phase(self) -> str:
        return phase_name(self.state.turn, self.state.phase)

    # --- orders

    def _orders(self, understood: Understood) -> None:
        text = understood.wishes.orders
        if self.seat.is_gm:
            self.answer.add("gm_orders")
            return
        if self.unclear:
            self._unclear(understood.wishes)
        elif _only_resigns(text):
            self._resign()
        elif understood.wishes.only_press:
            self._press(text)
        else:
            said = [c.word == "READY" for c in understood.wishes.commands if c.word in READY and not self.is_early]
            self._submit(text, said[-1] if said else None)

    def _submits(self, wishes: Wishes) -> bool:
        """There is a sheet in it that is filed: not press alone, nor RESIGN, nor what is only tried out."""
        text = wishes.orders
        none = self.seat.is_gm or wishes.what_if is not None or wishes.only_press or _only_resigns(text)
        return bool(text.strip()) and not none and not self.unclear

    def _would_replace_by_nothing(self, text: str) -> bool:
        """Orders are on file, and no line of these can be read as one: misspelt, or conversation."""
        current = intake.current_orders(self.services, self.seat.campaign, self.seat.letter)
        if not text.strip() or self.seat.is_gm or current is None or intake.lines_of(text) > intake.MAX_LINES:
            return False
        sheet = self._parsed(text).sheet
        if sheet.add or sheet.cancel or (sheet.orders and all(isinstance(order, Press) for order in sheet.orders)):
            return False
        return all(isinstance(order, Press) or self._is_none(order) for order in sheet.orders)

    def _is_none(self, order: Order) -> bool:
        """`Hold Tver? Never!` is no order, though whatever stands behind HOLD is taken for what it holds."""
        if isinstance(order, Hold):
            return not names_of(self.state.board).only_names(order.what)
        return isinstance(order, Unread)

    def _parsed(self, text: str) -> Parsed:
        return parse(self.state.board, text, {name: letter for letter, name in self._names().items()})

    def _unclear(self, wishes: Wishes) -> None:
        found = self._parsed(wishes.orders)
        held = [order.source for order in found.sheet.orders if isinstance(order, Hold)]
        board, position, problems = self.state.board, self.state.position, found.problems[:MAX_TOLD]
        if position is not None:
            problems = vet_suggestions(board, position, self.seat.letter, found.sheet, problems)
        lines = (line for problem in problems for line in problem_lines(problem))
        told = fold("\n".join(lines)).rstrip().split("\n")
        ready = any(command.word == "READY" for command in wishes.commands)
        self.answer.add("orders_unclear", lines=held, problems=told, ready=ready)
        self.done.append("orders unclear")
        if any(isinstance(order, Press) for order in found.sheet.orders):
            self._press(wishes.orders)

    def _submit(self, text: str, ready: bool | None) -> None:
        if self._too_long(text):
            return
        if self._overtaken():
            self.answer.add("orders_overtaken", received=self.mail.received_at, zone=self.seat.zone)
            self.done.append("orders overtaken")
            return
        for submitted in intake.submit_each(
            self.services,
            self.seat.campaign,
            self.seat.letter,
            text,
            source="mail",
            key=self.key("orders"),
            received_at=self.mail.received_at,
            inbox_id=self.mail.id,
            ready=ready,
        ):
            self._tell_what_became(submitted, ready)

    def _tell_what_became(self, submitted: Submitted, ready: bool | None) -> None:
        self.answer.add(
            "orders",
            submitted=submitted,
            said=ready,
            automatic=self.state.options.ready == "automatic",
            body=self._receipt(submitted)[:MAX_RECEIPT],
            phase=phase_name(submitted.turn, submitted.phase),
            open_phase=_open_phase(submitted),
            zone=self.seat.zone,
            replaced=submitted.replaced and not submitted.added_to,
            serious=len({p.order for p in serious(submitted.problems)}),
            press=len(submitted.press) if submitted.status == "taken" else 0,
            gone=self.seat.status == "quit",
            standing=self._on_file() if submitted.reason == "quit" else "",
            paper=self.state.paper,
            last=self.state.bell_number,
            unready=[self._names()[letter] for letter in submitted.unready],
        )
        self.answer.attachments += submitted.entry
        self.done.append(f"orders {submitted.status} v{submitted.version}")
        if submitted.resign_asked:
            self._resign()

    def _overtaken(self) -> bool:
        """The time of receipt counts: a mail that waited, for a confirmation or a worker, replaces nothing newer."""
        if self.services.clock.now() - self.mail.received_at < AT_ONCE:
            return False
        own = intake.current_orders(self.services, self.seat.campaign, self.seat.letter)
        return own is not None and own.received_at > self.mail.received_at

    def _receipt(self, submitted: Submitted) -> str:
        """What was understood; with ADD, of all that now stands."""
        if submitted.status == "refused" or (submitted.status == "withdrawn" and not submitted.problems):
            return ""
        return fold(receipt_text(submitted.review(self.state.board, self.seat.letter))).strip()

    def _too_long(self, text: str) -> bool:
        lines = intake.lines_of(text)
        if lines > intake.MAX_LINES:
            self.answer.add("orders_too_long", lines=lines, most=intake.MAX_LINES)
            self.done.append("orders too long")
        return lines > intake.MAX_LINES

    def _resign(self) -> None:
        self.answer.add("resign", link=self.link(Purpose.RESIGN), title=self.state.name)
        self.done.insert(0, self.in_this_phase(RESIGN_ASKED))

    def _press(self, text: str) -> None:
        """Press alone: the orders on file stay as they are."""
        if self._too_long(text):
            return
        printed, passed = [], []
        pieces = [o for o in self._parsed(text).sheet.orders if isinstance(o, Press)]
        for number, piece in enumerate(pieces):
            key = self.key(f"press/{number}")
            if piece.to:
                words = self._without_addresses(piece.text)
                letters.add_letter(self.services, self.seat.campaign, self.seat.letter, piece.to, words, key=key)
                passed.append(piece)
            else:
                letters.add_press(self.services, self.seat.campaign, self.seat.letter, piece.text, piece.dateline, key)
                printed.append(piece)
        self.answer.add("press", printed=printed, passed=passed, names=self._names(), paper=self.state.paper)
        self.done.append(f"press {len(pieces)}")

    # --- letters

    def _letter(self, number: int, letter: LetterText) -> None:
        if letter.unended:
            self.answer.add("letter_unended", to=letter.to)
            self.done.append("letter without end")
            return
        to, unknown = self._letters_of(letter.to)
        if unknown:
            self.answer.add("letter_unknown", unknown=unknown, names=self._names())
            self.done.append("letter to nobody")
            return
        names = [self._name(x) for x in to]
        with self._refusable(names):
            letters.add_letter(
                self.services,
                self.seat.campaign,
                self.seat.letter,
                to,
                self._without_addresses(letter.text),
                anonymous=letter.anonymous,
                key=self.key(f"letter/{number}"),
            )
            self.answer.add("letter_sent", to=names, to_gm="GM" in to, anonymous=letter.anonymous)
            self.done.append(f"letter to {','.join(to)}")

    @contextmanager
    def _refusable(self, names: list[str]) -> Iterator[None]:
        """A letter that is not sent is told by whom it was for."""
        try:
            yield
        except GmError as error:
            self.answer.add("letter_refused", to=names, message=str(error), hint=error.hint)
            self.done.append(f"letter refused: {error.code}")

    def _reply_to_letter(self, number: int) -> None:
        """An answer to a private letter goes back to its author, all of it; nothing in it is taken for orders."""
        original = letters.letter_by_id(self.services, self.seat.campaign, number)
        if original is None or self.seat.letter not in original.recipients or original.sender is None:
            self.answer.add("letter_lost")
            self.done.append("letter answers nothing")
            return
        text = self.run_reading(without_quotes, self.incoming, self.quotable())[0].own.text.strip()
        if not text:
            self.answer.add("letter_empty")
            self.done.append("empty letter")
            return
        asks = sort_out(text)
        ordered = any(keyword(line) and looks_like_order(line) for line in text.split("\n"))
        if asks.letters or (ordered and self.letter_id is None):
            self.answer.add("letter_doubtful")
            self.done.append("letter or not")
            return
        subject = f"Re: {self.incoming.plain_subject[:150]}" if self.incoming.plain_subject else ""
        signed = letters.letter_by_id(self.services, self.seat.campaign, number, self.seat.letter)
        with self._refusable([self._name(signed.sender)] if signed is not None and signed.sender else []):
            letters.add_letter(
                self.services,
                self.seat.campaign,
                self.seat.letter,
                (original.sender,),
                self._without_addresses(text),
                subject=self._without_addresses(subject),
                in_reply_to=number,
                key=self.key("reply"),
            )
            self.done.append("letter passed on")
            if ordered:
                self.answer.add("letter_with_orders")

    def _without_addresses(self, text: str) -> str:
        known = [seat.address for seat in self.state.seats]
        return hide_addresses(text, [*known, self.seat.address, self.incoming.sender])

    def _letters_of(self, names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        by_name = {seat.name.lower(): seat.letter for seat in self.state.seats}
        firsts = [seat.name.lower().split()[0] for seat in self.state.seats]
        by_name |= {f: s.letter for f, s in zip(firsts, self.state.seats, strict=True) if firsts.count(f) == 1}
        by_name |= {seat.letter.lower(): seat.letter for seat in self.state.seats}
        names = tuple(x for n in names for x in (self._everybody() if n.lower().strip(" .") in _ALL else (n,)))
        by_name |= {"gm": "GM", "gamesmaster": "GM", self.state.gm_name.lower(): "GM"}
        found = [by_name.get(name.lower().strip(" .")) for name in names]
        unknown = tuple(name for name, letter in zip(names, found, strict=True) if letter is None)
        return tuple(dict.fromkeys(x for x in found if x)), unknown

    def _everybody(self) -> tuple[str, ...]:
        others = (seat for seat in self.state.seats if seat.letter != self.seat.letter)
        return tuple(seat.letter for seat in others if seat.status not in OUT)

    # --- questions and requests

    def _command(self, command: MailCommand, wishes: Wishes) -> None:
        if command.word in LAST_WORDS:
            asks, note = LAST_WORDS[command.word]
            if self.released or not wishes.is_only(command.word) or not self._was_asked(note):
                asks(self)  # whatever else was written may take it back: asked once more
                return
        if command.word == "CONFIRM" and self.released:  # confirmed by word of another, it confirms no third
            self.answer.add("confirm", count=0, waiting=self.held())
            return
        work = commands.COMMANDS.get(command.word)
        if work is None:
            self.answer.add("refused_wish", what=command.word, message="there is no such command", hint="send HELP")
            return
        work(self, command.argument)
        self.done.append(command.word.lower())

    def _was_asked(self, note: str) -> bool:
        """In this Phase, and not before it was rolled back; and whoever holds the seat now."""
        seat = self.seat
        at = inbox.last_noted(self.services, self.mail, (seat.campaign, seat.letter), self.in_this_phase(note))
        return at is not None and not holders.has_changed_hands(self.services, seat.campaign, seat.letter, at)

    def _names(self) -> dict[str, str]:
        return {seat.letter: seat.name for seat in self.state.seats}

    def _name(self, letter: str) -> str:
        return self.state.gm_name if letter == "GM" else f"{self._names()[letter]} ({letter})"


# What is asked before, and how that is noted.
LAST_WORDS: Mapping[str, tuple[Callable[[MailInProcess], None], str]] = {
    "CONFIRM RESIGN": (MailInProcess._resign, RESIGN_ASKED),
    "CONFIRM LEAVE": (lambda writer: commands.leave(writer, ""), commands.LEAVE_ASKED),
}


def _only_resigns(text: str) -> bool:
    blocks = press_blocks(text)
    return bool(blocks) and all(b.strip(" .!").upper() == "RESIGN" for b in blocks)


def _open_phase(submitted: Submitted) -> str:
    position = submitted.position
    return phase_name(position.turn, position.phase) if position else ""
