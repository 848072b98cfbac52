"""The command lines and settings of README and the guides, taken out of the pages themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/gamesmaster-guide.md", "docs/operations.md")
PROGRAMS = (
    "gm", ".venv/bin/gm", "make", "docker", "cp", "mv", "chmod", "echo", "git", "openssl", "python", "pip", "sudo"
)  # fmt: skip
_FENCE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`((?:\.venv/bin/)?(?:gm|make|docker compose) [^`]+)`")
_SETTING = re.compile(r"^(KOLOKOL_\w+)=(.*)$")
_CRON = re.compile(r"^[\d*]+(?: +[\d*/]+){4} +(.*)$")
# Lines of other programs' files, and which program that is.
_POSTFIX = re.compile(
    r"^(recipient_delimiter|relay_domains|transport_maps|(smtpd_recipient|address_verify|unverified_recipient)_\w+) = "
)
_OTHERS = (
    re.compile(r"^bell\.example\.org +lmtp:"),  # Postfix
    re.compile(r"^\[\w+\]$|^(After|User|WorkingDirectory|ExecStart|Restart|WantedBy)="),  # systemd
    re.compile(r"^bell\.example\.org \{$|^ +reverse_proxy |^\}$"),  # Caddy
)


@dataclass(frozen=True)
class Page:
    name: str
    commands: tuple[str, ...]  # in fenced blocks, in order, without comments
    by_cron: tuple[str, ...]
    by_systemd: tuple[str, ...]
    postfix: tuple[str, ...]  # lines of its main.cf
    settings: tuple[dict[str, str], ...]  # a block each
    mentioned: tuple[str, ...]  # commands in the running text
    unknown: tuple[str, ...]  # lines of which nobody knows what they are


def read(name: str) -> Page:
    text = (ROOT / name).read_text("utf-8")
    commands: list[str] = []
    cron: list[str] = []
    systemd: list[str] = []
    postfix: list[str] = []
    settings: list[dict[str, str]] = []
    unknown: list[str] = []
    for block in _FENCE.findall(text):
        here: dict[str, str] = {}
        for line in block.replace("\\\n", " ").splitlines():
            plain = re.sub(r"(^|\s+)#.*$", "", line).rstrip()
            if not plain:
                continue
            if plain.split()[0] in PROGRAMS:
                commands.append(" ".join(plain.split()))
            elif found := _SETTING.match(plain):
                here[found[1]] = found[2]
            elif found := _CRON.match(plain):
                cron.append(found[1].replace("\\%", "%"))
            elif _POSTFIX.match(plain):
                postfix.append(plain)
            elif any(pattern.search(plain) for pattern in _OTHERS):
                systemd += [plain.partition("=")[2]] if plain.startswith("ExecStart=") else []
            else:
                unknown.append(plain)
        if here:
            settings.append(here)
    mentioned = tuple(_SPAN.findall(_FENCE.sub("", text)))
    by_others = tuple(cron), tuple(systemd), tuple(postfix)
    return Page(name, tuple(commands), *by_others, tuple(settings), mentioned, tuple(unknown))
