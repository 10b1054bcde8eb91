"""Whether honest servers are ever blamed: whole trials of them, beside a busy neighbour."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.proofs.plans import Pair, plan_of
from benchmarks.verdicts.neighbour import neighbour
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.generators.registry import generator_named
from webdyno.store.records import TrialRecord
from webdyno.trial.events import silent
from webdyno.trial.life import run_trial

WARM = Bounds(min=0.3, max=1.5, answers=200, cpu=0.3)
"""Long enough for a server to fill whatever it would keep; figures are nobody's concern here."""


@dataclass
class Told:
    """What became of the trials of one server at one scenario."""

    pair: Pair
    trials: int = 0
    claims: int = 0
    """Claims that were held against it, and held."""
    blamed: list[str] = field(default_factory=list)
    """What was said of it that is not true, since it is honest."""
    broken: list[str] = field(default_factory=list)
    """Trials that told nothing of it: it did not start, or a request was lost."""

    def learn(self, trial: TrialRecord) -> None:
        """Count a trial."""
        self.trials += 1
        self.claims += sum(claim.ok for claim in trial.evidence)
        if trial.lie or not all(claim.ok for claim in trial.evidence):
            self.blamed.append(trial.lie or trial.reason)
        elif trial.status != "ok":
            self.broken.append(trial.reason)


def examine(
    catalog: Catalog,
    pairs: Sequence[Pair],
    trials: int,
    load: Closed,
    share: float,
    temporary: Path,
    show: Callable[[str], None],
) -> list[Told]:
    """Make so many trials in all, of every pair in turn, in an order drawn anew for each turn."""
    told = {pair: Told(pair) for pair in pairs}
    with neighbour(share):
        for index, pair in enumerate(_turns(pairs, trials)):
            plan = plan_of(catalog, pair, load, index, temporary, WARM)
            trial = run_trial(plan, generator_named(load.generator), silent)
            told[pair].learn(trial)
            said = f": {trial.reason}" if trial.reason else ""
            show(f"{index + 1} of {trials}  {pair[1]}  {pair[0]}  {trial.status}{said}")
    return list(told.values())


def _turns(pairs: Sequence[Pair], trials: int) -> Iterable[Pair]:
    draw = random.Random()
    left: list[Pair] = []
    for _ in range(trials):
        left = left or draw.sample(pairs, len(pairs))
        yield left.pop()


def table(told: Iterable[Told]) -> list[str]:
    """As Markdown."""
    lines = ["| scenario | server | trials | claims that held | blamed | told nothing |"]
    lines += ["|---|---|--:|--:|--:|--:|"]
    for one in told:
        server, scenario = one.pair
        counts = f"{one.trials} | {one.claims} | {len(one.blamed)} | {len(one.broken)}"
        lines.append(f"| {scenario} | {server} | {counts} |")
    return lines
