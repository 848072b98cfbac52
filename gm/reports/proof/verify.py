"""Check an archive from nothing but its own files: hashes, commitments, receipts, dice, and the chain of the Bells.

`verify(files)` names everything that does not fit. The same checks, in the same order, are made in the browser.
Of every Phase the dice are recomputed and the events replayed; one of this version's reading is judged again as well.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.adjudicator.chance import ProvableChance, commitment
from gm.adjudicator.corrections import corrections_of, with_corrections
from gm.adjudicator.engine.options import GameOptions, game_options
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.outcome_json import outcome_from_json, outcome_to_json
from gm.adjudicator.sequence import adjudicate
from gm.adjudicator.versions import BEACON_DICE, DICE, READING, dice_of, reading_of
from gm.board.bounds import MOST_MARKERS_EVER, markers_in_play
from gm.board.load import packed
from gm.board.model import Board
from gm.board.pack import PackFiles
from gm.board.problems import BoardError
from gm.orders.parser import parse
from gm.position import from_json
from gm.reports.proof.beacon import line_of
from gm.reports.proof.checks.announced import AnnouncedCheck
from gm.reports.proof.checks.beacon import BeaconCheck
from gm.reports.proof.checks.bells import BellsCheck
from gm.reports.proof.checks.board import BoardCheck
from gm.reports.proof.checks.files import FilesCheck
from gm.reports.proof.checks.index import index_problems
from gm.reports.proof.checks.record import RecordCheck, chance_of
from gm.reports.proof.checks.shape import SHAPES, phases_problems, shape_problems, size_problems
from gm.reports.proof.checks.sheets import SheetsCheck
from gm.reports.proof.checks.standin import standin_problems
from gm.reports.proof.checks.succession import corrections_problems, succession_problems
from gm.reports.proof.checks.told import ToldCheck
from gm.reports.proof.fairness import (
    counted,
    digest_of,
    digest_of_receipts,
    dump,
    played_text,
    read_json,
    receipt_of,
    salt_of,
)
from gm.wording import clean

LONGEST_DETAIL = 1000  # characters
FORMAT = "kolokol-archive/1"
MANIFEST = "manifest.json"
PACK = "pack/"
MAX_PACK_BYTES = 1_600_000  # of all its files: no campaign keeps one of more than 400,000 characters
PHASE = re.compile(r"phases/(?:[0-9]{3}|[1-9][0-9]{3,8})-[0-9]{2,9}-[a-z]{1,12}\.json")
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class ProofFinding:
    """Something that does not fit: where, which check, and what about it."""

    where: str
    check: str
    detail: str

    def __post_init__(self) -> None:
        """Whoever made an archive may have put anything into what is told of it: nothing that moves a terminal."""
        object.__setattr__(self, "where", clean(self.where))
        object.__setattr__(self, "detail", clean(self.detail)[:LONGEST_DETAIL])

    def __str__(self) -> str:
        return f"{self.where}: {self.detail}"


@dataclass(frozen=True, slots=True)
class ArchiveVerdict:
    findings: tuple[ProofFinding, ...]
    files: int = 0
    phases: int = 0
    receipts: int = 0
    dice: int = 0
    bells: int = 0
    judged_again: int = 0  # Phases of this version's reading
    replayed: Mapping[int, int] = field(default_factory=dict)  # Phases of other readings, by their version
    unproven: int = 0  # draws of ties: the record does not say between whom
    notes: tuple[str, ...] = ()  # void Phases, and what the archive alone cannot show
    reading: int = READING  # of the Phases that were judged again

    @property
    def ok(self) -> bool:
        return not self.findings


def manifest_of(files: Files, chain: str, name: str) -> bytes:
    sums = {path: hashlib.sha256(content).hexdigest() for path, content in files.items() if path != MANIFEST}
    return dump({"format": FORMAT, "campaign": name, "chain": chain, "files": sums})


def pack_of(files: Files) -> PackFiles:
    """The board pack that an archive brings along."""
    found = {path: content for path, content in files.items() if path.startswith(PACK)}
    return tuple(sorted((path.removeprefix(PACK), content.decode()) for path, content in found.items()))


def board_of(files: Files) -> Board:
    """The board that the campaign of an archive is played on."""
    options = (read_json(files, "campaign.json") or {}).get("options")
    return packed(pack_of(files), shorter=isinstance(options, dict) and bool(options.get("masses")))


def _bounded_board(files: Files) -> Board:
    if sum(len(content) for path, content in files.items() if path.startswith(PACK)) > MAX_PACK_BYTES:
        raise ValueError(f"it may have {MAX_PACK_BYTES} bytes")
    board = board_of(files)
    if markers_in_play(board) > MOST_MARKERS_EVER:
        raise ValueError(f"{MOST_MARKERS_EVER} markers may be dealt and drawn with it")
    return board


def verify(files: Files) -> ArchiveVerdict:
    """Whatever the files hold, there is a verdict."""
    try:
        return _verdict(files)
    except Exception as error:
        return ArchiveVerdict((_cannot(error),), len(files))


def _verdict(files: Files) -> ArchiveVerdict:
    manifest = read_json(files, MANIFEST)
    if manifest is None:
        return ArchiveVerdict((ProofFinding(MANIFEST, "manifest", "is missing or cannot be read"),))
    findings = list(_hashes(files, manifest))
    campaign = read_json(files, "campaign.json")
    if campaign is None:
        findings.append(ProofFinding("campaign.json", "file", "is missing or cannot be read"))
        return ArchiveVerdict(tuple(findings), len(files))
    try:
        board = _bounded_board(files)
    except (BoardError, ValueError, RecursionError) as error:
        findings.append(ProofFinding(PACK, "board", f"the pack cannot be played with: {error}"))
        return ArchiveVerdict(tuple(findings), len(files))
    read = {path: read_json(files, path) for path in sorted(files) if PHASE.fullmatch(path)}
    phases = sorted(((path, data) for path, data in read.items() if data), key=lambda of: int(of[0][7:].split("-")[0]))
    if too_large := _guarded(ProofFinding(*problem) for problem in size_problems(phases)):
        return ArchiveVerdict((*findings, *too_large), len(files), len(phases))
    shapes = {**read, **{path: read_json(files, path) for path in SHAPES}}
    forms = (shape_problems(path, data) for path, data in shapes.items())
    some = (*forms, phases_problems(phases, campaign.get("status", "")))
    checks: list[Iterator[ProofFinding]] = [_found(problems) for problems in some]
    checks += [_commitments(path, phase) for path, phase in phases]
    checks += [_receipts(board, path, phase, campaign) for path, phase in phases]
    judged, tally = [(path, phase) for path, phase in phases if phase.get("outcome")], Tally()
    checks += [_judgement(board, path, phase, campaign, tally) for path, phase in judged]
    bells = BellsCheck(files, phases, str(campaign.get("dice_name", "")))
    told, announced, sheets = ToldCheck(bells), AnnouncedCheck(board, bells), SheetsCheck(board, bells)
    beside, beacon = FilesCheck(bells, campaign), BeaconCheck(campaign.get("beacon"), bells)
    own_board = BoardCheck(board, bells, campaign, bool(pack_of(files)))
    checks += [_standins(board, judged, campaign), _bells(bells, manifest, campaign)]
    some = (
        sheets.problems(),
        own_board.problems(),
        succession_problems(board, phases),
        corrections_problems(board, bells, judged),
        told.problems(),
        announced.problems(),
        beside.problems(),
        index_problems(bells),
    )
    checks += [_found(problems) for problems in some]
    checks += [_beacon("campaign.json", beacon.charter_problems())]
    checks += [_beacon(path, beacon.problems(phase)) for path, phase in phases]
    findings += [found for check in checks for found in _guarded(check)]
    notes = [*bells.notes, *announced.notes, *told.notes, *beside.notes, *beacon.notes, *sheets.notes, *own_board.notes]
    return ArchiveVerdict(
        tuple(findings),
        len(files),
        len(phases),
        sum(_size(phase, "orders") for _, phase in phases),
        sum(_size(phase.get("outcome"), "rolls") for _, phase in phases),
        sum(path.startswith("bells/") and path.endswith(".txt") for path in files),
        tally.judged_again,
        dict(sorted(tally.replayed.items())),
        tally.unproven,
        tuple(map(clean, notes)),
        tally.reading,
    )


def _found(problems: Iterable[tuple[str, str, str]]) -> Iterator[ProofFinding]:
    return (ProofFinding(*problem) for problem in problems)


def _size(data: object, name: str) -> int:
    """How many there are, for the summary: an archive that does not verify may hold anything."""
    found = data.get(name) if isinstance(data, dict) else None
    return len(found) if isinstance(found, dict | list) else 0


def record_findings(board: Board, phase: dict[str, Any], campaign: dict[str, Any]) -> list[ProofFinding]:
    """What is wrong with the record of one Phase by itself: secret, receipts, digest, and what it came to if judged."""
    path = f"{phase['turn']}-{phase['phase']}"
    checks = [_commitments(path, phase), _receipts(board, path, phase, campaign)]
    if phase["outcome"]:
        checks.append(_judgement(board, path, phase, campaign, Tally()))
    return [finding for check in checks for finding in _guarded(check)]


@dataclass(slots=True)
class Tally:
    """How the Phases of an archive were checked."""

    judged_again: int = 0
    reading: int = READING
    replayed: Counter[int] = field(default_factory=Counter)
    unproven: int = 0


def _guarded(check: Iterator[ProofFinding]) -> list[ProofFinding]:
    """An archive that was tampered with may hold anything: what cannot be checked is a finding too."""
    found: list[ProofFinding] = []
    try:
        found.extend(check)
    except Exception as error:
        found.append(_cannot(error))
    return found


def _cannot(error: Exception) -> ProofFinding:
    return ProofFinding("archive", "shape", f"cannot be checked further ({type(error).__name__}: {error})"[:300])


def _hashes(files: Files, manifest: dict[str, Any]) -> Iterator[ProofFinding]:
    if dump(manifest) != files[MANIFEST]:
        yield ProofFinding(MANIFEST, "manifest", "is not written as archives write it")
    if manifest.get("format") != FORMAT:
        yield ProofFinding(MANIFEST, "manifest", f"has format {manifest.get('format')!r}, not {FORMAT}")
    if set(manifest) != {"format", "campaign", "chain", "files"}:
        yield ProofFinding(MANIFEST, "manifest", "does not have exactly the entries of a manifest")
    sums = manifest.get("files")
    listed: dict[str, Any] = sums if isinstance(sums, dict) else {}
    for path in sorted(set(files) | set(listed) - {MANIFEST}):
        if path == MANIFEST:
            continue
        if path not in files:
            yield ProofFinding(path, "file", "is listed in the manifest but missing")
        elif path not in listed:
            yield ProofFinding(path, "file", "is not listed in the manifest")
        elif hashlib.sha256(files[path]).hexdigest() != listed[path]:
            yield ProofFinding(path, "hash", "is not what the manifest says: its SHA-256 differs")
        elif path.endswith(".json") and not _is_canonical(files[path]):
            yield ProofFinding(path, "form", "is not written as archives write it")


def _is_canonical(content: bytes) -> bool:
    """JSON in the one form that archives have: no key twice, nothing between the lines."""
    try:
        return dump(json.loads(content)) == content
    except (ValueError, RecursionError):
        return False


def _commitments(path: str, phase: dict[str, Any]) -> Iterator[ProofFinding]:
    if phase["secret"] is not None and commitment(bytes.fromhex(phase["secret"])) != phase["commitment"]:
        yield ProofFinding(path, "commitment", "the revealed secret does not have the hash that was published")


def _receipts(board: Board, path: str, phase: dict[str, Any], campaign: dict[str, Any]) -> Iterator[ProofFinding]:
    orders: dict[str, dict[str, Any]] = phase["orders"]
    for player, sealed in sorted(orders.items()):
        if receipt_of(sealed["salt"], sealed["text"]) != sealed["receipt"]:
            yield ProofFinding(
                path, "receipt", f"the orders of {player} do not have the receipt that was given for them"
            )
        if phase["secret"] is not None:
            name, secret = campaign["dice_name"], bytes.fromhex(phase["secret"])
            if salt_of(secret, name, phase["turn"], phase["phase"], player, sealed["version"]) != sealed["salt"]:
                yield ProofFinding(path, "salt", f"the salt of {player} does not come from the secret of the Phase")
    if "digest" in (phase.get("beacon") or {}) and (orders or phase["outcome"] is not None):
        people = {p: str(sealed["counted"]) for p, sealed in orders.items() if sealed["source"] != "standin"}
        if digest_of(people, game_options(campaign["options"]), board) != phase["beacon"]["digest"]:
            yield ProofFinding(path, "beacon", "the orders are not those whose digest was mailed when they were sealed")
    judged = phase["outcome"] is not None or phase["orders_digest"] is not None
    if judged and (orders or phase["orders_digest"] is not None):  # else it was void while it waited for a beacon
        yield from _digest(board, path, phase, campaign)


def _digest(board: Board, path: str, phase: dict[str, Any], campaign: dict[str, Any]) -> Iterator[ProofFinding]:
    """What keys the dice: in version 1 the receipts, in version 2 house rules, board and the orders that count."""
    orders: dict[str, dict[str, Any]] = phase["orders"]
    dice = _dice_of(phase)
    beacon = line_of(phase.get("beacon"))
    if bool(beacon) != (dice == BEACON_DICE):
        yield ProofFinding(path, "beacon", "a round of the beacon and the version of the dice do not go together")
    if dice == 1:
        if orders and all("counted" in sealed for sealed in orders.values()):
            yield ProofFinding(path, "version", "says dice of version 1, and its orders were sealed for later ones")
        receipts = {player: sealed["receipt"] for player, sealed in orders.items()}
        if digest_of_receipts(receipts) != phase["orders_digest"]:
            yield ProofFinding(path, "digest", "the digest of all orders does not fit the receipts")
        return
    texts = {player: str(sealed["counted"]) for player, sealed in orders.items()}
    if phase.get("reading") == reading_of(phase["position"]):  # an older version may have printed them otherwise
        players = from_json(board, phase["position"]).players
        for player, sealed in orders.items():
            text = played_text(sealed["text"], texts[player])
            if counted(parse(board, text, players, sealed=True).sheet) != texts[player]:
                yield ProofFinding(path, "digest", f"the orders of {player} that count are not those on record")
    if digest_of(texts, game_options(campaign["options"]), board, beacon) != phase["orders_digest"]:
        what = "the orders, the house rules and the board" + (", and the round of the beacon" if beacon else "")
        yield ProofFinding(path, "digest", f"the digest does not fit {what}")


def _dice_of(phase: dict[str, Any]) -> int:
    """The version of the dice of a Phase: by which it was judged, or for which it was sealed."""
    if phase["outcome"] is not None:
        return int(phase.get("dice") or 1)
    if any("counted" not in sealed for sealed in phase["orders"].values()):
        return 1
    return BEACON_DICE if line_of(phase.get("beacon")) else DICE


def _judgement(
    board: Board, path: str, phase: dict[str, Any], campaign: dict[str, Any], tally: Tally
) -> Iterator[ProofFinding]:
    """Judge the Phase again if it was judged by this version's reading; else check its record alone."""
    reading, dice = (phase.get(name, 1) for name in ("reading", "dice"))  # none recorded: 1
    if not all(isinstance(version, int) and version > 0 for version in (reading, dice)):
        yield ProofFinding(path, "version", "does not say by which versions it was judged")
        return
    known = dice_of(phase["position"])
    if reading not in known:
        yield ProofFinding(path, "reading", f"says that it was judged by reading {reading}, which is not known here")
    elif dice not in known[reading]:
        yield ProofFinding(path, "reading", f"no Phase of reading {reading} had dice of version {dice}")
    chance = chance_of(phase, campaign["dice_name"])
    if chance is None:
        yield ProofFinding(path, "dice", f"the dice are of version {dice}, which is not known here")
        return
    options = game_options(campaign["options"])
    if reading == reading_of(phase["position"]):
        tally.judged_again += 1
        tally.reading = reading
        yield from _again(board, path, phase, chance, options)
        return
    tally.replayed[reading] += 1
    record = RecordCheck(board, phase, chance, options)
    yield from (ProofFinding(path, check, detail) for check, detail in record.problems())
    tally.unproven += record.unproven


