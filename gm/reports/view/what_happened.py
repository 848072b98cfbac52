"""What happened, section by section, in the order in which a Phase is played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gm.adjudicator import outcome as o
from gm.adjudicator.engine.casualties import is_revolution
from gm.adjudicator.steps.replacement import LAST_REPLACEMENT
from gm.board.model import Piece
from gm.orders import kinds as m
from gm.position import Phase, Player, Stack
from gm.reports.roads import bound_for, came_from, moves_of, murdered_on_the_way, never_set_out, road_of, stop_never_met
from gm.reports.view.model import AttackRow, Item, Loss, Section
from gm.reports.view.names import DisplayNames
from gm.reports.view.purges import purges
from gm.reports.view.reasons import canonical, printed, told
from gm.reports.view.solitaire import ALWAYS_ALONE, told_alone

# Which sections an issue has even if they say that nothing happened.
ALWAYS = {
    Phase.SETUP: ("deal",),
    Phase.PREGAME: ("trades",),
    Phase.FIRST: ("trades", "movement", "purges", "events"),
    Phase.SECOND: ("trades", "attacks", "purges", "randomizer", "replacements", "events"),
}


def sections(names: DisplayNames, outcome: o.Outcome) -> tuple[Section, ...]:
    found = {
        "deal": tuple(_deal(names, outcome)),
        "system": tuple(told_alone(names, outcome)),
        "trades": tuple(_trades(names, outcome)),
        "movement": tuple(_movement(names, outcome)),
        "assassinations": tuple(_assassinations(names, outcome)),
        "attacks": tuple(_captures(names, outcome)),
        "purges": tuple(purges(names, outcome)),
        "randomizer": tuple(_randomizer(names, outcome)),
        "replacements": tuple(_replacements(names, outcome)),
        "events": tuple(_events(names, outcome)),
        "votes": tuple(_votes(names, outcome)),
    }
    always = (ALWAYS_ALONE if outcome.after.solitaire else ALWAYS).get(outcome.before.phase, ())
    return tuple(
        Section(key, names.words.template("labels", f"sections.{key}"), items or _nothing(names, key))
        for key, items in found.items()
        if items or key in always
    )


def _nothing(names: DisplayNames, key: str) -> tuple[Item, ...]:
    table = names.words.packs["happened"].get(key, {})
    return (Item(table["none"], (), "none"),) if "none" in table else ()


def _deal(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    for event in outcome.events:
        if isinstance(event, o.Dealt):
            for player in sorted(event.hands):
                yield Item(_hand(names, player, event.hands[player]), event.rules, "dealt")


def _hand(names: DisplayNames, player: Player, hand: m.Goods) -> str:
    """15.32: the Politburo Markers of Lenin and Trotsky come with them, and are not drawn."""
    with_them = [p for p in hand.leaders if is_revolution(p)]
    with_them = with_them if len(with_them) <= hand.pm else []  # the shorter game has no Markers
    drawn = names.goods(m.Goods(hand.pm - len(with_them), hand.am, hand.leaders))
    text = names.words.say("happened", "deal.hand", tag=names.tag(player), goods=drawn)
    if not with_them:
        return text
    leaders = names.words.many(map(names.leader, with_them))
    return f"{text} {names.words.say('happened', 'deal.with_them', markers=len(with_them), leaders=leaders)}"


def _trades(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    say = names.words.say
    for event in outcome.events:
        if isinstance(event, o.Traded):
            if (event.given, event.returned or m.Goods()) == (m.Goods(), m.Goods()):
                continue  # a gift of nothing
            facts = {
                "giver": names.tag(event.giver),
                "receiver": names.tag(event.receiver),
                "given": names.goods(event.given),
            }
            if event.returned is None:
                yield Item(say("happened", "trades.gift", **facts), event.rules, "gift")
            else:
                text = say("happened", "trades.exchange", **facts, returned=names.goods(event.returned))
                yield Item(text, event.rules, "exchange")
        elif isinstance(event, o.Seized):
            facts = {
                "tag": names.tag(event.player),
                "units": names.pieces(event.units),
                "at": names.at(event.province),
            }
            facts["leader"] = names.leader(event.leader)
            key = "trades.seized_from" if event.losers else "trades.seized"
            yield Item(say("happened", key, **facts, losers=names.tags(event.losers)), event.rules, "seized")
    for result in printed(outcome):
        if isinstance(result.order, m.Give | m.Seize) and result.status is o.Status.FAILED:
            yield _refused(names, outcome, result)


def _movement(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    say = names.words.say
    moves = moves_of(outcome)
    gone = sum(len(e.path) > 1 and not never_set_out(outcome, e) for e in moves.values())
    orders = (m.Move, m.Attach, m.Restack, m.Emigrate, m.Exit)
    short = [
        r for r in printed(outcome) if isinstance(r.order, orders) and r.status in (o.Status.PARTLY, o.Status.FAILED)
    ]
    murdered = tuple(_murdered_on_the_way(names, outcome))
    if gone:
        key = "some_stopped" if short else "some_murdered" if murdered else "none_stopped"
        yield Item(say("happened", f"movement.{key}", moves=gone, lost=len(murdered)), (), "count")
    yield from murdered
    for result in short:
        yield from _stopped(names, outcome, result, moves.get((result.player, result.number)))
    for event in outcome.events:
        if isinstance(event, o.Left):
            facts = {"tag": names.tag(event.player), "place": names.land(event.province)}
            key = "emigrated" if event.piece.is_imperial else "exited"
            piece = names.leader(event.piece) if event.piece.is_imperial else event.piece.bell
            yield Item(say("happened", f"movement.{key}", piece=piece, **facts), event.rules, key)
        elif isinstance(event, o.Abandoned):
            facts = {"pieces": names.pieces(event.pieces), "at": names.at(event.province)}
            key = "abandoned" if len(event.pieces) > 1 else "abandoned_one"
            yield Item(say("happened", f"movement.{key}", **facts), event.rules, "abandoned")


def _murdered_on_the_way(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    """Leaders of forces that moved, killed in the same Phase before they came to the goal."""
    for move in (e for e in outcome.events if isinstance(e, o.Moved)):
        murders = murdered_on_the_way(outcome, move)
        dead = {murder.target for murder, _ in murders}
        for murder, goal in murders:
            force = [*(move.pieces if goal == move.path[-1] else ()), *(p for at, p in move.dropped if at == goal)]
            rest = [p for p in force if p not in dead]
            facts = {"tag": names.tag(move.player), "leader": names.leader(murder.target)}
            facts["goal"] = names.land(goal if rest else bound_for(move, murder, goal))
            facts |= {"pieces": names.pieces(rest), "at": names.at(murder.province)}
            back = came_from(move, murder, goal)
            key = ("murdered_back_rest" if back else "murdered_rest") if rest else "murdered"
            rules = ("17/10.0", "J16")
            yield Item(names.words.say("happened", f"movement.{key}", **facts), rules, "murdered")


def _stopped(names: DisplayNames, outcome: o.Outcome, result: o.OrderResult, moved: o.Moved | None) -> Iterator[Item]:
    """A move that was cut short tells its road; any other order is quoted, and one whose road led through its goal."""
    skip = stop_never_met(outcome, result, moved)
    if skip and all(reason.code == skip for reason in result.reasons):
        return  # that all who marched were murdered before has been told
    if skip or moved is None or not (moved.stopped and moved.intended) or len(moved.path) < 2:
        yield _refused(names, outcome, result, moved, skip)
    elif moved.intended[-1] in moved.path:
        yield _refused(names, outcome, result, moved)
    else:
        dead = [murder.target for murder, _ in murdered_on_the_way(outcome, moved)]
        road = road_of(moved, result.order)
        text = names.words.say(
            "happened",
            "movement.stopped",
            tag=names.tag(result.player),
            pieces=names.pieces(road.marchers(dead)),
            path="-".join(moved.path[road.start(dead) :]),
            goal=names.land(moved.intended[-1]),
            reason=" ".join(filter(None, (names.on_the_way(road.changes(dead)), told(names, result, moved, outcome)))),
        )
        yield Item(text, result.rules, moved.stopped)


def _refused(
    names: DisplayNames, outcome: o.Outcome, result: o.OrderResult, moved: o.Moved | None = None, skip: str = ""
) -> Item:
    reasons = told(names, result, moved, outcome, skip)
    key = "movement.partly" if result.status is o.Status.PARTLY else "movement.failed"
    text = names.words.say("happened", key, tag=names.tag(result.player), order=canonical(result.order), reason=reasons)
    counting = [reason for reason in result.reasons if reason.code != skip]
    rules = tuple(dict.fromkeys(rule for reason in counting for rule in reason.rules))
    return Item(text.strip(), rules, counting[0].code if counting else "")


def _assassinations(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    for event in outcome.events:
        if isinstance(event, o.AssassinationTried):
            key = "killed" if event.success else "survived"
            facts: dict[str, object] = {
                "tag": names.tag(event.player),
                "markers": event.markers,
                "target": event.target.bell,
                "leader": names.leader(event.target),
                "at": names.at(event.province),
                "dice": event.dice,
                "total": event.total,
            }
            if event.owner:
                key, facts["owner"] = f"{key}_of", names.tag(event.owner)
            yield Item(names.words.say("happened", f"assassinations.{key}", **facts), event.rules, key)
    murdered = {e.target for e in outcome.events if isinstance(e, o.AssassinationTried) and e.success}
    yield from _shaken(names, outcome, murdered)
    for result in printed(outcome):
        if isinstance(result.order, m.Assassinate) and not _tried(outcome, result):
            yield _refused(names, outcome, result)


def _shaken(names: DisplayNames, outcome: o.Outcome, lost: Collection[Piece]) -> Iterator[Item]:
    """Told where the Leaders of the Revolution were lost: under assassinations, attacks or random events."""
    for event in outcome.events:
        if isinstance(event, o.RevolutionShaken) and event.leader in lost:
            facts = {"leader": names.leader(event.leader), "pm": event.pm_lost, "suspended": event.suspended}
            told = [names.words.say("happened", "shaken.lost", **facts)]
            if event.owner and event.pm_lost:
                told.append(names.words.say("happened", "shaken.markers", owner=names.tag(event.owner), **facts))
            if outcome.before.turn <= LAST_REPLACEMENT:  # 9.16: later there are none that could be suspended
                told.append(names.words.say("happened", "shaken.suspended", **facts))
            yield Item(" ".join(told), event.rules, "shaken")


def _tried(outcome: o.Outcome, result: o.OrderResult) -> bool:
    key = (result.player, result.number)
    return any(isinstance(e, o.AssassinationTried) and (e.player, e.number) == key for e in outcome.events)


def attacks(names: DisplayNames, outcome: o.Outcome) -> tuple[AttackRow, ...]:
    """The table of what was fought. What never came to a die stands among the orders, with its reason."""
    return tuple(_fought(names, e) for e in outcome.events if isinstance(e, o.Fought))


def _fought(names: DisplayNames, event: o.Fought) -> AttackRow:
    neutral = names.words.template("labels", "box_neutral")
    losses = [Loss(p.bell, event.credited_to_attacker or neutral) for p in event.lost_by_defender]
    losses += [Loss(p.bell, event.credited_to_defender or neutral) for p in event.lost_by_attacker]
    return AttackRow(
        player=event.player,
        province=event.province,
        name=names.place(event.province),
        attackers=_side(names, event.attackers, event.province),
        defenders=_side(names, (event.defender,), event.province),
        odds=f"{event.odds}/s" if event.subversion else event.odds,
        die=event.die,
        result=event.result,
        eliminated=tuple(losses),
        note=names.words.template("happened", "attacks.no_effect") if event.no_effect else "",
        rules=event.rules,
    )


def _side(names: DisplayNames, stacks: Sequence[Stack], province: str) -> str:
    """Of each stack that subverts from another province (8.32), where it stood."""

    def said(stack: Stack) -> str:
        if stack.province == province:
            return names.stack(stack)
        facts = {"pieces": names.stack(stack), "province": stack.province}
        return names.words.phrase("happened", "attacks.in_province", **facts)

    pieces = "; ".join(map(said, stacks))
    owner, color = stacks[0].owner, stacks[0].color
    if owner is None or color is None:
        return pieces
    word = names.words.template("words", f"color.{color}")
    return names.words.phrase("happened", "attacks.side", player=owner, color=word, pieces=pieces)


def _captures(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    for event in outcome.events:
        if isinstance(event, o.Fought) and event.captured:
            after = (s for c in event.changes if isinstance(c, o.Restacked) for s in c.after)
            captor = next((s.owner for s in after if s.owner and not set(event.captured).isdisjoint(s.pieces)), None)
            facts = {"pieces": names.words.many(map(names.leader, event.captured)), "at": names.at(event.province)}
            key = "captured_by" if captor else "captured"
            tag = names.tag(captor) if captor else ""
            yield Item(names.words.say("happened", f"attacks.{key}", tag=tag, **facts), event.rules, "captured")
    yield from _shaken(names, outcome, _fallen(outcome))


def _fallen(outcome: o.Outcome) -> set[Piece]:
    fights = [e for e in outcome.events if isinstance(e, o.Fought)]
    return {piece for e in fights for piece in (*e.lost_by_attacker, *e.lost_by_defender)}


def _chit_after(names: DisplayNames, event: o.ChitDrawn) -> str:
    """What a drawn chit did, as sentences behind it."""
    if event.gained:
        return " " + names.words.say("happened", "randomizer.gained", pieces=names.pieces(event.gained))
    if event.withdrawn:
        return " " + names.words.say("happened", "randomizer.withdrawn", pieces=names.pieces(event.withdrawn))
    if (event.chit or "").endswith("withdrawal") and not event.set_aside:
        return " " + names.words.say("happened", "randomizer.withdrawn_none")
    return ""


def _randomizer(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    """Draws of the Randomizer step; those of a random event are told with it."""
    by_event = _drawn_by_events(outcome)
    drawn = [e for e in outcome.events if isinstance(e, o.ChitDrawn) and id(e) not in by_event]
    for event in drawn:
        if event.chit is not None:
            key = "aside" if event.set_aside else "drew"
            facts = {"tag": names.tag(event.player), "what": names.chit(event.chit)}
            said = names.words.say("happened", f"randomizer.{key}", **facts)
            yield Item(said + _chit_after(names, event), event.rules, key)
    if late := [event for event in drawn if event.chit is None]:
        who = names.words.many(names.tag(event.player) for event in late)
        yield Item(names.words.say("happened", "randomizer.empty", tag=who), late[0].rules, "empty")


def _drawn_by_events(outcome: o.Outcome) -> dict[int, o.DrawEvent]:
    """Which draws a `draw` of the Random Events Table caused: those that follow it, until one is kept."""
    found: dict[int, o.DrawEvent] = {}
    current: o.DrawEvent | None = None
    for event in outcome.events:
        if isinstance(event, o.DrawEvent):
            current = event
        elif isinstance(event, o.ChitDrawn) and current is not None:
            found[id(event)] = current
            if not event.set_aside:
                current = None
        elif not isinstance(event, o.ChitDrawn):
            current = None
    return found


def _events(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    by_event = _drawn_by_events(outcome)
    number, over = 0, outcome.after.phase is Phase.FINISHED
    for event in outcome.events:
        if not isinstance(event, o.EpidemicStruck | o.SubversionDoubled | o.DrawEvent):
            continue
        number += 1
        facts: dict[str, object] = {"number": number, "dice": f"{event.dice[0]}-{event.dice[1]}"}
        if isinstance(event, o.EpidemicStruck):
            key, facts["list"] = "epidemic", _struck(names, event)
        elif isinstance(event, o.SubversionDoubled):
            key = "doubled_over" if over else "doubled_again" if event.already else "doubled"
        else:
            drawn = [e for e in outcome.events if isinstance(e, o.ChitDrawn) and by_event.get(id(e)) is event]
            key = "draw" if event.recipient and drawn else "draw_nobody"
            facts["tag"] = names.tag(event.recipient) if event.recipient else ""
            facts["what"] = _all_drawn(names, drawn)
            after = "".join(_chit_after(names, e) for e in drawn)
            yield Item(names.words.say("happened", f"events.{key}", **facts) + after, event.rules, key)
            continue
        yield Item(names.words.say("happened", f"events.{key}", **facts), event.rules, key)
    murdered = {e.target for e in outcome.events if isinstance(e, o.AssassinationTried) and e.success}
    others = {e.leader for e in outcome.events if isinstance(e, o.RevolutionShaken)} - murdered - _fallen(outcome)
    yield from _shaken(names, outcome, others)


def _all_drawn(names: DisplayNames, drawn: Sequence[o.ChitDrawn]) -> str:
    """Set-aside Markers are drawn again, until there are none."""
    *first, last = [_drawn_word(names, e) for e in drawn] or [""]
    if first and drawn[-1].chit is None:
        return names.words.phrase("happened", "randomizer.empty_then", what=", ".join(first))
    return ", ".join((*first, last))


def _drawn_word(names: DisplayNames, event: o.ChitDrawn) -> str:
    what = names.chit(event.chit)
    return names.words.phrase("happened", "randomizer.aside_what", what=what) if event.set_aside else what


def _struck(names: DisplayNames, event: o.EpidemicStruck) -> str:
    parts = []
    for province in event.provinces:
        lost = [p.bell for where, p in event.lost if where == province]
        key = "events.struck" if lost else "events.spared"
        parts.append(names.words.phrase("happened", key, place=names.place(province), lost=", ".join(lost)))
    return names.words.many(parts)


def _replacements(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    for event in outcome.events:
        if isinstance(event, o.Replaced):
            if event.units:
                units = [
                    names.words.phrase("happened", "replacements.unit_at", piece=p.bell, at=names.at(p.home))
                    for p in event.units
                ]
                said = names.words.say("happened", "replacements.units", units=names.words.many(units))
                yield Item(said, event.rules, "replaced")
            for rule in sorted({rule for _, rule in event.refused}):
                kept = names.pieces(piece for piece, why in event.refused if why == rule)
                key = "over" if outcome.before.turn > LAST_REPLACEMENT else "refused"
                yield Item(names.words.say("happened", f"replacements.{key}", pieces=kept), (rule,), "refused")


def _votes(names: DisplayNames, outcome: o.Outcome) -> Iterator[Item]:
    for event in outcome.events:
        if isinstance(event, o.Voted):
            yield Item(
                names.words.say("happened", f"votes.{'end' if event.end else 'continue'}", tag=names.tag(event.player)),
                event.rules,
                "vote",
            )
        elif isinstance(event, o.Quit):
            key = "votes.removed" if event.player in names.removed else "votes.quit"
            yield Item(names.words.say("happened", key, tag=names.tag(event.player)), event.rules, "quit")
