"""Monitoring endpoints: /healthz, /readyz, and /metrics for Prometheus."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import REGISTRY, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import PlainTextResponse, Response

from gm import __version__
from gm.campaign.reads.metrics import Figures, figures_of
from gm.errors import NotFound
from gm.web.guard.access import Anybody

router = APIRouter(include_in_schema=False)
LOOPBACK = ("127.0.0.1", "::1")


@router.get("/healthz")
def healthz(services: Anybody) -> PlainTextResponse:
    """The web answers. Says nothing of the database, whose failure no restart of the web would mend."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
def readyz(services: Anybody) -> PlainTextResponse:
    """The database answers and can be written. A worker that is away is told; pages and orders work without it."""
    try:
        found = figures_of(services)
    except SQLAlchemyError:
        return PlainTextResponse("the database does not answer\n", 503)
    if not services.store.can_write():
        return PlainTextResponse(
            "the database cannot be written to: no mail and no order is taken, see gm doctor\n", 503
        )
    if found.halted:
        return PlainTextResponse("ok, but the clock is in doubt and nothing is adjudicated\n")
    if not found.worker_is_there:
        return PlainTextResponse("ok, but no worker is looking\n")
    if not found.mail_is_read:
        waits = f"the oldest waits for {found.inbox_wait_seconds / 60:.0f} minutes"
        return PlainTextResponse(f"ok, but mail is not read: {found.unreadable} could not be, {waits}, see gm doctor\n")
    return PlainTextResponse("ok\n")


@router.get("/metrics")
def metrics(request: Request, services: Anybody) -> Response:
    """With the token of the settings; without one, only from this machine itself."""
    if not _may_watch(request, services.settings.metrics_token):
        raise NotFound("page", "There is no such page.", "")
    registry = CollectorRegistry()
    registry.register(_Counted(figures_of(services), not services.store.can_write()))
    return Response(generate_latest(REGISTRY) + generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _may_watch(request: Request, token: str) -> bool:
    if token:
        return secrets.compare_digest(request.headers.get("authorization", "").encode(), f"Bearer {token}".encode())
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    return request.client is not None and request.client.host in LOOPBACK and not forwarded


class _Counted(Collector):
    def __init__(self, figures: Figures, unwritable: bool) -> None:
        self._figures, self._unwritable = figures, unwritable

    def collect(self) -> Iterator[Metric]:
        found = self._figures
        yield InfoMetricFamily("kolokol", "This installation", {"version": __version__})
        yield _by("kolokol_campaigns", "Campaigns", "status", found.campaigns)
        yield _by("kolokol_phases", "Unfinished campaigns, by how far their Phase is", "state", found.phases)
        yield _by("kolokol_inbox", "Mails that came in, by what became of them", "state", found.inbox)
        yield CounterMetricFamily("kolokol_mails", "Mails ever queued", found.mails_ever)
        gauges = {
            "kolokol_mails_waiting": ("Mails that wait to be sent", found.mails_waiting),
            "kolokol_mails_failed": ("Mails that could not be sent", found.mails_failed),
            "kolokol_mail_wait_seconds": ("How long the oldest of them waits", found.mail_wait_seconds),
            "kolokol_mails_unreadable": ("Mails of a week that could not be read", found.unreadable),
            "kolokol_inbox_wait_seconds": ("How long the oldest mail waits to be read", found.inbox_wait_seconds),
            "kolokol_overdue": ("Deadlines and other alarms whose time has come", found.overdue),
            "kolokol_overdue_seconds": ("How late the oldest of them is", found.overdue_seconds),
            "kolokol_given_up": ("Alarms that failed until patience ended", found.given_up),
            "kolokol_unwritable": ("1: the database could not be written to just now", float(self._unwritable)),
            "kolokol_clock_halted": ("1: the clock is in doubt and nothing is adjudicated", float(bool(found.halted))),
        }
        for name, (words, value) in gauges.items():
            yield GaugeMetricFamily(name, words, value)
        if found.last_look_seconds is not None:
            yield GaugeMetricFamily("kolokol_last_look_seconds", "Since a worker last looked", found.last_look_seconds)


def _by(name: str, words: str, label: str, values: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, words, labels=[label])
    for value, number in sorted(values.items()):
        family.add_metric([value], number)
    return family
