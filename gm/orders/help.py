"""HELP: the catalogue as text for mail, command line and web, and as Markdown for docs/orders.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.orders.catalogue import BY_KEYWORD, CATALOGUE, Help, in_window
from gm.orders.model import Window
from gm.orders.words import sentence

_WIDTH = 14


def help_text() -> str:
    """Every order on a line, and how to go on."""
    lines = [_say("title"), "", _say("intro").strip(), ""]
    lines += [f"{help_.keyword:<{_WIDTH}}{help_.what}" for help_ in CATALOGUE]
    lines += ["", _say("more")]
    return "\n".join(lines) + "\n"


def topic_text(topic: str) -> str | None:
    """Help on an order (`move`), on names, or on what can be ordered in a Phase (`second`); None if there is none."""
    wanted = topic.strip().upper()
    if wanted in BY_KEYWORD:
        return "\n".join(_one(BY_KEYWORD[wanted])) + "\n"
    if wanted in ("NAMES", "NAME"):
        return _say("names").strip() + "\n"
    for window in Window:
        if wanted.lower() in (window.value, f"{window.value} phase"):
            return _phase(window)
    return None


def _phase(window: Window) -> str:
    title = _say("orders-in", window=_window(window))
    return "\n".join([title, "", *(f"{h.keyword:<{_WIDTH}}{h.usage}" for h in in_window(window))]) + "\n"


def _one(help_: Help) -> Iterator[str]:
    yield help_.usage
    yield help_.what
    yield ""
    yield _say("for-example")
    yield from (f"    {example}" for example in help_.examples)
    yield ""
    yield _say("when", windows=_windows(help_.windows))
    if help_.rules:
        yield _say("rules", rules=", ".join(help_.rules))


def markdown_text() -> str:
    """docs/orders.md, whole."""
    lines = [f"# {_say('title')}", "", _say("intro").strip(), "", f"## {_say('names-title')}", ""]
    lines += [f"- {line}" for line in _paragraphs(_say("names"))]
    for help_ in CATALOGUE:
        lines += ["", f"## {help_.keyword}", "", f"`{help_.usage}`", "", help_.what, ""]
        lines += ["```", *help_.examples, "```", "", _say("when", windows=_windows(help_.windows)) + "."]
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


def _windows(windows: Iterable[Window]) -> str:
    return ", ".join(_window(w) for w in windows)


def _window(window: Window) -> str:
    return _say(f"windows-{window.value}")


def _say(key: str, **fields: str) -> str:
    return sentence("help", key, fields)
