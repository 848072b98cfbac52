"""`.env` is read as other programs read it, and a misspelt setting is named instead of ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.config import Settings
from gm.errors import Invalid


def load(folder: Path, lines: str) -> Settings:
    (folder / ".env").write_text(lines, "utf-8")
    return Settings.load({}, folder / ".env")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("KOLOKOL_SMTP_PASSWORD=abc'def'", "abc'def'"),
        ("KOLOKOL_SMTP_PASSWORD='abc # def'", "abc # def"),
        ('KOLOKOL_SMTP_PASSWORD="a b"  # from the vault', "a b"),
        ("export KOLOKOL_SMTP_PASSWORD=pa$$word", "pa$$word"),
        ("KOLOKOL_SMTP_PASSWORD = spaced", "spaced"),
    ],
)
def test_quotes_and_comments_of_a_dotenv_file(tmp_path: Path, line: str, value: str) -> None:
    assert load(tmp_path, line).smtp_password == value


def test_a_remark_behind_a_number_is_a_remark(tmp_path: Path) -> None:
    assert load(tmp_path, "KOLOKOL_SMTP_PORT=587 # submission").smtp_port == 587


def test_a_misspelt_setting_is_named_with_the_one_that_was_meant(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"KOLOKOL_SMPT_HOST \(did you mean KOLOKOL_SMTP_HOST\?\)"):
        load(tmp_path, "KOLOKOL_SMPT_HOST=mail.example.org")
    with pytest.raises(Invalid, match="KOLOKOL_ZZZ"):
        Settings.load({"KOLOKOL_ZZZ": "1"}, None)


def test_other_programs_may_keep_their_settings_in_the_same_file(tmp_path: Path) -> None:
    assert load(tmp_path, "POSTGRES_PASSWORD=x\nKOLOKOL_INSTANCE=Here\n").instance == "Here"
