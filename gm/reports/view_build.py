"""An Issue becomes a BellView: once for all readers, then the little that is each reader's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from gm.adjudicator import outcome as o
from gm.board.model import Board, Color
from gm.orders import model as m
from gm.position import Phase, Player
from gm.reports.barometer import Barometer
from gm.reports.headlines import Desk, announces
from gm.reports.map import alt_text
from gm.reports.map_view import MapView
from gm.reports.prose import Prose, standard_prose
from gm.reports.view import (
    BellView,
    Deadline,
    Item,
    Masthead,
    PressPiece,
    Proof,
    Reading,
    Seal,
    Standing,
    Story,
)
from gm.reports.view_events import attacks, sections
from gm.reports.view_input import Issue, Reader
from gm.reports.view_map import barometer_issue, leadership, map_view
from gm.reports.view_names import Names, clean, names_for
from gm.reports.view_positions import positions_of
from gm.reports.view_reasons import own_orders, public_orders


def build_view(board: Board, issue: Issue, prose: Prose | None = None) -> BellView:
    """The issue as everybody gets it."""
    names = names_for(board, prose or standard_prose(), issue.players, issue.outcome)
    outcome = issue.outcome
    desk = Desk(names, outcome, issue.number, issue.past[-1].wordings if issue.past else (), bool(issue.errata))
    story, stories, briefs = desk.front_page()
    masthead = _masthead(names.words, issue, issue.deadline, "UTC")
    won = next((e for e in outcome.events if isinstance(e, o.Won)), None)
    return BellView(
        masthead=masthead,
        story=_edited(names, issue, story),
        stories=stories,
        briefs=briefs,
        obituaries=desk.obituaries(),
        errata=tuple(clean(text) for text in issue.errata),
        standings=_standings(names, won),
        verdict=names.words.say("happened", f"victory.{won.color}", condition=won.condition) if won else "",
        positions=positions_of(names, outcome.before, outcome.after),
        sections=() if announces(outcome) else sections(names, outcome),
        attacks=attacks(names, outcome),
        rulings=tuple(_rulings(names, issue)),
        map_alt=alt_text(issue_map(issue, prose)),
        barometer=_barometer(names, issue),
        course=barometer_of(names, issue),
        press=tuple(_press(names, issue)),
        proof=_proof(names, issue),
        colophon=tuple(_colophon(names, issue, masthead)),
        orders=public_orders(names, outcome, issue.without_orders) if _had_orders(outcome) else (),
        own=None,
        digest=outcome.after.digest,
    )


def for_reader(board: Board, issue: Issue, view: BellView, reader: Reader, prose: Prose | None = None) -> BellView:
    """A reader's own copy: the deadline in his time zone and, for a player, his annotated orders."""
    names = names_for(board, prose or standard_prose(), issue.players, issue.outcome)
    own = None
    if reader.player is not None and _had_orders(issue.outcome):
        own = own_orders(names, issue.outcome, reader.player, issue.without_orders)
    if reader.deadline is None:
        return replace(view, own=own)
    masthead = _masthead(names.words, issue, reader.deadline, reader.zone)
    return replace(view, own=own, masthead=masthead, colophon=tuple(_colophon(names, issue, masthead)))


def _had_orders(outcome: o.Outcome) -> bool:
    return outcome.before.phase is not Phase.SETUP and not announces(outcome)


def issue_map(issue: Issue, prose: Prose | None = None, mine: Player | None = None) -> MapView:
    """The map of an issue, for SVG, PNG and alt text alike."""
    words = prose or standard_prose()
    return map_view(issue.outcome, paper_of(words, issue), game_date(words, issue.outcome), mine)


def paper_of(words: Prose, issue: Issue) -> str:
    return clean(issue.paper) or words.template("words", "paper")


def game_date(words: Prose, outcome: o.Outcome) -> str:
    """`June 1918 - Movement`; of an issue that reports no Phase, the one that opens."""
    before = outcome.before
    month, year = words.month(before.turn)
    opens = announces(outcome) and before.phase.value in words.packs["words"]["opens"]
    return words.say("words", f"{'opens' if opens else 'phase'}.{before.phase}", month=month, year=year)


def _masthead(words: Prose, issue: Issue, deadline: datetime | None, zone: str) -> Masthead:
    before = issue.outcome.before
    return Masthead(
        paper=paper_of(words, issue),
        motto=words.template("words", "motto"),
        number=issue.number,
        issue=words.say("labels", "issue", number=issue.number),
        campaign=clean(issue.campaign),
        turn=before.turn,
        phase=before.phase.value,
        game_date=game_date(words, issue.outcome),
        published=issue.published,
        published_text=words.day(issue.published),
        deadline=_deadline(words, issue, deadline, zone) if deadline else None,
    )


def _deadline(words: Prose, issue: Issue, local: datetime, zone: str) -> Deadline:
    after = issue.outcome.after
    month, year = words.month(after.turn)
    facts = {"weekday": words.weekday(local.date()), "day": words.day(local.date()), "time": f"{local:%H:%M}"}
    known = words.packs["words"]["due"]
    due = words.say("words", f"due.{after.phase}", month=month, year=year) if after.phase.value in known else ""
    return Deadline(
        at=local,
        text=words.say("labels", "deadline_text", **facts, zone=zone or f"{local:%Z}"),
        utc=_utc_text(words, local) if local.utcoffset() else "",
        what=due,
    )


