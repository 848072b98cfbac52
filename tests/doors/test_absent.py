"""An absent player's whole July, played by a stand-in while real mail goes to and fro."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

from tests.doors.house import House, Player, Post, text_of

QUICK = ("ready=automatic", "early_close_hours=0", "early_delay_minutes=0")


def test_an_absent_player_is_played_through_july_and_the_archive_verifies(house: House, post: Post) -> None:
    anna, boris = (Player(name, f"{name.lower()}@july.test", post) for name in ("Anna", "Boris"))
    house.write_env(post.by_lmtp())
    house.start("serve", "--worker")
    house.wait_for_web()
    people = [word for player in (anna, boris) for word in ("-p", f"{player.name} <{player.address}>")]
    options = [word for option in QUICK for word in ("--set", option)]
    house.gm("campaign", "new", "July", "--gm", "Gregor <gregor@july.test>", *people, "-p", "fanatic", *options)
    house.gm("campaign", "open", "july", "--force")
    today = date.today()
    away = f"ABSENT from {today:%d %B %Y} to {today + timedelta(days=60):%d %B %Y} STANDIN"
    told = boris.answer_to(boris.answers(boris.waits_for("#1,", 60, house.logs), away), 60, house.logs)
    assert "A stand-in plays for you" in " ".join(text_of(told).split())
    for number in range(1, 6):  # the trades, June, July
        words = "REFUSE GIFTS" if number == 1 else "COUNTERPURGE STRONGEST"
        bell = anna.waits_for(f"#{number},", 60, house.logs)
        anna.answers(bell, f"{words}\nREADY")
    anna.waits_for("#6,", 60, house.logs)
    leaves_and_comes_back(house, boris)
    house.gm("export", "july", "files", "--public")
    july = {p.name: json.loads(p.read_text()) for p in sorted((house.folder / "files" / "phases").glob("*-02-*.json"))}
    played = [phase["orders"]["B"] for phase in july.values() if phase["orders"]]
    assert [(sheet["source"], sheet["style"]) for sheet in played] == [("standin", "fanatic")] * 2
    house.gm("verify", "files")
    path = next(p for p, phase in july.items() if phase["orders"] and phase["orders"]["B"]["text"])
    one_byte(house.folder / "files" / "phases" / path, july[path]["orders"]["B"]["text"])
    assert "B" in house.gm("verify", "files", fails=True)


def leaves_and_comes_back(house: House, boris: Player) -> None:
    """By mail to the stand-in, by command back to the person, who is briefed; then once more by the Gamesmaster."""
    asked = boris.answer_to(boris.answers(boris.waits_for("#6,"), "LEAVE TO STANDIN"), 60, house.logs)
    boris.answers(asked, "CONFIRM LEAVE")
    assert "plays B from now on" in text_of(boris.waits_for("a stand-in plays on for you", 60, house.logs))
    assert "B  Belsky" in house.gm("campaign", "show", "july")
    house.gm("campaign", "replace", "july", "B", f"{boris.name} <{boris.address}>")
    briefing = boris.waits_for("you play B", 60, house.logs)
    assert "in place of Belsky" in " ".join(text_of(briefing).split())
    assert [part.get_filename() for part in briefing.iter_attachments()]
    status = text_of(boris.answer_to(boris.answers(briefing, "STATUS"), 60, house.logs))
    assert "July" in status
    house.gm("campaign", "leave", "july", "B", "commander", "--yes")
    assert "B  Belsky" in house.gm("campaign", "show", "july")


def one_byte(file: Path, sheet: str) -> None:
    """Change one letter of a sheet where it stands in the file."""
    text = file.read_text()
    written = json.dumps(sheet, ensure_ascii=False)
    assert text.count(written) >= 1
    changed = written[:1] + ("X" if written[1] != "X" else "Y") + written[2:]
    file.write_text(text.replace(written, changed, 1))
