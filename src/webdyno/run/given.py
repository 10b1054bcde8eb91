"""What each server of a run is given: its cores and limits, as far as this machine has them."""

from __future__ import annotations

from webdyno.catalog.quantity import size
from webdyno.catalog.study import StudyManifest
from webdyno.run import observe
from webdyno.runtime.confine import means
from webdyno.runtime.placement import Placement, place
from webdyno.runtime.share import Share, cores_wanted, share_of


def given(study: StudyManifest, with_services: bool) -> tuple[Placement, Share]:
    """Cores and limits of each server, as far as this machine has what the study asks for."""
    asked = study.limits
    if asked.cpus is None and not asked.memory:
        return place(with_services=with_services), Share()
    found = means()
    placement = place(with_services, cores_wanted(asked.cpus, found))
    memory = size(asked.memory) if asked.memory else None
    machine = observe.machine(noise=False)["memory_bytes"]
    return placement, share_of(asked.cpus, memory, placement, found, machine)
