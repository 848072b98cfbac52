"""The subcommands of `gm`, one module per group, listed in gm/cli.py: they read arguments, call, and print."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console() -> Console:
    """Where commands print to. Long lines are left whole, so that output can be piped and searched."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)
