"""Who leads, why, and who is at the end: told only when it changed in this Phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby

from gm.adjudicator import outcome as o
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.steps.victory import standings
from gm.board.model import Color, Piece
from gm.position import Phase, Player, Position
from gm.reports.story.memory import first
from gm.reports.story.news import News, NewsContext, Tail
from gm.reports.view.model import Fact


def score(context: NewsContext) -> Iterator[News]:
    """Who leads, and who is at the end: told only when it changed in this Phase."""
    outcome = context.outcome
    if outcome.before.turn < 1 or outcome.after.solitaire or outcome.after.phase is Phase.FINISHED:
        return
    for color in ("red", "white"):
        old, points = context.war.leader(color), {p: getattr(n, color) for p, n in outcome.points.items()}
        new = first(points)
        if old and new and old != new and old in points:
            data = {"who": context.who(new), "other": context.who(old), "points": points[new], "behind": points[old]}
            data["side"] = context.word(f"color.{color}")
            led = context.war.led(color, new)
            score: tuple[Fact, ...] = (
                Fact(f"leads_{color}", new, "", str(points[new])),
                Fact(f"led_{color}", old, "", str(points[old])),
                Fact("led_before" if led else "never_led", new, "", color),
            )
            when: tuple[str, ...] = ("back",) if led else ("first",)
            rest = {p: n for p, n in points.items() if p != new}
            second = [p for p in sorted(rest) if rest[p] == max(rest.values())]
            if old not in second:  # else a reader would take the old leader for the runner-up
                when = ("third",)
                data |= {"second": context.names.whos(second), "next": rest[second[0]]}
                score += tuple(Fact(f"second_{color}", p, "", str(rest[p])) for p in second)
            why = tuple(_why(context, color, new, old))
            if lost := next((tail.data["parts"] for tail in why if tail.key == "score_lost"), None):
                data["parts"] = lost
                score += next(tail.facts for tail in why if tail.key == "score_lost")
                when = (*when, "cost")
            yield News("lead_change", 112, "", data, when, score, why, frozenset({"score"}))
    yield from _eve(context)
    for player in outcome.after.active:
        yield from _last_things(context, player)


def _last_things(context: NewsContext, player: Player) -> Iterator[News]:
    """A player's last Leader, the end of his Leaders, of those of one colour, of all that he had on the map."""
    outcome = context.outcome
    had, left = ([p for s in x.owned(player) for p in s.leaders] for x in (outcome.before, outcome.after))
    topics = frozenset({f"last/{player}"})
    if _stands(outcome.before, player) and not _stands(outcome.after, player):
        became, told = _gone(context, had)
        tails = (Tail("gone", {"gone": told}, became),) if had else ()
        yield News("no_piece", 150, "", {"who": context.who(player)}, (), (Fact("no_piece", player),), tails, topics)
    elif len(had) > 1 and len(left) == 1:
        data = {"who": context.who(player), **context.leader(left[0])}
        place = outcome.after.where[left[0]].province
        facts = (Fact("last_leader", player, "", left[0].bell), Fact("there", left[0].bell, place))
        yield News("last_leader", 105, place, data, (), facts, (), topics)
    elif had and not left:
        yield _no_leader(context, player)
    for color in (Color.RED, Color.WHITE):
        gone = [p for p in had if p.color is color]
        if gone and left and all(p.color is not color for p in left):
            became, told = _gone(context, gone)
            data = {"who": context.who(player), "color": context.word(f"color.{color}"), "gone": told}
            none = Fact("no_color", player, "", str(color))
            topics = frozenset({f"last/{player}/{color}"})
            yield News("no_color", 127, "", data, (), (none, *became), (), topics, False)


def _stands(position: Position, player: Player) -> bool:
    """Whether a player has anybody on the map."""
    return any(not p.is_imperial for s in position.owned(player) for p in s.pieces)


# Abandoned units and the Markers that a fallen leader of the Revolution costs belong to what came before them.
CAUSES: tuple[tuple[str, tuple[type[o.Event], ...]], ...] = (
    ("trade", (o.Traded,)),
    ("march", (o.Seized, o.Moved, o.Stacked)),
    ("abroad", (o.Left,)),
    ("murder", (o.AssassinationTried,)),
    ("purge", (o.PurgeRolled, o.PurgeSpoils)),
    ("czar", (o.ExecutionOrdered, o.ExecutionAnswered)),
    ("fever", (o.EpidemicStruck,)),
    ("draw", (o.ChitDrawn,)),
    ("depots", (o.Replaced,)),
)


