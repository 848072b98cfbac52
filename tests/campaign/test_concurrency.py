"""Two hundred sheets at the second of the deadline: each is sealed or answered as late, never both, never neither."""

import random
import threading
import time
from datetime import timedelta

from sqlalchemy import select

from gm.campaign.phase import intake
from gm.campaign.phase.intake import Submitted
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.store.base import PhaseKey
from gm.store.repositories import phases
from gm.store.tables import Submission
from tests.campaign_fixtures import FakeClock, start, tick

SHEETS = 200
THREADS = 50


def test_every_sheet_at_the_deadline_is_sealed_or_late(services: Services, clock: FakeClock) -> None:
    campaign = start(services, grace_hours=0, early_close=False, publish="manual")
    deadline = lookups.state(services, campaign).deadline
    assert deadline is not None
    clock.set(deadline - timedelta(seconds=1))
    answers: list[tuple[str, Submitted]] = []
    errors: list[Exception] = []
    chance = random.Random(7)
    work = [("ABCDE"[number % 5], f"GIVE {number} PM TO {'BCDEA'[number % 5]}") for number in range(SHEETS)]
    chance.shuffle(work)

    def player(share: list[tuple[str, str]]) -> None:
        for letter, text in share:
            try:
                answers.append((letter, intake.submit(services, campaign, letter, text, source="web")))
            except Exception as error:
                errors.append(error)

    def bell_ringer() -> None:
        while len(answers) < SHEETS // 3 and not errors:
            time.sleep(0.001)
        clock.set(deadline)
        tick(services)

    threads = [threading.Thread(target=player, args=(work[n::THREADS],)) for n in range(THREADS)]
    threads.append(threading.Thread(target=bell_ringer))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    assert len(answers) == SHEETS
    taken = [(letter, done) for letter, done in answers if done.status == "taken"]
    late = [(letter, done) for letter, done in answers if done.status == "late"]
    assert len(taken) + len(late) == SHEETS and taken and late, "the deadline fell in the midst of them"
    assert lookups.state(services, campaign).phase_state == "adjudicated"
    with services.store.read() as session:
        sealed = {row.letter: row for row in phases.sealed(session, PhaseKey(campaign, 0, "pregame", 0))}
        rows = session.scalars(select(Submission).where(Submission.campaign_id == campaign)).all()
    assert len(rows) == SHEETS, "all are kept"
    for letter in "ABCDE":
        own = [done for who, done in taken if who == letter]
        if own:
            last = max(own, key=lambda done: done.version)
            assert (sealed[letter].submission_id, sealed[letter].receipt) == (last.submission_id, last.receipt)
            assert len({done.version for done in own}) == len(own)
        else:
            assert sealed[letter].submission_id is None
    sealed_ids = {row.submission_id for row in sealed.values()}
    assert not sealed_ids & {done.submission_id for _, done in late}
