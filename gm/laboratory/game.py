"""One campaign of the laboratory: stand-ins from the deal to the end of the war, and what is worth counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from time import process_time

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome import AssassinationTried, Fought, Outcome, PurgeRolled, Won
from gm.adjudicator.sequence import adjudicate
from gm.board.load import for_shorter_game, standard_board
from gm.board.model import Board, Color
from gm.orders import kinds as m
from gm.orders.check.checker import check
from gm.orders.problems import Severity
from gm.position import Phase, Player, Position
from gm.rehearsal.player import RandomPlayer
from gm.standin.choose import choose
from gm.standin.strategy import Seats, Style, strategies
from gm.standin.tracks import Tracks, advance

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RANDOM = "random"  # a player of random legal orders: no style for a campaign, only something to measure against
CALENDAR = 5  # the condition of a game that the last Game-Turn ended (H3)
UNFINISHED = 0  # no ending within the Game-Turns that the laboratory waits for
MAX_TURN = 40  # a game that goes on longer is broken off


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played. `one`: a single seat of another style, which goes round from game to game."""

    players: int = 5
    style: str = Style.FANATIC
    one: str | None = None
    trials: int = 24
    last_turn: int = 6  # 0: none
    deal: str = "one-pot"
    victory: str = "annihilation"
    masses: bool = False
    seed: int = 1918

    @property
    def options(self) -> GameOptions:
        return GameOptions(masses=self.masses, deal=self.deal, victory=self.victory, last_turn=self.last_turn)

    def styles(self, number: int) -> dict[Player, str]:
        seats = dict.fromkeys(LETTERS[: self.players], self.style)
        if self.one is not None:
            seats[LETTERS[number % self.players]] = self.one
        return seats


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one game."""

    number: int
    styles: Mapping[Player, str]
    turns: int
    condition: int  # 1 to 3 of 14.1, 4 by key areas, CALENDAR or UNFINISHED
    color: Color | None  # the victors
    points: Mapping[Player, int]  # in the victors' colour; of an unfinished game the Red ones
    dealt: Mapping[Player, int]  # Leadership and units that the deal brought
    counts: Mapping[str, int]
    seconds: float  # of processor time

    @property
    def winner(self) -> Player | None:
        """Who is first; None if several are."""
        best = max(self.points.values(), default=0)
        first = [p for p, points in self.points.items() if points == best]
        return first[0] if len(first) == 1 else None


def play(setting: Setting, number: int, board: Board | None = None) -> Record:
    """The same setting and number give the same game."""
    begin = process_time()
    board = board or standard_board()
    styles = setting.styles(number)
    counts: Counter[str] = Counter()
    dealt: dict[Player, int] = {}
    for outcome in phases(setting, number, board):
        position = outcome.after
        _count(counts, outcome)
        if outcome.before.phase is Phase.SETUP:
            dealt = {p: sum(s.strength for s in position.owned(p)) for p in position.players}
    won = next((event for event in outcome.events if isinstance(event, Won)), None)
    condition, color = (won.condition, won.color) if won else (UNFINISHED, None)
    points = won.points if won else {p: found.red for p, found in outcome.points.items()}
    return Record(number, styles, position.turn, condition, color, points, dealt, counts, process_time() - begin)


def phases(setting: Setting, number: int, board: Board | None = None) -> Iterator[Outcome]:
    """Phase after Phase of one game, to its end."""
    board = board or standard_board()
    styles = setting.styles(number)
    table = _Table(board, setting, number, styles)
    position = Position(players=tuple(styles))
    while position.phase is not Phase.FINISHED and position.turn <= MAX_TURN:
        outcome = table.phase(position)
        yield outcome
        position = outcome.after


def _count(counts: Counter[str], outcome: Outcome) -> None:
    for event in outcome.events:
        if isinstance(event, PurgeRolled):
            counts["counterpurges" if event.counter else "purges"] += 1
        elif isinstance(event, AssassinationTried):
            counts["attempts"] += 1
            counts["murders"] += event.success
            counts["dead Leaders"] += event.success
        elif isinstance(event, Fought):
            counts["attacks"] += 1
            lost = (*event.lost_by_attacker, *event.lost_by_defender)
            counts["dead Leaders"] += sum(p.is_leader for p in lost)


class _Table:
    """Who sits at the table, and what they know."""

    def __init__(self, board: Board, setting: Setting, number: int, styles: Mapping[Player, str]) -> None:
        board = for_shorter_game(board) if setting.masses else board
        self.board = board
        self.setting = setting
        self.number = number
        self.seats: Seats = {p: Style(style) for p, style in styles.items() if style != RANDOM}
        self.random = RandomPlayer(board, Random(f"{setting.seed}/{number}"))
        self.tracks = Tracks()

    def phase(self, position: Position) -> Outcome:
        name, secret = f"laboratory-{self.setting.seed}-{self.number}", self.setting.seed.to_bytes(32, "big")
        chance = ProvableChance(secret, name, position.turn, position.phase, "")
        sheets = {p: self._sheet(position, p, chance) for p in position.active if position.phase is not Phase.SETUP}
        outcome = adjudicate(self.board, position, sheets, chance, self.setting.options)
        rolled = strategies(self.board, position, self.tracks, chance, self.seats)
        self.tracks = advance(self.board, self.tracks, outcome, rolled)
        return outcome

    def _sheet(self, position: Position, player: Player, chance: ProvableChance) -> m.Sheet:
        if player not in self.seats:
            return self._legal(position, player, self.random.sheet(position, player))
        return choose(self.board, position, self.tracks, player, chance, self.seats, self.setting.trials)

    def _legal(self, position: Position, player: Player, sheet: m.Sheet) -> m.Sheet:
        """A random sheet without what the checker refuses, and without leaving the game."""
        kept = m.Sheet(tuple(o for o in sheet.orders if not isinstance(o, m.Resign | m.Unread)))
        wrong = check(self.board, position, player, kept)
        refused = {p.order for p in wrong if p.severity is Severity.PROBLEM}
        return m.Sheet(tuple(o for n, o in enumerate(kept.orders, start=1) if n not in refused))
