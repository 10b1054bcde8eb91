"""What this needs of the machine it runs on."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from webdyno.errors import UserError

PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mkfs.ext4": "e2fsprogs",
    "unshare": "util-linux",
    "setpriv": "util-linux",
    "apt-get": "apt",
    "git": "git",
}
"""Programs, and Debian's packages that bring them."""
CACHE = "WEBDYNO_MACHINES"
"""The variable that names the cache folder."""
_NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private")
GUEST = Path(__file__).parent / "guest"


def check() -> None:
    """Raises `UserError` where something is missing."""
    missing = sorted({package for name, package in PROGRAMS.items() if not shutil.which(name)})
    if missing:
        raise UserError(f"programs are missing; install them: apt install {' '.join(missing)}")
    if os.geteuid() != 0:
        raise UserError("root is needed, to copy this machine's root file system: use sudo")


def cache_folder(chosen: Path | None) -> Path:
    """The folder `chosen`, or $WEBDYNO_MACHINES, or one in the user's cache."""
    if chosen is not None:
        return chosen.absolute()
    if named := os.environ.get(CACHE):
        return Path(named).absolute()
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(caches) / "webdyno" / "machines"


@contextlib.contextmanager
def alone(cache: Path) -> Iterator[None]:
    """Hold the cache folder. Raises `UserError` where another one does."""
    # For root's eyes only: images hold all that this machine's root file system does.
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (cache / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{cache}: in use by another run; wait for it to end") from None
        yield


def make_image(script: str, arguments: Sequence[str], log: Path) -> None:
    """Run one of the scripts in `guest/` that mount an image, in namespaces of its own: what it
    mounts and starts ends with it. Raises `UserError` where it fails."""
    run([*_NAMESPACES, str(GUEST / script), *arguments], log)


def run(command: Sequence[str], log: Path, folder: Path | None = None) -> None:
    """Run a command that prints to `log`. Raises `UserError` with its last line where it fails."""
    # Webdyno's own variables would name another state folder.
    own = {k: v for k, v in os.environ.items() if not k.startswith("WEBDYNO_")}
    with log.open("w", encoding="utf-8") as file:
        code = subprocess.run(
            command, cwd=folder, env=own, stdin=subprocess.DEVNULL, stdout=file, stderr=file
        ).returncode
    if code != 0:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        why = said[-1] if said else "no output"
        raise UserError(f"{shlex.join(command)} ended with {code}: {why} ({log})")
