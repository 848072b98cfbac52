"""What earlier issues said is carried from Phase to Phase: no Bell is made from the whole campaign."""

from pathlib import Path

from sqlalchemy import text

from gm.board.load import standard_board
from gm.campaign.export import archive, importing
from gm.campaign.manage import deadlines
from gm.campaign.phase import past_issues, rollback
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.reports.issue import Past
from gm.store.repositories import campaigns, phases
from tests.campaign.test_rollback import turn_played
from tests.campaign_fixtures import tick


def course_of(services: Services, campaign: str) -> tuple[Past, ...]:
    """What the next Bell will be told of those before it."""
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        assert row is not None
        return past_issues.issues_before(standard_board(), session, phases.current(session, row))


def forget(services: Services, statement: str) -> None:
    with services.store.write() as session:
        assert session.execute(text(statement)).rowcount > 0  # type: ignore[attr-defined]


def test_each_issue_so_far_is_told_with_the_figures_of_every_player(sqlite_services: Services) -> None:
    campaign = turn_played(sqlite_services)
    told = course_of(sqlite_services, campaign)
    assert [past.number for past in told] == [1, 2, 3, 4]
    assert all(set(past.rows) == set(lookups.state(sqlite_services, campaign).position.active) for past in told)


def test_a_phase_of_before_has_the_same_told_from_the_beginning(sqlite_services: Services) -> None:
    """A database that was just migrated, or an archive of an older version."""
    campaign = turn_played(sqlite_services)
    carried = course_of(sqlite_services, campaign)
    forget(sqlite_services, "UPDATE phases SET course = NULL WHERE state = 'open'")
    assert course_of(sqlite_services, campaign) == carried


def test_a_bell_is_printed_without_a_look_at_what_was_played_before(sqlite_services: Services) -> None:
    campaign = turn_played(sqlite_services)
    forget(sqlite_services, "UPDATE phases SET position = '\"gone\"' WHERE state = 'published'")
    forget(sqlite_services, "UPDATE adjudications SET outcome = '\"gone\"', points = '\"gone\"'")
    deadlines.close_early(sqlite_services, campaign)
    tick(sqlite_services)
    assert [past.number for past in course_of(sqlite_services, campaign)] == [1, 2, 3, 4, 5]


def test_a_phase_that_begins_again_tells_what_was_told_before_it(sqlite_services: Services) -> None:
    campaign = turn_played(sqlite_services)
    before = course_of(sqlite_services, campaign)
    rollback.rollback(sqlite_services, campaign, 1, "second", "again")
    tick(sqlite_services)
    again = course_of(sqlite_services, campaign)
    assert again[:2] == before[:2]
    assert (again[2].number, again[2].rows, again[2].wordings) == (3, before[2].rows, before[2].wordings)
    deadlines.close_early(sqlite_services, campaign)
    tick(sqlite_services)
    assert [past.number for past in course_of(sqlite_services, campaign)] == [1, 2, 3, 6]


def test_an_imported_campaign_tells_the_same(sqlite_services: Services, tmp_path: Path) -> None:
    campaign = turn_played(sqlite_services)
    archive.export(sqlite_services, campaign, tmp_path / "out")
    taken = importing.import_archive(sqlite_services, tmp_path / "out", "elsewhere")
    assert course_of(sqlite_services, taken) == course_of(sqlite_services, campaign)
