"""What a head can ask of the machine that runs its servers."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Self

from webdyno.catalog.studies.study import StudyManifest
from webdyno.cluster.agents.cluster import Cluster, connected
from webdyno.cluster.far_servers.content import Content, File
from webdyno.cluster.far_servers.far_worker import FarWorker
from webdyno.cluster.far_servers.run_files import files_in
from webdyno.cluster.far_servers.service_works import ServiceWorks
from webdyno.cluster.far_servers.services import FarServices
from webdyno.cluster.load.loaders import Loaders
from webdyno.cluster.machines import membership
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.reach import Reach
from webdyno.errors import UserError
from webdyno.generators.registry import generator_named
from webdyno.run.bench.bench import Bench
from webdyno.run.bench.server_resources import ServerResources, server_resources
from webdyno.run.preparation.needs import check_needs
from webdyno.run.preparation.servers import PreparedServers, ReadyServer
from webdyno.run.study.plan import Cell, Entry
from webdyno.runtime.home import Home
from webdyno.runtime.machine.facts import MachineFacts
from webdyno.runtime.machine.placement import Placement
from webdyno.store.records import BuildTimesRecord, TrialRecord
from webdyno.store.verdicts import SentinelRecord
from webdyno.trial.events import Event
from webdyno.trial.life import run_trial
from webdyno.trial.plan import TrialPlan
from webdyno.trial.site import Site
from webdyno.trial.turn_taking.regime import Regimes
from webdyno.trial.turns import run_in_turns

Tell = Callable[[str, Any], None]


class Works(ServiceWorks):
    """The methods are named as the head asks for them; each gives what `run.bench` does."""

    def __init__(self, address: str, tell: Tell, hear: Callable[[], Any]) -> None:
        """`tell` tells the head something of a kind, `hear` gives what it answers to a question."""
        super().__init__(address, Home.default())
        self._tell, self._hear = tell, hear
        self._bench = Bench()
        self._held = ExitStack()
        self._loaders: Loaders | None = None
        self._services: FarServices | None = None
        self._connection: Cluster | None = None

    def __enter__(self) -> Self:
        super().__enter__()
        self._content = Content(self._temporary / "content")
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def machine(self, noise: bool) -> MachineFacts:
        """See `Bench.machine`."""
        return self._bench.machine(noise)

    def content(self, files: Sequence[File]) -> None:
        """Take the study's sources."""
        self._content.unpack(files)

    def loaders(self, generators: Sequence[str]) -> int:
        """Let these machines make the loads; gives the threads of each."""
        member, cluster = self._cluster()
        self._loaders = self._held.enter_context(Loaders(member, cluster, generators))
        return self._loaders.threads

    def renew(self) -> list[str]:
        """See `Loaders.renew`."""
        return self._loaders.renew() if self._loaders else []

    def services(self, address: str) -> int:
        """Let the machine at `address` hold the services; gives its cores. Raises `UserError` where
        it is not in the cluster."""
        member, cluster = self._cluster()
        there = [node for node in cluster.nodes() if node.address == address]
        if not there:
            raise UserError(
                f"the machine {address} is not in the cluster; run `webdyno machines join` there"
            )
        worker = FarWorker(cluster.agents(there), member, address, "service")
        self._held.callback(worker.close)
        self._services = FarServices(worker, self._address)
        return Reach(member).facts(address).machine.cores

    def check(self, cells: Sequence[Cell]) -> None:
        """See `Bench.check`."""
        # Not all of it: the load is made elsewhere.
        check_needs([self._cell(cell) for cell in cells], self._temporary)

    def prepare(self, entries: Sequence[Entry]) -> PreparedServers:
        """See `Bench.prepare`."""
        here = [self._entry(entry) for entry in entries]
        return self._bench.prepare(here, self._home.builds, self._listener)

    def measure_builds(
        self, entries: Sequence[Entry], ready: Mapping[str, ReadyServer]
    ) -> list[BuildTimesRecord]:
        """See `Bench.measure_builds`."""
        here = [self._entry(entry) for entry in entries]
        return self._bench.measure_builds(here, ready, self._temporary, self._listener)

    def changed_builds(self, ready: Mapping[str, ReadyServer]) -> dict[str, str]:
        """See `Bench.changed_builds`."""
        return self._bench.changed_builds(ready)

    def server_resources(self, study: StudyManifest, with_services: bool) -> ServerResources:
        """See `Bench.server_resources`: all cores are the server's but one, to watch from."""
        return server_resources(study, with_services, generator_cores=1)

    def sentinel(self, placement: Placement, block: int) -> SentinelRecord | None:
        """See `Bench.sentinel`."""
        return self._bench.sentinel(placement, block, self._temporary)

    def trial(self, plan: TrialPlan, generator: str) -> tuple[TrialRecord, dict[str, bytes]]:
        """Make one trial; also gives the files that it left in its run's folder, by their paths."""
        here = self._here(plan)
        try:
            record = run_trial(here, generator_named(generator), self._listener)
            return record, files_in(here.run_folder)
        finally:
            shutil.rmtree(here.run_folder, ignore_errors=True)

    def turns(self, generator: str, seed: int, whole: dict[str, str]) -> str:
        """Make trials in turns, of the plans that the head gives when it is asked for the next;
        each is told as it ends, as `trial` gives it. Gives the note of their regime; `whole` says
        by the load's label why there are no turns, where that is known beforehand."""
        regimes, folders = Regimes(whole), {}

        def plans() -> Iterator[TrialPlan]:
            while True:
                self._tell("want", None)
                if (plan := self._hear()) is None:
                    return
                here = self._here(plan)
                folders[here.index] = here.run_folder
                yield here

        by = generator_named(generator)
        try:
            starts = (iter([plan]) for plan in plans())
            for record in run_in_turns(starts, by, self._listener, seed, regimes):
                folder = folders[record.index]
                self._tell("trial", (record, files_in(folder)))
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            for folder in folders.values():
                shutil.rmtree(folder, ignore_errors=True)
        return regimes.only.note

    def _listener(self, event: Event) -> None:
        self._tell("event", event)

    def _here(self, plan: TrialPlan) -> TrialPlan:
        """The plan as it is made on this machine."""
        assert self._loaders is not None
        server_variant = replace(
            plan.server_variant, server=self._content.server(plan.server_variant.server)
        )
        return replace(
            plan,
            server_variant=server_variant,
            scenario=self._content.scenario(plan.scenario),
            run_folder=self._temporary / f"run-{plan.index}",
            temporary=self._temporary,
            site=self._site(self._loaders),
        )

    def _cluster(self) -> tuple[Membership, Cluster]:
        member = membership.current(self._home.root)
        if member is None:
            raise UserError(f"{self._address} has left the cluster; join it again")
        if self._connection is None:
            self._connection = self._held.enter_context(connected(member))
        return member, self._connection

    def _site(self, loaders: Loaders) -> Site:
        site = Site(address=self._address, make_load=loaders.load)
        if self._services is None:
            return site
        far = self._services
        return replace(site, start_service=far.start, bring_in=far.bring_in, observe=far.observe)

    def _entry(self, entry: Entry) -> Entry:
        server_variant = entry.server_variant
        server = self._content.server(server_variant.server)
        return replace(entry, server_variant=replace(server_variant, server=server))

    def _cell(self, cell: Cell) -> Cell:
        return replace(cell, scenario=self._content.scenario(cell.scenario))
