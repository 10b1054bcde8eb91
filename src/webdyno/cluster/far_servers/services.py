"""The services of a trial on a machine of their own: started, observed and stopped from afar."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from webdyno.cluster.far_servers.far_worker import FarWorker, WorkerFailure, WorkerLost
from webdyno.errors import UserError
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.runtime.services import RunningService, ServiceError, start_service
from webdyno.runtime.services.dataset import Dataset
from webdyno.runtime.services.registry import serves_others
from webdyno.trial.events import silent
from webdyno.trial.site import Observing, observe_here

ROWS_BYTES = 8 << 20
"""In which a table's rows are sent."""


@dataclass(frozen=True)
class FarService:
    """A service that was started on another machine, where it has this number; see
    `RunningService`."""

    number: int
    pid: int
    program: str
    version: str
    env: dict[str, str]
    owner_env: dict[str, str]
    facts: dict[str, str]


@dataclass(frozen=True)
class ServiceState:
    """Of a service's process: how it ended, None while it runs, and who of its family is
    stopped."""

    exit_code: int | None = None
    stopped: list[int] = field(default_factory=list)


class FarServices:
    """Starts services on another machine; those that serve their own machine alone, here."""

    def __init__(self, worker: FarWorker, client: str) -> None:
        """`client` is this machine's address, the only one that may use them."""
        self._worker, self._client = worker, client
        self._envs: dict[int, dict[str, str]] = {}

    def start(
        self, name: str, folder: Path, cache: Path, cpus: tuple[int, ...], log: Path
    ) -> RunningService:
        """See `runtime.services.start_service`."""
        if not serves_others(name):
            return start_service(name, folder, cache, cpus, log)
        far_service: FarService = self.ask("service_start", name, self._client)
        process = _FarProcess(self, far_service.number, far_service.pid, log)
        service = RunningService(
            name=name,
            program=far_service.program,
            version=far_service.version,
            process=cast(ManagedProcess, process),
            env=far_service.env,
            folder=folder,
            owner_env=far_service.owner_env,
            facts=far_service.facts,
            lost=process.lost,
        )
        self._envs[process.number] = service.as_owner
        return service

    def bring_in(self, dataset: Dataset, env: Mapping[str, str]) -> bool:
        """See `trial.site.Site`: rows that the other machine does not keep yet are sent to it."""
        number = next(key for key, one in self._envs.items() if one.items() <= env.items())
        table = dataset.without_rows()
        if self.ask("table", number, table, False):
            return True
        block = bytearray()
        for text in dataset.blocks():
            block += text.encode()
            if len(block) >= ROWS_BYTES:
                self.ask("table_rows", bytes(block))
                block.clear()
        self.ask("table_rows", bytes(block))
        self.ask("table", number, table, True)
        return False

    def observe(
        self, server: int, services: Mapping[str, RunningService], cpu: int | None
    ) -> Observing:
        """See `trial.site.Site`: here the server, there the services."""
        processes = {name: cast(Any, one.process) for name, one in services.items()}
        far = {n: one.number for n, one in processes.items() if isinstance(one, _FarProcess)}
        here = observe_here(server, {n: s for n, s in services.items() if n not in far}, cpu)
        return _Both(here, self, far) if far else here

    def forget(self, number: int) -> None:
        """The service is no more."""
        self._envs.pop(number, None)

    def ask(self, name: str, *arguments: Any) -> Any:
        """What the other machine's worker gives back. Raises `ServiceError`."""
        try:
            return self._worker.ask(silent, name, *arguments)
        except (WorkerLost, WorkerFailure, UserError) as error:
            raise ServiceError(str(error)) from None


class _FarProcess:
    """What a trial asks of a service's process."""

    def __init__(self, services: FarServices, number: int, pid: int, log: Path) -> None:
        """`log` is where its log comes when it has ended."""
        self._services, self.number, self.pid, self._log = services, number, pid, log
        self.family = self
        self._lost = ""

    def exit_code(self) -> int | None:
        return self._state().exit_code

    def stopped(self) -> list[int]:
        return self._state().stopped

    def alive(self) -> list[int]:
        """None on this machine."""
        return []

    def lost(self) -> str:
        self._state()
        return self._lost

    def stop(self, grace_s: float = 0.0, how: signal.Signals = signal.SIGTERM) -> float:
        if not self._lost:
            self._services.forget(self.number)
            self._log.write_bytes(self._services.ask("service_stop", self.number))
        return 0.0

    def _state(self) -> ServiceState:
        if not self._lost:
            try:
                state: ServiceState = self._services.ask("service_state", self.number)
            except ServiceError as error:
                self._lost = str(error)
            else:
                return state
        return ServiceState()


class _Both:
    """Two observers as one: a moment is marked here first, and a round trip later there."""

    def __init__(self, here: Observing, services: FarServices, far: Mapping[str, int]) -> None:
        """`far` are the services' numbers, by their names."""
        self._here, self._services, self._far = here, services, far
        self._number = 0

    def start(self) -> None:
        self._number = self._services.ask("observe_start", dict(self._far))
        self._here.start()

    def mark(self, name: str) -> None:
        self._here.mark(name)
        self._services.ask("observe", self._number, "mark", name)

    def join(self, role: str, pid: int) -> None:
        self._here.join(role, pid)

    def pause(self) -> None:
        self._here.pause()
        self._services.ask("observe", self._number, "pause")

    def resume(self) -> None:
        self._here.resume()
        self._services.ask("observe", self._number, "resume")

    def stop(self) -> str:
        seen = json.loads(self._here.stop())
        there = json.loads(self._services.ask("observe", self._number, "stop"))
        seen["roles"].update(there["roles"])
        for name, mark in seen["marks"].items():
            for part in ("roles", "threads"):
                mark[part].update(there["marks"].get(name, {}).get(part, {}))
        return json.dumps(seen)
