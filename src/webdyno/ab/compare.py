"""A comparison from what was asked to its answer."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

from webdyno.ab.conclusion.answer import ComparisonAnswer, answer_of
from webdyno.ab.conclusion.answers import AnswersCompared, compare_answers, differences_told
from webdyno.ab.conclusion.broken import BrokenVersion, is_broken_for_good
from webdyno.ab.recognise.missing.build_remedy import remedy_of_build
from webdyno.ab.recognise.missing.uncopied_variables import uncopied_variables
from webdyno.ab.request.description import Assumption, assumed, describe, described_in
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.ab.running.comparison import RunningComparison
from webdyno.ab.running.listeners import running
from webdyno.ab.study.lengths import check_budget, too_short
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.study.port_conflicts import check_port_conflicts, remedy_of_conflict
from webdyno.ab.study.proof import NAME, check_services
from webdyno.ab.study.starting import remedy_of_start
from webdyno.ab.study.statuses import remedy_under_load
from webdyno.ab.versions.development import of_development
from webdyno.ab.versions.identical import identical_versions
from webdyno.ab.versions.outside import check_place, shared_modules, shared_packages
from webdyno.ab.versions.package_differences import other_package_differences, unchanged_dependency
from webdyno.ab.versions.version import Version
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.errors import UserError
from webdyno.report.numbers import duration
from webdyno.run.preparation.servers import ReadyServer, prepare
from webdyno.run.record.keeping import new_run
from webdyno.run.run_study import run_study
from webdyno.run.study.plan import Entry
from webdyno.run.verify import faults_of, prove
from webdyno.runtime.disk import check_room
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.runtime.services.registry import SERVICES
from webdyno.store.records import RunRecord, Skipped, TrialRecord, now
from webdyno.store.store import Store
from webdyno.trial.assessment.unanswered import is_unanswered
from webdyno.trial.events import Listener, Noted

TOLD_S = 10.0
"""What builds and proofs may take without a word."""


@dataclass(frozen=True)
class ComparisonResult:
    """A comparison that was made; `run` is None where two running services were compared."""

    answer: ComparisonAnswer
    run: RunRecord | None = None
    interrupted: bool = False
    """Whether the user ended it."""


@dataclass(frozen=True)
class PairFindings:
    """What was seen before anything was measured."""

    broken: list[BrokenVersion] = field(default_factory=list)
    compared: AnswersCompared = field(default_factory=lambda: AnswersCompared(0))
    differences: list[str] = field(default_factory=list)
    """Where the versions, or the dependency that was to differ, do not, and what else does; a
    sentence each."""
    again: list[str] = field(default_factory=list)
    """Which version was asked once more, and why; a sentence each."""


def compare(
    request: PairRequest,
    home: Home,
    store: Store,
    listener: Listener,
    on_pair: Callable[[Pairing], None],
) -> ComparisonResult:
    """Compare two versions. `on_pair` is called once both are known, before anything is built.

    Both are built and asked before the first measurement: a B that does not do its work is the
    answer. What that takes is part of the budget, which is the time that the user waits. An
    interrupt ends the run, and what it shows so far is the answer. Raises `UserError` for bad
    input, where a disk has too little room, where A cannot be built or does not do its work, and
    where the versions cannot be up at once.
    """
    began = time.monotonic()
    # Before git and builds fill what is left, and fail in words of their own.
    check_room(home.written)
    temporary = private_folder(home.temporary)
    own = temporary / "ab"
    own.mkdir(parents=True, exist_ok=True)
    catalog = Catalog()
    description, versions = resolve(request, catalog, own)
    check_services(description)
    check_budget(description)
    pair = pairing(description, versions, catalog, own, described_in(request, versions))
    servers = list(pair.catalog.pair.values())
    a, b = versions
    if (a.folder, a.added) != (b.folder, b.added):
        for server in servers:
            check_place(server.manifest.run.command, request.cwd.resolve())
    pair = replace(
        pair,
        cautions=tuple(_cautions(pair, servers, assumed(request, versions))),
        short=too_short(description, servers),
    )
    on_pair(pair)
    seen = _look(pair, home, temporary, listener, request.cwd)
    for line in (*differences_told(seen.compared), *seen.differences):
        listener(Noted(text=line))
    pair = replace(pair, cautions=(*pair.cautions, *seen.differences, *seen.again))
    if seen.broken:
        run = _not_run(pair, home, store)
    else:
        spent_s = time.monotonic() - began
        left_s = measuring_budget_s(description.budget, spent_s)
        if spent_s >= TOLD_S:
            listener(Noted(text=preparation_note(description.budget, spent_s, left_s)))
        pair = replace(pair, study=pair.study.model_copy(update={"budget": left_s}))
        run = run_study(
            pair.study, pair.catalog, home, store, listener=listener, everybody=True,
            enough=partial(is_broken_for_good, pair),
        )  # fmt: skip
    check_port_conflicts(pair, run)
    answer = answer_of(pair, run, seen.compared, seen.broken)
    return ComparisonResult(answer, run, interrupted=run.status == "interrupted")


def _cautions(pair: Pairing, servers: Sequence[Server], assumption: Assumption) -> Iterator[str]:
    """What may be wrong with how the versions are built and started, a sentence each."""
    folders = [version.folder for version in pair.versions]
    runs = zip((server.manifest.run for server in servers), folders, strict=True)
    told = dict.fromkeys(of_development(run.command, run.env, folder) for run, folder in runs)
    if assumption.of_development:
        told = {}  # As the manifest's own start command is told.
    builds = [server.manifest.build for server in servers]
    shared = shared_packages(builds, folders), shared_modules(builds, folders)
    yield from filter(None, (assumption.sentence, *told, *shared))


def measuring_budget_s(budget_s: float, spent_s: float) -> float:
    """Seconds to measure for, in whole ones: what is left of the budget, but half of it at least,
    since a comparison that had no time to measure says nothing."""
    return math.floor(max(budget_s / 2, budget_s - spent_s)) or budget_s


def preparation_note(budget_s: float, spent_s: float, left_s: float) -> str:
    """What builds and proofs took of the budget, in a sentence."""
    return (
        f"builds and verification took {duration(spent_s)}; {duration(left_s)} of the budget of "
        f"{duration(budget_s)} are for measuring"
    )


def compare_running(request: PairRequest, home: Home, listener: Listener) -> ComparisonResult:
    """Compare two running services. Raises `UserError`."""
    folder = private_folder(home.temporary) / "ab" / NAME
    services = [running(url) for url in request.urls]
    description = describe(request)
    check_budget(description)
    comparison = RunningComparison(
        services, description, folder, lambda text: listener(Noted(text=text)), request.flags.status
    )
    answer = comparison.run()
    return ComparisonResult(answer, interrupted=comparison.interrupted)


def _look(
    pair: Pairing, home: Home, temporary: Path, listener: Listener, cwd: Path | None = None
) -> PairFindings:
    """Build both versions, and ask both the same; `cwd` is the folder that one stands in.

    A is asked before B is built: a wrong command or port is mostly wrong in both.
    """
    entries = [Entry(pair.catalog.server_variant(reference)) for reference in pair.study.servers]
    listener(Noted(text="building both versions, unless their builds are kept"))
    built: dict[str, ReadyServer] = {}
    trials: list[TrialRecord] = []
    again: list[str] = []
    # A once more at the end: what then differs from its first answers changes by itself.
    for version, entry in zip(
        (*pair.versions, pair.versions[0]), (*entries, entries[0]), strict=True
    ):
        id_ = entry.server_variant.server.build_id
        if id_ not in built:
            ready, left_out = prepare([entry], home.builds, listener, tell=False)
            built |= ready
            if left_out:
                sound = [other.build.log for other in built.values()]
                lacking = _remedy_of_build(left_out[0], version, entry, cwd, sound)
                return _not_built(version, left_out[0], lacking)
        work = pair.catalog.scenario(NAME)
        trial = prove(entry.server_variant, work, built[id_], temporary)
        if is_unanswered(trial):
            told = f"{version.letter.upper()}: {trial.reason}"
            listener(Noted(text=f"{told}; it is asked once more"))
            again.append(f"{told}; it was asked once more and answered")
            trial = prove(entry.server_variant, work, built[id_], temporary)
        if trial.status != "ok" and (faults := list(faults_of(trial))):
            taken = remedy_of_conflict(faults[0])
            why = faults[0] + (
                taken
                or remedy_under_load(faults[0])
                + remedy_of_start(faults[0])
                + _not_copied(version, entry, cwd, pair.description.services)
            )
            why += _log_of(version.letter, trial, home)
            return _broken(version, why, "verification", is_of_b=not taken)
        trials.append(trial)
    of_a, of_b, of_a_again = (trial.asked for trial in trials)
    compared = compare_answers(of_a, of_a_again, of_b, pair.description.answers)
    builds = [built[entry.server_variant.server.build_id].build for entry in entries]
    a, b = (build.folder for build in builds)
    broken = [BrokenVersion("b", compared.fault)] if compared.fault else []
    servers = [entry.server_variant.server for entry in entries]
    differences = (
        unchanged_dependency(pair.versions, (a, b)),
        other_package_differences(pair.versions, (a, b)),
        identical_versions(pair.versions, servers, builds),
    )
    return PairFindings(broken, compared, [line for line in differences if line], again)


def _not_built(version: Version, left_out: Skipped, remedy: str = "") -> PairFindings:
    """What was seen of a B that cannot be built; `remedy` is what it lacked here. Raises
    `UserError` where A cannot, or where that is for what the machine, or a build of ab, lacks,
    which says nothing of B."""
    is_of_b = left_out.kind not in ("toolchain-missing", "packages-out-of-reach") and not remedy
    return _broken(version, f"{left_out.reason}{remedy}", "build", is_of_b)


def _remedy_of_build(
    left_out: Skipped, version: Version, entry: Entry, cwd: Path | None, good_logs: Sequence[Path]
) -> str:
    """What helps a build that failed since it has neither your environment nor a repository; as
    far as the logs of `good_logs` builds do not show that it needs none."""
    server = entry.server_variant.server
    env, folder = server.manifest.build.env, _own_folder(version, cwd)
    return remedy_of_build(left_out.reason, folder, server.source, env, good_logs)


def _not_copied(version: Version, entry: Entry, cwd: Path | None, services: Collection[str]) -> str:
    """Which variables the version may lack since git ignores the file that sets them, less those
    that it gets from its `services`."""
    server = entry.server_variant.server
    told = [name for one in services for name in SERVICES[one].variables.values()]
    known = {*server.manifest.run.env, *told}
    return uncopied_variables(_own_folder(version, cwd), server.source, known)


def _own_folder(version: Version, cwd: Path | None) -> Path:
    """Where files are that git ignores: of a commit, those in the folder `cwd` that one stands
    in."""
    return cwd if version.commit and cwd is not None else version.folder


def _broken(
    version: Version, reason: str, at: Literal["build", "verification"], is_of_b: bool = True
) -> PairFindings:
    """What was seen of a B that does not do its work. Raises `UserError` where A does not, or where
    what is wrong is not B's."""
    broken = BrokenVersion(version.letter, reason, at)
    if version.letter == "a" or not is_of_b:
        letter = version.letter.upper()
        raise UserError(f"{letter} ({version.name}) {broken.says}: {reason}")
    return PairFindings([broken])


def _log_of(letter: str, trial: TrialRecord, home: Home) -> str:
    """Where the end of its log is kept, which may say more than one line of it; empty where it
    wrote none. Each comparison has a file of its own."""
    if not trial.log_tail.strip():
        return ""
    folder = home.root / "failures"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}-ab-{letter}.log"
    path.write_text(f"{trial.log_tail}\n", encoding="utf-8")
    return f" (its log: {path})"


def _not_run(pair: Pairing, home: Home, store: Store) -> RunRecord:
    """The record of a comparison in which nothing was measured."""
    run = new_run(pair.study, home, None)
    run.status, run.finished = "finished", now()
    store.save_run(run)
    return run
