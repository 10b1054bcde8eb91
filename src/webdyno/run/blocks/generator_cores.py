"""A generator that is the limit takes more cores, for all servers of the cell alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from webdyno.run.bench.server_resources import ServerResources
from webdyno.run.study.plan import Cell
from webdyno.runtime.machine.place import place, with_more_generator_cores
from webdyno.runtime.machine.placement import Placement
from webdyno.store.records import GrownRecord, TrialRecord
from webdyno.verdict.limits.limit import NEAR


class CellPlacements:
    """The placement of each cell: that of the run, until the cell's generator needs more cores."""

    def __init__(self, resources: ServerResources, earlier: Iterable[GrownRecord] = ()) -> None:
        """`earlier` are the generators that a run which goes on had given more cores."""
        self._request = resources.request
        self._usual = resources.placement
        self._requests = {
            one.cell: replace(resources.request, generator_cores=one.generator_cores)
            for one in earlier
        }
        machine = resources.placement.machine
        self._placements = {
            key: place(request=request, topology=machine) for key, request in self._requests.items()
        }

    def placement(self, cell: Cell) -> Placement:
        """Where the cell's trials run."""
        return self._placements.get(cell.key, self._usual)

    def widen(self, cell: Cell, trials: Sequence[TrialRecord]) -> GrownRecord | None:
        """Give the cell's generator more cores where one of `trials`, all of its block, shows that
        it is the limit; None where none does, or the server must keep the rest."""
        if self._usual.elsewhere is not None:  # More machines are the user's to add.
            return None
        if cell.load.method != "sound" or not any(map(at_its_limit, trials)):
            return None
        before, key = self.placement(cell), cell.key
        request = with_more_generator_cores(
            before, self._requests.get(key, self._request), cell.load.cores
        )
        # Threads of a number that the study gives may have cores enough.
        chosen_threads = cell.load.threads
        if request is None or (
            chosen_threads is not None and chosen_threads <= before.generator_threads
        ):
            return None
        self._requests[key] = request
        self._placements[key] = place(request=request, topology=before.machine)
        return GrownRecord(
            scenario=key[0],
            load=key[1],
            generator_cores=request.generator_cores or before.generator_threads,
            placement=self._placements[key].describe(),
        )


def at_its_limit(trial: TrialRecord) -> bool:
    """Whether the trial shows a generator that had, or nearly had, nothing left to give."""
    if trial.measurement is None or trial.limit in ("server-bound", "one-thread", "offered-load"):
        return False
    use = trial.measurement.cpu["generator"]
    share = use.share if use.busiest_thread_share is None else use.busiest_thread_share
    return share >= NEAR
