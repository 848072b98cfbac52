"""The part of an issue by which everybody can check the dice and the seals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.reports.issue import Fairness, Issue
from gm.reports.view.model import Proof, ProofLine, Seal
from gm.reports.view.names import DisplayNames


def proof_of(names: DisplayNames, issue: Issue) -> Proof:
    known = issue.fairness
    label = names.words.packs["labels"]["fairness"]
    notes = [label["how"]] if known.secret or known.next_commitment else [label["none"]]
    return Proof(
        notes=tuple(notes),
        link=link_to(known.check),
        next_commitment=known.next_commitment,
        commitment=known.commitment,
        secret=known.secret,
        orders_digest=known.orders_digest,
        chain=known.chain,
        seals=tuple(Seal(r.player, names.title(r.player), r.seal, r.salt, r.orders) for r in known.receipts),
        reading=known.reading,
        dice=known.dice,
        board=known.board,
        names=known.names,
        beacon=tuple(_beacon(names, known)),
        record=known.record,
        dice_name=known.dice_name,
        void=tuple(ProofLine(*line) for line in known.void),
    )


def _beacon(names: DisplayNames, known: Fairness) -> Iterator[ProofLine]:
    """The round that the coming Phase waits for, and what was given for this one."""
    chain = known.beacon_chain
    if chain is None:
        return
    if known.next_round is not None:
        due = f"{chain.time_of(known.next_round):%Y-%m-%d %H:%M:%S}"
        facts = {"round": known.next_round, "beacon": chain.name, "due": due}
        yield ProofLine(names.words.say("labels", "fairness.next_round", **facts), chain.fingerprint)
    if "randomness" in known.beacon:
        facts = {"round": known.beacon["round"], "beacon": chain.name}
        yield ProofLine(names.words.say("labels", "fairness.beacon", **facts), known.beacon["randomness"])
    if "digest" in known.beacon:
        facts = {"round": known.beacon["round"]}
        yield ProofLine(names.words.say("labels", "fairness.sealed", **facts), known.beacon["digest"])


def link_to(address: str) -> str:
    """An address that may stand behind a link; anything but a web address may not."""
    return address if re.fullmatch(r"https?://[^\s\"'<>]+", address) else ""
