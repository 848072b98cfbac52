"""The box that opens a player's own copy, over a whole campaign."""

import re

from gm.board.model import OPPOSED, Color
from gm.orders.rules.odds import odds
from gm.position import Phase, Stack
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from gm.reports.prose import standard_prose
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
                told = re.fullmatch(rf"(.+): your {strength} .+ you (\S+), (they|“.+”) (\S+)\.", line)
                assert told, line
                code = next(c for c, p in BOARD.provinces.items() if p.name == told[1])
                mine, others = [], {}
                for stack in after.at(code):
                    (mine if stack.owner == player else others.setdefault(stack.owner, [])).append(stack)
                theirs = {force(those, own) for owner, those in others.items() if owner for own in mine}
                ours = {force(mine, foe) for those in others.values() for foe in those}
                assert (told[4], told[6]) == (best(ours), best(theirs)), (issue.number, player, line)
                able = [f"“{o}”" for o in others if o and best({force(others[o], s) for s in mine}) == told[6]]
                alone = (
                    told[6] == "cannot"
                    or len({o for o, s in others.items() if any(may(f, m) for f in s for m in mine)}) == 1
                )
                assert told[5] == ("they" if alone else standard_prose().many(able)), (issue.number, player, line)
                facing = [own for own in mine if any(may(own, foe) for those in others.values() for foe in those)]
                assert int(told[2]) + int(told[3] or 0) == sum(s.strength for s in facing), (issue.number, line)
                idle += sum(s.strength for s in mine) > sum(s.strength for s in facing)
                found += 1
    assert found > 50
    assert idle  # somewhere stands a force that can attack none of them, and it is not counted


def test_the_best_chances_to_subvert_are_told_and_each_could_be_ordered() -> None:
    found = 0
    for issue, made in sensible(0):
        after = issue.outcome.after
        for player in after.active:
            view = for_reader(BOARD, issue, made, Reader(player))
            lines = [item.text for item in view.yours if item.kind.startswith("subvert")]
            assert len(lines) <= 3 and (not lines or after.phase is Phase.SECOND)
            for line in lines:
                told = re.fullmatch(r"(.+), from (.+): your (\d+)(, doubled,)? could subvert .+ at (\d+)-1\.", line)
                assert told, line
                there, here = (
                    next(c for c, p in BOARD.provinces.items() if p.name == name) for name in told.group(1, 2)
                )
                mine = [s for s in after.at(here) if s.owner == player and s.color is Color.RED]
                blue = [s for s in after.at(there) if s.owner != player and s.color is Color.BLUE]
                force = int(told[3]) * (2 if after.subversion_doubled else 1)
                assert int(told[3]) in [s.strength for s in mine] and BOARD.passable(here, there, Color.RED), line
                assert f"{told[5]}-1" in [odds(force, s.strength) for s in blue if s.strength], line
                found += 1
    assert found


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
