"""`gm export`, `gm import`, `gm verify`: campaigns as files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import nullcontext
from email import message_from_bytes
from email.policy import default
from html import unescape
from pathlib import Path

import typer

from gm.board.pack import files_of
from gm.campaign.beacon import rounds
from gm.campaign.export import archive, importing
from gm.campaign.export.folder import read_files
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.commands import console
from gm.commands.wiring import AS_JSON, CAMPAIGN, option_pairs, person, print_json, say, service
from gm.errors import UserError
from gm.reports.proof.own_copy import ComparedCopy, SealedReceipt, compare_copy, find_digest, find_receipt
from gm.reports.proof.verify import ArchiveVerdict
from gm.reports.proof.verify import verify as verify_files

_PAGE = re.compile(r"\s{0,1000}<(?:!doctype|html|head|body|div|table|p)\b", re.IGNORECASE)
MAX_COPY = 20_000_000  # bytes of a Bell with its pictures


def export(
    campaign: str = CAMPAIGN,
    folder: Path = typer.Argument(help="Where to write it: a new folder"),
    public: bool = typer.Option(False, "--public", help="Without addresses, letters and sealed secrets"),
) -> None:
    """Write a campaign as a folder of plain files."""
    with service() as services, console().status("writing") as status:
        number = archive.export(services, campaign, folder, public, lambda path: status.update(f"writing {path}"))
    say(f"{number} files in {folder}")
    if not public:
        say("it holds addresses, letters and secrets: for another installation, not for publication (--public)")


def import_(
    source: Path = typer.Argument(None, help="A folder that gm export wrote", show_default=False),
    bell: Path | None = typer.Option(None, "--bell", help="A Bell as it was mailed, to start in mid-game"),
    as_id: str = typer.Option("", "--id", help="Under this id"),
    name: str = typer.Option("", help="With --bell: how the campaign is called"),
    player: list[str] = typer.Option([], "--player", "-p", help='With --bell: "A: NAME <ADDRESS> Europe/London"'),
    gm: str = typer.Option("", "--gm", help='With --bell: the Gamesmaster, "NAME <ADDRESS>"'),
    turn: int = typer.Option(0, min=0, max=999, help="With --bell: the Game-Turn, if the listing has no TURN line"),
    phase: str = typer.Option("", help="With --bell: first, second or pregame"),
    set_: list[str] = typer.Option([], "--set", help="With --bell: an option, such as grace_hours=24"),
    number: int = typer.Option(1, min=1, max=999_999, help="With --bell: the number of the next issue"),
    pack: Path | None = typer.Option(None, "--pack", help="With --bell: your own board pack, a file or a folder"),
) -> None:
    """Take over a campaign from its files, or start one in mid-game from a position listing."""
    if (source is None) == (bell is None):
        raise UserError("say what to import", "a folder that gm export wrote, or --bell FILE")
    with service() as services:
        if source is not None:
            made = importing.import_archive(services, source, as_id or None)
            _say_taken_over(services, made)
            return
        assert bell is not None
        if not gm or not player:
            raise UserError("who plays?", 'give --gm "NAME <ADDRESS>" and a --player for each seat')
        host = person(gm)
        made = importing.import_bell(
            services,
            _words_of(bell),
            name=name or bell.stem,
            players=[person(text) for text in player],
            gm_name=host.name,
            gm_address=host.address,
            turn=turn or None,
            phase=phase or None,
            options=option_pairs(set_),
            id=as_id or None,
            first_bell=number,
            pack=files_of(pack) if pack is not None else (),
        )
        say(f"{made} begins with the next look of the worker (or gm campaign tick)")


def _say_taken_over(services: Services, campaign: str) -> None:
    """Where it stands, and whom this installation will ask for its dice: the archive says where, not the keeper."""
    status = lookups.state(services, campaign).status
    paused = f"is here, paused: gm campaign resume {campaign}"
    say(f"{campaign} {paused if status == 'paused' else f'is here, {status}'}")
    beacon = rounds.state_of(services, campaign)
    if beacon is not None and beacon.chain.name != "drand":
        say(
            f"its beacon is not drand: its dice will be asked of {beacon.chain.address}, and whoever runs it knows them"
        )


def _words_of(file: Path) -> str:
    return _read_copy(file)[0]


def _read_copy(file: Path) -> tuple[str, bool]:
    """The text of a listing or a Bell, also of one saved as a whole mail or a page; and whether it was HTML."""
    try:
        with file.open("rb") as source:
            raw = source.read(MAX_COPY + 1)
    except OSError as error:
        raise UserError(
            f"{file} cannot be read: {error.strerror}", "name a mail that was saved, or its text"
        ) from error
    if len(raw) > MAX_COPY:
        raise UserError(f"{file} is larger than any Bell", "name a mail that was saved, or its text")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace"), False
    if not re.match(rb"(?:From .*\r?\n)?(?:[A-Za-z0-9-]+:.*\r?\n(?:[ \t].*\r?\n)*){3}", raw[:20_000]):
        text = raw.decode("utf-8", "replace")
        return (_without_tags(text), True) if _PAGE.match(text) else (text, False)
    try:
        body = message_from_bytes(raw, policy=default).get_body(("plain", "html"))
        text = str(body.get_content()) if body is not None else ""
        is_html = body is not None and body.get_content_subtype() != "plain"
        return (_without_tags(text), True) if is_html else (text, False)
    except Exception as error:  # a mail may hold anything, and its reader raises anything
        raise UserError(f"{file} is no mail that can be read", "save its text instead") from error


def _without_tags(page: str) -> str:
    return unescape(re.sub(r"<[^<>]*>", " ", page))


def _how_checked(verdict: ArchiveVerdict) -> Iterator[str]:
    """Which Phases were judged again, and which by their record alone."""
    if verdict.judged_again:
        phases = f"{verdict.judged_again} Phases of reading {verdict.reading}"
        yield f"{phases} judged again: every die and every result the same"
    for reading, number in verdict.replayed.items():
        yield f"{number} Phases of reading {reading} not judged again: every die recomputed, every event replayed"
    if verdict.unproven:
        yield f"{verdict.unproven} draws between tied players not recomputed: the record does not name the tied"


def _tell_of(found: SealedReceipt | None) -> None:
    """Say what became of the orders for which a receipt was given."""
    if found is None:
        say("no orders in this archive have this receipt: later ones took their place, or their Phase is not over")
        return
    counted = "these orders were sealed" if found.counted else "on file, but not what was sealed"
    if found.void:
        counted = "these orders were sealed, but the Phase is void: they count for nothing"
    say(f"receipt of {found.player}, {found.phase}, version {found.version}: {counted}")
    say(found.text or "(no orders)")


def _tell_of_digest(phase: str) -> None:
    """Say whether the sheets are still those that were sealed before the beacon's round was out."""
    if phase:
        say(f"the digest that you were mailed is that of the orders of {phase}: no sheet was changed since")
    else:
        say(
            "no Phase in this archive has orders with this digest: they WERE CHANGED since, the archive does not have"
            " them, or it was not over yet"
        )


