"""Extracting the requests of a mail (Incoming): its text, attachments and forwards; notes on what was not used."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from gm.mail.handle.sort_lines import Wishes, sort_out
from gm.mail.parse.answered import Compared, compare
from gm.mail.parse.html import to_text
from gm.mail.parse.kind import MailKind
from gm.mail.parse.line_kind import keyword, looks_like_order
from gm.mail.parse.message import Incoming
from gm.mail.parse.quotes import separate

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

    def compared(self, text: str, with_html: bool = False) -> Compared:
        ours = to_text(self.html) if with_html and self.html else self.text
        return compare(text, ours, self.own_orders, self.all_orders)


@dataclass(frozen=True, slots=True)
class Understood:
    wishes: Wishes
    notes: tuple[Note, ...] = ()


def understand(incoming: Incoming, addresses: Collection[str] = (), answered: Answered | None = None) -> Understood:
    """`addresses`: the sender's own, for mails that they forward to us. What stands in `answered` they did not type."""
    if incoming.kind is MailKind.OVERSIZE:
        return Understood(Wishes(), (Note("oversize", str(incoming.size)),))
    if incoming.encrypted:
        return Understood(Wishes(), (Note("encrypted"),))
    incoming, compared = without_quotes(incoming, answered)
    wishes = sort_out(incoming.own.text, "" if incoming.is_answer else incoming.subject, incoming.name)
    notes = [Note("truncated")] if incoming.truncated else []
    notes += [Note("under-signature", line[:120]) for line in incoming.own.under_signature[:5]]
    notes += [Note("quoted-not-taken", line.strip()[:120]) for line in compared.alone[:5]]
    wishes = _attached(incoming, wishes, notes, answered)
    if wishes.nothing:
        wishes = _forwarded(incoming, wishes, notes, addresses)
    if wishes.nothing:
        wishes = _typed_into(incoming, wishes, notes, compared)
    notes += [Note("below-not-taken", line.strip()[:120]) for line in compared.doubtful[:1]]
    notes += [Note("attachment-unread", name) for name in incoming.unread[:5]]
    return Understood(wishes, tuple(dict.fromkeys(notes)))


def without_quotes(incoming: Incoming, answered: Answered | None) -> tuple[Incoming, Compared]:
    """The mail with what it quotes of ours marked as quoted, however its program wrote that."""
    if answered is None:
        return incoming, Compared(incoming.body)
    found = answered.compared(incoming.body)
    if answered.html and (found.doubtful or _unmarked(found) > MANY):  # programs make their text of our HTML
        found = max(found, answered.compared(incoming.body, with_html=True), key=lambda c: c.found)
    return (incoming.read_again(found.text) if found.text != incoming.body else incoming), found


def _unmarked(found: Compared) -> int:
    return sum(1 for line in found.text.split("\n") if line.strip() and not line.lstrip().startswith(">"))


def _attached(incoming: Incoming, wishes: Wishes, notes: list[Note], answered: Answered | None) -> Wishes:
    """Orders in a .txt count where the mail itself holds none."""
    for name, text in incoming.sheets:
        text = answered.compared(text).text if answered else text
        found = sort_out(separate(text).text)
        if not found.orders.strip() or not any(keyword(line) for line in found.orders.split("\n")):
            if found.nothing:
                notes.append(Note("attachment-unread", name))
            continue
        if wishes.orders.strip():
            notes.append(Note("attachment-ignored", name))
            continue
        wishes = replace(wishes, orders=found.orders, letters=wishes.letters + found.letters)
        notes.append(Note("attachment-taken", name))
    return wishes


def _forwarded(incoming: Incoming, wishes: Wishes, notes: list[Note], addresses: Collection[str]) -> Wishes:
    """Only what the sender wrote themselves, from another address or on another day; nobody else's words are orders."""
    mine = {a.lower() for a in addresses}
    for mail in incoming.forwarded:
        found = sort_out(mail.text)
        if found.nothing:
            continue
        if mail.sender in mine:
            notes.append(Note("forwarded-taken"))
            return replace(found, talk=wishes.talk + found.talk)
        notes.append(Note("forwarded-not-taken", mail.sender))
    return wishes


def _typed_into(incoming: Incoming, wishes: Wishes, notes: list[Note], compared: Compared) -> Wishes:
    """Orders typed between the lines of a quotation that has no marks: known only where the quoted mail is."""
    found = sort_out("\n".join(compared.inserted))
    if not found.nothing:
        return replace(found, talk=wishes.talk)
    unmarked = (line for line in incoming.own.below.split("\n") if not line.startswith(">"))
    line = next((line for line in unmarked if keyword(line) and looks_like_order(line)), None)
    if line is not None:
        notes.append(Note("below-not-taken", line.strip()[:120]))
    return wishes
