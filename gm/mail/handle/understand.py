"""Extracting the requests of a mail (Incoming): its text, attachments and forwards; notes on what was not used."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from gm.mail.compare.answered import Compared, compare, split, squash
from gm.mail.compare.printed import quoted_requests
from gm.mail.handle.sort_lines import Wishes, sort_out
from gm.mail.parse.html import to_text
from gm.mail.parse.kind import MailKind
from gm.mail.parse.line_kind import keyword, looks_like_order
from gm.mail.parse.message import Incoming
from gm.mail.parse.phrases import is_attribution
from gm.mail.parse.quotes import MAX_PHRASE, separate

_ADDRESS = re.compile(r"[\w.+'-]{1,64}@[\w-]{1,60}\.[\w.-]{1,140}")
_SECTION = re.compile(r"^== \S.{0,66} =+$")  # between the parts of a Bell, as wide as it is
_WIDTH, _SECTIONS = 72, 2
MOST = 2_000  # lines in which orders are looked for that seem to be quoted
MANY = 15  # lines that are nobody's quotation: then our mail's HTML is looked at too


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the mail that its sender should know. Words are in templates/mail/notes.txt."""

    code: str
    data: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The mail of ours that is answered. `own_orders`: it showed the sender their own; `all_orders`: everybody's."""

    text: str
    html: str | None = None
    own_orders: bool = False
    all_orders: bool = False
    named: bool = True  # the mail says that it answers this one; else it is only one of the last that the sender got
    files: tuple[tuple[str, str], ...] = ()  # that were attached to it: name and text
    printed: tuple[str, ...] = ()  # what the sender got to read of others, whichever mail is answered

    def compared(self, text: str, with_html: bool = False) -> Compared:
        ours = to_text(self.html) if with_html and self.html else self.text
        return compare(text, ours, self.own_orders, self.all_orders, self.named)


@dataclass(frozen=True, slots=True)
class Understood:
    wishes: Wishes
    notes: tuple[Note, ...] = ()
    forwarded: bool = False  # all of it stands in a mail that the sender forwarded as their own


def understand(incoming: Incoming, addresses: Collection[str] = (), answered: Answered | None = None) -> Understood:
    """`addresses`: the sender's own, for mails that they forward to us. What stands in `answered` they did not type."""
    if incoming.kind is MailKind.OVERSIZE:
        return Understood(Wishes(), (Note("oversize", str(incoming.size)),))
    if incoming.encrypted:
        return Understood(Wishes(), (Note("encrypted"),))
    marked = _marked_without_source(incoming)
    printed = _printed(incoming.body, answered)
    incoming, compared = without_quotes(incoming, answered)
    if printed and answered is not None:
        incoming = incoming.read_again(_with_marks(incoming.body, printed), answered.named)
        compared = replace(compared, inserted=tuple(x for x in compared.inserted if x not in printed.values()))
    wishes = sort_out(incoming.own.text, "" if incoming.is_answer else incoming.subject, incoming.name)
    notes = [Note("truncated")] if incoming.truncated else []
    notes += [Note("under-signature", line[:120]) for line in incoming.own.under_signature[:5]]
    notes += [Note("below-not-taken", line.strip()[:120]) for line in incoming.own.between[:2]]
    notes += [Note("below-not-taken", line.strip()[:120]) for line in marked]
    notes += [Note("quoted-not-taken", line.strip()[:120]) for line in compared.alone[:5]]
    notes += [Note("printed-not-taken", line.strip()[:120]) for line in list(printed.values())[:5]]
    mine = {address.lower() for address in addresses}
    wishes = _attached(incoming, wishes, notes, answered, mine)
    if wishes.nothing:
        wishes = _forwarded(incoming, wishes, notes, mine)
    if wishes.nothing:
        wishes = _typed_into(wishes, compared)
    if wishes.nothing or incoming.own.doubtful:
        notes += _not_taken_below(incoming, wishes)
    notes += [Note("below-not-taken", line.strip()[:120]) for line in compared.doubtful[:1]]
    notes += [Note("attachment-unread", name) for name in incoming.unread[:5]]
    if wishes.left_out:
        notes.append(Note("left-out", str(wishes.left_out)))
    if wishes.unended:
        notes.append(Note("press-unended", wishes.unended[:60]))
    if wishes.enclosed:
        notes.append(Note("enclosed", wishes.enclosed[:120]))
    if wishes.letters and incoming.own.forwarded:
        notes.append(Note("letter-cut"))
    told = tuple(dict.fromkeys(notes))
    return Understood(wishes, told, any(note.code == "forwarded-taken" for note in told))


def without_quotes(incoming: Incoming, answered: Answered | None) -> tuple[Incoming, Compared]:
    """The mail with what it quotes of ours marked as quoted, however its program wrote that."""
    if answered is None:
        return incoming, Compared(incoming.body)
    found = answered.compared(incoming.body)
    if answered.html and (found.doubtful or _unmarked(found) > MANY):  # programs make their text of our HTML
        found = max(found, answered.compared(incoming.body, with_html=True), key=lambda c: c.found)
    same = found.text == incoming.body and not incoming.own.between
    return (incoming if same else incoming.read_again(found.text, answered.named)), found


