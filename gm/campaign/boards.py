"""The board of a campaign: the standard one, or its own pack, kept under the hash of its files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence

from sqlalchemy.orm import Session

from gm.adjudicator.begin import unfit
from gm.board.load import packed
from gm.board.model import Board
from gm.board.pack import PackFiles, read_files
from gm.board.problems import BoardError, BoardProblem
from gm.board.validate import errors, validate
from gm.campaign import cache
from gm.campaign.services import Services
from gm.errors import Invalid
from gm.store.repositories import campaigns
from gm.store.tables import Campaign, PackRow

FILE_NAME = re.compile(r"(?!\.)[\w .,()+-]{1,60}\.toml")  # such as an archive can carry anywhere
MAX_PACK_CHARACTERS = 400_000  # characters of all files; the whole standard pack has a fifth of that

_files: dict[str | None, PackFiles] = {None: ()}  # by their hash: never anything else under the same


def board_of(session: Session, campaign: Campaign) -> Board:
    return board_named(session, campaign.pack, campaign.options)


def board_named(session: Session, pack: str | None, options: cache.Stored) -> Board:
    """The board of a campaign with this pack and these options."""
    return packed(files_named(session, pack), shorter=cache.options(options).masses)


def files_named(session: Session, pack: str | None) -> PackFiles:
    """The files of a pack by its hash; none for the standard board."""
    if pack not in _files:
        row = campaigns.pack(session, pack)
        assert row is not None
        _files[pack] = tuple((name, text) for name, text in row.files)
    return _files[pack]


def board(services: Services, campaign: str) -> Board:
    """The board of a campaign, for whoever has no transaction open; the standard one if there is no such campaign."""
    with services.store.read() as session:
        found = campaigns.played_on(session, campaign)
        return board_named(session, found.pack, found.options) if found is not None else packed()


def hash_of(files: PackFiles) -> str | None:
    return hashlib.sha256(json.dumps(files).encode()).hexdigest() if files else None


def valid_pack(files: PackFiles) -> PackFiles:
    """A Gamesmaster's files as a campaign keeps them; raises Invalid with all that is wrong."""
    files = tuple(sorted(files))
    if sum(len(text) for _, text in files) > MAX_PACK_CHARACTERS:
        raise Invalid("pack", f"a pack may have {MAX_PACK_CHARACTERS} characters", "name only what is different")
    try:
        packed(files)
    except BoardError as error:
        raise _unplayable(error.problems) from error
    return files


def new_pack(files: PackFiles) -> PackFiles:
    """The same for a campaign that begins to play with it: it has to be fit to begin with, too."""
    if strange := [name for name, _ in files if not FILE_NAME.fullmatch(name)]:
        what = f"a file of a pack cannot be called {ascii(strange[0])[:100]}"
        raise Invalid("pack", what, "give it a short name such as mypack.toml")
    if files and sum(len(text) for _, text in files) <= MAX_PACK_CHARACTERS:
        try:
            pack = read_files(files)
        except BoardError as error:
            raise _unplayable(error.problems) from error
        if not errors(validate(pack)) and (wrong := unfit(pack)):
            raise _unplayable(wrong)
    return valid_pack(files)


def _unplayable(found: Sequence[BoardProblem]) -> Invalid:
    problems = [str(problem) for problem in found]
    hint = "gm board check tells everything that is wrong with it"
    return Invalid("pack", f"the pack cannot be played with: {problems[0]}", hint, problems=problems)


def keep(session: Session, files: PackFiles) -> str | None:
    """Store a pack once, and give the hash under which campaigns name it."""
    name = hash_of(files)
    if name is not None and campaigns.pack(session, name) is None:
        session.add(PackRow(id=name, files=[list(pair) for pair in files]))
        session.flush()
    return name
