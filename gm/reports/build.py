"""Build the BellView of an Issue: once for all readers, then what is each reader's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from gm.adjudicator import outcome as o
from gm.adjudicator.steps.victory import in_contested, standings
from gm.board.model import Board, Color
from gm.gamedate import MONTHS
from gm.orders import kinds as m
from gm.position import Phase, Player
from gm.reports.fair_play import link_to, proof_of
from gm.reports.issue import Issue, Reader, StoryEdit
from gm.reports.map import alt_text
from gm.reports.map.model import MapView
from gm.reports.prose import Prose, standard_prose
from gm.reports.story.closing import closing
from gm.reports.story.headlines import HeadlineWriter, announces
from gm.reports.story.memory import War, record_of
from gm.reports.view.barometer import Barometer, BarometerIssue
from gm.reports.view.corrections import errata
from gm.reports.view.map import barometer_rows, leadership, map_view
from gm.reports.view.model import (
    ALMANAC,
    HOUSE,
    BellView,
    Closing,
    Item,
    Masthead,
    PressPiece,
    Reading,
    Standing,
    Story,
)
from gm.reports.view.names import DisplayNames, left_out, names_for
from gm.reports.view.positions import positions_of
from gm.reports.view.reasons import own_orders, printed, public_orders
from gm.reports.view.solitaire import how_it_ended
from gm.reports.view.what_happened import attacks, sections
from gm.reports.view.yours import deadline_of, standing, yours
from gm.wording import clean


def build_view(board: Board, issue: Issue, prose: Prose | None = None) -> BellView:
    """The issue as everybody gets it."""
    names = names_for(board, prose or standard_prose(), issue.players, issue.outcome)
    outcome = issue.outcome
    killed = [key for key, edit in issue.editorial.stories.items() if edit.killed]
    withdrawn = issue.void if issue.errata else None
    war, last = War(issue.past), issue.last_turn
    writer = HeadlineWriter(names, outcome, issue.number, war, erratum=withdrawn, killed=killed, last_turn=last)
    page = writer.front_page()
    story = _edited(names, issue, _rewritten(names, issue, page.story))
    masthead = _masthead(names.words, issue, issue.deadline, "UTC")
    won = next((e for e in outcome.events if isinstance(e, o.Won)), None)
    return BellView(
        masthead=masthead,
        story=story,
        stories=tuple(_rewritten(names, issue, story) for story in page.stories),
        briefs=tuple(_rewritten(names, issue, story) for story in page.briefs),
        obituaries=tuple(replace(o, text=text) for o in writer.obituaries() if (text := _own(issue, o.key, o.text))),
        errata=(*(clean(text) for text in issue.errata), *errata(names, outcome)),
        standings=_standings(names, won),
        verdict=_verdict(names, won, outcome) if won else how_it_ended(names, outcome) or _undecided(names, outcome),
        positions=positions_of(names, outcome),
        sections=() if announces(outcome) else sections(names, outcome),
        attacks=attacks(names, outcome),
        rulings=tuple(_rulings(names, issue)),
        map_alt=alt_text(issue_map(issue, prose)),
        barometer=() if outcome.after.solitaire else _barometer(names, issue),
        course=barometer_of(names, issue),
        press=tuple(_press(names, issue)),
        proof=proof_of(names, issue),
        colophon=tuple(_colophon(names, issue, masthead)),
        orders=public_orders(names, outcome, issue.without_orders) if _had_orders(outcome) else (),
        own=None,
        digest=outcome.after.digest,
        almanac=_own(issue, ALMANAC, _almanac(names, outcome)),
        column=_column(issue),
        closing=_closing(names, issue),
        record=record_of(board, outcome, masthead.game_date, story.headline, issue.past),
    )


def for_reader(board: Board, issue: Issue, view: BellView, reader: Reader, prose: Prose | None = None) -> BellView:
    """A reader's own copy: the deadline in their time zone and, for a player, the box with all that is their own."""
    names = names_for(board, prose or standard_prose(), issue.players, issue.outcome)
    player = reader.player if reader.player in issue.outcome.after.players else None
    masthead = _masthead(names.words, issue, reader.deadline, reader.zone) if reader.deadline else view.masthead
    colophon = tuple(_colophon(names, issue, masthead, player))
    if player in issue.outcome.after.quitters:
        masthead = replace(masthead, deadline=None)  # nothing is due of them
    view = replace(view, proof=replace(view.proof, seal=reader.seal), masthead=masthead, colophon=colophon)
    if player is None:
        return view
    own = None
    if _had_orders(issue.outcome):
        own = own_orders(names, issue.outcome, player, issue.without_orders)
    return replace(
        view,
        own=own,
        yours=(
            *standing(names, reader, issue.outcome.after),
            *yours(names, view, issue.outcome.after, player, reader.bargains),
        ),
        desk=link_to(issue.colophon.desk),
        own_alt=alt_text(issue_map(issue, prose, player)),
    )


