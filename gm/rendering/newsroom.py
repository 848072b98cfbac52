"""Renderers of the Bell: an Issue through gm.reports to the documents that are stored and mailed, and a plain one."""

from __future__ import annotations

import json

import msgspec

from gm.campaign.ports import Attachment, BellDocument, Copy
from gm.gamedate import phase_name
from gm.notation import format_position
from gm.position import to_json
from gm.reports.build import build_view, for_reader, issue_map
from gm.reports.issue import Issue, Reader
from gm.reports.prose import standard_prose
from gm.reports.render.barometer_chart import barometer_png
from gm.reports.render.html import render_json, render_mail, render_mail_html, subject
from gm.reports.render.map_picture import map_png
from gm.reports.render.text import render_text
from gm.reports.view.corrections import errata
from gm.reports.view.model import BellView
from gm.reports.view.names import names_for


class Newsroom:
    def compose(self, issue: Issue) -> BellDocument:
        view = build_view(issue.board, issue)
        png, chart = self.pictures(issue, view)
        return BellDocument(
            subject=subject(view),
            headline=view.story.headline,
            text=render_text(view),
            html=render_mail_html(view),
            json=json.loads(render_json(issue, view)),
            png=png,
            chart=chart,
            wordings=view.wordings,
            view=view,
        )

    def pictures(self, issue: Issue, view: BellView) -> tuple[bytes | None, bytes | None]:
        """The map and the barometer: once a Phase, never a recipient."""
        return map_png(issue_map(issue)), barometer_png(view.course) if view.barometer else None

    def personal(self, issue: Issue, document: BellDocument, reader: Reader) -> Copy:
        assert isinstance(document.view, BellView)
        mail = render_mail(issue, for_reader(issue.board, issue, document.view, reader))
        text = mail.calendar if reader.player not in issue.outcome.after.quitters else None
        calendar = (Attachment("deadline.ics", "text/calendar", text),) if text else ()
        return Copy(mail.text, mail.html, calendar)


class PlainRenderer:
    def compose(self, issue: Issue) -> BellDocument:
        paper = issue.paper or "The Bell"
        before = issue.outcome.before
        when = phase_name(before.turn, before.phase.value)
        headline = issue.editorial.headline or when
        lines = [f"{paper} #{issue.number}: {issue.campaign}", headline, issue.editorial.lead, issue.editorial.column]
        lines += issue.errata
        lines += errata(names_for(issue.board, standard_prose(), issue.players, issue.outcome), issue.outcome)
        lines += [f"{d.text} ({d.reason})" for d in issue.decisions]
        if issue.deadline is not None:
            lines.append(f"Deadline: {issue.deadline:%Y-%m-%d %H:%M} UTC")
        lines += ["", format_position(issue.outcome.after), ""]
        for result in issue.outcome.results:
            lines.append(f"{result.player}{result.number} {result.status} {' '.join(result.rules)}")
        # Indented, so that nothing of it can be taken for a line of ours.
        said = [f"{press.dateline or press.author or ''}: {press.text}" for press in issue.press]
        lines += [f"  {line}" for text in said for line in text.splitlines()]
        fairness = issue.fairness
        lines += [f"{r.player} receipt {r.seal}" for r in fairness.receipts]
        lines += [f"secret {fairness.secret}", f"next commitment {fairness.next_commitment}"]
        lines += [f"board {fairness.board}"] if fairness.board else []
        if fairness.beacon_chain is not None and fairness.next_round is not None:
            chain = fairness.beacon_chain
            lines.append(f"next round {fairness.next_round} of {chain.name} key {chain.fingerprint}")
        if "randomness" in fairness.beacon:
            lines.append(f"round {fairness.beacon['round']} gave {fairness.beacon['randomness']}")
        lines += [f"sealed {fairness.beacon['digest']}"] if "digest" in fairness.beacon else []
        lines += [f"record {fairness.record}"] if fairness.record else []
        lines += [f"void {digest}" for _, digest in fairness.void]
        lines.append(f"seal of all issues before {fairness.chain}")
        text = "\n".join(lines).strip() + "\n"
        facts = {
            "number": issue.number,
            "position": to_json(issue.outcome.after),
            "rolls": msgspec.to_builtins(issue.outcome.rolls),
            "proof": {
                name: getattr(fairness, name)
                for name in (
                    "secret",
                    "next_commitment",
                    "chain",
                    "orders_digest",
                    "reading",
                    "dice",
                    "record",
                    "dice_name",
                )
            }
            | {"void": [{"text": text, "value": digest} for text, digest in fairness.void]},
        }
        return BellDocument(f"{paper} #{issue.number}: {headline}", headline, text, "", facts)

    def personal(self, issue: Issue, document: BellDocument, reader: Reader) -> Copy:
        return Copy(f"{document.text}seal of all issues with this one {reader.seal}\n")
