"""`gm cases PATH...`: run adjudicator cases."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from gm.board.load import load_pack
from gm.cases.coverage import coverage_page, read_wanted
from gm.cases.reader import read_cases
from gm.cases.runner import CaseResult, run
from gm.errors import UserError


def cases(
    paths: list[Path] = typer.Argument(..., help="Files or folders (searched for .case files)"),
    as_json: bool = typer.Option(False, "--json", help="The same for programs"),
    coverage: bool = typer.Option(False, "--coverage", help="Which rules and rulings the cases cite"),
    pack: Path | None = typer.Option(None, "--pack", help="Your own board pack", show_default=False),
) -> None:
    """Run adjudicator cases and say what was expected and what happened."""
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: no such file or folder")
    board = load_pack(pack)
    found = list(read_cases(board, paths))
    if coverage:
        typer.echo(coverage_page(found, read_wanted(paths)), nl=False)
        return
    verdicts = [run(board, case) for case in found]
    failed = sum(not v.ok for v in verdicts)
    if as_json:
        typer.echo(json.dumps([_as_json(v) for v in verdicts], indent=2))
    else:
        for verdict in verdicts:
            _print(verdict)
        typer.echo(f"{len(verdicts) - failed} passed, {failed} failed")
    if failed or not verdicts:
        raise typer.Exit(1)


def _print(verdict: CaseResult) -> None:
    case = verdict.case
    typer.echo(f"{'ok  ' if verdict.ok else 'FAIL'} {case.id}  {case.title}")
    for failure in verdict.failures:
        typer.echo(f"      {failure}")


def _as_json(verdict: CaseResult) -> dict[str, object]:
    case = verdict.case
    return {
        "id": case.id,
        "title": case.title,
        "file": case.path,
        "line": case.line,
        "rules": list(case.rules),
        "ok": verdict.ok,
        "failures": verdict.failures,
    }
