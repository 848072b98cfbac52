"""Makes tests/ops/data/reading-N.*: campaigns judged by one version of the reading, as archives and as a database; and
alone-N.zip, the archive of a game for one person.

Run as `python -m tests.ops.make_reading N [FOLDER]`, with the code of that version and before the reading changes. What
it made is kept: every later version must verify the archives and play on from the database.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
import zipfile
from itertools import count
from pathlib import Path
from random import Random

from gm.board.load import standard_board
from gm.campaign.export import archive
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import no_wake
from gm.campaign.solo import single_player, solitaire
from gm.cli import main as gm
from gm.notation import read_position
from gm.position import RED_PLAYER, SYSTEM_PLAYER, Phase, from_json
from gm.rehearsal.player import RandomPlayer
from gm.rendering.newsroom import PlainRenderer
from gm.web.sample import orders_of_1976, positions_of_1976
from tests.campaign_fixtures import FakeClock, installed, settings_for

DATA = Path(__file__).parent / "data"
PLAYERS = [word for name in ("Anna", "Boris", "Clara", "Dmitri", "Elena") for word in ("-p", f"{name} <{name}@x.test>")]
GREGOR = ("--gm", "Gregor <gm@x.test>", "--set", "publish=auto")
MOVED = {  # more units behind Lenin than Sablin could lead alone
    "A  PETR: RL3 Lenin, RU8 PETR\n": "A  PETR: RL1 Sablin, RL3 Lenin, RU8 PETR, RU4 PSKO, RU6 SMOL\n",
    "A  PSKO: RL1 Sablin\n": "",
    "B  PSKO: RL1 Muraviev, RU4 PSKO\n": "B  PSKO: RL1 Muraviev\n",
    "A  SMOL: RL2 Zinoviev, RU6 SMOL\n": "A  SMOL: RL2 Zinoviev\n",
}
TRAIN = "MOVE Sablin, Lenin, RU8 PETR, RU4 PSKO, RU6 SMOL: PETR(-Lenin)-NOVG-TVER BY RAIL"


def run(*arguments: str) -> None:
    try:
        gm(list(arguments))
    except SystemExit as end:
        assert not end.code, arguments


def order(folder: Path, campaign: str, sheets: dict[str, str]) -> None:
    for letter, text in sorted(sheets.items()):
        if text.strip():
            (folder / "orders.txt").write_text(text)
            run("submit", campaign, letter, str(folder / "orders.txt"))
    run("campaign", "close", campaign, "--yes")


def random_sheets(folder: Path, campaign: str, seed: int) -> dict[str, str]:
    """What random players order on the positions that are published."""
    target = folder / f"look-{campaign}-{seed}"
    run("export", campaign, str(target), "--public")
    newest = json.loads(max((target / "phases").iterdir()).read_text())
    board = standard_board()
    position = from_json(board, newest["position"])
    player = RandomPlayer(board, Random(seed))
    return {letter: player.sheet(position, letter).printed() for letter in position.active}


def play_dealt(folder: Path) -> None:
    run("campaign", "new", "Dealt", *PLAYERS, *GREGOR, "--id", "dealt")
    run("campaign", "open", "dealt", "--force")
    for seed in range(5):  # the trades, and two Game-Turns
        order(folder, "dealt", random_sheets(folder, "dealt", seed))


def play_1976(folder: Path) -> None:
    listing = positions_of_1976()
    for old, new in MOVED.items():
        assert old in listing
        listing = listing.replace(old, new)
    (folder / "listing.txt").write_text(listing)
    run("import", "--bell", str(folder / "listing.txt"), "--name", "1976", *PLAYERS, *GREGOR, "--id", "bell-1976")
    run("campaign", "tick")
    first = orders_of_1976("first")
    order(folder, "bell-1976", {**first, "A": f"{TRAIN}\n"})
    order(folder, "bell-1976", orders_of_1976("second"))


# Trotsky may fall in Red's attack, and Lenin in the next one of the Whites (24.16).
ALONE = """
R  RYAZ: RL3 Trotsky
R  PETR: RL3 Lenin; RU8 PETR
R  SMOL: RL2 Frunze, RU6 SMOL
W  RYAZ: WL1 Dutov, WU4 KUBA
W  NOVG: WL3 Denikin, WU8 DCOS, WU6 KHAR
RESERVE: RL1 Stalin
FLAG: contested
"""


def make_alone(target: Path) -> None:
    """Begun anew until both have fallen so; then a Game-Turn more."""
    folder, board = Path(tempfile.mkdtemp(prefix="kolokol-alone-")), standard_board()
    listed = read_position(board, ALONE, (RED_PLAYER, SYSTEM_PLAYER), turn=2, phase=Phase.FIRST, solitaire=True)
    settings = settings_for(f"sqlite:///{folder}/kolokol.sqlite")
    services = installed(settings, clock=FakeClock(), wake=no_wake, renderer=PlainRenderer())
    anna = {RED_PLAYER: NewPlayer("Anna", "anna@x.test")}
    for number in count():
        campaign = single_player.set_up(
            services, anna, RED_PLAYER, listed, single_player.RULES, name="Alone", id=f"alone-{number}", actor="R"
        )
        for sheet in ("ATTACK Dutov IN RYAZ WITH Trotsky\nDONE", "", "DONE"):
            if lookups.state(services, campaign).status == "running":
                solitaire.play(services, campaign, sheet, source="gm")
        archive.export(services, campaign, folder / campaign, public=True)
        told = (folder / campaign / "phases" / "001-02-second.json").read_text().split('"CombatPlayed"')
        if [part.count('"RevolutionShaken"') for part in told] == [1, 1]:
            break
    with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as box:
        for path in sorted((folder / campaign).rglob("*")):
            if path.is_file():
                box.write(path, path.relative_to(folder / campaign).as_posix())


def main() -> None:
    name = f"reading-{int(sys.argv[1])}"
    target = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else DATA
    folder = Path(tempfile.mkdtemp(prefix=f"kolokol-{name}-"))
    os.environ["KOLOKOL_DATABASE_URL"] = f"sqlite:///{folder}/kolokol.sqlite"
    os.chdir(folder)
    play_dealt(folder)
    play_1976(folder)
    forget_pictures(folder / "kolokol.sqlite")
    for campaign in ("dealt", "bell-1976"):
        run("export", campaign, str(folder / campaign))
    run("backup", str(target / f"{name}.backup"))
    with zipfile.ZipFile(target / f"{name}.zip", "w", zipfile.ZIP_LZMA) as box:
        for campaign in ("dealt", "bell-1976"):
            for path in sorted((folder / campaign).rglob("*")):
                if path.is_file():
                    box.write(path, path.relative_to(folder).as_posix())
    make_alone(target / f"alone-{int(sys.argv[1])}.zip")


def forget_pictures(database: Path) -> None:
    """Maps are nine tenths of a campaign, and nothing is proved by them; nor by the mails that went out."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE bells SET png = NULL, chart = NULL, html = ''")
        connection.execute("DELETE FROM outbox")
    connection.execute("VACUUM")
    connection.close()


if __name__ == "__main__":
    main()
