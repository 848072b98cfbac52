"""Prometheus counters of mail processing, for /metrics."""

from __future__ import annotations

from prometheus_client import Counter

handling = Counter("kolokol_mail_in_total", "Mails dealt with, by where they ended", ["outcome"])
sending = Counter("kolokol_mail_out_total", "Mails tried, by what became of them", ["outcome"])
