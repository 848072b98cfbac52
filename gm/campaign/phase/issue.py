"""Gathering the content of an issue of the Bell from the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from gm.adjudicator.outcome import Outcome, Won
from gm.adjudicator.outcome_json import outcome_from_json
from gm.adjudicator.solitaire.event_types import SolitaireEnded
from gm.adjudicator.steps.victory import standings
from gm.board.model import Board
from gm.campaign import boards, schedule
from gm.campaign.beacon import rounds
from gm.campaign.notices import house_rules
from gm.campaign.options import with_defaults
from gm.campaign.phase import past_issues
from gm.campaign.record.archived import bound, sealed_with, void_unreported
from gm.campaign.roles import GM, KEEPER
from gm.campaign.services import Services
from gm.campaign.transaction import Row, display_name
from gm.errors import NotNow
from gm.gamedate import game_date, phase_name
from gm.position import SYSTEM_PLAYER, Position, from_json
from gm.position import Phase as PhaseName
from gm.reports.issue import Colophon, Decision, Editorial, Fairness, Issue, PlayerInfo, PressItem, Receipt, SeatNews
from gm.reports.proof.fairness import START_OF_CHAIN
from gm.reports.prose import standard_prose
from gm.store.repositories import campaigns, paper, people, phases, submissions
from gm.store.tables import Campaign, Letter, PhaseRow, PlayerRow, SealedOrders, Submission, Tenure
from gm.wording import word_list

MOMENTS = 4  # small maps in the last issue


@dataclass(frozen=True)
class Draft:
    """An issue before it is printed, and what it was made from."""

    issue: Issue
    kind: str  # deal, trades, phase, start, erratum, final
    phase: PhaseRow  # that it reports or announces
    following: PhaseRow | None  # that opens with it
    press: tuple[int, ...]
    readers: tuple[tuple[str | None, PlayerRow], ...]  # (letter, who)
    beside: Mapping[str, Any]  # what the issue seals with itself
    kept: frozenset[str] | None = None  # of an erratum: the seats whose orders stand
    early: bool = False  # whether the Phase that opens closes early when everybody is ready


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
    board = boards.board_of(session, campaign)
    if announces:
        outcome = _announcement(board, session, phase)
    else:
        judged = phases.adjudication(session, phases.key_of(phase))
        assert judged is not None  # and held to the end: a session reads anew what nobody holds, and it is large
        outcome = outcome_from_json(board, judged.outcome)
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
        beside=sealed_with(session, campaign, letters),
        kept=frozenset(row.letter for row in _kept(session, phase)) if announces and phase.erratum else None,
        early=(options := with_defaults(campaign.options)).deadlines and options.early_close,
    )


def _kind(phase: PhaseRow, announces: bool) -> str:
    if announces:
        return "final" if phase.phase == "finished" else "erratum" if phase.erratum else "start"
    return {"setup": "deal", "pregame": "trades"}.get(phase.phase, "phase")


def _following(session: Session, phase: PhaseRow) -> PhaseRow | None:
    later = phases.since(session, phase.campaign_id, phase.ordinal + 1)
    return later[-1] if later else None


def _announcement(board: Board, session: Session, phase: PhaseRow) -> Outcome:
    """Nothing happened: the position stands; at the end, who won."""
    position = from_json(board, phase.position)
    before = phases.before(session, phase)
    row = phases.adjudication(session, phases.key_of(before)) if before is not None else None
    won: tuple[Won | SolitaireEnded, ...] = ()
    if row is not None and phase.phase == "finished":
        last = outcome_from_json(board, row.outcome)
        won = tuple(event for event in last.events if isinstance(event, Won | SolitaireEnded))
    points = {} if position.solitaire else standings(board, position)
    return Outcome(position, position, won, (), (), points)


def _issue(
    services: Services,
    session: Session,
    campaign: Campaign,
    phase: PhaseRow,
    following: PhaseRow | None,
    outcome: Outcome,
    letters: Sequence[Letter],
    table: Sequence[Row],
    now: datetime,
) -> Issue:
    options = with_defaults(campaign.options)
    played = following is not None and following.phase not in ("finished", "setup")
    sealed = phases.sealed(session, phases.key_of(phase))
    decisions = phases.decisions(session, phases.key_of(phase))
    corrects = bool(phase.erratum) and phase.state == "pending"
    void = tuple(line.number for line in paper.bell_lines(session, campaign.id) if line.void) if corrects else ()
    deadline = None
    if following is not None and played and options.deadlines and not outcome.after.solitaire:
        deadline = schedule.deadline(options, following.phase, now)
    return Issue(
        number=campaign.next_bell,
        outcome=outcome,
        campaign=campaign.name,
        published=now.date(),
        paper=campaign.paper,
        players=_players(session, campaign, table, now, sealed) | _system(outcome),
        deadline=deadline,
        press=tuple(_press(letter) for letter in letters),
        editorial=editorial_of(phase),
        decisions=tuple(Decision(row.text, row.reason) for row in decisions),
        errata=(_erratum(session, campaign, phase, void),) if corrects else (),
        void=void,
        fairness=replace(
            _fairness(session, campaign, phase, following if played or is_deal_again(phase) else None, sealed),
            check=f"{services.settings.base_url}/c/{campaign.id}/fairness",
            board=boards.board_of(session, campaign).digest if campaign.pack else "",
            names=boards.board_of(session, campaign).names if campaign.pack else "",
            dice_name=campaign.dice_name,
            beacon_chain=rounds.chain_of(campaign),
            next_round=rounds.printed_for(campaign, options.beacon, deadline),
        ),
        colophon=_colophon(services, session, campaign, phase, outcome, now),
        album=_album(boards.board_of(session, campaign), session, phase) if phase.phase == "finished" else (),
        past=past_issues.issues_before(boards.board_of(session, campaign), session, phase),
        without_orders=tuple(row.letter for row in sealed if row.source in ("none", "standing")),
        standins={row.letter: row.style or "" for row in sealed if row.source == "standin"},
        pack=boards.files_named(session, campaign.pack),
        shorter=options.game.masses,
        last_turn=0 if outcome.after.solitaire else options.last_turn,
    )


def is_deal_again(phase: PhaseRow) -> bool:
    """Whether this is the deal, begun again: of the first one the hash stood in the invitations."""
    return phase.phase == PhaseName.SETUP and phase.erratum is not None and phase.state == "pending"


def editorial_of(phase: PhaseRow) -> Editorial:
    """What the Gamesmaster wrote for the Bell that reports this Phase."""
    return msgspec.convert(
        {"headline": phase.headline or "", "lead": phase.lead or "", **(phase.editorial or {})}, Editorial
    )


def _album(board: Board, session: Session, phase: PhaseRow) -> tuple[tuple[str, Position], ...]:
    """Moments of the war for the last issue: the beginning, two on the way, the end."""
    played = [row for row, _ in phases.past(session, phase.campaign_id) if row.turn > 0 and row.ordinal < phase.ordinal]
    if len(played) < MOMENTS:
        return ()
    chosen = [played[n * len(played) // (MOMENTS - 1)] for n in range(MOMENTS - 1)]
    return tuple((game_date(row.turn, row.phase), from_json(board, row.position)) for row in (*chosen, phase))


def _kept(session: Session, phase: PhaseRow) -> list[Submission]:
    """The orders that were sealed for a Phase and stand now that it is played again."""
    filed = submissions.filed_ahead(session, phase.campaign_id, phase.turn, phase.phase)
    return [row for row in filed if row.source == submissions.KEPT]


def _erratum(session: Session, campaign: Campaign, phase: PhaseRow, void: Sequence[int]) -> str:
    """Who lets the Phase be played again and why, which issues are void with it, and whose orders stand."""
    words = standard_prose()
    players = [row.letter for row in _kept(session, phase)]
    ends = phase.phase == PhaseName.FINISHED  # it was to be played again, and was ended first
    by = {GM: "_gm", KEEPER: "_keeper"}.get(campaigns.who_rolled_back(session, phases.key_of(phase)) or "", "")
    goes_back = (
        words.template("words", "deal") if phase.phase == PhaseName.SETUP else phase_name(phase.turn, phase.phase)
    )
    parts = [] if ends else [words.say("labels", f"erratum_again{by}", gm=campaign.gm_name, phase=goes_back)]
    if phase.erratum:
        parts.append(words.say("labels", "erratum_why", reason=_sentence(phase.erratum)))
    if void:
        issues = words.many(f"#{number}" for number in void)
        parts.append(words.say("labels", "erratum_one" if len(void) == 1 else "erratum_many", issues=issues))
    if phase.phase != PhaseName.SETUP and not ends:
        parts.append(words.say("labels", "erratum_kept" if players else "erratum_fresh", players=words.many(players)))
        if players and void:
            parts.append(words.say("labels", "erratum_read", issues=issues, players=words.many(players)))
        if players and (awaited := _awaited(session, phase, players)):
            parts.append(words.say("labels", "erratum_awaited", players=words.many(awaited)))
        limit = with_defaults(campaign.options).nmr_limit
        parts.append(words.say("labels", "erratum_count" if limit > 1 else "erratum_count_one", limit=limit))
    return " ".join(parts)


def _awaited(session: Session, phase: PhaseRow, kept: Sequence[str]) -> list[str]:
    """The seats of people who are in the game and of whom no orders stand."""
    seats = people.seats_with_holders(session, phase.campaign_id)
    playing = {seat.letter for seat, who in seats if who is not None and seat.status == "held" and not seat.standin}
    return sorted(playing - set(kept) - set(phase.position.get("quitters", ())))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _players(
    session: Session, campaign: Campaign, table: Sequence[Row], now: datetime, sealed: Sequence[SealedOrders]
) -> dict[str, PlayerInfo]:
    away = {row.letter for row in paper.absent_on(session, campaign.id, now.date())}
    removed = {row.letter for row in sealed if row.source == "removed"}
    return {
        seat.letter: PlayerInfo(display_name(seat, holder), seat.letter not in away, seat.letter in removed)
        for seat, holder in table
    }


def _system(outcome: Outcome) -> dict[str, PlayerInfo]:
    """Who plays all that is not Red, where no person does."""
    return {SYSTEM_PLAYER: PlayerInfo(word_list("bell/words")["system"])} if outcome.after.solitaire else {}


def _press(letter: Letter) -> PressItem:
    # Under a dateline of their own a player writes as a newspaper, unsigned.
    author = None if letter.anonymous or letter.sender == "GM" else letter.sender
    return PressItem(letter.text, author, letter.dateline)


def _fairness(
    session: Session, campaign: Campaign, phase: PhaseRow, following: PhaseRow | None, sealed: Sequence[SealedOrders]
) -> Fairness:
    chain = campaign.chain or START_OF_CHAIN
    upcoming = phases.dice(session, phases.key_of(following)).commitment if following is not None else ""
    if phase.state == "pending":
        return Fairness(next_commitment=upcoming, chain=chain, void=tuple(_void(session, campaign)))
    key = phases.key_of(phase)
    own, judged = phases.dice(session, key), phases.adjudication(session, key)
    assert judged is not None
    return Fairness(
        next_commitment=upcoming,
        commitment=own.commitment,
        secret=own.secret,
        orders_digest=phase.orders_digest or "",
        chain=chain,
        receipts=tuple(Receipt(row.letter, row.receipt, row.salt, row.text) for row in sealed),
        reading=judged.reading,
        dice=judged.dice,
        beacon=own.beacon or {},
        record=bound(session, phase),
    )


def _void(session: Session, campaign: Campaign) -> Iterator[tuple[str, str]]:
    """What no issue reported and none will: what is said of it, and what binds its record."""
    for row, digest, judged in void_unreported(session, campaign.id):
        name = standard_prose().say(
            "labels", f"fairness.void_{'judged' if judged else 'open'}", phase=game_date(row.turn, row.phase)
        )
        yield name, digest


def _colophon(
    services: Services, session: Session, campaign: Campaign, phase: PhaseRow, outcome: Outcome, now: datetime
) -> Colophon:
    """Who makes the paper; the first issue prints the rules of the house."""
    gone = [player for player in outcome.after.quitters if player not in outcome.before.quitters]
    removed = {row.letter for row in phases.sealed(session, phases.key_of(phase)) if row.source == "removed"}
    left = [SeatNews("removed" if player in removed else "resigned", player) for player in gone]
    standbys = people.everyone(session, campaign.id, "standby")
    first = phase.phase == PhaseName.SETUP and "solitaire" not in phase.position
    return Colophon(
        gamesmaster=campaign.gm_name,
        gm_letter=campaign.gm_letter,
        seats=(*_seat_news(session, campaign, now), *left),
        archive=f"{services.settings.base_url}/c/{campaign.id}",
        desk=f"{services.settings.base_url}/c/{campaign.id}/desk",
        standbys=tuple(person.name for person in standbys),
        notices=(
            *_who_plays(session, campaign),
            *(house_rules(with_defaults(campaign.options), boards.board_of(session, campaign)) if first else ()),
        ),
    )


def _who_plays(session: Session, campaign: Campaign) -> tuple[str, ...]:
    """That the Gamesmaster plays too, in every issue, unless nobody else does."""
    if not people.gm_plays_against_others(session, campaign):
        return ()
    facts = {"name": campaign.gm_name, "letter": campaign.gm_letter}
    return (standard_prose().say("labels", "colophon.plays", **facts),)


def _seat_news(session: Session, campaign: Campaign, now: datetime) -> tuple[SeatNews, ...]:
    """Who took over a seat since the last issue, who will be away, and where a stand-in plays if need be."""
    last = paper.latest_bell(session, campaign.id)
    names = {person.id: person.name for person in people.everyone(session, campaign.id)}
    news: list[SeatNews] = []
    before: dict[str, Tenure] = {}
    for tenure in people.tenures(session, campaign.id):
        earlier = before.get(tenure.letter)
        if earlier is not None and last is not None and tenure.began_at >= last.published_at:
            news.append(SeatNews("replaced", tenure.letter, names[earlier.player_id]))
        before[tenure.letter] = tenure
    today = now.date()
    for away in paper.absent_from(session, campaign.id, today):
        news.append(SeatNews("away", away.letter, starts=away.starts, ends=away.ends))
    news += [SeatNews("standin", seat.letter) for seat in people.seats(session, campaign.id) if seat.standin]
    return tuple(news)


def _readers(session: Session, campaign: Campaign, table: Sequence[Row]) -> tuple[tuple[str | None, PlayerRow], ...]:
    found: list[tuple[str | None, PlayerRow]] = []
    for seat, holder in table:
        if holder is not None and holder.role != "gone":  # has left the game and wants no more of it
            found.append((seat.letter, holder))
    found += [(None, person) for person in people.everyone(session, campaign.id, "standby", "reader")]
    if campaign.gm_letter is None:
        zone = with_defaults(campaign.options).zone
        found.append((GM, PlayerRow(name=campaign.gm_name, address=campaign.gm_address, zone=zone)))
    return tuple(found)
