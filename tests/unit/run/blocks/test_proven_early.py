"""A lie that is proven by a trial whose figures do not count is held against its server all the
same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from support.planned_run import a_context
from support.small_study import a_study, a_trial
from support.topologies import topology_of
from unit.run.blocks.test_load_fitting import a_study as a_fitted_study
from webdyno.catalog import StudyManifest
from webdyno.run.bench.bench import Bench
from webdyno.run.bench.server_resources import ServerResources
from webdyno.run.blocks.context import RunContext
from webdyno.run.blocks.generator_cores import CellPlacements
from webdyno.run.blocks.make_blocks import make_blocks
from webdyno.run.preparation.servers import ReadyServer
from webdyno.runtime.builds.build import Build
from webdyno.runtime.machine.place import PlacementRequest, place
from webdyno.runtime.machine.share import Share
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import CpuUse, TrialRecord
from webdyno.trial.events import Listener
from webdyno.trial.life import StartPlans

LIE = "1 of 3000 answers repeats an earlier one"


class AsTold(Bench):
    """Makes up the trials: `liar`, an entry, lies once, in its first trial; `limited` is the
    generator's busiest thread while it has one core."""

    def __init__(self, liar: str, limited: float = 0.2) -> None:
        self.liar, self.limited = liar, limited
        self.made: list[tuple[str, str, int]] = []

    def trials(
        self, starts: Iterable[StartPlans], generator: str, listener: Listener, turns: Any = None
    ) -> Iterator[TrialRecord]:
        del generator, listener, turns
        for plan in (plan for start in starts for plan in start):
            cores = plan.placement.generator_threads
            made = a_trial(
                plan.server_variant.server.id, plan.block, 1000.0, control=plan.control,
                index=plan.index, load=plan.load.label(), bottleneck="generator-bound",
                placement=plan.placement.describe(), scenario=plan.title,
            )  # fmt: skip
            assert made.measurement is not None
            made.measurement.cpu["generator"] = CpuUse(
                user_s=1.0, system_s=0.0, cores=cores, share=0.2,
                busiest_thread_share=self.limited if cores == 1 else 0.2,
            )  # fmt: skip
            if made.entry == self.liar and self.liar not in {entry for entry, *_ in self.made}:
                made = made.model_copy(update={"status": "failed", "lie": LIE, "reason": LIE})
            self.made.append((made.entry, made.load, made.block))
            yield made


def made_by(bench: Bench, study: StudyManifest, folder: Path) -> RunContext:
    """The run of `study` on a machine of eight processors."""
    context = a_context(study, folder)
    request = PlacementRequest()
    context.placement = place(request=request, topology=topology_of("cloud-8-vcpu"))
    context.placements = CellPlacements(ServerResources(request, context.placement, Share()))
    context.bench, context.sources = bench, defaultdict(dict)
    context.ready = defaultdict(lambda: ReadyServer(cast(Build, None), {}))
    context.store.save_run(context.run)
    make_blocks(context)
    return context


def test_a_wider_generator_does_not_undo_the_proof_of_a_lie(tmp_path: Path) -> None:
    load = {"kind": "closed", "connections": 8, "duration": "1s", "slice": "100ms"}
    study = a_study(
        scenarios=["json"], loads=[load], metrics=["throughput_rps"], sentinel=False, control=""
    )
    bench = AsTold("go/gin", limited=0.97)
    context = made_by(bench, study, tmp_path)
    assert [one.measured_anew for one in context.run.grown] == [len(study.servers) - 1]
    found = context.store.run("r").trials
    assert list(disqualifications(found)) == [("json", "go/gin")]
    # It is not measured again; the others are, and nothing of before is left of them.
    times = Counter(entry for entry, _, block in bench.made if block == 0)
    assert times == {entry: 1 + (entry != "go/gin") for entry in study.servers}
    wider = context.run.grown[0].placement
    assert {trial.placement == wider for trial in found if trial.entry != "go/gin"} == {True}
    assert {entry for entry, _, block in bench.made if block} == {*study.servers} - {"go/gin"}


def test_a_lie_in_the_trial_that_fits_a_load_counts(tmp_path: Path) -> None:
    study = a_fitted_study().model_copy(update={"sentinel": False})
    bench = AsTold("node/http")
    context = made_by(bench, study, tmp_path)
    found = context.store.run("r").trials
    assert list(disqualifications(found)) == [("json", "node/http")]
    (kept,) = (trial for trial in found if trial.entry == "node/http")
    assert (kept.load, kept.block, kept.measurement) == ("spike", 0, None)
    assert [load for entry, load, _ in bench.made if entry == "node/http"] == ["calibration"]
    assert context.run.fitted_loads is not None
    assert "node/http" not in context.run.fitted_loads[0].carried_rps
    (left,) = (one for one in context.run.verdicts[0].not_ranked if one.kind == "disqualified")
    assert left.entry == "node/http"