def _tell_of_copy(own: ComparedCopy) -> None:
    """Say whether a reader's own copy of a Bell is that of the archive."""
    if own.mailed is not None:
        _tell_of_digest(own.phase)
        return
    if own.invitation:
        if own.same:
            say("your invitation prints the hash of the deal and the name of the dice as this archive has them")
            return
        say("your invitation IS NOT to the deal of this archive, unless a later mail said that it was drawn anew:")
        for line in own.hashes:
            say(f"  {line}")
        return
    if own.unsealed:
        say("your copy prints no seal where a Bell does: it was shortened, or this is no Bell; nothing was compared")
        return
    if own.number is None:
        say("your copy prints the seal of issues that are not those of this archive: it was made of other issues")
        return
    if own.number > own.last:
        say(f"your copy is of issue #{own.number}, which came after this archive: all issues in it are the same")
        return
    if own.sealed and not own.same:
        say(f"your copy of issue #{own.number} prints the seal of this archive, but IS NOT what the seal is of:")
        say("these stand in the archive's issue and not in your copy")
        for line in (*own.hashes, *own.lines):
            say(f"  {line}")
        return
    if own.sealed:
        rest = "" if own.number == own.last else f"; of #{own.number + 1} to #{own.last} it says nothing"
        say(f"your copy of issue #{own.number} prints the seal of this archive: it and all before are the same{rest}")
        return
    if own.hashes:
        say(f"your copy of issue #{own.number} IS NOT that of this archive: these stand in one of the two only:")
    else:
        say(f"your copy of issue #{own.number} prints no seal of its own; all other seals are the same in both")
    for line in own.hashes or own.lines:
        say(f"  {line}")
    if own.lines and not own.hashes:
        say("these lines of the archive do not stand in your copy; your own orders and times are worded for you there")


def verify(
    folder: Path = typer.Argument(help="An archive: a folder that gm export wrote"),
    receipt: str = typer.Option("", help="Also look for the orders that have this receipt, from your own mail"),
    bell: Path | None = typer.Option(
        None, "--bell", help="Also compare a Bell or the invitation from your own mailbox: a mail or its text"
    ),
    digest: str = typer.Option("", help="Also look for the Phase whose sealed orders have this digest, from your mail"),
    as_json: bool = AS_JSON,
) -> None:
    """Recompute every die and every receipt of an archive from its own files.

    Ends with 1 if anything is wrong, with 3 if Phases of an older reading could not be judged again.
    """
    with nullcontext() if as_json else console().status("reading") as status:
        files = read_files(folder, None if status is None else lambda path: status.update(f"reading {path}"))
    verdict = verify_files(files)
    copy, is_html = _read_copy(bell) if bell is not None else ("", False)
    try:
        found = find_receipt(files, receipt) if receipt else None
        digest_of = find_digest(files, digest) if digest else None
        own = compare_copy(files, copy, by_line=not is_html) if bell is not None else None
    except Exception as error:
        if verdict.ok:
            raise
        first = verdict.findings[0]
        raise UserError(
            f"the archive does not verify, and holds nothing to look in: {first}", "see gm verify"
        ) from error
    if as_json:
        facts = {f: getattr(verdict, f) for f in verdict.__slots__}
        print_json({"ok": verdict.ok, **facts, "receipt": found, "own_copy": own, "digest": digest_of})
    elif verdict.ok:
        older = sum(verdict.replayed.values())
        well = f"nothing is wrong, but {older} Phases could not be judged again" if older else "all is well"
        say(
            f"{well}: {verdict.files} files, {verdict.phases} Phases, {verdict.dice} rolls, "
            f"{verdict.receipts} receipts, {verdict.bells} Bells"
        )
        for line in _how_checked(verdict):
            say(line)
    else:
        for finding in verdict.findings:
            say(str(finding))
    if not as_json:
        for note in verdict.notes:
            say(f"note: {note}")
        if receipt:
            _tell_of(found)
        if digest_of is not None:
            _tell_of_digest(digest_of)
        if own is not None:
            _tell_of_copy(own)
            if is_html:
                say("your copy is in HTML: its hashes are compared, its lines are not (save its text for that)")
    denied = (receipt and (found is None or not found.counted)) or digest_of == ""
    if not verdict.ok or denied or (own is not None and not own.same):
        raise typer.Exit(1)
