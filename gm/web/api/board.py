"""The game box."""

from fastapi import APIRouter

from gm.web.access import Anybody
from gm.web.api.models import BoardInfo
from gm.web.boardview import board_info

router = APIRouter(tags=["board"])


@router.get("/board")
def board(services: Anybody) -> BoardInfo:
    """Provinces with their borders and railways, and every counter."""
    return board_info(services.board)
