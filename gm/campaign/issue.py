"""Everything that an issue of the Bell says, gathered in one reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from gm.adjudicator.outcome import Outcome, Points, Won
from gm.adjudicator.outcome_json import outcome_from_json
from gm.adjudicator.victory import standings
from gm.campaign import times
from gm.campaign.options import with_defaults
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.campaign.work import Row
from gm.errors import NotNow
from gm.position import from_json
from gm.reports.fairness import START_OF_CHAIN
from gm.reports.view_input import (
    Colophon,
    Decision,
    Editorial,
    Fairness,
    Issue,
    Past,
    PlayerInfo,
    PressItem,
    Receipt,
)
from gm.store.repositories import paper, people, phases
from gm.store.tables import Campaign, Letter, Phase, Player, SealedOrders


@dataclass(frozen=True)
class Draft:
    """An issue before it is printed, and what it was made from."""

    issue: Issue
    kind: str  # deal, trades, phase, start, erratum, final
    phase: Phase  # that it reports or announces
    following: Phase | None  # that opens with it
    press: tuple[int, ...]
    readers: tuple[tuple[str | None, Player], ...]  # (letter, who)


def gather(services: Services, session: Session, campaign: Campaign, now: datetime) -> Draft:
    """The issue that is due: on the Phase just adjudicated, or announcing one that begins without a report."""
    phase = phases.current(session, campaign)
    if phase.state not in ("adjudicated", "pending"):
        raise NotNow(
            "nothing-to-print",
            f"{campaign.id} has nothing to print: its Phase is {phase.state}",
            "a Bell comes after adjudication",
            state=phase.state,
        )
    announces = phase.state == "pending"
    outcome = _announcement(services, session, phase) if announces else _report(services, session, phase)
    following = phase if announces else _following(session, phase)
    letters = paper.unprinted_press(session, campaign.id)
    table = people.seats_with_holders(session, campaign.id)
    return Draft(
        issue=_issue(services, session, campaign, phase, following, outcome, letters, table, now),
        kind=_kind(phase, announces),
        phase=phase,
        following=following if following is not None and following.phase != "finished" else None,
        press=tuple(letter.id for letter in letters),
        readers=_readers(session, campaign, table),
    )


def _kind(phase: Phase, announces: bool) -> str:
    if announces:
        return "final" if phase.phase == "finished" else "erratum" if phase.erratum else "start"
    return {"setup": "deal", "pregame": "trades"}.get(phase.phase, "phase")


def _following(session: Session, phase: Phase) -> Phase | None:
    later = phases.since(session, phase.campaign_id, phase.ordinal + 1)
    return later[-1] if later else None


def _report(services: Services, session: Session, phase: Phase) -> Outcome:
    row = phases.adjudication(session, phases.key_of(phase))
    assert row is not None
    return outcome_from_json(services.board, row.outcome)


def _announcement(services: Services, session: Session, phase: Phase) -> Outcome:
    """Nothing happened: the position stands; at the end, who won."""
    position = from_json(services.board, phase.position)
    before = phases.before(session, phase)
    row = phases.adjudication(session, phases.key_of(before)) if before is not None else None
    won: tuple[Won, ...] = ()
    if row is not None and phase.phase == "finished":
        last = outcome_from_json(services.board, row.outcome)
        won = tuple(event for event in last.events if isinstance(event, Won))
    return Outcome(position, position, won, (), (), standings(services.board, position))


def _issue(
    services: Services,
    session: Session,
    campaign: Campaign,
    phase: Phase,
    following: Phase | None,
    outcome: Outcome,
    letters: Sequence[Letter],
    table: Sequence[Row],
    now: datetime,
) -> Issue:
    options = with_defaults(campaign.options)
    played = following is not None and following.phase not in ("finished", "setup")
    sealed = phases.sealed(session, phases.key_of(phase))
    decisions = phases.decisions(session, phases.key_of(phase))
    return Issue(
        number=campaign.next_bell,
        outcome=outcome,
        campaign=campaign.name,
        published=now.date(),
        paper=campaign.paper,
        players=_players(session, campaign, table, now),
        deadline=times.deadline(options, following.phase, now) if following is not None and played else None,
        press=tuple(_press(letter) for letter in letters),
        editorial=Editorial(phase.headline or "", phase.lead or ""),
        decisions=tuple(Decision(row.text, row.reason) for row in decisions),
        errata=(phase.erratum,) if phase.erratum and phase.state == "pending" else (),
        fairness=replace(
            _fairness(session, campaign, phase, following if played else None, sealed),
            check=f"{services.settings.base_url}/c/{campaign.id}/fairness",
        ),
        colophon=_colophon(services, session, campaign),
        past=_past(services, session, campaign, phase),
        without_orders=tuple(row.letter for row in sealed if row.source in ("none", "standing")),
    )


def _players(session: Session, campaign: Campaign, table: Sequence[Row], now: datetime) -> dict[str, PlayerInfo]:
    away = {row.letter for row in paper.absent_on(session, campaign.id, now.date())}
    return {
        seat.letter: PlayerInfo(holder.name if holder else seat.letter, present=seat.letter not in away)
        for seat, holder in table
    }


def _press(letter: Letter) -> PressItem:
    # Under a dateline of his own a player writes as a newspaper, unsigned.
    author = None if letter.anonymous or letter.sender == "GM" else letter.sender
    return PressItem(letter.text, author, letter.dateline)


def _fairness(
    session: Session, campaign: Campaign, phase: Phase, following: Phase | None, sealed: Sequence[SealedOrders]
) -> Fairness:
    chain = campaign.chain or START_OF_CHAIN
    upcoming = phases.dice(session, phases.key_of(following)).commitment if following is not None else ""
    if phase.state == "pending":
        return Fairness(next_commitment=upcoming, chain=chain)
    own = phases.dice(session, phases.key_of(phase))
    receipts = tuple(Receipt(row.letter, row.receipt, row.salt, row.text) for row in sealed)
    return Fairness(upcoming, own.commitment, own.secret, phase.orders_digest or "", chain, receipts)


def _colophon(services: Services, session: Session, campaign: Campaign) -> Colophon:
    standbys = people.everyone(session, campaign.id, "standby")
    return Colophon(
        gamesmaster=campaign.gm_name,
        address=services.settings.mail_from,
        orders_to=services.settings.orders_address,
        archive=f"{services.settings.base_url}/c/{campaign.id}",
        standbys=tuple(person.name for person in standbys),
    )


def _past(services: Services, session: Session, campaign: Campaign, phase: Phase) -> tuple[Past, ...]:
    """Earlier issues for the barometer. What a Phase led to is what the next one began with."""
    lines = {(line.turn, line.phase, line.incarnation): line for line in paper.bell_lines(session, campaign.id)}
    published = phases.past(session, campaign.id)
    began = [row.position for row, _ in published] + [phase.position]
    found: list[Past] = []
    for (row, points), position in zip(published, began[1:], strict=True):
        line = lines.get((row.turn, row.phase, row.incarnation))
        if line is not None:
            scores = {player: Points(*pair) for player, pair in points.items()}
            found.append(Past(line.number, from_json(services.board, position), scores, tuple(line.wordings)))
    return tuple(found)


def _readers(session: Session, campaign: Campaign, table: Sequence[Row]) -> tuple[tuple[str | None, Player], ...]:
    found: list[tuple[str | None, Player]] = []
    for seat, holder in table:
        if holder is not None:
            found.append((seat.letter, holder))
    found += [(None, person) for person in people.everyone(session, campaign.id, "standby", "reader")]
    if campaign.gm_letter is None:
        zone = with_defaults(campaign.options).zone
        found.append((GM, Player(name=campaign.gm_name, address=campaign.gm_address, zone=zone)))
    return tuple(found)