def _utc_text(words: Prose, local: datetime) -> str:
    utc = local.astimezone(UTC)
    return words.say("labels", "deadline_utc", day=words.day(utc.date()), time=f"{utc:%H:%M}")


def _edited(names: Names, issue: Issue, story: Story) -> Story:
    """The Gamesmaster's words go first; what he leaves empty stays as it was made."""
    by = issue.editorial
    if not (by.headline or by.lead):
        return story
    byline = names.words.template("labels", "edited") if by.lead else ""
    lead = paragraphs(by.lead) or story.lead
    dateline = clean(by.dateline) if by.dateline or by.lead else story.dateline
    return replace(story, headline=clean(by.headline) or story.headline, lead=lead, dateline=dateline, byline=byline)


def _standings(names: Names, won: o.Won | None) -> tuple[Standing, ...]:
    """14.0: ranked by points; equals share a rank."""
    if won is None:
        return ()
    ranked = sorted(won.points.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(
        Standing(1 + sum(other > points for other in won.points.values()), player, names.title(player), points)
        for player, points in ranked
    )


def _rulings(names: Names, issue: Issue) -> Iterator[Item]:
    for decision in issue.decisions:
        text = names.words.say("labels", "rulings.decision", text=clean(decision.text), reason=clean(decision.reason))
        yield Item(text, decision.rules, "decision")
    for result in issue.outcome.results:
        if isinstance(result.order, m.Unread):
            text = names.words.say(
                "labels",
                "rulings.unread",
                order=f"{result.player}{result.number}",
                text=clean(result.order.source),
            )
            yield Item(text, result.rules, "unread")


def _barometer(names: Names, issue: Issue) -> tuple[Reading, ...]:
    outcome = issue.outcome
    last = issue.past[-1].points if issue.past else {}
    found = []
    for player in outcome.after.active:
        now = outcome.points.get(player, o.Points(0, 0))
        then = last.get(player, now)
        found.append(
            Reading(
                player=player,
                title=names.title(player),
                red_leadership=leadership(outcome.after, player, Color.RED),
                white_leadership=leadership(outcome.after, player, Color.WHITE),
                pm=outcome.after.box(player).pm,
                am=outcome.after.box(player).am,
                red_points=now.red,
                white_points=now.white,
                red_change=now.red - then.red,
                white_change=now.white - then.white,
            )
        )
    return tuple(found)


def barometer_of(names: Names, issue: Issue) -> Barometer:
    """What the chart draws: every issue so far and this one."""
    seen = [(p.number, p.position, p.points) for p in issue.past]
    seen.append((issue.number, issue.outcome.after, issue.outcome.points))
    return Barometer(
        players=issue.outcome.after.active,
        names={p: names.who(p) for p in issue.outcome.after.active},
        issues=tuple(barometer_issue(f"#{number}", position, points) for number, position, points in seen),
    )


def _press(names: Names, issue: Issue) -> Iterator[PressPiece]:
    for item in issue.press:
        text = paragraphs(item.text)
        if text:
            signature = names.title(item.author) if item.author else ""
            yield PressPiece(clean(item.dateline or ""), text, signature)


def paragraphs(text: str) -> str:
    """A person's words with their paragraphs, and nothing else of their form."""
    return "\n\n".join(filter(None, (clean(part) for part in re.split(r"\r?\n[ \t]*\r?\n", text))))


def _proof(names: Names, issue: Issue) -> Proof:
    known = issue.fairness
    label = names.words.packs["labels"]["fairness"]
    notes = [label["how"]] if known.secret or known.next_commitment else [label["none"]]
    return Proof(
        notes=tuple(notes),
        link=_link(known.check),
        next_commitment=known.next_commitment,
        commitment=known.commitment,
        secret=known.secret,
        orders_digest=known.orders_digest,
        chain=known.chain,
        seals=tuple(Seal(r.player, names.title(r.player), r.seal, r.salt, r.orders) for r in known.receipts),
    )


def _link(address: str) -> str:
    """An address that may stand behind a link; anything but a web address may not."""
    return address if re.fullmatch(r"https?://[^\s\"'<>]+", address) else ""


def _colophon(names: Names, issue: Issue, masthead: Masthead) -> Iterator[Item]:
    say, known = names.words.say, issue.colophon
    if masthead.deadline:
        yield Item(say("labels", "colophon.deadline", deadline=masthead.deadline.text), (), "deadline")
        key = "colophon.orders_to" if known.orders_to else "colophon.orders"
        yield Item(say("labels", key, address=clean(known.orders_to)), (), "orders")
    else:
        yield Item(say("labels", "no_deadline"), (), "deadline")
    absent = [names.title(p) for p, info in sorted(issue.players.items()) if not info.present]
    for key, found in (("absent", absent), ("standbys", [clean(s) for s in known.standbys])):
        if found:
            yield Item(say("labels", f"colophon.{key}", names=names.words.many(found)), (), key)
    if known.gamesmaster:
        key = "colophon.address" if known.address else "colophon.gamesmaster"
        yield Item(say("labels", key, name=clean(known.gamesmaster), address=clean(known.address)), (), "gamesmaster")
    for notice in known.notices:
        yield Item(clean(notice), (), "notice")
    if known.archive:
        yield Item(say("labels", "colophon.archive", address=clean(known.archive)), (), "archive", _link(known.archive))
    yield Item(say("labels", "colophon.made", paper=masthead.paper), (), "made")