def _had_orders(outcome: o.Outcome) -> bool:
    return outcome.before.phase is not Phase.SETUP and not announces(outcome)


def issue_map(issue: Issue, prose: Prose | None = None, mine: Player | None = None) -> MapView:
    """The map of an issue, for SVG, PNG and alt text alike."""
    words = prose or standard_prose()
    return map_view(issue.board, issue.outcome, paper_of(words, issue), game_date(words, issue.outcome), mine)


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
        issue=words.say("labels", "issue_tried" if issue.sample else "issue", number=issue.number),
        campaign=clean(issue.campaign),
        turn=before.turn,
        phase=before.phase.value,
        game_date=game_date(words, issue.outcome),
        published=issue.published,
        published_text=words.day(issue.published),
        deadline=deadline_of(words, issue.outcome.after, deadline, zone) if deadline else None,
    )


def _edited(names: DisplayNames, issue: Issue, story: Story) -> Story:
    """The Gamesmaster's words go first; what was left empty stays as it was made."""
    by = issue.editorial
    if not (by.headline or by.lead):
        return story
    byline = names.words.template("labels", "edited") if by.lead else ""
    lead = paragraphs(by.lead) or story.lead
    dateline = clean(by.dateline) if by.dateline or by.lead else story.dateline
    headline = clean(by.headline) or story.headline
    facts = () if by.lead else story.facts
    return replace(story, headline=headline, lead=lead, dateline=dateline, byline=byline or story.byline, facts=facts)


def _rewritten(names: DisplayNames, issue: Issue, story: Story) -> Story:
    """A story in the Gamesmaster's own words, where he gave it some; a brief has no headline."""
    edit = issue.editorial.stories.get(story.key)
    if edit is None or not (edit.headline or edit.text):
        return story
    if story.headline and edit.headline:
        story = replace(story, headline=clean(edit.headline))
    if edit.text:
        byline = names.words.template("labels", "edited")
        story = replace(story, lead=paragraphs(edit.text), byline=byline, facts=())
    return story


def _own(issue: Issue, key: str, made: str) -> str:
    """A small piece as the Gamesmaster wants it: left out, in his words, or as it was made."""
    edit = issue.editorial.stories.get(key, StoryEdit())
    return "" if edit.killed else (made and paragraphs(edit.text)) or made


def _column(issue: Issue) -> PressPiece | None:
    text = paragraphs(issue.editorial.column)
    return PressPiece("", text, clean(issue.colophon.gamesmaster)) if text else None


def _standings(names: DisplayNames, won: o.Won | None) -> tuple[Standing, ...]:
    """14.0: ranked by points; equals share a rank."""
    if won is None:
        return ()
    ranked = sorted(won.points.items(), key=lambda pair: (-pair[1], pair[0]))
    best = ranked[0][1] if ranked else 0
    return tuple(
        Standing(
            1 + sum(other > points for other in won.points.values()), player, names.title(player), points, points - best
        )
        for player, points in ranked
    )


