"""The check of all that is touched: built, proven, measured beside what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import computed_field

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.check.affected import affected_servers
from webdyno.check.changes import Changes
from webdyno.check.cpu_changes import CpuChange, measure_cpu_changes
from webdyno.check.former import (
    AffectedVariant,
    affected_variants,
    dropped_variants,
    former_catalog,
)
from webdyno.check.prose import ProseEdits
from webdyno.errors import UserError
from webdyno.run.budget.afterwards import needed_s
from webdyno.run.comparison.outcome import ComparisonOutcome
from webdyno.run.preparation.servers import MissingToolchain, toolchains_of
from webdyno.run.settings import RunEnvironment
from webdyno.run.verify import Progress, VerifyFinding, verify_chosen
from webdyno.runtime.home import Home
from webdyno.store.document import described
from webdyno.store.records import RunRecord
from webdyno.store.store import Store
from webdyno.trial.events import Event, Listener, PlanMade

SECONDS_A_CELL = 60.0
"""Of a server in a scenario: three blocks of both and the control, of servers that take seconds to
get warm."""


@described
@dataclass(frozen=True)
class CheckedRow:
    """A server in a scenario."""

    server: str
    """With its variant."""
    scenario: str
    """Empty where the server could not be built."""
    why: str
    """Why it is checked, such as `its own files`."""
    proof: Literal["proven", "failed", "skipped"]
    """Whether it does its work; skipped: it was left out."""
    detail: str = ""
    """Why it was not proven; else empty."""
    cpu: CpuChange | None = None
    """CPU time per request beside what it was; None where there is nothing to compare with."""
    beside: str = ""
    """Why there is nothing to compare with, in a word or two; else empty."""
    remedy: str = ""
    """What usually mends a server that failed so; empty where it is not known."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def outcome(self) -> ComparisonOutcome:
        """What it says of the whole."""
        if self.proof == "failed" or (self.cpu and self.cpu.outcome == "worse"):
            return "worse"
        open_ = self.proof == "skipped" or (self.cpu and self.cpu.outcome == "not settled")
        return "not settled" if open_ else "no worse"


