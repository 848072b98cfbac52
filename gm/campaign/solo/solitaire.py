"""Solitaire games as campaigns with one seat and no deadline: beginning, playing a sheet, the record of games."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from gm.adjudicator.solitaire.sequence import opening
from gm.adjudicator.solitaire.victory import level_of, others_left
from gm.board.model import Color
from gm.campaign import boards
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.services import Services
from gm.campaign.solo import single_player
from gm.errors import Invalid
from gm.position import RED_PLAYER, Phase, Position, from_json
from gm.store.repositories import campaigns, phases
from gm.store.tables import Campaign, PhaseRow


def begin(
    services: Services,
    player: NewPlayer,
    *,
    name: str,
    contested: bool = False,
    id: str | None = None,
    actor: str,
    visitor: bool = False,
) -> str:
    """Set the game up and let the system play its first turn. Gives the campaign's id."""
    seated, position = {RED_PLAYER: player}, opening(contested=contested)
    return single_player.set_up(
        services,
        seated,
        RED_PLAYER,
        position,
        single_player.RULES,
        name=name,
        id=id,
        actor=actor,
        visitor=visitor,
        contested=contested,
    )


def play(services: Services, campaign: str, text: str, *, source: str, key: str | None = None) -> intake.Submitted:
    return single_player.play(services, campaign, RED_PLAYER, text, source=source, key=key)


@dataclass(frozen=True, slots=True)
class SoloGame:
    """One game of somebody's record."""

    campaign: str
    name: str
    turn: int
    phase: Phase
    result: str  # "" while it goes on; else red, white or draw
    level: str
    strength: int  # of what is not Red in the four regions: how near it was
    contested: bool
    deployable: int = 0  # of those who wait
    waiting: tuple[str, ...] = ()  # Red Leaders who may be deployed
    part: int = 1  # of the attack sheet
    commitment: str = ""  # SHA-256 of the secret of the dice, before the sheet is played


def games_of(services: Services, address: str) -> tuple[SoloGame, ...]:
    """The games of one address, the newest first."""
    with services.store.read() as session:
        rows = campaigns.of_gm_address(session, address.lower())
        found = [(row, phases.current(session, row)) for row in rows]
        return tuple(_game(session, row, phase) for row, phase in found if "solitaire" in phase.position)


def game(services: Services, campaign: str) -> SoloGame:
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None or "solitaire" not in (phase := phases.current(session, row)).position:
            raise Invalid("solitaire", f"{campaign} is no game for one person", "gm solo new begins one")
        return _game(session, row, phase)


def _game(session: Session, campaign: Campaign, phase: PhaseRow) -> SoloGame:
    board = boards.board_of(session, campaign)
    position = from_json(board, phase.position)
    assert position.solitaire is not None
    result, level = how_it_ended(position)
    strength = sum(s.strength for s in others_left(board, position.stacks))
    state = position.solitaire
    return SoloGame(
        campaign=campaign.id,
        name=campaign.name,
        turn=position.turn,
        phase=position.phase,
        result=result,
        level=level,
        strength=strength,
        contested=state.contested,
        deployable=state.deployable,
        waiting=tuple(leader.bell for leader in state.reserve) if state.deployable else (),
        part=state.part + 1,
        commitment=phases.dice(session, phases.key_of(phase)).commitment if phase.state == "open" else "",
    )


def how_it_ended(position: Position) -> tuple[str, str]:
    """(red, white or draw; the level), empty while the game goes on."""
    if position.phase is not Phase.FINISHED:
        return "", ""
    if position.victory is None:
        return "draw", ""
    return position.victory.value, level_of(position.turn) if position.victory is Color.RED else "decisive"
