"""Data packs: the TOML files that ship with the game, and a Gamesmaster's own on top of them.

In memory a pack is one table a section, each entry under its key (a Leader under his code, a border under
`PETR-PSKO`), so that any part can be overridden by naming it. Sections have different names in every file,
which is why a Gamesmaster may keep all changes in one file or spread it over several.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from gm.board.names import near
from gm.board.problems import BoardError, BoardProblem

STANDARD: Final = ("map", "counters", "tables", "fanatic")
# Sections written as lists of tables, and what each entry is known by.
LISTS: Final = {"rail": "name", "leaders": "id", "units": "id", "imperial": "name"}
MAP_TABLES: Final = ("meta", "provinces", "borders")
COUNTER_TABLES: Final = ("markers", "nations", "totals")
FANATIC_TABLES: Final = ("strategies", "vindictive", "priorities", "fanatic")
SECTIONS: Final = (*MAP_TABLES, *COUNTER_TABLES, *LISTS, "combat", "purge", "events", *FANATIC_TABLES, "provenance")
BORDER_KINDS: Final = {"open": "open", "white_only": "white-only", "closed": "closed"}
REMOVE: Final = "remove"

MOST_DEEP: Final = 12
MOST_BITS: Final = 10_000  # of a number: three thousand digits
MOST_PROBLEMS: Final = 200
LONGEST_WORDS: Final = 300  # characters that a problem quotes of a key or value
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_LONG_KEY: Final = re.compile(rf"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{MOST_DEEP}}}")

Section = dict[str, Any]
PackFiles = tuple[tuple[str, str], ...]  # name and text of each file


@dataclass(slots=True)
class Pack:
    """A pack as read: not yet checked. `origin` knows the file that had the last word on a key."""

    data: dict[str, Section] = field(default_factory=lambda: {name: {} for name in SECTIONS})
    origin: dict[str, str] = field(default_factory=dict)
    problems: list[BoardProblem] = field(default_factory=list)
    overridden: bool = False
    name: str = ""  # of the Gamesmaster's own, or its first file

    def file_of(self, section: str, key: str = "") -> str:
        path = f"{section}.{key}"
        while path not in self.origin and "." in path:
            path = path.rpartition(".")[0]
        return self.origin.get(path, "pack")

    def complain(self, section: str, key: str, what: str, near: tuple[str, ...] = ()) -> None:
        path = f"{section}.{key}" if key else section
        self.add(BoardProblem(self.file_of(section, key), path, what, near=near))

    def add(self, problem: BoardProblem) -> None:
        """Raises BoardError when there are so many that nobody reads on: a pack cannot make work without end."""
        key, what = problem.key[:LONGEST_WORDS], problem.what[:LONGEST_WORDS]
        self.problems.append(replace(problem, key=key, what=what))
        if len(self.problems) >= MOST_PROBLEMS:
            self.problems.append(BoardProblem(problem.file, "", "there is more; the rest was not looked at"))
            raise BoardError(self.problems)


@dataclass(frozen=True, slots=True)
class PackChange:
    """One difference that a Gamesmaster's pack makes; None: not there before, or not there any more."""

    key: str
    before: Any
    after: Any

    def __str__(self) -> str:
        if self.before is None:
            return f"{self.key}: new: {_show(self.after)}"
        if self.after is None:
            return f"{self.key}: removed (was {_show(self.before)})"
        return f"{self.key}: {_show(self.before)} -> {_show(self.after)}"


def read_standard() -> Pack:
    """The pack that ships with the game."""
    pack = Pack()
    for name in STANDARD:
        _lay_over(pack, deepcopy(_standard_file(name)), f"{name}.toml")
    return pack


@cache
def _standard_file(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("gm.board") / "data" / "rcw" / f"{name}.toml").read_text("utf-8"))


def read_pack(path: Path | str | None) -> Pack:
    """The standard pack with a Gamesmaster's file, or every .toml file of their folder, laid over it."""
    return read_files(files_of(path) if path is not None else ())


