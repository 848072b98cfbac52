"""What several tests of the order language need: names, random orders, and a position to check against."""

from __future__ import annotations

from hypothesis import strategies as st

from gm.board.load import standard_board
from gm.notation import read_position
from gm.orders import kinds as m
from gm.orders.language.names import names_of
from gm.orders.parser import Parsed, parse
from gm.position import Phase, Position

BOARD = standard_board()
PLAYERS = "ABCDE"
_NAMES = names_of(BOARD)


def read(text: str) -> Parsed:
    return parse(BOARD, text, PLAYERS)


def only(text: str) -> m.Order:
    """The one order in a text that is understood."""
    parsed = read(text)
    assert not parsed.problems, parsed.problems
    (order,) = parsed.sheet.orders
    return order


def position(listing: str, turn: int = 1, phase: Phase = Phase.FIRST, players: str = "ABC") -> Position:
    return read_position(BOARD, listing, tuple(players), turn=turn, phase=phase)


# Random orders. Names are such as a player can write: all counters that some spelling fits.

players = st.sampled_from(PLAYERS)
places = st.sampled_from(sorted(BOARD.provinces))
leaders = st.sampled_from(BOARD.leaders)
imperials = st.sampled_from([BOARD.czar, BOARD.gold])
numbers = st.integers(1, 15)


@st.composite
def named(draw: st.DrawFn) -> m.Named:
    found = _NAMES.pieces[draw(st.sampled_from(sorted(_NAMES.pieces)))]
    twins = BOARD.twins[found.one.twin_key]
    if len(found.options) == 1:  # by identity code: one of those that look like it
        return m.Named(twins)
    return m.Named(found.options, draw(st.integers(1, len(found.options))))


def some(strategy: st.SearchStrategy[object], least: int = 1, most: int = 4) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


handling = st.builds(m.Handling, st.sampled_from(list(m.Act)), named())
stops = st.builds(m.Stop, places, some(handling, 0, 2))
goods = st.builds(m.Goods, st.integers(0, 9), st.integers(0, 9), some(leaders, 0, 2)).filter(lambda g: g != m.Goods())
taking = some(st.one_of(leaders, st.none()), 0, 3)
against = st.one_of(st.sampled_from(list(m.Against)), players)
lists = st.none() | some(named(), 1, 3)
_prose = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
press_lines = st.lists(_prose.filter(lambda w: w.rstrip(".!").lower() != "end"), min_size=1, max_size=6).map("\n".join)
datelines = st.none() | st.text("abc XYZ().,-", max_size=20).map(str.strip)

orders: st.SearchStrategy[m.Order] = st.one_of(
    st.builds(m.Give, what=goods, to=players, for_=st.none() | goods),
    st.builds(m.Accept, leaders=some(leaders), giver=players),
    st.builds(m.RefuseGifts, giver=st.none() | players, standing=st.booleans()),
    st.builds(m.Seize, units=some(named()), leader=leaders),
    st.builds(m.Move, force=some(named()), path=some(stops, 1, 6), by_rail=st.booleans()),
    st.builds(m.Move, force=some(named()), to=places, by_rail=st.booleans()),
    st.builds(m.Attach, units=some(named()), leader=leaders),
    st.builds(m.Restack, province=places, pieces=some(named(), 1, 6)),
    st.builds(m.Emigrate, piece=imperials, province=places),
    st.builds(m.Exit, units=some(named())),
    st.builds(m.Assassinate, targets=some(leaders), markers=st.none() | numbers),
    st.builds(
        m.Purge,
        object=players,
        partners=some(players, 0, 3),
        using=st.integers(0, 15),
        division=some(st.tuples(players, numbers), 0, 3),
        taking=taking,
        separately=st.booleans(),
        conditional=st.booleans(),
    ),
    st.builds(m.Counterpurge, against=against, taking=taking, if_by=st.none() | players, standing=st.booleans()),
    st.builds(m.Execute, partners=some(players, 0, 3), using=st.integers(0, 15)),
    st.builds(m.Comply, standing=st.booleans()),
    st.builds(m.RefuseExecution, standing=st.booleans()),
    st.builds(m.Attack, target=named(), province=places, attackers=some(named()), lose=lists, take=lists),
    st.builds(m.Subvert, target=named(), province=places, attackers=some(named())),
    st.builds(m.Lose, pieces=some(named()), standing=st.booleans()),
    st.builds(m.Take, pieces=some(named())),
    st.builds(m.Vote, end=st.booleans()),
    st.builds(m.Deploy, leader=leaders, province=places),
    st.builds(m.Deploy, leader=leaders, unit=named().filter(lambda n: n.count == 1)),
    st.builds(m.Done),
    st.just(m.Resign()),
    st.builds(m.Press, text=press_lines, dateline=datelines, to=some(players, 0, 2)),
)
guards = st.one_of(
    st.just(m.Guard(0, Phase.PREGAME)),
    st.builds(m.Guard, st.integers(1, 60), st.sampled_from([Phase.FIRST, Phase.SECOND])),
)
sheets = st.builds(m.Sheet, some(orders, 0, 8), st.none() | guards, st.booleans(), st.booleans())

# Text that is nearly an order: what players send at two in the morning.
_SCRAPS = (
    "A B C MOVE move ATTACK GIVE PURGE STACK PRESS END ORDERS ADD STANDING COUNTERPURGE LOSE TAKE TO FOR WITH IN USING "
    "DIVIDE TAKING IF FROM Lenin RU8 BU2 PETR RU BU2/US PETR-PSKO-LIVO Novgrod May-M. Czar #129 , : ( ) + - \\ # . 2 "
    'PM AM 3. * " w/ & 99999999999999999999'
)
_PHRASES = ["CANCEL ALL", "BY RAIL", "RU8 PETR", "RU PETR", "BU2 ARCH/US", "June 1918 First Phase", "turn 1 phase 1"]
_BREAKS = ["\n", "\n\n", "\n  ", "\t", "\r\n", "\x00", "\x85", "\u2028", "\u2192", "\u00e9"]
_words = st.sampled_from([*_SCRAPS.split(" "), *_PHRASES, *_BREAKS])
scribbles = st.lists(_words, max_size=30).map(" ".join)
