"""The machine that runs a study's servers, as the head knows it: waited for and asked again where
it is lost meanwhile."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from webdyno.cluster.agents.cluster import Cluster
from webdyno.cluster.far_servers.content import packed
from webdyno.cluster.far_servers.far_worker import FarWorker, WorkerFailure, WorkerLost
from webdyno.cluster.load.loaders import KEPT
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.roles import Roles
from webdyno.errors import UserError
from webdyno.run.study.plan import Cell, Entry
from webdyno.trial.events import Listener, silent

BACK_WITHIN_S = 60.0
"""For which the server's machine is waited for, where it is lost between two trials or in one."""

_LOOK_S = 1.0
_IN_TRIALS = ("trial", "renew", "sentinel")
"""What may be lost while the run goes on."""

ATTEMPTS = 3
"""At what can be asked again, where the machine is lost meanwhile: all but trials."""


class ServerMachine:
    """Has a worker there, and another one where that is lost."""

    def __init__(self, cluster: Cluster, member: Membership, roles: Roles) -> None:
        self._cluster, self._member, self._roles = cluster, member, roles
        self._worker: FarWorker | None = None
        self._cells: Sequence[Cell] = ()
        self._entries: Sequence[Entry] = ()
        self.load_threads = 1
        """Of each machine that makes load."""
        self.service_cores = 0
        """Of the machine that holds the services, where one does."""

    def ask(self, name: str, *arguments: Any, listener: Listener = silent) -> Any:
        """What it gives back; what it tells meanwhile goes to `listener`.

        Raises `UserError` where it refuses, fails or does not come back in time, and for what is
        asked within trials `WorkerLost` and `WorkerFailure`.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self.connected().ask(listener, name, *arguments)
            except (WorkerLost, WorkerFailure) as error:
                self.drop()
                if name in _IN_TRIALS:
                    raise
                if attempt == ATTEMPTS or isinstance(error, WorkerFailure):
                    raise UserError(f"{error}; {KEPT}") from None
        raise AssertionError

    def parts(
        self, listener: Listener, answers: Iterator[Any], name: str, *arguments: Any
    ) -> Generator[Any, None, Any]:
        """See `FarWorker.parts`: asked once."""
        return self.connected().parts(listener, answers, name, *arguments)

    def send_content(self, entries: Sequence[Entry], cells: Sequence[Cell]) -> None:
        """Have their files there, from now on with every worker. Raises `UserError`."""
        self._entries, self._cells = entries, cells
        self.ask("content", packed(entries, cells))

    def connected(self) -> FarWorker:
        """A worker that has the study's content and the load machines. Raises `UserError` where the
        machine is not there, and does not come back in time."""
        deadline = time.monotonic() + BACK_WITHIN_S
        while self._worker is None:
            try:
                self._worker = self._started()
            except (WorkerLost, WorkerFailure, UserError) as error:
                if not self._cells:
                    raise UserError(str(error)) from None
                if time.monotonic() > deadline:
                    raise UserError(f"{error}; join it again: {KEPT}") from None
                time.sleep(_LOOK_S)
        return self._worker

    def _started(self) -> FarWorker:
        server = self._roles.server
        nodes = [node for node in self._cluster.nodes() if node.address == server]
        if not nodes:
            raise WorkerLost(f"{server}, the server's machine, is not in the cluster")
        worker = FarWorker(self._cluster.agents(nodes), self._member, server)
        try:
            if self._roles.service:
                self.service_cores = worker.ask(silent, "services", self._roles.service)
            self.load_threads = worker.ask(silent, "loaders", self._roles.generators)
            if self._cells:
                worker.ask(silent, "content", packed(self._entries, self._cells))
        except BaseException:
            worker.close()
            raise
        return worker

    def drop(self) -> None:
        """Let the worker go, with all that it started; the next question has another one."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
