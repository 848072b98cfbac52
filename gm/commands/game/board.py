"""`gm board`: the map, the counters and the tables, and a Gamesmaster's own pack."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

import typer
from rich.markup import escape

from gm.adjudicator.begin import unfit
from gm.board.load import build, load_pack
from gm.board.model import Board, Border, Color, Piece, Province
from gm.board.names import names_of
from gm.board.pack import changes, read_pack
from gm.board.paths import shortest_path
from gm.board.problems import BoardError
from gm.board.validate import errors, validate
from gm.commands import console
from gm.errors import UserError

app = typer.Typer(help="The map, the counters and the tables; check your own pack.", no_args_is_help=True)

PACK = typer.Option(None, "--pack", help="Your own pack, a file or a folder", show_default=False)
# Movement Points overland (J9).
POINTS = {Color.RED: 5, Color.WHITE: 5, Color.BLUE: 3, Color.GREEN: 3}


class What(StrEnum):
    PROVINCES = "provinces"
    LEADERS = "leaders"
    UNITS = "units"
    NATIONS = "nations"
    RAIL = "rail"
    TABLES = "tables"


def find_province(board: Board, text: str) -> Province:
    """A province by code, name or alias, or an error with the nearest names."""
    names = names_of(board)
    code = names.province(text)
    if code is None:
        near = names.near_province(text)
        hint = f"did you mean {' or '.join(near)}?" if near else "`gm board list` lists them"
        raise UserError(f"no province {text!r}", hint)
    return board.provinces[code]


@app.command()
def show(
    name: str = typer.Argument(help="A province (TVER, Moscow) or a Leader (Lenin)"),
    pack: Path | None = PACK,
) -> None:
    """Show a province or a Leader: borders, rail, port, who is at home there, and how we know."""
    board = load_pack(pack)
    leader = names_of(board).leader(name)
    if leader is not None and names_of(board).province(name) is None:
        _show_leader(board, leader)
    else:
        _show_province(board, find_province(board, name))


def _show_leader(board: Board, leader: Piece) -> None:
    out = console()
    out.print(f"[bold]{leader.bell}[/bold]  #{leader.code}")
    home = board.provinces[leader.home]
    with_unit = ", with the unit of his colour" if leader.starred else ""
    _rows(
        ("starts in", f"{home.code} {home.name}{with_unit}"),
        ("also called", ", ".join(leader.aliases)),
        ("known by", f"{leader.provenance}; his code is {leader.code_provenance}"),
    )


def _show_province(board: Board, province: Province) -> None:
    also = f" ({', '.join(province.aliases)})" if province.aliases else ""
    console().print(f"[bold]{province.code}[/bold]  {escape(province.name + also)}")
    by_kind = {kind: [p for p, k in board.borders[province.code].items() if k is kind] for kind in Border}
    lines = [line.name for line in board.rail if province.code in line.provinces]
    boxes = [
        f"{a}-{b} ({board.known_by(f'events.{a}-{b}')})"
        for (a, b), cell in board.tables.events.items()
        if province.code in cell and not isinstance(cell, str)
    ]
    _rows(
        ("region", province.region),
        ("borders", _provinces(board, by_kind[Border.OPEN])),
        ("White only", _provinces(board, by_kind[Border.WHITE_ONLY])),
        ("closed", _provinces(board, by_kind[Border.CLOSED])),
        ("rail to", _provinces(board, board.rail_steps.get(province.code, ()))),
        ("rail lines", "; ".join(lines)),
        ("port", f"yes ({province.port_provenance})" if province.port else "no"),
        ("at home", ", ".join(f"{p.bell}{'*' if p.starred else ''}" for p in board.at_home[province.code])),
        ("event box", ", ".join(boxes)),
        ("known by", f"{province.provenance}; its borders and rail are {board.known_by('borders')}"),
    )


def _provinces(board: Board, codes: Iterable[str]) -> str:
    return ", ".join(f"{code} {board.provinces[code].name}" for code in sorted(codes))


def _rows(*rows: tuple[str, str]) -> None:
    out = console()
    for label, text in rows:
        if text:
            out.print(f"  [dim]{label:<12}[/dim]{escape(text)}")


@app.command()
def path(
    start: str = typer.Argument(help="Where it starts"),
    goal: str = typer.Argument(help="Where it goes"),
    color: Color = typer.Option(Color.RED, help="Whose force it is: borders differ"),
    pack: Path | None = PACK,
) -> None:
    """Find the shortest way on the empty map, overland and by rail."""
    board = load_pack(pack)
    here, there = find_province(board, start).code, find_province(board, goal).code
    found = False
    for by_rail, label in ((False, "overland"), (True, "by rail")):
        if by_rail and color not in (Color.RED, Color.WHITE):
            continue  # 5.5: rail movement is for Red and White
        way = shortest_path(board, here, there, color, by_rail)
        if way is None:
            console().print(f"no way {label} from {here} to {there} for {color}")
            continue
        found = True
        steps, points = len(way) - 1, POINTS[color]
        beyond = f", beyond the {points} Movement Points of one Phase" if not by_rail and steps > points else ""
        console().print(f"{'-'.join(way)}  {label}, {steps} step{'' if steps == 1 else 's'}{beyond}")
    if not found:
        raise typer.Exit(1)


@app.command()
def check(
    pack: Path | None = typer.Argument(None, help="Your pack: a TOML file or a folder of them", show_default=False),
) -> None:
    """Check a pack: what it changes on the standard board, and what is wrong with it."""
    out = console()
    try:
        read = read_pack(pack)
        problems = validate(read)
        if not errors(problems):
            problems = (*unfit(read), *problems)
    except BoardError as error:
        problems, read = error.problems, None
    if read is not None and pack is not None:
        found = changes(read)
        out.print(f"[bold]{len(found)} change{'' if len(found) == 1 else 's'}[/bold] to the standard board")
        for change in found:
            out.print(f"  {escape(str(change))}")
    for problem in problems:
        out.print(f"[bold]{problem.severity}[/bold]  {escape(str(problem))}")
    if errors(problems) or read is None:
        out.print(f"{len(errors(problems))} to mend: this pack cannot be played with")
        raise typer.Exit(1)
    board = build(read)
    out.print(f"ok: {len(board.provinces)} provinces, {len(board.leaders)} Leaders, {len(board.units)} units")
    out.print(f"digest {board.digest}")


@app.command("list")
def list_(
    what: What = typer.Argument(What.PROVINCES, help="What to list"),
    pack: Path | None = PACK,
) -> None:
    """List what is in the box, with how we know it."""
    board = load_pack(pack)
    if what is What.TABLES:
        _list_tables(board)
        return
    headings, rows = _LISTS[what](board)
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, *rows):
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        console().print(escape(line), style="bold" if row is headings else "")


Listing = tuple[tuple[str, ...], list[tuple[str, ...]]]


def _list_provinces(board: Board) -> Listing:
    rows: list[tuple[str, ...]] = [
        (p.code, p.name, p.region, f"port ({p.port_provenance})" if p.port else "", str(p.provenance))
        for p in sorted(board.provinces.values(), key=lambda p: p.code)
    ]
    return ("Code", "Province", "Region", "Port", "Known by"), rows


def _list_pieces(pieces: Iterable[Piece]) -> Listing:
    rows: list[tuple[str, ...]] = [
        (str(p.code), p.bell + ("*" if p.starred else ""), p.home, str(p.provenance), str(p.code_provenance))
        for p in pieces
    ]
    return ("Identity", "Counter", "Home", "Known by", "Identity known by"), rows


def _list_nations(board: Board) -> Listing:
    rows: list[tuple[str, ...]] = [
        (
            n.code,
            n.name,
            n.color,
            "moves" if n.movable else "stays",
            "anywhere" if n.provinces is None else " ".join(sorted(n.provinces)),
        )
        for n in board.nations.values()
    ]
    return ("Code", "Nation", "Colour", "Moves", "Where"), rows


def _list_rail(board: Board) -> Listing:
    rows: list[tuple[str, ...]] = [
        ("-".join(r.provinces), r.name, board.known_by(f"rail.{r.name}")) for r in board.rail
    ]
    return ("Line", "Name", "Known by"), rows


_LISTS = {
    What.PROVINCES: _list_provinces,
    What.LEADERS: lambda board: _list_pieces(board.leaders),
    What.UNITS: lambda board: _list_pieces(board.units),
    What.NATIONS: _list_nations,
    What.RAIL: _list_rail,
}


def _list_tables(board: Board) -> None:
    tables, out = board.tables, console()
    out.print(f"[bold]Combat Results[/bold] (8.5), {board.known_by('combat')}")
    out.print("".join(f"{cell:>6}" for cell in ("die", *tables.odds)))
    for die, cells in sorted(tables.combat.items()):
        out.print("".join(f"{cell:>6}" for cell in (die, *cells)))
    out.print(f"\n[bold]Purge[/bold] (11.4), {board.known_by('purge')}")
    out.print("".join(f"{cell:>6}" for cell in ("dice", *(f"{c}+" for c in tables.purge_columns))))
    for dice, cells in sorted(tables.purge.items()):
        out.print("".join(f"{cell:>6}" for cell in (dice, *cells)))
    out.print("\n[bold]Random Events[/bold] (12.2)")
    for (a, b), cell in sorted(tables.events.items()):
        text = cell if isinstance(cell, str) else " ".join(cell)
        out.print(f"   {a}-{b}  {text:<24}{board.known_by(f'events.{a}-{b}')}")
    _list_fanatic(board)


def _list_fanatic(board: Board) -> None:
    fanatic, out = board.fanatic, console()
    out.print(f"\n[bold]Strategies of the fanatic stand-in[/bold], {board.known_by('strategies')}")
    for die, row in sorted(fanatic.strategies.items()):
        flags = [n for n in ("purge", "assassination", "gives_assassin", "vindictive") if getattr(row, n)]
        words = " ".join(flags).replace("gives_assassin", "gives an assassin")
        out.print(f"   {die}  {row.attacks} attacks at {row.odds}-1  {words}")
    out.print(f"\n[bold]Whom a vindictive one attacks[/bold], {board.known_by('vindictive')}")
    for die, whom in sorted(fanatic.vindictive.items()):
        out.print(f"   {die}  {whom}")
    out.print("\n[bold]Whose units attack whom first[/bold]")
    for outlook, rows in fanatic.priorities.items():
        for units, cells in rows:
            text = " / ".join(", ".join(cell) or "-" for cell in cells)
            out.print(f"   {outlook:<10}{units:<6}  {text:<24}{board.known_by(f'priorities.{outlook}.{units}')}")
