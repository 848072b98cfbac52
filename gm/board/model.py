"""The game box as immutable, indexed values: provinces, borders, rail, counters, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Color(StrEnum):
    RED = "red"
    WHITE = "white"
    GREEN = "green"
    BLUE = "blue"


class Kind(StrEnum):
    LEADER = "leader"
    UNIT = "unit"
    IMPERIAL = "imperial"


class Provenance(StrEnum):
    """How we know a fact; shown to whoever asks `gm board show`."""

    ATTESTED = "attested"
    DERIVED = "derived"
    CONJECTURE = "conjecture"
    GAMESMASTER = "gamesmaster"  # changed by a Gamesmaster's own pack, perhaps from a printed copy of the game


# 8.1: who opposes whom, by colour alone.
OPPOSED: Mapping[Color, frozenset[Color]] = {
    Color.RED: frozenset({Color.WHITE, Color.GREEN, Color.BLUE}),
    Color.WHITE: frozenset({Color.RED, Color.GREEN}),
    Color.GREEN: frozenset({Color.RED, Color.WHITE}),
    Color.BLUE: frozenset({Color.RED}),
}


def may_join(color: Color | None, other: Color | None) -> bool:
    """Who may attack side by side (8.22): Reds with nobody else, all others, White and Green included."""
    return color is other or Color.RED not in (color, other)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One counter. Each counter exists once, so pieces compare by identity within a Board."""

    code: int  # identity code; Czar and Gold have 1 and 2, below every printed code
    kind: Kind
    value: int  # Combat Strength of a unit, Leadership Value of a Leader, 0 for Imperial units
    name: str  # "Lenin", "Czar"; a unit's home province code
    home: str
    color: Color | None = None  # Imperial units have none of their own (13.21)
    nation: str | None = None
    starred: bool = False  # the asterisk of 15.52
    aliases: tuple[str, ...] = ()
    provenance: Provenance = Provenance.ATTESTED
    code_provenance: Provenance = Provenance.DERIVED  # most identity codes continue a pattern
    serial: int = 1  # first, second, third ... of counters that nobody can tell apart
    card: str = ""  # the name exactly as the pack has it: by that a Leader is dealt
    # Asked for in every inner loop of the adjudicator, hence fields and not properties.
    is_leader: bool = field(init=False)
    is_unit: bool = field(init=False)
    is_imperial: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "card", self.card or self.name)
        object.__setattr__(self, "is_leader", self.kind is Kind.LEADER)
        object.__setattr__(self, "is_unit", self.kind is Kind.UNIT)
        object.__setattr__(self, "is_imperial", self.kind is Kind.IMPERIAL)

    @property
    def tag(self) -> str:
        """RL3, WU2, ...: colour, kind and value as The Bell prints them."""
        assert self.color is not None
        return f"{self.color[0].upper()}{self.kind[0].upper()}{self.value}"

    @property
    def bell(self) -> str:
        """The piece in Bell notation: `RL3 Lenin`, `BU2 ARCH/US`, `GU4 KIEV`, `CZAR`."""
        if self.is_imperial:
            return self.name.upper()
        suffix = f"/{self.nation}" if self.color is Color.BLUE else ""
        return f"{self.tag} {self.name}{suffix}"

    @property
    def twin_key(self) -> str:
        """Counters with the same key are interchangeable: nobody can tell them apart."""
        return self.bell

    def __repr__(self) -> str:
        return f"<{self.bell} #{self.code}>"


@dataclass(frozen=True, slots=True)
class Province:
    code: str
    name: str
    region: str
    aliases: tuple[str, ...] = ()
    port: bool = False
    seat: tuple[float, float] = (0.0, 0.0)
    provenance: Provenance = Provenance.DERIVED
    port_provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class Nation:
    code: str
    name: str
    color: Color
    movable: bool
    provinces: frozenset[str] | None  # where its units may go; None = anywhere (5.65, 5.74-5.76)
    exit_from: str | None = None  # 5.66
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RailLine:
    name: str
    provinces: tuple[str, ...]


class Border(StrEnum):
    """What a border is to whoever wants to cross it."""

    OPEN = "open"
    WHITE_ONLY = "white-only"  # 5.32
    CLOSED = "closed"  # 5.33


@dataclass(frozen=True, slots=True)
class MarkerSet:
    """How many markers the box holds and where they start (15.2)."""

    politburo: int
    politburo_dealt: int
    assassins_dealt: int
    assassins_in_randomizer: int
    blue_control: tuple[str, ...]
    blue_withdrawal: tuple[str, ...]
    green_control: tuple[str, ...]

    @property
    def randomizer_chits(self) -> tuple[str, ...]:
        """The control and withdrawal chits of 15.23, as written in a box or Randomizer."""
        return (
            *(f"{n} control" for n in self.blue_control),
            *(f"{n} withdrawal" for n in self.blue_withdrawal),
            *(f"{n} control" for n in self.green_control),
        )


@dataclass(frozen=True, slots=True)
class Tables:
    """The three tables printed on the map (8.5, 11.4, 12.2)."""

    odds: tuple[str, ...]
    combat: Mapping[int, tuple[str, ...]]  # die -> result a column
    purge_columns: tuple[int, ...]
    purge: Mapping[int, tuple[str, ...]]  # total of two dice -> result a column
    events: Mapping[tuple[int, int], str | tuple[str, ...]]

    def purge_column(self, strength: int) -> int:
        """The column for a Purge Strength: the last whose lowest strength it reaches."""
        column = 0
        for index, lowest in enumerate(self.purge_columns):
            if strength >= lowest:
                column = index
        return column


