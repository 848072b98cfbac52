"""The commander style: plans that are tried out by the adjudicator before one is ordered."""
