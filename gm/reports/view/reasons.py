"""The reasons of an order's result (refused, stopped, partly carried out), in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gm.adjudicator.outcome import (
    AssassinationTried,
    ExecutionAnswered,
    ExecutionOrdered,
    Fought,
    Marked,
    Moved,
    OrderResult,
    Outcome,
    PurgeRolled,
    Quit,
    Reason,
    Status,
    Traded,
)
from gm.adjudicator.steps.committee import members, without_match
from gm.board.model import Piece
from gm.orders import kinds as m
from gm.orders.mirror import mirrored
from gm.orders.rules.quorums import VOTE_QUORUM
from gm.orders.standing import is_standing
from gm.position import Phase, Player, Stack
from gm.reports.roads import (
    Moves,
    bound_for,
    came_from,
    marched_before,
    moves_of,
    murdered_on_the_way,
    murders,
    never_set_out,
    stop_never_met,
    was_in,
)
from gm.reports.view.model import Item, OrderLine, PlayerOrders
from gm.reports.view.names import DisplayNames
from gm.wording import clean

# Of one player's orders so many of a result are printed in everybody's Bell; the archive and their own copy have all.
PRINTED = {Status.UNREAD: 12, Status.FAILED: 60}
PRINTED_OTHERWISE = 200

# How the data of a reason is to be read; whatever is not named here is printed as it is.
PLAYERS = frozenset({"player", "partner", "partners", "owner", "holder", "by", "object", "giver", "receiver"})
PLACES = frozenset({"province", "here", "at", "start", "goal"})

# What keeps an order to purge from being held against those of others.
INADMISSIBLE = frozenset(
    {"not-in-masses", "one-purge-a-turn", "conditional", "committee-member", "no-such-object", "no-division"}
)

# Orders whose refusals stand in the report under their own heading.
TOLD = (m.Give, m.Seize, m.Move, m.Attach, m.Restack, m.Emigrate, m.Exit, m.Assassinate, m.Purge)

# Of a sheet without orders other words are said in these Phases, if there are any.
_NOTED = {Phase.PREGAME: "trades", Phase.SECOND: "second"}


def reason_item(
    names: DisplayNames,
    reason: Reason,
    moved: Moved | None = None,
    result: OrderResult | None = None,
    outcome: Outcome | None = None,
) -> Item:
    """One reason as a sentence. Where the adjudicator gives a move no place, the move itself does; of an order that
    had no mirror, its result tells which was missing; what others ordered, or had, the outcome tells."""
    data = _known(names, reason, moved)
    if reason.code == "no-mirror" and result is not None:
        data["mirror"] = ", ".join(order.printed() for order in mirrored(result.order, result.player, {}).values())
    if result is not None and outcome is not None:
        data |= {key: names.tags(players) for key, players in whose_fault(outcome, result, reason.code).items()}
        piece = reason.data.get("piece")
        won = (e.player for e in moves_of(outcome).values() if was_in(e, piece))
        if reason.code == "lost-claim" and (winner := next((p for p in won if p != result.player), None)):
            data["winner"] = names.tag(winner)
        if reason.code == "moved-already" and (field := _with_whom(names, outcome, result, piece)):
            data[field] = data["piece"]
    templates = names.words.packs["reasons"][reason.code]
    return Item(names.words.first_fitting(templates, data), tuple(dict.fromkeys(reason.rules)), reason.code)


def whose_fault(outcome: Outcome, result: OrderResult, code: str) -> dict[str, list[Player]]:
    """Of an order that others had a part in, who kept it from being carried out, by the name of the field."""
    order, found = result.order, dict[str, list[Player]]()
    if code == "not-compatible" and isinstance(order, m.Purge | m.Execute):
        valid = [r for r in outcome.results if not any(reason.code in INADMISSIBLE for reason in r.reasons)]
        filed = [(r.player, r.order) for r in valid if isinstance(r.order, m.Purge | m.Execute)]
        who, division = members(result.player, order), order.division if isinstance(order, m.Purge) else ()
        found["missing"] = without_match(result.player, order, filed)
        found["strangers"] = [p for p, _ in division if p not in who]
    elif code == "gift-refused" and isinstance(order, m.Give):
        found["partner"] = [order.to]
    elif code == "cannot-pay" and isinstance(order, m.Give):
        owed = [(result.player, order.what)] + ([(order.to, order.for_)] if order.for_ is not None else [])
        found["never_had"] = [p for p, goods in owed if not _covers(outcome, p, goods, ())]
        given = [e for e in outcome.events if isinstance(e, Traded)]
        short = [p for p, goods in owed if not _covers(outcome, p, goods, given)]
        found["spent"] = short if len(short) == 1 else []  # of two, one may have been able to pay when it mattered
    return {key: players for key, players in found.items() if players}


def _covers(outcome: Outcome, player: Player, goods: m.Goods, given: Iterable[Traded]) -> bool:
    """Whether what a player held at the start of the Phase, less what they gave, is enough (J5)."""
    box = outcome.before.box(player)
    gone = [g for e in given for p, g in ((e.giver, e.given), (e.receiver, e.returned)) if g and p == player]
    held = {p for s in outcome.before.owned(player) for p in s.leaders}.difference(*(g.leaders for g in gone))
    pm, am = box.pm - sum(g.pm for g in gone), box.am - sum(g.am for g in gone)
    return pm >= goods.pm and am >= goods.am and held.issuperset(goods.leaders)


def _known(names: DisplayNames, reason: Reason, moved: Moved | None) -> dict[str, object]:
    """What the sentence may name. A province `here` also as `at_here`: `on the Terek`."""
    places: dict[str, str] = {}
    if moved and moved.path:
        places["here"] = places["province"] = moved.path[-1]
    known = {key: value for key, value in reason.data.items() if value not in (None, (), [])}
    places |= {key: value for key, value in known.items() if key in PLACES and isinstance(value, str)}
    data: dict[str, object] = {key: names.land(code) for key, code in places.items()}
    data |= {f"at_{key}": names.at(code) for key, code in places.items()}
    data |= {key: _word(names, key, value) for key, value in known.items() if key not in places}
    for alias in ("piece", "units", "leader"):  # one wording serves, whatever it was that stood in the way
        if alias in data:
            data.setdefault("pieces", data[alias])
    return data


def _with_whom(names: DisplayNames, outcome: Outcome, result: OrderResult, piece: object) -> str:
    """Of a piece that could not join a force because it had marched: the field for one that has twins, and for one
    that had marched with no other force but was named twice."""
    if not isinstance(piece, Piece):
        return ""
    twins = sum(other.twin_key == piece.twin_key for other in names.board.pieces.values())
    return "one_more" if twins > 1 else "" if marched_before(outcome, result.player, result.number, piece) else "own"


def _word(names: DisplayNames, key: str, value: object) -> object:
    if isinstance(value, Piece):
        return value.bell
    if isinstance(value, m.Named):
        return value.one.bell
    if isinstance(value, Stack):
        return names.stack(value)
    if isinstance(value, str):
        if key in PLAYERS and value in names.board_players:
            return names.tag(value)
        if key == "colors":
            return names.words.template("words", f"color.{value}")
        if key == "result" and value in names.words.packs["words"]["result"]:
            return names.words.template("words", f"result.{value}")
        return value
    if isinstance(value, Iterable):
        return names.words.many(str(_word(names, key, v)) for v in value)
    return value


def told(
    names: DisplayNames, result: OrderResult, moved: Moved | None = None, outcome: Outcome | None = None, skip: str = ""
) -> str:
    """All reasons of a result as running text, each sentence once; without those of the code `skip`."""
    told = (reason_item(names, r, moved, result, outcome).text for r in result.reasons if r.code != skip)
    return " ".join(dict.fromkeys(told))


def canonical(order: m.Order) -> str:
    """An order as the Gamesmaster read it; what could not be read, as it was written."""
    if isinstance(order, m.Unread):
        return clean(order.source)
    if isinstance(order, m.Press):
        return "PRESS"
    return order.printed()


def _counted(names: DisplayNames, outcome: Outcome) -> str:
    """How the count of votes stood when the end of the war was looked for: who left then voted with what they had."""
    after = outcome.after
    if outcome.before.phase is not Phase.SECOND:
        return names.words.say("happened", "votes.waits")
    voters = [p for p in after.players if after.votes.get(p) and p not in outcome.before.quitters]
    key = "ended" if after.phase is Phase.FINISHED else "counted" if voters else "counted_none"
    given_up = [c for e in outcome.events if isinstance(e, Quit) for c in e.changes if isinstance(c, Marked)]
    markers = sum(after.box(p).pm for p in voters) - sum(
        c.number for c in given_up if c.place in voters and c.marker == "PM"
    )
    facts = {"voters": names.words.many(names.tag(p) for p in voters), "markers": markers, "needed": VOTE_QUORUM}
    return names.words.say("happened", f"votes.{key}", **facts)


def _deciding(outcome: Outcome) -> set[tuple[Player, int]]:
    """The Counterpurge orders that decided what came of Purges that failed, by player and number."""
    failed = [e for e in outcome.events if isinstance(e, PurgeRolled) and e.result == "C"]
    deciding = (deciding_order(outcome, e.object, e.participants) for e in failed)
    return {(result.player, result.number) for result in deciding if result}


def deciding_order(outcome: Outcome, player: Player, against: Sequence[Player]) -> OrderResult | None:
    """Which Counterpurge order of a player says what to do about a Purge of these that failed (J21)."""
    filed = (r for r in outcome.results if r.player == player)
    return next((r for r in filed if isinstance(r.order, m.Counterpurge) and r.order.decides(against)), None)


def occasion(outcome: Outcome, result: OrderResult) -> str | None:
    """Of an order that only waits for an occasion, which there was: a key of `on_file`; None: any other order."""
    player, order, events = result.player, result.order, outcome.events
    if isinstance(order, m.Counterpurge):
        if (player, result.number) in _deciding(outcome):
            return "counterpurge_held" if order.against is m.Against.NEVER else "counterpurge_used"
        failed = [e for e in events if isinstance(e, PurgeRolled) and e.object == player and e.result == "C"]
        if any(not deciding_order(outcome, player, e.participants) for e in failed):
            return "counterpurge_unfit"
        return "counterpurge_other" if failed else "counterpurge"
    if isinstance(order, m.Comply | m.RefuseExecution):
        asked = any(isinstance(e, ExecutionOrdered | ExecutionAnswered) and e.holder == player for e in events)
        mine = (r for r in outcome.results if r.player == player)
        answers = [r.number for r in mine if isinstance(r.order, m.Comply | m.RefuseExecution)]
        return "execution" if not asked else "execution_used" if result.number == answers[-1] else "execution_other"
    if isinstance(order, m.Lose | m.Take):
        chosen = [e for e in events if isinstance(e, Fought) and _chose(outcome, e, player, type(order))]
        lost = {piece for e in chosen for piece in (*e.lost_by_attacker, *e.lost_by_defender)}
        used = any(piece in lost for name in order.pieces for piece in name.options)
        return "losses_used" if used else "losses_other" if chosen else "losses"
    if isinstance(order, m.RefuseGifts):
        turned = (r.order for r in outcome.results if any(why.code == "gift-refused" for why in r.reasons))
        return "gifts_used" if any(isinstance(o, m.Give) and o.to == player for o in turned) else "gifts"
    if isinstance(order, m.Give):
        return "nothing" if (order.what, order.for_ or m.Goods()) == (m.Goods(), m.Goods()) else None
    if isinstance(order, m.Accept):
        gifts = [e for e in events if isinstance(e, Traded) and (e.giver, e.receiver) == (order.giver, player)]
        return None if any(set(order.leaders) <= set(e.given.leaders) for e in gifts) else "accept"
    return None


def _chose(outcome: Outcome, event: Fought, player: Player, kind: type[m.Order]) -> bool:
    """Whether a player's list for the Phase said what the stronger side of an Exchange lost (8.44, 8.46, J31)."""
    owner = None if event.defender.owner in outcome.before.quitters else event.defender.owner
    ordered = outcome.result(event.player, event.number)
    attack = ordered.order if ordered and isinstance(ordered.order, m.Attack) else None
    if event.result != "Ex" or event.subversion or event.attack == event.defence:
        return False  # of equals both go whole
    if event.attack < event.defence and owner is not None:
        return kind is m.Lose and player == owner
    own = attack and (attack.lose if event.attack > event.defence else attack.take)
    return own is None and player == event.player and kind is (m.Lose if event.attack > event.defence else m.Take)


