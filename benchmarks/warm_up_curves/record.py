"""Recording a curve: one server, started afresh, under one load until the time is over."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.warm_up_curves.neighbour import neighbour
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed, Load, Open
from webdyno.generators.engine import Engine
from webdyno.generators.job import Job
from webdyno.generators.progress import LoadProgress
from webdyno.run.preparation.servers import prepare_server
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import place
from webdyno.runtime.processes.threads import NamedThreads
from webdyno.runtime.services import RunningService
from webdyno.trial.events import silent
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.services import start_services, tell
from webdyno.trial.starting.start import start
from webdyno.trial.watching.load_windows import LoadWindows
from webdyno.verdict.steadiness.warm import Windows

CONTENT = Path(__file__).with_name("content")
"""Servers whose curves have a shape that those of the catalog lack."""


@dataclass(frozen=True)
class RecordingOptions:
    """What is recorded. `rate` asks for an open load, in requests a second; `neighbour` is the
    part of the server's cores that another program takes; `env` is added to the server's own."""

    server: str
    scenario: str
    seconds: float
    connections: int = 32
    rate: float = 0.0
    neighbour: float = 0.0
    parameters: dict[str, Any] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


def record(wanted: RecordingOptions) -> tuple[dict[str, str], Windows]:
    """Start the server, load it, stop it; gives what the curve's file says of it, and the curve.

    As in a warm-up, its compilers may use all cores of the trial.
    """
    temporary = Path(tempfile.mkdtemp(prefix="webdyno-curve-"))
    services: list[RunningService] = []
    try:
        plan = _plan(wanted, temporary)
        folders = TrialFolders.make(temporary / "trial")
        verifier = verifier_of(
            plan.scenario, wanted.parameters, folders.laid_out, plan.seed, folders.written
        )
        start_services(plan, temporary, services)
        tell(verifier, services)
        prepared = verifier.prepare()
        env = {**verifier.services, **prepared.env, **wanted.env}
        running = start(plan, env, folders)
        try:
            compilers = None
            if plan.warmup.compilers:
                compilers = NamedThreads(running.process.pid, plan.warmup.compilers)
                where = plan.placement
                compilers.allow({*where.server, *where.generator, *where.services})
            job = Job(
                scenario=plan.scenario.manifest,
                load=plan.load,
                port=running.port,
                cpus=plan.placement.generator,
                seed=plan.seed,
                samples=0,
                variables=prepared.variables,
                lookups=prepared.lookups,
            )
            with neighbour(plan.placement.server, wanted.neighbour):
                seen = LoadWindows(plan.placement, running.process.pid, compilers)

                def watch(progress: LoadProgress) -> bool:
                    seen.look(progress)
                    return False

                Engine().run(job, watch)
        finally:
            running.process.stop()
            running.confinement.close()
    finally:
        for service in services:
            service.stop()
        shutil.rmtree(temporary, ignore_errors=True)
    return _facts(wanted, plan), seen.windows()


def _plan(wanted: RecordingOptions, temporary: Path) -> TrialPlan:
    catalog = Catalog.with_overlay(CONTENT)
    server_variant = catalog.server_variant(wanted.server)
    scenario = catalog.scenario(wanted.scenario)
    ready = prepare_server(server_variant.server, Home.default().builds, silent)
    return TrialPlan(
        run_id="curve",
        index=os.getpid(),
        block=0,
        order=0,
        server_variant=server_variant,
        control=False,
        build=ready.build,
        scenario=scenario,
        load=_load(wanted),
        placement=place(with_services=bool(scenario.manifest.services)),
        warmup=server_variant.server.warmup_of(),
        seed=secrets.randbits(40),
        run_folder=temporary,
        temporary=temporary,
        parameters=wanted.parameters,
        versions=ready.versions,
    ).settled()


def _load(wanted: RecordingOptions) -> Load:
    if wanted.rate:
        phases = [f"{wanted.rate:g}/s:{wanted.seconds:g}s"]
        return Open(kind="open", phases=phases, connections=wanted.connections)
    return Closed(kind="closed", connections=wanted.connections, duration=wanted.seconds)


def _facts(wanted: RecordingOptions, plan: TrialPlan) -> dict[str, str]:
    conditions = [
        f"{wanted.rate:g}/s" if wanted.rate else f"{wanted.connections} connections",
        *(f"{name}={value}" for name, value in wanted.parameters.items()),
        *(f"{name}={value}" for name, value in wanted.env.items()),
    ]
    if wanted.neighbour:
        conditions.append(f"neighbour={wanted.neighbour:g}")
    server = plan.server_variant.server
    versions = ", ".join(f"{name} {version}" for name, version in plan.versions.items())
    return {
        "runtime": f"{server.language.runtime or server.manifest.language} ({versions})",
        "server": wanted.server,
        "scenario": wanted.scenario,
        "conditions": ", ".join(conditions),
    }
