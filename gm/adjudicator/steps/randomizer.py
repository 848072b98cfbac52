"""Draws from the Randomizer (12.13, 5.67, J24), in its own step and through the Random Events Table."""

from __future__ import annotations

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import without
from gm.adjudicator.outcome import GONE, RANDOMIZER, Change, ChitDrawn, Gone, Marked, Restacked
from gm.board.model import Color
from gm.position import Player, Stack


def randomizer(play: PhaseInPlay) -> None:
    """Each player in letter order."""
    for player in play.table.players:
        draw(play, player, f"randomizer/{player}")


def draw(play: PhaseInPlay, player: Player, occasion: str) -> None:
    """One chit for a player, and another for each that is set aside."""
    tries = 0
    while play.luck.offers("chit"):
        chits = play.table.markers[RANDOMIZER].as_list()
        if not chits:
            play.table.emit(ChitDrawn(rules=("J24",), player=player, chit=None))
            return
        tries += 1
        chit = play.luck.draw(f"{occasion}/{tries}", chits)
        if not _void(play, chit):
            _take_effect(play, player, chit)
            return
        play.table.emit(
            ChitDrawn(
                rules=("12.13", "J24"),
                player=player,
                chit=chit,
                set_aside=True,
                changes=(Marked(RANDOMIZER, chit, -1), Marked(GONE, chit, 1)),
            )
        )


def _void(play: PhaseInPlay, chit: str) -> bool:
    """A Blue chit of a nation with no unit on the map; a Green one never is."""
    nation, _, kind = chit.partition(" ")
    if not kind or play.board.nations[nation].color is not Color.BLUE:
        return False
    return not play.table.of_nation(nation)


def _take_effect(play: PhaseInPlay, player: Player, chit: str) -> None:
    nation, _, kind = chit.partition(" ")
    taken: list[Change] = [Marked(RANDOMIZER, chit, -1)]
    # Green units under a Leader with the Gold stay his (13.26).
    stacks = [s for s in play.table.of_nation(nation) if not s.leaders] if kind else []
    if kind == "withdrawal":
        _withdraw(play, player, chit, nation, stacks)
    elif kind == "control":
        after = tuple(Stack(s.province, player, s.pieces) for s in stacks)
        changes = (*taken, Marked(player, chit, 1), Restacked(tuple(stacks), after))
        gained = tuple(p for s in stacks for p in s.pieces if p.nation == nation)
        table_rules = ("12.13", "5.61" if play.board.nations[nation].color is Color.BLUE else "5.71", "J1")
        play.table.emit(ChitDrawn(rules=table_rules, player=player, chit=chit, gained=gained, changes=changes))
    else:
        changes = (*taken, Marked(player, chit, 1))
        play.table.emit(ChitDrawn(rules=("12.13", "J24"), player=player, chit=chit, changes=changes))


def _withdraw(play: PhaseInPlay, player: Player, chit: str, nation: str, stacks: list[Stack]) -> None:
    units = [p for s in stacks for p in s.pieces if p.nation == nation]
    after = [rest for s in stacks for rest in without(play.table, s, units)]
    changes: list[Change] = [Marked(RANDOMIZER, chit, -1), Marked(GONE, chit, 1)]
    changes += [Restacked(tuple(stacks), tuple(after)), *(Gone(unit) for unit in units)]
    play.table.emit(
        ChitDrawn(
            rules=("5.67", "12.13", "J24"),
            player=player,
            chit=chit,
            withdrawn=tuple(units),
            changes=tuple(changes),
        )
    )
