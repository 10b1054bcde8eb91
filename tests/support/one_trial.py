"""The plan of one trial of one server, as tests run it."""

from __future__ import annotations

from pathlib import Path

from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.load import Closed
from webdyno.catalog.warm_up import Bounds
from webdyno.run.preparation.servers import prepare_server
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import place
from webdyno.trial.events import silent
from webdyno.trial.plan import TrialPlan


def plan_of(
    catalog: Catalog, server_variant: ServerVariant, scenario: str, load: Closed, folder: Path
) -> TrialPlan:
    """With the server built among the session's builds, and everything of the trial in `folder`.
    Raises what a build raises."""
    needs = catalog.scenario(scenario)
    return TrialPlan(
        run_id=folder.name,
        index=0,
        block=0,
        order=0,
        server_variant=server_variant,
        control=False,
        build=prepare_server(server_variant.server, Home.default().builds, silent).build,
        scenario=needs,
        load=load,
        placement=place(with_services=bool(needs.manifest.services)),
        warmup=Bounds(),
        seed=1,
        run_folder=folder,
        temporary=folder / "tmp",
    )
