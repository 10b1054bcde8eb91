"""Proof without measurement: start each server, run the scenario's verifier, stop it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from webdyno.catalog.catalog import Catalog, Contender
from webdyno.catalog.load import Closed
from webdyno.catalog.scenario import Scenario
from webdyno.catalog.study import WarmUp
from webdyno.run.prepare import MissingToolchain, Ready, prepare_server
from webdyno.runtime.build import BuildError, PackagesOutOfReach
from webdyno.runtime.home import Home
from webdyno.runtime.placement import place
from webdyno.runtime.process import LaunchError
from webdyno.runtime.services import RunningService, ServiceError, ServiceMissing
from webdyno.store.records import EvidenceRecord
from webdyno.trial.plan import TrialPlan, silent
from webdyno.trial.prove import evidence_of, verifier_of
from webdyno.trial.services import environment_of, start_services
from webdyno.trial.start import StartError, port_is_free_again, start
from webdyno.verifier import Mismatch, Probe


@dataclass(frozen=True)
class Finding:
    """What was seen of one server under one scenario."""

    server: str
    scenario: str
    outcome: Literal["proven", "failed", "skipped"]
    detail: str = ""
    evidence: list[EvidenceRecord] = field(default_factory=list)


def verify_servers(
    references: list[str],
    scenario: str | None,
    catalog: Catalog,
    home: Home,
    temporary: Path,
    show: Callable[[Finding], None],
) -> list[Finding]:
    """Verify each of `references` (all servers where empty) under each scenario it implements."""
    contenders = [catalog.contender(reference) for reference in references] or [
        Contender(server) for server in catalog.servers()
    ]
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        show(finding)

    for contender in contenders:
        manifest = contender.server.manifest
        if manifest.status == "unbuildable":
            found(Finding(contender.label, "", "skipped", f"unbuildable: {manifest.reason}"))
            continue
        try:
            ready = prepare_server(contender.server, home.builds, silent)
        except (MissingToolchain, PackagesOutOfReach) as error:
            found(Finding(contender.label, "", "skipped", str(error)))
            continue
        except (BuildError, LaunchError) as error:
            found(Finding(contender.label, "", "failed", str(error)))
            continue
        for name in manifest.scenarios:
            if scenario in (None, name):
                found(_verify(contender, catalog.scenario(name), ready, home, temporary))
    return findings


def _verify(
    contender: Contender, scenario: Scenario, ready: Ready, home: Home, temporary: Path
) -> Finding:
    plan = TrialPlan(
        run_id="verify",
        index=0,
        block=0,
        order=0,
        contender=contender,
        control=False,
        build=ready.build,
        scenario=scenario,
        load=Closed(kind="closed", connections=1, duration=1.0),
        placement=place(with_services=bool(scenario.manifest.services)),
        warmup=WarmUp(),
        seed=secrets.randbits(48),
        run_folder=temporary,
        temporary=temporary,
    )
    work = temporary / "verify"
    work.mkdir(parents=True, exist_ok=True)
    verifier = verifier_of(scenario, {}, work, plan.seed)
    services: list[RunningService] = []
    try:
        start_services(plan, work, services)
        verifier.services = environment_of(services)
        preparation = verifier.prepare()
        server = start(plan, {**verifier.services, **preparation.env}, cwd=ready.build.folder)
        try:
            with Probe(f"http://127.0.0.1:{server.port}") as probe:
                verifier.phase = "before"
                verifier.verify(probe)
        finally:
            server.process.stop()
    except ServiceMissing as error:
        return Finding(contender.label, scenario.id, "skipped", str(error))
    except (Mismatch, StartError, LaunchError, ServiceError) as error:
        return Finding(
            contender.label, scenario.id, "failed", str(error), list(evidence_of(verifier))
        )
    finally:
        for service in services:
            service.stop()
        shutil.rmtree(work, ignore_errors=True)
    if server.process.killed:
        return Finding(contender.label, scenario.id, "failed", "SIGTERM did not end it within 5 s")
    if not port_is_free_again(server.port):
        return Finding(
            contender.label, scenario.id, "failed", "its port was still open after the stop"
        )
    return Finding(contender.label, scenario.id, "proven", "", list(evidence_of(verifier)))
