"""The services of a trial: fresh data, started before the server, stopped after it."""

from __future__ import annotations

from pathlib import Path

from webdyno.runtime.home import Home
from webdyno.runtime.services import RunningService
from webdyno.store.findings import ServiceRecord
from webdyno.trial.plan import TrialPlan


def start_services(plan: TrialPlan, work: Path, started: list[RunningService]) -> None:
    """Start what the scenario needs, adding each to `started` as it comes up.

    Raises `ServiceError`; what is in `started` is the caller's to stop in any case.
    """
    cache = Home.default().cache
    for name in plan.services:
        log = plan.log.with_suffix(f".{name}.log")
        started.append(
            plan.site.start_service(name, work / name, cache, plan.placement.services, log)
        )


def services_of(work: Path) -> Path:
    """Where the services of the trial in `work` keep their data: beside it, out of the server's
    reach."""
    return work.with_name(f"{work.name}-services")


def environment_of(services: list[RunningService]) -> dict[str, str]:
    """The variables by which servers and verifiers reach the services."""
    return {name: value for service in services for name, value in service.env.items()}


def services_record(services: list[RunningService]) -> list[ServiceRecord]:
    """What the trial's record tells of the services."""
    return [
        ServiceRecord(
            program=service.program, version=service.version, settings=dict(service.facts)
        )
        for service in services
    ]
