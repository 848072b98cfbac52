"""A Bell without art: the positions and the bare facts. Used where the real press fails again and again."""

from __future__ import annotations

from gm.campaign.ports import BellDocument, Copy
from gm.notation import format_position
from gm.orders.calendar import phase_name
from gm.position import to_json
from gm.reports.view_input import Issue, Reader


class PlainRenderer:
    def compose(self, issue: Issue) -> BellDocument:
        paper = issue.paper or "The Bell"
        before = issue.outcome.before
        when = phase_name(before.turn, before.phase.value)
        headline = issue.editorial.headline or when
        lines = [f"{paper} #{issue.number}: {issue.campaign}", headline, issue.editorial.lead]
        lines += issue.errata
        lines += [f"{d.text} ({d.reason})" for d in issue.decisions]
        if issue.deadline is not None:
            lines.append(f"Deadline: {issue.deadline:%Y-%m-%d %H:%M} UTC")
        lines += ["", format_position(issue.outcome.after), ""]
        for result in issue.outcome.results:
            lines.append(f"{result.player}{result.number} {result.status} {' '.join(result.rules)}")
        lines += [f"{press.dateline or press.author or ''}: {press.text}" for press in issue.press]
        fairness = issue.fairness
        lines += [f"{r.player} receipt {r.seal}" for r in fairness.receipts]
        lines += [f"secret {fairness.secret}", f"next commitment {fairness.next_commitment}"]
        lines.append(f"seal of all issues before {fairness.chain}")
        text = "\n".join(lines).strip() + "\n"
        facts = {"number": issue.number, "position": to_json(issue.outcome.after)}
        return BellDocument(f"{paper} #{issue.number}: {headline}", headline, text, "", facts)

    def personal(self, issue: Issue, document: BellDocument, reader: Reader) -> Copy:
        return Copy(document.text)
