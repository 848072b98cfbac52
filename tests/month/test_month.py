"""A Gamesmaster's month: four people, five Phases, and all that can come between; every mail that anybody got.

Read `mailboxes/*.txt` from top to bottom: they are what Anna, Boris, Clara, Dmitri, Elena and the Gamesmaster found
in their mailboxes. Mails go through Postfix and Dovecot; the Gamesmaster uses the web; only the clock is the test's.
`GOLDEN=write .venv/bin/pytest tests/month` writes them anew after a change of wording: look at the difference.
"""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from gm.campaign.manage import creation, deadlines
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from tests.month.mailbox import FOLDER, WRITE, written
from tests.month.stage import CAMPAIGN, DOMAIN, GM_NAME, Month
from tests.support import IN_CI

PLAYERS = (("Anna", "Europe/London"), ("Boris", "UTC"), ("Clara", "America/New_York"), ("Dmitri", "Europe/Berlin"))
PEOPLE = ("Anna", "Boris", "Clara", "Dmitri", "Elena", GM_NAME)

JUNE = {
    "Anna": "MOVE Lenin, RU8 PETR: PETR-PSKO\nMOVE Kutepov, WU4 TAUR: TAUR-KHER",
    "Boris": "MOVE Trotsky, RU8 TVER: TVER-NOVG",
    "Clara": "MOVE Denikin, WU4 KUBA: KUBA-STAV",
    "Dmitri": "MOVE Frunze, RU4 VLDM: VLDM-TVER",
}


def test_a_month_of_mails(month: Month) -> None:
    if WRITE and IN_CI:
        pytest.fail("mailboxes are written by people, who read them", pytrace=False)
    the_seats_are_taken(month)
    the_trades_close_early(month)
    june_has_an_extension(month)
    june_is_fought_after_a_pause_and_clara_sends_nothing(month)
    june_is_fought_again(month)
    in_july_dmitri_is_replaced(month)
    in_july_boris_is_removed(month)
    the_war_is_ended(month)
    for name in PEOPLE:
        compare(name, written(month, name))


def compare(name: str, found: str) -> None:
    path = FOLDER / f"{name.lower()}.txt"
    if WRITE:
        path.write_text(found, "utf-8")
    kept = path.read_text("utf-8")
    told = unified_diff(
        kept.splitlines(), found.splitlines(), f"{path.name}, as kept", "as it was now", lineterm="", n=3
    )
    assert found == kept, "\n".join([f"{name}'s mailbox has changed:", *told])


def the_seats_are_taken(month: Month) -> None:
    for name in PEOPLE:
        month.person(name)
    creation.create(
        month.services,
        name="Spring 1918",
        players=[NewPlayer(name, f"{name.lower()}@{DOMAIN}", zone) for name, zone in PLAYERS],
        gm_name=GM_NAME,
        gm_address=f"{GM_NAME.lower()}@{DOMAIN}",
        id=CAMPAIGN,
        options={"zone": "Europe/London"},
    )
    month.settle()
    month.wait(hours=3)
    month.writes("Anna", "Dear Gregor,\n\nyes, I accept with pleasure.\n\nAnna")
    month.writes("Boris", "ACCEPT")
    month.wait(hours=20)
    month.writes("Clara", "I accept, thank you.")
    month.writes("Dmitri", "ACCEPT")


def the_trades_close_early(month: Month) -> None:
    """Everybody is ready; Dmitri thinks again, and then not."""
    month.wait(hours=5)
    month.writes("Anna", "GIVE 2 PM TO C\nREADY", "#1")
    month.writes("Boris", "GIVE Ulagi TO D", "#1")
    month.writes("Boris", "READY")
    month.writes("Clara", "GIVE Lenin TO A\nREADY", "#1")
    month.writes("Clara", "HOLD\nREADY", "#1")
    month.writes("Dmitri", "HOLD\nREADY", "#1")
    month.wait(hours=2)
    month.writes("Dmitri", "Sorry, I must think about Ulagi.\n\nNOT READY", "#1")
    month.writes("Anna", "STATUS", "full time")
    month.wait(hours=1)
    month.writes("Dmitri", "READY", "#1")
    month.until_deadline()


