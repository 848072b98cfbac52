"""A second process for what strangers send: what takes too much ends there, and nothing else does."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from gm.processes import Allowance, BoundedProcess, TooCostly


def twice(number: int) -> int:
    return 2 * number


def burn() -> None:
    while True:
        pass


def hoard() -> int:
    return len(bytearray(4 * 2**30))


def refuse() -> None:
    raise LookupError("what the function says")


@pytest.fixture
def bounded() -> Iterator[BoundedProcess]:
    made = BoundedProcess(seconds=1, megabytes=2_000)
    yield made
    made.close()


def test_a_call_that_takes_too_long_ends_and_the_next_one_is_answered(bounded: BoundedProcess) -> None:
    assert bounded(twice, 21) == 42
    began = time.process_time()
    with pytest.raises(TooCostly):
        bounded(burn)
    assert time.process_time() - began < 1, "the time is that of the other process"
    assert bounded(twice, 4) == 8


def test_a_call_that_takes_too_much_memory_ends(bounded: BoundedProcess) -> None:
    with pytest.raises(TooCostly):
        bounded(hoard)
    assert bounded(twice, 4) == 8


def test_time_is_counted_for_each_call(bounded: BoundedProcess) -> None:
    first = bounded(os.getpid)
    for _ in range(3):
        bounded(sum, range(20_000_000))
    assert bounded(os.getpid) == first


def test_the_calls_of_one_mail_share_one_allowance(bounded: BoundedProcess) -> None:
    one = Allowance(bounded)
    assert one(twice, 21) == 42
    with pytest.raises(TooCostly):
        for _ in range(1_000):
            one(sum, range(2_000_000))
    assert one.elsewhere >= 1
    assert Allowance(bounded)(twice, 4) == 8, "the next one has its own"


def test_what_the_function_raises_is_raised_here(bounded: BoundedProcess) -> None:
    with pytest.raises(LookupError, match="what the function says"):
        bounded(refuse)


def test_a_process_that_was_killed_is_replaced(bounded: BoundedProcess) -> None:
    os.kill(bounded(os.getpid), signal.SIGKILL)
    with pytest.raises(TooCostly):
        bounded(burn)
    assert bounded(twice, 3) == 6
