"""`gm backup` and `gm restore`: the whole installation in one file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import typer

from gm.commands.wiring import say


def backup(
    target: Path = typer.Argument(None, help="The file to write; none: kolokol-DATE.backup here"),
    check: bool = typer.Option(False, "--check", help="Only read a backup and see that it is whole"),
) -> None:
    """Write the whole installation into one file while it runs. The file holds secrets: keep it as you keep keys."""
    from gm import backup as backups
    from gm.config import Settings

    target = target or Path(f"kolokol-{datetime.now(UTC):%Y%m%d-%H%M%S}.backup")
    manifest = backups.check(target) if check else backups.back_up(Settings.load(), target)
    say(f"{target}: {'whole; ' if check else ''}{_words(manifest.engine, manifest.schema, manifest.rows)}")
    if manifest.engine == "postgresql" and not check:
        say("KOLOKOL_SECRET_KEY is not in it: keep that beside it, or links and reply addresses of old mails will die.")


def restore(source: Path = typer.Argument(help="What `gm backup` wrote")) -> None:
    """Put a backup into an empty database and bring it to the present schema."""
    from gm import backup as backups
    from gm.config import Settings

    manifest = backups.restore(Settings.load(), source)
    say(f"restored {_words(manifest.engine, manifest.schema, manifest.rows)}, as of {manifest.made_at}")
    say("Next: gm doctor; then gm worker --accept-clock, for the service was away since then.")


def _words(engine: str, schema: str, rows: dict[str, int]) -> str:
    return f"{engine} at schema {schema}, {rows.get('campaigns', 0)} campaigns, {sum(rows.values())} rows"