def _was_for_once(result: OrderResult, key: str) -> bool:
    """There was no occasion for it, and it does not wait for another: it was for this Phase only."""
    return not key.endswith(("_used", "_held")) and not is_standing(result.order)


def only_on_file(outcome: Outcome, result: OrderResult) -> bool:
    """Whether an order was not carried out but only stood on file: a vote, or one for whose occasion nothing came."""
    if result.status is not Status.DONE:
        return False
    key = occasion(outcome, result)
    return isinstance(result.order, m.Vote) or (key is not None and not key.endswith("_used"))


def _on_file(names: DisplayNames, outcome: Outcome, result: OrderResult) -> Item | None:
    """What is on file whatever comes of it, a vote or an order for an occasion, is not told as carried out."""
    if result.status is not Status.DONE:
        return None
    if isinstance(result.order, m.Vote):
        text, code = _counted(names, outcome), "vote"
    else:
        key = occasion(outcome, result)
        if key is None:
            return None
        giver = names.tag(result.order.giver) if isinstance(result.order, m.Accept) else ""
        text = names.words.say("happened", f"on_file.{key}", giver=giver)
        if _was_for_once(result, key) and key not in ("accept", "nothing"):  # it goes without saying
            text = names.words.say("happened", "on_file.once", told=text)
        code = "occasion" if key.endswith("_used") else "on-file"
    return Item(text, tuple(dict.fromkeys(result.rules)), code)


