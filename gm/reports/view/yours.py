"""The box that opens a player's own copy: orders, gains and losses, points, enemies, what may be done next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from gm.adjudicator.outcome import Status
from gm.board.model import Board
from gm.orders.kinds import Purge
from gm.orders.rules.odds import Prospect, apart, brought, odds, opposed, subversions
from gm.orders.rules.quorums import PURGE_QUORUM
from gm.orders.rules.shorter import does_without
from gm.position import Phase, Player, Position, Stack
from gm.reports.issue import Reader
from gm.reports.prose import Prose, standard_prose
from gm.reports.view.model import BellView, Cause, Deadline, Item
from gm.reports.view.names import DisplayNames
from gm.reports.view.positions import listed, without
from gm.wording import joined

FRONTS = 5  # provinces with enemies that are told
FOES = 4  # stacks of theirs in one of them
PLOTS = 5  # chances to subvert that are told with their odds; of any more only the place
EXPOSED_AT = 2  # a Leader is exposed where enemies can attack at these odds or better


def yours(
    names: DisplayNames, view: BellView, after: Position, player: Player, bargains: bool = True
) -> tuple[Item, ...]:
    """From the printed issue and the positions that it leads to, so that a page made later says the same."""
    found = [*_orders(names, view, player), *_fights(names, view, after, player), *_changes(names, view, player)]
    found += _points(names, view, after, player)
    if place := next((s for s in view.standings if s.player == player), None):
        facts = {"rank": _nth(names, place.rank), "points": place.points}
        found.append(_item(names, "ended", **facts))
    if player in after.quitters:
        over = after.phase is Phase.FINISHED  # the standings say it
        return (*found, *(() if over else (_item(names, "left"),)))
    if after.phase is Phase.PREGAME and bargains:
        found.append(_item(names, "next", what=names.words.template("labels", "yours.can_pregame")))
    if after.phase in (Phase.FIRST, Phase.SECOND):
        found += [*_fronts(names, after, player), *_plots(names, after, player)]
        found += _next(names, after, player, bargains)
    return tuple(found)


def for_player(board: Board, view: BellView, after: Position, reader: Reader) -> BellView:
    """A printed issue as a page for a player who is signed in: with a box of their own, on their own clock."""
    words, player = standard_prose(), reader.player
    if player is None:
        return view
    if player in after.quitters:
        view = replace(view, masthead=replace(view.masthead, deadline=None))
    elif reader.deadline:
        deadline = deadline_of(words, after, reader.deadline, reader.zone)
        view = replace(view, masthead=replace(view.masthead, deadline=deadline))
    own = next((found for found in view.orders if found.player == player), None)
    box = yours(DisplayNames(board, words, {}, {}), view, after, player, reader.bargains)
    return replace(view, own=own, yours=box)


def standing(names: DisplayNames, reader: Reader, after: Position) -> Iterator[Item]:
    """What stands of a player's orders where a Phase is played again."""
    if reader.player in after.quitters:
        return
    if reader.kept:
        ready = f" {names.words.template('labels', 'yours.kept_ready')}" if reader.early else ""
        yield Item(f"{names.words.template('labels', 'yours.kept')}{ready}", (), "kept")
    if reader.kept is False:
        yield _item(names, "kept_none")


def _item(names: DisplayNames, key: str, **facts: object) -> Item:
    return Item(names.words.say("labels", f"yours.{key}", **facts), (), key)


def _orders(names: DisplayNames, view: BellView, player: Player) -> Iterator[Item]:
    # A vote, or what waits for an occasion, or waited for it in vain.
    waiting = {names.words.template("words", f"status.{key}") for key in ("on_file", "counted", "not_needed")}
    found = next((found.orders for found in view.orders if found.player == player), ())
    results = [r for r in found if r.status_text not in waiting]
    bad = [f"{player}{r.number}" for r in results if r.status != Status.DONE]
    if not bad or len(results) == 1:  # the list in the same box says as much
        return
    done = len(results) - len(bad)
    how = "none" if not done else "one" if done == 1 else "some"
    yield _item(names, f"orders_{how}", number=len(results), done=done, bad=names.words.many(bad))


def _fights(names: DisplayNames, view: BellView, after: Position, player: Player) -> Iterator[Item]:
    """How each attack of the player's went, and what came into the box by any."""
    mine = [row for row in view.attacks if row.player == player and row.die is not None]
    if mine:
        facts = [{"place": r.name, "odds": r.odds, "die": r.die, "result": r.note or r.result} for r in mine]
        yield _item(names, "fights", fights="; ".join(names.words.phrase("labels", "yours.fight", **f) for f in facts))
    boxed = [loss.piece for row in view.attacks for loss in row.eliminated if loss.box == player]
    if boxed:
        kept = {held.piece.bell for held in after.box(player).held}
        gone = listed(Counter(bell for bell in boxed if bell not in kept))
        told = [bell for bell in boxed if bell in kept]
        told += [names.words.phrase("labels", "yours.box_left", piece=bell) for bell in gone]
        yield _item(names, "boxed", pieces=names.words.many(told))


