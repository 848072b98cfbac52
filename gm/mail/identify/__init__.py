"""Identifying the sender of a mail: address and token, DKIM, rate limits."""