def _never_came(outcome: Outcome, result: OrderResult, moved: Moved | None) -> list[tuple[AssassinationTried, str]]:
    """Of an order that was carried out, wholly or not, who was dead (murders come after all moves, J16) before he came
    where it led him."""
    if result.status not in (Status.DONE, Status.PARTLY):
        return []
    if isinstance(result.order, m.Restack):
        named = {piece for name in result.order.pieces for piece in name.options}
        place = result.order.province
        return [(e, place) for e in murders(outcome) if e.target in named and e.province != place]
    return murdered_on_the_way(outcome, moved) if moved else []


def _waits(outcome: Outcome, result: OrderResult) -> str | None:
    """How an order is called that was not carried out but only stood on file; None: any other."""
    if not only_on_file(outcome, result):
        return None
    key = occasion(outcome, result)
    if isinstance(result.order, m.Vote) and outcome.before.phase is Phase.SECOND:
        return "counted"
    if key in ("counterpurge_unfit", "nothing"):
        return "no_effect"
    return "not_needed" if key is not None and _was_for_once(result, key) else "on_file"


def order_line(names: DisplayNames, result: OrderResult, moves: Moves, outcome: Outcome, own: bool) -> OrderLine:
    moved = moves.get((result.player, result.number))
    told_apart = _on_file(names, outcome, result)
    skip = stop_never_met(outcome, result, moved)
    counting = (r for r in result.reasons if r.code != skip)
    plain = tuple(dict.fromkeys(reason_item(names, r, moved, result, outcome) for r in counting))
    reasons = (told_apart,) if told_apart else _beside_status(names, result, plain)
    reasons = tuple(replace(item, rules=_of_this_phase(outcome, item.rules)) for item in reasons)
    waits = _waits(outcome, result)
    dead = _never_came(outcome, result, moved)
    status = Status.FAILED if never_set_out(outcome, moved) else Status.PARTLY if dead else result.status
    if dead:
        killed = tuple(_on_the_way(names, moved, murder, goal) for murder, goal in dead)
        reasons = killed if result.status is Status.DONE else (*killed, *reasons)
    return OrderLine(
        number=result.number,
        source=clean(result.order.source) if own else "",
        canonical=canonical(result.order),
        status=status.value,
        status_text=names.words.template("words", f"status.{waits or status}"),
        # In print a plain success needs no words, nor what the report tells; the player alone is told all of it.
        reasons=reasons if own or (result.status is not Status.DONE and not isinstance(result.order, TOLD)) else (),
        rules=_of_this_phase(outcome, result.rules),
    )


