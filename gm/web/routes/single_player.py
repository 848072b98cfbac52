"""Games of one person from the front page: at once when trying out, by a link in a mail on an installed service."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import HTMLResponse, Response

from gm.campaign import keys
from gm.campaign.access import callers, links
from gm.campaign.access.addresses import refused
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import outbox
from gm.campaign.notices import render_notice
from gm.campaign.ports import Mail, NewPlayer
from gm.campaign.services import Services
from gm.campaign.solo import against_standins, solitaire
from gm.errors import Conflict, Invalid, NotAllowed, NotFound
from gm.position import RED_PLAYER
from gm.web.guard.access import Anybody, limit, sit_down
from gm.web.guard.forms import Address, Letter, Line, Tick, back
from gm.web.pages import render
from gm.web.wording import say

router = APIRouter(include_in_schema=False)
CAMPAIGN, SOLITAIRE = "campaign", "solitaire"
Game = Annotated[str, Form(pattern="^(campaign|solitaire)$")]
Commanders = Annotated[int, Form(ge=0, le=4)]


def _offered(services: Services) -> None:
    if not services.settings.offers_alone:
        raise NotFound("page", say("wrong.404"), "")


@router.get("/alone")
def page(request: Request, services: Anybody) -> HTMLResponse:
    _offered(services)
    return render(request, "alone.html", letters=against_standins.LETTERS)


@router.post("/alone", dependencies=[Depends(limit("link"))])
def begin(
    request: Request,
    services: Anybody,
    game: Game,
    name: Line = "",
    address: Address = "",
    letter: Letter = "A",
    commanders: Commanders = 0,
    contested: Tick = False,
) -> Response:
    _offered(services)
    if game == CAMPAIGN:
        against_standins.check_seat(letter)
    wanted: dict[str, Any] = {"game": game, "name": name[:60] or say("alone.newcomer"), "letter": letter}
    wanted |= {"commanders": commanders, "contested": contested}
    if services.settings.demo:
        wanted["address"] = say("alone.address")
        return _to_the_game(request, _begun(services, wanted, None))
    if refused(services.settings, address):
        raise Invalid("address", say("wrong.no-address"), say("wrong.missing-hint"))
    _mail_link(services, wanted | {"address": address.lower(), "n": services.entropy(8).hex()})
    return back(request, "/alone", "alone-link")


def _mail_link(services: Services, wanted: Mapping[str, Any]) -> None:
    """The game begins when its link is followed: nobody gets one who cannot read the mail. It says nothing that the
    visitor typed, for the address may be anybody's."""
    token = links.sign(services, Ticket(Purpose.ALONE, data=wanted))
    address, game = wanted["address"], wanted["game"]
    facts = {"url": links.url(services, token), "instance": services.settings.instance, "game": game}
    subject, text = render_notice("alone", **facts)
    quarter = keys.quarter_of_an_hour(services.clock.now())
    outbox.queue(services, Mail(keys.once("alone", game, address, quarter), "links", address, "", subject, text))


def follow(request: Request, services: Services, token: str, wanted: Mapping[str, Any]) -> Response:
    """The link from the mail: the first time it begins the game, later it opens it again."""
    _offered(services)
    id = f"alone-{hashlib.sha256(token.encode()).hexdigest()[:12]}"
    mark = callers.fingerprint(services, id, _letter(wanted))
    if mark is None:
        try:
            _begun(services, wanted, id)
        except Conflict:  # the link was followed twice at the same moment
            pass
    elif mark != callers.fingerprint_of(services, id, _letter(wanted), 1):
        raise NotAllowed("link-void", say("wrong.link-void"), say("wrong.link-void-hint"))
    return _to_the_game(request, (id, _letter(wanted)))


def _letter(wanted: Mapping[str, Any]) -> str:
    return RED_PLAYER if wanted["game"] == SOLITAIRE else str(wanted["letter"])


def _begun(services: Services, wanted: Mapping[str, Any], id: str | None) -> tuple[str, str]:
    player = NewPlayer(str(wanted["name"]), str(wanted["address"]))
    letter = _letter(wanted)
    facts: dict[str, Any] = {"name": say(f"alone.{wanted['game']}"), "id": id, "actor": letter}
    facts["visitor"] = not services.settings.demo
    if wanted["game"] == SOLITAIRE:
        return solitaire.begin(services, player, contested=bool(wanted["contested"]), **facts), letter
    commanders = int(wanted["commanders"])
    return against_standins.begin(services, player, letter=letter, commanders=commanders, **facts), letter


def _to_the_game(request: Request, at: tuple[str, str]) -> Response:
    campaign, letter = at
    seated = sit_down(request, campaign, letter)
    assert seated
    if letter != RED_PLAYER:
        return back(request, f"/c/{campaign}/desk", "alone-begun")
    return back(request, f"/c/{campaign}/steps/1", "alone-whites")
