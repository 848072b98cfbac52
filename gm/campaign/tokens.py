"""Secret tokens of reply addresses (derived: every mail prints them, only a hash is stored), and text without them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable

from gm.logs import without_seat_secrets


def seat_token(secret_key: bytes, campaign: str, letter: str, generation: int) -> str:
    """26 letters and digits in lower case: mail systems change case, so base32."""
    message = f"seat|{campaign}|{letter}|{generation}".encode()
    return base64.b32encode(hmac.digest(secret_key, message, "sha256")[:16]).decode().rstrip("=").lower()


def hash_of(token: str) -> str:
    return hashlib.sha256(token.strip().lower().encode()).hexdigest()


STRUCK = "[struck out]"
HIDDEN_ADDRESS = "[address hidden]"


def hide_addresses(text: str, known: Iterable[str | None]) -> str:
    """Nobody's address goes through the relay, not even in a signature."""
    each = "|".join(re.escape(address) for address in sorted({a for a in known if a}, key=len, reverse=True))
    return re.sub(each, HIDDEN_ADDRESS, text, flags=re.I) if each else text


def strike_secrets(text: str) -> str:
    """Somebody's words as others may see them: without whatever would let them act for a seat."""
    return without_seat_secrets(text, STRUCK)
