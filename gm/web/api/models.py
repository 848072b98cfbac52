"""What the API takes and gives."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints

LONGEST_SHEET = 100_000  # characters of orders


OrderText = Annotated[str, StringConstraints(max_length=LONGEST_SHEET, pattern=r"^[^\x00]*$")]
Turn = Annotated[int, Field(ge=0, le=1000)]
PhaseWord = Annotated[str, StringConstraints(pattern="^(setup|pregame|first|second|finished)$")]


class ErrorInfo(BaseModel):
    code: str
    message: str
    hint: str = ""


class ErrorBody(BaseModel):
    error: ErrorInfo


class PieceInfo(BaseModel):
    code: int = Field(description="identity code, printed on the counter")
    name: str = Field(description="as an order names it: `Lenin`, `RU8 PETR`")
    bell: str = Field(description="in Bell notation: `RL3 Lenin`")
    kind: str
    color: str = Field(description="red, white, green, blue or imperial")
    value: int
    nation: str | None = None


class StackInfo(BaseModel):
    index: int = Field(description="number of the stack in this Position; `data-stack` on the map")
    province: str
    owner: str | None = Field(description="letter of the player, null if nobody controls it")
    color: str | None
    strength: int
    pieces: list[PieceInfo] = Field(description="top to bottom")
    mine: bool = False


class BoxInfo(BaseModel):
    pm: int
    am: int
    chits: list[str]
    held: list[PieceInfo]


class PositionInfo(BaseModel):
    turn: int
    phase: str
    digest: str
    stacks: list[StackInfo]
    boxes: dict[str, BoxInfo]


class SeatInfo(BaseModel):
    letter: str
    name: str
    status: str
    ordered: bool | None = Field(None, description="whether orders are in for the open Phase")


class CampaignInfo(BaseModel):
    id: str
    name: str
    paper: str
    status: str
    public: bool
    turn: int
    phase: str
    phase_state: str
    deadline: datetime | None
    commitment: str | None = Field(None, description="SHA-256 of the open Phase's dice secret")
    gamesmaster: str
    seats: list[SeatInfo]
    bells: int = Field(description="number of the latest Bell")
    you: str | None = Field(None, description="your letter here, if you hold a seat")


class CampaignRow(BaseModel):
    id: str
    name: str
    status: str
    turn: int
    phase: str
    public: bool


class BellRow(BaseModel):
    number: int
    turn: int
    phase: str
    headline: str
    published_at: datetime | None


class BellInfo(BellRow):
    text: str
    document: dict[str, Any] = Field(description="the whole Bell as values, schema `bell/1`")


class OrdersIn(BaseModel):
    text: OrderText = Field(
        description="an order sheet, as in a mail", examples=["MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"]
    )


class ProblemInfo(BaseModel):
    code: str
    family: str = Field(description="not understood, not allowed")
    severity: str = Field(description="problem, warning or note")
    line: int = Field(description="of the text, from 1; 0 where none is meant")
    order: int = Field(description="number of the order; 0 where none is meant")
    message: str
    context: str = Field("", description="the line with a caret under the words that are meant")
    rules: list[str]
    suggestion: str | None = None


class BattleInfo(BaseModel):
    province: str
    attack: int
    defence: int
    odds: str | None = Field(description="null: below 1-2 there is no attack")
    results: dict[str, str] = Field(description="result for each face of the die")
    summary: str


class ActInfo(BaseModel):
    province: str
    sign: str
    code: int
    name: str


class OrderInfo(BaseModel):
    number: int
    line: int
    kind: str
    text: str = Field(description="canonical form; empty if the line was not understood")
    source: str
    status: str = Field(description="ok, note, warning or problem")
    pieces: list[int] = []
    stacks: list[int] = []
    path: list[str] = []
    walked: list[str] = Field(default=[], description="how far the force gets on the published positions")
    marks: list[str] = []
    acts: list[ActInfo] = []
    rail: bool = False
    route_note: str = ""
    battle: BattleInfo | None = None


class Checked(BaseModel):
    canonical: str
    orders: list[OrderInfo]
    problems: list[ProblemInfo]


class SubmittedInfo(BaseModel):
    status: str = Field(description="taken, ahead, late, refused or withdrawn")
    reason: str | None = Field(description="why not taken: sealed, closed, guard, no-phase, quit, finished")
    version: int
    turn: int
    phase: str
    canonical: str
    problems: list[ProblemInfo]
    receipt: str = Field(description="the seal: SHA-256 of salt and canonical orders, printed in the Bell")
    salt: str
    deadline: datetime | None


class VersionInfo(BaseModel):
    version: int
    turn: int
    phase: str
    received_at: datetime
    source: str
    status: str
    canonical: str
    receipt: str


class OfferInfo(BaseModel):
    code: int
    name: str


class WayInfo(BaseModel):
    province: str
    path: list[str]
    stops: bool
    next: bool
    label: str
    reason: str = ""


class ReachInfo(BaseModel):
    here: str
    left: int | None
    ended: str
    reach: list[WayInfo]
    pickups: list[OfferInfo]
    drops: list[OfferInfo]


class DeskInfo(BaseModel):
    turn: int
    phase: str
    you: str
    stacks: list[StackInfo]
    provinces: dict[str, str]
    borders: dict[str, list[str]]
    centres: dict[str, tuple[float, float]]


class ProvinceInfo(BaseModel):
    code: str
    name: str
    region: str
    port: bool
    centre: tuple[float, float]
    borders: dict[str, str]
    rail: list[str]


class BoardInfo(BaseModel):
    name: str
    provinces: list[ProvinceInfo]
    pieces: list[PieceInfo]


class MoveInfo(BaseModel):
    player: str
    color: str
    label: str
    path: list[str]
    stopped: bool


class FrameInfo(BaseModel):
    """One Phase on the slider."""

    turn: int
    phase: str
    bell: int | None
    title: str
    headline: str
    map: str = Field(description="address of the map as SVG")
    moves: list[MoveInfo]
    points: dict[str, tuple[int, int]] = Field(description="Victory Points by player: if Red wins, if White wins")


class Timeline(BaseModel):
    frames: list[FrameInfo]
    centres: dict[str, tuple[float, float]]


class ResultRow(BaseModel):
    player: str
    number: int
    order: str
    status: str
    rules: list[str]


class ResultsInfo(BaseModel):
    turn: int
    phase: str
    results: list[ResultRow]
    rolls: list[dict[str, Any]]
    points: dict[str, tuple[int, int]]


class SealedInfo(BaseModel):
    player: str
    salt: str
    orders: str
    receipt: str


class PhaseProofInfo(BaseModel):
    turn: int
    phase: str
    dice_name: str = Field(description="the campaign's name in the dice's key")
    secret: str = Field(description="hexadecimal, revealed with the Bell")
    commitment: str = Field(description="SHA-256 of the secret's bytes, published before the Phase opened")
    digest: str = Field(description="SHA-256 over the receipts of all sealed orders")
    sheets: list[SealedInfo]
    rolls: list[dict[str, Any]] = Field(
        description="dice, or what was drawn and from which `options`, in their order; a deal goes round `among`"
    )


class FairnessInfo(BaseModel):
    phases: list[PhaseProofInfo]
    next_commitment: str | None
