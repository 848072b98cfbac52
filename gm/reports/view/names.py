"""How the paper calls players, provinces, pieces and goods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from gm.adjudicator.outcome import Outcome
from gm.board.model import Board, Color, Piece
from gm.notation import format_pieces
from gm.orders.kinds import Goods
from gm.position import SYSTEM_PLAYER, Player, Stack
from gm.reports.issue import PlayerInfo
from gm.reports.prose import Prose
from gm.wording import clean

UNITS_NAMED = 3  # in a sentence; more are counted


@dataclass(frozen=True)
class DisplayNames:
    board: Board
    words: Prose
    players: Mapping[Player, str]  # full names
    short: Mapping[Player, str]  # surnames where they are unique
    board_players: frozenset[Player] = frozenset()  # all letters, named or not
    removed: frozenset[Player] = frozenset()  # whom the Gamesmaster has taken out in this Phase

    def who(self, player: Player | None) -> str:
        """A player in a story: `Grossman`."""
        if player is None:
            return self.words.template("words", "nobody")
        return self.short.get(player) or self.words.phrase("words", "player", letter=player)

    def tag(self, player: Player) -> str:
        """A player in a list: `Grossman ("A")`."""
        if player in self.short:
            return self.words.phrase("words", "player_tag", name=self.short[player], letter=player)
        return self.words.phrase("words", "player_tag_bare", letter=player)

    def title(self, player: Player) -> str:
        """A player above their own list: `Ben Grossman ("A")`."""
        if player in self.players:
            return self.words.phrase("words", "player_tag", name=self.players[player], letter=player)
        return self.words.phrase("words", "player_tag_bare", letter=player)

    def whose(self, player: Player) -> str:
        """`Quist's`; of a name that ends in s `Jones'`."""
        who = self.who(player)
        return self.words.phrase("words", "whose_s" if who.endswith("s") else "whose", who=who)

    def whos(self, players: Iterable[Player]) -> str:
        return self.words.many(self.who(p) for p in players)

    def tags(self, players: Iterable[Player]) -> str:
        return self.words.many(self.tag(p) for p in players)

    def place(self, province: str) -> str:
        found = self.board.provinces.get(province)
        return found.name if found else province

    def land(self, province: str) -> str:
        """A province as a sentence calls it: `Tver`, `the Don`."""
        known: Mapping[str, str] = self.words.packs["words"]["land"]
        return known.get(province) or self.place(province)

    def at(self, province: str) -> str:
        """Where something happens: `at Tver`, `in Livonia`, `on the Don`."""
        table = self.words.packs["words"]
        how = "on" if province in table["on_land"] else "in" if province in table["in_land"] else "at"
        return self.words.phrase("words", f"where.{how}", place=self.land(province))

    def is_town(self, province: str) -> bool:
        """Whether a province is called after a town: in a steppe there are no windows."""
        table = self.words.packs["words"]
        return province not in (*table["on_land"], *table["in_land"])

    def leader(self, piece: Piece) -> str:
        """`Baron Wrangel`, `the former Czar`."""
        return self.leader_called(piece.name)

    def leader_called(self, name: str) -> str:
        """The same by the name on the counter."""
        known = self.words.packs["leaders"].get(name)
        return str(known["title"]) if known else name

    def life(self, name: str) -> str:
        """Who he was; of a Leader whom only the campaign's own board has, the paper knows nothing."""
        known = self.words.packs["leaders"].get(name)
        return str(known["life"] if known else self.words.packs["words"]["no_life"])

    def known(self, piece: Piece) -> bool:
        """Whether readers far away have heard of him."""
        return bool(self.words.packs["leaders"].get(piece.name, {}).get("known"))

    def pieces(self, pieces: Iterable[Piece]) -> str:
        """Pieces within a sentence, in Bell notation; several alike with their number."""
        found = Counter(piece.bell for piece in pieces)
        return self.words.many(f"{n} {bell}" if n > 1 else bell for bell, n in found.items())

    def on_the_way(self, changes: Iterable[tuple[bool, str, Iterable[Piece]]]) -> str:
        """Who came to a force on its road (True) and who was put down where, as a sentence; mostly nobody."""
        parts = []
        for joins, place, pieces in changes:
            key = f"movement.{'joined' if joins else 'stayed'}"
            parts.append(self.words.phrase("happened", key, pieces=self.pieces(pieces), at=self.at(place)))
        return self.words.say("happened", "movement.road", changes="; ".join(parts)) if parts else ""

    def told(self, pieces: Iterable[Piece], *, bare: bool = False) -> str:
        """Pieces as a story calls them: `General Miller, the White Kursk division and two French regiments`.

        `bare`: without the nation, where the sentence has just named it.
        """
        pieces = tuple(pieces)
        found = [self.leader(p) for p in pieces if not p.is_unit]
        units = Counter(_kin(p) for p in pieces if p.is_unit)
        one_of = {_kin(p): p for p in pieces if p.is_unit}
        if len(units) > UNITS_NAMED:
            kinds = {p.nation for p in one_of.values()}
            if len(kinds) > 1 or None in kinds:
                kinds = {p.color for p in one_of.values()}
            words = [self.words.template("words", f"adjective.{kind}") for kind in _in_order(kinds)]
            sizes = {self._size(p)[1] for p in one_of.values()}
            data = {"n": units.total(), "adjective": self.words.many(words)}
            data["several"] = sizes.pop() if len(sizes) == 1 else self.words.template("words", "formation.mixed")
            key = "formation.many_bare" if bare and len(kinds) == 1 else "formation.many"
            counted = self.words.phrase("words", key, **data)
            return self.words.many([*found, counted])
        found += [self._formation(unit, units[kin], bare) for kin, unit in one_of.items()]
        return self.words.many(found)

    @cached_property
    def _kin_counts(self) -> Counter[str]:
        return Counter(map(_kin, self.board.pieces.values()))

    def _formation(self, unit: Piece, number: int, bare: bool) -> str:
        """A unit by its colour or nation, its home (of foreign troops none) and its size; of twins how many."""
        table = self.words.packs["words"]
        one, several = self._size(unit)
        home = "" if unit.color is Color.BLUE else table["home"].get(unit.home, self.place(unit.home))
        twins = self._kin_counts[_kin(unit)] > 1
        adjective = "" if bare else self.adjective(unit)
        name = " ".join(self.words.phrase("words", "formation.name", adjective=adjective, home=home).split())
        key = "several" if number > 1 else "one" if not twins and name else "one_of"
        if key == "one_of" and name[:1] in tuple("AEIO"):
            key = "one_of_vowel"
        said = self.words.phrase("words", f"formation.{key}", n=number, name=name, one=one, several=several)
        return " ".join(said.split())

    def _size(self, unit: Piece) -> tuple[str, str]:
        """`division`, `divisions`."""
        _, one, several = next(size for size in self.words.packs["words"]["scale"] if unit.value >= size[0])
        return one, several

    def adjective(self, unit: Piece) -> str:
        return self.words.template("words", f"adjective.{unit.nation or unit.color}")

    def stack(self, stack: Stack) -> str:
        return format_pieces(stack.pieces)

    def nation(self, code: str | None) -> str:
        found = self.board.nations.get(code or "")
        return found.name if found else str(code)

    def chit(self, chit: str | None) -> str:
        """What was drawn from the Randomizer: a Control Marker by its nation's name, for of two letters one may think
        of another."""
        if chit is None:
            return self.words.template("happened", "randomizer.empty_what")
        if chit in ("PM", "AM"):
            return self.words.template("happened", f"randomizer.{chit.lower()}")
        nation, _, kind = chit.partition(" ")
        return self.words.phrase(
            "happened", f"randomizer.{kind}", nation=self.words.template("words", f"adjective.{nation}")
        )

    def goods(self, goods: Goods, form: str = "") -> str:
        found = [leader.bell for leader in goods.leaders]
        if goods.pm:
            found.append(self.words.phrase("happened", f"pm{form}", n=goods.pm))
        if goods.am:
            found.append(self.words.phrase("happened", f"am{form}", n=goods.am))
        return self.words.many(found)


