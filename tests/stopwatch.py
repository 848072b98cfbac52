"""Limits of processor time that hold on a slow or busy machine too."""

from collections.abc import Callable
from time import process_time
from typing import TypeVar

T = TypeVar("T")
REFERENCE = 0.016  # seconds that the yardstick takes on the machine for which limits are written


def _yardstick() -> float:
    began = process_time()
    counts: dict[int, int] = {}
    for number in range(200_000):
        counts[number % 997] = counts.get(number % 997, 0) + 3 * number
    return process_time() - began


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work gives, and its seconds as the reference machine would count them.

    A core that is shared, or clocked down, counts more processor time for the same work: a fixed piece of work
    is measured before and after, and a machine that is slower at it is given as much more time.
    """
    before = _yardstick()
    began = process_time()
    result = work()
    took = process_time() - began
    return result, took / max(1.0, before / REFERENCE, _yardstick() / REFERENCE)


def within(limit: float, work: Callable[[], T], tries: int = 5) -> T:
    """What the work gives, the first time that it stays within the limit; other work slows a run down, never up."""
    best = float("inf")
    for _ in range(tries):
        result, took = timed(work)
        if took < limit:
            return result
        best = min(best, took)
    raise AssertionError(f"{best:.3f} s of processor time at best, not {limit}")


def in_proportion(work: Callable[[int], Callable[[], object]], few: int, many: int, slack: float = 3.0) -> None:
    """Work of `many` takes no longer than in proportion to `few`, with slack, as soon as one of some tries shows it."""
    ratios = []
    for _ in range(5):
        (_, less), (_, more) = timed(work(few)), timed(work(many))
        if more < many / few * less * slack + 0.05:
            return
        ratios.append(more / less)
    raise AssertionError(f"{many / few:.0f} times the work takes {min(ratios):.1f} times as long")
