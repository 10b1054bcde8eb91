"""A prebuilt engine: taken from a wheel at hand where it was made from the very same sources.

A wheel is at hand where `$WEBDYNO_WHEEL` names it, or a folder that holds it, or where it lies in
`dist/`, in which `.ci/wheel` puts it. It holds the digest of what its engine was compiled from.
"""

from __future__ import annotations

import os
import platform
import zipfile
from collections.abc import Iterator
from pathlib import Path

ENGINE_FILE = "_engine.abi3.so"
"""The compiled engine in the package `webdyno`."""

MADE_FROM = "_engine.made_from"
"""Beside it in a wheel: the digest of the sources, see `stamp.digest`."""


def find(root: Path, digest: str) -> Path | None:
    """The wheel whose engine was compiled from the sources of `digest` for this machine, if any."""
    return next((wheel for wheel in _wheels(root) if _fits(wheel, digest)), None)


def install_engine(wheel: Path, package: Path) -> None:
    """Put the engine of `wheel` into the folder `package`.

    Raises `OSError` where that cannot be written.
    """
    with zipfile.ZipFile(wheel) as archive:
        content = archive.read(f"webdyno/{ENGINE_FILE}")
    write_engine(content, package)


def write_engine(content: bytes, package: Path) -> None:
    """Write an engine into `package`, whole or not at all."""
    beside = package / f"{ENGINE_FILE}.{os.getpid()}.tmp"
    beside.write_bytes(content)
    # Replaced, not overwritten: a Webdyno that runs now keeps the file it has open.
    beside.replace(package / ENGINE_FILE)


def _wheels(root: Path) -> Iterator[Path]:
    named = os.environ.get("WEBDYNO_WHEEL")
    place = Path(named) if named else root / "dist"
    if place.is_file():
        yield place
    elif place.is_dir():
        yield from sorted(place.glob("webdyno-*.whl"))


def _fits(wheel: Path, digest: str) -> bool:
    # Its tag ends in the machine it was made for: `…-manylinux_2_34_x86_64.whl`.
    if not wheel.stem.endswith(f"_{platform.machine()}"):
        return False
    try:
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(f"webdyno/{MADE_FROM}").decode().strip() == digest
    except (OSError, KeyError, UnicodeDecodeError, zipfile.BadZipFile):
        return False
