"""A server as it was before an update, to be measured beside what it has become."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webdyno.catalog.catalog import Catalog, default_roots
from webdyno.catalog.servers.server import Server
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.run.study.named_study import study_of_scenario
from webdyno.run.study.narrow import narrowed
from webdyno.runtime.builds.server_copy import copy_server
from webdyno.runtime.home import Home

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.store import Store
    from webdyno.trial.events import Listener

BEFORE = "-before"
"""What is added to the name of a server to call what it was."""


@dataclass(frozen=True)
class FormerServer:
    """The former self of the server `id_`, in a content folder of its own."""

    id_: str
    root: Path

    @classmethod
    def of(cls, server: Server, root: Path) -> FormerServer:
        """Keep `server` as it is now, below `root`. Raises `UserError`."""
        manifest = server.manifest
        copy_server(server, root / "servers" / manifest.language / f"{manifest.name}{BEFORE}")
        return cls(server.id, root)

    def measured(
        self, scenario: str, budget_s: float, home: Home, store: Store, listener: Listener
    ) -> RunRecord:
        """A run of both under `scenario`: in the same blocks, and in turns where the scenario
        allows it. Raises `UserError`."""
        catalog = Catalog([*default_roots(), self.root])
        pair = [f"{self.id_}{BEFORE}", self.id_]
        study = narrowed(
            study_of_scenario(catalog, catalog.scenario(scenario), pair),
            servers=pair,
            budget=budget_s,
        )
        with contextlib.closing(store):
            return run_study(study, RunEnvironment(catalog, home, store, listener))
