"""The lock agrees with pyproject.toml, and tells nothing about the machine that made it."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]
EXTRAS = PROJECT["optional-dependencies"]

ASKED = {
    "run.txt": PROJECT["dependencies"],
    "dev.txt": [*PROJECT["dependencies"], *EXTRAS["dev"]],
    "bench.txt": [*PROJECT["dependencies"], *EXTRAS["dev"], *EXTRAS["bench"]],
    "build.txt": GROUPS["build"],
    "uv.txt": GROUPS["uv"],
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
        assert version in wanted.specifier, f"{wanted.name} {version} is not {wanted.specifier}: run `make lock`"


def test_all_locks_pin_the_same_versions() -> None:
    bench = pins("bench.txt")
    assert {name: bench.get(name) for name in pins("dev.txt")} == pins("dev.txt")
    dev = pins("dev.txt")
    assert {name: dev.get(name) for name in pins("run.txt")} == pins("run.txt")
    shared = pins("build.txt").keys() & dev.keys()
    assert "hatchling" in shared
    assert {name: dev[name] for name in shared} == {name: pins("build.txt")[name] for name in shared}


def test_the_package_is_built_with_what_the_lock_pins() -> None:
    assert set(PYPROJECT["build-system"]["requires"]) <= set(GROUPS["build"])


@pytest.mark.parametrize("name", sorted(ASKED))
def test_the_lock_holds_pins_and_hashes_and_nothing_else(name: str) -> None:
    pin = re.compile(r"[A-Za-z0-9._-]+==\S+( ; [^\\]+)? \\")
    digest = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
    strangers = [line for line in lock(name).splitlines() if not (pin.fullmatch(line) or digest.fullmatch(line))]
    assert strangers == []


def python_that_make_takes(path: Path) -> str:
    """Which interpreter `make` would use where only the programs of this folder are to be found."""
    for tool in ("bash", "make"):
        (path / tool).symlink_to(str(shutil.which(tool)))
    command = [str(path / "make"), "--eval", "which: ; @echo [$(PYTHON)]", "which"]
    environment = {"PATH": str(path)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!{shutil.which('bash')}\n{text}\n")
    path.chmod(0o755)
    return path


def test_make_takes_the_newest_python_that_really_runs(tmp_path: Path) -> None:
    """A version manager puts a shim on the path for every version that it could install."""
    program(tmp_path / "python3.13", "echo 'python3.13: command not found' >&2; exit 127")
    real = program(tmp_path / "python3.12", f'exec {sys.executable} "$@"')
    program(tmp_path / "python3", f'exec {sys.executable} "$@"')
    assert python_that_make_takes(tmp_path) == f"[{real}]"


def test_make_takes_no_python_that_is_too_old_or_cannot_make_an_environment(tmp_path: Path) -> None:
    program(tmp_path / "python3", "exit 1")
    assert python_that_make_takes(tmp_path) == "[]"


def test_make_install_puts_gm_on_the_path(tmp_path: Path) -> None:
    subprocess.run(["make", "-s", "install", f"PREFIX={tmp_path}"], cwd=ROOT, check=True, capture_output=True)
    told = subprocess.run([tmp_path / "bin" / "gm", "--version"], check=True, capture_output=True, text=True).stdout
    assert told.startswith("kolokol ")
