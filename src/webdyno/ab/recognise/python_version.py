"""The Python that a service asks for, and one of this machine's that is such."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from webdyno.ab.recognise.recognised import table_of, text_of, toml_of

OWN = "${PYTHON}"
_NEWEST = 20
_PROBE_TIMEOUT_S = 20.0


def interpreter(folder: Path) -> tuple[str, str]:
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
        elif command := _found(first):
            return command, ""
    if own in wanted or not wanted:
        return OWN, ""
    found = (command for minor in wanted if (command := _found(minor)))
    if command := next(found, ""):
        return command, ""
    told = f"{asked} ({where})" if asked else f"{pinned[1] if pinned else ''} (.python-version)"
    lowest = f"python3.{wanted[0]}"
    return OWN, (
        f"it needs Python {told}, and this machine has 3.{own}; install {lowest}, and write "
        f"{lowest} for {OWN} in `build`"
    )


def _required(folder: Path) -> tuple[str, str]:
    """The versions that its manifest allows, and by which key."""
    held = toml_of(folder / "pyproject.toml")
    if asked := table_of(held.get("project")).get("requires-python"):
        return str(asked), "requires-python"
    poetry = table_of(table_of(held.get("tool")).get("poetry"))
    asked = table_of(poetry.get("dependencies")).get("python")
    return (asked, "python in pyproject.toml") if isinstance(asked, str) else ("", "")


def _fits(minor: int, asked: str) -> bool:
    """Whether some release of Python 3.`minor` is among the versions `asked` for."""
    either = [one.split(",") for one in asked.split("||")]
    return any(all(_holds(minor, clause) for clause in clauses) for clauses in either)


def _holds(minor: int, clause: str) -> bool:
    found = re.match(r"\s*(\^|~=|~|[=!<>]=*)?\s*v?(\d+)(?:\.(\d+))?(\.\d+)?", clause)
    if found is None:
        return True
    sign, major, given = found[1] or "==", int(found[2]), int(found[3] or 0)
    here, there = (3, minor), (major, given)
    of_one = found[3] is not None
    if sign == "!=":
        return here != there or found[4] is not None
    if sign in ("==", "===", "~") or (sign == "~=" and found[4]):
        return here == there if of_one else major == 3
    if sign in ("<", "<="):
        return here < there or (here == there and (sign == "<=" or bool(found[4])))
    return here >= there and (sign not in ("^", "~=") or major == 3)


def _found(minor: int) -> str:
    """How Python 3.`minor` is called here: by its name, or by pyenv; empty where there is none."""
    name = f"python3.{minor}"
    if shutil.which(name) and _runs([name]):
        return name
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
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
