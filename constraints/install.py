"""Fill this virtual environment: `python constraints/install.py LOCK...`, then the project itself, editable.

With uv, which takes seconds where pip takes a minute; with pip where uv is not to be had or cannot reach the index.
Both refuse a package with another hash than the lock's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
UV = Path(sys.executable).with_name("uv")
BASE = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"  # what this environment was made from
ITSELF = ("--no-deps", "--no-build-isolation", "--editable", str(HERE.parent))


def done(*command: str | Path, **more: str) -> bool:
    return subprocess.run([str(word) for word in command], env={**more, **os.environ}).returncode == 0


def with_uv(locks: Sequence[str]) -> bool:
    """False if there is no uv for this machine, or it fails."""
    pip = (BASE, "-m", "pip", "--quiet", "--disable-pip-version-check")
    told = subprocess.run([str(word) for word in (*pip, "config", "list")], capture_output=True, text=True)
    if told.returncode != 0:
        return False
    lock = ("--only-binary", ":all:", "--require-hashes", "--requirement", HERE / "uv.txt")
    if not UV.exists() and not done(*pip, "--python", sys.executable, "install", "--no-compile", *lock):
        return False
    # What this site told pip about its index: uv would not ask.
    pairs = (line.partition("=") for line in told.stdout.splitlines())
    settings = {name.rpartition(".")[2]: value.strip("'") for name, _, value in pairs}
    index = ("--default-index", settings["index-url"]) if "index-url" in settings else ()
    more = {"UV_HTTP_TIMEOUT": "15", "UV_SYSTEM_CERTS": "1"}
    if "cert" in settings:
        more["SSL_CERT_FILE"] = settings["cert"]
    install = (UV, "pip", "install", "--quiet", "--python", sys.executable, *index)
    wanted = [word for lock in locks for word in ("--requirement", lock)]
    # A lock names every package: looking up what each of them wants would take longer than fetching them.
    return done(*install, "--no-deps", "--require-hashes", *wanted, **more) and done(*install, *ITSELF, **more)


def with_pip(locks: Sequence[str]) -> bool:
    install = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
    wanted = [word for lock in locks for word in ("--requirement", lock)]
    return (
        done(sys.executable, "-m", "ensurepip", "--default-pip")
        and done(*install, "--require-hashes", *wanted)
        and done(*install, *ITSELF)
    )


if __name__ == "__main__":
    sys.exit(0 if with_uv(sys.argv[1:]) or with_pip(sys.argv[1:]) else 1)
