"""The plan of one trial of one server, as tests run it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.offline import fetching
from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.run.preparation.servers import MissingToolchain, prepare_server
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import place
from webdyno.trial.events import silent
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.starting.start import RunningServer, start


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


@contextmanager
def skip_where_unbuildable() -> Iterator[None]:
    """Skip the test where its server cannot be built for what this machine lacks, or does not
    reach."""
    try:
        with fetching(BuildError):
            yield
    except MissingToolchain as missing:
        pytest.skip(str(missing))


@contextmanager
def started(plan: TrialPlan, env: Mapping[str, str] | None = None) -> Iterator[RunningServer]:
    """The server of a trial, until the end of the block; `env` is what its verifier tells it. Its
    own folder has a short path, as sockets in there need."""
    with tempfile.TemporaryDirectory() as folder:
        running = start(plan, env or {}, TrialFolders.make(Path(folder) / "trial"))
        try:
            yield running
        finally:
            running.process.stop()
            running.confinement.close()
