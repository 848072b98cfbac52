"""Identifying the sender: a known address together with the token in the reply address (or the tag in the subject).
Either alone is not enough; and nobody is told what we know."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import authres

from gm.mail.parse.headers import MAX_VERDICT
from gm.mail.parse.message import Incoming

_TOKEN = r"[a-z2-7]{26}"
_PLUS = re.compile(rf"^[^@+]+\+({_TOKEN})(?:-(q?\d{{1,12}}))?@", re.I)
_TAG = re.compile(rf"\[\s*bell\s+({_TOKEN})\s*\]", re.I)
_COMMENT = re.compile(r"\([^()]*\)")
_BOUNCE_BYTES = 10


class Trust(StrEnum):
    TOKEN = "token"  # address and token agree: taken
    CONFIRM = "confirm"  # one of the two is missing or in doubt: held until the seat's holder says yes
    STRANGER = "stranger"  # neither: kept for the Gamesmaster, no answer, ever


class SeatLike(Protocol):
    """As much of a seat as it takes to know its holder."""

    @property
    def campaign(self) -> str: ...
    @property
    def letter(self) -> str: ...
    @property
    def address(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Who:
    trust: Trust
    seat: SeatLike | None = None
    why: str = ""
    letter_id: int | None = None  # an answer to this private letter
    question: int | None = None  # an answer to our question about this mail


def tokens(incoming: Incoming) -> list[tuple[str, str]]:
    """Tokens in the addresses that it went to, then in tags of the subject; with what the address is for, if told."""
    return list(dict.fromkeys(tokens_of(incoming.recipients, incoming.subject)))[:10]


def tokens_of(addresses: Sequence[str], subject: str = "") -> list[tuple[str, str]]:
    """Each with `17` for an answer to letter 17, `q17` for one to our question about mail 17, or nothing."""
    found = [m for a in addresses if (m := _PLUS.match(a))]
    return [(m[1].lower(), (m[2] or "").lower()) for m in found] + [(m.lower(), "") for m in _TAG.findall(subject)]


def _who(trust: Trust, seat: SeatLike, why: str, tail: str) -> Who:
    letter = int(tail) if tail.isdecimal() else None
    return Who(trust, seat, why, letter, int(tail[1:]) if tail.startswith("q") else None)


def recognise(
    incoming: Incoming,
    by_token: Callable[[str], SeatLike | None],
    by_address: Callable[[str], Sequence[SeatLike]],
    trusted_authserv: str = "",
) -> Who:
    named = [(seat, tail) for token, tail in tokens(incoming) if (seat := by_token(token)) is not None]
    for seat, tail in named:
        if seat.address.lower() == incoming.sender:
            if told := forged(incoming, trusted_authserv):
                return _who(Trust.CONFIRM, seat, told, tail)
            return _who(Trust.TOKEN, seat, "", tail)
    own = list(by_address(incoming.sender)) if incoming.sender else []
    if own:
        # A known sender without a token, or with that of a seat which is not theirs.
        same = [s for s in own if any(s.campaign == n.campaign for n, _ in named)] or own
        if len(same) == 1:
            return Who(Trust.CONFIRM, same[0], "other-token" if named else "no-token")
        return Who(Trust.CONFIRM, same[0], "which-campaign")
    if named:
        return _who(Trust.CONFIRM, named[0][0], "other-address", named[0][1])
    return Who(Trust.STRANGER, None, "unknown")


def vouched_for(seat: SeatLike, incoming: Incoming, by_token: Callable[[str], SeatLike | None]) -> Who:
    """The holder of this seat: somebody said so for them, who may. What the address was for counts only if it is that
    seat's own; and never as the answer to a question, for that is to be answered by whoever is asked."""
    tails = [tail for token, tail in tokens(incoming) if tail and by_token(token) == seat]
    who = _who(Trust.TOKEN, seat, "", tails[0] if tails else "")
    return replace(who, question=None)


def forged(incoming: Incoming, trusted_authserv: str) -> str:
    """What our own mail server said against the sender, "" if nothing. Only the topmost such field is its own:
    anything below it came with the mail (RFC 8601, 5)."""
    if not trusted_authserv or incoming.verdict is None:
        return ""
    header = _read(incoming.verdict)
    if header is None:  # perhaps made so long or so strange on purpose, by who chose the sender's name
        named = _COMMENT.sub(" ", incoming.verdict[:1000]).split(";")[0].split()[:1]
        return "verdict-unreadable" if named == [] or named[0].lower() == trusted_authserv.lower() else ""
    if str(header.authserv_id).lower() != trusted_authserv.lower():
        return ""
    verdicts = {(r.method, str(r.result).lower()) for r in header.results}
    if ("dmarc", "fail") in verdicts:
        return "dmarc-fail"
    passed = {method for method, result in verdicts if result == "pass"}
    failed = {method for method, result in verdicts if result in ("fail", "softfail", "permerror")}
    if not passed & {"dmarc", "dkim", "spf"} and {"spf", "dkim"} <= failed:
        return "spf-and-dkim-fail"
    return ""


def _read(verdict: str) -> authres.AuthenticationResultsHeader | None:
    open_quote = (verdict.count('"') - verdict.count('\\"')) % 2 == 1  # the parser takes all behind it as quoted
    if len(verdict) > MAX_VERDICT or open_quote:
        return None
    try:
        return authres.AuthenticationResultsHeader.parse("Authentication-Results: " + verdict)
    except (authres.AuthResError, ValueError, IndexError, AttributeError, RecursionError):
        return None


def bounce_key(secret_key: bytes, message_id: str) -> str:
    """Goes out with every mail and comes back with its bounce: nobody else can say that our mail came back."""
    mac = hmac.digest(secret_key, b"bounce|" + message_id.encode(), "sha256")[:_BOUNCE_BYTES]
    return base64.b32encode(mac).decode().lower().rstrip("=")


def is_our_bounce(secret_key: bytes, message_id: str, key: str) -> bool:
    return bool(message_id) and hmac.compare_digest(bounce_key(secret_key, message_id), key.lower())


def reply_address(base: str, token: str, tail: str = "") -> str:
    """`orders@host` -> `orders+TOKEN@host`, for a private letter `orders+TOKEN-17@host`; see `tokens_of`."""
    local, _, domain = base.partition("@")
    return f"{local}+{token}{f'-{tail}' if tail else ''}@{domain}"


def subject_tag(token: str) -> str:
    return f"[bell {token}]"
