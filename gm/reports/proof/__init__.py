"""Proofs of fair dice: receipts, digests, the chain of the Bells, and verifying an archive."""
