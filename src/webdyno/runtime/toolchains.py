"""Finding programs and their versions: is `node >= 20` on this machine?"""

from __future__ import annotations

import functools
import glob
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from webdyno.errors import UserError
from webdyno.runtime.programs import PROGRAMS, Program

PROBE_TIMEOUT_S = 20.0
_SPEC = re.compile(r"^\s*([a-z][a-z0-9+-]*)\s*(?:>=\s*(\d+(?:\.\d+)*))?\s*$")


@dataclass(frozen=True)
class Toolchain:
    """What was asked for and what was found. `found_version` is None where it does not tell."""

    name: str
    minimum: str
    found_version: str | None
    path: str | None
    ok: bool
    install_hint: str


def find(spec: str) -> Toolchain:
    """Look for a program by a spec such as `node >= 20`; a bare name takes any version.

    Raises `UserError` where the spec cannot be read or names a program that is not known.
    """
    match = _SPEC.match(spec)
    if match is None:
        raise UserError(f"toolchain '{spec}' should read like 'node >= 20'")
    name, minimum = match[1], match[2] or ""
    if name not in PROGRAMS:
        raise UserError(f"toolchain '{name}' is not known; known are: {', '.join(PROGRAMS)}")
    path, version = _probe(name)
    enough = path is not None and (not minimum or at_least(version, minimum))
    hint = "" if enough else PROGRAMS[name].install_hint(minimum)
    return Toolchain(name, minimum, version, path, enough, hint)


def at_least(version: str | None, minimum: str) -> bool:
    """Compare part by part: 20.9 is less than 20.20, and 20 equals 20.0.0."""
    if version is None:
        return False
    return _parts(version) >= _parts(minimum)


@functools.cache
def _probe(name: str) -> tuple[str | None, str | None]:
    """Path and version of a program; asked once a process, because some take a second to answer."""
    if name == "python":
        return getattr(sys, "_base_executable", sys.executable), ".".join(
            map(str, sys.version_info[:3])
        )
    program = PROGRAMS[name]
    path = _locate(program)
    if path is None:
        return None, None
    try:
        said = subprocess.run(
            [path, *program.arguments],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=PROBE_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        # Found, but it does not run: as good as not there.
        return None, None
    return path, program.version_in(f"{said.stdout}\n{said.stderr}")


def _locate(program: Program) -> str | None:
    for executable in program.executables or (program.name,):
        if found := shutil.which(executable):
            return found
        for folder in program.folders:
            # The newest of several versions, by number: 9.6 comes before 15.
            for candidate in sorted(glob.glob(folder), key=_parts, reverse=True):
                path = os.path.join(candidate, executable)
                if os.access(path, os.X_OK):
                    return path
    return None


def _parts(text: str) -> list[int]:
    numbers = [int(part) for part in re.findall(r"\d+", text)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers
