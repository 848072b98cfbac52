"""Check the rounds of a public beacon in an archive: announced before they were out, signed, and the right ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from gm.reports.proof.beacon import BeaconRound, chain_from, due_round, is_genuine
from gm.reports.proof.checks.bells import BellsCheck, PhaseRecord, name_of, squeezed

_ROUND = re.compile(r"\bround (\d+) of\b", re.I)  # as Bells name it
_GAVE = re.compile(r"\bround (\d+) gave\b")  # in an issue of bare facts


class BeaconCheck:
    """The beacon of a campaign; `notes` says what was not as usual."""

    def __init__(self, charter: Mapping[str, Any] | None, bells: BellsCheck) -> None:
        self.chain = chain_from(charter) if charter else None
        self.bells = bells
        self.notes: list[str] = []
        if self.chain is not None and self.chain.name != "drand":
            self.notes.append(
                f"the beacon is not drand but {self.chain.address}: whoever runs it could know its rounds"
            )

    def charter_problems(self) -> Iterator[str]:
        """The address in campaign.json is one that the issues name; by its key drand is called drand everywhere."""
        if self.chain is None:
            return
        said = [text for n in self.bells.texts if (text := self.bells.said_of_beacon(n, self.chain.fingerprint))]
        if not said:
            self.notes.append("campaign.json names a beacon of which no issue announced a round")
        elif not any(squeezed(self.chain.name) in squeezed(text) for text in said):
            yield "names another address of the beacon than the issues"

    def problems(self, phase: PhaseRecord) -> Iterator[str]:
        record = phase.get("beacon")
        if self.chain is None:
            if record or phase.get("beacon_round") is not None:
                yield "has a round of a beacon, but the campaign has no beacon"
            return
        announced = self._announced(phase)
        if announced != phase.get("beacon_round"):
            yield f"round {phase.get('beacon_round')} of the beacon did not stand in the Bell that opened it"
        if not record:
            if phase["outcome"] and announced is not None:
                yield "the Bell that opened it announced a round of the beacon, and none was used"
            return
        printed = record["printed"]
        if printed != announced:
            yield f"round {printed} of the beacon did not stand in the Bell that opened it, but {announced}"
        elif printed is None and phase["phase"] != "setup":
            yield "has a round of the beacon that no Bell announced, which only the deal may have"
        yield from self._times(phase, record)
        yield from self._given(phase, record)

    def _announced(self, phase: PhaseRecord) -> int | None:
        """The round that the Bell that opened a Phase prints for it, beside the seal of the beacon's key."""
        assert self.chain is not None
        number = self.bells.opening(phase)
        found = _ROUND.findall(self.bells.said_of_beacon(number, self.chain.fingerprint)) if number is not None else []
        return int(found[-1]) if found else None

    def _times(self, phase: PhaseRecord, record: Mapping[str, Any]) -> Iterator[str]:
        """The orders were sealed while the Phase lasted, and the round that was due came out after it."""
        assert self.chain is not None
        printed, sealed = record["printed"], datetime.fromisoformat(record["sealed_at"])
        opened, published = (
            phase[name] and datetime.fromisoformat(phase[name]) for name in ("opened_at", "published_at")
        )
        if (opened and sealed < opened) or (published and sealed > published):
            yield "says that its orders were sealed before it opened or after its Bell"
        if printed is not None and opened and opened >= self.chain.time_of(printed):
            yield f"round {printed} of the beacon was out when the Phase opened"
        if record["round"] != due_round(self.chain, printed, sealed):
            yield f"round {record['round']} is not the round of the beacon that was due"

    def _given(self, phase: PhaseRecord, record: Mapping[str, Any]) -> Iterator[str]:
        """What the round gave is signed, and the Bell on the Phase prints it, or why it was done without."""
        assert self.chain is not None
        round, printed, called = record["round"], record["printed"], name_of(phase)
        told = self.bells.reports(phase)
        text = " ".join(self.bells.texts[told].split()) if told is not None else ""
        if told is not None and self.bells.named(told):
            if "digest" not in record:
                self.notes.append(f"{called}: the digest of its orders was mailed to nobody when they were sealed")
            elif record["digest"] not in text:
                yield "the Bell on it does not print the digest that was mailed when its orders were sealed"
        if "given_up" in record:
            self.notes.append(f"{called}: cast without round {round} of the beacon: {record['given_up']}")
            if text and squeezed(record["given_up"]) not in squeezed(text):
                yield f"the Bell on it does not say why round {round} of the beacon was given up"
        elif "randomness" not in record:
            if phase["outcome"]:
                yield f"round {round} of the beacon is not in the record"
        elif not is_genuine(self.chain, BeaconRound(round, record["randomness"], record["signature"])):
            yield f"round {round} is not signed by the beacon"
        elif text and not (record["randomness"] in text and str(round) in _ROUND.findall(text) + _GAVE.findall(text)):
            yield f"the Bell on it does not print round {round} of the beacon"
        if round != printed:
            why = (
                "no Bell could print it"
                if printed is None
                else f"round {printed} was out before the orders were sealed"
            )
            self.notes.append(f"{called}: {why}; round {round} was mailed to all when they were sealed")
