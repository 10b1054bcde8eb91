"""PostgreSQL as a process of our own: private data, socket and port, no root."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from webdyno.runtime.placement import pinned
from webdyno.runtime.ports import LOOPBACK, free_port
from webdyno.runtime.process import ManagedProcess, plain_environment
from webdyno.runtime.services.base import (
    RunningService,
    ServiceError,
    ServiceMissing,
    find_program,
    hand_over,
    unprivileged_user,
)

USER = DATABASE = "webdyno"
START_TIMEOUT_S = 30.0
_SETTINGS = {
    "max_connections": "300",
    "shared_buffers": "128MB",
    # Commits do not wait for the disk: a shared disk's moods would drown what servers differ in.
    "synchronous_commit": "off",
    "log_min_messages": "warning",
    "jit": "off",
    "max_wal_size": "2GB",
}


def start_postgresql(folder: Path, cache: Path, cpus: tuple[int, ...], log: Path) -> RunningService:
    """Start an empty PostgreSQL in `folder`. Raises `ServiceMissing`, `ServiceError`."""
    postgres = find_program("postgres", "/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
    if postgres is None:
        raise ServiceMissing(
            "PostgreSQL is not installed; on Debian or Ubuntu: apt-get install postgresql, "
            "on macOS: brew install postgresql"
        )
    version = _version(postgres)
    user = unprivileged_user("postgres")
    template = _template(postgres, version, cache, user)
    data = folder / "data"
    folder.mkdir(parents=True, exist_ok=True)
    # A copy of the initialised cluster takes a tenth of the time of initdb.
    subprocess.run(["cp", "-a", "--reflink=auto", str(template), str(data)], check=True)
    hand_over(folder, user)
    port = free_port()
    settings = {
        **_SETTINGS,
        "listen_addresses": LOOPBACK,
        "port": str(port),
        "unix_socket_directories": str(folder),
    }
    process = ManagedProcess.start(
        [
            str(postgres),
            "-D",
            str(data),
            *(f"--{name}={value}" for name, value in settings.items()),
        ],
        name="postgresql",
        cwd=folder,
        env=plain_environment(),
        log=log,
        cpus=cpus,
        user=user,
    )
    try:
        _await(postgres, process, port)
    except BaseException:
        process.stop(grace_s=1.0)
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return RunningService(
        name="postgresql",
        version=version,
        process=process,
        env={
            "PGHOST": LOOPBACK,
            "PGPORT": str(port),
            "PGUSER": USER,
            "PGDATABASE": DATABASE,
            "DATABASE_URL": f"postgresql://{USER}@{LOOPBACK}:{port}/{DATABASE}",
        },
        folder=folder,
        facts=dict(_SETTINGS),
    )


def _version(postgres: Path) -> str:
    text = subprocess.run(
        [postgres, "--version"], capture_output=True, text=True, check=True
    ).stdout
    return text.split()[2]


def _template(postgres: Path, version: str, cache: Path, user: str | None) -> Path:
    """An initialised cluster that holds our empty database, made once for each version."""
    owner = user or "self"
    template = cache / f"postgresql-{version}-{owner}"
    if template.is_dir():
        return template
    making = cache / f"{template.name}.{os.getpid()}"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    hand_over(making, user)
    _checked(
        [
            str(postgres.with_name("initdb")), "--pgdata", str(making), "--username", USER,
            "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync",
        ],
        making,
        user,
    )  # fmt: skip
    _checked(
        [str(postgres), "--single", "-D", str(making), "postgres"],
        making,
        user,
        text=f"CREATE DATABASE {DATABASE};\n",
    )
    try:
        making.rename(template)
    except OSError:  # Another run was quicker.
        shutil.rmtree(making, ignore_errors=True)
    return template


def _checked(argv: list[str], cwd: Path, user: str | None, text: str = "") -> None:
    done = subprocess.run(
        argv,
        cwd=cwd,
        input=text,
        env=plain_environment(),
        capture_output=True,
        text=True,
        user=user,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise ServiceError(
            f"postgresql: '{Path(argv[0]).name}' ended with {done.returncode}: {last}"
        )


def _await(postgres: Path, process: ManagedProcess, port: int) -> None:
    ready = postgres.with_name("pg_isready")
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if process.exit_code() is not None:
            raise ServiceError(f"postgresql ended at start: {process.log_tail(1)}")
        with pinned(()):
            done = subprocess.run(
                [ready, "-q", "-h", LOOPBACK, "-p", str(port), "-d", DATABASE, "-U", USER]
            )
        if done.returncode == 0:
            return
        time.sleep(0.01)
    raise ServiceError(f"postgresql did not accept connections within {START_TIMEOUT_S:.0f} s")
