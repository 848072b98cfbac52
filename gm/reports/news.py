"""Which events of a Phase are news: kind, size and the facts that a story needs. The words are in headlines.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gm.adjudicator import outcome as o
from gm.board.model import Color, Piece
from gm.position import Phase, Player, Stack
from gm.reports.view_names import Names


@dataclass(frozen=True, slots=True)
class News:
    kind: str  # a table of headlines.toml
    size: int
    place: str  # province code, for the dateline; empty: the capital
    data: Mapping[str, object]


def find_news(names: Names, outcome: o.Outcome) -> tuple[News, ...]:
    """Everything that could make a headline, in the order of the events."""
    found: list[News] = []
    for event in outcome.events:
        finder = _FINDERS.get(type(event))
        if finder:
            found += finder(names, event, outcome)
    found += _trades(names, outcome)
    found += _plots(outcome)
    found += _gatherings(names, outcome)
    return tuple(found)


def _dealt(names: Names, event: o.Dealt, outcome: o.Outcome) -> Iterator[News]:
    def holder(name: str) -> str:
        where = next((s for s in outcome.after.stacks if any(p.name == name for p in s.pieces)), None)
        return names.who(where.owner if where else None)

    wanted = ("Lenin", "Trotsky", "Denikin", "Wrangel", "Czar", "Gold")
    data: dict[str, object] = {name.lower(): holder(name) for name in wanted}
    yield News("deal", len(event.hands), "", {**data, "players": len(event.hands)})


def _trades(names: Names, outcome: o.Outcome) -> Iterator[News]:
    """One story for all trades: before the game the Leaders make it."""
    traded = [e for e in outcome.events if isinstance(e, o.Traded)]
    moves: list[tuple[Piece, Player, Player]] = []
    for event in traded:
        moves += [(leader, event.giver, event.receiver) for leader in event.given.leaders]
        if event.returned:
            moves += [(leader, event.receiver, event.giver) for leader in event.returned.leaders]
    if moves:
        leader, giver, receiver = max(moves, key=lambda m: (m[0].value, -m[0].code))
        stack = outcome.after.where.get(leader)
        data = {**_leader(names, leader), "who": names.who(receiver), "other": names.who(giver)}
        yield News("trades", len(moves), stack.province if stack else "", {**data, "leaders": len(moves)})
    elif traded:
        best = max(traded, key=lambda e: e.given.pm + e.given.am)
        data = {"who": names.who(best.giver), "other": names.who(best.receiver), "goods": names.goods(best.given)}
        yield News("trade", best.given.pm + best.given.am, "", data)
    elif outcome.before.phase is Phase.PREGAME:
        yield News("no_trades", 0, "", {})


def _seized(names: Names, event: o.Seized, outcome: o.Outcome) -> Iterator[News]:
    data = {**_leader(names, event.leader), "who": names.who(event.player), "what": names.pieces(event.units)}
    yield News("seized", _sum(event.units), event.province, data)


def _moved(names: Names, event: o.Moved, outcome: o.Outcome) -> Iterator[News]:
    leaders = [p for p in event.pieces if p.is_leader]
    if len(event.path) < 2 or not leaders:
        return
    leader = max(leaders, key=lambda p: (p.value, -p.code))
    rest = [p for p in event.pieces if p is not leader and not p.is_imperial]
    force = names.pieces(rest) if rest else names.words.template("words", "escort")
    facts = {**_leader(names, leader), "who": names.who(event.player), "force": force}
    end, start = event.path[-1], event.path[0]
    if any(p.name == "Czar" for p in event.pieces):
        yield News("czar_moved", 0, end, facts)
    yield News("march", _sum(event.pieces) + leader.value, end, {**facts, "origin": names.place(start)})


def _gatherings(names: Names, outcome: o.Outcome) -> Iterator[News]:
    """Where a player has brought several forces of one colour together."""
    arrived: dict[tuple[Player, str], int] = {}
    for event in outcome.events:
        if isinstance(event, o.Moved) and len(event.path) > 1:
            key = (event.player, event.path[-1])
            arrived[key] = arrived.get(key, 0) + 1
    for (player, province), number in arrived.items():
        there = [s for s in outcome.after.at(province) if s.owner == player]
        for color in (Color.RED, Color.WHITE):
            stacks = [s for s in there if s.color is color]
            leaders = sorted((p for s in stacks for p in s.leaders), key=lambda p: (-p.value, p.code))
            if number < 2 or len(leaders) < 2:
                continue
            strength = sum(s.strength for s in stacks)
            force = names.words.many(names.leader(p) for p in leaders)
            data = {**_leader(names, leaders[0]), "who": names.who(player), "force": force, "forces": number}
            yield News("rendezvous", strength, province, {**data, "strength": strength})


def _left(names: Names, event: o.Left, outcome: o.Outcome) -> Iterator[News]:
    data = {"who": names.who(event.player), "what": names.leader(event.piece)}
    kind = "imperial_left" if event.piece.is_imperial else "czechs_left"
    yield News(kind, event.piece.value, event.province, data)


def _assassination(names: Names, event: o.AssassinationTried, outcome: o.Outcome) -> Iterator[News]:
    kind = "murder" if event.success else "murder_failed"
    yield News(
        kind, event.target.value * 10, event.province, {**_leader(names, event.target), "who": names.who(event.player)}
    )


def _plots(outcome: o.Outcome) -> Iterator[News]:
    filed = sum(isinstance(e, o.PurgeFiled) for e in outcome.events)
    if filed and not any(isinstance(e, o.PurgeRolled) for e in outcome.events):
        yield News("purge_plots", 4 * filed, "", {"orders": filed})


def _purge(names: Names, event: o.PurgeRolled, outcome: o.Outcome) -> Iterator[News]:
    facts: dict[str, object] = {"who": names.whos(event.participants), "victim": names.who(event.object)}
    facts |= {"strength": event.strength, "dice": event.dice}
    if event.result == "C":
        if not event.counter:
            yield News("purge_failed", 0, "", facts)
        return
    spoils = list(_spoils_of(event, outcome))
    prize = [p.name for s in spoils for p in s.leaders]
    pm = sum(s.pm for s in spoils)
    if pm:
        prize.append(names.words.phrase("happened", "pm", n=pm))
    place = next((outcome.after.where[p].province for s in spoils for p in s.leaders if p in outcome.after.where), "")
    kind = "counterpurge" if event.counter else "purge"
    if prize:
        yield News(kind, 3 * int(event.result), place, {**facts, "prize": names.words.many(prize)})


def _spoils_of(event: o.PurgeRolled, outcome: o.Outcome) -> Iterator[o.PurgeSpoils]:
    """What follows a roll until the next one."""
    events = outcome.events
    for later in events[events.index(event) + 1 :]:
        if isinstance(later, o.PurgeRolled):
            return
        if isinstance(later, o.PurgeSpoils):
            yield later


def _execution(names: Names, event: o.ExecutionOrdered, outcome: o.Outcome) -> Iterator[News]:
    kind = {"complied": "czar_executed", "refused": "czar_refused"}.get(event.answer, "czar_pending")
    yield News(kind, 0, _czar_at(outcome), {"who": names.who(event.holder)})


def _answer(names: Names, event: o.ExecutionAnswered, outcome: o.Outcome) -> Iterator[News]:
    if event.holder and event.answer in ("complied", "refused"):
        kind = "czar_executed" if event.answer == "complied" else "czar_refused"
        yield News(kind, 0, _czar_at(outcome), {"who": names.who(event.holder)})


def _czar_at(outcome: o.Outcome) -> str:
    return next((s.province for s in outcome.before.stacks if any(p.name == "Czar" for p in s.pieces)), "")


def _epidemic(names: Names, event: o.EpidemicStruck, outcome: o.Outcome) -> Iterator[News]:
    if event.lost:
        worst = max(event.lost, key=lambda pair: pair[1].value)[0]
        lost = [p for _, p in event.lost]
        yield News("epidemic", _sum(lost), worst, {"lost": names.pieces(lost)})


def _doubled(names: Names, event: o.SubversionDoubled, outcome: o.Outcome) -> Iterator[News]:
    if not event.already:
        yield News("doubled", 0, "", {})


def _chit(names: Names, event: o.ChitDrawn, outcome: o.Outcome) -> Iterator[News]:
    nation, _, kind = (event.chit or "").partition(" ")
    if kind == "withdrawal" and event.withdrawn:
        home = max(event.withdrawn, key=lambda p: p.value).home
        data = {"nation": names.nation(nation), "lost": names.pieces(event.withdrawn)}
        yield News("withdrawal", _sum(event.withdrawn), home, data)
    elif kind == "control" and not event.set_aside:
        place = event.gained[0].home if event.gained else ""
        data = {"nation": names.nation(nation), "who": names.who(event.player)}
        yield News("control", _sum(event.gained), place, data)


def _fought(names: Names, event: o.Fought, outcome: o.Outcome) -> Iterator[News]:
    color = event.attackers[0].color or Color.RED
    data: dict[str, object] = {
        "who": names.who(event.player),
        "side": names.words.template("words", f"color.{color}"),
        "force": _men(names, event.attackers),
        "enemy": _men(names, (event.defender,)),
        "enemy_name": _adjective(names, event.defender),
        "odds": event.odds,
        "lost": names.pieces(event.lost_by_defender),
        "cost": names.pieces(event.lost_by_attacker),
    }
    weight = _sum(event.lost_by_attacker) + _sum(event.lost_by_defender)
    if event.subversion:
        if event.lost_by_defender:
            yield News("subversion", weight, event.province, data)
    elif event.lost_by_attacker and event.lost_by_defender:
        yield News("battle_exchange", weight, event.province, data)
    elif event.lost_by_attacker:
        yield News("battle_lost", weight, event.province, {**data, "lost": data["cost"]})
    elif event.lost_by_defender:
        yield News("battle_won", weight, event.province, data)
    for piece in (*event.lost_by_attacker, *event.lost_by_defender):
        if piece.is_leader:
            yield News("leader_fell", piece.value * 10, event.province, _leader(names, piece))
    for piece in event.captured:
        # J32: it goes to the side that is left.
        winner = event.player if event.lost_by_defender else event.defender.owner
        captured = {"what": names.leader(piece), "who": names.who(winner)}
        yield News("imperial_captured", 0, event.province, captured)


def _men(names: Names, stacks: Iterable[Stack]) -> str:
    """`the men of Lenin and Sablin`, `the German troops`."""
    stacks = tuple(stacks)
    tops = [s.leaders[0] for s in stacks if s.leaders]
    if tops:
        return names.words.phrase("words", "men_of", leader=names.words.many(names.leader(p) for p in tops))
    return names.words.phrase("words", "troops", adjective=_adjective(names, stacks[0]))


def _adjective(names: Names, stack: Stack) -> str:
    unit = next((p for p in stack.pieces if not p.is_imperial), None)
    if unit is None or stack.leaders or unit.nation is None:
        return names.words.template("words", f"adjective.{stack.color or Color.RED}")
    return names.words.template("words", f"adjective.{unit.nation}")


def _shaken(names: Names, event: o.RevolutionShaken, outcome: o.Outcome) -> Iterator[News]:
    data = {**_leader(names, event.leader), "who": names.who(event.owner)}
    yield News("revolution_shaken", 0, event.leader.home, data)


def _replaced(names: Names, event: o.Replaced, outcome: o.Outcome) -> Iterator[News]:
    if event.units:
        data = {"units": len(event.units), "force": names.pieces(event.units)}
        yield News("replacements", _sum(event.units), event.units[0].home, data)


def _quit(names: Names, event: o.Quit, outcome: o.Outcome) -> Iterator[News]:
    yield News("quit", 0, "", {"who": names.who(event.player)})


def _won(names: Names, event: o.Won, outcome: o.Outcome) -> Iterator[News]:
    best = max(event.points, key=lambda p: event.points[p], default=None)
    data = {"who": names.who(best), "points": event.points[best] if best else 0}
    yield News(f"victory_{event.color}", 0, "", data)


def _leader(names: Names, piece: Piece) -> dict[str, object]:
    return {"leader": names.leader(piece), "name": piece.name}


def _sum(pieces: Iterable[Piece]) -> int:
    return sum(p.value for p in pieces)


_FINDERS: Mapping[type[o.Event], Callable[..., Iterable[News]]] = {
    o.Dealt: _dealt,
    o.Seized: _seized,
    o.Moved: _moved,
    o.Left: _left,
    o.AssassinationTried: _assassination,
    o.PurgeRolled: _purge,
    o.ExecutionOrdered: _execution,
    o.ExecutionAnswered: _answer,
    o.EpidemicStruck: _epidemic,
    o.SubversionDoubled: _doubled,
    o.ChitDrawn: _chit,
    o.Fought: _fought,
    o.RevolutionShaken: _shaken,
    o.Replaced: _replaced,
    o.Quit: _quit,
    o.Won: _won,
}
