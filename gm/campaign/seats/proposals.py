"""Proposals: a trade, Purge or execution composed by one player; who agrees has their side of it put on file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from gm.campaign import keys
from gm.campaign.phase import awaited, intake, sheets
from gm.campaign.phase.intake import Submitted
from gm.campaign.services import Services
from gm.campaign.transaction import CampaignView, Transaction, at_work, campaign_row
from gm.errors import Invalid, NotFound, NotNow
from gm.gamedate import phase_name
from gm.orders import kinds as m
from gm.orders.check.checker import check
from gm.orders.mirror import mirrored, same_matter
from gm.orders.parser import parse
from gm.orders.problems import Problem, Severity
from gm.orders.rules.quorums import EXECUTION_QUORUM, PURGE_QUORUM
from gm.orders.wording import words_for
from gm.position import Player
from gm.store.repositories import paper, phases, submissions
from gm.store.repositories.submissions import PROPOSED
from gm.store.tables import Proposal

AN_HOUR = 30  # proposals of one seat
_ASKING = re.compile(
    r"(?<!\s)\s++ASKING\s++(?P<list>[A-Z]\s+\d{1,2}(?:\s*,\s*[A-Z]\s+\d{1,2})*)\s*+\.?\s*+$", re.IGNORECASE
)
AGREED, DECLINED, WITHDRAWN = "agreed", "declined", "withdrawn"


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal as those whom it concerns see it."""

    number: int
    proposer: Player
    orders: dict[Player, str]  # what each of them orders, the proposer included
    answers: dict[Player, str]  # agreed or declined; who has not answered is not in it
    at: datetime
    is_open: bool  # its Phase still takes orders, and nobody has withdrawn it
    withdrawn: bool
    warnings: tuple[str, ...]  # what can be said now against the side of whoever looks at it
    filed: Submitted | None = None  # on proposing: the proposer's sheet that it changed
    unreadied: bool = False  # the proposer was ready and no longer is

    @property
    def waits_for(self) -> tuple[Player, ...]:
        """Whose answer is still missing; nobody's once one has declined, for then nothing comes of it."""
        if DECLINED in self.answers.values():
            return ()
        return tuple(p for p in self.orders if p != self.proposer and p not in self.answers)


class Answered(NamedTuple):
    withdrawn: bool  # it was the seat's own
    filed: Submitted | None  # the sheet that this changed
    unreadied: bool = False  # the seat was ready and no longer is


def propose(
    services: Services, campaign: str, letter: Player, text: str, key: str | None = None, phase_id: str = ""
) -> ProposalView:
    """Offer an order to its partners: `PURGE B WITH E USING 3 PM DIVIDE A 2, E 1`, perhaps `ASKING E 5` behind it.

    The proposer's own order is added to their sheet; each partner is told by mail what agreeing would put on theirs.
    """
    text, asked = _asked(text)
    with at_work(services, campaign, letter, "running", "paused") as work:
        known = paper.proposal_by_key(work.session, campaign, key) if key else None
        if known is not None:
            return _view(work, known, letter)
        intake.must_be_now(work, phase_id)
        _must_be_open(work)
        since = work.now.replace(minute=0, second=0, microsecond=0)
        if paper.proposals_since(work.session, campaign, letter, since) >= AN_HOUR:
            raise NotNow("proposals", "that is a great many proposals within an hour", "wait a little")
        order, was = _one_order(work, letter, text), _is_ready(work, letter)
        sides = {letter: order} | _partners(work, letter, order, asked)
        _must_be_enough(sides.values())
        orders = {p: side.printed() for p, side in sides.items()}
        row = Proposal(
            **work.key._asdict(),
            number=paper.next_proposal(work.session, campaign),
            proposer=letter,
            orders=orders,
            answers={},
            key=key or keys.new("proposal", services.entropy(12)),
            at=work.now,
        )
        work.session.add(row)
        work.session.flush()
        if phases.said(work.session, work.key).get(letter):  # before it was proposed; now an answer is waited for
            phases.say_ready(work.session, work.key, letter, None, work.now)
        for partner in orders:
            if partner != letter:
                _tell(work, row, partner, "proposal")
        work.audit("proposal", number=row.number)  # to whom, is between them
        filed = _add(work, letter, orders[letter])
        return replace(_view(work, row, letter), filed=filed, unreadied=was and not _is_ready(work, letter))


