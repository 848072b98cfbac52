"""The box that opens a player's own copy, over a whole campaign."""

import re

import msgspec

from gm.board.model import OPPOSED, Color
from gm.orders.rules.odds import odds, subversions
from gm.position import Markers, Phase, Stack
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from gm.reports.prose import standard_prose
from gm.reports.view.yours import for_player
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
                back = r"(they|“.+”|nobody) (\S+)(?: attack| them)?\."
                told = re.fullmatch(rf"(.+): your {strength} .+ you (\S+?)(?: attack)?( against .+)?; {back}", line)
                assert told, line
                assert ("if all stay" in line) == (after.phase is Phase.FIRST), line
                code = next(c for c, p in BOARD.provinces.items() if p.name == told[1])
                mine, others = [], {}
                for stack in after.at(code):
                    (mine if stack.owner == player else others.setdefault(stack.owner, [])).append(stack)
                theirs = {force(those, own) for owner, those in others.items() if owner for own in mine}
                ours = {force(mine, foe) for those in others.values() for foe in those}
                back = "cannot" if (told[6], told[7]) == ("nobody", "commands") else told[7]
                assert (told[4], back) == (best(ours), best(theirs)), (issue.number, player, line)
                foes = [foe for those in others.values() for foe in those if any(may(foe, m) for m in mine)]
                some = {best({force(mine, foe)}) == told[4] for foe in foes}
                assert bool(told[5]) == (len(some) == 2 and told[4] != "cannot"), (issue.number, player, line)
                if told[6] == "nobody":
                    assert not any(foe.owner for foe in foes), line
                    continue
                able = [f"“{o}”" for o in others if o and best({force(others[o], s) for s in mine}) == told[7]]
                alone = (
                    told[7] == "cannot"
                    or len({o for o, s in others.items() if any(may(f, m) for f in s for m in mine)}) == 1
                )
                assert told[6] == ("they" if alone else standard_prose().many(able)), (issue.number, player, line)
                facing = [own for own in mine if any(may(own, foe) for those in others.values() for foe in those)]
                assert int(told[2]) + int(told[3] or 0) == sum(s.strength for s in facing), (issue.number, line)
                idle += sum(s.strength for s in mine) > sum(s.strength for s in facing)
                found += 1
    assert found > 50
    assert idle  # somewhere stands a force that can attack none of them, and it is not counted


def test_who_has_left_the_game_is_said_to_attack_nobody() -> None:
    """J37: their stacks defend, and no more."""
    found = 0
    for issue, made in sensible(0):
        after = issue.outcome.after
        for player in after.active if after.phase in (Phase.FIRST, Phase.SECOND) else ():
            for other in after.active:
                left = msgspec.structs.replace(after, quitters=(*after.quitters, other))
                if other == player or not any(s.owner == other and s.strength for s in left.stacks):
                    continue
                lines = [i.text for i in for_player(BOARD, made, left, Reader(player)).yours if i.kind == "front"]
                for line in (line for line in lines if f"(“{other}”" in line):
                    assert f"(“{other}”, out of the game)" in line
                    assert not re.search(rf"; [^;]*“{other}”[^;]* [\d-]+\.$", line), line
                    found += "they cannot" in line
    assert found


def test_no_chance_to_subvert_is_left_out_and_each_could_be_ordered() -> None:
    found = joint = 0
    for issue, made in sensible(0):
        after = issue.outcome.after
        for player in after.active:
            told = {item.text: item.kind for item in for_reader(BOARD, issue, made, Reader(player)).yours}
            lines = [text for text, kind in told.items() if kind.startswith("subvert")]
            assert len(lines) <= 5 and (not lines or after.phase is Phase.SECOND)
            named = set()
            for line in lines:
                said = re.fullmatch(
                    r"(.+): your (.+?)(, doubled,)? could subvert .+ at (\d+-1)( together, .+)?\.", line
                )
                assert said, line
                there = place(said[1])
                named.add(there)
                parts = re.findall(r"(\d+) from ([^,]+?)(?:, | and |$)", said[2])
                mine = [s for s in after.stacks if s.owner == player and s.color is Color.RED and s.strength]
                able = sorted((s.strength, s.province) for s in mine if BOARD.passable(s.province, there, Color.RED))
                assert sorted((int(n), place(name)) for n, name in parts) == able, line
                force = sum(n for n, _ in able) * (2 if after.subversion_doubled else 1)
                blue = [s for s in after.at(there) if s.owner != player and s.color is Color.BLUE]
                assert said[4] in [odds(force, s.strength) for s in blue if s.strength], line
                joint += len(parts) > 1
                found += 1
            more = next((text for text, kind in told.items() if kind == "more_subvert"), "")
            if after.phase is Phase.SECOND:
                chances = subversions(BOARD, after, player, after.owned(player), after.stacks)
                places = {plot.province for _, plot in chances}
                assert all(code in named or BOARD.provinces[code].name in more for code in places)
    assert found and joint


def test_the_box_of_the_shorter_game_promises_neither_subversion_nor_a_purge() -> None:
    whole = 0
    for issue, made in sensible(0, masses=True):
        after = issue.outcome.after
        marked = msgspec.structs.replace(
            after, boxes={p: msgspec.structs.replace(box, markers=Markers(pm=9)) for p, box in after.boxes.items()}
        )
        for player in after.active:
            told = for_reader(issue.board, issue, made, Reader(player)).yours
            told += for_player(issue.board, made, marked, Reader(player)).yours
            assert not [item.text for item in told if re.search("subver|purge", item.text, re.IGNORECASE)]
            on_the_whole = for_reader(BOARD, issue, made, Reader(player)).yours
            whole += any("subvert" in item.text for item in on_the_whole)
    assert whole > 5


def place(name: str) -> str:
    return next(code for code, province in BOARD.provinces.items() if province.name == name)


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
