"""Which keys an entry of each section may have, and of what type: the first look at a pack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from gm.board.model import Provenance
from gm.board.names import near
from gm.board.pack import Pack

TEXT, NUMBER, FLAG, TEXTS, PAIR = "a text", "a whole number", "true or false", "a list of texts", "two numbers"
UNKNOWN: Final = "unknown key"


@dataclass(frozen=True, slots=True)
class Schema:
    required: dict[str, str]
    optional: dict[str, str]

    def kind(self, name: str) -> str | None:
        return self.required.get(name) or self.optional.get(name)


_KNOWN_BY = {"provenance": TEXT}
ENTRIES: Final = {
    "provinces": Schema(
        {"name": TEXT, "region": TEXT},
        {"aliases": TEXTS, "port": FLAG, "seat": PAIR, "port_provenance": TEXT, **_KNOWN_BY},
    ),
    "rail": Schema({"name": TEXT, "provinces": TEXTS}, {}),
    "leaders": Schema(
        {"id": NUMBER, "name": TEXT, "color": TEXT, "value": NUMBER, "province": TEXT, "with_unit": FLAG},
        {"aliases": TEXTS, "code_attested": FLAG, **_KNOWN_BY},
    ),
    "units": Schema(
        {"id": NUMBER, "color": TEXT, "strength": NUMBER, "province": TEXT},
        {"nation": TEXT, "aliases": TEXTS, "code_attested": FLAG, **_KNOWN_BY},
    ),
    "imperial": Schema({"name": TEXT, "province": TEXT, "under": NUMBER}, {"aliases": TEXTS, **_KNOWN_BY}),
    "nations": Schema(
        {"name": TEXT, "color": TEXT, "movable": FLAG},
        {"regions": TEXTS, "provinces": TEXTS, "may_exit_from": TEXT, "aliases": TEXTS},
    ),
    "totals": Schema({"count": NUMBER, "points": NUMBER}, {}),
}
WHOLE: Final = {
    "meta": Schema({"name": TEXT, "source": TEXT}, {}),
    "markers": Schema(
        {
            "politburo": NUMBER,
            "politburo_dealt": NUMBER,
            "assassins_dealt": NUMBER,
            "assassins_in_randomizer": NUMBER,
            "blue_control": TEXTS,
            "blue_withdrawal": TEXTS,
            "green_control": TEXTS,
        },
        {},
    ),
}


def check_schema(pack: Pack) -> bool:
    """Complain of missing, unknown and ill-typed keys. True: whatever is needed is there and of its type."""
    sound = True
    for section, schema in WHOLE.items():
        for what, name, hints in _faults(schema, pack.data[section]):
            pack.complain(section, name, what, hints)
            sound = sound and what == UNKNOWN
    for section, schema in ENTRIES.items():
        for key, entry in pack.data[section].items():
            if not isinstance(entry, dict):
                pack.complain(section, key, "must be a table of its own")
                sound = False
                continue
            for what, name, hints in _faults(schema, entry):
                pack.complain(section, f"{key}.{name}", what, hints)
                sound = sound and what == UNKNOWN
            _check_provenance(pack, section, key, entry)
    for key, value in pack.data["provenance"].items():
        if value not in list(Provenance):
            pack.complain("provenance", key, f"{value!r} is none of {', '.join(Provenance)}")
    return sound


def _faults(schema: Schema, entry: dict[str, Any]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for name in schema.required:
        if name not in entry:
            yield "is missing", name, ()
    for name, value in entry.items():
        kind = schema.kind(name)
        if kind is None:
            yield UNKNOWN, name, near(name, (*schema.required, *schema.optional))
        elif not fits(kind, value):
            yield f"must be {kind}, not {value!r}", name, ()


def fits(kind: str, value: Any) -> bool:
    if kind == TEXT:
        return isinstance(value, str) and bool(value.strip())
    if kind == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if kind == FLAG:
        return isinstance(value, bool)
    if not isinstance(value, list):
        return False
    if kind == PAIR:
        return len(value) == 2 and all(isinstance(v, float) or (type(v) is int and abs(v) < 10**300) for v in value)
    return all(isinstance(v, str) and v.strip() for v in value)


def _check_provenance(pack: Pack, section: str, key: str, entry: dict[str, Any]) -> None:
    for name in ("provenance", "port_provenance"):
        if name in entry and entry[name] not in list(Provenance):
            pack.complain(section, f"{key}.{name}", f"{entry[name]!r} is none of {', '.join(Provenance)}")
