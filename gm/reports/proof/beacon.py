"""A public randomness beacon in the form of drand: when its rounds fall, and whether what it gave is signed by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

SCHEME = "bls-unchained-g1-rfc9380"  # each round is signed alone, with a short signature
NOTICE = timedelta(minutes=10)  # between the mail that names a round and the round
_DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


@dataclass(frozen=True, slots=True)
class BeaconChain:
    """A beacon: where it is asked, the key by which it signs, when its first round was and how often they come."""

    address: str
    public_key: str
    genesis_time: int
    period: int
    scheme: str = SCHEME

    def time_of(self, round: int) -> datetime:
        return datetime.fromtimestamp(self.genesis_time + (round - 1) * self.period, UTC)

    def round_at(self, when: datetime) -> int:
        """The first round at that time or after it."""
        return max(1, -(-(int(when.timestamp()) - self.genesis_time) // self.period) + 1)

    @property
    def fingerprint(self) -> str:
        """What the Bell prints of the key."""
        known = {name: value for name, value in asdict(self).items() if name != "address"}
        return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()

    @property
    def name(self) -> str:
        """By its key: anybody's own beacon may call itself drand."""
        return "drand" if self.fingerprint == DRAND.fingerprint else f"the beacon at {self.address}"


DRAND = BeaconChain(
    "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
    "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    1692803367,
    3,
)


def chain_from(data: Mapping[str, Any]) -> BeaconChain:
    """A beacon as it is stored; raises KeyError, TypeError or ValueError for what is none."""
    chain = BeaconChain(**{name: data[name] for name in ("address", "public_key", "genesis_time", "period", "scheme")})
    web = chain.address.startswith(("http://", "https://"))
    if not web or not chain.address.isprintable() or len(chain.address) > 300:
        raise ValueError("its address is none")
    if chain.scheme != SCHEME or not 1 <= int(chain.period) <= 86_400 or len(bytes.fromhex(chain.public_key)) != 96:
        raise ValueError(f"it is not of the scheme {SCHEME}")
    return chain


@dataclass(frozen=True, slots=True)
class BeaconRound:
    """What the beacon gave in one round."""

    round: int
    randomness: str
    signature: str


def due_round(chain: BeaconChain, printed: int | None, sealed_at: datetime) -> int:
    """The round that goes into the dice: the printed one, unless it was out when the orders were sealed."""
    if printed is not None and sealed_at < chain.time_of(printed):
        return printed
    return chain.round_at(sealed_at + NOTICE)


def is_genuine(chain: BeaconChain, value: BeaconRound) -> bool:
    """Whether the beacon signed this round, and the number is that of its signature."""
    from py_arkworks_bls12381 import GT, G1Point, G2Point  # only campaigns with a beacon ask

    try:
        signature, key = bytes.fromhex(value.signature), bytes.fromhex(chain.public_key)
        if hashlib.sha256(signature).hexdigest() != value.randomness:
            return False
        point, by = G1Point.from_compressed_bytes(signature), G2Point.from_compressed_bytes(key)
    except ValueError:
        return False
    if point == G1Point.identity() or by == G2Point.identity():
        return False
    said = G1Point.hash_to_curve(hashlib.sha256(value.round.to_bytes(8, "big")).digest(), _DST)
    return bool(GT.pairing_check([said, -point], [by, G2Point()]))


def line_of(record: Mapping[str, Any] | None) -> str:
    """What goes into the digest of the orders: empty where no round was used."""
    return f"beacon {record['round']} {record['randomness']}" if record and record.get("randomness") else ""
