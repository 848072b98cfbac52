"""The public beacon that goes into the dice: which round of it, waiting for it, asking for it over HTTP."""
