"""What a head can ask of the machine that runs the services."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Self

from webdyno._engine import Observer
from webdyno.cluster.far_servers.services import ROWS_BYTES, FarService, ServiceState
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.runtime.services import RunningService, start_service
from webdyno.runtime.services.base import Access
from webdyno.runtime.services.dataset import Dataset, Table, install, install_known
from webdyno.runtime.services.registry import start_for


class ServiceWorks:
    """Services, their tables and who observes them. The methods are named as the head asks for
    them."""

    def __init__(self, address: str, home: Home) -> None:
        """`address` is that of this machine."""
        self._address, self._home = address, home
        self._numbers = itertools.count()
        self._running: dict[int, RunningService] = {}
        self._logs: dict[int, Path] = {}
        self._observers: dict[int, Observer] = {}

    def __enter__(self) -> Self:
        self._temporary = private_folder(self._home.temporary)
        self._rows_file = self._temporary / "rows.tsv"
        return self

    def service_start(self, name: str, client: str) -> FarService:
        """Start a service on this machine for the machine `client`."""
        number = next(self._numbers)
        folder = self._temporary / f"{name}-{number}"
        log = self._logs[number] = self._temporary / f"{name}-{number}.log"
        access = Access(self._address, client)
        cpus = tuple(sorted(os.sched_getaffinity(0)))
        self._running[number] = one = start_for(name, folder, self._home.cache, cpus, log, access)
        return FarService(
            number,
            one.process.pid,
            one.program,
            one.version,
            env=one.env,
            owner_env=one.owner_env,
            facts=one.facts,
        )

    def service_state(self, number: int) -> ServiceState:
        """Whether it still runs, and is not stopped."""
        process = self._running[number].process
        return ServiceState(process.exit_code(), process.family.stopped())

    def service_stop(self, number: int) -> bytes:
        """End it, with its data; gives its log, which is no longer than any log that is kept."""
        self._running.pop(number).stop()
        log = self._logs.pop(number)
        try:
            return log.read_bytes()
        finally:
            log.unlink()

    def table(self, number: int, table: Table, rows_follow: bool) -> bool:
        """Bring a table into a service, from this machine's cache, or else of the rows that came
        since (`table_rows`): whether it is there now."""
        running, cache = self._running[number], self._home.cache
        if not rows_follow:
            self._rows_file.unlink(missing_ok=True)
            return install_known(table, running.as_owner, cache)
        try:
            whole = Dataset(**asdict(table), blocks=self._blocks)
            install(whole, running.as_owner, cache, partial(start_service, running.name))
        finally:
            self._rows_file.unlink(missing_ok=True)
        return True

    def table_rows(self, rows: bytes) -> None:
        """Take some of a table's rows."""
        with self._rows_file.open("ab") as file:
            file.write(rows)

    def _blocks(self) -> Iterator[str]:
        with self._rows_file.open(encoding="utf-8", newline="") as file:
            while block := file.read(ROWS_BYTES):
                yield block

    def observe_start(self, services: Mapping[str, int]) -> int:
        """Observe these services, by their names; gives the observer's number."""
        number = next(self._numbers)
        pids = {name: self._running[one].process.pid for name, one in services.items()}
        self._observers[number] = Observer(pids)
        self._observers[number].start()
        return number

    def observe(self, number: int, what: str, *arguments: str) -> str | None:
        """Have an observer mark, pause, resume or stop."""
        observation: str | None = getattr(self._observers[number], what)(*arguments)
        if what == "stop":
            del self._observers[number]
        return observation
