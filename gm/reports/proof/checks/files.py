"""Check what lies beside the issues and records of an archive: pictures, press, names, and files that nobody knows.

An issue seals the pictures, the press and the names that went with it in its JSON. Issues of before do not.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gm.reports.proof.checks.bells import INDEX, BellsCheck, Problem
from gm.reports.proof.fairness import press_digest

# What an archive is made of, and what its site adds; the pages of a site are made from the JSON and sealed by nothing.
PRIVATE = (
    *("adjudications", "audit", "bells", "campaign", "decisions", "dice", "letters", "phases", "players", "proposals"),
    *("requests", "sealed_orders", "seats", "submissions", "tenures", "waits"),
)
KNOWN = frozenset(
    {"manifest.json", "campaign.json", "press.json", INDEX, *(f"private/{name}.json" for name in PRIVATE)}
)
PACKED = re.compile(r"pack/[^/\x00-\x1f]+\.toml")
OF_ISSUE = (".txt", ".json", ".png", "-barometer.png")
SITE = re.compile(r"style\.css|archive\.js|(index|map)\.html|feed\.xml|fonts/[\w.-]+")
PICTURES = {"map": "", "barometer": "-barometer"}


class FilesCheck:
    """The files of an archive that are neither text of a Bell nor record of a Phase."""

    def __init__(self, bells: BellsCheck, campaign: Mapping[str, Any]) -> None:
        self.bells = bells
        self.files = bells.files
        self.campaign = campaign
        self.notes: list[str] = []

    def problems(self) -> Iterator[Problem]:
        numbers = list(self.bells.texts)
        seals = {number: self.bells.documents[number].get("sealed") for number in numbers}
        yield from self._strangers()
        yield from self._issues()
        for number, seal in seals.items():
            if seal is not None:
                yield from self._pictures(number, seal["pictures"])
        yield from self._press({number: seal["press"] for number, seal in seals.items() if seal is not None})
        loose = sum(seal is None for seal in seals.values())
        if loose:
            self.notes.append(
                f"{loose} issues were made before issues sealed their pictures, their press and the names"
            )
        if numbers and (last := seals[numbers[-1]]) is not None:
            self._names(numbers[-1], last["names"])

    def _strangers(self) -> Iterator[Problem]:
        """Files that neither the archive nor its site would have."""
        stems = [f"bells/{number:03d}" for number in self.bells.texts]
        mail = "-mail.html" if self.bells.is_site else ".html"
        maps = {f"maps/{number:03d}.svg" for number in self.bells.texts}
        pages = {path for path in self.files if SITE.fullmatch(path) or path in maps}
        pages |= {f"{stem}.html" for stem in stems if self.bells.is_site and f"{stem}.html" in self.files}
        known = (
            KNOWN
            | pages
            | {path for path, _ in self.bells.phases}
            | {stem + end for stem in stems for end in (*OF_ISSUE, mail)}
        )
        private = sorted(path for path in self.files if path.startswith("private/"))
        if private and "private/campaign.json" not in private:
            yield private[0], "file", "is private, and what else is private is missing"
        for path in sorted(set(self.files) - known):
            if not PACKED.fullmatch(path):
                yield path, "file", "is no file of an archive"
        if pages:
            self.notes.append(f"{len(pages)} pages of the site are made from the issues' JSON, and sealed by nothing")

    def _issues(self) -> Iterator[Problem]:
        for number in self.bells.texts:
            stem = f"bells/{number:03d}"
            if not self.bells.documents[number]:
                yield f"{stem}.json", "file", "is missing or cannot be read"
            for path in (f"{stem}.txt", f"{stem}.html", f"{stem}-mail.html"):
                if not _is_text(self.files.get(path, b"")):
                    yield path, "form", "is not written as archives write it"

    def _pictures(self, number: int, hashes: Mapping[str, str]) -> Iterator[Problem]:
        for name, suffix in PICTURES.items():
            path = f"bells/{number:03d}{suffix}.png"
            content = self.files.get(path)
            if (hashlib.sha256(content).hexdigest() if content else None) != hashes.get(name):
                yield path, "picture", "is not the picture that its issue seals"

    def _press(self, digests: Mapping[int, str]) -> Iterator[Problem]:
        press = json.loads(self.files["press.json"])["press"]
        if strange := sorted({line["bell"] for line in press} - set(self.bells.texts)):
            issues = ", ".join(f"#{number}" for number in strange)
            yield "press.json", "press", f"has press of issues that are not there: {issues}"
        for number, digest in digests.items():
            if press_digest(line for line in press if line["bell"] == number) != digest:
                yield "press.json", "press", f"the press of issue #{number} is not what the issue seals"

    def _names(self, number: int, names: Mapping[str, Any]) -> None:
        changed = [name for name, value in names.items() if self.campaign.get(name) != value]
        if changed:
            self.notes.append(
                f"campaign.json: {', '.join(changed)} not as in issue #{number}, the last: changed since, or by hand"
            )


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
