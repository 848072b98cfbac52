"""Access control and protection of requests: sessions, security headers, rate limits, form limits."""
