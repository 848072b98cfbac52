"""The chart of Victory Points over time: dashes and letters tell the players apart, not colour alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 66, 24, 22, 46


@dataclass(frozen=True, slots=True)
class ChartLine:
    letter: str
    name: str
    points: str  # of the polyline
    end: tuple[float, float]
    value: int
    number: int


@dataclass(frozen=True, slots=True)
class Chart:
    lines: tuple[ChartLine, ...]
    grid: tuple[tuple[float, int], ...]  # (y, value)
    ticks: tuple[tuple[float, str], ...]  # (x, words)
    alt: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def points_chart(
    rows: Sequence[tuple[str, Mapping[str, tuple[int, int]]]], names: Mapping[str, str], side: str
) -> Chart:
    """One side's running points: what each player would score if Red, or White, had won then."""
    part = 0 if side == "Red" else 1
    letters = sorted({letter for _, points in rows for letter in points})
    values = [points[letter][part] for _, points in rows for letter in points]
    low, high = min([0, *values]), max([1, *values])
    step = max(1, -(-(high - low) // 5))

    def x(n: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (n / (len(rows) - 1) if len(rows) > 1 else 0.5)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / max(high - low, 1))

    lines = []
    for number, letter in enumerate(letters):
        course = [(x(n), y(p[letter][part])) for n, (_, p) in enumerate(rows) if letter in p]
        last = next(p[letter][part] for _, p in reversed(rows) if letter in p)
        lines.append(
            ChartLine(
                letter,
                names.get(letter, letter),
                " ".join(f"{a:.1f},{b:.1f}" for a, b in course),
                course[-1],
                last,
                number,
            )
        )
    spread = max(1, -(-(len(rows) - 1) // 3))  # four at most: there is room for no more on a telephone
    shown = sorted({*range(0, len(rows) - spread, spread), len(rows) - 1} if len(rows) > 1 else {0})
    ticks = tuple(zip(map(x, shown), _labels([rows[n][0] for n in shown]), strict=True))
    alt = f"If {side} wins: " + ", ".join(f"{line.name} {line.value}" for line in lines)
    return Chart(tuple(lines), tuple((y(v), v) for v in range(low, high + 1, step)), ticks, alt)


def _labels(dates: Sequence[str]) -> Iterator[str]:
    """The month alone, `June 1918`; where the one before has the same, the Phase."""
    before = ""
    for date in dates:
        month, _, phase = date.partition(", ")
        yield phase if month == before and phase else month
        before = month
