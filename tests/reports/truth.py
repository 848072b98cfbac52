"""Whether what a story claims happened: its facts held against the Outcomes, its names against its facts."""

import re
from collections.abc import Callable, Iterator, Sequence

from gm.adjudicator import outcome as o
from gm.adjudicator.engine.working_position import replay
from gm.board.load import standard_board
from gm.board.model import OPPOSED, Color, Piece
from gm.position import Position
from gm.reports.prose import standard_prose
from gm.reports.view.model import Fact, Story
from gm.reports.view.names import DisplayNames

BOARD = standard_board()
NUMBERS = standard_prose().packs["words"]["numbers"]
ORDINALS = standard_prose().packs["words"]["ordinals"][1:]


def nth(text: str) -> int:
    return ORDINALS.index(text) + 1 if text in ORDINALS else int(text.removesuffix("th"))


class Truth:
    """The Outcomes of a campaign up to the one that is told; what happened is read from what changed."""

    def __init__(self, outcomes: Sequence[o.Outcome]) -> None:
        *self.history, self.now = outcomes
        self.before, self.after = self.now.before, self.now.after

    def events(self, kind: type[o.Event]) -> list[o.Event]:
        return [e for e in self.now.events if isinstance(e, kind)]

    def wrong(self, story: Story) -> list[Fact]:
        return [fact for fact in story.facts if not self.holds(fact)]

    def holds(self, fact: Fact) -> bool:
        check: Callable[[Fact], bool] = getattr(self, f"is_{fact.what}")
        return check(fact)

    # --- fighting

    def fights(self, province: str) -> list[o.Fought]:
        return [e for e in self.now.events if isinstance(e, o.Fought) and e.province == province]

    def boxed(self, event: o.Event) -> list[Piece]:
        return [c.held.piece for c in event.changes if isinstance(c, o.Boxed) and not c.out]

    def is_fell(self, fact: Fact) -> bool:
        return self.is_destroyed(fact) and fact.who in bells(self.before) and fact.who not in bells(self.after)

    def is_led(self, fact: Fact) -> bool:
        """Nobody greater was in the attack, and others were in his stack."""
        for event in self.fights(fact.where):
            own = next((s for s in event.attackers if fact.who in map(bell, s.leaders)), None)
            if own is not None:
                values = {p.bell: p.value for s in event.attackers for p in s.leaders}
                return values[fact.who] == max(values.values()) and len(own.pieces) > 1
        return False

    def _same_fight(self, fact: Fact) -> list[bool]:
        """Of each attack in which both fell, whether on the same side."""
        sides = [
            ({p.bell for s in e.attackers for p in s.pieces}, set(map(bell, e.defender.pieces)), e)
            for e in self.fights(fact.where)
        ]
        both = {fact.who, fact.by}
        return [both <= a or both <= d for a, d, e in sides if both <= set(map(bell, self.boxed(e)))]

    def is_fell_too(self, fact: Fact) -> bool:
        return self._same_fight(fact) == [True]

    def is_fell_opposite(self, fact: Fact) -> bool:
        return self._same_fight(fact) == [False]

    def is_fell_elsewhere(self, fact: Fact) -> bool:
        return self._same_fight(fact) == []

    def fallen(self, where: str) -> list[str | None]:
        """The owners of all Leaders who died in a province: in battle, and by assassins."""
        found = [
            event.defender.owner if piece in event.defender.pieces else event.player
            for event in self.fights(where)
            for piece in self.boxed(event)
            if piece.is_leader
        ]
        tried = [e for e in self.now.events if isinstance(e, o.AssassinationTried) and e.success]
        return [*found, *(e.owner for e in tried if e.province == where)]

    def is_fell_in(self, fact: Fact) -> bool:
        return len(self.fallen(fact.where)) == int(fact.by) > 1

    def is_fell_of(self, fact: Fact) -> bool:
        return self.fallen(fact.where).count(fact.who) == int(fact.by) > 1

    def _dead(self, outcome: o.Outcome) -> int:
        """Leaders of the map who are neither on it any more nor waiting to be deployed."""
        left = {p for p in outcome.before.where if p.is_leader} - outcome.after.where.keys()
        return len(left)

    def is_toll(self, fact: Fact) -> bool:
        return self._dead(self.now) == int(fact.by)

    def is_destroyed(self, fact: Fact) -> bool:
        return any(p.bell == fact.who for e in self.fights(fact.where) for p in self.boxed(e))

    def is_attacked(self, fact: Fact) -> bool:
        return any((e.player, e.odds) == (fact.who, fact.by) for e in self.fights(fact.where))

    def is_strengths(self, fact: Fact) -> bool:
        return any((str(e.attack), str(e.defence)) == (fact.who, fact.by) for e in self.fights(fact.where))

    def _strengths(self, fact: Fact) -> list[tuple[int, int]]:
        fights = [e for e in self.fights(fact.where) if e.player == fact.who and e.result == "De"]
        return [(sum(s.strength for s in e.attackers), e.defender.strength) for e in fights if not e.subversion]

    def is_won_upset(self, fact: Fact) -> bool:
        return any(attack < defence for attack, defence in self._strengths(fact))

    def is_won_even(self, fact: Fact) -> bool:
        return any(attack == defence for attack, defence in self._strengths(fact))

    def is_won_stronger(self, fact: Fact) -> bool:
        return any(attack > defence for attack, defence in self._strengths(fact))

    def is_won_walkover(self, fact: Fact) -> bool:
        return any(attack >= 5 * defence for attack, defence in self._strengths(fact))

    def is_order(self, fact: Fact) -> bool:
        """One attack came before another, by their letters and numbers."""
        fought = [f"{e.player}{e.number}" for e in self.fights(fact.where) if not e.subversion]
        return fought.index(fact.who) < fought.index(fact.by)

    def is_defended(self, fact: Fact) -> bool:
        return any(e.defender.owner == fact.who for e in self.fights(fact.where))

    def is_attacks(self, fact: Fact) -> bool:
        return len([e for e in self.fights(fact.where) if not e.subversion]) == int(fact.by)

    def _ended(self, fact: Fact, attackers: str, defenders: str) -> bool:
        """none, some or all of each side went into boxes by one attack of the player."""

        def share(event: o.Fought, stacks: Sequence[o.Stack]) -> str:
            side = {p for s in stacks for p in s.pieces if not p.is_imperial}
            lost = side & set(self.boxed(event))
            return "none" if not lost else "all" if lost == side else "some"

        return any(
            e.player == fact.who
            and share(e, e.attackers) in attackers.split("/")
            and share(e, (e.defender,)) in defenders.split("/")
            for e in self.fights(fact.where)
        )

    def is_won(self, fact: Fact) -> bool:
        return self._ended(fact, "none", "all")

    def is_repulsed(self, fact: Fact) -> bool:
        return self._ended(fact, "all", "none")

    def is_dear(self, fact: Fact) -> bool:
        return self._ended(fact, "some", "all")

    def is_mutual(self, fact: Fact) -> bool:
        return self._ended(fact, "all", "all")

    def is_vain(self, fact: Fact) -> bool:
        return self._ended(fact, "all", "some")

    # --- where things stand

    def is_there(self, fact: Fact) -> bool:
        return any(at(p, fact.who) == fact.where for p in (self.before, self.after))

    def is_empty(self, fact: Fact) -> bool:
        return all(s.color is None for s in self.after.at(fact.where))

    def is_holds(self, fact: Fact) -> bool:
        there = [s for s in self.after.at(fact.where) if s.color is not None]
        return {s.owner for s in there} == {fact.who} and sum(s.strength for s in there) == int(fact.by)

    def is_camp_before(self, fact: Fact) -> bool:
        return sum(s.strength for s in self.before.at(fact.where) if s.owner == fact.who) == int(fact.by)

    def is_only(self, fact: Fact) -> bool:
        there = [s for s in self.after.at(fact.where) if s.color is not None]
        return {p.color for s in there for p in s.pieces if not p.is_imperial} == {Color(fact.who)}

    def is_has(self, fact: Fact) -> bool:
        owner = next((s.owner for s in self.after.stacks for p in s.pieces if fact.by in (p.bell, p.name)), None)
        return (owner or "") == fact.who

    def is_owned(self, fact: Fact) -> bool:
        return fact.who in (owner(self.before, fact.by), owner(self.after, fact.by))

    def is_controls(self, fact: Fact) -> bool:
        return any(s.owner == fact.who for s in self.after.stacks for p in s.pieces if p.bell == fact.by)

    def is_came(self, fact: Fact) -> bool:
        """Under somebody's orders in this Phase, and not any more when it is over."""
        came = [p for e in self.events(o.ChitDrawn) if e.player == fact.who for p in e.gained]
        back = [p for e in self.events(o.Replaced) for p in e.units]
        there = any(p.bell == fact.by for p in (*came, *back))
        left = [p for p in came if (s := self.after.where.get(p)) and s.owner == fact.who and p.bell == fact.by]
        return there and len(left) < sum(p.bell == fact.by for p in (*came, *back))

    def is_last_leader(self, fact: Fact) -> bool:
        return self._leaders(self.after, fact.who) == [fact.by] and len(self._leaders(self.before, fact.who)) > 1

    def is_no_leader(self, fact: Fact) -> bool:
        """And it is news: there were some when the Phase began."""
        return not self._leaders(self.after, fact.who) and self._leaders(self.before, fact.who) != []

    def _leaders(self, position: Position, player: str) -> list[str]:
        return [p.bell for s in position.owned(player) for p in s.leaders]

    def is_dead(self, fact: Fact) -> bool:
        return fact.who in bells(self.before) and fact.who not in bells(self.after)

    def is_moved(self, fact: Fact) -> bool:
        return fact.where != fact.by and (at(self.before, fact.who), at(self.after, fact.who)) == (fact.where, fact.by)

    def is_with(self, fact: Fact) -> bool:
        """Beside a Leader, under the same command, and it had set out with him."""
        if at(self.before, fact.who) != at(self.before, fact.by):
            return False
        mine, his = (
            {(s.province, s.owner) for s in self.after.stacks for p in s.pieces if p.bell == bell}
            for bell in (fact.who, fact.by)
        )
        return fact.where in {place for place, _ in mine & his}

    def _red_gone(self, position: Position, where: str) -> bool:
        colors = {s.color for s in position.stacks if s.province == where and s.color is not None}
        return bool(colors) and Color.RED not in colors

    def is_no_red(self, fact: Fact) -> bool:
        return self._red_gone(self.after, fact.where) and not self._red_gone(self.before, fact.where)

    def is_was_lost(self, fact: Fact) -> bool:
        return self._red_gone(self.before, fact.where) and not self._red_gone(self.after, fact.where)

    def is_has_red(self, fact: Fact) -> bool:
        return any(s.color is Color.RED for s in self.after.at(fact.where))

    def is_recruits_to_come(self, fact: Fact) -> bool:
        return self.after.turn <= 5  # 9.16

    def is_last_month(self, fact: Fact) -> bool:
        return self.before.turn + 1 == self.after.turn == int(fact.by)

    def is_last_recruits(self, fact: Fact) -> bool:
        return (self.before.turn, self.after.turn) == (5, 6)

    def is_kept_913(self, fact: Fact) -> bool:
        refused = [rule for e in self.now.events if isinstance(e, o.Replaced) for _, rule in e.refused]
        return refused.count("9.13") == int(fact.by) > 0

    def is_no_red_then(self, fact: Fact) -> bool:
        at = next(n for n, e in enumerate(self.now.events) if isinstance(e, o.Replaced))
        return self._red_gone(replay(BOARD, self.before, self.now.events[:at]), fact.where)

    def is_nations_had(self, fact: Fact) -> bool:
        """All that is no longer on the map of nations of which nothing is."""
        left = {p.nation for p in self.after.where}
        gone = {p.nation for p in self.after.gone if p not in self.before.gone}
        return sum(p.value for p in self.before.where if p.nation and p.nation not in left | gone) == int(fact.by)

    def is_nation_gone(self, fact: Fact) -> bool:
        had, left = ({p.nation for p in x.where} for x in (self.before, self.after))
        home = any(p.nation == fact.who for p in self.after.gone if p not in self.before.gone)
        return fact.who in had and fact.who not in left and not home

    def forces(self, where: str) -> dict[tuple[str, str], int]:
        """The strength of everything in a province, by owner and colour; what is nobody's under no name."""
        found: dict[tuple[str, str], int] = {}
        for stack in self.after.at(where):
            if stack.color:
                key = stack.owner or "", str(stack.color)
                found[key] = found.get(key, 0) + sum(p.value for p in stack.pieces)
        return found

    def is_force(self, fact: Fact) -> bool:
        color, strength, *led = fact.by.split(" ", 2)
        stacks = [s for s in self.after.at(fact.where) if s.color == color and (s.owner or "") == fact.who]
        leaders = {p.bell: p.value for s in stacks for p in s.leaders}
        top = not leaders if not led else leaders[led[0]] == max(leaders.values())
        return self.forces(fact.where)[fact.who, color] == int(strength) and top

    def is_forces(self, fact: Fact) -> bool:
        return len(self.forces(fact.where)) == int(fact.by)

    def is_enemies(self, fact: Fact) -> bool:
        one, other = fact.who.split(), fact.by.split()
        both = {tuple(one), tuple(other)} <= self.forces(fact.where).keys()
        return both and one[0] != other[0] and other[1] in OPPOSED[Color(one[1])]

    def is_no_attack(self, fact: Fact) -> bool:
        """Neither with arms nor with words."""
        return not self.events(o.Fought)

    def is_colored(self, fact: Fact) -> bool:
        """All of a colour in a province, of those who have an owner or of those who have none."""
        strength, _, free = fact.by.partition(" ")
        mine = [
            n for (who, color), n in self.forces(fact.where).items() if color == fact.who and bool(who) != bool(free)
        ]
        return sum(mine) == int(strength)

    # --- rooms

    def is_murdered(self, fact: Fact) -> bool:
        return self._tried(fact, True) and fact.who not in bells(self.after)

    def is_attempt(self, fact: Fact) -> bool:
        return self._tried(fact, False)

    def _tried(self, fact: Fact, success: bool) -> bool:
        return any(
            (e.target.bell, e.province, e.player, e.success) == (fact.who, fact.where, fact.by, success)
            for e in self.now.events
            if isinstance(e, o.AssassinationTried)
        )

    def is_depots(self, fact: Fact) -> bool:
        shaken = [e for e in self.now.events if isinstance(e, o.RevolutionShaken)]
        recruits = self.before.turn <= 5  # 9.16
        return recruits and any(e.leader.bell == fact.who and e.suspended > 0 for e in shaken)

    def purges(self, outcome: o.Outcome) -> list[o.PurgeRolled]:
        return [e for e in outcome.events if isinstance(e, o.PurgeRolled)]

    def is_purge(self, fact: Fact) -> bool:
        return any(fact.who in e.participants and e.object == fact.by for e in self.purges(self.now))

    def is_purges_held(self, fact: Fact) -> bool:
        counters = [e.counter for e in self.purges(self.now)]
        return (counters.count(False), counters.count(True)) == (int(fact.who), int(fact.by))

    def is_purge_victim(self, fact: Fact) -> bool:
        taken = any(isinstance(e, o.PurgeSpoils) and e.victim == fact.who for e in self.now.events)
        return taken or any(e.object == fact.who for e in self.purges(self.now))

    def is_purge_roll(self, fact: Fact) -> bool:
        return any((str(e.strength), str(e.dice)) == (fact.who, fact.by) for e in self.purges(self.now))

    def is_purge_failed(self, fact: Fact) -> bool:
        return any(e.object == fact.who and e.result == "C" for e in self.purges(self.now))

    def is_pm_taken(self, fact: Fact) -> bool:
        sums: list[int] = []
        for event in self.now.events:
            if isinstance(event, o.PurgeRolled):
                sums.append(0)
            elif isinstance(event, o.PurgeSpoils) and event.victim == fact.who:
                sums[-1] += event.pm
        return int(fact.by) in sums

    def is_spoil(self, fact: Fact) -> bool:
        """A Leader, or a unit that went along, that a roll took from one and brought to another."""
        spoils = [e for e in self.now.events if isinstance(e, o.PurgeSpoils)]
        mine = [e for e in spoils if (e.victim, e.player) == (fact.where, fact.by)]
        return any(
            p.bell == fact.who
            for e in mine
            for c in e.changes
            if isinstance(c, o.Restacked)
            for s in c.after
            if s.owner == fact.by
            for p in s.pieces
        )

    def is_spoil_pm(self, fact: Fact) -> bool:
        spoils = [e for e in self.now.events if isinstance(e, o.PurgeSpoils)]
        return any((e.victim, e.player, e.pm) == (fact.where, fact.by, int(fact.who)) for e in spoils)

    def is_took(self, fact: Fact) -> bool:
        spoils = [e for e in self.now.events if isinstance(e, o.PurgeSpoils) and e.player == fact.who]
        return any(e.victim == fact.by and (e.pm or e.leaders) for e in spoils)

    def is_empty_chair(self, fact: Fact) -> bool:
        there = [p for s in self.after.owned(fact.who) for p in s.leaders if p.color is Color.RED]
        return there == [] and not self.after.box(fact.who).pm and self.is_nothing_purged(fact)

    def is_purge_orders(self, fact: Fact) -> bool:
        return len(self.events(o.PurgeFiled)) == int(fact.by) and not self.events(o.PurgeRolled)

    def is_czar_executed(self, fact: Fact) -> bool:
        return "CZAR" in bells(self.before) and "CZAR" not in bells(self.after)

    def is_execution_by(self, fact: Fact) -> bool:
        ordered = [e for e in self.now.events if isinstance(e, o.ExecutionOrdered)]
        return any(fact.who in e.participants and e.markers == int(fact.by) for e in ordered)

    def is_filed(self, fact: Fact) -> bool:
        return any((e.player, e.object) == (fact.who, fact.by) for e in self.now.events if isinstance(e, o.PurgeFiled))

    def is_czar_refused(self, fact: Fact) -> bool:
        return owner(self.after, "CZAR") == fact.who

    def is_czar_pending(self, fact: Fact) -> bool:
        return owner(self.after, "CZAR") == fact.who and self.after.execution_pending

    def is_left(self, fact: Fact) -> bool:
        return at(self.after, fact.who) != fact.where and any(
            h.piece.bell == fact.who for h in self.after.box(fact.by).held
        )

    def is_led_to(self, fact: Fact) -> bool:
        then, now = (
            next(s.province for s in at.stacks for p in s.pieces if p.bell == fact.who)
            for at in (self.before, self.after)
        )
        return (then, now) == (fact.where, fact.by)

    def is_had_before(self, fact: Fact) -> bool:
        return (owner(self.before, fact.by) or "") == fact.who

    def is_owned_then(self, fact: Fact) -> bool:
        """Whose it was when a nation called it home."""
        for number, event in enumerate(self.now.events):
            if isinstance(event, o.ChitDrawn) and event.withdrawn:
                then = replay(BOARD, self.before, self.now.events[:number])
                if any(s.owner == fact.who for p in event.withdrawn if p.bell == fact.by for s in [then.where[p]]):
                    return True
        return False

    def is_changed(self, fact: Fact) -> bool:
        return (owner(self.after, fact.who) or "") == fact.by

    def is_from(self, fact: Fact) -> bool:
        traded = [e for e in self.now.events if isinstance(e, o.Traded)]
        return any(fact.who in (e.giver, e.receiver) for e in traded)

    def is_traded(self, fact: Fact) -> bool:
        places = [(p.bell, s.owner) for s in self.before.stacks for p in s.leaders]
        return sum(owner(self.after, bell) != who for bell, who in places) <= int(fact.by)

    def is_gave(self, fact: Fact) -> bool:
        """All that one gave the other, in however many trades: Politburo and Assassin Markers."""
        traded = [e for e in self.now.events if isinstance(e, o.Traded)]
        given = [e.given for e in traded if (e.giver, e.receiver) == (fact.who, fact.by)]
        given += [e.returned for e in traded if e.returned and (e.receiver, e.giver) == (fact.who, fact.by)]
        return f"{sum(g.pm for g in given)}/{sum(g.am for g in given)}" == fact.where != "0/0"

    def is_nothing_purged(self, fact: Fact) -> bool:
        return not any(e.leaders or e.pm for e in self.now.events if isinstance(e, o.PurgeSpoils))

    def is_own_fight(self, fact: Fact) -> bool:
        return any(e.player == e.defender.owner == fact.who for e in self.fights(fact.where))

    # --- luck and score

    def is_withdrawn(self, fact: Fact) -> bool:
        return any(p.bell == fact.who for p in self.after.gone)

    def is_nation(self, fact: Fact) -> bool:
        return any((e.chit or "").startswith(fact.who) for e in self.now.events if isinstance(e, o.ChitDrawn))

    def is_sick(self, fact: Fact) -> bool:
        struck = [e for e in self.now.events if isinstance(e, o.EpidemicStruck) and fact.where in e.provinces]
        return any(p.bell == fact.who for e in struck for p in self.boxed(e)) and any(
            (fact.where, fact.who) == (where, p.bell) for e in struck for where, p in e.lost
        )

    def is_sick_of(self, fact: Fact) -> bool:
        for number, event in enumerate(self.now.events):
            if isinstance(event, o.EpidemicStruck):
                then = replay(BOARD, self.before, self.now.events[:number])
                lost = {p for _, p in event.lost if p.bell == fact.by}
                if any(s.owner == fact.who for s in then.stacks for p in s.pieces if p in lost):
                    return True
        return False

    def _fever(self) -> tuple[Position, list[Piece]]:
        """The Position when the fever came, and all whom it took."""
        at = [n for n, e in enumerate(self.now.events) if isinstance(e, o.EpidemicStruck)]
        lost = [p for n in at for p in self.boxed(self.now.events[n])]
        return replay(BOARD, self.before, self.now.events[: at[0]]), lost

    def is_fever_cost(self, fact: Fact) -> bool:
        then, lost = self._fever()
        return sum(p.value for p in lost if then.where[p].owner == fact.who) == int(fact.by)

    def is_fever_found(self, fact: Fact) -> bool:
        then, _ = self._fever()
        return sum(s.strength for s in then.stacks if s.owner == fact.who) == int(fact.by)

    def is_no_piece(self, fact: Fact) -> bool:
        return not any(not p.is_imperial for s in self.after.owned(fact.who) for p in s.pieces)

    def is_no_color(self, fact: Fact) -> bool:
        had, left = ([p.color for s in x.owned(fact.who) for p in s.leaders] for x in (self.before, self.after))
        return fact.by in had and fact.by not in left != []

    def is_towns(self, fact: Fact) -> bool:
        return len({w for e in self.now.events if isinstance(e, o.EpidemicStruck) for w, _ in e.lost}) == int(fact.by)

    def _back(self) -> list[Piece]:
        """Whoever came out of a box onto the map in the step of the replacements."""
        replaced = [c for e in self.now.events if isinstance(e, o.Replaced) for c in e.changes]
        return [c.held.piece for c in replaced if isinstance(c, o.Boxed) and c.out]

    def is_returned(self, fact: Fact) -> bool:
        return fact.who in map(bell, self._back())

    def is_units(self, fact: Fact) -> bool:
        """Who came back and is still there."""
        return sum(p in self.after.where for p in self._back()) == int(fact.by)

    def is_doubled(self, fact: Fact) -> bool:
        return self.after.subversion_doubled and any(p.color is Color.BLUE for p in self.after.where)

    def is_players(self, fact: Fact) -> bool:
        return len(self.after.players) == int(fact.by)

    def _leads(self, outcome: o.Outcome, color: str, who: str) -> bool:
        return all(
            getattr(outcome.points[who], color) > getattr(n, color) for p, n in outcome.points.items() if p != who
        )

    def _heads(self, outcome: o.Outcome, color: str) -> dict[str, int]:
        points = {p: getattr(n, color) for p, n in outcome.points.items()}
        return {p: n for p, n in points.items() if n == max(points.values())}

    def is_heads_red(self, fact: Fact) -> bool:
        return self._heads(self.now, "red").get(fact.who) == int(fact.by)

    def is_heads_white(self, fact: Fact) -> bool:
        return self._heads(self.now, "white").get(fact.who) == int(fact.by)

    def is_headed_red(self, fact: Fact) -> bool:
        return fact.who in self._heads(self.history[-1], "red")

    def is_headed_white(self, fact: Fact) -> bool:
        return fact.who in self._heads(self.history[-1], "white")

    def _score(self, fact: Fact, color: str) -> bool:
        was, now = (getattr(x.points[fact.who], color) for x in (self.history[-1], self.now))
        return (str(was), str(now)) == (fact.where, fact.by)

    def is_score_red(self, fact: Fact) -> bool:
        return self._score(fact, "red")

    def is_score_white(self, fact: Fact) -> bool:
        return self._score(fact, "white")

    def is_jump(self, fact: Fact) -> bool:
        """Every score that moved so far, and no other."""
        pairs = [
            (getattr(self.history[-1].points[p], c), getattr(n, c))
            for p, n in self.now.points.items()
            if p in self.history[-1].points
            for c in ("red", "white")
        ]
        return sum(abs(now - was) >= int(fact.who) for was, now in pairs) == int(fact.by)

    def is_margin(self, fact: Fact) -> bool:
        """Between the first and whoever comes behind him."""
        points = sorted({getattr(n, str(self.after.victory)) for n in self.now.points.values()}, reverse=True)
        return points[0] - points[1] == int(fact.by)

    def is_final(self, fact: Fact) -> bool:
        return getattr(self.now.points[fact.who], str(self.after.victory)) == int(fact.by)

    def _second(self, color: str, fact: Fact) -> bool:
        points = sorted((getattr(n, color) for n in self.now.points.values()), reverse=True)
        return getattr(self.now.points[fact.who], color) == points[1] == int(fact.by)

    def is_second_red(self, fact: Fact) -> bool:
        return self._second("red", fact)

    def is_second_white(self, fact: Fact) -> bool:
        return self._second("white", fact)

    def is_led_red(self, fact: Fact) -> bool:
        return self._leads(self.history[-1], "red", fact.who) and self.now.points[fact.who].red == int(fact.by)

    def is_led_white(self, fact: Fact) -> bool:
        return self._leads(self.history[-1], "white", fact.who) and self.now.points[fact.who].white == int(fact.by)

    def _west(self, color: Color, leaders: bool) -> list[str]:
        stacks = [s for s in self.after.stacks if BOARD.provinces[s.province].region != "Siberia"]
        return [p.bell for s in stacks for p in (s.leaders if leaders else s.units) if p.color is color]

    def is_eve_white(self, fact: Fact) -> bool:
        return self._west(Color.RED, True) == [fact.who] and at(self.after, fact.who) == fact.where

    def is_eve_red(self, fact: Fact) -> bool:
        return self._west(Color.WHITE, False) == [fact.who] and at(self.after, fact.who) == fact.where

    def is_quit(self, fact: Fact) -> bool:
        return fact.who in self.after.quitters and fact.who not in self.before.quitters

    def is_contested(self, fact: Fact) -> bool:
        """What H3 adds up, by hand from the pieces on the map."""
        regions = ("Greater Russia", "White Russia", "Ukraine", "Cossack Territories")
        there = [s for s in self.after.stacks if BOARD.provinces[s.province].region in regions]
        found = sum(p.value for s in there if s.color == fact.who for p in s.pieces if not p.is_imperial)
        return found == int(fact.by)

    def is_won_war(self, fact: Fact) -> bool:
        color = self.after.victory
        points = {p: getattr(n, str(color)) for p, n in self.now.points.items()}
        best = max(points.values())
        first = [p for p, n in points.items() if n == best]
        return best == int(fact.by) and (first == [fact.who] if len(first) == 1 else fact.who == "")


