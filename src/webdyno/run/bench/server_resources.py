"""What each server of a run is given: its cores and limits, as far as this machine has them."""

from __future__ import annotations

from dataclasses import dataclass

from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.quantity import size
from webdyno.run.bench import observe
from webdyno.runtime.confinement.confine import means
from webdyno.runtime.machine.place import PlacementRequest, place
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import Share, cores_wanted, share_of


@dataclass(frozen=True)
class ServerResources:
    """`request` is what `placement` was chosen by, for one that is to be wider."""

    request: PlacementRequest
    placement: Placement
    share: Share


def server_resources(
    study: StudyManifest, with_services: bool, generator_cores: int | None = None
) -> ServerResources:
    """Cores and limits of each server, as far as this machine has what the study asks for.

    `generator_cores` are left to whoever makes the load or watches; as many as are usual if None.
    Raises `UserError` for CPUs given by hand that cannot be had.
    """
    requested = study.limits
    enforced_by = means() if requested.cpus is not None or requested.memory else None
    request = PlacementRequest(
        with_services=with_services,
        generator_cores=generator_cores,
        server_cpus=cores_wanted(requested.cpus, enforced_by) if enforced_by else None,
        at_least=max((load.cores or 0 for load in study.chosen_loads()), default=0),
        by_hand=study.placement.by_role(),
    )
    placement = place(request=request)
    if enforced_by is None:
        return ServerResources(request, placement, Share())
    memory = size(requested.memory) if requested.memory else None
    machine = observe.machine(noise=False).memory_bytes
    return ServerResources(
        request, placement, share_of(requested.cpus, memory, placement, enforced_by, machine)
    )