def _changes(names: DisplayNames, view: BellView, player: Player) -> Iterator[Item]:
    holding = next((h for h in view.positions.holdings if h.player == player), None)
    if holding is None:
        return
    yield from _caused(names, holding.causes)
    lost = without(holding.lost, holding.given_up)
    net = () if holding.causes else (("gained", holding.gained), ("lost", lost))  # an issue of before says no more
    for key, found in (*net, ("given_up", holding.given_up)):
        if found:
            came = without(found, holding.lost) if key == "given_up" else ()
            yield _item(names, key, pieces=names.words.many(_came(names, item, came) for item in found))


def _caused(names: DisplayNames, causes: Sequence[Cause]) -> Iterator[Item]:
    """What came, and what went: `Lost to epidemics: RU3 OLON (Olonetz) and RU8 TVER (Novgorod).` A sentence a way."""
    ways: dict[tuple[bool, str, Player | None, str], list[Cause]] = {}
    for cause in causes:
        ways.setdefault((cause.gained, cause.how, cause.player, cause.who), []).append(cause)
    for kind, gains in (("drew", None), ("gained", True), ("lost", False)):
        said = [_way(names, found) for found in ways.values() if _came_or_went(found[0]) is gains]
        if said:
            yield Item(" ".join(said), (), kind)


def _came_or_went(cause: Cause) -> bool | None:
    """None: neither, for what was drawn was nothing to keep."""
    return cause.gained if cause.what else None


def _way(names: DisplayNames, found: Sequence[Cause]) -> str:
    """All that came or went in one way: pieces by places, then Control Markers, which go with them, and the rest."""
    placed = [cause for cause in found if cause.place]
    parts = []
    for cause in placed:
        what = names.words.many(_called(names, item) for item in cause.what)
        parts.append(names.words.phrase("labels", "yours.placed", what=what, place=cause.place))
    items = sorted((i for cause in found if not cause.place for i in cause.what), key=lambda i: not _is_control(i))
    parts += [_called(names, item) for item in items]
    pieces = names.words.many(parts) if all(len(cause.what) == 1 for cause in placed) else "; ".join(parts)
    key = f"yours.{'got' if found[0].gained else 'went'}.{found[0].how}"
    return names.words.say("labels", key, pieces=pieces, who=found[0].who)


def _came(names: DisplayNames, item: str, came: Sequence[str]) -> str:
    """What was given up, with how many of them came in the same Phase: the reader knows what they had before."""
    called = _called(names, item)
    left = without((item,), came)
    if (item,) == left:
        return called
    number = without((item,), left)[0].partition(" ")[0] if left else ""
    return names.words.phrase("labels", "yours.came" if left else "yours.came_all", what=called, number=number)


def _called(names: DisplayNames, item: str) -> str:
    """A Control Marker by its nation's name, the rest in Bell notation."""
    return names.chit(item) if _is_control(item) else item


def _is_control(item: str) -> bool:
    return item.endswith(" control")


def _points(names: DisplayNames, view: BellView, after: Position, player: Player) -> Iterator[Item]:
    """Points and rank for either victory, with the change since the last issue as the barometer has it."""
    reading = next((r for r in view.barometer if r.player == player), None)
    if reading is None or after.phase is Phase.FINISHED:
        return
    rows = view.course.issues[-2].rows if len(view.course.issues) > 1 else {}
    parts = []
    for color in ("red", "white"):
        points = {r.player: int(getattr(r, f"{color}_points")) for r in view.barometer}
        before = {p: int(getattr(row, f"if_{color}")) for p, row in rows.items()}
        facts: dict[str, object] = {
            "side": names.words.template("words", f"color.{color}"),
            "points": points[player],
            "change": f" ({change:+})" if before and (change := int(getattr(reading, f"{color}_change"))) else "",
            "rank": _standing(names, points, player),
        }
        moved = _rank(before, player) - _rank(points, player) if player in before else 0
        key = "points_up" if moved > 0 else "points_down" if moved < 0 else "points"
        parts.append(
            names.words.phrase("labels", f"yours.{key}", **facts, was=_nth(names, _rank(points, player) + moved))
        )
    yield _item(names, "score", parts="; ".join(parts))


