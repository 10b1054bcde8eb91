"""Finding programs and their versions: is `node >= 20` on this machine?"""

from __future__ import annotations

import functools
import glob
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webdyno.errors import UserError
from webdyno.runtime.programs import Program, program_named

PROBE_TIMEOUT_S = 60.0
"""A machine that is busy, or emulated, takes twenty seconds to start some of them."""
_SPEC = re.compile(
    r"^\s*([a-z][a-z0-9+-]*)\s*(?:>=\s*(\d+(?:\.\d+)*))?"
    r"\s*(?:\bwith\s+(\w[\w.+-]*(?:\s*,\s*\w[\w.+-]*)*))?\s*$",
    re.ASCII,
)


@dataclass(frozen=True)
class Toolchain:
    """What was asked for and what was found. `found_version` is None where it does not tell."""

    name: str
    minimum: str
    found_version: str | None
    path: str | None
    ok: bool
    install_hint: str
    lacks: tuple[str, ...] = ()
    """Extensions that were asked for and are not there."""
    silent: bool = False
    """It is there, but did not tell its version in time."""
    extensions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the extensions that were asked for, as far as it tells them."""

    @property
    def shortfall(self) -> str:
        """Why it is not enough, as in `needs php >= 8.1 with pgsql (lacks pgsql)`."""
        if self.silent:
            return f"{self.path} did not print its version within {PROBE_TIMEOUT_S:g} s"
        if self.lacks:
            return f"{self.found_version or 'found'}: lacks {', '.join(self.lacks)}"
        return f"found {self.found_version}" if self.found_version else "not found"


def find(spec: str) -> Toolchain:
    """Look for a program by a spec such as `node >= 20` or `php >= 8.1 with pgsql, mbstring`; a
    bare name takes any version.

    Raises `UserError` where the spec cannot be read or names a program that is not known.
    """
    match = _SPEC.match(spec)
    if match is None:
        raise UserError(
            f"toolchain '{spec}' cannot be read; write it like 'node >= 20' or "
            "'php >= 8.1 with pgsql, mbstring'"
        )
    name, minimum = match[1], match[2] or ""
    program = program_named(name)
    required = [part.strip() for part in (match[3] or "").split(",") if part.strip()]
    if required and not program.extensions:
        raise UserError(
            f"toolchain '{spec}': {name} has no extensions to check; leave out what follows 'with'"
        )
    path, version, silent = _probe(name)
    if silent:
        hint = f"run '{path} {' '.join(program.arguments)}' to see why it hangs"
        return Toolchain(name, minimum, None, path, False, hint, silent=True)
    enough = path is not None and (not minimum or at_least(version, minimum))
    if not enough or path is None:
        return Toolchain(name, minimum, version, path, False, program.install_hint(minimum))
    there = _extensions(path, program.extensions) if required else frozenset()
    lacks = tuple(extension for extension in required if extension.lower() not in there)
    hint = program.extension_hint(version or "", lacks) if lacks else ""
    versions = (
        {} if lacks else _extension_versions(path, program.extension_versions, tuple(required))
    )
    return Toolchain(name, minimum, version, path, not lacks, hint, lacks, extensions=versions)


@functools.cache
def _extensions(path: str, arguments: tuple[str, ...]) -> frozenset[str]:
    """The extensions that a program says it has loaded, in lower case."""
    # PHP calls its cache "Zend OPcache" and all others by one word.
    said = _lines((path, *arguments))
    return frozenset(line.strip().lower().removeprefix("zend ") for line in said)


@functools.cache
def _extension_versions(
    path: str, arguments: tuple[str, ...], names: tuple[str, ...]
) -> Mapping[str, str]:
    """The versions of the extensions `names`; empty where the program does not tell them all."""
    said = _lines((path, *arguments, *names)) if arguments and names else []
    versions = [line.strip() for line in said]
    complete = len(versions) == len(names) and all(versions)
    return dict(zip(names, versions, strict=True)) if complete else {}


def _lines(command: Sequence[str]) -> list[str]:
    """What a program prints, line by line; nothing where it does not run."""
    try:
        said = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=PROBE_TIMEOUT_S,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return said.splitlines()


def at_least(version: str | None, minimum: str) -> bool:
    """Compare part by part: 20.9 is less than 20.20, and 20 equals 20.0.0."""
    if version is None:
        return False
    return _parts(version) >= _parts(minimum)


@functools.cache
def _probe(name: str) -> tuple[str | None, str | None, bool]:
    """Path and version of a program, and whether it was too slow to tell it; asked once a process,
    because some take a second to answer."""
    program = program_named(name)
    if program.known is not None:
        return *program.known(), False
    path = located(program)
    if path is None:
        return None, None, False
    try:
        said = subprocess.run(
            [path, *program.arguments],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=PROBE_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return path, None, True
    except OSError:
        # Found, but it does not run: as good as not there.
        return None, None, False
    return path, program.version_in(f"{said.stdout}\n{said.stderr}"), False


def located(program: Program) -> str | None:
    """Where the program is, by the names and folders that it may have; None where it is not."""
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
