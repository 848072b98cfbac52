"""The deadline: grace for who is late, then the orders are sealed and nothing can change them any more."""

from __future__ import annotations

from datetime import timedelta

from gm.campaign import roll_call, sheets
from gm.campaign.opening import close_at
from gm.campaign.work import RollCall, Work
from gm.orders.calendar import phase_name
from gm.orders.model import Sheet
from gm.position import Phase as PhaseName
from gm.position import Player
from gm.reports.fairness import digest_of, receipt_of, salt_of
from gm.store.repositories import phases, submissions
from gm.store.tables import Phase, SealedOrders


def close(work: Work, phase: Phase) -> bool:
    """What the closing alarm does. True if the Phase was sealed, False if it stays open for a while."""
    roll = roll_call.call(work, phase)
    assert phase.deadline is not None
    if work.now < (phase.grace_until or phase.deadline):
        if roll.complete and (not roll.waiting or phase.state == "grace"):
            seal(work, phase, roll)  # nobody is missing and nobody asked to wait
            return True
        close_at(work, phase, phase.grace_until or phase.deadline)
        return False
    if phase.state == "open" and roll.missing and work.options.grace_hours:
        give_grace(work, phase, roll.missing)
        return False
    seal(work, phase, roll)
    return True


def give_grace(work: Work, phase: Phase, missing: tuple[Player, ...]) -> None:
    assert phase.deadline is not None
    phase.state = "grace"
    phase.grace_until = max(phase.deadline, work.now) + timedelta(hours=work.options.grace_hours)
    close_at(work, phase, phase.grace_until)
    key = f"{phase.turn}/{phase.phase}/{phase.incarnation}"
    facts = {"phase_name": phase_name(phase.turn, phase.phase), "until": phase.grace_until}
    for letter in missing:
        work.tell(letter, "grace", key, **facts)
    work.tell_gm("grace_gm", key, missing=missing, **facts)
    work.audit("grace", missing=list(missing), until=phase.grace_until.isoformat())


def seal(work: Work, phase: Phase, roll: RollCall | None = None) -> None:
    """Fix one text a player, and with it the digest that keys the dice."""
    roll = roll or roll_call.call(work, phase)
    key = phases.key_of(phase)
    receipts: dict[Player, str] = {}
    for letter in work.position(phase).active:
        row = _sealed(work, phase, letter, roll)
        work.session.add(row)
        receipts[letter] = row.receipt
        _count_nmr(work, phase, letter, row.source)
    phase.state = "sealed"
    phase.sealed_at = work.now
    phase.orders_digest = digest_of(receipts)
    work.silence(key, "remind", "close")
    work.alarm("adjudicate", work.now, phase)
    work.audit("seal", turn=phase.turn, phase=phase.phase, digest=phase.orders_digest, missing=list(roll.missing))


def _sealed(work: Work, phase: Phase, letter: Player, roll: RollCall) -> SealedOrders:
    seat, _ = work.seat(letter)
    entry = roll.orders.get(letter)
    key = phases.key_of(phase)
    sent = submissions.get(work.session, entry.id) if entry is not None else None
    if sent is not None and seat.status not in roll_call.LEAVING:
        return SealedOrders(
            **key._asdict(),
            letter=letter,
            text=sent.canonical,
            version=sent.version,
            salt=sent.salt,
            receipt=sent.receipt,
            source="submitted",
            submission_id=sent.id,
        )
    text, source = _without_submission(work, phase, letter, seat.status)
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


def _without_submission(work: Work, phase: Phase, letter: Player, status: str) -> tuple[str, str]:
    """What counts for a player of whom nothing came, and what to call it."""
    if phase.phase == PhaseName.SETUP:
        return "", "deal"
    if status in roll_call.LEAVING:
        return sheets.RESIGNATION, "removed"
    if work.services.standin is not None and roll_call.played_by_standin(work, letter):
        secret = work.secret(phases.key_of(phase))
        board = work.services.board
        text = work.services.standin(board, work.position(phase), letter, secret)
        return sheets.canonical(sheets.read(board, text, work.names).sheet), "standin"
    standing = sheets.canonical(sheets.effective(previous_sheet(work, phase, letter), None, Sheet()))
    return standing, "standing" if standing else "none"


def previous_sheet(work: Work, phase: Phase, letter: Player) -> Sheet | None:
    """The player's sealed orders of the Phase before, for what is STANDING in them."""
    text = work.orders_before(phase).get(letter)
    return sheets.sheet_of(work.services.board, text, work.position(phase).players) if text else None


def _count_nmr(work: Work, phase: Phase, letter: Player, source: str) -> None:
    seat, holder = work.seat(letter)
    if source in ("submitted", "deal", "removed"):
        seat.nmr_count = 0 if source == "submitted" else seat.nmr_count
        return
    if seat.standin or roll_call.on_leave(work, letter):
        return
    seat.nmr_count += 1
    name = phase_name(phase.turn, phase.phase)
    key = f"{phase.turn}/{phase.phase}/{phase.incarnation}"
    work.tell(letter, "no_orders", key, phase_name=name, source=source, count=seat.nmr_count)
    if seat.nmr_count >= work.options.nmr_limit:
        who = holder.name if holder else letter
        work.tell_gm("find_standby", f"{key}/{letter}", who=who, seat=letter, count=seat.nmr_count)
