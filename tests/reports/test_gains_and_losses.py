"""The reader's box says of every gain and loss how it came about, and they sum up to what changed."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from gm.adjudicator.outcome import ChitDrawn
from gm.position import Phase, Player, Position
from gm.reports.build import for_reader
from gm.reports.issue import Reader
from gm.reports.prose import standard_prose
from gm.reports.render.html import render_json
from gm.reports.render.json import read_json
from gm.reports.view.model import BellView, Holding
from gm.reports.view.yours import for_player
from tests.reports.campaigns import BOARD, campaign, sensible


def owned(position: Position, player: Player) -> Counter[str]:
    found = Counter(piece.bell for stack in position.owned(player) for piece in stack.pieces)
    found.update(position.box(player).markers.as_list())
    return found


def counted(items: tuple[str, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in items:
        number, _, what = item.partition(" ")
        found.update({what: int(number)} if number.isdecimal() else {item: 1})
    return found


def holding_of(view: BellView, player: Player) -> Holding:
    return next(h for h in view.positions.holdings if h.player == player)


@pytest.mark.parametrize("seed", range(6))
def test_every_gain_and_loss_has_its_cause_and_all_sum_up(seed: int) -> None:
    seen: set[tuple[bool, str]] = set()
    for issue, view in (*campaign(seed, 25), *(sensible(0) if seed == 0 else ())):
        before, after = issue.outcome.before, issue.outcome.after
        if before.phase is Phase.SETUP:
            assert not any(holding.causes for holding in view.positions.holdings)
            continue
        for player in after.players:
            holding = holding_of(view, player)
            sum_of = owned(before, player)
            for cause in holding.causes:
                (sum_of.update if cause.gained else sum_of.subtract)(counted(cause.what))
                seen.add((cause.gained, cause.how))
            sum_of.subtract(counted(holding.given_up))
            assert +sum_of == owned(after, player) and not -sum_of, (issue.number, player)
            box = [i.text for i in for_reader(BOARD, issue, view, Reader(player)).yours if i.kind in ("gained", "lost")]
            told = {item for cause in holding.causes for item in cause.what if "control" not in item}
            assert all(any(item in line for line in box) for item in told), (issue.number, player, box)
    assert not [how for how in seen if how[1] == "other"], seen
    words = standard_prose().packs["labels"]["yours"]
    assert seen <= {(gained, how) for gained, key in ((True, "got"), (False, "went")) for how in words[key]}
    assert len(seen) > 10, seen


def test_an_epidemic_is_named_with_the_provinces_where_it_struck() -> None:
    told = [
        sentence
        for issue, view in campaign(0, 25)
        for player in issue.outcome.after.players
        for item in for_reader(BOARD, issue, view, Reader(player)).yours
        if item.kind in ("gained", "lost")
        for sentence in re.split(r"(?<=\.) ", item.text)
    ]
    assert any(re.fullmatch(r"Lost to epidemics: [RW]U\d [A-Z]{3,4} \([A-Z][a-z ]+\)\.", line) for line in told), told
    assert any(re.fullmatch(r"Gained: \d [PA]M.* \(from [A-Z]\w+\)\.", line) for line in told)
    assert any(line.startswith("Given to ") for line in told)
    assert any(re.match(r"Lost (in battle|by exchange): ", line) for line in told)


def test_a_page_made_later_says_the_same_and_one_of_an_issue_of_before_what_changed() -> None:
    issue, view = next(
        (issue, view) for issue, view in campaign(0, 25) if any(h.causes and h.lost for h in view.positions.holdings)
    )
    player = next(h.player for h in view.positions.holdings if h.causes and h.lost)
    assert player is not None
    printed = read_json(BOARD, json.loads(render_json(issue, view)))
    box = [item for item in for_reader(BOARD, issue, view, Reader(player)).yours if item.kind in ("gained", "lost")]
    later = for_player(BOARD, printed.view, printed.position, Reader(player)).yours
    assert [item for item in later if item.kind in ("gained", "lost")] == box
    bare = replace(
        view, positions=replace(view.positions, holdings=tuple(replace(h, causes=()) for h in view.positions.holdings))
    )
    old = for_player(BOARD, bare, issue.outcome.after, Reader(player)).yours
    assert next(item.text for item in old if item.kind == "lost").startswith("No longer yours: ")


def test_a_draw_that_brings_nothing_to_keep_is_told_and_what_came_with_a_marker_stands_beside_it() -> None:
    void = mixed = 0
    for seed in range(6):
        for issue, view in campaign(seed, 25):
            for event in issue.outcome.events:
                if not isinstance(event, ChitDrawn) or event.set_aside:
                    continue
                box = " ".join(i.text for i in for_reader(BOARD, issue, view, Reader(event.player)).yours)
                if event.chit is None:
                    assert "A draw from the Randomizer brought you nothing, for it is empty." in box
                elif event.chit.endswith("withdrawal"):
                    assert re.search(
                        r"You drew from the Randomizer: the \w+ Withdrawal Marker. It calls those troops home;", box
                    )
                    void += 1
                elif (
                    drawn := re.search(r"Gained from the Randomizer: [^.]*Control Marker[^.]*\.", box)
                ) and "AM" in box:
                    assert not re.search(r"\d AM[^.]*Control Marker", drawn[0]), drawn[0]
                    mixed += 1
    assert void and mixed
