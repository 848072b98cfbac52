"""Findings of `gm doctor`: result, message, advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"  # works, but not as a real campaign would want
    FAIL = "fail"  # does not work


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    level: Level
    words: str
    todo: str = ""


def ok(check: str, words: str) -> Finding:
    return Finding(check, Level.OK, words)


def warn(check: str, words: str, todo: str) -> Finding:
    return Finding(check, Level.WARN, words, todo)


def fail(check: str, words: str, todo: str) -> Finding:
    return Finding(check, Level.FAIL, words, todo)
