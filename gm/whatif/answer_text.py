"""What the what-if room found, in sentences: for mail and command line as text, and one by one for a page."""

from __future__ import annotations

import textwrap
from functools import cache, partial
from typing import Any

from jinja2 import Environment

from gm.whatif.question import Answer
from gm.wording import environment


def percent(part: int, whole: int) -> str:
    """A share as people say it; neither end is claimed unless it is true."""
    if part == whole:
        return "100%"
    return f"{min(99, max(1 if part else 0, round(100 * part / whole)))}%"


@cache
def _templates() -> Environment:
    made = environment("whatif", html=False)
    made.globals["pct"] = percent
    made.filters["filled"] = _filled
    return made


def _filled(text: str, indent: str, hanging: str | None = None) -> str:
    below = indent if hanging is None else hanging
    return textwrap.fill(text, 72, initial_indent=indent, subsequent_indent=below, break_on_hyphens=False)


def sentences(answer: Answer) -> dict[str, Any]:
    """The functions that turn each kind of finding into a sentence."""
    module: Any = _templates().get_template("sentences.html").module
    names = ("fate", "fight", "purge", "murder", "losses", "leader", "guesses")
    return {name: partial(getattr(module, name), times=answer.times) for name in names}


def as_text(answer: Answer) -> str:
    return _templates().get_template("answer.txt").render(a=answer, **sentences(answer)).strip() + "\n"
