"""Where a run's servers are built and its trials are made: on this machine, unless by others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from webdyno.catalog.studies.study import StudyManifest
from webdyno.generators.registry import generator_named
from webdyno.run.bench import observe
from webdyno.run.bench.server_resources import ServerResources, server_resources
from webdyno.run.preparation import servers, timed_builds
from webdyno.run.preparation.needs import check_files, check_needs
from webdyno.run.preparation.servers import PreparedServers, ReadyServer
from webdyno.run.study.plan import Cell, Entry
from webdyno.runtime.machine.facts import MachineFacts
from webdyno.runtime.machine.placement import Placement
from webdyno.store.hardware import StoredMachines
from webdyno.store.records import BuildTimesRecord, TrialRecord
from webdyno.store.verdicts import SentinelRecord
from webdyno.trial.events import Listener
from webdyno.trial.life import StartPlans, run_start
from webdyno.trial.sentinel import run_sentinel
from webdyno.trial.turn_taking.regime import Regimes
from webdyno.trial.turns import run_in_turns


def services_of(cells: Sequence[Cell]) -> set[str]:
    """The services that `cells` need."""
    return {service for cell in cells for service in cell.scenario.manifest.services}


class AdaptedStudy(NamedTuple):
    """A study as far as a bench can make it, and a line on what is left out; the line is empty
    where nothing is."""

    study: StudyManifest
    left_out: str = ""


class Bench:
    """This machine does it all. Whoever has others do it (`cluster.far_servers`) overrides."""

    shares_starts = True
    """Whether one start of a server can make trials of several loads."""

    def machine(self, noise: bool = True) -> MachineFacts:
        """The description of the machine that servers run on, its noise included or left out."""
        return observe.machine(noise)

    def machines(self) -> StoredMachines:
        """What machine does what, for the run's record; empty where this one does it all."""
        return StoredMachines()

    def adapted(self, study: StudyManifest) -> AdaptedStudy:
        """`study` as far as it can be made here. Raises `UserError` where nothing is left."""
        return AdaptedStudy(study)

    def check(self, cells: Sequence[Cell], folder: Path) -> None:
        """Raises `UserError` for what `cells` need and is not there."""
        check_files(cells)
        check_needs(cells, folder)

    def prepare(self, entries: list[Entry], builds: Path, listener: Listener) -> PreparedServers:
        """Build every server of `entries`."""
        return servers.prepare(entries, builds, listener)

    def measure_builds(
        self,
        entries: list[Entry],
        ready: Mapping[str, ReadyServer],
        temporary: Path,
        listener: Listener,
    ) -> list[BuildTimesRecord]:
        """How long each takes to build."""
        return timed_builds.measure_builds(entries, ready, temporary, listener)

    def changed_builds(self, ready: Mapping[str, ReadyServer]) -> dict[str, str]:
        """Of each build that was changed since it was made: what to tell, by its id."""
        return {
            id_: one.build.told_changed() for id_, one in ready.items() if one.build.is_changed()
        }

    def server_resources(self, study: StudyManifest, cells: Sequence[Cell]) -> ServerResources:
        """Cores and limits of each server, where `cells` are made. Raises `UserError`."""
        return server_resources(study, bool(services_of(cells)))

    def trials(
        self,
        starts: Iterable[StartPlans],
        generator: str,
        listener: Listener,
        turns: tuple[int, Regimes] | None = None,
    ) -> Iterator[TrialRecord]:
        """Make the trials of `starts`, one start after the other, or in turns with a seed and the
        regimes of their loads."""
        by = generator_named(generator)
        if turns is not None:
            yield from run_in_turns(starts, by, listener, *turns)
            return
        for plans in starts:
            yield from run_start(plans, by, listener)

    def sentinel(self, placement: Placement, block: int, temporary: Path) -> SentinelRecord | None:
        """Measure the machine that servers run on, once."""
        return run_sentinel(placement, block, temporary)


HERE = Bench()
