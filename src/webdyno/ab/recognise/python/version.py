"""The Python that a service asks for, and one of this machine's that is such."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from webdyno.ab.recognise.recognised import FoundCommand, table_of, text_of, toml_of

OWN = "${PYTHON}"
_NEWEST, _MOST_PATCHES = 20, 40
_PROBE_TIMEOUT_S = 20.0


def interpreter(folder: Path) -> FoundCommand:
    """The command of a Python that suits the service in `folder`, and what its owner has to do
    where this machine has none."""
    pinned = re.search(r"^\s*(?:cpython[-@])?(3\.\d+)", text_of(folder / ".python-version"), re.M)
    asked, where = _required(folder)
    own = sys.version_info.minor
    wanted = [minor for minor in range(_NEWEST) if _fits(minor, asked)]
    if pinned is not None:
        first = int(pinned[1].partition(".")[2])
        if not asked or first == own:
            wanted = [first]
        elif own not in wanted:
            wanted = [first, *wanted]
        elif command := _program_of(first):
            return FoundCommand(command)
    if own in wanted or not wanted:
        return FoundCommand(OWN)
    commands = (command for minor in wanted if (command := _program_of(minor)))
    if command := next(commands, ""):
        return FoundCommand(command)
    told = f"{asked} ({where})" if asked else f"{pinned[1] if pinned else ''} (.python-version)"
    lowest = f"python3.{wanted[0]}"
    return FoundCommand(
        OWN,
        f"it needs Python {told}, and this machine has 3.{own}; install {lowest}, and write "
        f"{lowest} for {OWN} in `build`",
    )


def _required(folder: Path) -> tuple[str, str]:
    """The versions that its manifest allows, and by which key."""
    held = toml_of(folder / "pyproject.toml")
    if asked := table_of(held.get("project")).get("requires-python"):
        return str(asked), "requires-python"
    poetry = table_of(table_of(held.get("tool")).get("poetry"))
    asked = table_of(poetry.get("dependencies")).get("python")
    return (asked, "python in pyproject.toml") if isinstance(asked, str) else ("", "")


def _fits(minor: int, constraint: str) -> bool:
    """Whether some release of Python 3.`minor` meets `constraint`; one that cannot be read
    asks for none in particular."""
    try:
        allowed = [SpecifierSet(_standard(one)) for one in constraint.split("||")]
    except InvalidSpecifier:
        return True
    releases = [f"3.{minor}.{patch}" for patch in range(_MOST_PATCHES)]
    return any(next(one.filter(releases), None) for one in allowed)


def _standard(constraint: str) -> str:
    """Poetry's `^3.11`, `~3.11` and `3.11` as packages' metadata have them (PEP 440)."""
    return ",".join(map(_clause, filter(None, map(str.strip, constraint.split(",")))))


def _clause(clause: str) -> str:
    match = re.fullmatch(r"([\^~]?)\s*v?(\d+(?:\.\d+)*)(\.\*)?", clause)
    if match is None:
        return clause
    sign, version = match[1], match[2]
    if sign == "^":
        return f">={version},<{int(version.partition('.')[0]) + 1}"
    if sign == "~" and version.count(".") > 1:
        return f"~={version}"
    exact = not sign and not match[3] and version.count(".") > 1
    return f"=={version}" if exact else f"=={version}.*"


def _program_of(minor: int) -> str:
    """How Python 3.`minor` is called here: by its name, or by pyenv; empty where there is none."""
    name = f"python3.{minor}"
    if shutil.which(name) and _runs([name]):
        return name
    # A user without a home has nothing there, and that is no error.
    root = Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))
    for place in sorted(root.glob(f"versions/3.{minor}.*/bin/{name}"), reverse=True):
        by_pyenv = ["env", f"PYENV_VERSION={place.parents[1].name}", name]
        if shutil.which(name) and _runs(by_pyenv):
            return " ".join(by_pyenv)
    return ""


def _runs(command: list[str]) -> bool:
    """Whether it starts: pyenv has names of versions on PATH that are not chosen."""
    try:
        done = subprocess.run(
            [*command, "-c", "import venv"],
            capture_output=True, stdin=subprocess.DEVNULL, timeout=_PROBE_TIMEOUT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
