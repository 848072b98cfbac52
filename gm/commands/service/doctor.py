"""`gm doctor` and `gm settings`: checking and listing the configuration of an installation."""

from __future__ import annotations

import typer

from gm.commands import console
from gm.commands.wiring import AS_JSON, print_json, say
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
    from gm.doctor.run_checks import CHECKS, examine

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


def settings(
    as_json: bool = AS_JSON,
    as_markdown: bool = typer.Option(False, "--markdown", help="Print docs/settings.md"),
    as_env: bool = typer.Option(False, "--env", help="Print .env.example"),
) -> None:
    """Every setting: its variable, what it is here, and what it means. Secrets are never shown."""
    from gm import config

    if as_markdown or as_env:
        typer.echo(config.as_markdown() if as_markdown else config.as_env(), nl=False)
        return
    rows = [_here(*line) for line in config.describe()]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        changed = " (changed)" if row["value"] not in (row["default"], "not set") else ""
        say(f"{row['variable']}={row['value']}{changed}\n    {row['words']}")


def _here(variable: str, default: str, words: str, secret: bool) -> dict[str, str]:
    from gm.config import PREFIX, Settings
    from gm.logs import secrets_of, striker

    here = Settings.load()
    value = str(getattr(here, variable.removeprefix(PREFIX).lower()))
    if secret:
        shown = "set" if value else "not set"
    else:
        shown = str(striker(secrets_of(here))(None, "", {"value": value})["value"])
    return {"variable": variable, "value": shown, "default": default, "words": words}