def answer(services: Services, campaign: str, letter: Player, number: int, agree: bool) -> Answered:
    """Agree, which puts the mirror order on the seat's sheet, or decline, which takes it off again. The proposer is
    told by mail. Who declines a proposal of their own withdraws it, and the others are told."""
    with at_work(services, campaign, letter, "running", "paused") as work:
        row = paper.proposal(work.session, campaign, number)
        own = row is not None and letter == row.proposer
        if row is None or letter not in row.orders or (own and agree):
            raise NotFound("proposal", f"nobody has made you a proposal {number}", "your letters list them")
        found = _view(work, row, letter)
        if found.withdrawn:
            raise NotNow("withdrawn", f"proposal {number} is withdrawn", "make a new one")
        if not found.is_open:
            raise NotNow("closed", "the Phase of this proposal is over", "make a new one")
        if agree:
            _must_fit(work, letter, row.orders[letter])
        before, was = dict(row.answers), _is_ready(work, letter)
        row.answers = {**before, letter: WITHDRAWN if own else AGREED if agree else DECLINED}
        if own:
            for partner in found.orders:
                if partner != letter and before.get(partner) != DECLINED:
                    _tell(work, row, partner, "proposal_withdrawn", agreed=before.get(partner) == AGREED)
        else:
            _tell(work, row, row.proposer, "proposal_answer", by=letter, agrees=agree)
        work.audit("proposal-answer", number=number)
        change = _add if agree else _take_off
        filed = change(work, letter, found.orders[letter])
        return Answered(own, filed, was and not _is_ready(work, letter))


def proposals_of(services: Services, campaign: str, letter: Player) -> list[ProposalView]:
    """Those that a seat made or was made, newest first."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        work = CampaignView(services, session, row)
        found = [_view(work, p, letter) for p in paper.proposals(session, campaign) if letter in p.orders]
    return found[::-1]


def asked(services: Services, campaign: str, letter: Player) -> int:
    """How many proposals wait for a seat's answer."""
    return sum(p.is_open and letter in p.waits_for for p in proposals_of(services, campaign, letter))


def _asked(text: str) -> tuple[str, dict[Player, int]]:
    """An order, and how many markers each partner is asked for."""
    found = _ASKING.search(text)
    if found is None:
        return text.strip(), {}
    pairs = (item.split() for item in found["list"].upper().split(","))
    return text[: found.start()].strip(), {letter: int(number) for letter, number in pairs}


def _one_order(work: Transaction, letter: Player, text: str) -> m.Order:
    """The proposer's own side: one order that the checker has nothing against."""
    read = sheets.read(work.board, text, work.names)
    if len(read.sheet.orders) != 1 or read.problems:
        raise Invalid("proposal", _why(read.problems) or "a proposal is one order", "GIVE ... FOR, PURGE or EXECUTE")
    problems = check(work.board, work.position(), letter, read.sheet)
    refused = [p for p in problems if p.severity == "problem"]
    if refused:
        raise Invalid("proposal", _why(tuple(refused)), "mend it and offer it again")
    return read.sheet.orders[0]


def _partners(work: Transaction, letter: Player, order: m.Order, asked: dict[Player, int]) -> dict[Player, m.Order]:
    found = mirrored(order, letter, asked)
    wanted = order.partners if isinstance(order, m.Purge | m.Execute) else tuple(found)
    if missing := [p for p in wanted if p not in found]:
        hint = f"say how many markers each assigns: ASKING {', '.join(f'{p} 2' for p in wanted)}"
        raise Invalid("asking", f"how many markers does {missing[0]} assign?", hint)
    if not found:
        raise Invalid("proposal", "this order needs nobody's agreement", "send it with your orders")
    for partner in found:
        work.seat(partner)
    return found


def _must_fit(work: Transaction, letter: Player, text: str) -> None:
    """Of two orders about one thing only one can be meant; which, the player must say."""
    board, names = work.board, work.position().players
    (new,) = parse(board, text, names).sheet.orders
    on_file = intake.current_sheet(work, letter)
    for order in on_file.orders if on_file is not None else ():
        if same_matter(order, new) and order.printed() != new.printed():
            hint = "take it from your sheet, then agree"
            raise Invalid("proposal-other", f"your orders already say {order.printed()}", hint)


