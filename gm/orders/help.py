"""Help on orders: the catalogue as text for mail, command line and web, and as Markdown for docs/orders.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.orders.kinds import ORDER_PHASES, About
from gm.orders.kinds.catalogue import BY_KEYWORD, CATALOGUE, about_verb, in_phase
from gm.orders.wording import sentence
from gm.position import Phase

_WIDTH = 18


def help_text() -> str:
    """Every order on a line, and how to go on."""
    lines = [_say("title"), "", _say("intro").strip(), ""]
    lines += [f"{help_.keyword:<{_WIDTH}}{help_.what}" for help_ in CATALOGUE]
    lines += ["", _say("more")]
    return "\n".join(lines) + "\n"


def topic_text(topic: str) -> str | None:
    """Help on an order (`move`), on names, or on what can be ordered in a Phase (`second`); None if there is none."""
    wanted = topic.strip().upper()
    if found := [BY_KEYWORD[wanted]] if wanted in BY_KEYWORD else about_verb(wanted):
        return "\n".join("\n".join([*_one(about), ""]) for about in found)
    if wanted in ("NAMES", "NAME"):
        return _say("names").strip() + "\n"
    for phase in ORDER_PHASES:
        if wanted.lower() in (phase.value, f"{phase.value} phase"):
            return _phase(phase)
    return None


def _phase(phase: Phase) -> str:
    title = _say("orders-in", phase=phase_label(phase))
    return "\n".join([title, "", *(f"{h.keyword:<{_WIDTH}}{h.usage}" for h in in_phase(phase))]) + "\n"


def _one(help_: About) -> Iterator[str]:
    yield help_.usage
    yield help_.what
    yield ""
    yield _say("for-example")
    yield from (f"    {example}" for example in help_.examples)
    yield ""
    yield _say("when", phases=_phases(help_.phases))
    if help_.rules:
        yield _say("rules", rules=", ".join(help_.rules))


def markdown_text() -> str:
    """docs/orders.md, whole."""
    lines = [f"# {_say('title')}", "", _say("intro").strip(), "", f"## {_say('names-title')}", ""]
    lines += [f"- {line}" for line in _paragraphs(_say("names"))]
    for help_ in CATALOGUE:
        lines += ["", f"## {help_.keyword}", "", f"`{help_.usage}`", "", help_.what, ""]
        lines += ["```", *help_.examples, "```", "", _say("when", phases=_phases(help_.phases)) + "."]
        if help_.rules:
            lines.append(_say("rules", rules=", ".join(help_.rules)) + ".")
    return "\n".join(lines) + "\n"


def _paragraphs(text: str) -> list[str]:
    """Lines joined to the items they belong to: an item begins with a word and a colon."""
    items: list[str] = []
    for line in text.strip().splitlines():
        if ":" in line.split(" ")[0] or not items:
            items.append(line)
        else:
            items[-1] += f" {line}"
    return items


def _phases(phases: Iterable[Phase]) -> str:
    return ", ".join(phase_label(phase) for phase in phases)


def phase_label(phase: Phase) -> str:
    return _say(f"phase-{phase.value}")


def _say(key: str, **fields: str) -> str:
    return sentence("help", key, fields)
