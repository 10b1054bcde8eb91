"""The trials that are made: one server under one scenario and a closed load."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.errors import UserError
from webdyno.run.preparation.servers import MissingToolchain, prepare_server
from webdyno.runtime.builds.build import PackagesOutOfReach
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import place
from webdyno.runtime.machine.share import Share
from webdyno.runtime.processes.process import LaunchError
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for
from webdyno.trial.events import silent
from webdyno.trial.plan import TrialPlan

SCENARIOS = ("sha256", "static", "page", "session-counter", "point-lookup", "json", "blog")
"""Those whose state moves, or whose answers are all compared, under load."""

SMALL: dict[str, dict[str, Any]] = {"point-lookup": {"rows": 20_000}}
"""Parameters that spare a trial its minutes, and proofs nothing."""


Pair = tuple[str, str]
"""A server and a scenario."""


def pairs(catalog: Catalog, servers: Sequence[str], scenarios: Sequence[str]) -> list[Pair]:
    """Which server at which scenario: all that there are of those named.

    Raises `UserError` where nobody named implements anything named.
    """
    found = [
        (server, scenario)
        for scenario in scenarios
        for server in servers
        if scenario in catalog.server_variant(server).server.manifest.scenarios
    ]
    if not found:
        raise UserError(f"none of {', '.join(servers)} implements {' or '.join(scenarios)}")
    return found


def runnable(catalog: Catalog, chosen: Sequence[Pair], show: Callable[[str], None]) -> list[Pair]:
    """Those that can be built and whose services are there; `show` is told of the others.

    Raises `UserError` where none is left.
    """
    left = []
    missing: dict[str, str] = {}
    for server, scenario in chosen:
        manifest = catalog.scenario(scenario).manifest
        if server not in missing:
            missing[server] = _missing(catalog, server)
        why = missing[server] or _without(manifest.services)
        if why:
            show(f"left out: {server} at {scenario}: {why}")
        else:
            left.append((server, scenario))
    if not left:
        raise UserError("nothing is left to measure")
    return left


def _missing(catalog: Catalog, server: str) -> str:
    try:
        prepare_server(catalog.server_variant(server).server, Home.default().builds, silent)
    except (MissingToolchain, PackagesOutOfReach, BuildError, LaunchError) as error:
        return str(error)
    return ""


def _without(services: Sequence[str]) -> str:
    try:
        for service in services:
            look_for(service)
    except ServiceError as error:
        return str(error)
    return ""


def plan_of(
    catalog: Catalog, pair: Pair, load: Closed, index: int, temporary: Path, warmup: Bounds
) -> TrialPlan:
    """The trial number `index`, of a server that is built by then. Raises `UserError`."""
    server_variant, scenario = catalog.server_variant(pair[0]), catalog.scenario(pair[1])
    ready = prepare_server(server_variant.server, Home.default().builds, silent)
    return TrialPlan(
        run_id=f"proofs-{secrets.token_hex(4)}",
        index=index,
        block=0,
        order=0,
        server_variant=server_variant,
        control=False,
        build=ready.build,
        scenario=scenario,
        load=load,
        placement=place(with_services=bool(scenario.manifest.services)),
        warmup=warmup,
        seed=secrets.randbits(48),
        run_folder=temporary,
        temporary=temporary,
        parameters=SMALL.get(scenario.id, {}),
        versions=ready.versions,
        share=Share(),
    ).settled()
