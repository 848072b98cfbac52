"""API route for the board: provinces, borders, railways, counters."""

from fastapi import APIRouter

from gm.board.load import standard_board
from gm.web.desk.board import board_info
from gm.web.guard.access import Anybody, Reader
from gm.web.guard.route import GuardedRoute
from gm.web.models import BoardInfo

router = APIRouter(route_class=GuardedRoute, tags=["board"])


@router.get("/board")
def board(services: Anybody) -> BoardInfo:
    """The standard board: provinces with their borders and railways, and every counter."""
    return board_info(standard_board())


@router.get("/campaigns/{campaign}/board")
def of_campaign(room: Reader) -> BoardInfo:
    """The board that a campaign is played on."""
    return board_info(room.board)
