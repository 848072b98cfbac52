"""Closing a Phase at its deadline: grace period, then sealing the orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.outcome_json import outcome_from_json
from gm.board.model import Board
from gm.campaign import keys, schedule
from gm.campaign.beacon import rounds
from gm.campaign.mailbox import gm_sight
from gm.campaign.phase import awaited, sheets
from gm.campaign.phase.opening import EXAMPLE, close_at, move_back
from gm.campaign.ports import StandIn
from gm.campaign.transaction import CampaignView, RollCall, Transaction, display_name
from gm.gamedate import phase_name
from gm.orders.kinds import Sheet
from gm.position import Phase as PhaseName
from gm.position import Player, Position
from gm.reports.proof.beacon import line_of
from gm.reports.proof.fairness import RESIGNATION, counted, digest_of, played_text, receipt_of, salt_of
from gm.standin.record import STANDIN, PlayedPhase, tracks_after
from gm.standin.strategy import Style
from gm.standin.tracks import Tracks
from gm.store.base import PhaseKey
from gm.store.repositories import phases, submissions
from gm.store.tables import PhaseRow, SealedOrders


def close(work: Transaction, phase: PhaseRow) -> bool:
    """Handle the closing alarm. True if the Phase was sealed, False if it stays open for a while."""
    roll = awaited.roll_call(work, phase)
    if phase.deadline is None:
        if roll.settled:
            seal(work, phase, roll)
        return True  # if somebody thought again, their next sheet closes it
    if work.now < (phase.grace_until or phase.deadline):
        if phase.state == "grace" and awaited.ends_grace(work, phase, roll):
            seal(work, phase, roll)
            return True
        close_at(work, phase, phase.grace_until or phase.deadline)
        return False
    if phase.full_deadline is not None and not roll.all_ready:  # somebody came back from an absence, say
        move_back(work, phase)
        return False
    if phase.state == "open" and roll.missing and work.options.grace_hours:
        give_grace(work, phase, roll)
        return False
    seal(work, phase, roll)
    return True


def give_grace(work: Transaction, phase: PhaseRow, roll: RollCall) -> None:
    """Missing orders are still taken for a while, and all are told what is waited for."""
    missing = roll.missing
    assert phase.deadline is not None
    phase.state = "grace"
    phase.grace_until = max(phase.deadline, work.now) + timedelta(hours=work.options.grace_hours)
    close_at(work, phase, phase.grace_until)
    key = keys.of_phase(phase)
    facts = {"phase_name": phase_name(phase.turn, phase.phase), "until": phase.grace_until}
    for letter in missing:
        work.tell(letter, "grace", key, fate=without_orders(work, phase, letter), **facts)
    names = [display_name(*work.seat(letter)) for letter in missing]
    late = names if work.options.show_ready else []
    for letter in roll.expected:
        if letter not in missing:
            work.tell(letter, "waiting", key, late=late, **facts)
    hours = schedule.more_hours(phase.deadline, phase.grace_until, EXAMPLE)
    more = {"hours": hours, "later": phase.deadline + timedelta(hours=hours)}
    work.tell_gm("grace_gm", key, missing=names if gm_sight.shows_ready(work.campaign) else [], **more, **facts)
    work.audit("grace", missing=list(missing), until=phase.grace_until.isoformat())


def seal(work: Transaction, phase: PhaseRow, roll: RollCall | None = None) -> None:
    """Seal one order text per person, and with it the digest that keys the dice.

    Stand-ins write when the campaign is not locked any more (`think`), with a public beacon after its round;
    then `complete` adds their sheets and the digest.
    """
    roll = roll or awaited.roll_call(work, phase)
    position = work.position(phase)
    seated = {seat.letter for seat, _ in work.table}
    letters = [letter for letter in position.active if letter in seated]  # the system has no seat
    played = _left_to_standins(work, phase, roll, letters)
    texts = _file(work, phase, [_sealed(work, phase, letter, roll) for letter in letters if letter not in played])
    phase.state = "sealed"
    phase.sealed_at = work.now
    work.silence(phases.key_of(phase), "remind", "close")
    digest = digest_of(texts, work.options.game, work.board)
    if not rounds.await_round(work, phase, digest):
        if not played:
            complete(work, phase)
        work.alarm("adjudicate", work.now, phase)
    sealed = phase.orders_digest or digest
    work.audit("seal", turn=phase.turn, phase=phase.phase, digest=sealed, missing=list(roll.missing))


@dataclass(frozen=True)
class AskedOrders:
    """All that stand-ins go by in a sealed Phase, so that they can write while the campaign is not locked."""

    phase: PhaseKey
    board: Board
    position: Position
    tracks: Tracks
    chance: ProvableChance
    seats: Mapping[Player, Style]
    previous: Mapping[Player, Sheet | None]


@dataclass(frozen=True)
class WrittenOrders:
    seats: Mapping[Player, Style]
    texts: Mapping[Player, str]


def asked_of_standins(work: CampaignView, phase: PhaseRow) -> AskedOrders | None:
    """What is asked of stand-ins before a sealed Phase can be adjudicated; None: nothing."""
    if phase.state != "sealed" or phase.orders_digest is not None or rounds.awaited(work, phase) is not None:
        return None
    texts = _sealed_texts(work, phase)
    seated = {seat.letter for seat, _ in work.table}
    letters = sorted(p for p in work.position(phase).active if p in seated and p not in texts)
    if not letters:
        return None
    styles = {p: awaited.standin_style(work, p) or Style(work.options.standin) for p in letters}
    digest = digest_of(texts, work.options.game, work.board, line_of(rounds.record_of(work, phase)))
    return AskedOrders(
        phases.key_of(phase),
        work.board,
        work.position(phase),
        _tracks(work, phase),
        _chance(work, phase, digest),  # keyed by what the people have sealed
        styles,
        {p: previous_sheet(work, phase, p) for p in letters},
    )


def think(standin: StandIn, at: AskedOrders) -> WrittenOrders:
    """The stand-ins write: seconds of processor time, if they are commanders."""
    fixed = (at.board, at.position, at.tracks)
    texts = {p: sheets.canonical(standin(*fixed, p, at.chance, at.seats, before)) for p, before in at.previous.items()}
    return WrittenOrders(at.seats, texts)


def complete(work: Transaction, phase: PhaseRow, written: WrittenOrders | None = None) -> None:
    """Add what the stand-ins wrote, and compute the digest that keys the dice."""
    if written is not None:
        _file(work, phase, _by_standins(work, phase, written))
    beacon = line_of(rounds.record_of(work, phase))
    phase.orders_digest = digest_of(_sealed_texts(work, phase), work.options.game, work.board, beacon)


def _sealed_texts(work: CampaignView, phase: PhaseRow) -> dict[Player, str]:
    return {row.letter: row.counted or "" for row in phases.sealed(work.session, phases.key_of(phase))}


def _file(work: Transaction, phase: PhaseRow, rows: Sequence[SealedOrders]) -> dict[Player, str]:
    """Store sealed orders; gives what counts of them for the dice."""
    players = work.position(phase).players
    for row in rows:
        leaves = row.source in ("submitted", "removed") and work.seat(row.letter)[0].status in awaited.LEAVING
        text = played_text(row.text, RESIGNATION) if leaves else row.text
        row.counted = counted(sheets.sheet_of(work.board, text, players))
        work.session.add(row)
        _count_nmr(work, phase, row.letter, row.source)
    work.session.flush()
    return {row.letter: row.counted or "" for row in rows}


def _left_to_standins(work: Transaction, phase: PhaseRow, roll: RollCall, letters: Sequence[Player]) -> set[Player]:
    """The seats of which nothing came and that a stand-in plays."""
    if phase.phase == PhaseName.SETUP:
        return set()
    silent = [p for p in letters if p not in roll.orders and work.seat(p)[0].status not in awaited.LEAVING]
    return {p for p in silent if awaited.standin_style(work, p) is not None}


def _sealed(work: Transaction, phase: PhaseRow, letter: Player, roll: RollCall) -> SealedOrders:
    seat, _ = work.seat(letter)
    entry = roll.orders.get(letter)
    key = phases.key_of(phase)
    sent = submissions.get(work.session, entry.id) if entry is not None else None
    leaves = seat.status in awaited.LEAVING and phase.phase != PhaseName.SETUP
    left = "removed" if seat.status == "removed" else "submitted"
    if sent is not None:  # also of a seat that is left: what is on file counts still, as they were told
        return SealedOrders(
            **key._asdict(),
            letter=letter,
            text=sent.canonical,
            version=sent.version,
            salt=sent.salt,
            receipt=sent.receipt,
            source=left if leaves else "submitted",
            submission_id=sent.id,
        )
    text, source = (RESIGNATION, left) if leaves else _without_submission(work, phase, letter)
    salt = salt_of(work.secret(key), work.campaign.dice_name, phase.turn, phase.phase, letter, 0)
    return SealedOrders(
        **key._asdict(),
        letter=letter,
        text=text,
        version=0,
        salt=salt,
        receipt=receipt_of(salt, text),
        source=source,
    )


IDLE = {PhaseName.PREGAME.value: "trades", PhaseName.SECOND.value: "attacks"}  # what nobody does without orders


def without_orders(work: Transaction, phase: PhaseRow, letter: Player) -> str:
    """What becomes of a seat that sends no orders: a word for templates/campaign/if_nothing.txt."""
    if awaited.standin_style(work, letter) is not None:
        return "standin"
    _, source = _without_submission(work, phase, letter)
    return IDLE.get(phase.phase, source) if source == "none" else source


def _without_submission(work: Transaction, phase: PhaseRow, letter: Player) -> tuple[str, str]:
    """What counts for a player of whom nothing came, and what to call it."""
    if phase.phase == PhaseName.SETUP:
        return "", "deal"
    standing = sheets.canonical(sheets.effective(previous_sheet(work, phase, letter), None, Sheet()))
    return standing, "standing" if standing else "none"


def _count_nmr(work: Transaction, phase: PhaseRow, letter: Player, source: str) -> None:
    seat, holder = work.seat(letter)
    if source in ("submitted", "deal", "removed"):
        seat.nmr_count = 0 if source == "submitted" else seat.nmr_count
        return
    if seat.standin or awaited.on_leave(work, letter):
        return
    seat.nmr_count += 1
    name = phase_name(phase.turn, phase.phase)
    key = keys.of_phase(phase)
    limit, pregame = work.options.nmr_limit, phase.phase == PhaseName.PREGAME
    facts = {"phase_name": name, "source": source, "count": seat.nmr_count, "limit": limit, "pregame": pregame}
    days = [work.now.date() + timedelta(days=ahead) for ahead in (3, 10)]
    work.tell(letter, "no_orders", key, example=[f"{day.day} {day:%B}" for day in days], **facts)
    if seat.nmr_count >= work.options.nmr_limit:
        who = holder.name if holder else letter
        work.tell_gm("find_standby", keys.once(key, letter), who=who, seat=letter, count=seat.nmr_count)


# --- seats that stand-ins play ---


def _by_standins(work: Transaction, phase: PhaseRow, written: WrittenOrders) -> list[SealedOrders]:
    rows, key = [], phases.key_of(phase)
    for letter, text in sorted(written.texts.items()):
        salt = salt_of(work.secret(key), work.campaign.dice_name, phase.turn, phase.phase, letter, 0)
        rows.append(
            SealedOrders(
                **key._asdict(),
                letter=letter,
                text=text,
                version=0,
                salt=salt,
                receipt=receipt_of(salt, text),
                source="standin",
                style=written.seats[letter].value,
                standin=STANDIN,
            )
        )
    return rows


def previous_sheet(work: CampaignView, phase: PhaseRow, letter: Player) -> Sheet | None:
    """The player's sealed orders of the Phase before, for what is STANDING in them."""
    text = work.orders_before(phase).get(letter)
    return sheets.sheet_of(work.board, text, work.position(phase).players) if text else None


