"""Whether a pack hangs together: every problem in it, never only the first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product
from typing import Final

from gm.board.fanatic import check_fanatic
from gm.board.model import Border, Color
from gm.board.names import fold, near
from gm.board.pack import Pack, Section
from gm.board.problems import BoardError, BoardProblem, PackSeverity
from gm.board.schema import check_schema

RESULTS: Final = ("Ae", "De", "Ex")
EVENTS: Final = ("draw", "subversion-doubled")
LOWEST_CODE: Final = 3  # Czar and Gold have 1 and 2
IMPERIALS: Final = ("Czar", "Gold")
PLAYER_COLORS: Final = (Color.RED, Color.WHITE)
DICE: Final = range(1, 7)


def validate(pack: Pack) -> tuple[BoardProblem, ...]:
    """What is wrong with a pack, errors before warnings."""
    checked = Pack(pack.data, pack.origin, list(pack.problems), pack.overridden)
    try:
        if check_schema(checked):  # the other checks rely on types
            for check in CHECKS:
                check(checked)
    except BoardError:  # so many that the rest is not looked at
        pass
    return tuple(sorted(checked.problems, key=lambda p: p.severity is PackSeverity.WARNING))


def _warn(pack: Pack, section: str, key: str, what: str) -> None:
    path = f"{section}.{key}" if key else section
    pack.add(BoardProblem(pack.file_of(section, key), path, what, PackSeverity.WARNING))


def _known_province(pack: Pack, code: str, section: str, key: str) -> bool:
    if code in pack.data["provinces"]:
        return True
    pack.complain(section, key, f"unknown province {code!r}", near(code, pack.data["provinces"]))
    return False


def _known_provinces(pack: Pack, codes: Iterable[str], section: str, key: str) -> bool:
    known = [_known_province(pack, code, section, key) for code in codes]  # a list: every unknown one is told
    return all(known)


def _check_names(pack: Pack, section: str, named: Iterable[tuple[str, Iterable[str]]], what: str) -> None:
    """No name may mean two things."""
    owner: dict[str, str] = {}
    for key, names in named:
        for name in names:
            other = owner.setdefault(fold(name), key)
            if other != key:
                pack.complain(section, key, f"{name!r} is also a name of {what} {other}")


def _check_provinces(pack: Pack) -> None:
    provinces = pack.data["provinces"]
    for code in provinces:
        if not re.fullmatch("[A-Z]{2,4}", code):
            pack.complain("provinces", code, "a province's code is two to four capital letters")
    named = ((code, (code, p["name"], *p.get("aliases", ()))) for code, p in provinces.items())
    _check_names(pack, "provinces", named, "province")


def _check_borders(pack: Pack) -> None:
    neighbours: dict[str, set[str]] = {code: set() for code in pack.data["provinces"]}
    for pair, kind in pack.data["borders"].items():
        a, b = pair.split("-")
        if kind not in list(Border):
            pack.complain("borders", pair, f"{kind!r} is none of {', '.join(Border)}")
        if a == b:
            pack.complain("borders", pair, "a province has no border with itself")
        elif _known_provinces(pack, (a, b), "borders", pair) and kind != Border.CLOSED:
            neighbours[a].add(b)
            neighbours[b].add(a)
    for code, found in neighbours.items():
        if not found:
            pack.complain("provinces", code, "no border leads there")
    reached, todo = set(), [next(iter(neighbours), "")]
    while todo:
        here = todo.pop()
        reached.add(here)
        todo += [p for p in neighbours.get(here, ()) if p not in reached]
    for code in sorted(set(neighbours) - reached):
        if neighbours[code]:
            _warn(pack, "provinces", code, "cannot be reached from the rest of the map")


def _check_rail(pack: Pack) -> None:
    for name, line in pack.data["rail"].items():
        provinces = line["provinces"]
        known = _known_provinces(pack, provinces, "rail", name)
        if len(provinces) < 2:
            pack.complain("rail", name, "a rail line needs two provinces or more")
        if len(set(provinces)) < len(provinces):
            pack.complain("rail", name, "comes twice through the same province")
        for a, b in pairwise(provinces):
            kind = pack.data["borders"].get("-".join(sorted((a, b))))
            if known and kind is None:
                pack.complain("rail", name, f"step {a}-{b} without a border")
            elif known and kind != Border.OPEN:
                pack.complain("rail", name, f"step {a}-{b} over a border that is {kind}")


def _check_nations(pack: Pack) -> None:
    regions = {p["region"] for p in pack.data["provinces"].values()}
    for code, nation in pack.data["nations"].items():
        if not re.fullmatch("[A-Z]{2}", code):
            pack.complain("nations", code, "a nation's code is two capital letters")
        if nation["color"] not in (Color.BLUE, Color.GREEN):
            pack.complain("nations", f"{code}.color", f"{nation['color']!r} is neither blue nor green")
        for region in nation.get("regions", ()):
            if region not in regions:
                pack.complain("nations", f"{code}.regions", f"no province is in {region!r}", near(region, regions))
        for province in nation.get("provinces", ()):
            _known_province(pack, province, "nations", f"{code}.provinces")
        if "may_exit_from" in nation:
            _known_province(pack, nation["may_exit_from"], "nations", f"{code}.may_exit_from")


def _check_code(pack: Pack, section: str, key: str, entry: Section, seen: dict[int, str]) -> None:
    if entry["id"] < LOWEST_CODE:
        pack.complain(section, key, f"identity codes below {LOWEST_CODE} belong to the Czar and the Gold")
    other = seen.setdefault(entry["id"], section)
    if other != section:
        pack.complain(section, key, f"identity code {entry['id']} is also among the {other}")


def _check_leaders(pack: Pack) -> None:
    leaders = pack.data["leaders"]
    homes = Counter((u["color"], u["province"]) for u in pack.data["units"].values())
    starred: dict[tuple[str, str], str] = {}
    for key, leader in leaders.items():
        place = (leader["color"], leader["province"])
        if leader["color"] not in PLAYER_COLORS:
            pack.complain("leaders", f"{key}.color", f"{leader['color']!r} is neither red nor white")
        if leader["value"] < 1:
            pack.complain("leaders", f"{key}.value", "a Leadership Value is 1 or more")
        _known_province(pack, leader["province"], "leaders", f"{key}.province")
        if leader["with_unit"]:
            if not homes[place]:
                pack.complain(
                    "leaders", key, f"{leader['name']} starts with a unit, but {place[1]} has no {place[0]} one"
                )
            other = starred.setdefault(place, leader["name"])
            if other != leader["name"]:
                pack.complain("leaders", key, f"{leader['name']} and {other} start with the same unit")
    named = ((k, (leader["name"], *leader.get("aliases", ()))) for k, leader in leaders.items())
    _check_names(pack, "leaders", named, "Leader")


def _check_units(pack: Pack) -> None:
    seen: dict[int, str] = {}
    for section in ("leaders", "units"):
        for key, entry in pack.data[section].items():
            _check_code(pack, section, key, entry, seen)
    for key, unit in pack.data["units"].items():
        if unit["color"] not in list(Color):
            pack.complain("units", f"{key}.color", f"{unit['color']!r} is none of {', '.join(Color)}")
        if unit["strength"] < 1:
            pack.complain("units", f"{key}.strength", "a Combat Strength is 1 or more")
        if _known_province(pack, unit["province"], "units", f"{key}.province"):
            _check_nationality(pack, key, unit)


def _check_nationality(pack: Pack, key: str, unit: Section) -> None:
    code = unit.get("nation")
    if unit["color"] in PLAYER_COLORS:
        if code is not None:
            pack.complain("units", f"{key}.nation", f"a {unit['color']} unit has no nation")
        return
    nation = pack.data["nations"].get(str(code))
    if nation is None:
        known = [n for n, found in pack.data["nations"].items() if found["color"] == unit["color"]]
        pack.complain("units", f"{key}.nation", f"unknown nation {code!r} (known: {', '.join(known)})")
        return
    if nation["color"] != unit["color"]:
        pack.complain("units", f"{key}.nation", f"{code} is {nation['color']}, the unit {unit['color']}")
    home, region = unit["province"], pack.data["provinces"][unit["province"]]["region"]
    outside = (
        home not in nation["provinces"] if "provinces" in nation else region not in nation.get("regions", [region])
    )
    if outside:
        pack.complain("units", f"{key}.province", f"{home} is outside the region of {nation['name']}")


def _check_imperial(pack: Pack) -> None:
    found = pack.data["imperial"]
    for name in (*IMPERIALS, *(n for n in found if n not in IMPERIALS)):
        if name not in found or name not in IMPERIALS:
            pack.complain("imperial", name, "there must be just the Czar and the Gold")
            continue
        entry = found[name]
        unit = pack.data["units"].get(str(entry["under"]))
        if unit is None:
            pack.complain("imperial", f"{name}.under", f"there is no unit {entry['under']}")
        elif unit["province"] != entry["province"]:
            pack.complain("imperial", f"{name}.under", f"unit {entry['under']} is at home in {unit['province']}")
        _known_province(pack, entry["province"], "imperial", f"{name}.province")


def _check_markers(pack: Pack) -> None:
    markers, nations = pack.data["markers"], pack.data["nations"]
    if markers["politburo_dealt"] > markers["politburo"]:
        pack.complain("markers", "politburo_dealt", f"more than the {markers['politburo']} that there are")
    for name, color in (("blue_control", "blue"), ("blue_withdrawal", "blue"), ("green_control", "green")):
        for code in markers[name]:
            nation = nations.get(code)
            if nation is None or nation["color"] != color:
                known = [n for n, found in nations.items() if found["color"] == color]
                pack.complain("markers", name, f"{code!r} is no {color} nation (known: {', '.join(known)})")
            elif name.endswith("control") and not nation["movable"]:
                pack.complain("markers", name, f"{code} does not move and cannot be controlled")
        if len(set(markers[name])) < len(markers[name]):
            pack.complain("markers", name, "a nation is listed twice")
    for code, nation in nations.items():
        if nation["movable"] and code not in markers.get(f"{nation['color']}_control", ()):
            _warn(pack, "nations", code, "can move, but has no Control Marker")


def _check_rows(pack: Pack, section: str, head: str, rows: Iterable[int], width: int, good: re.Pattern[str]) -> None:
    """A table without holes: every row there, as wide as its heading, each cell a result."""
    table = pack.data[section]
    expected = {str(row) for row in rows}
    for row in sorted(expected - set(table), key=int):
        pack.complain(section, row, "this row is missing")
    for row in table:
        if row not in expected and row != head:
            pack.complain(section, row, "no roll gives this row")
    for row in sorted(expected & set(table), key=int):
        cells = table[row]
        if not isinstance(cells, list) or len(cells) != width:
            number = len(cells) if isinstance(cells, list) else 0
            pack.complain(section, row, f"{number} results for {width} columns")
            continue
        for column, cell in enumerate(cells, 1):
            if not isinstance(cell, str) or not good.fullmatch(cell):
                pack.complain(section, row, f"column {column}: {cell!r} is no result of this table")


def _check_combat(pack: Pack) -> None:
    odds = pack.data["combat"].get("odds")
    if not isinstance(odds, list) or not all(isinstance(o, str) and re.fullmatch(r"[1-9]-[1-9]", o) for o in odds):
        pack.complain("combat", "odds", "must be a list of odds such as 3-1")
        return
    if odds != ["1-2", *(f"{n}-1" for n in range(1, len(odds)))] or len(odds) < 2:
        pack.complain("combat", "odds", "columns must be 1-2, 1-1, 2-1 and so on, none left out")
    _check_rows(pack, "combat", "odds", DICE, len(odds), re.compile("|".join(RESULTS)))


def _check_purge(pack: Pack) -> None:
    columns = pack.data["purge"].get("columns")
    if not isinstance(columns, list) or not columns or not all(isinstance(c, int) for c in columns):
        pack.complain("purge", "columns", "must be a list of the lowest Purge Strength of each column")
        return
    if columns[0] != 1 or any(a >= b for a, b in pairwise(columns)):
        pack.complain("purge", "columns", "Purge Strengths must begin at 1 and rise")
    _check_rows(pack, "purge", "columns", range(2, 13), len(columns), re.compile(r"C|\d+"))


def _check_events(pack: Pack) -> None:
    table = pack.data["events"]
    boxes = [f"{a}-{b}" for a, b in product(DICE, DICE)]
    for box in (*boxes, *(b for b in table if b not in boxes)):
        if box not in table:
            pack.complain("events", box, "this box is missing")
        elif box not in boxes:
            pack.complain("events", box, "no roll gives this box")
    found: dict[str, str] = {}
    for box, province in _listed(pack, table):
        other = found.setdefault(province, box)
        if other != box:
            pack.complain("events", box, f"{province} is in two event boxes, {other} and {box}")
    for code in pack.data["provinces"]:
        if code not in found:
            pack.complain("events", code, "this province is in no event box")


def _listed(pack: Pack, table: Section) -> Iterator[tuple[str, str]]:
    """The provinces of the event boxes; other events only looked at."""
    for box, cell in table.items():
        if isinstance(cell, str) and cell not in EVENTS:
            pack.complain("events", box, f"{cell!r} is no event (known: {', '.join(EVENTS)})", near(cell, EVENTS))
        elif isinstance(cell, list):
            yield from ((box, code) for code in map(str, cell) if _known_province(pack, code, "events", box))
        elif not isinstance(cell, str):
            pack.complain("events", box, "must be an event or a list of provinces")


def _check_totals(pack: Pack) -> None:
    """A slip of the pen against the published count. A Gamesmaster who changes counters is only told."""
    for key, total in pack.data["totals"].items():
        color, _, kind = key.partition(" ")
        points = {"leaders": "value", "units": "strength"}.get(kind)
        if points is None or color not in list(Color):
            pack.complain("totals", key, "must be a colour and leaders or units, such as 'red units'")
            continue
        values = [row[points] for row in pack.data[kind].values() if row["color"] == color]
        stated, counted = (total["count"], total["points"]), (len(values), sum(values))
        if stated == counted:
            continue
        what = f"{stated[0]} with {stated[1]} points are stated, {counted[0]} with {counted[1]} found"
        own = f"totals.{key}" in pack.origin and pack.origin[f"totals.{key}"] != pack.origin.get("totals")
        if pack.overridden and not own:
            _warn(pack, "totals", key, what)
        else:
            pack.complain("totals", key, what)


CHECKS: Final[tuple[Callable[[Pack], None], ...]] = (
    _check_provinces,
    _check_borders,
    _check_rail,
    _check_nations,
    _check_leaders,
    _check_units,
    _check_imperial,
    _check_markers,
    _check_combat,
    _check_purge,
    _check_events,
    check_fanatic,
    _check_totals,
)


def errors(problems: Iterable[BoardProblem]) -> list[BoardProblem]:
    return [p for p in problems if p.severity is PackSeverity.ERROR]