def names_for(board: Board, words: Prose, players: Mapping[Player, PlayerInfo], outcome: Outcome) -> DisplayNames:
    full = {p: clean(info.name) for p, info in players.items() if p in outcome.after.players}
    full = {p: name for p, name in full.items() if name}
    last = {p: name.split()[-1] for p, name in full.items()}
    common = Counter(name.casefold() for name in last.values())
    short = {p: name if common[name.casefold()] == 1 else full[p] for p, name in last.items()}
    if outcome.after.solitaire and SYSTEM_PLAYER in short:  # "The Whites" would need verbs of their own
        short[SYSTEM_PLAYER] = words.template("words", "system_told")
    removed = frozenset(p for p, info in players.items() if info.removed)
    return DisplayNames(board, words, full, short, frozenset(outcome.after.players), removed)


def _in_order(kinds: set[str | None] | set[Color | None]) -> list[str]:
    """Colours as the rules name them; of one nation, that."""
    order = {color: n for n, color in enumerate(Color)}
    return [str(kind) for kind in sorted(kinds, key=lambda kind: order.get(kind, 0))]


def _kin(unit: Piece) -> str:
    """Units that a story calls by the same name; foreign troops are not called by a Russian province."""
    return f"{unit.nation} {unit.value}" if unit.color is Color.BLUE else unit.bell


def left_out(names: DisplayNames, outcome: Outcome) -> str:
    """14.2: who has left has no points, and is named all the same."""
    gone = [names.title(player) for player in outcome.after.quitters]
    return " " + names.words.say("happened", "victory.left", names=names.words.many(gone)) if gone else ""
