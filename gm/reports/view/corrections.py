"""What the Gamesmaster corrected, in sentences: for the errata of an issue and for the mail to everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.adjudicator.outcome import Corrected, Correction, Outcome, Spot
from gm.board.model import Board
from gm.position import Player
from gm.reports.issue import PlayerInfo
from gm.reports.prose import standard_prose
from gm.reports.view.names import DisplayNames, names_for
from gm.wording import clean


def errata(names: DisplayNames, outcome: Outcome) -> tuple[str, ...]:
    """One sentence or more for each correction of the Phase."""
    return tuple(_told(names, event) for event in outcome.events if isinstance(event, Corrected))


def told(board: Board, event: Corrected, outcome: Outcome, players: Mapping[Player, PlayerInfo]) -> str:
    return _told(names_for(board, standard_prose(), players, outcome), event)


def _told(names: DisplayNames, event: Corrected) -> str:
    say = names.words.say
    reason = clean(event.reason).rstrip(".")
    words = [*_parts(names, event), say("happened", "corrected.reason", reason=reason)]
    if event.rules:
        words.append(say("happened", "corrected.rule", rules=", ".join(event.rules)))
    if event.insisted:
        codes = (names.words.phrase("happened", f"corrected.broken.{code}") for code in event.insisted)
        words.append(say("happened", "corrected.insisted", what=names.words.many(codes)))
    return " ".join(words)


def _parts(names: DisplayNames, event: Corrected) -> Iterator[str]:
    for part in event.parts:
        facts = {"what": _what(part), "before": _spot(names, part.before), "after": _spot(names, part.after)}
        yield names.words.say("happened", f"corrected.{part.kind}", **facts)


def _what(part: Correction) -> str:
    return part.piece.bell if part.piece is not None else f"{part.number} {part.marker}"


def _spot(names: DisplayNames, spot: Spot) -> str:
    key = spot.kind if spot.owner is not None or spot.kind in ("gone", "randomizer") else f"{spot.kind}_nobody"
    facts = {"at": names.at(spot.province) if spot.province else "", "owner": names.who(spot.owner)}
    return names.words.phrase("happened", f"corrected.at.{key}", **facts)
