"""The services of a trial: fresh data, started before the server, stopped after it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webdyno.runtime.confinement.conduct import urgent_threads
from webdyno.runtime.home import Home
from webdyno.runtime.services import RunningService
from webdyno.store.findings import ServiceRecord
from webdyno.trial.plan import TrialPlan
from webdyno.verifier import Verifier


def start_services(plan: TrialPlan, work: Path, started: list[RunningService]) -> None:
    """Start what the scenario needs, adding each to `started` as it comes up.

    Raises `ServiceError`; what is in `started` is the caller's to stop in any case.
    """
    cache = Home.default().cache
    for name in plan.services:
        log = plan.log.with_suffix(f".{name}.log")
        service = plan.site.start_service(name, work / name, cache, plan.placement.services, log)
        started.append(service)
    # Once all are up; the server, which might raise priorities of theirs, comes later.
    for service in started:
        service.urgent = urgent_threads(service.process.family.alive())


def services_folder(work: Path) -> Path:
    """Where the services of the trial in `work` keep their data: beside it, out of the server's
    reach."""
    return work.with_name(f"{work.name}-services")


def tell(verifier: Verifier, services: Sequence[RunningService]) -> None:
    """Tell `verifier` the variables by which servers, and those by which it reaches the
    services."""
    for service in services:
        verifier.services.update(service.env)
        verifier.services_as_owner.update(service.as_owner)


def services_record(services: list[RunningService]) -> list[ServiceRecord]:
    """What the trial's record tells of the services."""
    return [
        ServiceRecord(
            program=service.program, version=service.version, settings=dict(service.facts)
        )
        for service in services
    ]