def files_of(path: Path | str) -> PackFiles:
    """The texts of a Gamesmaster's file, or of every .toml file of their folder, by their names."""
    path = Path(path)
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    if not files:
        raise BoardError([BoardProblem(str(path), "", "no .toml file in this folder")])
    found = []
    for file in files:
        try:
            found.append((file.name, file.read_text("utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not a UTF-8 text"
            raise BoardError([BoardProblem(str(file), "", f"cannot be read: {reason}")]) from error
    return tuple(found)


def read_files(files: PackFiles) -> Pack:
    """The standard pack with these texts laid over it, in the order of their names."""
    pack = read_standard()
    for name, text in sorted(files):
        override(pack, text, name)
    return pack


def override(pack: Pack, text: str, file: str) -> None:
    """Lay the text of one file over a pack."""
    if _too_deep(text):
        raise BoardError([BoardProblem(file, "", f"nested more than {MOST_DEEP} deep; no pack is")])
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        raise BoardError([BoardProblem(file, "", f"not valid TOML: {error}")]) from error
    if _has_endless(raw):
        raise BoardError([BoardProblem(file, "", "a number has thousands of digits")])
    pack.overridden = True
    about = raw.get("pack")
    told = about.get("name") if isinstance(about, dict) else None
    pack.name = " ".join(told.split())[:80] if isinstance(told, str) else pack.name or file
    before = {name: dict(section) for name, section in pack.data.items()}
    explicit = raw.get("provenance") if isinstance(raw.get("provenance"), dict) else {}
    _lay_over(pack, raw, file)
    _mark_changed(pack, before, explicit or {})


def _too_deep(text: str) -> bool:
    """Before it is parsed: brackets inside brackets and long dotted keys cost the parser more than their length."""
    depth = deepest = 0
    for sign in _BRACKETS.findall(text):
        depth = max(0, depth + (1 if sign in "[{" else -1))
        deepest = max(deepest, depth)
    return deepest > MOST_DEEP or _LONG_KEY.search(text) is not None


def _has_endless(value: Any) -> bool:
    """A number that Python reads in hexadecimal, and never writes."""
    if isinstance(value, dict | list):
        return any(map(_has_endless, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and value.bit_length() > MOST_BITS


def changes(pack: Pack, standard: Pack | None = None) -> list[PackChange]:
    """What a pack changes, in the order of its sections. Provenance follows from the rest and is left out."""
    standard = standard or read_standard()
    found: list[PackChange] = []
    for section in SECTIONS:
        if section != "provenance":
            found += _differences(section, standard.data[section], pack.data[section])
    return [c for c in found if not c.key.endswith("provenance")]


def _lay_over(pack: Pack, raw: Mapping[str, Any], file: str) -> None:
    _replace_sections(pack, raw.get("pack", {}), file)
    for section, content in raw.items():
        if section == "pack":
            continue
        if section not in SECTIONS:
            pack.add(BoardProblem(file, section, "unknown section", near=near(section, SECTIONS)))
            continue
        if not pack.data[section]:
            pack.origin[section] = file
        _merge(pack, section, _keyed(pack, section, content, file), file)


def _replace_sections(pack: Pack, about: Any, file: str) -> None:
    """`[pack]`: what the pack says of itself, and which sections it replaces whole."""
    names = about.get("replace", []) if isinstance(about, dict) else None
    if not isinstance(names, list):
        key, what = ("pack", "must be a table: write [pack]") if names is None else ("pack.replace", "must be a list")
        pack.add(BoardProblem(file, key, what))
        return
    for name in names:
        if name in SECTIONS:
            pack.data[name] = {}
        else:
            hints = near(str(name), SECTIONS)
            pack.add(BoardProblem(file, "pack.replace", f"no section {name!r}", near=hints))


def _keyed(pack: Pack, section: str, content: Any, file: str) -> Section:
    """A section as a table of its entries."""

    def complain(key: str, what: str) -> None:
        pack.add(BoardProblem(file, f"{section}.{key}" if key else section, what))

    if section in LISTS:
        if not isinstance(content, list):
            complain("", f"must be a list: write [[{section}]]")
            return {}
        return dict(_entries(section, content, complain))
    if not isinstance(content, dict):
        complain("", f"must be a table: write [{section}]")
        return {}
    return _borders(pack, content, complain) if section == "borders" else dict(content)


def _entries(section: str, rows: list[Any], complain: Any) -> Iterator[tuple[str, Section]]:
    name, seen = LISTS[section], set()
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not isinstance(row.get(name), int | str):
            complain(f"#{number}", f"an entry needs its {name}")
            continue
        key = str(row[name])
        if key in seen:
            complain(key, f"two entries with this {name}")
        seen.add(key)
        yield key, dict(row)


def _borders(pack: Pack, content: Mapping[str, Any], complain: Any) -> Section:
    """Whole lists replace what there was of a kind; `add`, `remove` and `change` touch single borders."""
    known = (*BORDER_KINDS, "add", REMOVE, "change")
    found: Section = {}
    for name, pairs in content.items():
        if name not in known:
            complain(name, f"unknown key (known: {', '.join(known)})")
            continue
        if not isinstance(pairs, dict if name == "change" else list):
            complain(name, "must be a table of borders" if name == "change" else "must be a list of borders")
            continue
        if name in BORDER_KINDS:
            pack.data["borders"] = {k: v for k, v in pack.data["borders"].items() if v != BORDER_KINDS[name]}
        kinds = pairs if isinstance(pairs, dict) else {}
        for pair in pairs:
            parts = str(pair).split("-")
            if len(parts) != 2 or not all(parts):
                complain(name, f"{pair!r} is not a border: write it as PETR-PSKO")
                continue
            key = "-".join(sorted(parts))
            if key in found:
                complain(name, f"{key} is listed twice")
            kind = BORDER_KINDS.get(name) or kinds.get(pair, "open")
            found[key] = {REMOVE: True} if name == REMOVE else kind
    return found


def _merge(pack: Pack, section: str, over: Section, file: str) -> None:
    base = dict(pack.data[section])
    for key, value in over.items():
        if isinstance(value, dict) and value.get(REMOVE) is True:
            if key not in base:
                pack.add(BoardProblem(file, f"{section}.{key}", "cannot be removed: it is not there"))
            base.pop(key, None)
            pack.origin[f"{section}.{key}"] = file
            continue
        old = base.get(key)
        merged = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
        if merged != old:
            pack.origin[f"{section}.{key}"] = file
        base[key] = merged
    pack.data[section] = base


def _mark_changed(pack: Pack, before: Mapping[str, Section], explicit: Mapping[str, Any]) -> None:
    """The source of a Gamesmaster's change is the Gamesmaster, unless the file says otherwise."""
    for section, entries in pack.data.items():
        for key, value in entries.items():
            old = before[section].get(key)
            if value == old or section in ("meta", "totals", "provenance"):
                continue
            if section in ("provinces", "leaders", "units", "imperial") and isinstance(value, dict):
                entries[key] = _with_provenance(value, old if isinstance(old, dict) else {})
            elif f"{section}.{key}" not in explicit and section not in explicit:
                pack.data["provenance"][f"{section}.{key}"] = "gamesmaster"


def _with_provenance(value: Section, old: Section) -> Section:
    changed = {name for name in value if value[name] != old.get(name)}
    marked = dict(value)
    if "port" in changed and "port_provenance" not in changed:
        marked["port_provenance"] = "gamesmaster"
    if changed - {"port", "port_provenance"} and "provenance" not in changed:
        marked["provenance"] = "gamesmaster"
    return marked


def _differences(path: str, before: Any, after: Any) -> Iterator[PackChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(k for k in after if k not in before)]:
            yield from _differences(f"{path}.{key}", before.get(key), after.get(key))
    elif before != after:
        yield PackChange(path, before, after)


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_show(v)}" for k, v in value.items() if not k.endswith("provenance"))
    if isinstance(value, list):
        return ", ".join(str(v) for v in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
