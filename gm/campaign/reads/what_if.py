"""A question for the what-if room, put together from what a campaign has published and what the asker typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict

from gm.adjudicator.outcome_json import outcome_from_json
from gm.campaign import boards, cache
from gm.campaign.phase.adjudication import has_time
from gm.campaign.services import Services
from gm.campaign.transaction import CampaignView, at_work, campaign_row
from gm.errors import Invalid, NotFound, NotNow
from gm.orders import effort
from gm.orders.parser import parse
from gm.position import Phase, Position, from_json, to_json
from gm.standin.tracks import begun, tracks_of
from gm.store.repositories import people, phases
from gm.whatif.process import alone
from gm.whatif.question import MOST_TIMES, Answer, Question

TIMES = 200
MAX_SHEETS_CHARACTERS = 40_000  # characters of all sheets together
_GUESS = re.compile(r"^[ \t]*+GUESS[ \t]++([A-Z])[ \t]*+[:.]?[ \t]*+$", re.IGNORECASE | re.MULTILINE)


def ask(
    services: Services,
    campaign: str,
    letter: str,
    orders: str,
    others: Mapping[str, str] | None = None,
    *,
    standins: bool = True,
    times: int = TIMES,
    at: tuple[int, str] | None = None,
    caller: str = "",
) -> Answer:
    """Try orders of a seat on the published positions, those of the open Phase or of an earlier one (`at`).

    `caller`: from where it is asked. Games of one person are counted together by it: whoever reads a mail begins one.
    """
    question = _question(services, campaign, letter, orders, others or {}, standins, times, at)
    seat, is_alone = f"{campaign}/{letter}", _goes_on_today(services, campaign)
    answer = services.what_if(question, alone(caller or seat) if is_alone else seat)
    if is_alone:
        with at_work(services, campaign, letter) as work:
            work.audit("what-if", seconds=answer.seconds)
    return answer


def _goes_on_today(services: Services, campaign: str) -> bool:
    """Whether it is a game of one person, which pays for what it tries out from its time of the day."""
    with services.store.read() as session:
        work = CampaignView(services, session, campaign_row(session, campaign))
        if work.options.deadlines:
            return False
        if not has_time(work):
            raise NotNow("enough", "your games have used up their time of today", "come again tomorrow")
        return True


def with_guesses(text: str) -> tuple[str, dict[str, str]]:
    """Own orders, and what stands below `GUESS B` on a line of its own."""
    _bounded(len(text))
    own, *rest = _GUESS.split(text)
    return own, {letter.upper(): sheet for letter, sheet in zip(rest[::2], rest[1::2], strict=True)}


def _question(
    services: Services,
    campaign: str,
    letter: str,
    orders: str,
    others: Mapping[str, str],
    standins: bool,
    times: int,
    at: tuple[int, str] | None,
) -> Question:
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        pack, board = boards.files_named(session, row.pack), boards.board_of(session, row)
        lived = [p for p in phases.history(session, campaign) if p.state not in ("void", "pending")]
        found = next((p for p in reversed(lived) if at is None or (p.turn, p.phase) == at), None)
        if found is None:
            raise NotFound("phase", "that Phase has not been reached", "choose one that the archive lists")
        position = from_json(board, found.position)
        earlier = [p for p in lived if p.ordinal < found.ordinal and p.state == "published"]
        rows = [phases.adjudication(session, phases.key_of(p)) for p in earlier] if standins else []
        options = cache.options(row.options)
        seated = people.seats_with_holders(session, campaign)
        names = {seat.letter: person.name for seat, person in seated if person is not None}
    _check(position, letter, others, sum(map(len, (orders, *others.values()))))
    for text in (orders, *others.values()):
        effort.bounded(parse(board, text, position.players).sheet)
    tracks = tracks_of(board, (outcome_from_json(board, r.outcome) for r in rows if r is not None))
    known = tracks if tracks.cooperation else begun(board, position)
    return Question(
        position=to_json(position),
        seat=letter,
        orders=orders,
        others={player: text for player, text in others.items() if text.strip() and player != letter},
        standins=standins,
        times=max(1, min(times, MOST_TIMES)),
        options=asdict(options.game),
        cooperation={one + other: column for (one, other), column in known.cooperation.items()},
        names=names,
        campaign=row.name,
        seed=services.entropy(16).hex(),
        pack=pack,
    )


def _check(position: Position, letter: str, others: Mapping[str, str], length: int) -> None:
    if letter not in position.active:
        raise NotFound("seat", "this seat has no forces to try out", "")
    if position.phase in (Phase.SETUP, Phase.FINISHED) or position.solitaire is not None:
        raise Invalid("whatif-phase", "there is nothing to try out in this Phase", "wait for the next one")
    if strangers := sorted(set(others) - set(position.players)):
        raise Invalid("whatif-seat", f"there is no player {strangers[0]}", f"players: {', '.join(position.players)}")
    _bounded(length)


def _bounded(length: int) -> None:
    if length > MAX_SHEETS_CHARACTERS:
        raise Invalid("whatif-length", f"that is more than {MAX_SHEETS_CHARACTERS} characters", "shorten the sheets")