def _must_be_enough(sides: Iterable[m.Order]) -> None:
    """What all sides assign together makes the Purge or the execution; a proposal below that could only fail."""
    committee = [side for side in sides if isinstance(side, m.Purge | m.Execute)]
    if not committee:
        return
    purge = isinstance(committee[0], m.Purge)
    needed, name = (PURGE_QUORUM, "a Purge") if purge else (EXECUTION_QUORUM, "the execution")
    if (assigned := sum(side.using for side in committee)) < needed:
        said = f"{name} takes {needed} Politburo Markers together, and this proposal assigns {assigned}"
        raise Invalid("proposal-markers", said, "assign more, or ask the others for more")


def _must_be_open(work: Transaction) -> None:
    if work.phase.state not in ("open", "grace"):
        raise NotNow("closed", "no orders are taken at present", "propose it when the next Phase is open")
    if not work.options.deadlines:  # a sheet on file would be played at once, and nobody is there who could agree
        raise NotNow("standins", "stand-ins strike no bargains", "play on without them")


def _add(work: Transaction, letter: Player, order: str) -> Submitted | None:
    """Put the order on a seat's sheet, once; what is on it stays."""
    return None if order in _on_file(work, letter) else intake.change(work, letter, f"ADD\n{order}", PROPOSED)


def _take_off(work: Transaction, letter: Player, order: str) -> Submitted | None:
    """Take it off again, as far as it is there; what else is on the sheet stays, press too."""
    on_file = _on_file(work, letter)
    rest = [line for line in on_file if line != order]
    if rest == on_file:
        return None
    return intake.change(work, letter, "\n".join(["CANCEL ALL", "ADD", *rest] if rest else ["CANCEL ALL"]), PROPOSED)


def _is_ready(work: Transaction, letter: Player) -> bool:
    """Whether the seat counts as ready where that brings the deadline nearer."""
    matters = work.options.early_close and work.phase.state == "open" and work.phase.deadline is not None
    return matters and letter in awaited.roll_call(work, work.phase).ready


def _on_file(work: Transaction, letter: Player) -> list[str]:
    """The lines of the sheet that counts, read with the campaign locked: no other can come between."""
    found = submissions.current_of(work.session, work.key, letter)
    return found.canonical.split("\n") if found is not None and found.status == "taken" else []


def _tell(work: Transaction, row: Proposal, to: Player, template: str, **more: object) -> None:
    names = {letter: f"{name} ({letter})" for name, letter in work.names.items()}
    about = keys.once(str(row.number), *sorted(map(str, more.values())))
    facts = {"number": row.number, "proposer": names.get(row.proposer, row.proposer), "orders": row.orders}
    if "by" in more:
        more["by"] = names.get(str(more["by"]), more["by"])
    phase = phase_name(row.turn, row.phase)
    work.tell(to, template, about, players=names, seat=to, phase_name=phase, **facts, **more)


def _view(work: CampaignView, row: Proposal, letter: Player) -> ProposalView:
    withdrawn = WITHDRAWN in row.answers.values()
    is_open = not withdrawn and phases.key_of(row) == work.key and work.phase.state in ("open", "grace")
    answers = {p: said for p, said in row.answers.items() if said != WITHDRAWN}
    warnings = _warnings(work, letter, row.orders[letter]) if is_open and letter in row.orders else ()
    return ProposalView(row.number, row.proposer, dict(row.orders), answers, row.at, is_open, withdrawn, warnings)


def _warnings(work: CampaignView, letter: Player, text: str) -> tuple[str, ...]:
    """What the check has against one side: too few markers all together, more than the player holds."""
    sheet = sheets.read(work.board, text, work.names).sheet
    problems = check(work.board, work.position(), letter, sheet)
    return tuple(words_for(p).strip() for p in problems if p.severity is not Severity.NOTE)


def _why(problems: tuple[Problem, ...]) -> str:
    return words_for(problems[0]).strip() if problems else ""
