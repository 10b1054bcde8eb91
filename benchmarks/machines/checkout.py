"""The checkout that runs in the machines: set up and built here, at the path it has there."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machines.host import make_image, run
from webdyno.errors import UserError

SPARE_BYTES = 4 << 30
"""Room for what a machine writes: logs, results, caches."""


@dataclass(frozen=True)
class Checkout:
    """A clone of the repository, at a commit."""

    folder: Path
    commit: str

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.folder / ".webdyno" / "venv" / "bin" / "python"

    def image(self, file: Path) -> Path:
        """Make `file`, a disk with a copy of the checkout. Raises `UserError` where that fails."""
        size = _bytes(self.folder) * 5 // 4 + SPARE_BYTES
        mount = file.with_suffix(".mnt")
        arguments = [str(file), str(size), str(self.folder), str(mount)]
        make_image("make-checkout-image", arguments, file.with_suffix(".log"))
        return file


def prepare(
    cache: Path, repository: Path, ref: str, servers: Sequence[str], scenarios: Sequence[str]
) -> Checkout:
    """The checkout of `ref` in `cache`, with all that it needs to run without a network.

    Raises `UserError` where there is no such commit, or where setting up or a server's build or
    proof fails.
    """
    commit = _git(repository, "rev-parse", "--verify", f"{ref}^{{commit}}")
    checkout = Checkout(cache / "checkout", commit)
    if not (checkout.folder / ".git").exists():
        _git(cache, "clone", "--quiet", "--no-checkout", str(repository), str(checkout.folder))
    _git(checkout.folder, "fetch", "--quiet", str(repository), commit)
    # git writes what differs and nothing else: a compiler that goes by times sees what changed.
    _git(checkout.folder, "checkout", "--quiet", "--force", "--detach", commit)
    _git(checkout.folder, "clean", "--quiet", "-ffd")
    print(f"Preparing {commit[:12]}: environment, engine and servers …", flush=True)
    for scenario in scenarios:
        verify = ["./webdyno", "verify", *servers, "--scenario", scenario]
        run(verify, cache / "prepare.log", checkout.folder)
    # Compiling every module would take an emulated processor minutes. Those that cannot be compiled
    # here (templates of packages, say) are not compiled there either.
    compiled = [str(checkout.python), "-m", "compileall", "-q", "src", "bootstrap", ".webdyno/venv"]
    with contextlib.suppress(UserError):
        run(compiled, cache / "compile.log", checkout.folder)
    return checkout


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        why = said[-1] if said else f"ended with {done.returncode}"
        raise UserError(f"git {' '.join(arguments[:1])} {arguments[-1]} in {folder}: {why}")
    return done.stdout.strip()


def _bytes(folder: Path) -> int:
    """What the files below `folder` take, folders and small files counted as a block each."""
    block = 4096
    total = 0
    for parent, folders, files in os.walk(folder):
        total += block * len(folders)
        for name in files:
            total += os.lstat(os.path.join(parent, name)).st_size // block * block + block
    return total
