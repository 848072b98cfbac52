"""Purges and Counterpurges (11, 17/11.0, J18-J21)."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle
from gm.adjudicator.outcome import Flagged, PurgeFiled, PurgeRolled
from gm.adjudicator.reasons import because
from gm.adjudicator.steps.committee import agreeing, cut_to_holdings, members
from gm.adjudicator.steps.spoils import Share, collect, shares
from gm.orders.kinds import Against, Counterpurge, Purge
from gm.orders.rules.quorums import PURGE_QUORUM
from gm.orders.rules.shorter import does_without
from gm.position import Player

COUNTER = "C"
ENDLESS = 1000  # a table that answers nothing but C must not hang the Gamesmaster

Filed = tuple[Player, int, Purge]


def purge(play: PhaseInPlay) -> None:
    for player, number, _ in play.orders(Counterpurge):
        play.done(player, number)
    filed = list(play.orders(Purge))
    using = cut_to_holdings(play, [(p, n, o.using) for p, n, o in filed])
    verdicts: dict[tuple[Player, int], str] = {}
    admissible: list[Filed] = []
    for entry in filed:
        code = _inadmissible(play, entry)
        if code:
            verdicts[entry[:2]] = code
        else:
            admissible.append(entry)
    committees = _committees(admissible, using, verdicts)
    for player, number, order in filed:
        _report(play, player, number, order, using[player, number], verdicts.get((player, number), "valid"))
    for group in committees:
        _act(play, group, using)
    settle(play.table)


def _inadmissible(play: PhaseInPlay, entry: Filed) -> str | None:
    """What is wrong with an order by itself."""
    player, _, order = entry
    who = members(player, order)
    if does_without(play.board, play.before, Purge):
        return "not-in-masses"
    if play.table.flag("purge_done"):
        return "one-purge-a-turn"
    if order.conditional:
        return "conditional"
    if order.object in who:
        return "committee-member"
    if order.object not in play.before.players or not who.issubset(play.table.players):
        return "no-such-object"
    if order.partners and not order.separately and not order.division:
        return "no-division"
    if not who.issuperset(p for p, _ in order.division):
        return "not-compatible"
    return None


def _committees(
    admissible: list[Filed], using: dict[tuple[Player, int], int], verdicts: dict[tuple[Player, int], str]
) -> list[list[Filed]]:
    """The groups whose orders agree and whose markers are enough; nobody is in two (11.13)."""
    found: list[list[Filed]] = []
    busy: set[Player] = set()
    settled: set[tuple[Player, int]] = set()
    for entry in admissible:
        if entry[:2] in settled:
            continue
        group = agreeing(*entry, admissible)
        if group is None:
            verdicts[entry[:2]] = "not-compatible"
        elif sum(using[p, n] for p, n, _ in group) < PURGE_QUORUM:
            verdicts.update({(p, n): "too-few-markers" for p, n, _ in group})
            settled |= {(p, n) for p, n, _ in group}
        elif busy & {p for p, _, _ in group}:
            verdicts[entry[:2]] = "in-a-purge-already"
        else:
            found.append(group)
            busy |= {p for p, _, _ in group}
            settled |= {(p, n) for p, n, _ in group}
    return found


def _report(play: PhaseInPlay, player: Player, number: int, order: Purge, using: int, verdict: str) -> None:
    if verdict != "valid":
        play.fail(player, number, verdict, object=order.object)
    play.table.emit(
        PurgeFiled(
            rules=("17/11.0",) if verdict == "valid" else because(verdict).rules,
            player=player,
            number=number,
            object=order.object,
            participants=tuple(sorted(members(player, order))),
            using=using,
            division=order.division,
            separately=order.separately,
            verdict=verdict,
        )
    )


def _act(play: PhaseInPlay, group: list[Filed], using: dict[tuple[Player, int], int]) -> None:
    parts = [[entry] for entry in group] if group[0][2].separately else [group]
    if len(parts) > 1:  # J21: strongest first, equals by letter
        strength = {part[0][0]: _strength(play, part, using)[2] for part in parts}
        parts.sort(key=lambda part: (-strength[part[0][0]], part[0][0]))
    for part in parts:
        _resolve(play, part, using)


def _strength(
    play: PhaseInPlay, part: list[Filed], using: dict[tuple[Player, int], int]
) -> tuple[dict[Player, int], dict[Player, int], int]:
    leadership = {p: play.table.red_leadership(p) for p, _, _ in part}
    markers = {p: using[p, n] for p, n, _ in part}
    return leadership, markers, sum(leadership.values()) + sum(markers.values())


def _resolve(play: PhaseInPlay, part: list[Filed], using: dict[tuple[Player, int], int]) -> None:
    leadership, markers, strength = _strength(play, part, using)
    who = tuple(p for p, _, _ in part)
    order = part[0][2]
    result = _roll(play, who, order.object, leadership, markers, strength, occasion=f"purge/{'+'.join(who)}")
    if result == COUNTER:
        for p, n, _ in part:
            play.fail(p, n, "counterpurge", strength=strength)
        _counterpurge(play, order.object, who)
        return
    if len(part) == 1:
        wanted = [Share(who[0], int(result), order.taking)]
    else:
        wanted = shares(order.division, int(result), {p: o.taking for p, _, o in part})
    collect(play, order.object, wanted)
    how = ("J21",) if order.separately else ("11.23",) if len(part) > 1 else ()
    for p, n, _ in part:
        play.done(p, n, because("purged", *how, strength=strength, points=int(result)))


def _roll(
    play: PhaseInPlay,
    who: tuple[Player, ...],
    object_: Player,
    leadership: dict[Player, int],
    markers: dict[Player, int],
    strength: int,
    *,
    occasion: str,
) -> str:
    tables = play.board.tables
    dice = play.luck.two_dice(f"{occasion}/{object_}")
    column = tables.purge_column(strength)
    result = tables.purge[dice][column]
    play.luck.cell(f"11.4 {tables.purge_columns[column]}+/{dice} = {result}")
    counter = occasion.startswith("counter")
    play.table.emit(
        PurgeRolled(
            rules=("11.24", "11.25", "J21") if counter else ("11.0", "11.2", "J18"),
            participants=who,
            object=object_,
            counter=counter,
            leadership=leadership,
            markers=markers,
            strength=strength,
            dice=dice,
            result=result,
            changes=(Flagged("purge_done", True),),
        )
    )
    return result


def _counterpurge(play: PhaseInPlay, striker: Player, targets: tuple[Player, ...]) -> None:
    """C: the purged player may strike back, then the other, until a number comes or somebody holds still (11.26)."""
    for turn in range(1, ENDLESS):
        chosen = _choice(play, striker, targets)
        if chosen is None:
            return
        target, order = chosen
        leadership = {striker: play.table.red_leadership(striker)}
        markers = {striker: 2 * play.table.markers[striker].pm}  # 11.24
        strength = leadership[striker] + markers[striker]
        occasion = f"counterpurge/{turn}/{striker}"
        result = _roll(play, (striker,), target, leadership, markers, strength, occasion=occasion)
        if result != COUNTER:
            collect(play, target, [Share(striker, int(result), order.taking)])
            return
        striker, targets = target, (striker,)  # 11.25: from now on only these two


def _choice(play: PhaseInPlay, striker: Player, targets: tuple[Player, ...]) -> tuple[Player, Counterpurge] | None:
    """Whom a player's orders on file strike, if only these may be struck (J21)."""
    for order in play.of(striker, Counterpurge):
        if not order.decides(targets):
            continue
        if order.against is Against.NEVER:
            return None
        if isinstance(order.against, Against):
            weakest = order.against is Against.WEAKEST
            ranked = sorted(targets, key=lambda p: (_might(play, p) * (1 if weakest else -1), p))
            return ranked[0], order
        return order.against, order
    return None


def _might(play: PhaseInPlay, player: Player) -> int:
    return play.table.red_leadership(player) + 2 * play.table.markers[player].pm
