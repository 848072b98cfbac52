"""The round of a public beacon that goes into a Phase's dice: which one, waiting for it, going on without it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from gm.campaign import keys
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.transaction import CampaignView, Transaction, at_work, campaign_row
from gm.errors import Invalid, NotNow
from gm.gamedate import phase_name
from gm.reports.proof.beacon import BeaconChain, BeaconRound, chain_from, due_round
from gm.store.repositories import alarms, phases
from gm.store.tables import Campaign, DecisionRow, Dice, PhaseRow
from gm.wording import word_list

BEACON_WAIT = timedelta(hours=1)  # after the round was due; then the Gamesmaster may decide
AFTER_DEADLINE = timedelta(minutes=30)
SOON_AFTER = timedelta(seconds=5)
TOLD_AFTER = 4  # tries; the Gamesmaster is told then


def chain_of(campaign: Campaign) -> BeaconChain | None:
    return chain_from(campaign.beacon) if campaign.beacon else None


def printed_for(campaign: Campaign, uses: bool, deadline: datetime | None) -> int | None:
    """The round that the Bell prints for a Phase that opens now: half an hour after its deadline.

    By then the orders are sealed, even if a mailbox had to be waited for; with a period of grace it may be later.
    """
    chain = chain_of(campaign)
    return chain.round_at(deadline + AFTER_DEADLINE) if chain is not None and uses and deadline is not None else None


def await_round(work: Transaction, phase: PhaseRow, digest: str) -> bool:
    """Note, as the orders are sealed, which round the dice wait for. False: they wait for none.

    Everybody is mailed the digest of what was sealed before the round is out, with the round where no Bell has printed
    it: nobody, the keeper of the server neither, can change a sheet when the dice can be known.
    """
    chain, dice = chain_of(work.campaign), phases.dice(work.session, phases.key_of(phase))
    # A Phase that began without a round ends without one; of the deal no Bell could print it.
    wanted = dice.beacon_round is not None or (phase.phase == "setup" and work.options.beacon)
    if chain is None or not wanted:
        return False
    round = due_round(chain, dice.beacon_round, work.now)
    due = chain.time_of(round)
    sealed = {"printed": dice.beacon_round, "sealed_at": work.now.isoformat(), "round": round, "digest": digest}
    dice.beacon = sealed
    work.alarm("adjudicate", max(due, work.now) + SOON_AFTER, phase)
    facts = {"phase_name": phase_name(phase.turn, phase.phase), "round": round, "due": due, "digest": digest}
    facts |= {"beacon": chain.name, "printed": round == dice.beacon_round}
    for seat, _ in work.table:
        work.tell(seat.letter, "round", keys.of_phase(phase), **facts)
    work.tell_gm("round", keys.of_phase(phase), **facts)
    work.audit("await-round", round=round, printed=dice.beacon_round, beacon=chain.address)
    return True


def awaited(work: CampaignView, phase: PhaseRow) -> int | None:
    """The round that a sealed Phase waits for."""
    return _awaited(phase, phases.dice(work.session, phases.key_of(phase)))


def _awaited(phase: PhaseRow, dice: Dice) -> int | None:
    record = dice.beacon
    if phase.state != "sealed" or not record or "randomness" in record or "given_up" in record:
        return None
    return int(record["round"])


def note(work: Transaction, phase: PhaseRow, value: BeaconRound) -> None:
    dice = phases.dice(work.session, phases.key_of(phase))
    dice.beacon = {**(dice.beacon or {}), "randomness": value.randomness, "signature": value.signature}


def record_of(work: CampaignView, phase: PhaseRow) -> dict[str, Any] | None:
    return phases.dice(work.session, phases.key_of(phase)).beacon


def tell_away(work: Transaction, phase: PhaseRow, round: int, tries: int, error: str) -> None:
    """After some tries the Gamesmaster is told that the beacon cannot be reached, once."""
    chain = chain_of(work.campaign)
    if tries == TOLD_AFTER and chain is not None:
        facts = {"beacon": chain.name, "round": round, "error": error, "since": chain.time_of(round)}
        work.tell_gm("beacon_away", keys.of_phase(phase), may_decide=chain.time_of(round) + BEACON_WAIT, **facts)


@dataclass(frozen=True, slots=True)
class BeaconState:
    """A campaign's beacon and the round of the present Phase."""

    chain: BeaconChain
    printed: int | None  # in the Bell that opened it
    awaited: int | None  # by the dice of a sealed Phase

    @property
    def may_decide_at(self) -> datetime | None:
        """When the Gamesmaster may go on without the round."""
        return self.chain.time_of(self.awaited) + BEACON_WAIT if self.awaited is not None else None

    def at(self, round: int) -> str:
        return f"{self.chain.time_of(round):%Y-%m-%d %H:%M:%S} UTC"


def state_of(services: Services, campaign: str) -> BeaconState | None:
    """None: the campaign uses no beacon."""
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        chain = chain_of(row)
        if chain is None:
            return None
        phase = phases.current(session, row)
        dice = phases.dice(session, phases.key_of(phase))
        return BeaconState(chain, dice.beacon_round, _awaited(phase, dice))


def go_on_without(services: Services, campaign: str, reason: str, actor: str = GM) -> None:
    """The Gamesmaster decides, an hour after the round was due, to cast the dice without it. The Bell prints it."""
    if not reason.strip():
        raise Invalid("reason", "casting the dice without the beacon needs a reason", "say why: it is printed")
    with at_work(services, campaign, actor, "running") as work:
        phase = work.phase
        round, chain = awaited(work, phase), chain_of(work.campaign)
        if round is None or chain is None:
            raise NotNow("beacon", f"{campaign} waits for no round of a beacon", "gm campaign show tells its state")
        if work.now < chain.time_of(round) + BEACON_WAIT:
            raise NotNow("beacon", "the round has not been away for an hour yet", "it is asked for again by itself")
        dice = phases.dice(work.session, phases.key_of(phase))
        dice.beacon = {**(dice.beacon or {}), "given_up": reason.strip()}
        text = word_list("bell/words")["without_beacon"].format(round=round, beacon=chain.name)
        work.session.add(DecisionRow(**work.key._asdict(), text=text, reason=reason.strip(), at=work.now))
        for alarm in alarms.waiting(work.session, work.key, "adjudicate"):
            alarm.due_at = work.now
            work.wake(work.now)
        work.audit("without-beacon", round=round, reason=reason)
