"""Digests of what is compared: equal in two runs where the same program did the same work."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.servers.server import Server
from webdyno.run.preparation.own_code import DIGITS, own_code
from webdyno.run.study.plan import Matchup
from webdyno.runtime.builds.sources import digest_of_files, own_source_of, source_files

_NOT_WORK = {".md", ".pyc"}
"""Endings of files that neither serve nor check anything."""


def sources_of(matchup: Matchup) -> dict[str, str]:
    """The digests of what a matchup's trials run, and of what they are measured with, for their
    records."""
    server_variant, cell = matchup.entry.server_variant, matchup.cell
    return {
        "server": server_digest(server_variant.server, server_variant.variant),
        "scenario": scenario_digest(cell.scenario),
        **own_code(cell.scenario, cell.load.generator),
    }


def server_digest(server: Server, variant: str) -> str:
    """Of a server's source, its build commands and the way `variant` is run; not of versions."""
    settings: list[Any] = [
        server.manifest.build.model_dump(exclude={"also"}),
        # How long a start may take changes no trial that was made.
        server.run_of(variant).model_dump(exclude={"start_timeout"}),
    ]
    if runtime := server.chosen_runtime:
        settings.append(runtime.model_dump())
    return _digest(server.folder, own_source_of(server), settings)


def scenario_digest(scenario: Scenario) -> str:
    """Of a scenario's requests, checks, verifier and data."""
    return _digest(scenario.folder, source_files(scenario.folder), [])


def _digest(folder: Path, files: Iterable[Path], settings: list[Any]) -> str:
    work = (path for path in files if path.suffix not in _NOT_WORK)
    return digest_of_files(folder, work, settings)[:DIGITS]
