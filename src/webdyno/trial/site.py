"""Where a trial is made: the address of its server, and who starts services, loads and observes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from webdyno._engine import Load, Observer
from webdyno.catalog.servers.server import Server
from webdyno.generators.engine_load import EngineLoad
from webdyno.runtime.ports import LOOPBACK
from webdyno.runtime.processes.family import account_of
from webdyno.runtime.services import RunningService, start_service
from webdyno.runtime.services.dataset import Dataset


class Observing(Protocol):
    """Samples what process trees use; see `_engine.Observer`."""

    def start(self) -> None:
        """Begin."""
        ...

    def mark(self, name: str) -> None:
        """Remember this moment under a name."""
        ...

    def join(self, role: str, pid: int) -> None:
        """Count a process that left its tree to a role."""
        ...

    def pause(self) -> None:
        """Take no samples until `resume`."""
        ...

    def resume(self) -> None:
        """Go on."""
        ...

    def stop(self) -> str:
        """End; JSON of all that was seen."""
        ...


def observe_here(server: int, services: Mapping[str, RunningService], cpu: int | None) -> Observing:
    """An observer of the process `server` and of the services, from core `cpu`."""
    roots = {name: service.process.pid for name, service in services.items()}
    account = account_of(server)
    groups = {"server": account} if account else {}
    return Observer({"server": server, **roots}, cpu=cpu, groups=groups)


StartService = Callable[[str, Path, Path, tuple[int, ...], Path], RunningService]
"""As `runtime.services.start_service`."""


@dataclass(frozen=True)
class Site:
    """This machine and nobody else, unless it says otherwise.

    The server listens at `address` alone. The others are what a trial starts services, brings a
    table into one of them, makes the engine's loads and observes with.
    """

    address: str = LOOPBACK
    start_service: StartService = start_service
    bring_in: Callable[[Dataset, Mapping[str, str]], bool] | None = None
    make_load: Callable[[str], EngineLoad] = Load
    observe: Callable[[int, Mapping[str, RunningService], int | None], Observing] = observe_here

    @property
    def loads_from_here(self) -> bool:
        """Whether this process makes the engine's loads."""
        return self.make_load is Load


THIS_MACHINE = Site()

_OWN = Site(start_service=partial(start_service, all_rights=True))


def site_of(server: Server) -> Site:
    """This machine, as `server` gets it: the seed and the migrations of a service of one's own may
    create roles and extensions, a server of the catalog might use such rights to cheat."""
    return THIS_MACHINE if server.source is None else _OWN
