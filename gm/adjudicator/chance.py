"""Dice and draws behind one interface: provable dice (HMAC) for campaigns, scripted ones for cases.

Every appeal names its occasion (`combat/LIVO/A/1`), and luck depends on the occasion alone, never on how many
appeals came before, so that no order of resolution can shift it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol


class Chance(Protocol):
    def die(self, occasion: str) -> int:
        """One die."""
        ...

    def two_dice(self, occasion: str) -> int:
        """The total of two dice."""
        ...

    def pair(self, occasion: str) -> tuple[int, int]:
        """First die and second die, as the Random Events Table wants them."""
        ...

    def pick(self, occasion: str, options: Sequence[str]) -> str:
        """One of several, all equally likely."""
        ...

    def draw(self, occasion: str, chits: Sequence[str]) -> str:
        """A chit from the Randomizer."""
        ...

    def deal(self, occasion: str, cards: Sequence[str], players: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Cards shuffled and dealt round the players, one at a time, until none is left (15.31)."""
        ...

    def offers(self, kind: str) -> bool:
        """Whether luck of this kind (`event`, `chit`, `recipient`) is still to come. Only a script ever says no."""
        ...


def commitment(secret: bytes) -> str:
    """What is published before a Phase opens."""
    return hashlib.sha256(secret).hexdigest()


_BLOCK = 64  # of SHA-256, in bytes
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class ProvableChance:
    """Dice that anybody can recompute once the secret is out.

    Value n of an occasion: HMAC-SHA256(secret, "campaign|turn|phase|digest|occasion|n"), its first eight bytes as a
    big-endian number, rejected (n goes on) if it lies in the incomplete last block of size k, else reduced modulo k.
    """

    def __init__(self, secret: bytes, campaign: str, turn: int, phase: str, digest: str) -> None:
        self._of = (secret, campaign, turn, phase, digest)
        # HMAC as RFC 2104 has it, begun once with what all occasions have in common: a die is two short hashes more.
        key = (secret if len(secret) <= _BLOCK else hashlib.sha256(secret).digest()).ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER) + f"{campaign}|{turn}|{phase}|{digest}|".encode())
        self._outer = hashlib.sha256(key.translate(_OUTER))

    def __reduce__(self) -> tuple[type[ProvableChance], tuple[bytes, str, int, str, str]]:
        return ProvableChance, self._of  # what was begun cannot go to another process

    def _hmac(self, message: str) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message.encode())
        outer.update(inner.digest())
        return outer.digest()

    def _values(self, occasion: str, sizes: Sequence[int]) -> list[int]:
        """For each size k in turn a number from 0 to k - 1."""
        found: list[int] = []
        n = 0
        for size in sizes:
            limit = (1 << 64) // size * size
            while True:
                number = int.from_bytes(self._hmac(f"{occasion}|{n}")[:8], "big")
                n += 1
                if number < limit:
                    break
            found.append(number % size)
        return found

    def die(self, occasion: str) -> int:
        return self._values(occasion, (6,))[0] + 1

    def two_dice(self, occasion: str) -> int:
        return sum(self.pair(occasion))

    def pair(self, occasion: str) -> tuple[int, int]:
        first, second = self._values(occasion, (6, 6))
        return first + 1, second + 1

    def pick(self, occasion: str, options: Sequence[str]) -> str:
        return options[self._values(occasion, (len(options),))[0]]

    def draw(self, occasion: str, chits: Sequence[str]) -> str:
        return self.pick(occasion, chits)

    def deal(self, occasion: str, cards: Sequence[str], players: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        pile = list(cards)
        swaps = self._values(occasion, range(len(pile), 1, -1))
        for last, other in zip(range(len(pile) - 1, 0, -1), swaps, strict=True):  # Fisher-Yates from the end
            pile[last], pile[other] = pile[other], pile[last]
        return {player: tuple(pile[seat :: len(players)]) for seat, player in enumerate(players)}

    def offers(self, kind: str) -> bool:
        return True


class ScriptError(Exception):
    """The script has no such roll, or what it says cannot happen."""


# Which line of a case scripts which occasion.
_SCRIPTS = {"subversion": "combat", "counterpurge": "purge"}


class ScriptedChance:
    """All luck written down beforehand (spec of the case format): lists by kind, used up from the front."""

    def __init__(
        self,
        rolls: Mapping[str, Sequence[int]] | None = None,
        events: Sequence[tuple[int, int]] = (),
        chits: Sequence[str] = (),
        recipients: Sequence[str] = (),
        deal: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._rolls = {kind: list(numbers) for kind, numbers in (rolls or {}).items()}
        self._events = list(events)
        self._chits = list(chits)
        self._recipients = list(recipients)
        self._deal = {player: list(hand) for player, hand in deal.items()} if deal is not None else None

    def _next(self, occasion: str) -> int:
        kind = occasion.split("/", 1)[0]
        script = self._rolls.get(_SCRIPTS.get(kind, kind))
        if not script:
            raise ScriptError(f"{occasion} needs a roll that is not scripted")
        return script.pop(0)

    def die(self, occasion: str) -> int:
        return self._next(occasion)

    def two_dice(self, occasion: str) -> int:
        return self._next(occasion)

    def pair(self, occasion: str) -> tuple[int, int]:
        if not self._events:
            raise ScriptError(f"{occasion} needs a roll that is not scripted")
        return self._events.pop(0)

    def pick(self, occasion: str, options: Sequence[str]) -> str:
        if not self._recipients:
            raise ScriptError(f"{occasion} needs a recipient that is not scripted")
        chosen = self._recipients.pop(0)
        if chosen not in options:
            raise ScriptError(f"{occasion}: {chosen} is not among {', '.join(options)}")
        return chosen

    def draw(self, occasion: str, chits: Sequence[str]) -> str:
        if not self._chits:
            raise ScriptError(f"{occasion} needs a chit that is not scripted")
        chit = self._chits.pop(0)
        if chit not in chits:
            raise ScriptError(f"{occasion}: {chit} is not in the Randomizer")
        return chit

    def deal(self, occasion: str, cards: Sequence[str], players: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        if self._deal is None:
            raise ScriptError("the deal is not scripted")
        if strangers := sorted(set(self._deal) - set(players)):
            raise ScriptError(f"{', '.join(strangers)} cannot be dealt to")
        pot = Counter(cards)
        taken: dict[str, tuple[str, ...]] = {}
        for player in players:  # of every hand what is in this pot; the rest is for the pots to come
            hand = self._deal.get(player, ())
            taken[player] = tuple((Counter(hand) & pot).elements())
            pot -= Counter(taken[player])
            self._deal[player] = list((Counter(hand) - Counter(taken[player])).elements())
        return taken

    def offers(self, kind: str) -> bool:
        return bool({"event": self._events, "chit": self._chits, "recipient": self._recipients}[kind])

    def left_over(self) -> list[str]:
        """Scripted luck that nothing asked for."""
        left = [f"{kind} {number}" for kind, numbers in sorted(self._rolls.items()) for number in numbers]
        left += [f"event {a}-{b}" for a, b in self._events]
        left += [f"chit {chit}" for chit in self._chits]
        left += [f"deal {player}: {card}" for player, hand in (self._deal or {}).items() for card in hand]
        return left + [f"recipient {player}" for player in self._recipients]
