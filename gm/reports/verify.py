"""Check an archive from nothing but its own files: hashes, commitments, receipts, dice, and the chain of the Bells.

`verify(files)` names everything that does not fit. The same checks, in the same order, are made in the browser.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gm.adjudicator.chance import ProvableChance, commitment
from gm.adjudicator.outcome_json import outcome_to_json
from gm.adjudicator.play import Options
from gm.adjudicator.sequence import adjudicate
from gm.board.model import Board
from gm.orders.parser import parse
from gm.position import from_json
from gm.reports.fairness import START_OF_CHAIN, chain_of, digest_of, receipt_of, salt_of

FORMAT = "kolokol-archive/1"
MANIFEST = "manifest.json"
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit: where, which check, and what about it."""

    where: str
    check: str
    detail: str

    def __str__(self) -> str:
        return f"{self.where}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Verdict:
    findings: tuple[Finding, ...]
    files: int = 0
    phases: int = 0
    receipts: int = 0
    dice: int = 0
    bells: int = 0

    @property
    def ok(self) -> bool:
        return not self.findings


def dump(data: object) -> bytes:
    """The one way in which an archive writes JSON: any other spelling is a change."""
    return (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def manifest_of(files: Files, chain: str, name: str) -> bytes:
    sums = {path: hashlib.sha256(content).hexdigest() for path, content in files.items() if path != MANIFEST}
    return dump({"format": FORMAT, "campaign": name, "chain": chain, "files": sums})


def verify(board: Board, files: Files) -> Verdict:
    manifest = _read(files, MANIFEST)
    if manifest is None:
        return Verdict((Finding(MANIFEST, "manifest", "is missing or cannot be read"),))
    findings = list(_hashes(files, manifest))
    campaign = _read(files, "campaign.json")
    if campaign is None:
        findings.append(Finding("campaign.json", "file", "is missing or cannot be read"))
        return Verdict(tuple(findings), len(files))
    phases = [(path, data) for path in sorted(files) if path.startswith("phases/") and (data := _read(files, path))]
    checks: list[Iterator[Finding]] = [_commitments(path, phase) for path, phase in phases]
    checks += [_receipts(path, phase, campaign) for path, phase in phases]
    checks += [_replay(board, path, phase, campaign) for path, phase in phases]
    checks += [_succession(phases), _bells(files, manifest, campaign, phases)]
    for check in checks:
        findings += _guarded(check)
    return Verdict(
        tuple(findings),
        len(files),
        len(phases),
        sum(len(phase.get("orders", {})) for _, phase in phases),
        sum(len((phase.get("outcome") or {}).get("rolls", ())) for _, phase in phases),
        sum(path.startswith("bells/") and path.endswith(".txt") for path in files),
    )


def _guarded(check: Iterator[Finding]) -> list[Finding]:
    """An archive that was tampered with may hold anything: what cannot be checked is a finding too."""
    found: list[Finding] = []
    try:
        found.extend(check)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, AssertionError) as error:
        found.append(Finding("archive", "shape", f"cannot be checked further ({type(error).__name__}: {error})"))
    return found


