"""The subcommands of `gm`, a module a group, listed in gm/cli.py: they read arguments and print, and decide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console() -> Console:
    """Where commands print to. Long lines are left whole, so that output can be piped and searched."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)
