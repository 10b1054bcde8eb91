"""The root image: a bootable copy of this machine's root file system, made once."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.machines.emulator import Kernel
from benchmarks.machines.host import GUEST, make_image

SPARE_BYTES = 8 << 30
"""Room for the kernel and for what a machine writes. The file is sparse: it takes no room here."""
_MADE_FROM = "made-from"
_SCRIPTS = ("make-root-image", "webdyno-job", "webdyno-job.service")


def root_image(cache: Path, left_out: Sequence[Path], anew: bool) -> Kernel:
    """Find the image in `cache`, or make it (about five minutes) without the folders `left_out`.

    It is made again where `anew`, and where the scripts that make it have changed. Raises
    `UserError` where it can't be made.
    """
    folder = cache / "image"
    kernel = Kernel(folder / "vmlinuz", folder / "initrd", folder / "root.img")
    scripts, packages = _digest(GUEST / name for name in _SCRIPTS), _packages()
    made_from = folder / _MADE_FROM
    found = made_from.read_text().split() if made_from.is_file() else []
    if not anew and found[:1] == [scripts]:
        if found != [scripts, packages]:
            print(
                "Packages here have changed since the root image was made: if a machine lacks one"
            )
            print("or builds a server anew, make the image again with --new-image.")
        return kernel
    print("Making the root image, a copy of this machine's root file system …", flush=True)
    partial = cache / "image.partial"
    for old in (folder, partial):
        shutil.rmtree(old, ignore_errors=True)
    partial.mkdir()
    root = os.statvfs("/")
    size = (root.f_blocks - root.f_bfree) * root.f_frsize + SPARE_BYTES
    paths = [str(path) for path in (cache, *left_out)]
    arguments = [str(partial / "root.img"), str(size), str(partial), *paths]
    make_image("make-root-image", arguments, cache / "make-root-image.log")
    (partial / "mnt").rmdir()
    (partial / _MADE_FROM).write_text(f"{scripts} {packages}\n")
    partial.rename(folder)
    return kernel


def _packages() -> str:
    """A digest of what is installed: a server's build belongs to its toolchain's version."""
    return _digest([Path("/var/lib/dpkg/status"), Path(sys.executable).resolve()])


def _digest(paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes() if path.is_file() else b"")
    return total.hexdigest()
