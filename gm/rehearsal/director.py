"""Runs the rehearsal: opens campaigns, lets every player act at their time, advances the clock when all are done."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import TypeVar

from gm.adjudicator.corrections import NOBODY
from gm.board.load import packed
from gm.board.model import Board
from gm.campaign.manage import corrections, creation, deadlines
from gm.campaign.phase import publishing, rollback
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import metrics, summaries
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import GmError
from gm.rehearsal.browser import Browser
from gm.rehearsal.clock import PushedClock
from gm.rehearsal.crew import Crew
from gm.rehearsal.house_rules import house_rules
from gm.rehearsal.person import GRID, QUESTIONS, Deed, Person, on_the_grid
from gm.rehearsal.player import RandomPlayer
from gm.rehearsal.post import Postman, PostOffice
from gm.store.repositories import alarms

T = TypeVar("T")
QUIET_SECONDS = 900  # real ones, after which something is stuck
LONG_AGO = timedelta(days=36500)  # a wake-up for then is one for now
ZONES = ("Europe/London", "UTC", "America/New_York", "Europe/Berlin", "Asia/Tokyo", "Australia/Sydney")


@dataclass(frozen=True, slots=True)
class Plan:
    campaigns: int
    players: int
    turns: int
    seed: int
    minutes: float = math.inf  # real ones, after which the Gamesmasters end what still runs


@dataclass
class Tally:
    """What the director saw."""

    deeds: Counter[str] = field(default_factory=Counter)
    receipt_seconds: list[float] = field(default_factory=list)
    web_seconds: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    dead_workers: int = 0
    rounds: int = 0
    doubts: list[str] = field(default_factory=list)  # answers that never came


class Stuck(Exception):
    """Nothing happened for too long."""


class Director:
    def __init__(
        self, plan: Plan, services: Services, clock: PushedClock, crew: Crew, office: PostOffice, postman: Postman
    ) -> None:
        self.plan = plan
        self.services = services
        self.clock = clock
        self.crew = crew
        self.office = office
        self.postman = postman
        self.chance = Random(plan.seed)
        self.tally = Tally()
        self.people: dict[tuple[str, str], Person] = {}
        self.manual: set[str] = set()  # campaigns whose Gamesmaster prints by hand
        self.begun_again: set[str] = set()  # campaigns that were rolled back once
        self._planned: set[tuple[str, int, str, int]] = set()
        self._diary: list[tuple[datetime, int, str, str, Deed]] = []  # a heap: when, (a number), campaign, who, what
        self._numbers = itertools.count()
        self._pool = ThreadPoolExecutor(8, thread_name_prefix="people")

    def run(self) -> None:
        end = time.monotonic() + self.plan.minutes * 60
        self._open_campaigns()
        self._accept()
        while live := self._live():
            self._settle()
            if time.monotonic() > end:
                for campaign in live:
                    creation.finish(self.services, campaign, "The time for the rehearsal is over.")
                break
            for campaign in live:
                self._look_at(campaign)
            self._settle()
            self._advance()
            self._act()
            self.crew.weigh()
            self.tally.dead_workers += self.crew.replace_the_dead()
            self.tally.rounds += 1
        self._settle()
        self._collect_seals()
        self._pool.shutdown()

    # --- the beginning

    def _open_campaigns(self) -> None:
        for number in range(self.plan.campaigns):
            options, pack = house_rules(Random(f"{self.plan.seed}/{number}"), self.plan.turns)
            people = [self._person(number, seat, packed(pack)) for seat in range(self.plan.players)]
            options |= {"public": number % 2 == 0, "zone": "Europe/Berlin"}
            if number % 5 == 4:
                options |= {"publish": "manual"}
            campaign = creation.create(
                self.services,
                id=f"front-{number}",
                name=f"Front {number}",
                players=[NewPlayer(p.name, p.address, self.chance.choice(ZONES), p.letter) for p in people],
                gm_name="Gregor",
                gm_address=f"gm{number}@players.test",
                options=options,
                pack=pack,
            )
            if number % 5 == 4:
                self.manual.add(campaign)
            holders.add_reader(self.services, campaign, NewPlayer("Rita", f"rita{number}@players.test"))
            self.people |= {(campaign, person.letter): person for person in people}

    def _person(self, number: int, seat: int, board: Board) -> Person:
        chance = Random(f"{self.plan.seed}/{number}/{seat}")
        letter = chr(ord("A") + seat)
        forwarded = f"10.{number // 250}.{number % 250}.{seat + 1}"
        return Person(
            campaign=f"front-{number}",
            letter=letter,
            name=f"Player{letter}{number}",
            address=f"{letter.lower()}{number}@players.test",
            player=RandomPlayer(board, chance),
            chance=chance,
            browser=Browser(self.services.settings.base_url, forwarded),
            prefers_web=chance.random() < 0.4,
        )

    def _accept(self) -> None:
        """Every player takes their seat: by answering the invitation, or on the web by a link that they ask for."""
        self._settle()
        self._for_all(self.people.values(), self._take_seat)
        self._settle()

    def _take_seat(self, person: Person) -> None:
        if not person.prefers_web:
            self._mail(person, "ACCEPT", "accept")
            return
        self._sign_in(person)
        person.browser.post(f"/c/{person.campaign}/accept")
        self.tally.deeds["accept by web"] += 1

    def _sign_in(self, person: Person) -> None:
        person.browser.post("/in/link", address=person.address)
        box = self.office.box(person.address)
        end = time.monotonic() + QUIET_SECONDS
        while box.link is None:
            self._ring()
            if time.monotonic() > end:
                raise Stuck(f"{person.address} never got a link")
            time.sleep(0.1)
        person.browser.sign_in(box.link)
        person.signed_in = True

    # --- the course of things

    def _live(self) -> list[str]:
        found = {campaign for campaign, _ in self.people}
        return sorted(c for c in found if summaries.now(self.services, c).status != "finished")

    def _look_at(self, campaign: str) -> None:
        """What a Phase that has just opened makes people do."""
        now = summaries.now(self.services, campaign)
        key = (campaign, now.turn, now.phase, now.incarnation)
        if now.status != "running" or not now.is_open or key in self._planned or now.opened_at is None:
            return
        self._planned.add(key)
        if now.turn > self.plan.turns:
            creation.finish(self.services, campaign, "The rehearsal is over.")
            return
        number = int(campaign.rpartition("-")[2])
        if number % 5 == 3 and now.turn == 2 and now.phase == "second" and campaign not in self.begun_again:
            self.begun_again.add(campaign)
            rollback.rollback(self.services, campaign, 2, "first", "A rehearsal of an erratum.")
            return
        assert now.deadline is not None
        grace = timedelta(hours=now.options.grace_hours)
        for person in (self.people[campaign, seat.letter] for seat in now.seats if seat.status == "held"):
            for deed in person.plan(now.opened_at, now.deadline, grace):
                self._note(campaign, person.letter, deed)
        if self.chance.random() < 0.12:
            kind = self.chance.choice(("extend", "pause", "nudge", "correct"))
            self._note(campaign, "GM", Deed(on_the_grid(now.opened_at), kind))

    def _note(self, campaign: str, who: str, deed: Deed) -> None:
        heapq.heappush(self._diary, (deed.at, next(self._numbers), campaign, who, deed))

    def _advance(self) -> None:
        """Advance the clock to the next moment at which something happens."""
        with self.services.store.read() as session:
            due = alarms.next_due(session)
        moments = [m for m in (due, self._diary[0][0] if self._diary else None) if m is not None]
        if moments:
            self.clock.push_to(min(moments) + timedelta(seconds=1))

    def _act(self) -> None:
        now = self.clock.now()
        due: dict[tuple[str, str], list[Deed]] = {}
        while self._diary and self._diary[0][0] <= now:
            _, _, campaign, who, deed = heapq.heappop(self._diary)
            due.setdefault((campaign, who), []).append(deed)
        self._for_all(due.items(), self._do)

    def _for_all(self, things: Iterable[T], action: Callable[[T], None]) -> None:
        for _ in self._pool.map(action, things):
            pass

    def _do(self, item: tuple[tuple[str, str], list[Deed]]) -> None:
        (campaign, who), deeds = item
        for deed in deeds:
            try:
                if who == "GM":
                    self._oversee(campaign, deed)
                else:
                    self._play(self.people[campaign, who], deed)
            except GmError as error:
                self.tally.refusals[error.code] += 1

    def _oversee(self, campaign: str, deed: Deed) -> None:
        self.tally.deeds[f"Gamesmaster: {deed.kind}"] += 1
        if deed.kind == "extend":
            deadlines.extend(self.services, campaign, hours=24, reason="A rehearsal of patience.")
        elif deed.kind == "pause":
            deadlines.pause(self.services, campaign, "A rehearsal of rest.")
            self._note(campaign, "GM", Deed(deed.at + GRID * 3, "resume"))
        elif deed.kind == "resume":
            deadlines.resume(self.services, campaign)
        elif deed.kind == "correct":
            position = summaries.position(self.services, campaign)
            stack, owner = self.chance.choice(position.stacks), self.chance.choice((*position.active, NOBODY))
            line = f"OWNER #{stack.pieces[0].code} {owner}"
            corrections.correct(self.services, campaign, [line], reason="A rehearsal of justice.")
        else:
            deadlines.nudge(self.services, campaign)

    # --- what a player does

    def _play(self, person: Person, deed: Deed) -> None:
        now = summaries.now(self.services, person.campaign)
        if now.status == "finished":
            return
        if deed.kind == "orders":
            if now.is_open:
                self._order(person, now)
        elif deed.kind == "question":
            self._mail(person, person.chance.choice(QUESTIONS), "question")
        elif deed.kind == "press":
            self._mail(person, "PRESS\nThe front holds. More will follow.", "press")
        elif deed.kind == "letter":
            other = person.chance.choice([s.letter for s in now.seats if s.letter != person.letter])
            self._mail(person, f"PRESS TO {other}\nShall we speak of MOSC?", "letter")
        elif deed.kind == "holiday":
            self._mail(person, "I am away.", "automatic answer", Auto_Submitted="auto-replied")
        elif deed.kind == "stranger":
            self._mail(person, "VOTE END", "mail by a stranger", From="Nobody <nobody@elsewhere.test>")

    def _order(self, person: Person, now: summaries.CampaignSummary) -> None:
        text = person.orders(summaries.position(self.services, person.campaign))
        key, ready = (now.turn, now.phase, now.incarnation), person.is_ready()
        if person.uses_web():
            if not person.signed_in:
                self._sign_in(person)
            began = time.monotonic()
            seal = person.browser.order(person.campaign, text, ready)
            self.tally.web_seconds.append(time.monotonic() - began)
            self.tally.deeds["orders by web"] += 1
            if seal:
                person.seals[key] = seal
                person.awaited = [(k, identity) for k, identity in person.awaited if k != key]
            return
        if identity := self._mail(person, f"{text.rstrip()}\nREADY" if ready else text, "orders by mail"):
            person.awaited.append((key, identity))

    def _mail(self, person: Person, words: str, kind: str, **headers: str) -> str | None:
        """Message-ID of the mail if it was taken. One in twenty comes twice, as mail does."""
        identity, to, raw = person.letter_to(self.office.box(person.address), words, **headers)
        sender = "nobody@elsewhere.test" if "From" in headers else person.address
        self.tally.deeds[kind] += 1
        taken = self.postman.bring(sender, to, raw)
        if taken and person.chance.random() < 0.05:
            self.postman.bring(sender, to, raw)
            self.tally.deeds["the same mail again"] += 1
        if taken and kind == "orders by mail":
            self._time_receipt(identity, time.monotonic())
        return identity if taken else None

    def _time_receipt(self, identity: str, began: float) -> None:
        end = began + QUIET_SECONDS
        while identity not in self.office.answered:
            if time.monotonic() > end:
                self.tally.doubts.append(f"no answer to {identity}")
                return
            self._ring()
            time.sleep(0.05)
        self.tally.receipt_seconds.append(max(0.0, self.office.answered[identity] - began))

    def _collect_seals(self) -> None:
        """The last seal of each Phase: what a mail's receipt says, unless later orders went by web."""
        for person in self.people.values():
            box = self.office.box(person.address)
            for key, identity in person.awaited:
                if identity in box.seals:
                    person.seals[key] = box.seals[identity]

    # --- quiet

    def _ring(self) -> None:
        """Workers on PostgreSQL sleep by the real clock."""
        self.services.wake(self.clock.now() - LONG_AGO, True)

    def _settle(self) -> None:
        """Until nothing that could be done now is left."""
        end = time.monotonic() + QUIET_SECONDS
        while reasons := list(self._unquiet()):
            if time.monotonic() > end:
                raise Stuck("; ".join(reasons))
            self._ring()
            for campaign in self.manual:
                self._print_by_hand(campaign)
            self.tally.dead_workers += self.crew.replace_the_dead()
            time.sleep(0.1)

    def _unquiet(self) -> Iterator[str]:
        found = metrics.figures_of(self.services)
        if found.halted:
            raise Stuck(found.halted)
        if found.overdue:
            yield f"{found.overdue} alarms are due"
        if found.mails_waiting:
            yield f"{found.mails_waiting} mails wait"
        if found.inbox.get("new"):
            yield f"{found.inbox['new']} mails are unread"
        busy = found.phases.get("sealed", 0) + found.phases.get("adjudicated", 0) + found.phases.get("pending", 0)
        dealt = found.campaigns.get("inviting", 0)  # theirs waits for the players
        if busy > dealt:
            yield f"{busy - dealt} Bells are to be printed"

    def _print_by_hand(self, campaign: str) -> None:
        if summaries.now(self.services, campaign).phase_state in ("adjudicated", "pending"):
            try:
                publishing.publish(self.services, campaign, "GM")
            except GmError as error:
                self.tally.refusals[error.code] += 1


def logs_of(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.log")):
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from file
