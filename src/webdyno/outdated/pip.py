"""pip: `requirements.in`, locked by pip-compile in `requirements.lock`."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from webdyno.outdated.ecosystem import WITHIN_S, Ecosystem, Package, RegistryUnanswered, ask
from webdyno.outdated.newer import newer, newest_of_series, of_python

_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9][\w.-]*)(?P<extras>\[[^\]]*\])?\s*==\s*(?P<version>[^\s;\\]+)"
)
_AVAILABLE = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
_LOCK = "requirements.lock"


class Pip(Ecosystem):
    """Asks `pip index versions`, and updates pins by name before pip-compile locks them."""

    manifest = "requirements.in"
    writes = ("requirements.in", _LOCK)

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`. Of requirements that are pinned, as those of servers are."""
        packages = []
        for name, locked in pins((folder / self.manifest).read_text(encoding="utf-8")).items():
            out, _ = ask([*_pip(), "index", "versions", name], folder)
            newest = newest_of(out, series)
            if newest and newer(newest, locked, of_python):
                packages.append(Package(name, locked, locked, newest))
        return sorted(packages, key=lambda one: one.name)

    def check_client(self) -> None:
        """See `Ecosystem`."""
        _pip_compile()

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`."""
        compiler = _pip_compile()
        path = folder / self.manifest
        newest = {one.name: one.newest for one in packages}
        path.write_text(repinned(path.read_text(encoding="utf-8"), newest), encoding="utf-8")
        hidden = ("index-url", "trusted-host", "find-links")
        ask(
            [
                compiler,
                "--quiet",
                "--generate-hashes",
                "--allow-unsafe",
                *(f"--no-emit-{one}" for one in hidden),
                "--output-file",
                _LOCK,
                self.manifest,
            ],
            folder,
        )
        return {}


def pins(text: str) -> dict[str, str]:
    """Package to version, of the lines of a `requirements.in` that pin one."""
    matches = (_PIN.match(line) for line in text.splitlines())
    return {match["name"]: match["version"] for match in matches if match}


def repinned(text: str, newest: dict[str, str]) -> str:
    """`text` with the pins of `newest` at those versions; all else stays."""
    lines = []
    for line in text.splitlines(keepends=True):
        match = _PIN.match(line)
        if match and match["name"] in newest:
            at = match.span("version")
            line = line[: at[0]] + newest[match["name"]] + line[at[1] :]
        lines.append(line)
    return "".join(lines)


def newest_of(out: str, series: str) -> str:
    """The newest final release that `pip index versions` named, of `series` where given."""
    match = _AVAILABLE.search(out)
    there = [one.strip() for one in match[1].split(",")] if match else []
    return newest_of_series(there, series, of_python)


def _pip() -> list[str]:
    # The interpreter that servers are built with, since what it can install depends on it. Debian's
    # own has no pip unless it is asked for; that of our environment is the same one, and has it.
    base = getattr(sys, "_base_executable", sys.executable)
    python = base if _has_pip(base) else sys.executable
    return [python, "-m", "pip", "--disable-pip-version-check", "--no-input"]


@functools.cache
def _has_pip(python: str) -> bool:
    try:
        asked = subprocess.run(
            [python, "-m", "pip", "--version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=WITHIN_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _pip_compile() -> str:
    beside = Path(sys.executable).with_name("pip-compile")
    program = str(beside) if beside.is_file() else shutil.which("pip-compile")
    if not program:
        # Into an environment of its own: a distribution's Python refuses to install packages.
        raise RegistryUnanswered(
            "pip-compile is neither on the PATH nor beside Webdyno's Python; install it: "
            "python3 -m venv ~/pip-tools && ~/pip-tools/bin/pip install pip-tools && "
            'export PATH="$HOME/pip-tools/bin:$PATH"'
        )
    return program


ECOSYSTEM = Pip()
