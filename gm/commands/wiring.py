"""Helpers shared by commands: Services from the settings; parsing people, options and times from arguments; JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import UTC, date, datetime
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

import typer

from gm.campaign.ports import NewPlayer
from gm.campaign.seats.new_players import new_player, new_seat
from gm.campaign.services import Services
from gm.commands import console
from gm.errors import UserError
from gm.wording import shown

CAMPAIGN = typer.Argument(help="The campaign, by its id (gm campaign list)")
AS_JSON = typer.Option(False, "--json", help="For programs")


@contextmanager
def service() -> Iterator[Services]:
    """The service as the settings describe it."""
    from gm.bootstrap import bootstrap

    services = bootstrap()
    try:
        yield services
    finally:
        services.close()


def person(text: str) -> NewPlayer:
    """`Anna <anna@example.org>`, with a letter before it and a time zone behind it if wanted."""
    return new_player(text) or _no_player(text)


def seat_from(text: str) -> NewPlayer:
    """A person, or a style for a seat that a stand-in has to itself."""
    return new_seat(text) or _no_player(text)


def _no_player(text: str) -> NoReturn:
    raise UserError(f"{text!r} is no player", 'write "NAME <ADDRESS>" or "A: NAME <ADDRESS> Europe/London"')


def option_pairs(pairs: list[str]) -> dict[str, Any]:
    """`--set grace_hours=24`."""
    values: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise UserError(f"{pair!r} is no setting", "write name=value, such as grace_hours=24")
        values[name.strip().replace("-", "_")] = value.strip()
    return values


def moment(text: str, zone: str) -> datetime:
    """A time on the campaign's clock on the wall: `2026-03-08 20:00`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text!r} is no time", "write it as 2026-03-08 20:00") from None
    return (found if found.tzinfo else found.replace(tzinfo=ZoneInfo(zone))).astimezone(UTC)


def print_json(data: object) -> None:
    typer.echo(json.dumps(_plain(data), ensure_ascii=False, indent=1))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value


def say(text: str) -> None:
    console().print(shown(text), markup=False)
