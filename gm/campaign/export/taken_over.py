"""What a campaign that was taken over must be like, so that it can be played on here: as strict as for a new one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from gm.adjudicator.outcome_json import outcome_from_json
from gm.board.model import Board
from gm.campaign import boards
from gm.campaign import options as campaign_options
from gm.campaign.access.addresses import ONCE_TAKEN
from gm.campaign.beacon.rounds import chain_of
from gm.campaign.export.rows import odd
from gm.campaign.manage.creation import LONGEST_NAME, check_areas
from gm.campaign.phase import past_issues
from gm.campaign.phase.issue import editorial_of
from gm.campaign.record.archived import phase_record
from gm.errors import GmError
from gm.position import from_json
from gm.reports.proof.fairness import receipt_of, salt_of
from gm.reports.proof.verify import record_findings
from gm.standin.strategy import Style
from gm.store.base import PhaseKey
from gm.store.repositories import paper, people, phases, submissions
from gm.store.tables import Campaign, PhaseRow, Submission
from gm.wording import clean

LONGEST = 320  # characters of an address
MOST_KEYS = 10_000  # of a seat: each new holder, and each wish for new keys, gives it others


def check_taken_over(session: Session, campaign: Campaign) -> None:
    """Raises Invalid with the first thing that could not have come about here."""
    board = boards.board_of(session, campaign)
    for where, what in _problems(session, campaign, board):
        raise odd(f"private/{where}.json", what)


def _problems(session: Session, campaign: Campaign, board: Board) -> Iterator[tuple[str, str]]:
    try:
        check_areas(board, campaign_options.with_defaults(campaign.options))
        chain_of(campaign)
    except (GmError, KeyError, ValueError, TypeError) as error:
        yield "campaign", f"options or beacon cannot be used: {str(error)[:200]}"
    if not all(map(_is_name, (campaign.name, campaign.paper, campaign.gm_name))):
        yield "campaign", "a name is too long, or cannot be printed"
    if not _is_address(campaign.gm_address) or campaign.gm_generation not in range(1, MOST_KEYS):
        yield "campaign", "nobody could reach its Gamesmaster"
    yield from _people(session, campaign)
    history = phases.history(session, campaign.id)
    yield from _where_it_stands(session, campaign, history[-1] if history else None)
    yield from _not_out(session, campaign, board, history)
    letters = {seat.letter for seat in people.seats(session, campaign.id)}
    for row in history:
        try:
            from_json(board, row.position)
            editorial_of(row)
            past_issues.issues_before(board, session, row)
            judged = phases.adjudication(session, phases.key_of(row))
            if judged is not None:
                points = outcome_from_json(board, judged.outcome).points
                if judged.points != {player: [own.red, own.white] for player, own in points.items()}:
                    yield "adjudications", f"turn {row.turn}, {row.phase} has other points than it came to"
        except Exception as error:  # whatever it is, it would be so at the next deadline
            yield "phases", f"turn {row.turn}, {row.phase} cannot be read ({type(error).__name__})"
    for sent in submissions.all_of(session, campaign.id):
        if sent.letter not in letters or sent.version < 0 or not all(isinstance(p, dict) for p in sent.problems):
            yield "submissions", f"no player {sent.letter} could have sent this"
        elif sent.status in ("taken", "withdrawn") and not _has_its_receipt(session, campaign, sent):
            yield "submissions", f"a sheet of {sent.letter} does not have the receipt that was given for it"
    for offer in paper.proposals(session, campaign.id):
        if not all(isinstance(text, str) for text in (*offer.orders.values(), *offer.answers.values())):
            yield "proposals", f"proposal {offer.number} cannot be read"


def _not_out(
    session: Session, campaign: Campaign, board: Board, history: Sequence[PhaseRow]
) -> Iterator[tuple[str, str]]:
    """A Phase that was sealed or judged, and of which no issue tells yet: what no public file says is checked here."""
    known = {"dice_name": campaign.dice_name, "options": campaign.options}
    for row in history:
        if row.state not in ("sealed", "adjudicated"):
            continue
        record = json.loads(json.dumps(phase_record(session, row, over=True)))
        for finding in record_findings(board, record, known):
            yield "adjudications" if row.state == "adjudicated" else "sealed_orders", finding.detail
        later = [other for other in history if other.ordinal == row.ordinal + 1]
        if record["outcome"] and later and later[0].position != record["outcome"]["after"]["position"]:
            yield "phases", "the next one does not begin with what this one came to"


def _people(session: Session, campaign: Campaign) -> Iterator[tuple[str, str]]:
    for person in people.everyone(session, campaign.id):
        if not _is_address(person.address) or not _is_name(person.name):
            yield "players", f"{person.address[:80]!r} is no mail address, or of nobody"
        if not campaign_options.was_zone(person.zone):
            yield "players", f"{person.zone[:80]!r} is no time zone"
    for seat, holder in people.seats_with_holders(session, campaign.id):
        if (
            not ("A" <= seat.letter <= "Z")
            or seat.generation not in range(1, MOST_KEYS)
            or seat.style not in (None, *Style)
        ):
            yield "seats", f"{seat.letter} cannot be a seat"
        if holder is None and not seat.standin and seat.status == "held":
            yield "seats", f"nobody holds {seat.letter}"


def _where_it_stands(session: Session, campaign: Campaign, last: PhaseRow | None) -> Iterator[tuple[str, str]]:
    """At its last Phase that was begun, with the next issue's number."""
    bells = [line.number for line in paper.bell_lines(session, campaign.id)]
    if campaign.next_bell < 1 or (bells and campaign.next_bell != bells[-1] + 1):
        yield "campaign", f"the next issue cannot be #{campaign.next_bell}"
    key = (campaign.turn, campaign.phase, campaign.incarnation)
    history = [row for row in phases.history(session, campaign.id) if row.state != "void"]
    begun = [row for row in history if row.state != "pending"] or history
    if last is None or key not in [(row.turn, row.phase, row.incarnation) for row in (*begun[-1:], *history[-1:])]:
        yield "campaign", "it does not stand where its Phases end"


def _has_its_receipt(session: Session, campaign: Campaign, sent: Submission) -> bool:
    """Whoever kept the campaign before knew the secret, but the player has the receipt; none is given for orders that
    are filed ahead, until their Phase opens."""
    if sent.incarnation == submissions.AHEAD:
        return not sent.receipt
    key = PhaseKey(campaign.id, sent.turn, sent.phase, sent.incarnation)
    secret = bytes.fromhex(phases.dice(session, key).secret) if phases.get(session, key) is not None else b""
    salt = salt_of(secret, campaign.dice_name, sent.turn, sent.phase, sent.letter, sent.version)
    return (sent.salt, sent.receipt) == (salt, receipt_of(salt, sent.canonical))


def _is_name(text: str) -> bool:
    """As a new campaign may have it; blanks are as they were typed."""
    return bool(text.strip()) and len(text) <= LONGEST_NAME and clean(text) == " ".join(filter(None, text.split(" ")))


def _is_address(text: str) -> bool:
    return len(text) <= LONGEST and text.isprintable() and bool(ONCE_TAKEN.fullmatch(text))