def bell(piece: Piece) -> str:
    return piece.bell


def bells(position: Position) -> set[str]:
    return {p.bell for s in position.stacks for p in s.pieces}


def at(position: Position, bell: str) -> str | None:
    return next((s.province for s in position.stacks for p in s.pieces if p.bell == bell), None)


def owner(position: Position, bell: str) -> str | None:
    return next((s.owner for s in position.stacks for p in s.pieces if p.bell == bell), None)


def fights_of(outcome: o.Outcome) -> list[o.Fought]:
    return [e for e in outcome.events if isinstance(e, o.Fought) and not e.subversion]


def misread(names: DisplayNames, truth: Truth, story: Story) -> Iterator[str]:
    """What the words of a story say of forces, of the fallen and of where the committee sat, and is not so."""
    places = {f.where for f in story.facts if f.what == "force"}
    there = [item for c in places for item in truth.forces(c).items()]
    forces = {(names.who(who) if who else "nobody", color, n) for (who, color), n in there}
    said = re.findall(r"(\w+)'s? ([\w ]+?) with (\d+) points?\b", f"{story.headline} {story.lead}")
    for who, people, strength in said if places else ():
        color = {"Reds": Color.RED, "Whites": Color.WHITE}.get(people)
        if not any((who, int(strength)) == (f[0], f[2]) and color in (None, f[1]) for f in forces):
            yield f"{who} {people} {strength}"
    if story.kind in ("centre_lost", "no_attack", "armies") and places:
        told = [int(n) for n in re.findall(r"with (\d+) points?\b", story.lead)]
        if sum(told) != sum(n for _, _, n in forces) or (len(forces) <= 3 and len(told) < len(forces)):
            yield "not every force is told"
    if story.kind.startswith("lead_"):
        yield from _leads(truth, names, story)
    if story.kind == "purge_session":
        yield from _order_of_purges(truth, story)
    if story.kind == "leader_fell":
        yield from _number_fallen(names, truth, story)
    if re.match(r"PETROGRAD|MOSCOW", story.dateline) and story.kind in ("purge", "purge_failed", "purge_plots"):
        where = "PETR" if story.dateline.startswith("PETROGRAD") else "TVER"
        if not any(p.color is Color.RED for s in truth.after.at(where) for p in s.pieces):
            yield story.dateline


