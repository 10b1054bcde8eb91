"""Digests of what is compared: equal in two runs where the same program did the same work."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from webdyno.catalog.scenario import Scenario
from webdyno.catalog.server import Server
from webdyno.run.plan import Matchup
from webdyno.runtime.build import source_files

_DIGITS = 16
_NOT_WORK = {".md", ".pyc"}
"""Endings of files that neither serve nor check anything."""


def sources_of(matchup: Matchup) -> dict[str, str]:
    """Both digests of what a matchup's trials run, for their records."""
    contender = matchup.entry.contender
    return {
        "server": server_digest(contender.server, contender.variant),
        "scenario": scenario_digest(matchup.cell.scenario),
    }


def server_digest(server: Server, variant: str) -> str:
    """Of a server's source, its build commands and the way `variant` is run; not of versions."""
    settings: list[Any] = [
        server.manifest.build.model_dump(exclude={"also"}),
        server.run_of(variant).model_dump(),
    ]
    if runtime := server.chosen_runtime:
        settings.append(runtime.model_dump())
    return _digest(server.folder, {"server.toml"}, settings)


def scenario_digest(scenario: Scenario) -> str:
    """Of a scenario's requests, checks, verifier and data."""
    return _digest(scenario.folder, set(), [])


def _digest(folder: Path, left_out: set[str], settings: list[Any]) -> str:
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for path in source_files(folder):
        if path.name not in left_out and path.suffix not in _NOT_WORK:
            digest.update(str(path.relative_to(folder)).encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:_DIGITS]
