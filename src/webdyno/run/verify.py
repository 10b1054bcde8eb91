"""Proof without a ranking: a short trial of each server at each scenario.

A trial's figures are thrown away; what it proves is all that a study's trial would: the verifier's
questions before and after a load, the manifest's checks on every answer of the load while its state
moves, the audit of its samples, and the state of the services afterwards.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.errors import UserError
from webdyno.generators.job import fresh_seed
from webdyno.generators.registry import generator_named
from webdyno.printable import one_line
from webdyno.run.preparation.servers import MissingToolchain, ReadyServer, prepare_server
from webdyno.runtime.builds.build import PackagesOutOfReach
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import place
from webdyno.runtime.processes.process import LaunchError
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for
from webdyno.store.records import EvidenceRecord, TrialRecord
from webdyno.trial.events import silent
from webdyno.trial.life import run_trial
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import verifier_class
from webdyno.trial.site import site_of
from webdyno.trial.watching.stalls import STOOD
from webdyno.verdict.integrity import FAILED_KINDS, ended_first

# As published: without a warm-up, since no figure of it is kept.
LOAD = Closed(kind="closed", name="proof", connections=4, duration=0.5, method="as-published")
"""What each server is put under while its answers are checked."""

PATIENT_S = 6.0
"""How long that lasts for a server that needs longer for an answer."""

UNTIDY = ("did-not-stop", "left-processes", "left-files", "port-still-open")
"""Flags of a trial that are faults of the server, though no measurement suffers from them."""

_OF_FIGURES = frozenset({"counts", "quantiles", "throughput", "littles-law", STOOD})
"""Flags that forbid to rank a figure, of which a proof keeps none."""

Step = Literal["build", "prove"]
Progress = Callable[[Step, str, int, int], None]
"""Told before each step: its kind, what it is about, its place, and how many there are."""


@dataclass(frozen=True)
class VerifyFinding:
    """What was seen of one server under one scenario."""

    server: str
    scenario: str
    outcome: Literal["proven", "failed", "skipped"]
    detail: str = ""
    evidence: list[EvidenceRecord] = field(default_factory=list)
    log: str = ""
    """The last lines that a server which failed has printed, but for what `detail` tells."""

    @property
    def remedies(self) -> list[str]:
        """What to change in the server, as far as the claims that failed tell."""
        return [claim.remedy for claim in self.evidence if claim.remedy]


Chosen = Sequence[tuple[ServerVariant, Sequence[str]]]
"""Whom to build, and what to prove of each."""


def _nothing(_step: Step, _what: str, _place: int, _of: int) -> None:
    """Shows no progress."""


def verify_servers(
    references: list[str],
    scenario: str | None,
    catalog: Catalog,
    home: Home,
    temporary: Path,
    show: Callable[[VerifyFinding], None],
    progress: Progress = _nothing,
) -> list[VerifyFinding]:
    """Verify each of `references` (all servers where empty) under each scenario it implements.

    Only servers that implement `scenario`, where it is given, are built. Raises `UserError` where
    nothing is left to verify, or where a verifier cannot do its part.
    """
    chosen = _chosen(references, scenario, catalog)
    return verify_chosen(chosen, catalog, home, temporary, show, progress)


def verify_chosen(
    chosen: Chosen,
    catalog: Catalog,
    home: Home,
    temporary: Path,
    show: Callable[[VerifyFinding], None],
    progress: Progress = _nothing,
) -> list[VerifyFinding]:
    """Verify each server or variant of `chosen` under the scenarios beside it. A finding without a
    scenario is about its build. Raises `UserError` where a verifier cannot do its part."""
    for name in dict.fromkeys(name for _, names in chosen for name in names):
        verifier_class(catalog.scenario(name), {})
    findings: list[VerifyFinding] = []

    def report(finding: VerifyFinding) -> None:
        findings.append(finding)
        show(finding)

    proofs, done = sum(len(names) for _, names in chosen), 0
    for place_, (server_variant, names) in enumerate(chosen, 1):
        manifest = server_variant.server.manifest
        if manifest.status == "unbuildable":
            report(
                VerifyFinding(
                    server_variant.label, "", "skipped", f"unbuildable: {manifest.reason}"
                )
            )
            continue
        progress("build", server_variant.label, place_, len(chosen))
        try:
            ready = prepare_server(server_variant.server, home.builds, silent)
        except (MissingToolchain, PackagesOutOfReach) as error:
            report(VerifyFinding(server_variant.label, "", "skipped", str(error)))
            continue
        except (BuildError, LaunchError) as error:
            report(VerifyFinding(server_variant.label, "", "failed", str(error)))
            continue
        finally:
            done += len(names)
        for index, name in enumerate(names, 1):
            at = done - len(names) + index
            progress("prove", f"{server_variant.label} at {name}", at, proofs)
            report(_verify(server_variant, catalog.scenario(name), ready, temporary))
    return findings


def _chosen(references: Sequence[str], scenario: str | None, catalog: Catalog) -> Chosen:
    server_variants = [catalog.server_variant(reference) for reference in references] or [
        ServerVariant(server) for server in catalog.servers()
    ]
    chosen = [
        (
            server_variant,
            [n for n in server_variant.server.manifest.scenarios if scenario in (None, n)],
        )
        for server_variant in server_variants
    ]
    if not any(names for _, names in chosen):
        who = ", ".join(references) or "any server"
        raise UserError(
            f"nothing to verify: {scenario or 'any scenario'} is not implemented by {who}; "
            "`webdyno list` shows who implements what"
        )
    known = set(catalog.scenario_names())
    for server_variant, names in chosen:
        for name in names:
            if name not in known:
                _refuse(server_variant, name, catalog)
    return [(server_variant, names) for server_variant, names in chosen if names]


def _refuse(server_variant: ServerVariant, name: str, catalog: Catalog) -> None:
    """Raise `UserError` that names the manifest in which the scenario `name` stands."""
    manifest = server_variant.server.folder / server_variant.server.manifest_file
    try:
        catalog.scenario(name)
    except UserError as error:
        raise UserError(f"{manifest}: scenarios: {error}") from None


def _verify(
    server_variant: ServerVariant, scenario: Scenario, ready: ReadyServer, temporary: Path
) -> VerifyFinding:
    try:
        for service in scenario.manifest.services:
            look_for(service)
    except ServiceError as error:
        return VerifyFinding(server_variant.label, scenario.id, "skipped", str(error))
    trial = prove(server_variant, scenario, ready, temporary)
    detail = "; ".join(faults_of(trial))
    if not detail:
        return VerifyFinding(server_variant.label, scenario.id, "proven", evidence=trial.evidence)
    log = "" if one_line(trial.log_tail) in one_line(detail) else trial.log_tail
    return VerifyFinding(server_variant.label, scenario.id, "failed", detail, trial.evidence, log)


def prove(
    server_variant: ServerVariant, scenario: Scenario, ready: ReadyServer, temporary: Path
) -> TrialRecord:
    """A short trial of a built server, whose figures mean nothing; it leaves no file behind."""
    trial = _prove(server_variant, scenario, ready, temporary, LOAD)
    if trial.measurement is None or not ended_first(trial.measurement.counts):
        return trial
    patient = LOAD.model_copy(update={"duration": PATIENT_S})
    return _prove(server_variant, scenario, ready, temporary, patient)


def _prove(
    server_variant: ServerVariant,
    scenario: Scenario,
    ready: ReadyServer,
    temporary: Path,
    load: Closed,
) -> TrialRecord:
    folder = temporary / "verify"
    folder.mkdir(parents=True, exist_ok=True)
    plan = TrialPlan(
        run_id=f"verify-{secrets.token_hex(4)}",
        index=0,
        block=0,
        order=0,
        server_variant=server_variant,
        control=False,
        build=ready.build,
        scenario=scenario,
        load=load,
        placement=place(with_services=bool(scenario.manifest.services)),
        warmup=Bounds(),
        seed=fresh_seed(),
        run_folder=folder,
        temporary=temporary,
        only_proof=True,
        site=site_of(server_variant.server),
    )
    try:
        return run_trial(plan, generator_named(load.generator), silent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def faults_of(trial: TrialRecord) -> Iterable[str]:
    """What the trial holds against its server."""
    if trial.status != "ok" and not _only_figures(trial):
        yield trial.reason
    yield from (flag.message for flag in trial.flags if flag.code in UNTIDY)


def _only_figures(trial: TrialRecord) -> bool:
    """Whether nothing is wrong but a figure: half a second on a busy machine may distort one."""
    counts = trial.measurement.counts if trial.measurement else None
    wrong = counts is None or counts.of(FAILED_KINDS) > 0
    proven = bool(trial.evidence) and all(claim.ok for claim in trial.evidence)
    return proven and not wrong and any(flag.code in _OF_FIGURES for flag in trial.flags)
