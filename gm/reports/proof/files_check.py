"""Check what lies beside the issues and records of an archive: pictures, press, names, and files that nobody knows.

An issue seals the pictures, the press and the names that went with it in its JSON. Issues of before do not.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gm.reports.proof.bells_check import TEXT, Problem
from gm.reports.proof.fairness import press_digest

# What an archive is made of, and what its site adds; the pages of a site are made from the JSON and sealed by nothing.
KNOWN = re.compile(
    r"(manifest|campaign|press)\.json|pack/[^/]+\.toml|phases/\d{3,}-\d+-[a-z]+\.json|private/[a-z_]+\.json"
    r"|bells/(index\.json|\d{3,}(\.(txt|json|html|png)|-barometer\.png|-mail\.html))"
)
SITE = re.compile(r"style\.css|archive\.js|(index|map)\.html|feed\.xml|maps/\d{3,}\.svg|fonts/[^/]+")
PICTURES = {"map": "", "barometer": "-barometer"}


class FilesCheck:
    """The files of an archive that are neither text of a Bell nor record of a Phase."""

    def __init__(self, files: Mapping[str, bytes], campaign: Mapping[str, Any]) -> None:
        self.files = files
        self.campaign = campaign
        self.notes: list[str] = []

    def problems(self) -> Iterator[Problem]:
        numbers = sorted(int(found[1]) for path in self.files if (found := TEXT.fullmatch(path)))
        seals = {number: self._seal(number) for number in numbers}
        yield from self._strangers()
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

    def _seal(self, number: int) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = json.loads(self.files[f"bells/{number:03d}.json"]).get("sealed")
        return found

    def _strangers(self) -> Iterator[Problem]:
        pages = [path for path in self.files if SITE.fullmatch(path) or f"{path[:-5]}-mail.html" in self.files]
        for path in sorted(set(self.files) - set(pages)):
            if not KNOWN.fullmatch(path):
                yield path, "file", "is no file of an archive"
        if pages:
            self.notes.append(f"{len(pages)} pages of the site are made from the issues' JSON, and sealed by nothing")

    def _pictures(self, number: int, hashes: Mapping[str, str]) -> Iterator[Problem]:
        for name, suffix in PICTURES.items():
            path = f"bells/{number:03d}{suffix}.png"
            content = self.files.get(path)
            if (hashlib.sha256(content).hexdigest() if content else None) != hashes.get(name):
                yield path, "picture", "is not the picture that its issue seals"

    def _press(self, digests: Mapping[int, str]) -> Iterator[Problem]:
        press = json.loads(self.files["press.json"])["press"]
        for number, digest in digests.items():
            if press_digest(line for line in press if line["bell"] == number) != digest:
                yield "press.json", "press", f"the press of issue #{number} is not what the issue seals"

    def _names(self, number: int, names: Mapping[str, Any]) -> None:
        changed = [name for name, value in names.items() if self.campaign.get(name) != value]
        if changed:
            self.notes.append(
                f"campaign.json: {', '.join(changed)} not as in issue #{number}, the last: changed since, or by hand"
            )
