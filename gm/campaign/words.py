"""The small mails of a campaign, worded from templates/campaign/*.txt: first line the subject, then the text."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

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
    )
    environment.filters["local"] = lambda moment, zone: local(moment, zone) if isinstance(moment, datetime) else ""
    return environment


def word(template: str, **data: object) -> tuple[str, str]:
    """Subject and text of a mail."""
    rendered = _environment().get_template(f"{template}.txt").render(**data)
    first, _, rest = rendered.lstrip().partition("\n")
    return " ".join(first.removeprefix("Subject:").split()), rest.strip() + "\n"
