"""Every reason an order's result can give: its code and the rules that it cites. The words are in templates/."""

from __future__ import annotations

from collections.abc import Mapping

from gm.adjudicator.outcome import Reason

REASONS: Mapping[str, tuple[str, ...]] = {
    "carried-out": (),
    "not-understood": (),
    "wrong-phase": ("17/4.2",),
    "not-in-masses": ("J38",),
    "quitter": ("14.22", "J37"),
    # trades
    "no-mirror": ("J5",),
    "cannot-pay": ("J5",),
    "gift-refused": ("J5",),
    "not-a-partner": ("J5",),
    "leaders-only-before": ("15.33",),
    "leader-not-his": ("15.33", "J5"),
    # Gold and Green units
    "no-gold": ("13.26", "J6"),
    "not-green": ("13.26", "J6"),
    "not-anothers": ("17/13.26", "J6"),
    "cannot-be-bought": ("13.27", "J6"),
    "seized": ("J6", "17/13.26"),
    # forces
    "not-there": ("J10",),
    "not-his": ("J10", "J1"),
    "no-mover": ("5.22", "13.11"),
    "immovable": ("5.62", "5.71", "J1"),
    "moved-already": ("5.25", "J10"),
    "wrong-colour": ("5.22", "7.13"),
    "mixed-colours": ("7.13", "7.14", "J2"),
    "over-capacity": ("5.14", "7.22", "J2"),
    "over-five": ("7.11", "J2"),
    "over-two-green": ("13.25", "J2"),
    "lost-claim": ("J11", "17/5.0"),
    "held-by-another": ("13.14", "J12"),
    "guarded": ("13.12", "J12"),
    "not-in-force": ("J10",),
    "nothing-left-to-lead": ("5.22", "J10"),
    # steps
    "stopped": ("5.27", "17/5.0", "J7"),
    "no-border": ("5.24", "J8"),
    "closed": ("5.33", "J8"),
    "white-only": ("5.32", "J8"),
    "no-points": ("5.28", "5.12", "J8"),
    "no-points-blue": ("5.63", "5.28", "J8"),
    "no-points-green": ("5.72", "5.28", "J8"),
    "no-rail-step": ("5.53", "5.52", "J8"),
    "no-rail-blue": ("5.64", "J8"),
    "no-rail-green": ("5.73", "J8"),
    "region-blue": ("5.65", "J8"),
    "region-green": ("5.74", "J8"),
    "region-finnish": ("5.75", "J8"),
    "region-polish": ("5.76", "J8"),
    "no-route": ("J9",),
    "nowhere": ("J8",),
    # stacking, leaving
    "stack-missing": ("J3",),
    "no-port": ("13.32",),
    "no-imperial": ("13.31", "J15"),
    "no-exit": ("5.66", "J15"),
    # assassination
    "no-meeting": ("17/10.0", "J16"),
    "no-markers": ("10.12", "J17"),
    "no-target": ("10.13", "J17"),
    "already-dead": ("J17",),
    "survived": ("10.0", "10.23", "J17"),
    "killed": ("10.0", "10.21", "10.22", "J17"),
    # Purge and execution
    "one-purge-a-turn": ("J19", "11.13", "17/4.2"),
    "conditional": ("17/11.0", "J19"),
    "no-division": ("17/11.0", "11.23", "J19"),
    "not-compatible": ("17/11.0", "J18"),
    "too-few-markers": ("11.11", "J18"),
    "committee-member": ("11.14", "J18"),
    "no-such-object": ("11.0", "J18"),
    "purged": ("11.21", "J18", "J20"),
    "counterpurge": ("11.24", "J21"),
    "in-a-purge-already": ("11.13", "J18"),
    "too-few-for-execution": ("13.52", "J22"),
    "czar-not-red": ("13.53", "J22"),
    "execution-refused": ("13.54", "J22"),
    "execution-pending": ("17/13.5", "J22"),
    "executed": ("13.54", "J22"),
    # combat
    "target-gone": ("17/8.0",),
    "target-not-there": ("8.23", "J30"),
    "not-opposed": ("8.22", "8.1"),
    "leaderless": ("8.28", "J29"),
    "not-his-stack": ("8.21", "J1"),
    "not-in-province": ("8.23", "J30"),
    "attacked-already": ("8.25", "J29"),
    "same-target-twice": ("8.25", "J29"),
    "below-half": ("8.47", "J26"),
    "not-blue": ("8.3", "8.31"),
    "not-red": ("8.31",),
    "not-adjacent": ("8.31", "J27"),
    "no-effect": ("8.33", "J27"),
    "left-out": ("J30",),
    "fought": ("8.0", "17/8.0"),
}


def because(code: str, *more: str, **data: object) -> Reason:
    """A reason with the rules of its code first, then any that the circumstances add."""
    return Reason(code, (*REASONS[code], *more), data)
