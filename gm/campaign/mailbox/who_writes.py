"""Who may write to whom: a player who is out of the game writes to the Gamesmaster alone, and gets no more letters."""

from __future__ import annotations

from collections.abc import Collection

from gm.campaign.roles import GM
from gm.campaign.transaction import Transaction, display_name
from gm.errors import NotAllowed

OUT = ("removed", "quit")  # whoever resigns may say farewell until the Phase is played


def out_of_game(work: Transaction) -> set[str]:
    return {seat.letter for seat, _ in work.table if seat.status in OUT}


def must_play(work: Transaction, sender: str) -> None:
    """For what is meant for the others: press, and letters to them."""
    if sender in out_of_game(work):
        what = f"you are out of the game and can write to {work.campaign.gm_name} only"
        raise NotAllowed("quit", what, "write LETTER TO GM: and your words", sender=sender)


def may_write(work: Transaction, sender: str, to: Collection[str], unnamed: Collection[str] = ()) -> None:
    """`unnamed`: who wrote unsigned what is answered. To refuse the answer would tell who that was."""
    if sender == GM or not to:
        return
    if set(to) != {GM}:
        must_play(work, sender)
    gone = sorted(out_of_game(work) & set(to) - set(unnamed))
    if gone:
        gm, who = work.campaign.gm_name, " and ".join(display_name(*work.seat(letter)) for letter in gone)
        what = f"{who} {'are out of the game and get' if len(gone) > 1 else 'is out of the game and gets'} no letters"
        hint = f"write to {gm} instead: LETTER TO GM: and your words"
        if set(to) - set(gone):
            hint = "write to the others without them"
        raise NotAllowed("out-of-game", f"{what} but {gm}'s", hint, sender=sender)
