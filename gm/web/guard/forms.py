"""Fields of forms and addresses with their limits, and the redirect after a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Form, Path, Query
from pydantic import AfterValidator, StringConstraints
from starlette.requests import Request
from starlette.responses import RedirectResponse

from gm.web.guard.session import session_of
from gm.web.wording import say
from gm.wording import clean

NO_NUL = r"^[^\x00]*$"
Line = Annotated[
    str, StringConstraints(max_length=300, strip_whitespace=True, pattern=NO_NUL), AfterValidator(clean), Form()
]
Text = Annotated[str, StringConstraints(max_length=100_000, pattern=NO_NUL), Form()]
Address = Annotated[str, StringConstraints(max_length=254, strip_whitespace=True, pattern=NO_NUL), Form()]
Token = Annotated[str, StringConstraints(max_length=4000, strip_whitespace=True, pattern=NO_NUL), Form()]
Letter = Annotated[
    str, StringConstraints(max_length=2, strip_whitespace=True, to_upper=True, pattern=r"^[A-Za-z]*$"), Form()
]
Letters = Annotated[Sequence[Annotated[str, StringConstraints(max_length=80, pattern=NO_NUL)]], Form()]
Tick = Annotated[bool, Form()]
Number = Annotated[int, Form(ge=0, le=1_000_000_000)]
Days = Annotated[int, Form(ge=1, le=60)]
LARGEST = 2**31 - 1  # of numbers that both databases have room for
RowNumber = Annotated[int, Path(ge=1, le=LARGEST)]  # of a row, in the address of a page
FormRow = Annotated[int, Form(ge=1, le=LARGEST)]  # the same in a form
AskedRow = Annotated[int | None, Query(ge=1, le=LARGEST)]
BellNumber = Annotated[int, Path(ge=1, le=100_000)]
After = Annotated[str, Query(max_length=8000, description="playing alone: the orders of the sheet before this one")]


def normal(text: str) -> str:
    """A browser sends lines with CR LF; ours end in LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def back(request: Request, path: str, words: str = "", /, **data: object) -> RedirectResponse:
    """Redirect after a form; the next page shows what happened, by its name in words.toml."""
    if words:
        session_of(request).flash("good", say(f"done.{words}", **data))
    return RedirectResponse(path, 303)


def tell(request: Request, words: str, /, kind: str = "good", **data: object) -> None:
    """What the next page shows besides, by its name in words.toml."""
    session_of(request).flash(kind, say(f"done.{words}", **data))