@dataclass
class CheckResult:
    """Everything that was found since `changes.base`."""

    changes: Changes
    confidence: float
    margin: float
    rows: list[CheckedRow] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    dropped: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Scenarios that a server, which is still there, implements no more."""
    prose: list[str] = field(default_factory=list)
    """Parts of the content that were left out, since only their comments, descriptions and the like
    have changed."""
    runs: list[str] = field(default_factory=list)
    interrupted: bool = False
    needed_s: float = 0.0
    """The budget that would have carried all comparisons; 0 where it was enough."""

    @property
    def outcome(self) -> ComparisonOutcome:
        """The worst of all."""
        found = {row.outcome for row in self.rows}
        if "worse" in found:
            return "worse"
        return "not settled" if "not settled" in found else "no worse"


@dataclass(frozen=True)
class CheckSettings:
    """What is checked with. `budget_s` is for all that is measured; None: as long as it takes."""

    catalog: Catalog
    home: Home
    temporary: Path
    budget_s: float | None
    confidence: float
    margin: float


class VariantsToCheck(NamedTuple):
    """What has to be looked at, the servers and variants that are gone, and the parts of the
    content of which only the prose has changed."""

    variants: list[AffectedVariant]
    removed: list[str]
    prose: list[str]


def variants_to_check(changes: Changes, settings: CheckSettings) -> VariantsToCheck:
    """What the `changes` affect. Raises `UserError`; also where none of the content that can be
    checked is in their repository, in which case nothing would ever be found."""
    if not any(_holds_content(root, changes.top) for root in settings.catalog.roots):
        raise UserError(
            f"{changes.top}: this repository has no servers/ or scenarios/ to check; go to the "
            "one that has, or name their folder (webdyno --content DIR check …); `webdyno ab` "
            "compares two versions of a service"
        )
    found = affected_servers(changes.files, settings.catalog, _can_be_had)
    if not found.servers:
        return VariantsToCheck([], found.removed, [])
    former = former_catalog(changes, settings.catalog.roots, settings.temporary / "base")
    edits = ProseEdits(settings.catalog, former)
    found = affected_servers(edits.without(changes.files), settings.catalog, _can_be_had)
    variants = [one for each in found.servers for one in affected_variants(each, former)]
    return VariantsToCheck(variants, [*found.removed, *dropped_variants(variants)], edits.names)


def check_servers(
    changes: Changes,
    found: VariantsToCheck,
    settings: CheckSettings,
    open_store: Callable[[], Store],
    show: Callable[[VerifyFinding], None],
    progress: Progress,
    listener: Callable[[], Listener],
) -> CheckResult:
    """Build, prove and measure the variants that were `found`. Raises `UserError`."""
    variants = found.variants
    checked = CheckResult(
        changes, settings.confidence, settings.margin, removed=found.removed, prose=found.prose
    )
    checked.dropped = {one.today.server.id: one.dropped for one in variants if one.dropped}
    if not variants:
        return checked
    proofs = verify_chosen(
        [(one.today, one.scenarios) for one in variants],
        settings.catalog, settings.home, settings.temporary, show, progress,
    )  # fmt: skip
    proven = {(one.server, one.scenario) for one in proofs if one.outcome == "proven"}
    cells = {
        one.today.label: [
            name for name in one.scenarios
            if (one.today.label, name) in proven and one.compared(name)
        ]
        for one in variants
    }  # fmt: skip
    seen = _measured(checked, variants, cells, settings, open_store, listener)
    for one in variants:
        if one.unread:  # It was there, but nobody can tell whether it was faster.
            untold = CpuChange("not settled", reason=one.unread)
            seen |= {
                (one.today.label, name): untold
                for name in one.scenarios
                if (one.today.label, name) in proven
            }
    by_label = {one.today.label: one for one in variants}
    for proof in proofs:
        one = by_label[proof.server]
        cpu = seen.get((proof.server, proof.scenario))
        beside = "" if cpu or proof.outcome != "proven" else _why_not_compared(one)
        checked.rows.append(
            CheckedRow(
                proof.server,
                proof.scenario,
                one.why,
                proof.outcome,
                proof.detail,
                cpu,
                beside,
                "; ".join(proof.remedies),
            )
        )
    return checked


def _measured(
    checked: CheckResult,
    variants: Sequence[AffectedVariant],
    cells: dict[str, list[str]],
    settings: CheckSettings,
    open_store: Callable[[], Store],
    listener: Callable[[], Listener],
) -> dict[tuple[str, str], CpuChange]:
    compared = [one for one in variants if cells[one.today.label]]
    if not compared:
        return {}
    count = sum(map(len, cells.values()))
    each_s = SECONDS_A_CELL if settings.budget_s is None else settings.budget_s / count
    seen: dict[tuple[str, str], CpuChange] = {}
    store = open_store()
    for one in compared:
        label = one.today.label
        if checked.interrupted:
            skipped = CpuChange("not settled", reason="interrupted")
            seen |= {(label, name): skipped for name in cells[label]}
            continue
        run, found = measure_cpu_changes(
            one, cells[label],
            RunEnvironment(settings.catalog, settings.home, store, of_a_share(listener())),
            budget_s=each_s * len(cells[label]),
            confidence=1 - (1 - settings.confidence) / len(compared),
            margin=settings.margin,
        )  # fmt: skip
        seen |= {(label, name): change for name, change in found.items()}
        if run is not None:
            checked.needed_s = max(checked.needed_s, _needed_s(run, each_s * count))
            checked.runs.append(run.id)
            checked.interrupted = run.status == "interrupted"
    return seen


def of_a_share(listener: Listener) -> Listener:
    """Of a run with a share of the check's budget, which is told at the end if it was too short:
    the --budget that would carry this run alone is not the user's to give."""

    def listen(event: Event) -> None:
        listener(replace(event, advises=False) if isinstance(event, PlanMade) else event)

    return listen


def _needed_s(run: RunRecord, budget_s: float) -> float:
    """The budget of the whole check with which `run` would have got what all of it takes; 0 where
    its share of `budget_s`, which grows with that, was enough."""
    return budget_s * needed_s(run) / run.plan.budget_s if run.plan else 0.0


def _why_not_compared(variant: AffectedVariant) -> str:
    return "same program" if variant.same else "new"


def _holds_content(root: Path, top: Path) -> bool:
    """Whether `root`, which lies in the repository at `top`, has what a check looks at."""
    return root.resolve().is_relative_to(top.resolve()) and any(
        (root / name).is_dir() for name in ("servers", "scenarios")
    )


def _can_be_had(server: Server) -> bool:
    if server.manifest.status != "ok":
        return False
    try:
        toolchains_of(server)
    except MissingToolchain:
        return False
    return True
