"""The Bell as plain text of 72 columns: complete, fit to be answered, and readable back as a Position.

Everything a person wrote stands indented, so that nothing of it can be taken for a heading or for a line of positions.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import zip_longest

from gm.reports.prose import Prose, standard_prose
from gm.reports.view.barometer import barometer_text
from gm.reports.view.model import AttackRow, BellView, Closing, Holding, Item, Masthead, PlayerOrders, PressPiece, Proof

WIDTH = 72
INDENT = "  "
GLUE = "\N{NO-BREAK SPACE}"  # a blank at which no line is broken
HANG = "      "  # continued lines of positions
_HEAD = re.compile(r"^== .* =+$")
_QUOTED = re.compile(r"^(?:> ?)+")
_PARAGRAPH = re.compile(r"^  \S")
_UNSAFE_IN_TITLE = re.compile(r"[:;,#*]")  # would make a name a line of positions


def render_text(view: BellView, prose: Prose | None = None) -> str:
    """The whole issue."""
    page = Page(prose or standard_prose())
    page.masthead(view.masthead)
    page.yours(view)
    page.front(view)
    if view.column is not None:
        page.head(page.label("sections.column"))
        page.piece(view.column)
    page.standings(view)
    page.closing(view.closing)
    page.positions(view)
    for section in view.sections:
        page.head(section.title)
        if section.key == "attacks":
            page.attacks(view.attacks)
        page.items(section.items)
    page.rulings(view.rulings)
    page.barometer(view)
    page.press(view)
    page.orders(view.orders, view.own)
    page.head(page.label("sections.colophon"))
    for item in view.colophon:
        page.para(item.text)
    page.proof(view.proof)
    return page.text()


def listing(text: str, prose: Prose | None = None) -> str:
    """The positions in a text Bell, for `gm.notation.read_position`; also from a mail that quotes it. Its lines keep
    their numbers; empty, if there are no positions in it."""
    title = (prose or standard_prose()).template("labels", "sections.positions").upper()
    found: list[str] = []
    inside = False
    for quoted in text.splitlines():
        line = _QUOTED.sub("", quoted)
        if _HEAD.match(line):
            inside = line.startswith(f"== {title} ")
        found.append(line if inside and not _HEAD.match(line) and not _PARAGRAPH.match(line) else "")
    return "\n".join(found) if any(found) else ""


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Greedy lines; a piece (`RU8 PETR`) is not parted, and a word longer than a line stands alone on it."""
    lines: list[str] = []
    head, start, end = first, 0, len(text)
    while end - start > width - len(head):
        limit = start + width - len(head)
        cut = text.rfind(" ", start, limit + 1)
        if cut - 3 >= start and text[cut - 2] in "LU" and text[cut - 3] in "RWGB" and text[cut - 1].isdecimal():
            cut = max(text.rfind(" ", start, cut - 2), -1)
        if cut > start:
            lines.append(head + text[start:cut])
        elif (cut := _province_before(text, start, limit)) > start:
            lines.append(head + text[start : cut + 1])
        elif (cut := text.find(" ", limit)) > 0:
            lines.append(head + text[start:cut])
        else:
            break
        head, start = rest, cut + 1
    lines.append(head + text[start:])
    return lines


def _province_before(text: str, start: int, limit: int) -> int:
    """The last hyphen of a path (`PETR-NOVG`, `KAZA)-UFA`) that still fits, else -1."""
    cut = text.rfind("-", start, limit)
    while cut > start:
        if text[cut + 1 : cut + 2].isupper() and (text[cut - 1].isupper() or text[cut - 1] == ")"):
            return cut
        cut = text.rfind("-", start, cut)
    return -1


def wrap_pieces(head: str, body: str, mark: str) -> list[str]:
    """A line of positions, broken after commas and semicolons only: there the reader of the notation goes on."""
    lines: list[str] = []
    while len(head) + len(body) + len(mark) > WIDTH:
        room = WIDTH - len(head)
        cut = max(body.rfind(", ", 0, room + 1), body.rfind("; ", 0, room + 1))
        if cut < 0:
            break
        # Where only the mark does not fit, it takes the last piece along: a comment ends what it belongs to.
        lines.append(head + body[: cut + 1])
        head, body = HANG, body[cut + 2 :]
    lines.append(head + body + mark)
    return lines