def _leads(truth: Truth, names: DisplayNames, story: Story) -> Iterator[str]:
    """Everybody at the head of a score is named, in this issue and in the last one."""
    color = next(f.what.removeprefix("heads_") for f in story.facts if f.what.startswith("heads_"))
    text = f"{story.headline} {story.lead}"
    for outcome in (truth.now, truth.history[-1]):
        points = {p: getattr(n, color) for p, n in outcome.points.items()}
        for player, n in points.items():
            if n == max(points.values()) and player in truth.now.points and names.who(player) not in text:
                yield f"{player} heads the {color} score, and is not named"


def _order_of_purges(truth: Truth, story: Story) -> Iterator[str]:
    """A session is told whole: as many Purges and Counterpurges as there were, and what each took, in its order."""
    rolls = truth.purges(truth.now)
    counters = []
    for what, row in re.findall(r"\b(Purge|Counterpurge) of \w+ by|(\w+) Counterpurges to and fro", story.lead):
        number = NUMBERS.index(row) if row in NUMBERS else int(row or 1)
        counters += [bool(row) or what == "Counterpurge"] * number
    if counters != [e.counter for e in rolls]:
        yield "not every Purge is told"
    taken: list[str] = []
    for event in truth.now.events:
        if isinstance(event, o.PurgeSpoils):
            taken += [p.name for p in event.leaders]
    course = story.lead.split(" At the end of it:")[0]
    at = -1
    for name in taken:
        found = re.compile(rf"\b{re.escape(name)}\b").search(course, at + 1)
        if found is None:
            yield f"{name} is not told in his place"
            return
        at = found.start() - (taken.count(name) == 1)
    for name in {n for n in taken if taken.count(n) > 1}:
        if not re.search(rf"At the end of it:.*\b{re.escape(name)}\b", story.lead):
            yield f"who has {name} at the end?"