@dataclass(frozen=True, slots=True)
class Strategy:
    """One line of the Strategy Determination Table of the fanatic stand-in."""

    attacks: int
    odds: int  # least odds that count, to one
    purge: bool = False
    assassination: bool = False
    gives_assassin: bool = False
    vindictive: bool = False


@dataclass(frozen=True, slots=True)
class FanaticTables:
    """The tables by which the fanatic stand-in plays (gm/standin)."""

    strategies: Mapping[int, Strategy]  # die -> line
    vindictive: Mapping[int, str]  # die -> whom to attack
    # Outlook of the player -> rows in their order: own units, and the colours to attack at priority I, II, III.
    priorities: Mapping[str, tuple[tuple[Color, tuple[tuple[Color, ...], ...]], ...]]
    backfire: str  # who sits on the committee that answers a failed one: `all` or `hostile`
    own_targets: bool  # whether a player's own units of another colour are targets
    outlook_by_players: bool  # whether the Red boundary follows the number of players


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board:
    """One game box. Boards compare by identity; two that play alike have the same digest."""

    name: str
    source: str
    provinces: Mapping[str, Province]
    borders: Mapping[str, Mapping[str, Border]]  # both ways
    rail: tuple[RailLine, ...]
    rail_steps: Mapping[str, frozenset[str]]  # rail-connected neighbours
    nations: Mapping[str, Nation]
    pieces: Mapping[int, Piece]
    markers: MarkerSet
    tables: Tables
    fanatic: FanaticTables
    czar: Piece
    gold: Piece
    escort: Mapping[Piece, int]  # Imperial unit -> code of the unit it starts under (13.0)
    twins: Mapping[str, tuple[Piece, ...]]  # twin key -> the interchangeable counters, by code
    provenance: Mapping[str, Provenance]  # `combat`, `events.1-2`, `borders.KUBA-TAUR`: what a table or line rests on
    digest: str  # of every fact that can change a result; a campaign pins it
    names: str  # digest of all that things may be called in orders
    pack: str  # what the Gamesmaster's own pack is called; empty for the standard board
    shorter: bool = False  # J38: the shorter game is played on it (gm/board/load.py makes it of the whole one)
    # Indexes, made once because movement and combat ask for them in their inner loops.
    leaders: tuple[Piece, ...] = field(init=False)
    units: tuple[Piece, ...] = field(init=False)
    at_home: Mapping[str, tuple[Piece, ...]] = field(init=False)  # province -> its counters, by code
    of_nation: Mapping[str, tuple[Piece, ...]] = field(init=False)  # nation -> its units, by code
    regions: Mapping[str, frozenset[str]] = field(init=False)
    _steps: Mapping[str, tuple[str, ...]] = field(init=False)
    _white_steps: Mapping[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        regions: dict[str, set[str]] = {}
        home: dict[str, list[Piece]] = {code: [] for code in self.provinces}
        for province in self.provinces.values():
            regions.setdefault(province.region, set()).add(province.code)
        for piece in self.pieces.values():
            home[piece.home].append(piece)
        steps: dict[bool, dict[str, tuple[str, ...]]] = {False: {}, True: {}}
        for white, found in steps.items():
            passable = (Border.OPEN, Border.WHITE_ONLY) if white else (Border.OPEN,)
            for here, borders in self.borders.items():
                found[here] = tuple(sorted(p for p, kind in borders.items() if kind in passable))
        indexes: dict[str, object] = {
            "leaders": tuple(p for p in self.pieces.values() if p.is_leader),
            "units": tuple(p for p in self.pieces.values() if p.is_unit),
            "at_home": MappingProxyType({code: tuple(pieces) for code, pieces in home.items()}),
            "of_nation": MappingProxyType(
                {code: tuple(p for p in self.pieces.values() if p.nation == code) for code in self.nations}
            ),
            "regions": MappingProxyType({name: frozenset(codes) for name, codes in regions.items()}),
            "_steps": steps[False],
            "_white_steps": steps[True],
        }
        for name, value in indexes.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<Board {self.name!r} {self.digest[:12]}>"

    def border(self, here: str, there: str) -> Border | None:
        """The border between two provinces, None where they do not touch."""
        return self.borders.get(here, {}).get(there)

    def passable(self, here: str, there: str, color: Color | None) -> bool:
        """Whether a force of this colour may step from here to there (5.24, 5.32, 5.33)."""
        return there in self.neighbours(here, color)

    def neighbours(self, here: str, color: Color | None) -> tuple[str, ...]:
        """Where a force of this colour may step to, alphabetically."""
        return (self._white_steps if color is Color.WHITE else self._steps).get(here, ())

    def in_siberia(self, province: str) -> bool:
        return self.provinces[province].region == "Siberia"

    def may_enter(self, piece: Piece, province: str) -> bool:
        """Whether the nation of a Blue or Green unit lets it into a province (5.65, 5.74-5.76)."""
        if piece.nation is None:
            return True
        allowed = self.nations[piece.nation].provinces
        return allowed is None or province in allowed

    def known_by(self, key: str) -> Provenance:
        """What a fact rests on, by its key in the pack: `events.1-2`, else what all of `events` rests on."""
        return self.provenance.get(key) or self.provenance.get(key.partition(".")[0], Provenance.DERIVED)
