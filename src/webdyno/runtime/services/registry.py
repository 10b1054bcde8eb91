"""The services there are, by the name scenarios call them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from webdyno.errors import UserError
from webdyno.runtime.services.base import RunningService
from webdyno.runtime.services.mariadb import look_for_mariadb, start_mariadb
from webdyno.runtime.services.postgresql import look_for_postgresql, start_postgresql


class Service(NamedTuple):
    """How a service is started and looked for."""

    start: Callable[[Path, Path, tuple[int, ...], Path], RunningService]
    """Takes a private folder, a cache folder, CPUs to run on, and where to log."""
    look_for: Callable[[], None]
    """Raises `ServiceMissing` where one of its programs is not installed."""


SERVICES = {
    "mariadb": Service(start_mariadb, look_for_mariadb),
    "postgresql": Service(start_postgresql, look_for_postgresql),
}


def look_for(name: str) -> None:
    """Raises `ServiceMissing` where a program of the service `name` is not installed; `UserError`
    where there is no such service."""
    _named(name).look_for()


def start_service(
    name: str, folder: Path, cache: Path, cpus: tuple[int, ...], log: Path
) -> RunningService:
    """Start the service `name` with empty data in `folder`, pinned to `cpus`.

    `cache` keeps what is the same for every start (an initialised, empty cluster). Raises
    `ServiceMissing` or `ServiceError`; `UserError` where there is no such service.
    """
    return _named(name).start(folder, cache, cpus, log)


def _named(name: str) -> Service:
    if name not in SERVICES:
        raise UserError(f"no service '{name}'; there are: {', '.join(sorted(SERVICES))}")
    return SERVICES[name]
