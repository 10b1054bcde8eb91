"""Finds the truth, makes the runs, and compares them; what is known so far is always written."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import webdyno
from benchmarks.verdicts.compare import Compared, Counts, compared
from benchmarks.verdicts.long_load import LongLoad, long_loads
from benchmarks.verdicts.page import page
from benchmarks.verdicts.ratio import LogRatio, over_lives, paired
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.bench.server_resources import server_resources
from webdyno.run.preparation.servers import prepare
from webdyno.run.study.plan import cells_of, entries_of, seed_of
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.trial.events import silent
from webdyno.trial.plan import TrialPlan

METRIC = "throughput_rps"


@dataclass(frozen=True)
class ExaminationOptions:
    """What is examined. Times in seconds."""

    servers: tuple[str, ...]
    against: str
    scenario: str
    seconds: float
    turn_s: float
    together: int
    """Servers that are loaded in turns with `against`."""
    lives: int
    budget: str
    one_run: bool
    """All servers in one run, rather than each with `against` in one of its own."""
    neighbour: float
    out: Path

    @property
    def others(self) -> list[str]:
        """All but the one that they are compared with."""
        return [server for server in self.servers if server != self.against]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Who is loaded in turns with whom: `against` is in every group."""
        rest = self.others
        size = math.ceil(len(rest) / math.ceil(len(rest) / self.together))
        return [(self.against, *rest[at : at + size]) for at in range(0, len(rest), size)]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What the runs compare."""
        if self.one_run:
            return [(b, a) for a, b in itertools.combinations([self.against, *self.others], 2)]
        return [(server, self.against) for server in self.others]

    @property
    def studies(self) -> list[list[str]]:
        """The servers of each run. The first one is its A/A control."""
        if self.one_run:
            return [[self.against, *self.others]]
        return [[self.against, server] for server in self.others]

    @property
    def load_s(self) -> float:
        """Of all long loads together, without starting the servers."""
        return self.lives * self.seconds * sum(len(group) for group in self.groups)


@dataclass
class Examination:
    """What is known so far."""

    options: ExaminationOptions
    loads: list[dict[str, LongLoad]] = field(default_factory=list)
    """Of each group and life."""
    pairs: list[Compared] = field(default_factory=list)
    stopped: bool = False
    """By an interrupt."""

    def truth(self, server: str, to: str) -> LogRatio | None:
        """The ratio by the long loads: of rounds that had both, else by way of what each was
        measured beside; None where one of them was not."""
        if beside := [group for group in self.loads if _has(group, server, to)]:
            return over_lives([paired(g[server].rates, g[to].rates) for g in beside])
        common = self.options.against
        if common in (server, to):
            return None
        mine, theirs = self.truth(server, common), self.truth(to, common)
        return None if mine is None or theirs is None else mine - theirs

    def write(self) -> str:
        """Write all of it, and give the page."""
        out, options = self.options.out, self.options
        text_of_page = page(
            f"Verdicts of {options.scenario} beside long loads", self.pairs, self.loads
        )
        (out / "verdicts.md").write_text(f"{text_of_page}\n")
        figures = {
            "asked": asdict(options),
            "pairs": [asdict(pair) for pair in self.pairs],
            "all": asdict(Counts.of(self.pairs)),
            "settled": asdict(Counts.of([pair for pair in self.pairs if pair.settled])),
            "false_words": sum(pair.holds is False for pair in self.pairs),
            "long_loads": [{name: asdict(one) for name, one in g.items()} for g in self.loads],
            "stopped": self.stopped,
        }
        text = json.dumps(_plain(figures), indent=1, default=str)
        (out / "verdicts.json").write_text(f"{text}\n")
        return text_of_page


def examine(options: ExaminationOptions) -> Examination:
    """Measure everything. Raises `UserError` for what cannot be asked."""
    options.out.mkdir(parents=True, exist_ok=True)
    found = Examination(options)
    # All at first: whoever cannot be built is told before an hour of measuring.
    plans = _plans(options, webdyno.load_study(options.scenario, servers=list(options.servers)))
    for life in range(options.lives):
        for group in options.groups:
            those = [plans[server] for server in group if server in plans]
            print(f"long load, life {life + 1}: {', '.join(group)} …", flush=True)
            found.loads.append(long_loads(those, options.seconds, options.turn_s))
            found.write()
    for servers in options.studies:
        print(f"run: {', '.join(servers)} …", flush=True)
        study = webdyno.load_study(options.scenario, servers=servers, budget=options.budget)
        record = webdyno.run_study(study).record
        found.stopped = record.status == "interrupted"
        verdict = next((v for v in record.verdicts if v.metric == METRIC), None)
        for pair in options.pairs:
            if set(pair) <= set(servers):
                known = found.truth(*pair)
                truth = known.interval() if known else None
                found.pairs.append(compared(verdict, pair, record.id, truth))
        found.write()
        if found.stopped:
            break
    return found


def _plans(options: ExaminationOptions, study: StudyManifest) -> dict[str, TrialPlan]:
    """A plan for each server that can be built, with what a run would give it."""
    catalog, home = webdyno.Catalog(), Home.default()
    entries, skipped = entries_of(study, catalog)
    entries = [entry for entry in entries if not entry.control]
    ready, unavailable = prepare(entries, home.builds, silent)
    for left_out in [*skipped, *unavailable]:
        print(f"without {left_out.server}: {left_out.reason}", flush=True)
    cell = next((c for c in cells_of(study, catalog) if isinstance(c.load, Closed)), None)
    if cell is None:
        raise UserError(f"study {study.name} has no closed load; name one that has")
    where = server_resources(study, with_services=False)
    return {
        entry.label: TrialPlan(
            run_id="long-load",
            index=number,
            block=0,
            order=number,
            server_variant=entry.server_variant,
            control=False,
            build=ready[entry.server_variant.server.id].build,
            scenario=cell.scenario,
            load=cell.load,
            placement=where.placement,
            warmup=entry.server_variant.server.warmup_of(study.warmup),
            seed=seed_of("long-load", number),
            run_folder=options.out,
            temporary=private_folder(home.temporary),
            parameters=cell.parameters.parameters,
            share=where.share,
        ).settled()
        for number, entry in enumerate(entries)
        if entry.server_variant.server.id in ready
    }


def _has(group: dict[str, LongLoad], *servers: str) -> bool:
    return all(server in group and not group[server].failed for server in servers)


def _plain(value: Any) -> Any:
    """Without infinities, which JSON does not know."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