def _undecided(names: DisplayNames, outcome: o.Outcome) -> str:
    """The standings of a war that ended before a colour had won: the points that either victory would have given."""
    if outcome.after.phase is not Phase.FINISHED or not outcome.points:
        return ""
    red = {player: points.red for player, points in outcome.points.items()}
    white = {player: points.white for player, points in outcome.points.items()}
    said = names.words.say("happened", "victory.none", red=_ranked(names, red), white=_ranked(names, white))
    month, year = names.words.month(outcome.after.turn)
    key = "victory.unplayed" if outcome.after.turn else "victory.unplayed_trades"
    return f"{said}{left_out(names, outcome)} {names.words.say('happened', key, month=month, year=year)}"


def _ranked(names: DisplayNames, points: Mapping[Player, int]) -> str:
    best_first = sorted(points, key=lambda player: (-points[player], player))
    return names.words.many(f"{names.title(player)} {points[player]}" for player in best_first)


def _verdict(names: DisplayNames, won: o.Won, outcome: o.Outcome) -> str:
    key = f"victory.{won.color}" if won.condition <= 3 else f"victory.{won.color}_house"  # 4 and 5: H2 and H3
    said = names.words.say("happened", key, condition=won.condition, rule=" ".join(won.rules[:1]))
    red, white = in_contested(names.board, outcome.after.stacks)
    tie = "_even" if won.condition == 5 and red == white else ""
    reason = names.words.say("closing", f"reason.{won.condition}{tie}", red=red, white=white)
    return f"{said} {reason}{_winner(names, won)}{left_out(names, outcome)}"


def _winner(names: DisplayNames, won: o.Won) -> str:
    """14.0: whoever has most points; equals share it."""
    best = max(won.points.values(), default=0)
    first = [names.title(player) for player, points in sorted(won.points.items()) if points == best]
    key = "winner" if len(first) == 1 else "winners"
    facts = {"who": names.words.many(first), "points": best}
    return " " + names.words.say("happened", f"victory.{key}", **facts) if first else ""


def _closing(names: DisplayNames, issue: Issue) -> Closing | None:
    """The look back, in the one issue that announces the end."""
    if not announces(issue.outcome) or issue.outcome.after.phase is not Phase.FINISHED or issue.outcome.after.solitaire:
        return None
    made = closing(names, issue)
    farewell = paragraphs(issue.editorial.farewell) or made.farewell
    return replace(made, farewell=farewell, maps=tuple(date for date, _ in issue.album))


def _rulings(names: DisplayNames, issue: Issue) -> Iterator[Item]:
    for decision in issue.decisions:
        text = names.words.say("labels", "rulings.decision", text=clean(decision.text), reason=clean(decision.reason))
        yield Item(text, decision.rules, "decision")
    for result in printed(issue.outcome):
        if isinstance(result.order, m.Unread):
            text = names.words.say(
                "labels",
                "rulings.unread",
                order=f"{result.player}{result.number}",
                text=clean(result.order.source),
            )
            yield Item(text, result.rules, "unread")


def _barometer(names: DisplayNames, issue: Issue) -> tuple[Reading, ...]:
    outcome = issue.outcome
    last = issue.past[-1].rows if issue.past else {}
    began = {} if outcome.before.phase is Phase.SETUP else standings(names.board, outcome.before)
    found = []
    for player in outcome.after.active:
        now = outcome.points.get(player, o.Points(0, 0))
        row = last.get(player)
        then = o.Points(row.if_red, row.if_white) if row is not None else began.get(player, now)
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


def barometer_of(names: DisplayNames, issue: Issue) -> Barometer:
    """What the chart draws: every issue so far and this one."""
    after = issue.outcome.after
    seen = [(p.number, p.rows) for p in issue.past]
    seen.append((issue.number, barometer_rows(after, issue.outcome.points)))
    return Barometer(
        players=after.active,
        names={p: names.who(p) for p in after.active},
        issues=tuple(BarometerIssue(f"#{number}", rows) for number, rows in seen),
    )