def _number_fallen(names: DisplayNames, truth: Truth, story: Story) -> Iterator[str]:
    """`Yeserov and three other Leaders fall`: of all sides, where it does not say whose."""
    found = re.search(r"(?i)\b(\w+) (other )?Leaders?\b", story.headline)
    if not found or found[1].lower() not in NUMBERS:
        return
    where = next(f.where for f in story.facts if f.what == "fell")
    fallen, number = truth.fallen(where), NUMBERS.index(found[1].lower()) + bool(found[2])
    whose = [p for p, name in names.short.items() if re.search(rf"\b{name} loses\b|\bof {name}\b", story.headline)]
    if number != (fallen.count(whose[0]) if whose else len(fallen)):
        yield found[0]


def unbacked(names: DisplayNames, story: Story) -> Iterator[str]:
    """Names and figures in the words of a story for which it has no fact."""
    text = f"{story.headline} {story.lead}"
    said = " ".join(f"{f.who} {f.where} {f.by}" for f in story.facts)
    for piece in BOARD.pieces.values():
        czar = piece.name == "Czar" and "czar" in f"{story.kind} {said}"  # in a score: points over him
        known = piece.is_unit or piece.name in said or piece.bell in said or czar
        if not known and re.search(rf"\b{re.escape(piece.name)}\b", text):
            yield piece.name
    places = {p.name: code for code, p in BOARD.provinces.items()} | {
        names.land(code).removeprefix("the "): code for code in BOARD.provinces
    }
    bare = re.sub(r"\b(?:St|Lower) \w+", "", text)
    for name in sorted(places, key=len, reverse=True):
        found = re.search(rf"\b{re.escape(name)}\b(?! (?:regiment|brigade|division|corps))", bare)
        if found and places[name] not in said and not re.search(rf"{re.escape(name)} (?:Vladimir)", bare):
            yield name
        bare = bare.replace(name, "")
    for player, name in names.short.items():
        if re.search(rf"\b{re.escape(name)}\b", text) and not re.search(rf"\b{player}\b", said):
            yield name
    for figure in re.findall(r"\b\d+\b", text):
        if re.fullmatch(r"19[12]\d", figure):
            continue
        if figure not in re.findall(r"\d+", said):
            yield figure
