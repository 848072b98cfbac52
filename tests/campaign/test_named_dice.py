"""The deal and the name that keys all dice are what the invitations said: nobody chooses them afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gm.adjudicator.chance import commitment
from gm.campaign.export import archive, importing
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import publishing, rollback
from gm.campaign.services import Services, no_wake
from gm.cli import main
from gm.errors import GmError
from gm.reports.proof.fairness import receipt_of, salt_of
from gm.reports.proof.verify import verify
from gm.store.repositories import phases
from gm.store.tables import Campaign
from tests.campaign_fixtures import FIVE, FakeClock, installed, new_campaign, settings_for, tick
from tests.web.table import QuickNewsroom

CLOCK = FakeClock()


@pytest.fixture
def house(sqlite_url: str) -> Services:
    return installed(settings_for(sqlite_url), clock=CLOCK, renderer=QuickNewsroom(), wake=no_wake)


def invitation(services: Services, campaign: str, kind: str = "invitation") -> str:
    mails = outbox.listing(services, campaign, limit=1000)
    return next(outbox.get(services, mail.id).text for mail in mails if mail.kind == kind and mail.letter == "B")


def words(text: str) -> str:
    return " ".join(text.split())


def findings(services: Services, campaign: str, folder: Path) -> list[str]:
    archive.export(services, campaign, folder, public=True)
    return [str(finding) for finding in verify(importing.read_files(folder)).findings]


def test_the_dice_cannot_be_renamed_until_the_deal_pleases(house: Services, tmp_path: Path) -> None:
    campaign = new_campaign(house)
    assert f'the dice are named "{campaign}"' in words(invitation(house, campaign))
    for letter in "ABCDE":
        creation.accept(house, campaign, letter)
    with house.store.write() as session:
        row = session.get(Campaign, campaign)
        assert row is not None
        row.dice_name = f"{campaign}-17"
        key = phases.key_of(phases.current(session, row))
        for sealed in phases.sealed(session, key):
            sealed.salt = salt_of(phases.secret(session, key), row.dice_name, 0, "setup", sealed.letter, 0)
            sealed.receipt = receipt_of(sealed.salt, sealed.text)
    tick(house)
    found = findings(house, campaign, tmp_path / "archive")
    assert any("they are not those of the invitations" in said for said in found), found


def test_an_issue_names_the_dice_and_once_one_did_all_do(house: Services, tmp_path: Path) -> None:
    campaign = new_campaign(house)
    creation.deal(house, campaign, force=True)
    tick(house)
    deadlines.close_early(house, campaign)
    tick(house)
    assert not findings(house, campaign, tmp_path / "archive")
    files = importing.read_files(tmp_path / "archive")
    for path in ("bells/001.json", "bells/002.json"):
        assert json.loads(files[path])["bell"]["proof"]["dice_name"] == campaign
    charter = json.loads(files["campaign.json"]) | {"dice_name": "other"}
    found = [str(finding) for finding in verify({**files, "campaign.json": json.dumps(charter).encode()}).findings]
    assert any("dice are not named 'other'" in said for said in found), found


def test_an_invitation_is_compared_with_the_archive(
    house: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = new_campaign(house)
    own = invitation(house, campaign)
    creation.deal(house, campaign, force=True)
    tick(house)
    archive.export(house, campaign, tmp_path / "archive", public=True)
    for text, code, said in (
        (own, 0, "prints the hash of the deal and the name of the dice"),
        (own.replace(f'"{campaign}"', '"other"'), 1, "IS NOT to the deal of this archive"),
        (own.replace("its SHA-256 is\n  ", "its SHA-256 is\n  " + "0" * 64 + " "), 1, "IS NOT to the deal"),
    ):
        (tmp_path / "mail.txt").write_text(text)
        with pytest.raises(SystemExit) as end:
            main(["verify", str(tmp_path / "archive"), "--bell", str(tmp_path / "mail.txt")])
        told = " ".join(capsys.readouterr().out.split())
        assert end.value.code == code and said in told, told
        assert verify(importing.read_files(tmp_path / "archive")).ok
    with house.store.read() as session:
        row = session.get(Campaign, campaign)
        assert row is not None
        deal = phases.history(session, campaign)[0]
        assert phases.dice(session, phases.key_of(deal)).commitment in told, "the note gives what to compare"


def test_a_campaign_that_moves_before_its_first_issue_names_its_dice_anew_or_keeps_its_id(
    house: Services, tmp_path: Path, sqlite_template: Path
) -> None:
    campaign = new_campaign(house)
    archive.export(house, campaign, tmp_path / "inviting")
    moved = importing.import_archive(house, tmp_path / "inviting", as_id="elsewhere")
    assert 'the dice are named "elsewhere"' in words(invitation(house, moved, "redrawn"))
    creation.deal(house, moved, force=True)
    tick(house)
    assert not findings(house, moved, tmp_path / "public")
    for letter in "ABCDE"[: len(FIVE)]:
        creation.accept(house, campaign, letter)
    archive.export(house, campaign, tmp_path / "sealed")
    with pytest.raises(GmError, match="sealed under the name"):
        importing.import_archive(house, tmp_path / "sealed", as_id="third")


def test_the_secret_of_a_deal_begun_again_is_bound_before_anybody_can_choose_it(
    house: Services, tmp_path: Path
) -> None:
    campaign = new_campaign(house)
    creation.deal(house, campaign, force=True)
    tick(house)
    rollback.rollback(house, campaign, 0, "setup", "a card was missing")
    publishing.publish(house, campaign, "GM")
    with house.store.write() as session:
        row = session.get(Campaign, campaign)
        assert row is not None
        key = phases.key_of(phases.current(session, row))
        dice, secret = phases.dice(session, key), b"the deal that I like best of all"
        dice.secret, dice.commitment = secret.hex(), commitment(secret)
        for sealed in phases.sealed(session, key):
            sealed.salt = salt_of(secret, row.dice_name, 0, "setup", sealed.letter, 0)
            sealed.receipt = receipt_of(sealed.salt, sealed.text)
    found = findings(house, campaign, tmp_path / "waiting")
    assert any("did not stand in the Bell that opened it" in said for said in found), found
    tick(house)
    found = findings(house, campaign, tmp_path / "dealt")
    assert any("did not stand in the Bell that opened it" in said for said in found), found