def _press(names: DisplayNames, issue: Issue) -> Iterator[PressPiece]:
    """What people wrote; where nobody did, and a war is on, a piece of the house, none of them twice."""
    written = [(item, text) for item in issue.press if (text := paragraphs(item.text))]
    for item, text in written:
        yield PressPiece(clean(item.dateline or ""), text, names.title(item.author) if item.author else "")
    pool = names.words.packs["house"]["press"]
    left = issue.number < len(pool)
    if not written and left and issue.outcome.before.turn and not issue.outcome.after.solitaire:
        piece = pool[issue.number]
        if text := _own(issue, HOUSE, piece["text"]):
            yield PressPiece(piece["dateline"], text, names.words.template("labels", "press_house"), HOUSE)


def _almanac(names: DisplayNames, outcome: o.Outcome) -> str:
    """In the issue on the Second Phase of a month: what happened in it outside the game."""
    if outcome.before.phase is not Phase.SECOND or announces(outcome):
        return ""
    month, year = names.words.month(outcome.before.turn)
    key = f"{year}-{MONTHS.index(month) + 1:02}"
    return str(names.words.packs["house"]["real"].get(key, ""))


def paragraphs(text: str) -> str:
    """A person's words with their paragraphs, and nothing else of their form."""
    return "\n\n".join(filter(None, (clean(part) for part in re.split(r"\r?\n[ \t]*\r?\n", text))))


def _colophon(names: DisplayNames, issue: Issue, masthead: Masthead, player: Player | None = None) -> Iterator[Item]:
    """`player`: whose copy it is."""
    say, known = names.words.say, issue.colophon
    if masthead.deadline:
        left = player in issue.outcome.after.quitters
        key = f"colophon.deadline{'_left' if left else ''}"
        yield Item(say("labels", key, deadline=masthead.deadline.text), (), "deadline")
        if not left:
            yield Item(say("labels", f"colophon.{'orders' if player else 'orders_public'}"), (), "orders")
    elif not issue.sample:
        more = issue.outcome.after.phase in (Phase.PREGAME, Phase.FIRST, Phase.SECOND)
        yield Item(say("labels", "no_hurry" if more else "no_deadline"), (), "deadline")
    if issue.last_turn and issue.outcome.after.phase is not Phase.FINISHED:
        month, year = names.words.month(issue.last_turn)
        yield Item(say("labels", "colophon.last_turn", month=month, year=year), (), "last_turn")
    absent = [names.title(p) for p, info in sorted(issue.players.items()) if not info.present]
    played = [f"{names.title(p)} ({style})" if style else names.title(p) for p, style in sorted(issue.standins.items())]
    standbys = [clean(s) for s in known.standbys]
    for key, found in (("absent", absent), ("standins", played), ("standbys", standbys)):
        if found:
            yield Item(say("labels", f"colophon.{key}", names=names.words.many(found)), (), key)
    for news in (n for n in known.seats if n.player != player):  # who it is about knows
        days = {name: f"{day:%d %B %Y}".lstrip("0") for name in ("starts", "ends") if (day := getattr(news, name))}
        facts = {"who": names.title(news.player), "before": clean(news.before), **days}
        yield Item(say("labels", f"colophon.{news.kind}", **facts), (), "seat")
    if known.gamesmaster:
        key = "colophon.letter" if player and player != known.gm_letter else "colophon.gamesmaster"
        yield Item(say("labels", key, name=clean(known.gamesmaster)), (), "gamesmaster")
    for notice in known.notices:
        yield Item(clean(notice), (), "notice")
    if known.archive:
        yield Item(
            say("labels", "colophon.archive", address=clean(known.archive)), (), "archive", link_to(known.archive)
        )
    if player:
        yield Item(say("labels", "colophon.numbers"), (), "numbers")
    yield Item(say("labels", "colophon.made", paper=masthead.paper), (), "made")