def _printed(text: str, answered: Answered | None) -> dict[int, str]:
    """The requests that are quoted from what the sender got to read of others: line by number."""
    if answered is None or not answered.printed:
        return {}
    lines = split(text)
    return {number: lines[number] for number in sorted(quoted_requests(text, answered.printed))}


def _with_marks(text: str, numbers: Collection[int]) -> str:
    lines = split(text)
    marked = (n in numbers and not line.startswith(">") for n, line in enumerate(lines))
    return "\n".join(f"> {line}" if mark else line for mark, line in zip(marked, lines, strict=True))


def _marked_without_source(incoming: Incoming) -> tuple[str, ...]:
    """The first orders that have the mark of a quotation, with nobody named above whom it quotes: some programs set
    in one's own words so. In an answer only what stands above the line that names somebody can be such."""
    if incoming.is_forward or incoming.forwarded:
        return ()
    found: list[str] = []
    for line in incoming.body.split("\n")[:MOST]:
        if len(line) < MAX_PHRASE and is_attribution(line.strip()):
            return tuple(found[:2])
        bare = line.lstrip(" >")
        if line.startswith(">") and keyword(bare) and looks_like_order(bare):
            found.append(bare)
    return () if incoming.is_answer else tuple(found[:2])


def _unmarked(found: Compared) -> int:
    return sum(1 for line in found.text.split("\n") if line.strip() and not line.lstrip().startswith(">"))


def _attached(
    incoming: Incoming, wishes: Wishes, notes: list[Note], answered: Answered | None, mine: set[str]
) -> Wishes:
    """Orders in a .txt count where the mail itself holds none, and neither the mail nor the file is somebody else's."""
    forwarded = _forwards_another(incoming, mine)
    for name, text in incoming.sheets:
        if _is_ours(name, text, answered):
            notes.append(Note("attachment-ours", name))
            continue
        printed = _printed(text, answered)
        text = _with_marks(answered.compared(text).text, printed) if answered else text
        notes += [Note("printed-not-taken", line.strip()[:120]) for line in list(printed.values())[:5]]
        sheet = separate(text)
        found = sort_out(sheet.text)
        others = forwarded or sheet.doubtful or sheet.below or sheet.forwarded or _addressed(text, incoming, mine)
        asks = sort_out(text) if others else found
        if not asks.orders.strip() or not any(keyword(line) for line in asks.orders.split("\n")):
            if asks.nothing:
                notes.append(Note("attachment-unread", name))
            continue
        if others:
            notes.append(Note("attachment-not-taken", name))
            continue
        if wishes.orders.strip():
            notes.append(Note("attachment-ignored", name))
            continue
        wishes = replace(wishes, orders=found.orders, letters=wishes.letters + found.letters, slips=found.slips)
        notes.append(Note("attachment-taken", name))
    return wishes


def _is_ours(name: str, text: str, answered: Answered | None) -> bool:
    """A file that we sent, or a Bell that was saved: programs send them back with the answer."""
    sent = answered.files if answered else ()
    if any(name.lower() == of_file.lower() or squash(text) == squash(words) for of_file, words in sent):
        return True
    lines = (line.rstrip() for line in text.split("\n"))
    return sum(len(line) == _WIDTH and bool(_SECTION.match(line)) for line in lines) >= _SECTIONS


def _forwards_another(incoming: Incoming, mine: set[str]) -> bool:
    """A mail with somebody else's in it, as far as can be told: what is attached to it may have come with that."""
    inside = incoming.forwarded
    return (
        incoming.own.doubtful or not all(mail.sender in mine for mail in inside) or (incoming.is_forward and not inside)
    )


def _addressed(text: str, incoming: Incoming, mine: set[str]) -> bool:
    """An address stands in a file that is neither the sender's nor ours."""
    return not {address.lower() for address in _ADDRESS.findall(text)} <= mine | set(incoming.recipients)


def _forwarded(incoming: Incoming, wishes: Wishes, notes: list[Note], mine: set[str]) -> Wishes:
    """Only what the sender wrote themselves, from another address or on another day; nobody else's words are orders,
    nor what somebody else says that the sender wrote."""
    for mail in incoming.forwarded:
        found = sort_out(mail.text)
        if found.nothing:
            continue
        if {mail.sender, *mail.around} <= mine:
            notes.append(Note("forwarded-taken"))
            return replace(found, talk=wishes.talk + found.talk)
        notes.append(Note("forwarded-not-taken", mail.sender))
    return wishes


def _typed_into(wishes: Wishes, compared: Compared) -> Wishes:
    """Orders typed between the lines of a quotation that has no marks: known only where the quoted mail is."""
    found = sort_out("\n".join(compared.inserted))
    return wishes if found.nothing else replace(found, talk=wishes.talk)


def _not_taken_below(incoming: Incoming, wishes: Wishes) -> list[Note]:
    """The first request in a quotation that has no marks; where it is not even certain that it is one, and a letter
    or press would end there, that it was cut off."""
    doubtful = incoming.own.doubtful
    code = "head-not-taken" if doubtful else "below-not-taken"
    unmarked = (line for line in incoming.own.below.split("\n") if not line.startswith(">"))
    line = next((x for x in unmarked if keyword(x) and (doubtful or looks_like_order(x))), None)
    cut_off = doubtful and bool(wishes.letters or "PRESS" in wishes.orders)
    return [Note(code, (line or "").strip()[:120])] if line is not None or cut_off else []
