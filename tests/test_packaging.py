"""The lock agrees with pyproject.toml, and tells nothing about the machine that made it."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

ASKED = {
    "run.txt": PROJECT["dependencies"],
    "dev.txt": [*PROJECT["dependencies"], *EXTRAS["dev"]],
    "bench.txt": [*PROJECT["dependencies"], *EXTRAS["dev"], *EXTRAS["bench"]],
}


def lock(name: str) -> str:
    return (ROOT / "constraints" / name).read_text(encoding="utf-8")


def pins(name: str) -> dict[str, Version]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", lock(name), flags=re.MULTILINE)
    return {canonicalize_name(package): Version(version) for package, version in found}


@pytest.mark.parametrize("name", sorted(ASKED))
def test_the_lock_pins_everything_pyproject_asks_for(name: str) -> None:
    pinned = pins(name)
    for text in ASKED[name]:
        wanted = Requirement(text)
        version = pinned.get(canonicalize_name(wanted.name))
        assert version is not None, f"{wanted.name} is not in constraints/{name}: run `make lock`"
        assert version in wanted.specifier, (
            f"{wanted.name} {version} is not {wanted.specifier}: run `make lock`"
        )


def test_all_locks_pin_the_same_versions() -> None:
    bench = pins("bench.txt")
    assert {name: bench.get(name) for name in pins("dev.txt")} == pins("dev.txt")
    dev = pins("dev.txt")
    assert {name: dev.get(name) for name in pins("run.txt")} == pins("run.txt")


@pytest.mark.parametrize("name", sorted(ASKED))
def test_the_lock_holds_pins_and_hashes_and_nothing_else(name: str) -> None:
    pin = re.compile(r"[A-Za-z0-9._-]+==\S+( ; [^\\]+)? \\")
    digest = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
    strangers = [
        line for line in lock(name).splitlines() if not (pin.fullmatch(line) or digest.fullmatch(line))
    ]
    assert strangers == []
