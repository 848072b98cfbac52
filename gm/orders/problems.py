"""What can be wrong with an order, as data. The words are in templates/orders/problems.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from gm.values import dataclass, plain


@plain
class Family(StrEnum):
    """Never mixed: a line that says nothing to us, an order against the rules, an order that came too late."""

    NOT_UNDERSTOOD = "not understood"
    NOT_ALLOWED = "not allowed"
    OVERTAKEN = "overtaken"  # only the adjudicator can know


@plain
class Severity(StrEnum):
    PROBLEM = "problem"  # will not be carried out as it stands
    WARNING = "warning"  # will perhaps come to less than it says
    NOTE = "note"  # good to know


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    family: Family
    line: int = 0  # of the sheet, from 1; 0 where no line is meant
    span: tuple[int, int] = (0, 0)  # columns of the offending words in `text`, from 0
    text: str = ""  # the order as written, in one line, without number or bullet
    words: str = ""  # the offending words
    rules: tuple[str, ...] = ()
    suggestion: str | None = None  # a whole line that would have worked, where there is one
    data: Mapping[str, object] = field(default_factory=dict)  # for the wording
    severity: Severity = Severity.PROBLEM
    order: int = 0  # number of the order (A3 is 3); 0 for none


# Every code that the parser or the checker can give, with the rules that it cites.
CODES: Mapping[str, tuple[str, ...]] = {
    # not understood
    "unknown-order": (),
    "verb-missing": (),
    "unknown-province": (),
    "unknown-piece": (),
    "unknown-leader": (),
    "unknown-player": (),
    "ambiguous-name": (),
    "not-a-leader": (),
    "not-imperial": (),
    "too-many-of-a-kind": (),
    "sign-missing": (),
    "clause-twice": (),
    "missing": (),
    "misspelt-word": (),
    "wrong-word": (),
    "superfluous": (),
    "unexpected": (),
    "unfinished": (),
    "dateline-without-quotes": (),
    "press-to-whom": (),
    "press-without-text": (),
    "guard-unread": (),
    "guard-late": (),
    # any order
    "guard-mismatch": ("17/4.2",),
    "filed-ahead": ("17/4.2",),
    "wrong-phase": ("17/4.2",),
    "game-over": ("14.1",),
    "quitter": ("14.22", "J37"),
    "contradiction": (),
    # trades
    "not-a-partner": ("J5",),
    "gives-nothing": ("J5",),
    "cannot-pay": ("J5",),
    "perhaps-cannot-pay": ("J5",),
    "other-cannot-pay": ("J5",),
    "leaders-only-before": ("15.33",),
    "leader-not-his": ("15.33", "J5"),
    "needs-mirror": ("J5",),
    "needs-accept": ("J5",),
    # Gold and Green units
    "no-gold": ("13.26", "J6"),
    "not-green": ("13.26", "J6"),
    "not-anothers": ("17/13.26", "J6"),
    "cannot-be-bought": ("13.27", "J6"),
    # forces
    "not-on-map": ("J10",),
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
    "held-by-another": ("13.14", "J12"),
    "guarded": ("13.12", "J12"),
    "not-in-force": ("J10",),
    "nothing-left-to-lead": ("5.22", "J10"),
    "left-behind": ("J1", "J10"),
    # steps
    "starts-elsewhere": ("5.24", "J8"),
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
    "route": ("J9",),
    "by-rail": ("5.52", "J9"),
    # stacking, leaving
    "stack-missing": ("J3",),
    "stacked-twice": ("J3",),
    "no-port": ("13.32",),
    "no-imperial": ("13.31", "J15"),
    "no-exit": ("5.66", "J15"),
    # assassination
    "no-markers": ("10.12", "J17"),
    "too-many-assassins": ("10.12", "J17"),
    "no-target": ("10.13", "J17"),
    "no-leader-left": ("10.13", "J16"),
    "own-leader": ("10.15",),
    # Purge and execution
    "one-purge-a-turn": ("J19", "11.13", "17/4.2"),
    "double-purge": ("11.13", "17/11.0", "J18"),
    "conditional": ("17/11.0", "J19"),
    "no-division": ("17/11.0", "11.23", "J19"),
    "division-stranger": ("11.23", "J20"),
    "more-than-held": ("17/11.0", "J18"),
    "too-few-markers": ("11.11", "J18"),
    "too-few-together": ("11.11", "J18"),
    "committee-member": ("11.14", "J18"),
    "no-such-object": ("11.0", "J18"),
    "not-purgeable": ("11.31",),
    "not-the-objects": ("11.21", "J20"),
    "too-few-for-execution": ("13.52", "J22"),
    "czar-not-red": ("13.53", "J22"),
    "not-the-czars-holder": ("13.54", "J22"),
    # combat
    "target-not-there": ("8.23", "J30"),
    "not-opposed": ("8.22", "8.1"),
    "not-friends": ("8.22", "J30"),
    "leaderless": ("8.28", "J29"),
    "not-his-stack": ("8.21", "J1"),
    "not-in-province": ("8.23", "J30"),
    "attacked-already": ("8.25", "J29"),
    "same-target-twice": ("8.25", "J29"),
    "below-half": ("8.47", "J26"),
    "odds": ("8.0", "J26"),
    "not-blue": ("8.3", "8.31"),
    "not-red": ("8.31",),
    "not-adjacent": ("8.31", "J27"),
    "not-his-to-lose": ("8.44", "J31"),
    "not-his-to-choose": ("8.46", "J31"),
    # the rest
    "resigning": ("14.2", "J37"),
}
