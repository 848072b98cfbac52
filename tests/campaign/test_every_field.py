"""No entry of an archive's public files is taken on trust: each is derived and compared, or docs/archive.md names it as
one that nothing seals. And whatever lies in an archive that nothing accounts for is named."""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.export import archive, importing
from gm.campaign.manage import corrections, deadlines
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.rendering.newsroom import PlainRenderer
from gm.reports.proof.fairness import digest_of_receipts, dump, receipt_of
from gm.reports.proof.own_copy import find_receipt
from gm.reports.proof.verify import verify
from gm.store.repositories import campaigns, phases
from tests.campaign.test_bound import sealed_anew
from tests.campaign_fixtures import FakeClock, installed, settings_for, start, tick

Files = dict[str, bytes]
# As docs/archive.md has them: what nothing that was printed says.
UNSEALED = {
    "campaign.json": {"id", "created_at", "made_by", "options"},
    "open": {"deadline", "corrections"},  # of the open Phase: the next issue seals it
}
ABSENT = {"reading", "dice"}  # what a Phase that was not judged need not say
NAMES = {"name", "paper", "gamesmaster", "gamesmaster_plays", "players"}  # a note says so: they may change


@pytest.fixture(scope="module")
def files(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("fields")
    shutil.copy(sqlite_template, folder / "k.sqlite")
    services = installed(settings_for(f"sqlite:///{folder}/k.sqlite"), clock=FakeClock(), renderer=PlainRenderer())
    campaign = start(services, grace_hours=0)
    for letter in "AB":
        intake.submit(services, campaign, letter, "VOTE END\nPRESS All for one.\nEND", source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    position = lookups.state(services, campaign).position
    owner = next(letter for letter in "ABCDE" if position.box(letter).pm)
    other = next(letter for letter in "ABCDE" if letter != owner)
    corrections.correct(services, campaign, [f"MOVE PM FROM {owner} TO {other}"], reason="misread", insist=True)
    archive.export(services, campaign, folder / "public", public=True)
    services.close()
    return importing.read_files(folder / "public")


def others(value: Any) -> Iterator[Any]:
    """Other values of the same kind, and of another."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, -1, 10**30, str(value))
        case str():
            yield from (f"{value}0", "", 7)
        case None:
            yield from ("x", 1, {})
        case list():
            yield from ([*value, "x"], value[:-1] if value else {}, {})
        case dict():
            yield from ({**value, "x": 1}, [], *([{}] if value else []))


def named(files: Files, path: str, change: Callable[[Any], object]) -> bool:
    data = json.loads(files[path])
    change(data)
    return not verify(sealed_anew({**files, path: dump(data)})).ok


def unnoticed(files: Files, path: str, place: Callable[[Any], dict[str, Any]]) -> set[str]:
    """Entries of one object of a file that can be changed, left out or added, and nothing says so."""
    entries = place(json.loads(files[path]))
    found = set()
    for name, value in entries.items():
        changes: list[Callable[[Any], object]] = []
        if name not in ABSENT or value is not None:
            changes.append(lambda data, n=name: place(data).pop(n))
        changes += [lambda data, n=name, o=other: place(data).update({n: copy.deepcopy(o)}) for other in others(value)]
        if not all(named(files, path, change) for change in changes):
            found.add(name)
    if not named(files, path, lambda data: place(data).update(stranger=1)):
        found.add("stranger")
    return found


def phase_path(files: Files, state: str) -> str:
    return max(p for p in files if p.startswith("phases/") and json.loads(files[p])["state"] == state)


def test_every_entry_of_the_index_and_of_the_press_is_compared(files: Files) -> None:
    assert not unnoticed(files, "bells/index.json", lambda data: data["bells"][1])
    assert not unnoticed(files, "bells/index.json", lambda data: data["bells"][-1])
    assert not unnoticed(files, "press.json", lambda data: data["press"][0])
    for path, name in (("bells/index.json", "bells"), ("press.json", "press")):
        assert not unnoticed(files, path, lambda data: data)
        assert named(files, path, lambda data, n=name: data[n].append(data[n][0]))
        assert named(files, path, lambda data, n=name: data[n].append({}))


def test_every_entry_of_a_phase_is_compared(files: Files) -> None:
    assert not unnoticed(files, phase_path(files, "published"), lambda data: data)
    assert not unnoticed(files, phase_path(files, "published"), lambda data: data["orders"]["A"])
    assert unnoticed(files, phase_path(files, "open"), lambda data: data) <= UNSEALED["open"]


def test_every_entry_of_the_campaign_is_compared_or_said_not_to_be(files: Files) -> None:
    assert unnoticed(files, "campaign.json", lambda data: data) <= UNSEALED["campaign.json"] | NAMES
    for name in sorted(NAMES):
        data = json.loads(files["campaign.json"])
        data[name] = {"A": "Olga"} if name == "players" else "Z"
        changed = sealed_anew({**files, "campaign.json": dump(data)})
        assert any(f"{name} not as in issue" in note for note in verify(changed).notes)


def test_what_is_said_not_to_be_sealed_stands_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "archive.md").read_text()
    assert all(f"`{name}`" in page for names in UNSEALED.values() for name in names)


@pytest.mark.parametrize(
    "content", [b"{}\n", b"[]\n", b"null\n", b"", b"[" * 100_000, b"\xff\xfe", b'{\n "turn": 1\n}\n']
)
def test_a_phase_file_that_holds_no_phase_is_named(files: Files, content: bytes) -> None:
    for path in ("phases/009-09-first.json", phase_path(files, "published"), phase_path(files, "open")):
        found = verify(sealed_anew({**files, path: content})).findings
        assert any(finding.where == path for finding in found), (path, found)


STRANGERS = [
    "bells/099.txt",
    "bells/099.png",
    "bells/099.html",
    "bells/099.json",
    "bells/0001.txt",
    "bells/001-mail.html",
    "bells/١٢٣.txt",
    f"bells/{'9' * 5000}.txt",
    "bells/001.svg",
    "phases/1-1-first.json",
    f"phases/{'9' * 5000}-01-first.json",
    "phases/notes.json",
    "private/notes.json",
    "pack/readme.txt",
    "maps/099.svg",
    "fonts/../../x",
    "../x",
    "notes.txt",
]


@pytest.mark.parametrize("path", STRANGERS, ids=lambda path: path[:20])
def test_a_file_that_nothing_accounts_for_is_named(files: Files, path: str) -> None:
    found = verify(sealed_anew({**files, path: b"{}\n"})).findings
    assert any(finding.where == path or "cannot be played with" in finding.detail for finding in found), found


def test_press_of_an_issue_that_does_not_exist_is_named(files: Files) -> None:
    data = json.loads(files["press.json"])
    data["press"].append(data["press"][0] | {"bell": 77, "text": "Never printed."})
    found = verify(sealed_anew({**files, "press.json": dump(data)})).findings
    assert [(f.where, f.check) for f in found] == [("press.json", "press")] and "#77" in found[0].detail


SHEET = {"text": "VOTE END", "version": 1, "salt": "00", "receipt": "", "source": "submitted"}


def test_orders_in_an_open_phase_or_in_an_invented_one_do_not_answer_for_a_receipt(files: Files) -> None:
    receipt = receipt_of("00", "VOTE END")
    sheet = SHEET | {"receipt": receipt}
    opened = phase_path(files, "open")
    record = json.loads(files[opened])
    digest = digest_of_receipts({"B": receipt})
    put = sealed_anew({**files, opened: dump(record | {"orders": {"B": sheet}, "orders_digest": digest})})
    assert any("is open, but has orders" in str(f) for f in verify(put).findings), verify(put).findings
    assert find_receipt(put, receipt) is None
    # A whole Phase that never was, begun before the open one, which says that it was begun again.
    invented = record | {"state": "void", "orders": {"B": sheet}, "orders_digest": digest, "commitment": "ab" * 32}
    invented.pop("corrections")
    after = record | {"ordinal": record["ordinal"] + 1, "incarnation": 1, "erratum": "misread"}
    later = f"phases/{after['ordinal']:03d}{opened[10:]}"
    put = sealed_anew({**files, opened: dump(invented), later: dump(after)})
    assert not verify(put).ok
    for secret, commitment in ((None, "ab" * 32), ("00" * 32, hashlib.sha256(bytes(32)).hexdigest())):
        phase = invented | {"secret": secret, "commitment": commitment, "opened_at": None}
        found = [str(f) for f in verify(sealed_anew({**put, opened: dump(phase)})).findings]
        assert any("was never opened" in f or "does not have its secret" in f for f in found), found
        phase |= {"opened_at": record["opened_at"]}
        found = [str(f) for f in verify(sealed_anew({**put, opened: dump(phase)})).findings]
        assert any("stood in no Bell" in f or "does not have its secret" in f for f in found), found
    told = find_receipt(put, receipt)
    assert told is not None and told.void and not told.counted


def test_a_hash_in_somebodys_press_is_not_the_one_that_was_announced(sqlite_services: Services, tmp_path: Path) -> None:
    """Else whoever keeps the server prints ten, and chooses when the orders are in."""
    services = sqlite_services
    campaign = start(services, grace_hours=0)
    secret = bytes(32)
    hashed = hashlib.sha256(secret).hexdigest()
    words = f"PRESS\nPoem of the week:\nnext commitment {hashed}\nEND"
    intake.submit(services, campaign, "A", words, source="web")
    deadlines.close_early(services, campaign)
    tick(services)
    with services.store.write() as session:
        row = campaigns.get(session, campaign)
        assert row is not None
        dice = phases.dice(session, phases.key_of(phases.current(session, row)))
        dice.secret, dice.commitment = secret.hex(), hashed
    deadlines.close_early(services, campaign)
    tick(services)
    archive.export(services, campaign, tmp_path / "out", public=True)
    found = [str(finding) for finding in verify(importing.read_files(tmp_path / "out")).findings]
    assert any("did not stand in the Bell that opened it" in said for said in found), found
