"""The box that opens a player's own copy, over a whole campaign."""

import re

from gm.board.model import OPPOSED
from gm.orders.rules.odds import odds
from gm.position import Phase, Stack
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from tests.reports.campaigns import BOARD, sensible


def test_the_odds_of_the_box_are_those_of_an_attack_that_could_be_made() -> None:
    found = 0
    for issue, made in sensible(0):
        after = issue.outcome.after
        if after.phase not in (Phase.FIRST, Phase.SECOND):
            continue
        for player in after.active:
            view = for_reader(BOARD, issue, made, Reader(player))
            for line in (item.text for item in view.yours if item.kind == "front"):
                told = re.fullmatch(r"(.+): your \d+ .+ you (\S+), they (\S+)\.", line)
                assert told, line
                code = next(c for c, p in BOARD.provinces.items() if p.name == told[1])
                mine, others = [], {}
                for stack in after.at(code):
                    (mine if stack.owner == player else others.setdefault(stack.owner, [])).append(stack)
                theirs = {force(those, own) for owner, those in others.items() if owner for own in mine}
                ours = {force(mine, foe) for those in others.values() for foe in those}
                assert (told[2], told[3]) == (best(ours), best(theirs)), (issue.number, player, line)
                found += 1
    assert found > 50


def force(stacks: list[Stack], foe: Stack) -> tuple[int, int]:
    return sum(s.strength for s in stacks if s.color and foe.color in OPPOSED[s.color]), foe.strength


def best(attacks: set[tuple[int, int]]) -> str:
    able = [(a / d, odds(a, d)) for a, d in attacks if a and d]
    return max(able)[1] or "cannot" if able else "cannot"
