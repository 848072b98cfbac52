"""The box that opens a player's own copy, over a whole campaign."""

import re

from gm.board.model import OPPOSED, Color
from gm.orders.rules.odds import odds
from gm.position import Phase, Stack
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from tests.reports.campaigns import BOARD, sensible


def test_the_odds_of_the_box_are_those_of_an_attack_that_could_be_made() -> None:
    found = idle = 0
    for issue, made in sensible(0):
        after = issue.outcome.after
        if after.phase not in (Phase.FIRST, Phase.SECOND):
            continue
        for player in after.active:
            view = for_reader(BOARD, issue, made, Reader(player))
            for line in (item.text for item in view.yours if item.kind == "front"):
                strength = r"(\d+)(?: \(Reds\) and (\d+) \(others\))?"
                told = re.fullmatch(rf"(.+): your {strength} .+ you (\S+), they (\S+)\.", line)
                assert told, line
                code = next(c for c, p in BOARD.provinces.items() if p.name == told[1])
                mine, others = [], {}
                for stack in after.at(code):
                    (mine if stack.owner == player else others.setdefault(stack.owner, [])).append(stack)
                theirs = {force(those, own) for owner, those in others.items() if owner for own in mine}
                ours = {force(mine, foe) for those in others.values() for foe in those}
                assert (told[4], told[5]) == (best(ours), best(theirs)), (issue.number, player, line)
                facing = [own for own in mine if any(may(own, foe) for those in others.values() for foe in those)]
                assert int(told[2]) + int(told[3] or 0) == sum(s.strength for s in facing), (issue.number, line)
                idle += sum(s.strength for s in mine) > sum(s.strength for s in facing)
                found += 1
    assert found > 50
    assert idle  # somewhere stands a force that can attack none of them, and it is not counted


def may(stack: Stack, foe: Stack) -> bool:
    return stack.color is not None and foe.color in OPPOSED[stack.color]


def force(stacks: list[Stack], foe: Stack) -> tuple[int, int]:
    """Reds attack with nobody else (8.22)."""
    able = [s for s in stacks if may(s, foe)]
    reds = sum(s.strength for s in able if s.color is Color.RED)
    return max(reds, sum(s.strength for s in able) - reds), foe.strength


def best(attacks: set[tuple[int, int]]) -> str:
    able = [(a / d, odds(a, d)) for a, d in attacks if a and d]
    return max(able)[1] or "cannot" if able else "cannot"