def _rank(points: Mapping[Player, int], player: Player) -> int:
    return 1 + sum(other > points.get(player, 0) for other in points.values())


def _standing(names: DisplayNames, points: Mapping[Player, int], player: Player) -> str:
    """The rank, and with whom it is shared."""
    rank = _nth(names, _rank(points, player))
    level = [p for p in points if p != player and points[p] == points[player]]
    if not level:
        return rank
    key = "level_all" if len(level) > 1 and len(level) == len(points) - 1 else "level"
    who = names.words.many(names.words.phrase("labels", "yours.foe_named", player=p) for p in level)
    return names.words.phrase("labels", f"yours.{key}", rank=rank, who=who)


def _nth(names: DisplayNames, number: int) -> str:
    known = names.words.packs["words"]["ordinals"]
    return str(known[number]) if 0 < number < len(known) else str(number)


def _fronts(names: DisplayNames, after: Position, player: Player) -> Iterator[Item]:
    """Provinces in which enemies stand beside the player's own forces, and Leaders in danger there."""
    told, exposed = 0, []
    for province in dict.fromkeys(s.province for s in after.owned(player)):
        there = after.at(province)
        armed = [s for s in there if s.owner == player and s.strength]
        enemies = [s for s in there if s.owner != player and any(opposed(s, own) for own in armed)]
        mine = [own for own in armed if any(opposed(own, s) for s in enemies)]
        if not enemies:
            continue
        against = {id(own): _against(after, own, enemies) for own in mine}
        exposed += [
            names.leader(leader)
            for own in mine
            for leader in own.leaders
            if against[id(own)] >= EXPOSED_AT * max(own.strength, 1)
        ]
        if told < FRONTS:
            yield _front(names, after, province, mine, enemies)
        told += 1
    if told > FRONTS:
        yield _item(names, "more_fronts", number=told - FRONTS)
    if exposed:
        yield _item(names, "exposed", leaders=names.words.many(exposed))


def _plots(names: DisplayNames, after: Position, player: Player) -> Iterator[Item]:
    """The best chances to subvert, target by target: those at even odds or better with all who could take part (8.3);
    of the others where they are, so that no chance is left out."""
    if after.phase is not Phase.SECOND:
        return
    found = [p for _, p in subversions(names.board, after, player, after.owned(player), after.stacks) if p.defender]
    found.sort(key=lambda p: -p.attack / p.defence)
    told = [p for p in found if p.attack >= p.defence][:PLOTS]
    for plot in told:
        yield _plot(names, after, plot)
    places = {p.province for p in found} - {p.province for p in told}
    if places:
        listed_places = names.words.many(sorted(names.place(code) for code in places))
        yield _item(names, "more_subvert", places=listed_places)


def _plot(names: DisplayNames, after: Position, plot: Prospect) -> Item:
    """One target: whose forces could subvert it, at which odds together and each by itself."""
    assert plot.defender is not None
    phrase, many = names.words.phrase, names.words.many
    doubled = after.subversion_doubled
    parts = [
        phrase("labels", "yours.subvert_from", strength=str(s.strength), own=names.place(s.province))
        for s in plot.stacks
    ]
    singly = [odds(s.strength * (2 if doubled else 1), plot.defence) for s in plot.stacks]
    at = plot.odds or ""
    if len(singly) > 1 and all(singly):
        key = "yours.subvert_each" if len(set(singly)) == 1 else "yours.subvert_together"
        each = singly[:1] if len(set(singly)) == 1 else singly
        at = phrase("labels", key, odds=at, each=many(each for each in each if each))
    facts = {"place": names.place(plot.province), "mine": many(parts), "foe": _foe(names, after, plot.defender)}
    return _item(names, "subvert_doubled" if doubled else "subvert", odds=at, **facts)


def _against(after: Position, own: Stack, enemies: Sequence[Stack]) -> int:
    """What the strongest single player could bring against a stack. Troops of nobody attack nobody."""
    return max((brought([s for s in enemies if s.owner == owner], own) for owner in _able(after, enemies)), default=0)


def _able(after: Position, enemies: Sequence[Stack]) -> list[Player]:
    """Whose stacks may attack: not those of nobody, nor of who has left the game (J37)."""
    owners = dict.fromkeys(stack.owner for stack in enemies)
    return [owner for owner in owners if owner is not None and owner not in after.quitters]


