"""Campaigns for the browser tests: June 1918, Whites in Tver, a battle, a history, a draft, and one just dealt."""

from __future__ import annotations

from gm.campaign import ticker
from gm.campaign.export import importing
from gm.campaign.manage import creation
from gm.campaign.phase import intake, publishing, rollback
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.web import sample as sample_campaign
from tests.web.table import people

JUNE, TVER, BATTLE, PRINTED, DEALT = "june", "tver", "battle", "printed", "dealt"
DRAFTS = {390: "draft-small", 1280: "draft-wide"}


def begin(services: Services, campaign: str, text: str, **options: object) -> None:
    importing.import_bell(
        services,
        text,
        name=f"The campaign {campaign}",
        players=people(campaign),
        gm_name="Gregor",
        gm_address=f"gm@{campaign}.test",
        options={
            "public": True,
            "publish": "manual",
            "ready": "automatic",
            "early_close_hours": 0,
            "early_delay_minutes": 0,
            **options,
        },
        id=campaign,
        first_bell=2,
    )
    tick(services)


def deal(services: Services, campaign: str) -> None:
    creation.create(
        services,
        name=f"The campaign {campaign}",
        players=people(campaign),
        gm_name="Gregor",
        gm_address=f"gm@{campaign}.test",
        options={"public": True},
        id=campaign,
    )
    creation.deal(services, campaign, force=True)
    tick(services)


def tick(services: Services) -> None:
    report = ticker.tick(services)
    assert not report.failed, report.failed


def june_again(services: Services) -> None:
    """The sample campaign at its beginning, whoever has played it before."""
    state = lookups.state(services, sample_campaign.CAMPAIGN)
    if (state.turn, state.phase) != (1, "first"):
        rollback.rollback(services, sample_campaign.CAMPAIGN, 1, "first", "once more")
        tick(services)


def play(services: Services, campaign: str, phase: str) -> None:
    """All players order as in 1976; the Phase closes and is worked out."""
    for letter, text in sample_campaign.orders_of_1976(phase).items():
        intake.submit(services, campaign, letter, text, source="mail")
    tick(services)


def set_tables(services: Services) -> None:
    june = sample_campaign.positions_of_1976()
    sample_campaign.load(services)
    begin(services, JUNE, june)
    # A White unit in Tver bars the way of Lenin's Reds.
    begin(services, TVER, june.replace("-  SARA: WU2 SARA", "-  TVER: WU2 SARA"))
    for campaign in DRAFTS.values():
        begin(services, campaign, june)
    begin(services, PRINTED, june)
    play(services, PRINTED, "first")
    publishing.publish(services, PRINTED, "GM")
    play(services, PRINTED, "second")
    publishing.publish(services, PRINTED, "GM")
    deal(services, DEALT)
    begin(services, BATTLE, june)
    play(services, BATTLE, "first")
    publishing.publish(services, BATTLE, "GM")
