"""A study on machines of a cluster: servers on one, loads from others; the head asks and keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Self

from webdyno.catalog.studies.study import StudyManifest
from webdyno.cluster.agents.cluster import connected
from webdyno.cluster.far_servers.far_worker import WorkerFailure, WorkerLost
from webdyno.cluster.far_servers.own_loads import engine_loads
from webdyno.cluster.far_servers.run_files import keep_in
from webdyno.cluster.far_servers.server_machine import ServerMachine
from webdyno.cluster.machines import machines_toml
from webdyno.cluster.machines.facts import Facts
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.machines.roles import Roles, roles_of, same_versions
from webdyno.run.bench.bench import AdaptedStudy, Bench, services_of
from webdyno.run.bench.server_resources import ServerResources
from webdyno.run.preparation.servers import PreparedServers, ReadyServer
from webdyno.run.study.plan import Cell, Entry
from webdyno.runtime.machine.facts import MachineFacts
from webdyno.runtime.machine.placement import Placement, RemoteRoles
from webdyno.runtime.processes.deadline import Overdue
from webdyno.runtime.services.registry import serves_others
from webdyno.store.hardware import StoredMachines
from webdyno.store.records import BuildTimesRecord, TrialRecord, now
from webdyno.store.verdicts import SentinelRecord
from webdyno.trial.assessment.record import record_of
from webdyno.trial.events import Listener, Noted
from webdyno.trial.life import StartPlans
from webdyno.trial.plan import TrialPlan
from webdyno.trial.state import TrialState
from webdyno.trial.turn_taking.regime import Regimes


class FarBench(Bench):
    """Used in a `with`. Raises `UserError` where the cluster lacks a role."""

    shares_starts = False

    def __init__(self, member: Membership) -> None:
        self._member, self._reach = member, Reach(member)
        self._held = ExitStack()
        self._cells: list[Cell] = []
        self._entries: list[Entry] = []
        self._facts: dict[str, Facts] = {}

    def __enter__(self) -> Self:
        cluster = self._held.enter_context(connected(self._member))
        try:
            self._roles: Roles = roles_of(cluster.nodes(), machines_toml.found(None))
            self._facts = {one: self._reach.facts(one) for one in self._roles.all}
            same_versions(self._facts)
            self._servers = ServerMachine(cluster, self._member, self._roles)
            self._held.callback(self._servers.drop)
            self._servers.connected()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def machine(self, noise: bool = True) -> MachineFacts:
        """See `Bench.machine`: that which runs the servers."""
        machine_facts: MachineFacts = self._servers.ask("machine", noise)
        return machine_facts

    def machines(self) -> StoredMachines:
        """Roles by address, and what each machine is."""
        told = {
            "head": self._member.address,
            **self._roles.record(),
            "facts": {
                one: machine_facts.model_dump(mode="json")
                for one, machine_facts in self._facts.items()
            },
        }
        return StoredMachines.model_validate(told)

    def adapted(self, study: StudyManifest) -> AdaptedStudy:
        """See `Bench.adapted`: the engine alone makes loads from several machines."""
        return engine_loads(study)

    def check(self, cells: Sequence[Cell], folder: Path) -> None:
        """See `Bench.check`."""
        self._cells = list(cells)
        self._servers.send_content(self._entries, self._cells)
        self._servers.ask("check", list(cells))

    def prepare(self, entries: list[Entry], builds: Path, listener: Listener) -> PreparedServers:
        """See `Bench.prepare`."""
        self._entries = entries
        self._servers.send_content(self._entries, self._cells)
        prepared: PreparedServers = self._servers.ask("prepare", entries, listener=listener)
        return prepared

    def measure_builds(
        self,
        entries: list[Entry],
        ready: Mapping[str, ReadyServer],
        temporary: Path,
        listener: Listener,
    ) -> list[BuildTimesRecord]:
        """See `Bench.measure_builds`."""
        build_times: list[BuildTimesRecord] = self._servers.ask(
            "measure_builds", entries, dict(ready), listener=listener
        )
        return build_times

    def changed_builds(self, ready: Mapping[str, ReadyServer]) -> dict[str, str]:
        """See `Bench.changed_builds`."""
        changes: dict[str, str] = self._servers.ask("changed_builds", dict(ready))
        return changes

    def server_resources(self, study: StudyManifest, cells: Sequence[Cell]) -> ServerResources:
        """See `Bench.server_resources`."""
        needed = services_of(cells)
        service = self._roles.service if needed and all(map(serves_others, needed)) else ""
        resources: ServerResources = self._servers.ask(
            "server_resources", study, bool(needed) and not service
        )
        elsewhere = RemoteRoles(
            server=self._roles.server,
            load=tuple(self._roles.generators),
            load_threads=self._servers.load_threads * len(self._roles.generators),
            service=service,
            service_cores=self._servers.service_cores,
        )
        return replace(resources, placement=replace(resources.placement, elsewhere=elsewhere))

    def trials(
        self,
        starts: Iterable[StartPlans],
        generator: str,
        listener: Listener,
        turns: tuple[int, Regimes] | None = None,
    ) -> Iterator[TrialRecord]:
        """See `Bench.trials`."""
        # Each start makes one trial: `shares_starts`.
        plans = chain.from_iterable(starts)
        if turns is not None:
            seed, regimes = turns
            yield from self._in_turns(plans, generator, listener, seed, regimes)
            return
        for plan in plans:
            began = now()
            try:
                self._renewed(listener)
                record, files = self._servers.ask("trial", plan, generator, listener=listener)
                keep_in(plan.run_folder, files)
            except (WorkerLost, WorkerFailure, Overdue) as error:
                self._servers.drop()
                yield _lost(plan, error, began)
                continue
            except BaseException:
                self._servers.drop()
                raise
            yield record

    def _in_turns(
        self,
        plans: Iterable[TrialPlan],
        generator: str,
        listener: Listener,
        seed: int,
        regimes: Regimes,
    ) -> Iterator[TrialRecord]:
        """All of them on the server's machine at once; what goes wrong there is the end of all."""
        begun: dict[int, tuple[TrialPlan, datetime]] = {}

        def plans_begun() -> Iterator[TrialPlan]:
            for plan in plans:
                begun[plan.index] = plan, now()
                yield plan

        given, over = plans_begun(), False
        try:
            try:
                self._renewed(listener)
                parts = self._servers.parts(
                    listener, given, "turns", generator, seed, regimes.notes
                )
                while True:
                    try:
                        record, files = next(parts)
                    except StopIteration as end:
                        regimes.only.note, over = end.value, True
                        return
                    keep_in(begun[record.index][0].run_folder, files)
                    del begun[record.index]
                    yield record
            except (WorkerLost, WorkerFailure, Overdue) as error:
                self._servers.drop()
                if not begun:
                    next(given, None)  # So that whoever waits for a trial learns of it.
                for plan, began in begun.values():
                    yield _lost(plan, error, began)
        finally:
            if not over:
                self._servers.drop()

    def sentinel(self, placement: Placement, block: int, temporary: Path) -> SentinelRecord | None:
        """See `Bench.sentinel`: of the server's machine alone."""
        try:
            record: SentinelRecord | None = self._servers.ask("sentinel", placement, block)
        except (WorkerLost, WorkerFailure):
            self._servers.drop()
            return None
        return record

    def _renewed(self, listener: Listener) -> None:
        """See that all machines are there. Raises `WorkerLost`, `UserError` where too few are."""
        for told in self._servers.ask("renew"):
            listener(Noted(text=told))


def _lost(plan: TrialPlan, error: Exception | Overdue, began: datetime) -> TrialRecord:
    """The record of a trial that went with its machine."""
    late = "it did not finish in time and was stopped on all machines"
    reason = late if isinstance(error, Overdue) else str(error)
    return record_of(plan, TrialState(began=began, status="error", reason=reason))
