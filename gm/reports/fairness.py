"""Seals that bind: receipts of orders, the digest that keys the dice, the chain through the Bells.

All of it can be recomputed by anyone from a published archive; `gm verify` and the web page do.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from gm.position import Player

START_OF_CHAIN = "0" * 64


def salt_of(secret: bytes, campaign: str, turn: int, phase: str, player: Player, version: int) -> str:
    """The salt of one version of a player's orders.

    It comes from the secret that was committed to before the Phase, so that nobody can try salts until the digest
    of all orders gives dice to his liking; and it says nothing about the secret itself.
    """
    message = f"salt|{campaign}|{turn}|{phase}|{player}|{version}".encode()
    return hmac.digest(secret, message, "sha256")[:16].hex()


def receipt_of(salt: str, orders: str) -> str:
    """What a player is given for his orders, and what the Bell prints."""
    return hashlib.sha256(f"{salt}\n{orders}".encode()).hexdigest()


def digest_of(receipts: Mapping[Player, str]) -> str:
    """All sealed orders of a Phase as one value: part of every die's key."""
    lines = "\n".join(f"{player} {receipts[player]}" for player in sorted(receipts))
    return hashlib.sha256(lines.encode()).hexdigest()


def chain_of(previous: str, number: int, text: str) -> str:
    """The seal over this Bell and all before it; the next Bell prints it."""
    own = hashlib.sha256(text.encode()).hexdigest()
    return hashlib.sha256(f"{previous}|{number}|{own}".encode()).hexdigest()
