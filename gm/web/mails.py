"""The few mails that the web itself sends, worded from templates/web/mail."""

from __future__ import annotations

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gm.reports.prose import templates_folder


def compose(template: str, /, **data: object) -> tuple[str, str]:
    """Subject (the first line) and text."""
    folder = templates_folder() / "web" / "mail"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    rendered = environment.get_template(f"{template}.txt").render(**data)
    subject, _, text = rendered.partition("\n")
    return subject.strip(), text.strip() + "\n"
