"""The form for creating a campaign."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Request, UploadFile
from starlette.responses import HTMLResponse, Response

from gm.adjudicator.engine.options import KEY_AREAS
from gm.campaign.access import callers
from gm.campaign.options import CampaignOptions
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import creation
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.errors import UserError
from gm.standin.strategy import Style
from gm.web.guard.access import AnyGamesmaster, limit
from gm.web.guard.forms import Address, Letter, Line, Text, Tick, back, normal
from gm.web.guard.session import SeatKey, session_of
from gm.web.pages import render
from gm.web.routes.gm.board import uploaded
from gm.wording import capital

router = APIRouter(prefix="/gm", include_in_schema=False)
Files = Annotated[list[UploadFile], File()]
NO_FILES: list[UploadFile] = []
Days = Annotated[int, Form(ge=1, le=60)]
_STANDIN = re.compile(rf"^(?:([A-Za-z])[:.)]\s*)?({'|'.join(Style)})$", re.IGNORECASE)
_PLAYER = re.compile(r"^(?:([A-Za-z])[:.)]\s+)?(.*?)[\s,;<]+([^\s,;<>]+@[^\s,;<>]+)>?(?:[\s,;]+(\S+))?$")


@router.get("/new")
def form(request: Request, services: AnyGamesmaster) -> HTMLResponse:
    return page(request, {}, "")


def page(request: Request, given: dict[str, object], problem: str, status: int = 200) -> HTMLResponse:
    return render(request, "gm/new.html", given=given, problem=problem, defaults=CampaignOptions(), status=status)


def read_players(text: str) -> list[NewPlayer]:
    """One a line: a letter if wanted, the name, the address, a time zone if known."""
    found = []
    for line in normal(text).split("\n"):
        if not line.strip():
            continue
        standin = _STANDIN.match(line.strip())
        if standin is not None:
            letter, style = standin.groups()
            found.append(NewPlayer("", "", letter=letter.upper() if letter else None, standin=Style(style.lower())))
            continue
        match = _PLAYER.match(line.strip())
        if match is None:
            raise UserError(f"This line is no player: {line.strip()[:80]}", "Write a name and an address on each line.")
        letter, name, address, zone = match.groups()
        found.append(
            NewPlayer(name.strip(" \"'") or address, address, zone or "UTC", letter.upper() if letter else None)
        )
    return found


@router.post("/new", dependencies=[Depends(limit("write"))])
def create(
    request: Request,
    services: AnyGamesmaster,
    name: Line,
    players: Text,
    gm_name: Line,
    gm_address: Address,
    gm_letter: Letter = "",
    paper: Line = "",
    pregame_days: Days = 7,
    first_days: Days = 4,
    second_days: Days = 3,
    hour: Line = "20:00",
    zone: Line = "UTC",
    publish: Line = "auto",
    nmr: Line = "hold",
    early_close: Tick = False,
    beacon: Tick = False,
    public: Tick = False,
    anonymous_letters: Tick = False,
    masses: Tick = False,
    deal: Line = "one-pot",
    victory: Line = "annihilation",
    key_areas: Line = "",
    last_turn: Annotated[int, Form(ge=0, le=60)] = 0,
    pack: Files = NO_FILES,
) -> Response:
    chosen = {
        "pregame_days": pregame_days,
        "first_days": first_days,
        "second_days": second_days,
        "hour": hour,
        "zone": zone or "UTC",
        "publish": publish,
        "nmr": nmr,
        "early_close": early_close,
        "beacon": beacon,
        "public": public,
        "anonymous_letters": anonymous_letters,
        "masses": masses,
        "deal": deal,
        "victory": victory,
        "key_areas": key_areas or " ".join(KEY_AREAS),
        "last_turn": last_turn,
    }
    given = chosen | {"name": name, "players": players, "gm_name": gm_name, "gm_address": gm_address, "paper": paper}
    try:
        campaign = creation.create(
            services,
            name=name,
            players=read_players(players),
            gm_name=gm_name,
            gm_address=gm_address,
            gm_letter=gm_letter or None,
            options=chosen,
            paper=paper or "The Bell",
            pack=uploaded(pack),
            actor=gm_name,
        )
    except UserError as error:
        return page(request, given | {"gm_letter": gm_letter}, f"{str(error).rstrip('.')}. {capital(error.hint)}", 422)
    _sit_down(request, services, campaign)
    return back(request, f"/gm/c/{campaign}", "opened")


def _sit_down(request: Request, services: Services, campaign: str) -> None:
    """Sign the creator in as Gamesmaster of the new campaign."""
    mark = callers.fingerprint(services, campaign, GM)
    assert mark is not None
    session_of(request).sit_down(SeatKey(campaign, GM, mark))
