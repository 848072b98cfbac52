"""The small mails of a campaign, worded from templates/campaign/*.txt: first line the subject, then the text."""

from __future__ import annotations

import tomllib
from datetime import datetime
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gm.campaign.options import Options, describe
from gm.campaign.times import local
from gm.reports.prose import templates_folder


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates_folder() / "campaign"),
        undefined=StrictUndefined,
        autoescape=False,  # plain text
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    environment.filters["local"] = lambda moment, zone: local(moment, zone) if isinstance(moment, datetime) else ""
    return environment


@cache
def _sentences() -> dict[str, str]:
    return tomllib.loads((templates_folder() / "campaign" / "options.toml").read_text("utf-8"))


def explain(options: Options) -> tuple[str, ...]:
    """Every option of a campaign in a sentence, as its players are told."""
    return tuple(_sentences()[name].format(value=value) for name, value in describe(options))


def word(template: str, **data: object) -> tuple[str, str]:
    """Subject and text of a mail."""
    rendered = _environment().get_template(f"{template}.txt").render(**data)
    first, _, rest = rendered.lstrip().partition("\n")
    return " ".join(first.removeprefix("Subject:").split()), rest.strip() + "\n"
