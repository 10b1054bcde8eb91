"""The services there are, by the name scenarios call them."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from webdyno.plugins import Plugins
from webdyno.runtime.services.base import Access, RunningService, Service, ServiceError

SERVICES: Plugins[Service] = Plugins("webdyno.runtime.services.plugins", "SERVICE", "service")


def look_for(name: str) -> None:
    """Raises `ServiceMissing` where a program of the service `name` is not installed; `UserError`
    where there is no such service."""
    SERVICES[name].look_for()


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """The versions of those of the services `names` that are here, by their programs' names."""
    found: dict[str, str] = {}
    for name in names:
        if (version := SERVICES[name].version) is not None:
            # Also a program that is there, but does not run or says something else.
            with contextlib.suppress(
                ServiceError, OSError, subprocess.SubprocessError, LookupError, ValueError
            ):
                found |= [version()]
    return found


def run_seed(name: str, env: Mapping[str, str], file: Path) -> None:
    """Run the SQL of `file` in the service `name`, which has the variables `env`.

    Raises `ServiceError`, also for a service that knows no SQL.
    """
    if (seed := SERVICES[name].seed) is None:
        raise ServiceError(f"{name} does not take SQL files; leave `seed` out")
    seed(env, file)


def start_service(
    name: str,
    folder: Path,
    cache: Path,
    cpus: tuple[int, ...],
    log: Path,
    *,
    all_rights: bool = False,
) -> RunningService:
    """Start the service `name` with empty data in `folder`, pinned to `cpus`.

    `cache` keeps what is the same for every start (an initialised, empty cluster); for `all_rights`
    see `Access`. Raises `ServiceMissing` or `ServiceError`; `UserError` where there is no such
    service.
    """
    service = SERVICES[name]
    if all_rights and service.far is not None:
        return service.far(folder, cache, cpus, log, Access(all_rights=True))
    return service.start(folder, cache, cpus, log)


def serves_others(name: str) -> bool:
    """Whether the service `name` can be used from another machine than its own."""
    return SERVICES[name].far is not None


def start_for(
    name: str, folder: Path, cache: Path, cpus: tuple[int, ...], log: Path, access: Access
) -> RunningService:
    """The same for another machine, as `access` says."""
    start = SERVICES[name].far
    if start is None:
        raise ServiceError(f"{name} can only be used from its own machine")
    return start(folder, cache, cpus, log, access)
