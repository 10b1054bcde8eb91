"""The services there are, by the name scenarios call them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webdyno.errors import UserError
from webdyno.runtime.services.base import RunningService
from webdyno.runtime.services.mariadb import look_for_mariadb, start_mariadb
from webdyno.runtime.services.postgresql import look_for_postgresql, start_postgresql

Starter = Callable[[Path, Path, tuple[int, ...], Path], RunningService]
"""Takes a private folder, a cache folder, CPUs to run on, and where to log."""

SERVICES: dict[str, Starter] = {"mariadb": start_mariadb, "postgresql": start_postgresql}


_LOOK_FOR: dict[str, Callable[[], None]] = {
    "mariadb": look_for_mariadb,
    "postgresql": look_for_postgresql,
}


def look_for(name: str) -> None:
    """Raises `ServiceMissing` where a program of the service `name` is not installed; `UserError`
    where there is no such service."""
    if name not in _LOOK_FOR:
        raise UserError(f"no service '{name}'; there are: {', '.join(sorted(SERVICES))}")
    _LOOK_FOR[name]()


def start_service(
    name: str, folder: Path, cache: Path, cpus: tuple[int, ...], log: Path
) -> RunningService:
    """Start the service `name` with empty data in `folder`, pinned to `cpus`.

    `cache` keeps what is the same for every start (an initialised, empty cluster). Raises
    `ServiceMissing` or `ServiceError`; `UserError` where there is no such service.
    """
    if name not in SERVICES:
        raise UserError(f"no service '{name}'; there are: {', '.join(sorted(SERVICES))}")
    return SERVICES[name](folder, cache, cpus, log)
