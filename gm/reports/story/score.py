"""Who leads, and who is at the end: told only when it changed in this Phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.board.model import Color, Piece
from gm.position import Phase, Player, Position
from gm.reports.story.memory import heads
from gm.reports.story.news import News, NewsContext, Tail
from gm.reports.view.model import Fact

LONG_HELD = 10  # issues: a lead held for so long is great news when it is lost
JUMP = 15  # points that a score must rise or fall to be told by itself


def score(context: NewsContext) -> Iterator[News]:
    """Changes at the top, great changes of one score, and last things; why a score changed the report tells."""
    outcome = context.outcome
    if outcome.before.turn < 1 or outcome.after.solitaire or outcome.after.phase is Phase.FINISHED:
        return
    for color in ("red", "white"):
        yield from _lead(context, color)
    yield from _jumps(context)
    yield from _eve(context)
    for player in outcome.after.active:
        yield from _last_things(context, player)


def _lead(context: NewsContext, color: str) -> Iterator[News]:
    """Who is first now and was not, or is no longer so alone."""
    points, old = {p: getattr(n, color) for p, n in context.outcome.points.items()}, context.war.points(color)
    led, now = tuple(p for p in heads(old) if p in points), heads(points)
    if not led or not now or led == now:
        return
    names = context.names
    data: dict[str, object] = {"who": names.whos(now), "other": names.whos(led), "points": points[now[0]]}
    data["side"] = context.word(f"color.{color}")
    facts = [*(Fact(f"heads_{color}", p, "", str(points[p])) for p in now), *(Fact(f"headed_{color}", p) for p in led)]
    kind, when = "lead_tie", tuple[str, ...]()
    if len(now) == 1:
        rest = {p: n for p, n in points.items() if p != now[0]}
        second = [p for p in sorted(rest) if rest[p] == max(rest.values())]
        data |= {"second": names.whos(second), "next": rest[second[0]] if second else 0}
        facts += [Fact(f"second_{color}", p, "", str(rest[p])) for p in second]
        kind = "lead_alone"
        if len(led) == 1:
            kind, when = "lead_change", () if second == list(led) else ("level" if led[0] in second else "third",)
            data["behind"] = points[led[0]]
            facts.append(Fact(f"led_{color}", led[0], "", str(points[led[0]])))
    rank = 118 + 6 * min(_held(context, color, led), LONG_HELD) + 40 * (context.outcome.after.turn == context.last_turn)
    yield News(kind, rank, "", data, when, tuple(facts), (), frozenset({f"score/{color}"}), must=True)


def _held(context: NewsContext, color: str, led: tuple[Player, ...]) -> int:
    """For how many issues in a row the lead was as it was until now."""
    found = 0
    while context.war.led(color, found) == led:
        found += 1
    return found


def _jumps(context: NewsContext) -> Iterator[News]:
    """Every score that changed very much since the last issue, with what it was and what it is."""
    changes, facts, most = [], [], 0
    for color in ("red", "white"):
        old = context.war.points(color)
        for player, points in sorted(context.outcome.points.items()):
            now = getattr(points, color)
            if player in old and abs(now - old[player]) >= JUMP:
                most = max(most, abs(now - old[player]))
                side = context.word(f"color.{color}")
                told = {"who": context.who(player), "side": side, "was": old[player], "now": now}
                changes.append(context.names.words.phrase("words", "score_change", **told))
                facts.append(Fact(f"score_{color}", player, str(old[player]), str(now)))
    if changes:
        data = {"changes": "; ".join(changes), "jump": JUMP}
        facts.append(Fact("jump", str(JUMP), "", str(len(changes))))
        yield News("score_jump", 100 + most, "", data, (), tuple(facts), may_lead=False, must=True)


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
