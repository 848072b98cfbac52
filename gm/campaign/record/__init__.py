"""The record of a Phase: what an archive stores of it, and the digest of that which the Bell prints."""
