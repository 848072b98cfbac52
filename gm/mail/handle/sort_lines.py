"""Sorting the lines of a mail into orders, commands, letters, press and conversation, each line into exactly one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gm.mail.parse import phrases
from gm.mail.parse.line_kind import (
    COMMANDS,
    KEYWORDS,
    first_word,
    has_pieces,
    keyword,
    looks_like_order,
    may_go_on,
    nearly_keyword,
    strip_lead,
    word_in_capitals,
)
from gm.orders.kinds.lines import PRESS_END
from gm.orders.language.sheet import MAX_ORDER_LINES, press_ends

_DASHES = re.compile(r"\s{0,9}(?:[‐‑‒–—―−]|-{1,9}>|→|⇒|➔)\s{0,9}")  # counted: unbounded, blanks cost their square
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "…": "..."})
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)(.{1,600}?)(?<=\S)\1(?![\w*])")  # *MOVE* as Gmail writes bold
_LETTER = re.compile(
    r"^\s*LETTER\s+(?P<anon1>ANONYMOUS(?:LY)?\s+)?TO\s+(?P<to>[^:\n]{1,120}?)(?P<anon2>\s+ANONYMOUS(?:LY)?)?"
    r"\s*(?::\s*(?P<text>.*))?$",
    re.I,
)
_PRESS = re.compile(r"^\s*PRESS\b", re.I)
_GUESS = re.compile(r"^\s*+GUESS\s++[A-Z]\s*+[:.]?\s*+$", re.I)  # whose orders follow, below WHATIF
_NO_NAME = re.compile(r"\W{0,3}(?:ANONYMOUS(?:LY)?|UNSIGNED)\W{0,3}$", re.IGNORECASE)
_WHAT_IF = re.compile(r"^\W{0,6}what(\s{0,9})if\b\W{0,9}", re.I)
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hallo|dear|hey|guten|liebe[rs]?|lieber|moin|servus|bonjour|salut|cher|hola|ciao|hej|ahoj|cześć|"
    r"привет|здравствуй|greetings|comrades?)\b(?:[\s,.!]+[^\W\d]+){0,3}[\s,.!:-]*$",
    re.I,
)
_FIGURE = re.compile(r"\d")
_DRAWN = re.compile(r"^\s*[-_=*~.–—]{2,}\s*$")
MAX_COMMANDS = 20
MAX_LETTERS = 10


@dataclass(frozen=True, slots=True)
class MailCommand:
    word: str  # HELP, STATUS, ...
    argument: str = ""


@dataclass(frozen=True, slots=True)
class LetterText:
    to: tuple[str, ...]  # as written: letters or names
    text: str
    anonymous: bool = False
    unended: bool = False  # without END, and lines in it look like orders


@dataclass(frozen=True, slots=True)
class Wishes:
    """Everything one mail asks for."""

    orders: str = ""  # for the parser of orders, PRESS included
    commands: tuple[MailCommand, ...] = ()
    letters: tuple[LetterText, ...] = ()
    talk: tuple[str, ...] = ()  # read as conversation
    left_out: int = 0  # letters and commands beyond what one mail may hold
    slips: bool = False  # no line of the orders begins as one does, only nearly so
    unended: str = ""  # the first line of press without END in which lines look like orders: not taken
    enclosed: str = ""  # the first line before the END of a letter or press that looks like an order: not taken
    supposed: bool = False  # orders or READY stand below a sentence that begins with "What if"

    @property
    def nothing(self) -> bool:
        return not (self.orders.strip() or self.commands or self.letters)

    def is_only(self, word: str) -> bool:
        """This command and not a word besides."""
        others = self.orders.strip() or self.letters or self.talk
        return not others and [command.word for command in self.commands] == [word]

    @property
    def what_if(self) -> MailCommand | None:
        """The orders are to be tried out, not filed."""
        return next((c for c in self.commands if c.word == "WHATIF"), None)

    @property
    def only_press(self) -> bool:
        """Press and nothing else: the orders on file must not be replaced by it."""
        return bool(self.orders.strip()) and all(b.startswith("PRESS") for b in press_blocks(self.orders))


@dataclass(slots=True)
class _Sorter:
    lines: list[str]
    name: str = ""  # of the sender: below their words it is a signature
    orders: list[str] = field(default_factory=list)
    commands: list[MailCommand] = field(default_factory=list)
    letters: list[LetterText] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    index: int = 0
    open: bool = False  # the order above goes on
    joined: int = 0  # lines that it went on over
    unended: str = ""
    enclosed: str = ""
    supposing: bool = False
    supposed: bool = False
    meant: bool = False  # a line began as an order does
    nearly: bool = False  # a line began nearly as one does
    below: list[str] = field(default_factory=list)  # of each line, the next one that is not empty

    ends: Sequence[int] = ()  # of each line, where a letter or press that begins above it ends

    def __post_init__(self) -> None:
        self.ends = press_ends(self.lines)
        following = ""
        for line in reversed(self.lines):
            following = line if line.strip() else following
            self.below.append(following)
        self.below.reverse()

    def run(self) -> Wishes:
        while self.index < len(self.lines):
            self._line(self.lines[self.index])
        offers = dict.fromkeys(line for line in self.orders if keyword(line) == "PROPOSE")
        self.commands += [MailCommand("PROPOSE", strip_lead(line)[len("PROPOSE") :].strip(" :")) for line in offers]
        orders = [line for line in self.orders if line not in offers]
        if not (self.meant or self.nearly):  # lines that name a place or a counter: a question, a quotation
            self.talk += [line.strip() for line in orders if line.strip()]
            orders = []
        commands = tuple(dict.fromkeys(self.commands))
        return Wishes(
            "\n".join(orders).strip("\n"),
            commands[:MAX_COMMANDS],
            tuple(self.letters[:MAX_LETTERS]),
            tuple(_trim_talk(self.talk, self.name)),
            max(0, len(commands) - MAX_COMMANDS) + max(0, len(self.letters) - MAX_LETTERS),
            bool(orders) and not self.meant,
            self.unended,
            self.enclosed,
            self.supposed,
        )

    def _line(self, line: str) -> None:
        self.index += 1
        tidy = tidy_line(line)
        word = keyword(tidy)
        if _DRAWN.match(line):
            self.open = False
        elif word == "LETTER" and (found := _LETTER.match(strip_lead(tidy))):
            self._letter(found, line)
        elif word == "PRESS":
            # Its words are printed as written; only the keyword must be plain.
            self._press(line.strip() if first_word(line) == "PRESS" else tidy)
        elif word == "PROPOSE":
            self._order(tidy)  # it goes on in the next line as orders do; taken out again at the end
        elif word in COMMANDS:
            self.commands.append(MailCommand(word, _argument(tidy, word)))
            self.supposed |= self.supposing and word == "READY"
            self.open = False
        elif what_if := _WHAT_IF.match(strip_lead(tidy)):
            self._what_if(what_if, tidy)
        elif not tidy.strip():
            self.orders.append("")
            self.open = False
        elif word in KEYWORDS or (_GUESS.match(tidy) and any(c.word == "WHATIF" for c in self.commands)):
            self._order(tidy)
            self.meant = True
            self.supposed |= self.supposing
        elif self.open or self._is_wrapped(tidy):
            self._continue(tidy)
        elif tidy.lstrip().startswith("#") and not has_pieces(tidy):
            self.open = False  # a comment
        elif looks_like_order(tidy):
            self._order(tidy)
            self.nearly |= nearly_keyword(tidy)
        else:
            self.talk.append(line.strip())
            self.open = False

    def _order(self, line: str) -> None:
        self.orders.append(line)
        self.open, self.joined = _goes_on(line), 0

    def _what_if(self, found: re.Match[str], line: str) -> None:
        """`WHATIF I do this:` is the command, with more words behind it. `What if I do this:` may be the command or a
        question, so what stands below it is asked about."""
        rest = strip_lead(line)[found.end() :]
        self.open = False
        if found[1]:
            self.supposing = True
            self.talk.append(line.strip())
            return
        self.commands.append(MailCommand("WHATIF"))
        if keyword(rest) in KEYWORDS:
            self._order(rest)
            self.meant = True

    def _is_wrapped(self, line: str) -> bool:
        """A mail program broke the order above: its next word would not have fitted into 64 columns or more."""
        if not self.orders or not self.orders[-1].strip() or self.index < 2 or self.joined >= MAX_ORDER_LINES:
            return False
        above = self.lines[self.index - 2].rstrip()
        body = line.strip()
        if not above or len(above) + 1 + len(body.split(" ", 1)[0]) <= 64:
            return False
        return may_go_on(above, body)

    def _continue(self, line: str) -> None:
        above = self.orders[-1].rstrip()
        if above.endswith("\\"):
            above = above[:-1].rstrip()
        glue = "" if above.endswith(("-", "(", "+")) or line.strip().startswith(("-", ")", ",")) else " "
        self.orders[-1] = above + glue + line.strip()
        self.joined += 1
        self.open = self.joined < MAX_ORDER_LINES and _goes_on(self.orders[-1])

    def _block(self) -> tuple[list[str], bool]:
        """The lines of a letter or of press: to its END, whatever they are; without one to an empty line with an order
        or a question below it; and whether nothing says where it ends, though orders seem to stand in it."""
        block: list[str] = []
        if self.index < len(self.lines) and (end := self.ends[self.index]) >= 0:
            block = [line.rstrip() for line in self.lines[self.index : end]]
            self.index = end + 1
            self.enclosed = self.enclosed or _order_in(block)
            return block, False
        while self.index < len(self.lines):
            line = self.lines[self.index]
            if PRESS_END.fullmatch(line):
                self.index += 1
                return block, False
            if not line.strip() and self._something_follows():
                break
            block.append(line.rstrip())
            self.index += 1
        else:
            block = _without_closing(block, self.talk)
        return block, bool(_order_in(block))

    def _something_follows(self) -> bool:
        following = self.below[self.index]
        if PRESS_END.fullmatch(following):
            return False
        word = keyword(tidy_line(following))
        return word is not None and (first_word(following) in KEYWORDS | COMMANDS)

    def _press(self, first: str) -> None:
        block, unended = self._block()
        self.open = False
        if unended:
            self.unended = self.unended or first
        else:
            self.orders += [first, *block, "END", ""]
            self.meant = True

    def _letter(self, found: re.Match[str], line: str) -> None:
        first = line.split(":", 1)[1].strip() if found["text"] is not None and ":" in line else ""
        below, unended = self._block()
        block = [first, *below]
        names = tuple(n.strip() for n in re.split(r",|\band\b|&|;", found["to"]) if n.strip())
        text, unsigned = _unsigned("\n".join(block).strip("\n"))
        anonymous = unsigned or bool(found["anon1"] or found["anon2"])
        self.letters.append(LetterText(names, text, anonymous, unended))
        self.open = False


def _unsigned(text: str) -> tuple[str, bool]:
    """A letter that says above its words, or instead of a name, that it is to have none; without that line above."""
    first, _, rest = text.partition("\n")
    word, _, more = first.strip().partition(" ")
    if _NO_NAME.match(first.strip()):
        return rest.strip("\n"), True
    if word.isupper() and _NO_NAME.match(word):
        return "\n".join([more.strip(), rest]).strip("\n"), True
    return text, bool(_NO_NAME.match(text.rsplit("\n", 1)[-1].strip()))


def sort_out(text: str, subject: str = "", name: str = "") -> Wishes:
    """`subject` is read only where the text asks for nothing: `Subject: HELP` on an empty mail."""
    wishes = _Sorter(text.split("\n"), name).run()
    if wishes.nothing and subject:
        from_subject = _Sorter([subject]).run()
        if not from_subject.nothing and first_word(subject) in COMMANDS | KEYWORDS:
            return Wishes(from_subject.orders, from_subject.commands, from_subject.letters, wishes.talk)
    return wishes


def tidy_line(line: str) -> str:
    """Undo what word processors do to orders (typographic quotes, dashes). Indentation stays."""
    indent = line[: len(line) - len(line.lstrip())]
    body = line.strip().translate(_QUOTES)
    if len(body) < 500 and ("*" in body or "_" in body):
        body = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", body))
    return indent + _DASHES.sub("-", body)


def without_press(orders: str) -> tuple[str, int]:
    """The sheet without the words of its press, and how many lines these were."""
    kept: list[str] = []
    left_out, inside = 0, False
    for line in orders.split("\n"):
        if inside:
            inside = not PRESS_END.fullmatch(line)
        elif _PRESS.match(line):
            inside = True
        else:
            kept.append(line)
            continue
        left_out += bool(line.strip()) and not PRESS_END.fullmatch(line)
    return "\n".join(kept).strip("\n"), left_out


def press_blocks(orders: str) -> list[str]:
    """The sheet cut into its press items and its other lines."""
    blocks: list[str] = []
    inside = False
    for line in orders.split("\n"):
        if inside:
            inside = not PRESS_END.fullmatch(line)
        elif _PRESS.match(line):
            blocks.append("PRESS" + line.strip()[5:])
            inside = True
        elif line.strip():
            blocks.append(line.strip())
    return blocks


def _order_in(block: list[str]) -> str:
    """The first line that begins as orders do, if one can hardly be anything else, or if there are two. Else empty."""
    begun = [line for line in map(tidy_line, block) if word_in_capitals(line) and keyword(line) in KEYWORDS]
    sure = len(begun) > 1 or any(has_pieces(line) or ":" in line or _FIGURE.search(line) for line in begun)
    return begun[0].strip() if sure else ""


def _goes_on(line: str) -> bool:
    bare = line.rstrip()
    return bare.endswith((",", "\\", "-")) or bare.count("(") > bare.count(")")


def _argument(line: str, word: str) -> str:
    if first_word(line) != word:  # NOT READY is WAIT
        return ""
    rest = strip_lead(line)[len(word) :].strip(" :,.!?\t")
    if word in ("EXTEND", "ABSENT"):
        return rest
    if word == "JOIN":
        return ""
    rest = re.sub(r"\b(?:please|pls|bitte|svp|thanks|por favor)\b\W*", "", rest, flags=re.I)
    return re.sub(r"^(?:with|on|about|for|of|in)\s+", "", rest, flags=re.I).strip(" ,.!?")


def _without_closing(block: list[str], talk: list[str]) -> list[str]:
    """A letter's `Regards, Vera` at the end of the mail belongs to the mail, not into the newspaper."""
    for index in range(max(0, len(block) - 5), len(block)):
        after_gap = index == 0 or not block[index - 1].strip()
        if after_gap and phrases.CLOSING.match(block[index].strip()):
            talk += [line.strip() for line in block[index:] if line.strip()]
            return block[:index]
    return block


def _trim_talk(talk: list[str], name: str) -> list[str]:
    """Without greetings, farewells and the name below them: nobody needs to be told that they are no orders."""
    kept = [t for t in talk if t and not _GREETING.match(t[:200]) and not phrases.RULE.match(t)]
    for index, line in enumerate(kept):
        if phrases.CLOSING.match(line) and len(kept) - index <= 4:
            kept = kept[:index]
            break
    own = set(re.findall(r"\w+", name.lower()))
    if kept and set(re.findall(r"\w+", kept[-1].lower())) <= own:
        kept = kept[:-1]
    return [line[:200] for line in kept]
