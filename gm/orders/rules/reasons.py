"""Reason codes: why an order is refused or does less, before and after the deadline, with the rules that each cites.

Checker and adjudicator read the same table. The words are in templates/orders/problems.toml (receipts) and
templates/bell/reasons.toml (results).
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.board.model import Color, Piece

# What nothing that others order can change in this Phase (J5).
FINAL = frozenset({"cannot-pay", "other-cannot-pay", "leader-not-his", "leaders-only-before"})

REASONS: Mapping[str, tuple[str, ...]] = {
    # not understood
    "unknown-order": (),
    "verb-missing": (),
    "unknown-province": (),
    "unknown-piece": (),
    "unknown-leader": (),
    "unknown-player": (),
    "ambiguous-name": (),
    "not-a-leader": (),
    "not-traded": ("15.33", "J5"),
    "not-assassinated": ("10.13", "13.51"),
    "not-imperial": (),
    "too-many-of-a-kind": (),
    "sign-missing": (),
    "clause-twice": (),
    "missing": (),
    "misspelt-word": (),
    "wrong-word": (),
    "superfluous": (),
    "unexpected": (),
    "battle-words": (),
    "unfinished": (),
    "dateline-without-quotes": (),
    "press-to-whom": (),
    "press-without-text": (),
    "order-too-long": (),
    "guard-unread": (),
    "guard-late": (),
    # any order
    "guard-mismatch": ("17/4.2",),
    "filed-ahead": ("17/4.2",),
    "only-alone": ("24.11", "S14"),
    "not-alone": ("20.11", "27.2", "S8", "S14"),
    "wrong-phase": ("17/4.2",),
    "game-over": ("14.1",),
    "quitter": ("14.22", "J37"),
    "contradiction": (),
    "resigning": ("14.2", "J37"),
    "vote-end": ("14.1", "J35"),
    "carried-out": (),
    "not-understood": (),
    "not-in-masses": ("J38",),
    "no-occasion": ("J38",),
    "resigned-too-late": ("J42", "J37", "J35"),
    # trades
    "not-a-partner": ("J5",),
    "gives-nothing": ("J5",),
    "cannot-pay": ("J5",),
    "perhaps-cannot-pay": ("J5",),
    "other-cannot-pay": ("J5",),
    "given-away": ("J5", "17/4.2"),
    "leaders-only-before": ("15.33", "J5"),
    "leader-not-his": ("15.33", "J5"),
    "needs-mirror": ("J5",),
    "needs-accept": ("J5",),
    "needs-partners": ("J18", "17/11.0"),
    "no-mirror": ("J5", "15.33"),
    "gift-refused": ("J5",),
    # Gold and Green units
    "no-gold": ("13.26", "13.25", "5.22"),
    "not-green": ("13.26", "13.25"),
    "not-anothers": ("17/13.26",),
    "cannot-be-bought": ("13.27",),
    "seized": ("J6", "17/13.26", "13.26", "J10"),
    # forces
    "not-on-map": ("J10",),
    "not-there": ("J10", "17/5.0"),
    "not-his": ("J10", "J1", "17/5.0", "5.11", "5.21", "5.26"),
    "no-mover": ("5.22", "5.0", "13.11", "J1"),
    "immovable": ("J1",),
    "moved-already": ("5.25", "J10"),
    "wrong-colour": ("5.22", "7.13", "J10"),
    "mixed-colours": ("7.13", "7.14", "J2"),
    "over-capacity": ("5.14", "7.22", "J2"),
    "over-five": ("7.11", "5.42", "J2"),
    "over-two-green": ("13.25", "J2", "J13"),
    "held-by-another": ("13.14", "13.13", "J12", "J4"),
    "guarded": ("J12", "13.12", "8.1"),
    "not-in-force": ("J10",),
    "unled-on-march": ("5.14", "7.22", "J41"),
    "nothing-left-to-lead": ("J10", "5.22", "5.0"),
    "left-behind": ("J1", "J10"),
    "lost-claim": ("J11", "17/5.0"),
    # steps
    "starts-elsewhere": ("5.24", "J8"),
    "stopped": ("5.27", "17/5.0", "J7"),
    "no-border": ("5.24", "5.31", "J8"),
    "closed": ("5.33", "J8"),
    "white-only": ("5.32", "J8"),
    "no-points": ("5.28", "5.12", "5.23", "J8", "J9"),
    "no-points-blue": ("5.63", "5.28", "J8", "J9"),
    "no-points-green": ("5.72", "5.28", "J8", "J9"),
    "no-rail-step": ("5.53", "5.52", "J8", "J9"),
    "no-rail-blue": ("5.64", "5.51", "J8", "J9"),
    "no-rail-green": ("5.73", "5.51", "J8", "J9"),
    "region-blue": ("5.65", "5.35", "J8"),
    "region-green": ("5.74", "5.35", "J8"),
    "region-finnish": ("5.75", "5.74", "5.35", "J8"),
    "region-polish": ("5.76", "5.74", "5.35", "J8"),
    "no-route": ("J9", "5.27"),
    "nowhere": ("J10", "5.23"),
    "route": ("J9",),
    "by-rail": ("5.52", "J9"),
    # stacking, leaving
    "stack-missing": ("J3",),
    "stacked-twice": ("J3",),
    "unled-stack": ("J1", "J3"),
    "no-port": ("13.32", "13.3", "J15"),
    "no-imperial": ("13.31", "13.13", "J4", "J15"),
    "no-exit": ("5.66", "5.34", "J15"),
    # assassination
    "no-markers": ("10.12", "17/10.0", "J16", "J17"),
    "too-many-assassins": ("10.12", "J17"),
    "no-target": ("10.13", "13.51", "17/10.0", "J16", "J17"),
    "no-leader-left": ("10.13", "J16"),
    "own-leader": ("10.15",),
    "no-meeting": ("17/10.0", "10.13", "10.15", "J16"),
    "already-dead": ("J17", "10.21", "17/10.0"),
    "survived": ("10.0", "10.23", "17/10.0", "J16", "J17"),
    "killed": ("10.0", "10.21", "10.22", "17/10.0", "J16", "J17"),
    # Purge and execution
    "one-purge-a-turn": ("J19", "11.13", "11.0", "17/4.2"),
    "double-purge": ("11.13", "17/11.0", "J18"),
    "conditional": ("17/11.0", "J19"),
    "no-division": ("17/11.0", "11.23", "J18", "J19"),
    "division-stranger": ("11.23", "J20"),
    "more-than-held": ("17/11.0", "J18"),
    "too-few-markers": ("11.11", "11.1", "17/11.0", "J18"),
    "too-few-together": ("11.11", "J18"),
    "committee-member": ("11.14", "J18"),
    "no-such-object": ("11.0", "J18"),
    "first-counts": ("J21",),
    "not-purgeable": ("11.31",),
    "not-the-objects": ("11.21", "J20"),
    "too-few-for-execution": ("13.52", "17/13.5", "J22"),
    "czar-not-red": ("13.53", "17/13.5", "J22"),
    "not-the-czars-holder": ("13.54", "J22"),
    "not-compatible": ("17/11.0", "11.11", "11.23", "J18"),
    "purged": ("17/11.0", "11.0", "11.21", "11.22", "J18", "J20"),
    "counterpurge": ("11.24", "11.26", "J21"),
    "in-a-purge-already": ("11.13", "J18"),
    "execution-refused": ("13.54", "17/13.5", "J22"),
    "execution-pending": ("13.52", "13.53", "17/13.5", "J22"),
    "executed": ("13.52", "13.53", "13.54", "17/13.5", "J22"),
    # solitaire: deployment and sheets
    "wrong-sheet": ("19.2", "S14"),
    "combat-over": ("19.2", "S14"),
    "deployed": ("24.11", "24.13", "S7"),
    "not-in-reserve": ("24.13", "S7"),
    "no-more-leaders": ("24.12", "24.16", "S7"),
    "not-on-red": ("24.11", "S7", "S15"),
    # combat
    "target-not-there": ("8.23", "17/8.0", "J30"),
    "not-opposed": ("8.22", "8.1", "J30"),
    "not-friends": ("8.22", "8.12", "J30"),
    "leaderless": ("8.28", "J1", "J29", "J30"),
    "not-his-stack": ("8.21", "J1", "J30"),
    "not-in-province": ("8.23", "J30"),
    "attacked-already": ("8.25", "J27", "J29", "J30"),
    "same-target-twice": ("8.25", "J29"),
    "comes-first": ("8.25", "J27"),
    "below-half": ("8.47", "J26", "J27"),
    "odds": ("8.0", "J26"),
    "not-blue": ("8.3", "8.31", "J27"),
    "not-red": ("8.3", "8.31", "J27"),
    "not-adjacent": ("8.31", "8.32", "J27"),
    "not-his-to-lose": ("8.44", "J31"),
    "not-his-to-choose": ("8.46", "J31"),
    "target-gone": ("17/8.0", "J27", "J28", "J29"),
    "attacker-gone": ("17/8.0", "J28", "J29"),
    "no-effect": ("8.33", "8.31", "8.3", "J27"),
    "left-out": ("J30",),
    "fought": ("8.0", "17/8.0", "8.45", "J26", "J28", "J32"),
}


def rules_of_piece(code: str, piece: Piece | None) -> tuple[str, ...]:
    """What a force cites besides, by the piece: whose marker a Blue or Green unit waits for, whom the Gold buys."""
    if piece is None:
        return ()
    if code in ("immovable", "not-his") and piece.nation is not None:
        return ("5.71",) if piece.color is Color.GREEN else ("5.61", "5.62")
    if code == "no-mover" and piece.nation is not None:
        return "5.71", "13.26"
    if code == "moved-already" and piece.is_imperial:
        return ("13.15",)
    if code == "lost-claim" and piece.color is Color.GREEN:
        return ("17/13.26",)
    return ("J13",) if code in ("no-gold", "cannot-be-bought") else ("J10",)
