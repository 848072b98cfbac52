"""Running all checks of `gm doctor`, in the order in which a person would look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from gm.config import Settings
from gm.doctor import installation, mail, storage
from gm.doctor.finding import Finding, fail

Check = Callable[[Settings], Iterator[Finding]]
CHECKS: dict[str, Check] = {
    "python": installation.python,
    "board": installation.board,
    "fonts": installation.fonts,
    "secrets": installation.secrets,
    "database": storage.database,
    "work": storage.work,
    "web": installation.web,
    "mail": mail.addresses,
    "smtp": mail.smtp,
    "imap": mail.imap,
    "lmtp": mail.lmtp,
}


def examine(settings: Settings, only: Iterable[str] = (), checks: Mapping[str, Check] = CHECKS) -> Iterator[Finding]:
    """Findings as they are made. A check that itself breaks is a finding too."""
    wanted = set(only) or set(checks)
    for name, check in checks.items():
        if name not in wanted:
            continue
        try:
            yield from check(settings)
        except Exception as error:
            yield fail(name, f"the check itself broke: {type(error).__name__}", "tell the makers of Kolokol")
