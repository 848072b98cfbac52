"""The secret part of a reply address: derived, so that it can be printed in every mail and is stored only as a hash."""

from __future__ import annotations

import base64
import hashlib
import hmac

GM = "GM"  # the Gamesmaster's "letter"


def seat_token(secret_key: bytes, campaign: str, letter: str, generation: int) -> str:
    """26 letters and digits in lower case: mail systems change case, so base32."""
    message = f"seat|{campaign}|{letter}|{generation}".encode()
    return base64.b32encode(hmac.digest(secret_key, message, "sha256")[:16]).decode().rstrip("=").lower()


def hash_of(token: str) -> str:
    return hashlib.sha256(token.strip().lower().encode()).hexdigest()


def message_id(key: str, domain: str) -> str:
    """The same mail has the same Message-ID, however often it is sent."""
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@{domain}>"
