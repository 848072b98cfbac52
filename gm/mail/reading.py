"""From an Incoming to what its sender wants, with a note for everything that was seen and not taken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from gm.mail.commands import Wishes, sort_out
from gm.mail.inbound import Incoming
from gm.mail.kinds import Kind
from gm.mail.orderish import keyword, looks_like_order
from gm.mail.quotes import separate, typed_into


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the mail that its sender should know. Words are in templates/mail/notes.txt."""

    code: str
    data: str = ""


@dataclass(frozen=True, slots=True)
class Understood:
    wishes: Wishes
    notes: tuple[Note, ...] = ()


def understand(incoming: Incoming, addresses: Collection[str] = (), sent: str | None = None) -> Understood:
    """`addresses`: the sender's own, for mails that he forwards to us; `sent`: the mail of ours that he answers."""
    if incoming.kind is Kind.OVERSIZE:
        return Understood(Wishes(), (Note("oversize", str(incoming.size)),))
    if incoming.encrypted:
        return Understood(Wishes(), (Note("encrypted"),))
    wishes = sort_out(incoming.own.text, incoming.plain_subject, incoming.name)
    notes = [Note("truncated")] if incoming.truncated else []
    notes += [Note("under-signature", line[:120]) for line in incoming.own.under_signature[:5]]
    wishes = _attached(incoming, wishes, notes)
    if wishes.nothing:
        wishes = _forwarded(incoming, wishes, notes, addresses)
    if wishes.nothing:
        wishes = _typed_into(incoming, wishes, notes, sent)
    notes += [Note("attachment-unread", name) for name in incoming.unread[:5]]
    return Understood(wishes, tuple(notes))


def _attached(incoming: Incoming, wishes: Wishes, notes: list[Note]) -> Wishes:
    """Orders in a .txt count where the mail itself holds none."""
    for name, text in incoming.sheets:
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
    """Only what he wrote himself, from another address or on another day. Another's words are not his orders."""
    mine = {a.lower() for a in addresses}
    for mail in incoming.forwarded:
        found = sort_out(mail.text)
        if found.nothing:
            continue
        if mail.sender in mine or (not mail.sender and not wishes.talk):
            notes.append(Note("forwarded-taken"))
            return replace(found, talk=wishes.talk + found.talk)
        notes.append(Note("forwarded-not-taken", mail.sender))
    return wishes


def _typed_into(incoming: Incoming, wishes: Wishes, notes: list[Note], sent: str | None) -> Wishes:
    """Orders typed between the lines of a quotation that has no marks: known only where the quoted mail is."""
    below = incoming.own.below
    lines = [line for line in below.split("\n") if keyword(line) and looks_like_order(line)]
    if not lines:
        return wishes
    if sent is None:
        notes.append(Note("below-not-taken", lines[0].strip()[:120]))
        return wishes
    found = sort_out(typed_into(below, sent))
    return wishes if found.nothing else replace(found, talk=wishes.talk)
