"""`gm doctor` and `gm settings`."""

from __future__ import annotations

import typer

from gm.commands import console
from gm.commands.wiring import AS_JSON, print_json
from gm.errors import UserError

SIGNS = {"ok": "[green]ok  [/green]", "warn": "[yellow]warn[/yellow]", "fail": "[red]FAIL[/red]"}


def doctor(
    only: list[str] = typer.Option([], "--only", help="Only these checks: database, work, smtp, ... (repeat it)"),
    as_json: bool = AS_JSON,
) -> None:
    """Look at everything this installation needs and say what to do. Ends with 1 if something fails."""
    from rich.markup import escape

    from gm.config import Settings
    from gm.doctor.finding import Level
    from gm.doctor.rounds import CHECKS, examine

    unknown = sorted(set(only) - set(CHECKS))
    if unknown:
        raise UserError(f"there is no check {unknown[0]!r}", f"there are {', '.join(CHECKS)}")
    findings = []
    out = console()
    for finding in examine(Settings.load(), only):
        findings.append(finding)
        if not as_json:
            out.print(f"{SIGNS[finding.level]}  {finding.check:<9} {escape(finding.words)}")
            if finding.todo:
                out.print(f"                 -> {escape(finding.todo)}")
    bad = [finding for finding in findings if finding.level is Level.FAIL]
    if as_json:
        print_json(findings)
    elif not only:
        warned = sum(finding.level is Level.WARN for finding in findings)
        out.print(f"\n{len(bad)} failed, {warned} to look at, {len(findings)} findings in all")
    if bad:
        raise typer.Exit(1)


def settings(as_json: bool = AS_JSON) -> None:
    """Every setting: its variable, what it is here, and what it means. Secrets are never shown."""
    from rich.markup import escape

    from gm.config import PREFIX, Settings, describe
    from gm.logs import secrets_of, striker

    here = Settings.load()
    strike = striker(secrets_of(here))
    rows = []
    for variable, default, words, secret in describe():
        value = str(getattr(here, variable.removeprefix(PREFIX).lower()))
        shown = ("set" if value else "not set") if secret else str(strike(None, "", {"value": value})["value"])
        rows.append({"variable": variable, "value": shown, "default": default, "words": words})
    if as_json:
        print_json(rows)
        return
    for row in rows:
        changed = " [bold](changed)[/bold]" if row["value"] not in (row["default"], "not set") else ""
        console().print(f"{row['variable']}={escape(row['value'])}{changed}\n    {escape(row['words'])}")