def _of_this_phase(outcome: Outcome, rules: tuple[str, ...]) -> tuple[str, ...]:
    """A trade is done by 15.33 before the game and by 17/4.2 in it; an order cites both, as it may stand in either."""
    other = "17/4.2" if outcome.before.phase is Phase.PREGAME else "15.33"
    return tuple(rule for rule in rules if rule != other) if {"17/4.2", "15.33"} <= set(rules) else rules


def _beside_status(names: DisplayNames, result: OrderResult, reasons: tuple[Item, ...]) -> tuple[Item, ...]:
    """That an order was carried out its status says; what is left to tell is by which rules."""
    if result.status is not Status.DONE:
        return reasons
    by = names.words.template("labels", "own_done")
    told = (item if item.kind != "carried-out" else Item(by, item.rules, item.kind) for item in reasons)
    return tuple(item for item in told if item.text != by or item.rules)


def printed(outcome: Outcome) -> list[OrderResult]:
    """The results that a Bell tells everybody: nobody can bury it under lines that come to nothing."""
    seen: Counter[tuple[Player, Status]] = Counter()
    found = []
    for result in outcome.results:
        seen[result.player, result.status] += 1
        if seen[result.player, result.status] <= PRINTED.get(result.status, PRINTED_OTHERWISE):
            found.append(result)
    return found


