"""The form for creating a campaign."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from pydantic import Field
from starlette.responses import HTMLResponse, Response

from gm.adjudicator.engine.options import KEY_AREAS
from gm.campaign.manage import creation
from gm.campaign.options import CampaignOptions
from gm.campaign.ports import NewPlayer
from gm.campaign.roles import GM
from gm.campaign.seats.new_players import new_seat
from gm.errors import UserError
from gm.web.guard.access import WRITE, AnyGamesmaster, sit_down
from gm.web.guard.forms import Address, Days, Letter, Line, Text, Tick, back, normal
from gm.web.pages import render
from gm.web.routes.gm.board import uploaded
from gm.web.routes.gm.options_form import OptionsForm
from gm.wording import capital

router = APIRouter(prefix="/gm", include_in_schema=False)


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
        player = new_seat(line, in_a_list=True)
        if player is None:
            raise UserError(f"This line is no player: {line.strip()[:80]}", "Write a name and an address on each line.")
        found.append(player)
    return found


class NewCampaign(OptionsForm):
    name: Line
    players: Text
    gm_name: Line
    gm_address: Address
    gm_letter: Letter = ""
    paper: Line = ""
    pregame_days: Days = 7
    first_days: Days = 4
    second_days: Days = 3
    hour: Line = "20:00"
    zone: Line = "UTC"
    publish: Line = "auto"
    nmr: Line = "hold"
    masses: Tick = False
    deal: Line = "one-pot"
    victory: Line = "annihilation"
    key_areas: Line = ""
    last_turn: Annotated[int, Form(ge=0, le=60)] = 0
    pack: list[UploadFile] = Field(default_factory=list)

    def options(self) -> dict[str, object]:
        given = self.model_dump(exclude=ABOUT)
        return given | {"zone": self.zone or "UTC", "key_areas": self.key_areas or " ".join(KEY_AREAS)}


ABOUT = {"name", "players", "gm_name", "gm_address", "gm_letter", "paper", "pack"}  # what is no option


@router.post("/new", dependencies=WRITE)
def create(request: Request, services: AnyGamesmaster, form: Annotated[NewCampaign, Form()]) -> Response:
    try:
        campaign = creation.create(
            services,
            name=form.name,
            players=read_players(form.players),
            gm_name=form.gm_name,
            gm_address=form.gm_address,
            gm_letter=form.gm_letter or None,
            options=form.options(),
            paper=form.paper or "The Bell",
            pack=uploaded(form.pack),
            actor=form.gm_name,
        )
    except UserError as error:
        given = form.model_dump(exclude={"pack"}) | form.options()
        return page(request, given, f"{str(error).rstrip('.')}. {capital(error.hint)}", 422)
    seated = sit_down(request, campaign, GM)
    assert seated
    return back(request, f"/gm/c/{campaign}", "opened")