def june_has_an_extension(month: Month) -> None:
    month.wait(hours=6)
    month.writes("Boris", "EXTEND please, my train stands in Tver", "#2")
    (asked,) = deadlines.requests(month.services, CAMPAIGN, "asked")
    month.gamesmaster("settle", number=asked.id, granted="true", hours=48)
    month.writes("Anna", JUNE["Anna"], "#2")
    month.writes("Clara", f"{JUNE['Clara']}\nMOVE my cossacks to Moscow", "#2")
    month.writes("Clara", JUNE["Clara"], "#2")
    month.writes("Clara", "LETTER TO Anna: Shall we leave Dmitri to Boris?\nEND")
    month.wait(days=4, hours=12)
    month.writes("Boris", JUNE["Boris"], "are due")
    month.writes("Dmitri", JUNE["Dmitri"], "are due")
    month.until_deadline()


def june_is_fought_after_a_pause_and_clara_sends_nothing(month: Month) -> None:
    month.wait(hours=4)
    month.gamesmaster("pause", reason="I am at a wedding.")
    month.writes("Anna", "STATUS", "is paused")
    month.writes("Anna", "COUNTERPURGE STRONGEST", "#3")
    month.wait(days=2, hours=5)
    month.gamesmaster("resume")
    month.writes("Boris", "HOLD", "#3")
    month.writes("Dmitri", "HOLD", "#3")
    month.until_deadline(hours=13)


def june_is_fought_again(month: Month) -> None:
    """The Gamesmaster has overlooked something: rolled back, with the old orders kept."""
    month.wait(hours=1)
    month.gamesmaster("rollback", to="1/second", reason="The pause took Clara's deadline.", keep="true", sure="true")
    month.writes("Clara", "HISTORY", "Erratum")
    month.writes("Clara", "HOLD\nREADY", "Erratum")
    for name in ("Anna", "Boris", "Dmitri"):
        month.writes(name, "READY", "Erratum")
    month.until_deadline()


def in_july_dmitri_is_replaced(month: Month) -> None:
    month.wait(hours=2)
    month.gamesmaster("seats/replace", letter="D", name="Elena", address=f"elena@{DOMAIN}", zone="Asia/Tokyo")
    month.writes("Dmitri", "MOVE Wrangel, WU4 ASTR: ASTR-STAV", "#6")
    month.writes("Elena", "HOLD", "you play D")
    for name in ("Anna", "Boris", "Clara"):
        month.writes(name, "HOLD", "#6")
    month.until_deadline()


def in_july_boris_is_removed(month: Month) -> None:
    month.wait(hours=1)
    month.writes("Boris", "VOTE END", "#7")
    month.gamesmaster("seats/remove", letter="B", reason="You have written to Clara in a way that we do not want here.")
    month.writes("Boris", "MOVE Trotsky, RU8 TVER: TVER-NOVG", "out of the game")
    month.writes("Boris", "LETTER TO GM: I did not mean it so. May I come back?", "out of the game")
    month.writes("Boris", "LETTER TO Clara: I am sorry.", "out of the game")
    month.writes("Clara", "LETTER TO Boris: Goodbye.", "has been taken out")
    month.wait(hours=1)
    for name in ("Anna", "Clara", "Elena"):
        month.writes(name, "HOLD\nREADY", "#7")
    month.until_deadline()


def the_war_is_ended(month: Month) -> None:
    month.wait(hours=1)
    month.writes("Anna", "HOLD", "#8")
    month.gamesmaster("finish", reason="Three are too few; thank you for a good war.")
    assert lookups.state(month.services, CAMPAIGN).status == "finished"
    month.writes("Clara", "HOLD")


@pytest.mark.parametrize("box", sorted(FOLDER.glob("*.txt")), ids=lambda box: box.stem)
def test_no_line_of_a_mail_is_longer_than_72_columns(box: Path) -> None:
    lines = [line[2:] for line in box.read_text("utf-8").splitlines() if line.startswith("  ")]
    assert not [line for line in lines if len(line) > 72 and " " in line.strip()]
