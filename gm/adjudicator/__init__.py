"""The adjudicator of Section 17: `adjudicate(board, position, orders_by_player, chance, options) -> Outcome`."""
