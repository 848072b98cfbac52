"""The front page: which news leads, and in which words. The same outcome gives the same page.

A template is chosen by conditions on the facts (`News.when`), and no wording stands again within ten issues: a story
of which every wording was used lately is told shorter, and at last not at all; the report below has everything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gm.adjudicator import outcome as o
from gm.board.model import Color
from gm.gamedate import phase_name
from gm.position import Phase
from gm.reports.issue import Death
from gm.reports.prose import pick
from gm.reports.story import battles, front, politics, powers, purges, score
from gm.reports.story.calendar import DAYS, HALF, days_of
from gm.reports.story.memory import War, deaths
from gm.reports.story.news import Finder, News, NewsContext, Tail
from gm.reports.story.repeats import begins, opening, runs
from gm.reports.view.model import Fact, Obituary, Story
from gm.reports.view.names import DisplayNames
from gm.wording import capital, fields_of

WIRE_SETS = 4  # an issue signs with every fourth agency, so that none is named again within three issues
STORIES = 2  # with a headline of their own beside the main story
BRIEFS = 4  # in the side column
FULL = 2  # sentences behind the leads of a page with which it is full, and has fewer briefs
TAILS = 3  # sentences behind a lead
REMEMBERED = 10  # issues whose wordings are not used again
KEPT = 60  # issues whose wordings are known: what was never used, or longest ago, goes first
OFTEN = {
    "battle": 3,
    "leader_fell": 3,
    "murder": 3,
    "murder_failed": 3,
    "armies": 3,
    "march": 2,
    "camp": 2,
    "subversion": 2,
    "withdrawal": 3,
    "control": 3,
    "imperial": 2,
    "imperial_journey": 4,
    "lead_change": 2,
    "lead_tie": 2,
    "lead_alone": 2,
}  # all others once
# Sentences of which one page has at most one of each group, in whatever words.
ONCE = {"depots": "depots", "left_empty": "left", "left_holder": "left", "left_color": "left"}
ELSEWHERE = frozenset({"depots", "last_leader", "no_leader"})  # behind these `there` is not where the story plays
OUTDOORS = frozenset({"battle", "leader_fell", "armies", "march", "camp"})  # stories in which there is weather
COVERED = frozenset({"murder", "leader_fell"})  # briefs that a list of all the dead says already

FINDERS: tuple[Finder, ...] = (
    front.deal,
    politics.trades,
    front.seizures,
    front.marches,
    front.camps,
    politics.murders,
    battles.battles,
    battles.toll,
    purges.purges,
    politics.czar,
    politics.imperial,
    politics.imperial_journeys,
    politics.departures,
    politics.chits,
    powers.centres,
    powers.depots,
    powers.nations,
    powers.armies,
    front.epidemics,
    front.replacements,
    front.unrest,
    score.score,
    politics.last_month,
    politics.ends,
)


def find_news(context: NewsContext) -> tuple[News, ...]:
    """Everything that could make a headline."""
    return tuple(news for finder in FINDERS for news in finder(context))


@dataclass(frozen=True, slots=True)
class FrontPage:
    story: Story
    stories: tuple[Story, ...]
    briefs: tuple[Story, ...]


class HeadlineWriter:
    """The editor's context of one issue: it remembers which wordings are taken."""

    def __init__(
        self,
        names: DisplayNames,
        outcome: o.Outcome,
        number: int,
        war: War | None = None,
        *,
        erratum: Sequence[int] | None = None,
        killed: Iterable[str] = (),
        last_turn: int = 0,
    ) -> None:
        self.names = names
        self.words = names.words
        self.outcome = outcome
        self.war = war or War()
        self.killed = frozenset(killed)
        self.last_turn = last_turn
        self.number = number
        self.seed = f"{number}/{outcome.after.digest}"
        self.taken = {w for past in self.war.past[-REMEMBERED:] for w in past.wordings}
        self.used = {w: past.number for past in self.war.past for w in past.wordings}  # in which issue last
        # What an issue leads with if nothing happened.
        ended = outcome.after.phase is Phase.FINISHED
        corrects = erratum is not None
        self.idle = "quiet" if not announces(outcome) else "end" if ended else "erratum" if corrects else "start"
        self.void = erratum or ()
        self.silent = self.idle in ("erratum", "end") and not outcome.events  # nothing else is news
        month, year = self.words.month(outcome.before.turn)
        self.month, self.month_year = month, f"{month} {year}"
        self.wires: list[int] = []
        self.said: set[str] = set()
        self.openings: set[str] = set()  # how the sentences behind stories begin
        self.begun: set[str] = set()  # how headlines and briefs of this page begin
        self.keys: dict[int, str] = {}
        self.told: frozenset[tuple[str, ...]] = frozenset()  # what the stories say, in runs of words

    def front_page(self) -> FrontPage:
        """The main story, the next ones, and those in brief; nothing is told twice."""
        context = NewsContext(self.names, self.outcome, self.war, self.last_turn)
        news = [] if self.silent else sorted(find_news(context), key=lambda n: n.rank, reverse=True)
        self.keys = _keys(news)
        waiting = [n for n in news if self.keys[id(n)] not in self.killed]
        main = self._main(waiting)
        told, counts = {main[0].kind: 1}, set(main[0].topics) | _last(main[1])
        stories: list[Story] = []
        briefs: list[Story] = []
        listed = any(item.kind == "toll" for item in waiting)
        for item in waiting:
            if item is main[0] or item.topics & counts or told.get(item.kind, 0) >= OFTEN.get(item.kind, 1):
                continue
            place = stories if len(stories) < STORIES else briefs
            full = len(briefs) >= self._room(_behind(main[1], *stories))
            if full and not item.must:
                continue
            story = self.story(item) if place is stories else None
            if story is None and not (listed and item.kind in COVERED):
                place, story = briefs, self.brief(item)
            if story is not None:
                place.append(story)
                counts |= item.topics | _last(story)
                told[item.kind] = told.get(item.kind, 0) + 1
        briefs = [b for brief in briefs if (b := self._beside(context, brief, main[1], *stories))]
        page = FrontPage(main[1], tuple(stories), tuple(briefs))
        self.told = frozenset(runs(" ".join(f"{s.headline} {s.lead}" for s in (page.story, *stories, *briefs))))
        return page

    def _beside(self, context: NewsContext, brief: Story, *stories: Story) -> Story | None:
        """A brief; in a list of all the dead only those whom no story has told."""
        fell = [(f.who, s.lead) for s in stories for f in s.facts if f.what in ("fell", "murdered")]
        told = {bell for bell, lead in fell if bell.partition(" ")[2] in lead}
        if brief.kind != "toll" or not told:
            return brief
        rest = next(battles.toll(context, told), None)
        return self.brief(rest) if rest else None

    def _room(self, behind: int) -> int:
        """How many briefs a page takes; great changes of force it has besides."""
        return BRIEFS - (behind >= FULL) * (2 if self.outcome.before.phase is Phase.FIRST else 1)

    def _main(self, waiting: Sequence[News]) -> tuple[News, Story]:
        for news in waiting:
            if news.may_lead and (story := self.story(news, main=True)) is not None:
                return news, story
        if waiting and waiting[0].may_lead:  # a page is rather worded like an earlier one than called quiet
            return waiting[0], self.story(waiting[0], main=True, again=True)
        idle = News(
            self.idle, 0, "", self._withdrawn(), ("one" if len(self.void) == 1 else "several",) if self.void else ()
        )
        return idle, replace(self.story(idle, again=True), key="")  # tells no news that could be left out

    def _withdrawn(self) -> dict[str, object]:
        """What an erratum goes back to, and which issues are void with it."""
        at = self.outcome.after
        phase = self.words.template("words", "deal") if at.phase is Phase.SETUP else phase_name(at.turn, at.phase)
        return {"phase": phase, "issues": self.words.many(f"#{number}" for number in self.void)}

    def story(self, news: News, *, main: bool = False, again: bool = False) -> Any:
        """With headline and lead; None where all wordings for it were used lately."""
        headline = self.wording(news, "headlines", again)
        lead = self.wording(news, "leads", again, headline[0] if headline else "")
        if headline is None or lead is None:
            return None
        used, facts = [headline[1], lead[1]], list(news.facts)
        self.taken.update(used)
        told = fields_of(self._template(lead[1]))
        sentences = [lead[0]]
        if main and news.kind in OUTDOORS and (weather := self._weather(news)):
            sentences.insert(0, weather[0])
            used.append(weather[1])
        away = False
        for tail in [t for t in news.tails if t.unless not in told][: TAILS if main else TAILS - 1]:
            found = self._tail(news, tail, "" if away else sentences[-1])
            if found:
                away = tail.key in ELSEWHERE
                sentences.append(found[0])
                used.append(found[1])
                facts += tail.facts
        text = " ".join(sentences)
        dateline = self.dateline(news)
        return Story(news.kind, headline[0], dateline, text, "", tuple(used), _once(facts), self._key(news))

    def brief(self, news: News) -> Story | None:
        found = self.wording(news, "briefs")
        if found is None:
            return None
        self.taken.add(found[1])
        return Story(news.kind, "", "", found[0], "", (found[1],), _once(news.facts), self._key(news))

    def _key(self, news: News) -> str:
        return self.keys.get(id(news), news.key)

    def _template(self, name: str) -> str:
        """The words behind the name of a wording of headlines.toml."""
        kind, _, rest = name.partition(".")
        condition, form, number = rest.split("/")
        table = self.words.packs["headlines"][kind]
        return str((table[condition] if condition else table)[form][int(number)])

    def wording(self, news: News, form: str, again: bool = False, above: str = "") -> tuple[str, str] | None:
        """The text by a template whose conditions hold and that was not used lately, and its name.

        `above`: the headline, which the lead does not say again if another wording is left.
        """
        table: Mapping[str, Any] = self.words.packs["headlines"][news.kind]
        data = self._data(news.place, news.data)
        only = [c for c in news.when if form in table.get(c, {}) and table[c].get("only")]
        able: list[list[tuple[str, str]]] = [
            [
                (f"{news.kind}.{condition}/{form}/{i}", template)
                for condition in pools
                for i, template in enumerate((table.get(condition, {}) if condition else table).get(form, ()))
                if fields_of(template) <= data.keys()
            ]
            for pools in ((only,) if only else (news.when, ("",)))
        ]
        if above:
            able = [[f for f in pool if not runs(self.words.fill(f[1], data)) & runs(above)] for pool in able] + able
        unused = [[found for found in pool if found[0] not in self.used] for pool in able]
        other = [[f for f in pool if begins(form, self.words.fill(f[1], data)) not in self.begun] for pool in able]
        fresh = [[found for found in pool if found[0] not in self.used] for pool in other]
        for pool in (*fresh, *other, *unused, *able):
            if found := self._fresh(pool, f"{news.key}/{form}"):
                return self._said(form, self.words.fill(found[1], data)), found[0]
        found = self._fresh([found for pool in able for found in pool], f"{news.key}/{form}", again) if again else None
        return (capital(self.words.fill(found[1], data)), found[0]) if found else None

    def _said(self, form: str, text: str) -> str:
        self.begun.add(begins(form, text))
        return capital(text)

    def _fresh(self, able: Sequence[tuple[str, str]], seed: str, again: bool = False) -> tuple[str, str] | None:
        """One of those that were not used lately, never used ones first; `again`: or else any."""
        fresh = [found for found in able if found[0] not in self.taken] or (able if again else [])
        oldest = min((self.used.get(name, 0) for name, _ in fresh), default=0)
        first = [found for found in fresh if self.used.get(found[0], 0) == oldest]
        return first[pick(f"{self.seed}/{seed}", len(first))] if first else None

    def _data(self, place: str, data: Mapping[str, object]) -> dict[str, object]:
        at = self.names.at(place) if place else ""
        town = {"town": at} if place and self.names.is_town(place) else {}
        return {"place": self.names.land(place), "at": at, "month": self.month_year, **town, **data}

    def _tail(self, news: News, tail: Tail, before: str) -> tuple[str, str] | None:
        """`before`: what was said last, if it was said of the place where the story plays."""
        if (group := ONCE.get(tail.key)) in self.said:
            return None
        data = self._data(news.place, tail.data)
        there = "in_province" if re.search(r"\bthere\b", before) else "there"
        data["there"] = self.words.template("words", there) if before else data["at"]
        found = self._from("tails", tail.key, data, self.openings)
        if found:
            self.openings.add(opening(found[0]))
        if found and group:
            self.said.add(group)
        return found

    def _weather(self, news: News) -> tuple[str, str] | None:
        """In every second story, by the season."""
        if pick(f"{self.seed}/weather", 2):
            return None
        month = self.outcome.before.turn + 4  # June 1918 is Game-Turn 1
        table = self.words.packs["words"]["season"]
        season = table["of"][month % 12]
        return self._from("weather", f"{season}_south" if news.place in table["south"] else season, {})

    def _from(
        self,
        pack: str,
        key: str,
        data: Mapping[str, object],
        begun: Collection[str] = (),
        told: frozenset[tuple[str, ...]] = frozenset(),
    ) -> tuple[str, str] | None:
        """A sentence of a small pool; `begun`: how it should rather not begin; `told`: runs of words to avoid."""
        texts: Sequence[str] = self.words.packs[pack][key]["texts"]
        fresh = [(f"{pack}.{key}/{i}", t) for i, t in enumerate(texts) if fields_of(t) <= data.keys()]
        if told:
            fresh = [(name, t) for name, t in fresh if not told & runs(self.words.fill(t, data))]
        other = [(name, t) for name, t in fresh if opening(capital(self.words.fill(t, data))) not in begun]
        found = self._fresh(other, f"{pack}/{key}") or self._fresh(fresh, f"{pack}/{key}")
        if found is None:
            return None
        self.taken.add(found[0])
        return capital(self.words.fill(found[1], data)), found[0]

    def dateline(self, news: News) -> str:
        """`EKATERINBURG, 12 June (by courier)`: the days follow the steps of the Phase."""
        table = self.words.packs["words"]["wire"]
        wires: Sequence[str] = table["names"]
        seat = news.place or self._seat(news)
        place = self.names.land(seat).upper()
        left = [i for i in range(self.number % WIRE_SETS, len(wires), WIRE_SETS) if i not in self.wires]
        wire = left[pick(f"{self.seed}/wire/{news.key}", len(left))]
        self.wires.append(wire)
        first, last = days_of(news.kind, news.step)
        day = first + pick(f"{self.seed}/day/{place}", last - first + 1)
        day += 0 if self.outcome.before.phase is Phase.FIRST else HALF
        before = self.outcome.before.turn < 1
        month = self.words.template("words", "wire.before") if before else self.month
        facts = {"place": place, "day": day, "month": month, "wire": wires[wire]}
        return self.words.phrase("words", "wire.dateline" if seat else "wire.dateline_bare", **facts)

    def _seat(self, news: News) -> str:
        """Where news without a province comes from; the committee meets where Reds stand, or nobody knows where."""
        table = self.words.packs["words"]["wire"]
        capitals: Sequence[str] = table["capitals"]
        if days_of(news.kind, news.step) == DAYS["purge"]:
            red = [s for s in self.outcome.after.stacks if any(p.color is Color.RED for p in s.pieces)]
            there = {s.province for s in red}
            capitals = [c for c, code in zip(capitals, table["capital_in"], strict=True) if code in there]
        return capitals[pick(f"{self.seed}/capital", len(capitals))] if capitals else ""

    def obituaries(self) -> tuple[Obituary, ...]:
        return tuple(self._obituary(death) for death in deaths(self.outcome))

    def _obituary(self, death: Death) -> Obituary:
        title, life = self.names.leader_called(death.name), self.names.life(death.name)
        data = self._data(death.place, {"leader": title, "life": life})
        if death.owner and (death.cause, death.by) != ("murder", death.owner):  # he will not be heard to mourn
            data["owner"] = self.names.who(death.owner)
        if death.by and death.by != death.owner:
            data["killer"] = self.names.who(death.by)
        same = runs(str(data["at"])) | runs(f"{title} {life}")  # in whatever words
        for pool in (death.cause, *(("plain",) if death.place else ())):
            if found := self._from("obituaries", pool, data, told=self.told - same):
                return Obituary(death.name, *found)
        return Obituary(death.name, capital(self.words.phrase("obituaries", "bare", **data)))


def _keys(news: Sequence[News]) -> dict[int, str]:
    """The key of each by its identity; a second murder in one place is not the first."""
    seen: Counter[str] = Counter()
    found: dict[int, str] = {}
    for item in news:
        seen[item.key] += 1
        found[id(item)] = item.key if seen[item.key] == 1 else f"{item.key}/{seen[item.key]}"
    return found


def _behind(*stories: Story) -> int:
    """Sentences behind the leads."""
    return sum(w.startswith("tails.") for s in stories for w in s.wordings)


def _last(story: Story) -> set[str]:
    """The topics of those whose last Leader a story told in passing."""
    return {f"last/{f.who}" for f in story.facts if f.what in ("last_leader", "no_leader")}


def _once(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(facts))


def announces(outcome: o.Outcome) -> bool:
    """Whether an issue reports no Phase but only says how things stand: the start, an erratum, the end."""
    return (outcome.before.turn, outcome.before.phase) == (outcome.after.turn, outcome.after.phase)
