"""Every dependency has its reason and its licence on a page, and the page is that of the lock."""

from __future__ import annotations

import re

import pytest

from tests.ops import dependencies
from tests.ops.dependencies import ALLOWED, LICENCES, PROJECT, REASONS, ROOT, direct, licence, page, pins

DIRECT = direct([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]])


def test_every_dependency_has_a_reason_and_no_reason_is_left_over() -> None:
    assert set(DIRECT) == set(REASONS)


# Called by others on our behalf: forms by fastapi, time zones by zoneinfo.
CALLED_BY_OTHERS = {"python-multipart", "tzdata"}
IMPORTED_AS = {"prometheus-client": "prometheus_client", "imap-tools": "imap_tools", "css-inline": "css_inline"}
IMPORTED_AS |= {"pillow": "PIL", "dkimpy": "dkim", "charset-normalizer": "charset_normalizer"}
IMPORTED_AS |= {"flufl-bounce": "flufl.bounce", "python-dotenv": "dotenv"}
IMPORTED_AS |= {"py-arkworks-bls12381": "py_arkworks_bls12381"}


@pytest.mark.parametrize("package", sorted(set(direct(PROJECT["dependencies"])) - CALLED_BY_OTHERS))
def test_every_package_that_an_installation_asks_for_is_used(package: str) -> None:
    name = IMPORTED_AS.get(package, package)
    pattern = re.compile(rf"^\s*(?:import|from) {name}\b", re.MULTILINE)
    assert any(pattern.search(path.read_text("utf-8")) for path in (ROOT / "gm").rglob("*.py"))


def test_the_page_is_that_of_the_lock() -> None:
    told = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    assert told == page(), f"run: python -m {dependencies.__name__} > docs/dependencies.md"


@pytest.mark.parametrize("package", sorted(set(pins("run")) | set(DIRECT)))
def test_every_licence_is_known_and_one_that_we_may_use(package: str) -> None:
    assert ALLOWED.search(licence(package)), licence(package)


def test_licences_are_told_by_hand_only_where_a_package_does_not_tell() -> None:
    assert set(LICENCES) <= set(pins("run"))