def _standins(
    board: Board, judged: list[tuple[str, dict[str, Any]]], campaign: dict[str, Any]
) -> Iterator[ProofFinding]:
    """A stand-in's sheet is the one that it writes from the record."""
    for path, detail in standin_problems(board, judged, campaign["dice_name"], game_options(campaign["options"])):
        yield ProofFinding(path, "stand-in", detail)


def _again(
    board: Board, path: str, phase: dict[str, Any], chance: ProvableChance, options: GameOptions
) -> Iterator[ProofFinding]:
    """Play the Phase again from the published orders and secret: every die, every result."""
    recorded = phase["outcome"]
    position = from_json(board, phase["position"])
    sheets = {
        p: parse(board, played_text(sealed["text"], sealed.get("counted")), position.players, sealed=True).sheet
        for p, sealed in phase["orders"].items()
    }
    before, after = corrections_of(outcome_from_json(board, recorded))
    judged = adjudicate(board, replay(board, position, before), sheets, chance, options)
    again = json.loads(json.dumps(outcome_to_json(with_corrections(board, judged, position, before, after))))
    rolled = {roll["occasion"]: roll for roll in again["rolls"]}
    for roll in recorded["rolls"]:
        if rolled.pop(roll["occasion"], None) != roll:
            yield ProofFinding(path, "dice", f"the dice of {roll['occasion']} are not those that the secret gives")
    for occasion in sorted(rolled):
        yield ProofFinding(path, "dice", f"the dice of {occasion} are not in the record")
    for part in ("before", "after", "events", "results", "points"):
        if recorded.get(part) != again[part]:
            yield ProofFinding(path, "outcome", f"{part}: the orders and dice lead to something else")


def _bells(bells: BellsCheck, manifest: dict[str, Any], campaign: dict[str, Any]) -> Iterator[ProofFinding]:
    """Every Bell carries the seal of all before it; each Phase's hash stood in the Bell that opened it."""
    if manifest["campaign"] != campaign["dice_name"]:
        yield ProofFinding(MANIFEST, "manifest", "names another campaign")
    yield from (ProofFinding(*problem) for problem in bells.problems(manifest["chain"]))


def _beacon(path: str, problems: Iterator[str]) -> Iterator[ProofFinding]:
    """The round of the public beacon that went into the dice is the one that was announced, and signed."""
    yield from (ProofFinding(path, "beacon", detail) for detail in problems)
