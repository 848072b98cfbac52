"""Section 17 whole: `adjudicate(board, position, orders_by_player, chance, options) -> Outcome`."""
