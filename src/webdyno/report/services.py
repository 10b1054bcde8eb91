"""The services that ran beside the servers of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.store.findings import ServiceRecord
    from webdyno.store.records import RunRecord


def services_of(run: RunRecord) -> list[ServiceRecord]:
    """The services that ran beside the servers, each version with its settings once."""
    services: list[ServiceRecord] = []
    for trial in run.trials:
        services += [service for service in trial.services if service not in services]
    return services