def cause_of(event: o.Event, before: str) -> str:
    """What an event is put down to; `before`: what the last one was."""
    if isinstance(event, o.Abandoned | o.RevolutionShaken):
        return before
    if isinstance(event, o.Fought):
        return "agitation" if event.subversion else "field"
    return next((name for name, kinds in CAUSES if isinstance(event, kinds)), "")


def ledger(context: NewsContext, color: str) -> dict[Player, Counter[str]]:
    """By what each player's points for a victory of a colour rose and fell in this Phase."""
    board, position = context.names.board, context.outcome.before
    found: dict[Player, Counter[str]] = {}
    causes = list(accumulate(context.outcome.events, lambda last, event: cause_of(event, last), initial=""))[1:]
    for cause, group in groupby(zip(causes, context.outcome.events, strict=True), key=lambda pair: pair[0]):
        had, position = standings(board, position), replay(board, position, [event for _, event in group])
        for player, points in standings(board, position).items():
            if player in had:
                change = getattr(points, color) - getattr(had[player], color)
                found.setdefault(player, Counter())[cause] += change
    return found


def _why(context: NewsContext, color: str, new: Player, old: Player) -> Iterator[Tail]:
    """What the one who led lost, and the other gained, each thing without which the lead would not have changed."""
    changes = ledger(context, color)
    points = {p: getattr(n, color) for p, n in context.outcome.points.items()}
    for key, player, sign in (("score_lost", old, -1), ("score_gained", new, 1)):
        mine = changes.get(player, Counter())
        ahead = points[new] - (points[old] if sign < 0 else max(n for p, n in points.items() if p != new))
        by = {cause: sign * n for cause, n in mine.items() if cause and sign * n >= ahead}
        net = sign * sum(mine.values())
        if net <= 0:  # all in all it went the other way
            continue
        first = sorted(by, key=lambda cause: (-by[cause], cause))[:2]
        if first:
            say = context.names.words.phrase
            side = context.word(f"color.{color}")
            parts = [
                say("words", f"score.{c}", n=say("words", "points" if i else "points_of", n=by[c], side=side))
                for i, c in enumerate(first)
            ]
            facts = tuple(Fact(f"score_{color}", player, cause, str(sign * by[cause])) for cause in first)
            told = context.names.words.many(parts)
            if sum(by[c] for c in first) != net:  # other things added to it, or took away from it
                told = say("words", "score_net", parts=told, net=net)
                facts += (Fact(f"net_{color}", player, "", str(sign * net)),)
            yield Tail(key, {"who": context.who(player), "parts": told}, facts)


def _no_leader(context: NewsContext, player: Player) -> News:
    """With what became of those whom the player had when the Phase began."""
    facts, told = _gone(context, [p for s in context.outcome.before.owned(player) for p in s.leaders])
    data = {"who": context.who(player), "gone": told}
    facts = (Fact("no_leader", player), *facts)
    return News("no_leader", 125, "", data, (), facts, (), frozenset({f"last/{player}"}))


def _gone(context: NewsContext, leaders: Iterable[Piece]) -> tuple[tuple[Fact, ...], str]:
    """What became of Leaders, each by himself."""
    after, say = context.outcome.after.where, context.names.words.phrase
    facts, gone = [], []
    for leader in leaders:
        now = after[leader].owner if leader in after else None
        key = "gone.dead" if leader not in after else "gone.to" if now else "gone.nobody"
        gone.append(say("words", key, leader=context.names.leader(leader), who=context.who(now)))
        facts.append(Fact("dead", leader.bell) if leader not in after else Fact("changed", leader.bell, "", now or ""))
    return tuple(facts), context.names.words.many(gone)


def _eve(context: NewsContext) -> Iterator[News]:
    """14.1: one Red Leader, or one White unit, left outside Siberia; and there were more before."""

    def left(position: Position, color: Color, leaders: bool) -> list[Piece]:
        regions = context.names.board.provinces
        return [
            p
            for s in position.stacks
            if regions[s.province].region != "Siberia"
            for p in (s.leaders if leaders else s.units)
            if p.color is color
        ]

    for kind, color, leaders in (("eve_white", Color.RED, True), ("eve_red", Color.WHITE, False)):
        now, before = (left(p, color, leaders) for p in (context.outcome.after, context.outcome.before))
        if len(now) == 1 and len(before) > 1:
            data = {"what": context.names.told(now), "name": now[0].name}
            place = context.outcome.after.where[now[0]].province
            yield News(kind, 260, place, data, (), (Fact(kind, now[0].bell, place),), (), frozenset({"eve"}))
