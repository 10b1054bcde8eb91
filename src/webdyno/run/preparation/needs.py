"""What a run needs beside its servers, asked before anything is built: generators, services and
their clients, and verifiers that can do their part.

A server that lacks something is left out and the run goes on (see `servers`); without what is asked
for here, nothing of a scenario or a load could be measured.
"""

from __future__ import annotations

import resource
from collections.abc import Sequence
from pathlib import Path

from webdyno.catalog.loads.abilities import BUILT_IN
from webdyno.catalog.loads.load import Iterations, Load
from webdyno.errors import UserError
from webdyno.generators.registry import make_ready, refuse
from webdyno.run.study.plan import Cell
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for
from webdyno.trial.proof.prove import verifier_class

_FILES_BESIDE = 256
"""What the engine leaves the rest of this process, beside its connections (`files.rs`)."""


def check_needs(cells: Sequence[Cell], folder: Path) -> None:
    """Raises `UserError` for what `cells` need and this machine or their content lacks.

    Installs generators that are installed by Webdyno; `folder` is a private one.
    """
    for cell in cells:
        refuse(cell.scenario.manifest, cell.load)
        verifier_class(cell.scenario, cell.parameters.parameters)
    needed_by = {
        service: cell.scenario.id for cell in cells for service in cell.scenario.manifest.services
    }
    for service, scenario in needed_by.items():
        try:
            look_for(service)
        except ServiceError as error:
            raise UserError(f"scenario {scenario}: {error}") from None
    make_ready({cell.load.generator for cell in cells}, folder)


def check_files(cells: Sequence[Cell]) -> None:
    """Raises `UserError` where this process may not open as many files as a load of `cells` takes,
    where it is made here: every trial would fail by that, whatever its server does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY:
        return
    for load in (cell.load for cell in cells if cell.load.generator == BUILT_IN):
        if (needed := _connections(load) + _FILES_BESIDE) > most:
            raise UserError(
                f"load {load.label()}: at least {needed} open files are needed, but the limit is "
                f"{most}; raise the hard limit (ulimit -Hn), or use fewer connections"
            )


def _connections(load: Load) -> int:
    """As many as it opens at once; 1 where it is still open how many."""
    asked = load.users if isinstance(load, Iterations) else load.connections
    return asked or 1