def _front(
    names: DisplayNames, after: Position, province: str, mine: Sequence[Stack], enemies: Sequence[Stack]
) -> Item:
    """The best odds for an attack either way: all that can fight together against one stack."""
    ours = [(foe, _best([(brought(mine, foe), foe.strength)])) for foe in enemies]
    out = _best((brought(mine, foe), foe.strength) for foe in enemies)
    owners = _able(after, enemies)
    theirs = {o: [(brought([s for s in enemies if s.owner == o], own), own.strength) for own in mine] for o in owners}
    back = _best(attack for attacks in theirs.values() for attack in attacks)
    phrase, template = names.words.phrase, names.words.template
    more = template("labels", "yours.more_foes") if len(enemies) > FOES else ""
    red, others = apart(mine)
    facts: dict[str, object] = {
        "place": names.place(province),
        "mine": phrase("labels", "yours.both", red=red, others=others) if red and others else red or others,
        "foes": "; ".join(_foe(names, after, s) for s in enemies[:FOES]) + more,
        "out": phrase("labels", "yours.out", odds=out) if out else template("labels", "yours.out_none"),
        "back": template("labels", "yours.back_none" if any(s.owner for s in enemies) else "yours.back_nobody"),
    }
    weakest = list(dict.fromkeys(_called_foe(names, foe) for foe, at in ours if at == out))
    if out and 0 < len([foe for foe, at in ours if at == out]) < len(enemies):
        at = phrase("labels", "yours.at_which", odds=out, foes=joined(weakest, names.words.template("words", "or")))
        facts["out"] = phrase("labels", "yours.out", odds=at)
    if back and len({stack.owner for stack in enemies}) > 1:
        able = [phrase("labels", "yours.foe_named", player=owner) for owner in owners if _best(theirs[owner]) == back]
        facts["back"] = phrase("labels", "yours.back_named", who=names.words.many(able), odds=back)
    elif back:
        facts["back"] = phrase("labels", "yours.back", odds=back)
    return Item(_item(names, "front_first" if after.phase is Phase.FIRST else "front", **facts).text, (), "front")


def _best(attacks: Iterable[tuple[int, int]]) -> str | None:
    """The best odds of several attacks, each by its strengths."""
    able = [(attack, defence) for attack, defence in attacks if attack and defence]
    return odds(*max(able, key=lambda a: a[0] / a[1])) if able else None


def _foe(names: DisplayNames, after: Position, stack: Stack) -> str:
    """A stack by its greatest Leader, or all its units; with its strength where the notation does not say it."""
    shape = "alone" if len(stack.pieces) == 1 else "stack"
    if not stack.leaders:
        shape = "one" if len(stack.pieces) == 1 else "together"
    what = _called_foe(names, stack)
    said = names.words.phrase("labels", f"yours.foe_{shape}", what=what, strength=stack.strength)
    if stack.owner is None:
        return said
    key = "yours.foe_left" if stack.owner in after.quitters else "yours.foe"
    return names.words.phrase("labels", key, what=said, player=stack.owner)


def _called_foe(names: DisplayNames, stack: Stack) -> str:
    """The same in the fewest words: `Dieterichs' stack`, `3 BU6 VLAD/JA`."""
    if not stack.leaders:
        return names.words.many(listed(Counter(piece.bell for piece in stack.pieces)))
    name = max(stack.leaders, key=lambda p: p.value).name  # as in the stories
    if len(stack.pieces) == 1:
        return name
    return names.words.phrase("labels", f"yours.stack_of{'_s' if name.endswith('s') else ''}", leader=name)


def _next(names: DisplayNames, after: Position, player: Player, bargains: bool) -> Iterator[Item]:
    box = after.box(player)
    force = [p for s in after.owned(player) for p in s.pieces if not p.is_imperial]
    can = [names.words.template("labels", f"yours.can_{after.phase}")] if force else []
    if (box.pm or box.am) and bargains and not after.solitaire:
        can.insert(0, names.words.template("labels", "yours.can_trade"))  # the first step of either (17/4.2)
    plots = after.phase is Phase.SECOND and any(
        subversions(names.board, after, player, after.owned(player), after.stacks)
    )
    if plots:
        can.append(names.words.template("labels", "yours.can_subvert"))
    purges = not does_without(names.board, after, Purge)
    if box.pm >= (1 if bargains else PURGE_QUORUM) and purges and not after.purge_done and not after.solitaire:
        can.append(names.words.phrase("labels", "yours.can_purge", n=box.pm))
    if box.am and any(p.is_leader for p in force) and after.phase is Phase.FIRST and not after.solitaire:  # 10.13
        can.append(names.words.phrase("labels", "yours.can_murder", n=box.am))
    if can:
        yield _item(names, "next_doubled" if plots and after.subversion_doubled else "next", what=names.words.many(can))


def deadline_of(words: Prose, after: Position, local: datetime, zone: str) -> Deadline:
    """When the orders that follow an issue are due, written out on a reader's own clock."""
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
