"""The web server: uvicorn with the settings that an installation on the internet needs."""

from __future__ import annotations

from gm.campaign.services import Services
from gm.web.app import create_app
from gm.web.guard.crowd import Crowd, more_files
from gm.web.guard.limits import Limiter
from gm.web.guard.slow import CrowdedConfig, ImpatientProtocol

BACKLOG = 128  # connections that wait to be accepted


def web_server(
    services: Services,
    host: str,
    port: int,
    protocol: type[ImpatientProtocol] = ImpatientProtocol,
    limiter: Limiter | None = None,
) -> CrowdedConfig:
    settings = services.settings
    config = CrowdedConfig(
        create_app(services, limiter=limiter),
        host=host,
        port=port,
        log_config=None,  # uvicorn's own log goes through gm.logs
        log_level="warning",
        access_log=False,  # no address with a query is ever written down
        proxy_headers=settings.behind_proxy,  # of the forwarded addresses only the one that our proxy wrote
        forwarded_allow_ips=settings.trusted_proxies,
        http=protocol,
        server_header=False,
        date_header=True,
        backlog=BACKLOG,
    )
    config.crowd = Crowd(settings, more_files())
    return config
