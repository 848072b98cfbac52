"""Commands that need no campaign: `gm board`, `orders`, `adjudicate`, `explain`, `cases`."""
