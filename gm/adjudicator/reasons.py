"""Every reason an order's result can give: its code and the rules that it cites. The words are in templates/."""

from __future__ import annotations

from collections.abc import Mapping

from gm.adjudicator.outcome import Reason
from gm.orders import model as m

REASONS: Mapping[str, tuple[str, ...]] = {
    "carried-out": (),
    "not-understood": (),
    "wrong-phase": ("17/4.2", "5.11", "5.21"),
    "not-in-masses": ("J38",),
    "quitter": ("14.22", "J37"),
    # trades
    "no-mirror": ("J5", "15.33"),
    "cannot-pay": ("J5",),
    "gift-refused": ("J5",),
    "not-a-partner": ("J5",),
    "leaders-only-before": ("15.33", "J5"),
    "leader-not-his": ("15.33", "J5"),
    # Gold and Green units
    "no-gold": ("13.26", "13.25", "5.22"),
    "not-green": ("13.26", "13.25"),
    "not-anothers": ("17/13.26",),
    "cannot-be-bought": ("13.27",),
    "seized": ("J6", "17/13.26", "13.26", "J10"),
    # forces
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
    "lost-claim": ("J11", "17/5.0"),
    "held-by-another": ("13.14", "13.13", "J12", "J4"),
    "guarded": ("J12", "13.12", "8.1"),
    "not-in-force": ("J10",),
    "nothing-left-to-lead": ("J10", "5.22", "5.0"),
    # steps
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
    # stacking, leaving
    "stack-missing": ("J3",),
    "no-port": ("13.32", "13.3", "J15"),
    "no-imperial": ("13.31", "13.13", "J4", "J15"),
    "no-exit": ("5.66", "5.34", "J15"),
    # assassination
    "no-meeting": ("17/10.0", "10.13", "10.15", "J16"),
    "no-markers": ("10.12", "17/10.0", "J16", "J17"),
    "no-target": ("10.13", "13.51", "17/10.0", "J16", "J17"),
    "already-dead": ("J17", "10.21", "17/10.0"),
    "survived": ("10.0", "10.23", "17/10.0", "J16", "J17"),
    "killed": ("10.0", "10.21", "10.22", "17/10.0", "J16", "J17"),
    # Purge and execution
    "one-purge-a-turn": ("J19", "11.13", "11.0", "17/4.2"),
    "conditional": ("17/11.0", "J19"),
    "no-division": ("17/11.0", "11.23", "J18", "J19"),
    "not-compatible": ("17/11.0", "11.11", "11.23", "J18"),
    "too-few-markers": ("11.11", "11.1", "17/11.0", "J18"),
    "committee-member": ("11.14", "J18"),
    "no-such-object": ("11.0", "J18"),
    "purged": ("17/11.0", "11.0", "11.21", "11.22", "J18", "J20"),
    "counterpurge": ("11.24", "11.26", "J21"),
    "in-a-purge-already": ("11.13", "J18"),
    "too-few-for-execution": ("13.52", "17/13.5", "J22"),
    "czar-not-red": ("13.53", "17/13.5", "J22"),
    "execution-refused": ("13.54", "17/13.5", "J22"),
    "execution-pending": ("13.52", "13.53", "17/13.5", "J22"),
    "executed": ("13.52", "13.53", "13.54", "17/13.5", "J22"),
    # combat
    "target-gone": ("17/8.0", "J27", "J28", "J29"),
    "attacker-gone": ("17/8.0", "J28", "J29"),
    "target-not-there": ("8.23", "17/8.0", "J30"),
    "not-opposed": ("8.22", "8.1", "J30"),
    "not-friends": ("8.22", "8.12", "J30"),
    "leaderless": ("8.28", "J1", "J29", "J30"),
    "not-his-stack": ("8.21", "J1", "J30"),
    "not-in-province": ("8.23", "J30"),
    "attacked-already": ("8.25", "J27", "J29", "J30"),
    "same-target-twice": ("8.25", "J29"),
    "below-half": ("8.47", "J26", "J27"),
    "not-blue": ("8.3", "8.31", "J27"),
    "not-red": ("8.3", "8.31", "J27"),
    "not-adjacent": ("8.31", "8.32", "J27"),
    "no-effect": ("8.33", "8.31", "8.3", "J27"),
    "left-out": ("J30",),
    "fought": ("8.0", "17/8.0", "8.45", "J26", "J28", "J32"),
}


# What an order of the other Phase cites beside 17/4.2.
OUT_OF_PHASE: Mapping[type[m.Order], tuple[str, ...]] = {
    m.Assassinate: ("10.11", "17/10.0"),
    m.Restack: ("5.41",),
    m.Emigrate: ("13.31",),
    m.Exit: ("5.66",),
    m.Attack: ("8.21",),
    m.Subvert: ("8.21", "8.3"),
    m.Accept: ("15.33", "J5"),
}

# What an order that was simply carried out cites, by its kind.
CARRIED_OUT: Mapping[type[m.Order], tuple[str, ...]] = {
    m.Give: ("J5", "17/4.2", "15.33"),
    m.Accept: ("J5", "15.33"),
    m.RefuseGifts: ("J5",),
    m.Seize: ("13.26", "17/13.26", "J6"),
    m.Move: ("17/5.0", "5.13", "J7", "J10"),
    m.Attach: ("5.13", "J10"),
    m.Restack: ("7.1", "7.11", "J3"),
    m.Emigrate: ("13.31", "13.32", "J15"),
    m.Exit: ("5.66", "14.45", "J15"),
    m.Counterpurge: ("17/11.0", "J21"),
    m.Comply: ("13.54", "17/13.5", "J22"),
    m.RefuseExecution: ("13.54", "17/13.5", "J22"),
    m.Lose: ("8.44", "J31"),
    m.Take: ("8.46", "J31"),
    m.Vote: ("14.1", "J35"),
    m.Resign: ("14.21", "J37"),
}


_CARRIED_OUT = {kind: Reason("carried-out", rules) for kind, rules in CARRIED_OUT.items()}
_PLAIN = Reason("carried-out", ())


def as_ordered(order: m.Order, *more: str) -> Reason:
    """An order was carried out; by the rules of its kind, and more where it did what not every order may."""
    plain = _CARRIED_OUT.get(type(order), _PLAIN)
    return Reason(plain.code, (*plain.rules, *more)) if more else plain


def because(code: str, *more: str, **data: object) -> Reason:
    """A reason with the rules of its code first, then any that the circumstances add."""
    return Reason(code, (*REASONS[code], *more), data)