def _read(files: Files, path: str) -> dict[str, Any] | None:
    try:
        data = json.loads(files[path])
    except (KeyError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _hashes(files: Files, manifest: dict[str, Any]) -> Iterator[Finding]:
    if dump(manifest) != files[MANIFEST]:
        yield Finding(MANIFEST, "manifest", "is not written as archives write it")
    if manifest.get("format") != FORMAT:
        yield Finding(MANIFEST, "manifest", f"has format {manifest.get('format')!r}, not {FORMAT}")
    if set(manifest) != {"format", "campaign", "chain", "files"}:
        yield Finding(MANIFEST, "manifest", "does not have exactly the entries of a manifest")
    sums = manifest.get("files")
    listed: dict[str, Any] = sums if isinstance(sums, dict) else {}
    for path in sorted(set(files) | set(listed) - {MANIFEST}):
        if path == MANIFEST:
            continue
        if path not in files:
            yield Finding(path, "file", "is listed in the manifest but missing")
        elif path not in listed:
            yield Finding(path, "file", "is not listed in the manifest")
        elif hashlib.sha256(files[path]).hexdigest() != listed[path]:
            yield Finding(path, "hash", "is not what the manifest says: its SHA-256 differs")
        elif path.endswith(".json") and not _is_canonical(files[path]):
            yield Finding(path, "form", "is not written as archives write it")


def _is_canonical(content: bytes) -> bool:
    """JSON in the one form that archives have: no key twice, nothing between the lines."""
    try:
        return dump(json.loads(content)) == content
    except ValueError:
        return False


def _commitments(path: str, phase: dict[str, Any]) -> Iterator[Finding]:
    if phase["secret"] is not None and commitment(bytes.fromhex(phase["secret"])) != phase["commitment"]:
        yield Finding(path, "commitment", "the revealed secret does not have the hash that was published")


def _receipts(path: str, phase: dict[str, Any], campaign: dict[str, Any]) -> Iterator[Finding]:
    orders: dict[str, dict[str, Any]] = phase["orders"]
    if not orders:
        return
    for player, sealed in sorted(orders.items()):
        if receipt_of(sealed["salt"], sealed["text"]) != sealed["receipt"]:
            yield Finding(path, "receipt", f"the orders of {player} do not have the receipt that was given for them")
        if phase["secret"] is not None:
            name, secret = campaign["dice_name"], bytes.fromhex(phase["secret"])
            if salt_of(secret, name, phase["turn"], phase["phase"], player, sealed["version"]) != sealed["salt"]:
                yield Finding(path, "salt", f"the salt of {player} does not come from the secret of the Phase")
    if digest_of({player: sealed["receipt"] for player, sealed in orders.items()}) != phase["orders_digest"]:
        yield Finding(path, "digest", "the digest of all orders does not fit the receipts")


def _replay(board: Board, path: str, phase: dict[str, Any], campaign: dict[str, Any]) -> Iterator[Finding]:
    """Play the Phase again from the published orders and secret: every die, every result."""
    recorded = phase["outcome"]
    if recorded is None:
        return
    secret = bytes.fromhex(phase["secret"])
    chance = ProvableChance(secret, campaign["dice_name"], phase["turn"], phase["phase"], phase["orders_digest"])
    position = from_json(board, phase["position"])
    sheets = {p: parse(board, sealed["text"], position.players).sheet for p, sealed in phase["orders"].items()}
    options = Options(masses=bool(campaign["options"]["masses"]))
    again = json.loads(json.dumps(outcome_to_json(adjudicate(board, position, sheets, chance, options))))
    rolled = {roll["occasion"]: roll for roll in again["rolls"]}
    for roll in recorded["rolls"]:
        if rolled.pop(roll["occasion"], None) != roll:
            yield Finding(path, "dice", f"the dice of {roll['occasion']} are not those that the secret gives")
    for occasion in sorted(rolled):
        yield Finding(path, "dice", f"the dice of {occasion} are not in the record")
    for part in ("before", "after", "events", "results", "points"):
        if recorded.get(part) != again[part]:
            yield Finding(path, "outcome", f"{part}: the orders and dice lead to something else")


def _succession(phases: list[tuple[str, dict[str, Any]]]) -> Iterator[Finding]:
    """Each Phase begins with what the one before it led to; a Gamesmaster's end changes only that it is the end."""
    lived = [(path, phase) for path, phase in phases if phase["state"] != "void"]
    for (_, earlier), (path, later) in pairwise(lived):
        if earlier["outcome"] is None or later["position"] is None:
            continue
        led_to = earlier["outcome"]["after"]["position"]
        if later["phase"] == "finished":
            led_to = led_to | {"phase": "finished"}
        if led_to != later["position"]:
            yield Finding(path, "position", "does not begin with the position that the Phase before led to")


def _bells(
    files: Files, manifest: dict[str, Any], campaign: dict[str, Any], phases: list[tuple[str, dict[str, Any]]]
) -> Iterator[Finding]:
    """Every Bell carries the seal of all before it; the commitments it printed are those that were kept."""
    chain = START_OF_CHAIN
    index = json.loads(files["bells/index.json"])
    keyed = {(p["turn"], p["phase"], p["incarnation"]): p for _, p in phases}
    for line in index["bells"]:
        path = f"bells/{line['number']:03d}.txt"
        text = files[path].decode()
        reported = keyed.get((line["turn"], line["phase"], line["incarnation"]))
        if reported is not None and line["kind"] in ("deal", "trades", "phase"):
            printed = [reported["secret"], *(sealed["receipt"] for sealed in reported["orders"].values())]
            if not all(value in text for value in printed):
                yield Finding(path, "bell", "does not print the secret and the receipts of its Phase")
        if chain != START_OF_CHAIN and chain not in text:
            yield Finding(path, "chain", "does not carry the seal of the issues before it")
        chain = chain_of(chain, line["number"], text)
        if chain != line["chain"]:
            yield Finding(path, "chain", "breaks the chain of seals")
        for announced in line["commitments"]:
            if announced not in text:
                yield Finding(path, "commitment", "does not print the hash of the coming Phase's secret")
    if (manifest["chain"] or START_OF_CHAIN) != chain:
        yield Finding(MANIFEST, "chain", "does not end where the chain of the Bells ends")
    if manifest["campaign"] != campaign["dice_name"]:
        yield Finding(MANIFEST, "manifest", "names another campaign")
    commitments = {p["commitment"] for _, p in phases}
    for line in index["bells"]:
        for announced in line["commitments"]:
            if announced not in commitments:
                yield Finding("bells/index.json", "commitment", "announces a secret that no Phase has")
