"""The front page: which news leads, and in which words. The same outcome gives the same page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gm.adjudicator import outcome as o
from gm.position import How, Phase, Player
from gm.reports.news import News, find_news
from gm.reports.prose import capital, fields_of, pick
from gm.reports.view import Obituary, Story
from gm.reports.view_names import Names

STORIES = 2  # with a headline of their own beside the main story
BRIEFS = 3  # in the side column


class Desk:
    """The editor's desk of one issue: it remembers which wordings are taken."""

    def __init__(
        self, names: Names, outcome: o.Outcome, number: int, taken: Iterable[str] = (), erratum: bool = False
    ) -> None:
        self.names = names
        self.words = names.words
        self.outcome = outcome
        self.seed = f"{number}/{outcome.after.digest}"
        self.taken = set(taken)
        # What an issue leads with if nothing happened.
        self.idle = "quiet" if not announces(outcome) else "erratum" if erratum else "start"
        month, year = self.words.month(outcome.before.turn)
        self.month, self.month_year = month, f"{month} {year}"

    def front_page(self) -> tuple[Story, tuple[Story, ...], tuple[Story, ...]]:
        """The main story, the next ones, and those in brief, each of another kind."""
        news = sorted(find_news(self.names, self.outcome), key=self.weight, reverse=True)
        chosen: list[News] = []
        for item in news:
            if item.kind not in {c.kind for c in chosen} and not _same_story(item, chosen):
                chosen.append(item)
        main, *rest = chosen or [News(self.idle, 0, "", {})]
        stories = tuple(self.story(item) for item in rest[:STORIES])
        briefs = tuple(self.brief(item) for item in rest[STORIES : STORIES + BRIEFS])
        return self.story(main), stories, briefs

    def weight(self, news: News) -> int:
        return int(self.words.packs["headlines"][news.kind]["weight"]) + news.size

    def story(self, news: News) -> Story:
        headline, first = self.wording(news, "headlines")
        lead, second = self.wording(news, "leads")
        return Story(news.kind, headline, self.dateline(news), lead, wordings=(first, second))

    def brief(self, news: News) -> Story:
        text, wording = self.wording(news, "briefs")
        return Story(news.kind, "", "", text, wordings=(wording,))

    def wording(self, news: News, form: str) -> tuple[str, str]:
        """A template of this kind that the last issue did not use, and its name."""
        templates: Sequence[str] = self.words.packs["headlines"][news.kind][form]
        data = {**news.data, "place": self.names.place(news.place), "month": self.month_year}
        able = [i for i, t in enumerate(templates) if fields_of(t) <= data.keys()]
        fresh = [i for i in able if f"{news.kind}/{form}/{i}" not in self.taken] or able
        chosen = fresh[pick(f"{self.seed}/{news.kind}/{form}", len(fresh))]
        wording = f"{news.kind}/{form}/{chosen}"
        self.taken.add(wording)
        return capital(self.words.fill(templates[chosen], data)), wording

    def dateline(self, news: News) -> str:
        """`EKATERINBURG, 12 June (Bell wire)`: the First Phase is the first half of the month."""
        place = self.names.place(news.place or "PETR")
        wires: Any = self.words.packs["words"]["wire"]["names"]
        day = 1 + pick(f"{self.seed}/day", 14) + (15 if self.outcome.before.phase is Phase.SECOND else 0)
        wire = wires[pick(f"{self.seed}/wire/{news.kind}", len(wires))]
        return self.words.phrase("words", "wire.dateline", place=place.upper(), day=day, month=self.month, wire=wire)

    def obituaries(self) -> tuple[Obituary, ...]:
        found: list[Obituary] = []
        for event in self.outcome.events:
            if isinstance(event, o.AssassinationTried) and event.success:
                found.append(self._obituary("murder", event.target, event.province, event.owner, event.player))
            elif isinstance(event, o.Fought):
                owner = event.attackers[0].owner
                found += [
                    self._obituary("attacking", p, event.province, owner, event.defender.owner)
                    for p in event.lost_by_attacker
                    if p.is_leader
                ]
                found += [
                    self._obituary("defending", p, event.province, event.defender.owner, owner)
                    for p in event.lost_by_defender
                    if p.is_leader
                ]
            found += self._executed(event)
        return tuple(found)

    def _executed(self, event: o.Event) -> list[Obituary]:
        """The Czar goes into a box, marked as executed."""
        boxed = [c for c in event.changes if isinstance(c, o.Boxed) and c.held.how is How.EXECUTED and not c.out]
        return [self._obituary("executed", c.held.piece, "", c.box, None) for c in boxed]

    def _obituary(self, cause: str, piece: Any, province: str, owner: Player | None, killer: Player | None) -> Obituary:
        texts: Sequence[str] = self.words.packs["obituaries"][cause]["texts"]
        chosen = pick(f"{self.seed}/{cause}/{piece.name}", len(texts))
        data = {
            "leader": self.names.leader(piece),
            "life": self.words.packs["leaders"][piece.name]["life"],
            "place": self.names.place(province),
            "who": self.names.who(owner),
            "killer": self.names.who(killer),
        }
        return Obituary(piece.name, capital(self.words.fill(texts[chosen], data)))


def announces(outcome: o.Outcome) -> bool:
    """Whether an issue reports no Phase but only says how things stand: the start, an erratum, the end."""
    return (outcome.before.turn, outcome.before.phase) == (outcome.after.turn, outcome.after.phase)


def _same_story(news: News, chosen: Sequence[News]) -> bool:
    """A death or a battle is told once, though several events report it."""
    death = {"murder", "leader_fell", "revolution_shaken"}
    clash = {"leader_fell", "battle_won", "battle_lost", "battle_exchange"}
    gathering = {"march", "rendezvous", "czar_moved"}
    for other in chosen:
        kinds = {news.kind, other.kind}
        if kinds <= death and news.data.get("name") == other.data.get("name"):
            return True
        if (kinds <= clash or kinds <= gathering) and news.place == other.place:
            return True
    return False
