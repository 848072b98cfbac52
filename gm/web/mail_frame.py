"""A mail's HTML as a page for an iframe: no script, nothing from elsewhere, pictures from our own address."""

from __future__ import annotations

import re

from starlette.responses import HTMLResponse

from gm.reports.render.html import ALBUM_CID, CHART_CID, DETAIL_CID, MAP_CID
from gm.web.guard.security import MAIL_CSP


def framed(html: str, picture: str, chart: str = "") -> HTMLResponse:
    shown = html.replace(f"cid:{MAP_CID}", picture)
    for cid, address in ((CHART_CID, chart), (DETAIL_CID, ""), (ALBUM_CID, "")):
        shown = (
            shown.replace(f"cid:{cid}", address)
            if address
            else re.sub(rf"<img[^>]*cid:{re.escape(cid)}[^>]*>", "", shown)
        )
    return HTMLResponse(shown, headers={"Content-Security-Policy": MAIL_CSP})
