"""Invariants checked after a rehearsal, whatever was killed. Each check gives how many things it looked at."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gm.board.model import Board
from gm.campaign.export import archive
from gm.campaign.export.folder import read_files
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.reads import lookups, metrics
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.logs import secrets_of
from gm.position import Position, from_json
from gm.rehearsal.director import Director, logs_of
from gm.reports.proof.verify import ArchiveVerdict, board_of, verify

EVERYTHING = 10_000_000
FLAT = 1.25  # the last quarter may weigh so much more than the second
SLACK_MEGABYTES = 30


@dataclass
class Check:
    words: str
    looked_at: int = 0
    wrong: list[str] = field(default_factory=list)

    def expect(self, true: bool, words: str) -> None:
        self.looked_at += 1
        if not true:
            self.wrong.append(words)


@dataclass
class Archive:
    files: dict[str, bytes]
    phases: list[dict[str, object]]
    verdict: ArchiveVerdict


def examine(director: Director, folder: Path) -> list[Check]:
    services = director.services
    campaigns = sorted({campaign for campaign, _ in director.people})
    archives = {campaign: _archive(services, campaign, folder) for campaign in campaigns}
    checks: dict[str, Callable[[Check], None]] = {
        "every campaign came to its end": lambda c: _ended(c, services, campaigns),
        "every Phase was adjudicated once": lambda c: _once(c, services, archives),
        "every archive verifies (dice, receipts, chain)": lambda c: _verified(c, archives),
        "every position is whole: no piece lost or twice": lambda c: _whole(c, archives),
        "every Bell reached everybody": lambda c: _delivered(c, director, campaigns),
        "no mail was lost and none invented": lambda c: _posted(c, director),
        "every mail that came in was dealt with": lambda c: _handled(c, director),
        "the Bell's seals are those of the receipts": lambda c: _sealed(c, director, archives),
        "no seat's secret stands in another's mail or a log": lambda c: _secret(c, director, campaigns, folder),
        "nothing went wrong in the logs": lambda c: _logs(c, folder),
        "memory is flat": lambda c: _flat(c, director),
    }
    found = []
    for words, check in checks.items():
        made = Check(words)
        check(made)
        found.append(made)
    return found


def _archive(services: Services, campaign: str, folder: Path) -> Archive:
    archive.export(services, campaign, folder / "archives" / campaign, public=True)
    files = read_files(folder / "archives" / campaign)
    phases = [json.loads(files[path]) for path in sorted(files) if path.startswith("phases/")]
    return Archive(files, phases, verify(files))


def _ended(check: Check, services: Services, campaigns: list[str]) -> None:
    for campaign in campaigns:
        check.expect(lookups.state(services, campaign).status == "finished", f"{campaign} is not finished")
    now = metrics.figures_of(services)
    check.expect(not now.overdue and not now.given_up, f"{now.overdue} overdue, {now.given_up} given up")
    check.expect(not now.mails_failed and not now.mails_waiting, f"{now.mails_failed} mails failed")


def _once(check: Check, services: Services, archives: dict[str, Archive]) -> None:
    for campaign, found in archives.items():
        log = lookups.audit(services, campaign, EVERYTHING)
        done = Counter(row.action for row in log)
        played = [phase for phase in found.phases if phase["outcome"] is not None]
        check.looked_at += len(played)
        check.expect(done["adjudicate"] == len(played), f"{campaign}: {done['adjudicate']} for {len(played)}")
        check.expect(done["seal"] == len(played), f"{campaign}: sealed {done['seal']} times for {len(played)}")
        numbers = sorted(row.data["number"] for row in log if row.action == "publish")
        bells = [line.number for line in lookups.bells(services, campaign)]
        check.expect(numbers == bells == list(range(1, len(bells) + 1)), f"{campaign}: Bells {numbers}")


def _verified(check: Check, archives: dict[str, Archive]) -> None:
    for campaign, found in archives.items():
        check.looked_at += found.verdict.dice + found.verdict.receipts
        check.expect(found.verdict.ok, f"{campaign}: {'; '.join(map(str, found.verdict.findings[:3]))}")


def _whole(check: Check, archives: dict[str, Archive]) -> None:
    for campaign, found in archives.items():
        board = board_of(found.files)
        for phase in found.phases:
            if phase["position"] and phase["phase"] not in ("setup",):
                position = from_json(board, phase["position"])  # type: ignore[arg-type]
                wrong = unwhole(board, position)
                check.expect(wrong is None, f"{campaign} {phase['turn']} {phase['phase']}: {wrong}")


def unwhole(board: Board, position: Position) -> str | None:
    """What is lost or duplicated, if anything. The shorter game has neither Czar, Gold nor Politburo (J38)."""
    places = list(position.all_pieces())
    pieces = sum(not (board.shorter and piece.is_imperial) for piece in board.pieces.values())
    if len(places) != len(set(places)) or len(places) != pieces:
        return f"{len(places)} places for {len(set(places))} of {pieces} pieces"
    boxes = (position.neutral, *position.boxes.values())
    if position.randomizer.pm + sum(box.pm for box in boxes) != (0 if board.shorter else board.markers.politburo):
        return "Politburo Markers are lost"
    return None


def _delivered(check: Check, director: Director, campaigns: list[str]) -> None:
    for campaign in campaigns:
        bells = {line.number for line in lookups.bells(director.services, campaign)}
        number = campaign.rpartition("-")[2]
        addresses = [p.address for (c, _), p in director.people.items() if c == campaign]
        for address in (*addresses, f"rita{number}@players.test"):
            missing = bells - director.office.box(address).bells
            check.looked_at += len(bells) - 1
            check.expect(not missing, f"{address} never got {sorted(missing)}")


def _posted(check: Check, director: Director) -> None:
    queued = {mail.message_id: mail.state for mail in outbox.listing(director.services, None, None, EVERYTHING)}
    seen = director.office.seen
    check.looked_at += len(queued) - 1
    lost, unknown = set(queued) - set(seen), set(seen) - set(queued)
    check.expect(not lost and not unknown, f"{len(lost)} lost, {len(unknown)} unknown")
    unsent = [identity for identity, state in queued.items() if state != "sent"]
    check.expect(not unsent, f"{len(unsent)} not marked as sent")
    twice = sum(number - 1 for number in seen.values())
    # A worker that dies between sending and noting it makes its mails go out again: one batch a kill at most.
    check.expect(twice <= 20 * director.crew.kills, f"{twice} came twice after {director.crew.kills} kills")


def _handled(check: Check, director: Director) -> None:
    check.expect(not inbox.in_state(director.services, "new"), "mail lies unread")
    check.looked_at += sum(person.mails_sent for person in director.people.values())
    check.expect(not director.tally.doubts, "; ".join(director.tally.doubts[:3]))
    for person in director.people.values():
        for _, identity in person.awaited:
            check.expect(identity in director.office.answered, f"{identity} was never answered")


def _sealed(check: Check, director: Director, archives: dict[str, Archive]) -> None:
    for (campaign, letter), person in director.people.items():
        for phase in archives[campaign].phases:
            key = (phase["turn"], phase["phase"], phase["incarnation"])
            orders = phase["orders"]
            assert isinstance(orders, dict)
            if key not in person.seals or letter not in orders:
                continue  # none on file, or the Phase was void before it was sealed
            printed = orders[letter]["receipt"]
            check.expect(printed == person.seals[key], f"{campaign} {letter} {key}: another seal")


def _secret(check: Check, director: Director, campaigns: list[str], folder: Path) -> None:
    services = director.services
    tokens = {(c, p.letter): holders.seat_token(services, c, p.letter) for (c, _), p in director.people.items()}
    for mail in outbox.listing(services, None, None, EVERYTHING):
        others = [token for (c, seat), token in tokens.items() if c == mail.campaign_id and seat != mail.letter]
        words = f"{mail.subject}{mail.text}{mail.html or ''}{mail.headers}"
        check.expect(not any(token in words for token in others), f"mail {mail.id} tells another's token")
    known = [*secrets_of(services.settings), services.secret_key.decode("utf-8", "replace"), *tokens.values()]
    for line in logs_of(folder):
        check.expect(not any(secret in line for secret in known), "a log tells a secret")


def _logs(check: Check, folder: Path) -> None:
    for line in _events(folder):
        check.expect(line.get("level") not in ("error", "critical"), f"{line.get('logger')}: {line.get('event')}")


def _events(folder: Path) -> Iterator[dict[str, object]]:
    for line in logs_of(folder):
        try:
            yield json.loads(line)
        except ValueError:
            yield {"level": "error", "logger": "stderr", "event": line.strip()[:200]}


def _flat(check: Check, director: Director) -> None:
    for kind, weights in director.crew.memory.items():
        if len(weights) < 40:
            continue  # too short to tell
        quarter = len(weights) // 4
        early, late = statistics.median(weights[quarter : 2 * quarter]), statistics.median(weights[-quarter:])
        words = f"{kind}: {early:.0f} MB in the second quarter, {late:.0f} MB in the last"
        check.expect(late <= early * FLAT + SLACK_MEGABYTES, words)