class Page:
    """Lines as they are written."""

    def __init__(self, words: Prose) -> None:
        self.words = words
        self.lines: list[str] = []

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines) + "\n"

    def label(self, key: str) -> str:
        return self.words.template("labels", key)

    def head(self, title: str) -> None:
        self.lines += ["", f"== {title.upper()} ".ljust(WIDTH, "=")]

    def para(self, text: str, first: str = INDENT, rest: str = INDENT) -> None:
        """A paragraph; what follows a blank line is another one."""
        for part in text.split("\n"):
            self.lines += wrap(part, WIDTH, first, rest) if part.strip() else [""]

    def items(self, items: Iterable[Item]) -> None:
        for item in items:
            self.para(cited(item.text, item.rules), "  * ", "    ")

    def center(self, text: str) -> None:
        for line in wrap(text, WIDTH - 4):
            self.lines.append(line.center(WIDTH))

    def masthead(self, m: Masthead) -> None:
        spaced = " ".join(m.paper.upper()) if len(m.paper) < 30 else m.paper.upper()
        self.lines.append("=" * WIDTH)
        self.center(spaced)
        self.center(m.motto)
        self.lines.append("=" * WIDTH)
        left, right = INDENT + m.issue, m.published_text
        middle = m.game_date.center(WIDTH - len(left) - len(right)) if len(m.game_date) < 40 else m.game_date
        self.lines.append(f"{left}{middle}{right}")
        self.center(m.campaign)
        if m.deadline:
            self.center(self.words.phrase("labels", "text.due", deadline=m.deadline.text))
            key = "text.due_for" if m.deadline.utc else "text.due_for_utc"
            self.center(self.words.phrase("labels", key, what=m.deadline.what, utc=m.deadline.utc))
        self.lines += ["-" * WIDTH, ""]

    def front(self, view: BellView) -> None:
        for erratum in view.errata:
            self.para(f"{self.label('erratum').upper()}: {erratum}")
            self.lines.append("")
        story = view.story
        self.center(story.headline.upper())
        self.lines.append("")
        self.para(f"{story.dateline} -- {story.lead}" if story.dateline else story.lead)
        if story.byline:
            self.lines.append(f"({story.byline})".rjust(WIDTH))
        for other in view.stories:
            self.lines.append("")
            self.center(other.headline.upper())
            self.para(f"{other.dateline} -- {other.lead}")
            if other.byline:
                self.lines.append(f"({other.byline})".rjust(WIDTH))
        if view.briefs:
            self.lines += ["", INDENT + self.label("sections.briefs").upper()]
            for brief in view.briefs:
                self.para(brief.lead, "  * ", "    ")
        if view.obituaries:
            self.head(self.label("sections.obituaries"))
            for obituary in view.obituaries:
                self.para(obituary.text, "  + ", "    ")

    def standings(self, view: BellView) -> None:
        if view.verdict:
            self.head(self.label("sections.standings"))
            self.para(view.verdict)
            self.lines.append("")
            for s in view.standings:
                margin = f"  ({s.margin})" if s.margin else ""
                self.lines.append(f"  {s.rank:>2}. {s.title:<50.50} {s.points:>4}{margin}")

    def closing(self, closing: Closing | None) -> None:
        """What only the last issue has."""
        if closing is None:
            return
        say = self.words.template
        self.head(say("closing", "farewell_title"))
        self.para(closing.farewell)
        self.head(say("closing", "awards_title"))
        self.items(closing.awards or (Item(say("closing", "awards_none")),))
        self.head(say("closing", "months"))
        for m in closing.months:
            self.para(f"#{m.number} {m.date}: {m.headline}", "  ", "     ")
        self.head(say("closing", "dead_title"))
        for line in closing.dead or (say("closing", "dead_none"),):
            self.para(line, "  + ", "    ")
        self.head(say("closing", "luck"))
        self.para(say("closing", "luck_note" if closing.luck else "luck_none"))
        for n in closing.luck:
            facts = {"title": n.title, "attacks": n.attacks, "won": n.won - n.exchanged, "expected": n.expected}
            facts["exchanged"] = n.exchanged
            self.para(self.words.phrase("closing", "luck_line", **facts), "  * ", "    ")

    def positions(self, view: BellView) -> None:
        p = view.positions
        mark = self.label("text.changed_mark")
        self.head(self.label("sections.positions"))
        notes = [p.as_of, self.label("text.by_map"), *map(self.label, p.legends)]
        if p.marked:
            notes.append(self.words.phrase("labels", "changed_legend", mark=mark))
        self.para(" ".join(notes))
        for holding in (*p.holdings, p.unaligned):
            self._holding(holding, f" {mark}")
        self.lines.append("")
        self.lines += wrap_pieces(f"{self.label('randomizer')}: ", p.randomizer, "")
        for line in p.state:
            self.lines += wrap_pieces(f"{line.province}: ", line.stacks, "")

    def _heading(self, holding: Holding) -> str:
        """In the one form that the notation knows for a heading whatever the player calls himself."""
        if holding.player is None:
            return f"{holding.title}:"
        name = " ".join(_UNSAFE_IN_TITLE.sub(" ", holding.name).split())
        key = "text.holder" if name else "text.holder_unnamed"
        room = WIDTH - len(self.words.phrase("labels", "text.holder", name="", player=holding.player))
        return self.words.phrase("labels", key, name=name[:room].strip(), player=holding.player)

    def _holding(self, holding: Holding, mark: str) -> None:
        self.lines += ["", self._heading(holding)]
        for line in holding.lines:
            self.lines += wrap_pieces(f"{line.province}: ", line.stacks, mark if line.changed else "")
        box = self.label("neutral_box" if holding.player is None else "victory_box")
        self.lines += wrap_pieces(f"{box}: ", holding.box, mark if holding.box_changed else "")
        for key, found in (("lost", holding.lost), ("gained", holding.gained)):
            if found:
                self.para(f"({self.label(key)}: {', '.join(found)})")

    def attacks(self, attacks: Sequence[AttackRow]) -> None:
        if not attacks:
            self.para(self.label("none"))
            return
        labels = self.words.packs["labels"]["attack_short"]
        widths = (4, 6, 3, 3, 50)  # `11-1/s` is the longest of odds
        sides = f"{labels['attackers']} / {labels['defenders']} / {labels['eliminated']}"
        self.lines += columns([*(labels[k] for k in ("province", "odds", "die", "result")), sides], widths)
        self.lines.append(INDENT + " ".join("-" * w for w in widths))
        for a in attacks:
            lost = ", ".join(f"{x.piece}{GLUE}({x.box})" for x in a.eliminated) or self.label("none").lower()
            lost += f" ({a.note})" if a.note else ""
            cells = (a.province, a.odds, str(a.die), a.result)
            for told in (a.attackers, f"/ {a.defenders}", f"/ {lost}"):
                self.lines += [line.replace(GLUE, " ") for line in columns([*cells, told], widths)]
                cells = ("",) * 4
        self.para(self.label("attack_note"))

    def rulings(self, items: Sequence[Item]) -> None:
        if items:
            self.head(self.label("sections.rulings"))
            self.items(items)

    def barometer(self, view: BellView) -> None:
        if not view.barometer:
            return
        self.head(self.label("sections.barometer"))
        self.lines += barometer_text(view.course).splitlines()[1:]  # our own heading stands above
        self.para(self.label(view.barometer_note))
        scores = []
        for r in view.barometer:
            facts = {"player": r.player, "red": r.red_points, "white": r.white_points}
            changes = {"red_change": f"{r.red_change:+}", "white_change": f"{r.white_change:+}"}
            scores.append(self.words.phrase("labels", "text.score", **facts, **changes))
        self.para("; ".join(scores) + ".", "    ", "    ")
        if view.relations:
            self.para(self.label("relations_note"))
            self.lines.append(" " * 6 + "".join(f"{player:>4}" for player, _ in view.relations))
            self.lines += [f"    {p:<2}" + "".join(f"{v or '-':>4}" for v in row) for p, row in view.relations]

    def press(self, view: BellView) -> None:
        self.head(self.label("sections.press"))
        if not view.press:
            self.para(self.label("press_none"))
        for number, piece in enumerate(view.press):
            if number:
                self.lines += ["", (INDENT + "* * *").center(WIDTH), ""]
            self.piece(piece)
        if view.almanac:
            self.para(f"{self.label('almanac')}: {view.almanac}")

    def piece(self, piece: PressPiece) -> None:
        self.para(f"{piece.dateline}: {piece.text}" if piece.dateline else piece.text)
        signature = piece.signature or ("" if piece.dateline else self.label("press_anonymous"))
        if signature:
            self.lines += [line.rjust(WIDTH) for line in wrap(f"-- {signature}", WIDTH - len(INDENT))]

    def proof(self, proof: Proof) -> None:
        self.head(self.label("sections.fairness"))
        keys = ("next_commitment", "secret", "commitment", "orders_digest", "record", "chain", "seal", "board", "names")
        for key in keys:
            value = getattr(proof, key)
            if value:
                self.para(self.label(f"fairness.{key}"))
                self.lines.append(f"{INDENT}{value}")
        for line in (*proof.void, *proof.beacon):
            self.para(line.text)
            self.lines.append(f"{INDENT}{line.value}")
        if proof.seals:
            self.para(self.label("fairness.seals"))
            for seal in proof.seals:
                self.lines += [f"  {seal.player}   {seal.seal}"]
        for note in proof.notes:
            self.para(note)
        if proof.link:
            self.para(proof.link)

    def orders(self, players: Sequence[PlayerOrders], own: PlayerOrders | None = None) -> None:
        """Of all players; what is the reader's own stands in the box above and nowhere else."""
        if not players:
            return
        self.head(self.label("sections.orders"))
        for player in players:
            if own is not None and player.player == own.player:
                self.para(f"{player.title}: {self.label('own_above')}")
                continue
            self.para(f"{player.title}:")
            self._orders_of(player)

    def _orders_of(self, player: PlayerOrders) -> None:
        if player.note:
            self.para(player.note, "    ", "    ")
        for order in player.orders:
            first = f"{player.player + str(order.number):>5}. "
            text = f"{order.canonical} [{order.status_text}]".replace("\n", "\n" + " " * 9)
            parts = text.split("\n")
            self.lines += wrap(parts[0], WIDTH, first, " " * 9)
            for part in parts[1:]:
                self.lines += wrap(part.strip(), WIDTH, " " * 9, " " * 9)
            if order.source and _differs(order.source, order.canonical):
                self.para(f"{self.label('wrote')}: {' '.join(order.source.split())}", " " * 9, " " * 11)
            for reason in order.reasons:
                bare = cited("", reason.rules)
                if reason.text == self.label("own_done") and len(self.lines[-1] + bare) <= WIDTH:
                    self.lines[-1] += bare
                else:
                    self.para(cited(reason.text, reason.rules), " " * 9, " " * 9)

    def yours(self, view: BellView) -> None:
        """The box of a player's own copy."""
        if not view.yours and view.own is None:
            return
        self.lines += [f"++ {self.label('own_orders').upper()} ".ljust(WIDTH, "+")]
        for item in view.yours:
            self.para(item.text, "  * ", "    ")
        if view.own is not None:
            self.para(self.label("own_list"))
            self._orders_of(view.own)
        self.lines += ["+" * WIDTH, ""]


def cited(text: str, rules: Sequence[str]) -> str:
    """A sentence with the rules that it rests on."""
    return f"{text} [{', '.join(rules)}]" if rules else text


def _differs(source: str, canonical: str) -> bool:
    return " ".join(source.split()).casefold() != " ".join(canonical.split()).casefold()


def columns(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """One row of a table, each cell wrapped in its column."""
    row = _row(tuple(widths))
    wrapped = [[c] if len(c) <= w else _cell(c, w) for c, w in zip(cells, widths, strict=True)]
    return [row(*line).rstrip() for line in zip_longest(*wrapped, fillvalue="")]


@cache
def _row(widths: tuple[int, ...]) -> Callable[..., str]:
    return (INDENT + " ".join(f"{{:<{w}}}" for w in widths)).format


def _cell(text: str, width: int) -> list[str]:
    """Broken between pieces; one that is too long between its tag and its name, and never within a word."""
    lines: list[str] = []
    for line in wrap(text, width):
        lines += [line] if len(line) <= width else textwrap.wrap(line, width, break_long_words=False)
    return lines
