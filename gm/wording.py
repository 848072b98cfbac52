"""Templates and word lists: their folder, the loader of TOML sentences, the Jinja environment; a person's words."""

from __future__ import annotations

import re
import string
import textwrap
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension

import gm

Words = Mapping[str, Any]
MAIL_WIDTH = 72
_HEAD = re.compile(r"^\s*(?:\S+\s{2,})?")
# Control and direction-changing characters, separators of lines, halves of pairs, and what Unicode calls no character.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane * 0x10000 + last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]+"
)


def clean(text: str) -> str:
    """A person's words on one line, for a name, a headline or a subject: nothing unprintable, single blanks."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


def shown(text: str) -> str:
    """Lines for a terminal: nothing in them moves its cursor or changes its colours."""
    return "\n".join(_UNPRINTABLE.sub(" ", line.replace("\t", "    ")) for line in text.split("\n"))


@cache
def templates_folder() -> Path:
    """Beside the package in a checkout, inside it when installed."""
    package = Path(gm.__file__).parent
    inside = package / "_templates"
    return inside if inside.is_dir() else package.parent / "templates"


@cache
def template_file(name: str) -> str:
    """The text of one file, `bell/mail.css`, as it is."""
    return (templates_folder() / name).read_text("utf-8")


@cache
def word_list(name: str) -> Words:
    """A TOML file of sentences: `orders/problems` is templates/orders/problems.toml."""
    return tomllib.loads(template_file(f"{name}.toml"))


def look_up(words: Words, key: str) -> Any:
    """`phase.first` is `first` in the table `phase`."""
    found: Any = words
    for part in key.split("."):
        found = found[part]
    return found


def environment(
    *folders: str, html: bool, blocks: bool = True, extensions: Sequence[str | type[Extension]] = ()
) -> Environment:
    """Jinja templates of these folders of templates/, the first that has one. A missing value is an error, not a blank.

    `html`: whatever is filled in is escaped. `blocks`: a line with nothing but a block leaves no line.
    """
    return Environment(
        loader=FileSystemLoader([templates_folder() / folder for folder in folders]),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=blocks,
        lstrip_blocks=blocks,
        auto_reload=False,
        extensions=extensions,
    )


def subject_and_text(rendered: str) -> tuple[str, str]:
    """A mail's template: its first line is the subject. Below a salutation the text begins with a capital."""
    subject, _, text = rendered.lstrip().partition("\n")
    salutation, gap, rest = text.strip().partition(",\n\n")
    if salutation.startswith("Dear ") and "\n" not in salutation:
        rest = capital(rest)
    return " ".join(subject.removeprefix("Subject:").split()), salutation + gap + rest + "\n"


@cache
def fields_of(template: str) -> frozenset[str]:
    """The names in braces that a sentence needs."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name)


def first_fitting(wordings: str | Sequence[str], fields: Iterable[str]) -> str:
    """Of several wordings the first for which everything is known, else the last."""
    choices = [wordings] if isinstance(wordings, str) else wordings
    known = frozenset(fields)
    return next((w for w in choices if fields_of(w) <= known), choices[-1])


def fill(text: str, indent: str = "") -> str:
    """A paragraph within 72 columns."""
    return textwrap.fill(
        " ".join(text.split()), MAIL_WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def prose(text: str) -> str:
    """Paragraphs within 72 columns, whatever was filled in; those that are indented stay as they are."""
    parts = (part.strip("\n") for part in text.split("\n\n"))
    return "\n\n".join(p if p.startswith((" ", "|")) else fill(p) for p in parts if p.strip()) + "\n"


def capital(text: str) -> str:
    """A wording may begin with a name in lower case; a sentence does not."""
    return text[:1].upper() + text[1:]


def joined(items: Iterable[str], word: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = list(items) or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def fold(text: str) -> str:
    """Lines longer than 72 columns broken, with what follows under where the words began; lines of carets stay."""
    out: list[str] = []
    for line in _paragraphs(text.split("\n")):
        if len(line) <= MAIL_WIDTH or line.lstrip().startswith("|"):
            out.append(line)
            continue
        head = _HEAD.match(line)
        out.append(_broken(line, len(head.group()) if head else 0))
    return "\n".join(out)


def hang(line: str) -> str:
    """A line of a listing, what does not fit under what follows its colon."""
    return _broken(line, line.find(":") + 2)


def _broken(line: str, indent: int) -> str:
    """A line at its blanks into pieces of 72 columns, all but the first indented; words stay whole. As textwrap does
    it, in a tenth of the time: there are a dozen such lines in a receipt."""
    pieces: list[str] = []
    line = line.rstrip(" ")
    start = len(line) - len(line.lstrip(" "))
    while len(line) > MAIL_WIDTH:
        cut = line.rfind(" ", start, MAIL_WIDTH + 1)
        if cut < 0:
            cut = line.find(" ", max(start, MAIL_WIDTH))
            if cut < 0:
                break
        pieces.append(line[:cut].rstrip(" "))
        line = " " * indent + line[cut:].lstrip(" ")
        start = indent
    return "\n".join([*pieces, line])


def _paragraphs(lines: list[str]) -> list[str]:
    """Prose that was wrapped wider than a mail is, joined again; tables and lists stay as they are."""
    out: list[str] = []
    goes_on = False
    for line in lines:
        plain = bool(line.strip()) and not line.startswith((" ", "|")) and not re.match(r"^\S+\s{2,}", line)
        if goes_on and plain and not re.match(r"^\w+:", line):
            out[-1] += " " + line
        else:
            out.append(line)
        goes_on = plain and len(line) > MAIL_WIDTH
    return out
