"""Options are checked, and deadlines fall where players expect them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.board.load import standard_board
from gm.campaign.notices import explain
from gm.campaign.options import WEEKDAYS, CampaignOptions, describe, from_mapping, is_zone, with_defaults
from gm.campaign.schedule import deadline, hours_in, local
from gm.config import Settings
from gm.config import describe as describe_settings
from gm.errors import Invalid

ZONES = ("UTC", "Europe/London", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "America/Sao_Paulo")


@given(
    opened=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
    zone=st.sampled_from(ZONES),
    days=st.integers(1, 14),
    hour=st.times().map(lambda t: f"{t:%H:%M}"),
    skip=st.sets(st.sampled_from(WEEKDAYS), max_size=6),
    phase=st.sampled_from(["pregame", "first", "second"]),
    least=st.integers(0, 72),
)
def test_a_deadline_is_at_the_campaigns_hour_on_an_allowed_day_and_never_too_soon(
    opened: datetime, zone: str, days: int, hour: str, skip: set[str], phase: str, least: int
) -> None:
    given_options = {f"{phase}_days": days, "hour": hour, "zone": zone, "skip_days": skip, "min_hours": least}
    options = from_mapping(given_options)
    end = deadline(options, phase, opened)
    there = end.astimezone(ZoneInfo(zone))
    assert end >= opened + timedelta(hours=least)
    assert WEEKDAYS[there.weekday()] not in skip or f"{there:%H:%M}" != hour
    assert end - opened <= timedelta(days=days + 8) + timedelta(hours=least)
    # The wall clock shows the hour, but for an hour that a change of time leaves out.
    as_wished = datetime.combine(there.date(), options.closing_time, ZoneInfo(zone))
    exists = as_wished.astimezone(UTC).astimezone(ZoneInfo(zone)).time() == options.closing_time
    assert f"{there:%H:%M}" == hour or not exists or there.date() != as_wished.date()


def test_eight_in_the_evening_stays_eight_when_summer_time_begins() -> None:
    options = from_mapping({"first_days": 4, "zone": "Europe/London"})
    end = deadline(options, "first", datetime(2026, 3, 27, 9, 0, tzinfo=UTC))
    assert end == datetime(2026, 3, 31, 19, 0, tzinfo=UTC)
    assert local(end, "Europe/London") == "Tuesday 31 March 2026, 20:00 (Europe/London)"


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("America/New_York", ("15:00", "16:00")),  # in March and October their clocks change on different days
        ("Europe/Berlin", ("21:00",)),
        ("Asia/Tokyo", ("04:00", "05:00")),
    ],
)
def test_an_invitation_knows_every_hour_of_a_year_on_another_clock(zone: str, hours: tuple[str, ...]) -> None:
    found = hours_in(from_mapping({"zone": "Europe/London"}), zone, datetime(2026, 3, 10, 9, 0, tzinfo=UTC))
    assert found == hours


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"grace_hours": -1}, "grace_hours"),
        ({"grace_hours": "many"}, "grace_hours"),
        ({"hour": "25:00"}, "hour"),
        ({"zone": "Mars/Base"}, "zone"),
        ({"skip_days": ["someday"]}, "skip_days"),
        ({"skip_days": list(WEEKDAYS)}, "skip_days"),
        ({"publish": "never"}, "publish"),
        ({"nmr": "cry"}, "nmr"),
        ({"reminders": [0]}, "reminders"),
        ({"early_close": "perhaps"}, "early_close"),
        ({"no_such_thing": 1}, "no_such_thing"),
        ({"first_days": 2.5}, "first_days"),
    ],
)
def test_an_option_that_cannot_work_is_refused_by_name(given: dict[str, object], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        from_mapping(given)


def test_options_can_be_written_as_text_and_survive_being_stored() -> None:
    options = from_mapping({"reminders": "72, 24 2", "early_close": "no", "grace_hours": "6", "skip_days": "Sunday"})
    assert options.reminders == (72, 24, 2) and not options.early_close and options.skip_days == ("sunday",)
    assert with_defaults(options.to_json()) == options
    assert with_defaults({**options.to_json(), "of_a_later_version": 1}) == options


def test_every_option_is_shown() -> None:
    assert {name for name, _ in describe(CampaignOptions())} == set(CampaignOptions().to_json())
    sentences = explain(from_mapping({"grace_hours": 7}), standard_board())
    assert any("for 7 hours more" in words for words in sentences)
    idle = {"deadlines", "draft_hours", "key_areas"}  # they say nothing with the other options as they are
    assert len(sentences) == len(describe(CampaignOptions())) - len(idle) + 1
    every = from_mapping({"publish": "draft", "victory": "key-areas"})
    assert len(explain(every, standard_board())) == len(describe(every))
    said = " ".join(explain(from_mapping({"deadlines": "no"}), standard_board()))
    assert "no deadlines" in said and "hours" not in said and "READY" not in said


def test_settings_come_from_the_environment_over_a_file(tmp_path) -> None:
    (tmp_path / ".env").write_text("# mine\nexport KOLOKOL_SMTP_PORT=25\nKOLOKOL_INSTANCE='Red Bell'\n")
    settings = Settings.load({"KOLOKOL_SMTP_PORT": "2525", "KOLOKOL_IMAP_TLS": "no"}, tmp_path / ".env")
    assert (settings.smtp_port, settings.instance, settings.imap_tls) == (2525, "Red Bell", False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SMTP_PORT", "many"),
        ("IMAP_TLS", "perhaps"),
        ("SECRET_KEY", "short"),
        ("DATABASE_URL", "mysql://x"),
        ("MAIL_TRANSPORT", "pigeon"),
        ("SMTP_TLS", "maybe"),
        ("TICK_SECONDS", "0"),
        ("SQLITE_SYNC", "sometimes"),
    ],
)
def test_a_setting_that_cannot_work_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(Invalid, match=name):
        Settings.load({f"KOLOKOL_{name}": value}, None)


def test_every_setting_is_described_and_secrets_are_marked() -> None:
    lines = list(describe_settings())
    assert all(words for _, _, words, _ in lines)
    secret = {name for name, _, _, is_secret in lines if is_secret}
    assert secret == {name for name, *_ in lines if name.endswith(("_PASSWORD", "_KEY", "_TOKEN"))}


@pytest.mark.parametrize(
    "name", ["localtime", "posix/Europe/London", "right/UTC", "Factory", "posixrules", "", "../UTC"]
)
def test_only_a_zone_that_everybody_knows_can_be_chosen(name: str) -> None:
    """`localtime` is this machine's own, and another zone on the next."""
    assert not is_zone(name)
    with pytest.raises(Invalid, match="no time zone"):
        from_mapping({"zone": name})


@pytest.mark.parametrize("name", ["UTC", "Europe/London", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "CET"])
def test_a_zone_of_the_ordinary_list_can_be_chosen(name: str) -> None:
    assert is_zone(name) and from_mapping({"zone": name}).zone == name


def test_a_campaign_goes_on_with_the_zone_that_it_was_given_before() -> None:
    assert with_defaults({"zone": "Factory", "hour": "19:00"}).zone == "Factory"
