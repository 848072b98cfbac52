"""Who acts in a campaign besides its seats."""

from __future__ import annotations

GM = "GM"  # the Gamesmaster's "letter"
KEEPER = "keeper"  # of the installation, at its command line
