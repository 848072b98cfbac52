"""Pydantic models of the API: requests and responses."""

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
    ordered: bool | None = Field(None, description="whether orders are in; null where the campaign does not show it")
    ready: bool | None = Field(None, description="whether the player wants to change nothing more; null likewise")


class CampaignInfo(BaseModel):
    id: str
    name: str
    paper: str
    status: str
    public: bool
    turn: int
    phase: str
    phase_id: str = Field(description="names the Phase and which of its beginnings: send it with your orders")
    phase_state: str
    deadline: datetime | None = Field(description="the one that holds")
    full_deadline: datetime | None = Field(None, description="what it was before everybody was ready")
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
    void: bool = Field(False, description="what it reports was rolled back; a later issue says why")
    number: int
    turn: int
    phase: str
    headline: str
    published_at: datetime | None


class BellInfo(BellRow):
    text: str
    document: dict[str, Any] = Field(description="the whole Bell as values, schema `bell/1`")


PhaseId = Annotated[
    str,
    Field(max_length=100, description="that of the campaign when you wrote this: in another Phase it is refused (409)"),
]


class OrdersIn(BaseModel):
    text: OrderText = Field(
        description="an order sheet, as in a mail", examples=["MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"]
    )
    ready: bool | None = Field(None, description="you want to change nothing more (or, false, the full time)")
    phase_id: PhaseId = ""


class ReadyIn(BaseModel):
    ready: bool = Field(description="true: you want to change nothing more; false: you want the full time")
    phase_id: PhaseId = ""


class ReadyInfo(BaseModel):
    ready: bool
    on_file: bool = Field(description="whether orders of yours are there: nobody is ready without")
    nearer: bool = Field(description="everybody who is waited for is ready, and the deadline came nearer")
    deadline: datetime | None


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
    number: int = Field(description="0 for press, and for what is on file already")
    line: int = Field(description="its first line in the text; 0 if it stands on file from before")
    last: int = Field(0, description="its last line in the text")
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


class ForceThreats(BaseModel):
    stack: int
    words: list[str] = Field(description="who could attack it where these orders lead it, all others as they stand")
    danger: float = Field(description="points that the worst of these attacks would destroy on average")
    short: str = Field(description="that attack in short; empty where there is none")


class Checked(BaseModel):
    canonical: str
    orders: list[OrderInfo]
    problems: list[ProblemInfo]
    forces: list[ForceThreats] = Field(
        default=[], description="your stacks and who threatens them, the most endangered first"
    )


class KeptInfo(BaseModel):
    kept: bool


class SubmittedInfo(BaseModel):
    status: str = Field(description="taken, ahead, late, refused or withdrawn")
    reason: str | None = Field(description="why not taken: sealed, closed, guard, no-phase, earlier, quit, finished")
    version: int
    turn: int
    phase: str
    canonical: str
    problems: list[ProblemInfo]
    receipt: str = Field(description="the seal: SHA-256 of salt and canonical orders, printed in the Bell")
    salt: str
    deadline: datetime | None
    ready: bool | None = Field(None, description="whether you are; null where it makes no difference")
    also: list[SubmittedInfo] = Field(description="the sheets for other Phases in the same text")


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
    fights: list[str] = Field(description="whom the force could attack if it stopped here, at which odds")
    threats: list[str] = Field(default=[], description="who could attack it here, on the published positions")
    why: str = Field(default="", description="why it cannot get to the province that was asked for")


class AttackInfo(BaseModel):
    order: str
    words: str
    battle: BattleInfo


class StackLook(BaseModel):
    """What can be said of a stack on the published positions."""

    reach: list[str] = Field(default=[], description="provinces to which its player could lead it, as it is")
    attacks: list[AttackInfo] = Field(default=[], description="attacks in which you could take part now")
    words: list[str] = []
    threats: list[str] = Field(
        default=[], description="who could attack it; if it is not yours, whom of yours it could"
    )


class DeskProvince(BaseModel):
    name: str
    region: str
    port: bool
    borders: dict[str, str]
    rail: list[str]


class DeskInfo(BaseModel):
    turn: int
    phase: str
    you: str
    stacks: list[StackInfo]
    provinces: dict[str, DeskProvince]
    centres: dict[str, tuple[float, float]]
    reserve: list[PieceInfo] = Field([], description="alone: Red Leaders who may be deployed")
    deployable: int = Field(0, description="how many of them")
    deployment: str = Field("", description="alone: that in words, or why nobody may be deployed")
    dangers: list[str] = Field([], description="alone: capitals that are lost if the Game-Turn ends so")


class ProvinceInfo(DeskProvince):
    code: str
    centre: tuple[float, float]


class BoardInfo(BaseModel):
    name: str
    digest: str  # of all that can change a result
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
    battles: list[str] = Field(default=[], description="provinces in which somebody attacked or subverted")
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
    counted: str | None = Field(description="the orders that key the dice, from version 2 of the dice on")


class PhaseProofInfo(BaseModel):
    turn: int
    phase: str
    dice_name: str = Field(description="the campaign's name in the dice's key")
    secret: str = Field(description="hexadecimal, revealed with the Bell")
    commitment: str = Field(description="SHA-256 of the secret's bytes, published before the Phase opened")
    digest: str = Field(description="what the dice are keyed by: see docs/archive.md")
    house: list[str] = Field(description="the first lines of the digest, from version 2 of the dice on")
    sheets: list[SealedInfo]
    rolls: list[dict[str, Any]] = Field(
        description="dice, or what was drawn and from which `options`, in their order; a deal goes round `among`"
    )
    reading: int = Field(description="version of the rules-reading by which the Phase was judged")
    dice: int = Field(description="version of the dice")
    opened_by: int | None = Field(description="the Bell that opened the Phase and printed the hash of its secret")
    beacon: dict[str, Any] | None = Field(description="the round of a public beacon that went into the dice, signed")


class FairnessInfo(BaseModel):
    phases: list[PhaseProofInfo]
    next_commitment: str | None
    reading: int = Field(description="version of the rules-reading by which this site judges now")
