"""A mail's HTML as a page of its own, for a frame: no script, nothing from elsewhere, pictures from our own address."""

from __future__ import annotations

import re

from starlette.responses import HTMLResponse

from gm.reports.bell import CHART_CID, MAP_CID
from gm.web.security import MAIL_CSP


def framed(html: str, picture: str, chart: str = "") -> HTMLResponse:
    shown = html.replace(f"cid:{MAP_CID}", picture)
    shown = (
        shown.replace(f"cid:{CHART_CID}", chart)
        if chart
        else re.sub(rf"<img[^>]*cid:{re.escape(CHART_CID)}[^>]*>", "", shown)
    )
    return HTMLResponse(shown, headers={"Content-Security-Policy": MAIL_CSP})
