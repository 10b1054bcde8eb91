"""A comparison, from the request to the answer."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from webdyno.ab.conclusion.answer import ComparisonAnswer, answer_of
from webdyno.ab.conclusion.answer_differences import differences_told
from webdyno.ab.conclusion.broken import is_broken_for_good
from webdyno.ab.findings import build_and_ask
from webdyno.ab.flags import refuse_short_budget
from webdyno.ab.request.description import Assumption, assumed, describe, described_in
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.ab.running.comparison import RunningComparison
from webdyno.ab.running.listeners import ListeningService, running
from webdyno.ab.study.lab_failures import check_lab_failures
from webdyno.ab.study.lengths import too_short
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.study.port_conflicts import check_port_conflicts
from webdyno.ab.study.proof import NAME, check_services
from webdyno.ab.versions.development import of_development
from webdyno.ab.versions.outside import check_place, shared_modules, shared_packages
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.descriptions.description import FILE, Description
from webdyno.catalog.servers.server import Server
from webdyno.errors import UserError
from webdyno.redaction import without_secrets
from webdyno.run.record.keeping import new_run
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.runtime.disk import check_room
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.store.records import RunRecord, now
from webdyno.store.store import Store
from webdyno.trial.events import Listener, Noted
from webdyno.words import duration

UNANNOUNCED_S = 10.0
"""What builds and verification may take before it is announced."""


@dataclass(frozen=True)
class ComparisonResult:
    """A comparison that was made; `run` is None where two running services were compared."""

    answer: ComparisonAnswer
    run: RunRecord | None = None
    interrupted: bool = False
    """Whether the user ended it."""


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
    ab_folder = temporary / "ab"
    ab_folder.mkdir(parents=True, exist_ok=True)
    catalog = Catalog()
    description, versions = resolve(request, catalog, ab_folder)
    check_services(description)
    refuse_short_budget("budget", description.budget)
    pair = pairing(description, versions, catalog, ab_folder, described_in(request, versions))
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
    findings = build_and_ask(pair, home, temporary, listener, request.cwd)
    for line in (*differences_told(findings.compared), *findings.differences):
        listener(Noted(text=line))
    pair = replace(pair, cautions=(*pair.cautions, *findings.differences, *findings.again))
    if findings.broken:
        run = _not_run(pair, home, store)
    else:
        spent_s = time.monotonic() - began
        left_s = measuring_budget_s(description.budget, spent_s)
        if spent_s >= UNANNOUNCED_S:
            listener(Noted(text=preparation_note(description.budget, spent_s, left_s)))
        pair = replace(pair, study=pair.study.model_copy(update={"budget": left_s}))
        run = run_study(
            pair.study,
            RunEnvironment(pair.catalog, home, store, listener),
            RunSettings(everybody=True, stop_when=partial(is_broken_for_good, pair)),
        )
    check_port_conflicts(pair, run)
    check_lab_failures(pair, run)
    answer = answer_of(pair, run, findings.compared, findings.broken)
    return ComparisonResult(answer, run, interrupted=run.status == "interrupted")


def _cautions(pair: Pairing, servers: Sequence[Server], assumption: Assumption) -> Iterator[str]:
    """What may be wrong with how the versions are built and started, a sentence each."""
    folders = [version.folder for version in pair.versions]
    runs = zip((server.manifest.run for server in servers), folders, strict=True)
    development = dict.fromkeys(
        of_development(run.command, run.env, folder) for run, folder in runs
    )
    if assumption.of_development:
        development = {}  # As the manifest's own start command is told.
    builds = [server.manifest.build for server in servers]
    shared = shared_packages(builds, folders), shared_modules(builds, folders)
    yield from filter(None, (assumption.sentence, *development, *shared))


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
    _check_paths(request, services, description)
    refuse_short_budget("budget", description.budget)
    comparison = RunningComparison(
        services, description, folder, lambda text: listener(Noted(text=text)), request.flags.status
    )
    answer = comparison.run()
    return ComparisonResult(answer, interrupted=comparison.interrupted)


def _check_paths(
    request: PairRequest, services: Sequence[ListeningService], description: Description
) -> None:
    """Raise `UserError` for a URL with a path of which no request that is named is a GET: it would
    not be made."""
    # Of a URL without a path, this is the path.
    requested = {"/", *(one.path for one in description.templates() if one.method == "GET")}
    unrequested = next((one.path for one in services if one.path not in requested), "")
    if unrequested and description.requests:
        source = "--request" if request.flags.requests else str(request.file or FILE)
        path = without_secrets(unrequested)
        raise UserError(
            f"--url: 'GET {path}' would not be requested, since {source} names the requests; give "
            f"URLs without a path, or add --request 'GET {path}'"
        )


def _not_run(pair: Pairing, home: Home, store: Store) -> RunRecord:
    """The record of a comparison in which nothing was measured."""
    run = new_run(pair.study, home, None)
    run.status, run.finished = "finished", now()
    store.save_run(run)
    return run
