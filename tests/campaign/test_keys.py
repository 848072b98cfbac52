"""Idempotency keys are made and read in one module."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import gm
from gm.campaign import keys

SOURCES = sorted(Path(gm.__file__).parent.rglob("*.py"))


@given(st.integers(min_value=1), st.text(max_size=20), st.text(max_size=20))
def test_the_mail_that_did_something_is_read_from_its_key(number: int, what: str, other: str) -> None:
    key = keys.of_inbox(number, what)
    assert keys.inbox_number(key) == keys.inbox_number(key, what) == number
    assert keys.inbox_number(key, other) == (number if other == what else None)
    assert keys.inbox_number(keys.of_campaign("inbox-1", "letter", number, what)) is None


def test_the_form_of_a_key_never_changes_for_message_ids_are_made_from_it() -> None:
    assert keys.of_inbox(7, "letter/2") == "inbox/7/letter/2"
    assert keys.of_campaign("spring", "bell", 3, "A") == "spring/bell/3/A"
    assert keys.new("web", b"\x01\xff") == "web/01ff"


def test_no_other_module_writes_or_takes_apart_a_key() -> None:
    made = r"\bkey\s*=\s*f\"[^\"]*/|f\"inbox/|(?:tell|tell_gm|message_id)\([^)\n]*f\"[^\"]*/"
    wrong = re.compile(rf"{made}|re\.\w+\(r?\"inbox/")
    found = [
        f"{path.name}: {match[0]}"
        for path in SOURCES
        if path.name != "keys.py"
        for match in wrong.finditer(path.read_text("utf-8"))
    ]
    assert not found, found
