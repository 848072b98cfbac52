"""The report of a rehearsal: its figures."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from gm.campaign.mailbox import outbox
from gm.campaign.reads import lookups, metrics
from gm.rehearsal.director import Director
from gm.rehearsal.invariants import EVERYTHING, Check
from gm.store.repositories import metrics as counts


@dataclass(frozen=True)
class Report:
    lines: tuple[tuple[str, str], ...]
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        return not any(check.wrong for check in self.checks)


def report(director: Director, checks: Sequence[Check], seconds: float, began: float) -> Report:
    return Report(tuple(_lines(director, seconds, began)), tuple(checks))


def _lines(director: Director, seconds: float, began: float) -> Iterator[tuple[str, str]]:
    services, tally, crew = director.services, director.tally, director.crew
    campaigns = sorted({campaign for campaign, _ in director.people})
    phases = [line for c in campaigns for line in lookups.history(services, c)]
    published = sum(line.state == "published" for line in phases)
    void = sum(line.state == "void" for line in phases)
    bells = sum(len(lookups.bells(services, c)) for c in campaigns)
    span = services.clock.now().timestamp() - began
    yield "campaigns", f"{len(campaigns)}, of {director.plan.players} players, {director.plan.turns} turns"
    yield "time", f"{span / 86400:.0f} days of a campaign's calendar in {timedelta(seconds=int(seconds))}"
    yield "Phases", f"{published} published, {void} void (an erratum, or the end); {bells} Bells"
    mails = Counter(mail.kind for mail in outbox.listing(services, None, None, EVERYTHING))
    yield "mails out", f"{sum(mails.values())} ({_counted(mails)})"
    yield "bytes out", f"{director.office.bytes / 1e6:.1f} MB"
    twice = sum(number - 1 for number in director.office.seen.values())
    yield "came twice", f"{twice} mails, with the same Message-ID"
    yield "what people did", _counted(tally.deeds)
    yield "inbox", _counted(Counter(metrics.figures_of(services).inbox))
    with services.store.read() as session:
        yield "orders", _counted(Counter(counts.submissions_by(session)))
    if tally.refusals:
        yield "refused to the Gamesmaster", _counted(tally.refusals)
    yield "workers killed", f"{crew.kills} (mail brought again {director.postman.retries} times)"
    if tally.dead_workers:
        yield "workers that died by themselves", str(tally.dead_workers)
    yield "receipt by mail", _times(tally.receipt_seconds)
    yield "receipt by web", _times(tally.web_seconds)
    with services.store.read() as session:
        yield "sealed to printed", _times(counts.printing_seconds(session))
    for kind, weights in crew.memory.items():
        if weights:
            quarter = max(1, len(weights) // 4)
            words = f"{statistics.median(weights[:quarter]):.0f} MB in the first quarter, "
            words += f"{statistics.median(weights[-quarter:]):.0f} MB in the last, {max(weights):.0f} MB at most"
            yield f"memory of a {kind}", words


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(found.items(), key=lambda i: (-i[1], i[0])))


def _times(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{statistics.median(ordered):.2f} s median, {late:.2f} s for 95 of 100, {ordered[-1]:.2f} s at most"