def _chance(work: CampaignView, phase: PhaseRow, digest: str) -> ProvableChance:
    """The draws of the stand-ins: keyed by the people's orders, not by all, which theirs would be part of."""
    secret = work.secret(phases.key_of(phase))
    return ProvableChance(secret, work.campaign.dice_name, phase.turn, phase.phase, digest)


def _tracks(work: CampaignView, phase: PhaseRow) -> Tracks:
    """The public history up to this Phase."""
    lived = [row for row in phases.history(work.session, work.campaign.id) if row.state != "void"]
    return tracks_after(work.board, (_played(work, row) for row in lived if _is_over(work, row, phase)))


def _is_over(work: CampaignView, row: PhaseRow, phase: PhaseRow) -> bool:
    return row.ordinal < phase.ordinal and phases.adjudication(work.session, phases.key_of(row)) is not None


def _played(work: CampaignView, row: PhaseRow) -> PlayedPhase:
    key = phases.key_of(row)
    adjudication = phases.adjudication(work.session, key)
    assert adjudication is not None
    orders = phases.sealed(work.session, key)
    people = {o.letter: o.counted or "" for o in orders if o.source != "standin"}
    digest = digest_of(people, work.options.game, work.board, line_of(rounds.record_of(work, row)))
    seats = {o.letter: Style(o.style) for o in orders if o.source == "standin" and o.style}
    outcome = outcome_from_json(work.board, adjudication.outcome)
    return PlayedPhase(outcome, seats, _chance(work, row, digest))