def _on_the_way(names: DisplayNames, moved: Moved | None, murder: AssassinationTried, goal: str) -> Item:
    goal_told = names.land(bound_for(moved, murder, goal) if moved else goal)
    facts = {"leader": names.leader(murder.target), "at": names.at(murder.province), "goal": goal_told}
    key = "murdered_back" if moved and came_from(moved, murder, goal) else "murdered_before"
    return Item(names.words.say("happened", f"movement.{key}", **facts), (), "murdered")


def public_orders(names: DisplayNames, outcome: Outcome, without: Sequence[Player]) -> tuple[PlayerOrders, ...]:
    """All orders of the Phase. Press is printed as press, and private letters never."""
    moves = moves_of(outcome)
    return tuple(_orders_of(names, outcome, moves, p, own=False, late=p in without) for p in outcome.before.active)


def own_orders(names: DisplayNames, outcome: Outcome, player: Player, without: Sequence[Player]) -> PlayerOrders:
    return _orders_of(names, outcome, moves_of(outcome), player, own=True, late=player in without)


def _orders_of(
    names: DisplayNames, outcome: Outcome, moves: Moves, player: Player, *, own: bool, late: bool
) -> PlayerOrders:
    removed = player in names.removed
    results = [r for r in outcome.results if r.player == player and not (removed and isinstance(r.order, m.Resign))]
    wanted = [r for r in results if own or not isinstance(r.order, m.Press)]
    kept = {r.number for r in printed(outcome) if r.player == player}
    shown = wanted if own else [r for r in wanted if r.number in kept]
    note = names.words.template("labels", "removed") if removed and not (own and shown) else ""  # the box says it
    if len(shown) < len(wanted):
        note = names.words.say("labels", "orders_more", number=len(wanted) - len(shown))
    if not shown and not removed:
        key = ("own_nmr" if own else "nmr") if late else "own_none" if own else "orders_none"
        # Before the game there is nothing to hold; in a Second Phase nobody moves.
        special = f"{key}_{_NOTED.get(outcome.before.phase)}"
        note = names.words.template("labels", special if special in names.words.packs["labels"] else key)
    return PlayerOrders(
        player=player,
        title=names.title(player),
        orders=tuple(order_line(names, r, moves, outcome, own) for r in shown),
        note=note,
    )
