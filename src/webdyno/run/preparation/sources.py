"""Digests of what is compared: equal in two runs where the same program did the same work.

The rule: a digest covers what can change a figure or whether an answer is right, and leaves out
what only people read. Files count byte for byte, but for those that explain (`README.md`, a
licence); of Python in a scenario, its code counts, without comments and docstrings. Of a manifest
count the values of the keys that a trial or a build reads, so neither comments nor the order of
keys nor the lines of a text do. Titles, descriptions, notes, reviews, links and stated facts about
concurrency and parts are in no digest, and neither is what only times builds.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.servers.program import BuildManifest
from webdyno.catalog.servers.server import Server
from webdyno.run.preparation.own_code import DIGITS, own_code
from webdyno.run.preparation.python_code import code_digest
from webdyno.run.study.plan import Matchup
from webdyno.runtime.builds.sources import content_of, digest_of_files, own_source_of, source_files

WARM_UP = "warm_up"
"""What the digest of how a server is warmed up is called among a trial's `sources`."""

_EXPLAIN = {"authors", "changelog", "contributing", "copying", "licence", "license", "notice"}
_EXPLAIN |= {"readme", "security"}
"""Names, without their endings, of files in the folder itself that only people read."""
_OF_TEXT = {"", ".md", ".rst", ".txt", ".adoc"}

_PROSE_OF_SCENARIO = {"title", "description", "review", "parts"}

_NOT_OF_RUNS = {"artefact", "caches", "framework_version", "incremental", "repositories"}
"""Keys of `[build]` that say how builds are timed, sized and asked about."""


def sources_of(matchup: Matchup) -> dict[str, str]:
    """The digests of what a matchup's trials run, and of what they are measured with, for their
    records."""
    server_variant, cell = matchup.entry.server_variant, matchup.cell
    return {
        "server": server_digest(server_variant.server, server_variant.variant),
        "scenario": scenario_digest(cell.scenario),
        WARM_UP: warm_up_digest(server_variant.server),
        **own_code(cell.scenario, cell.load.generator),
    }


def server_digest(server: Server, variant: str) -> str:
    """Of a server's source, its build commands and the way `variant` is run; not of versions."""
    # As if what does not matter had been left out, rather than without the keys: records of before
    # they were left out keep their digest where it was not given either.
    build = server.manifest.build.model_copy(
        update={name: getattr(_NONE_STATED, name) for name in _NOT_OF_RUNS}
    )
    settings: list[Any] = [
        build.model_dump(exclude={"also"}),
        # How long a start may take changes no trial that was made.
        server.run_of(variant).model_dump(exclude={"start_timeout"}),
    ]
    if runtime := server.chosen_runtime:
        settings.append(runtime.model_dump(exclude={"description"}))
    if not server.keeps_connections(variant):
        settings.append("closes connections")
    files = (path for path in own_source_of(server) if not explains(path, server.folder))
    return digest_of_files(server.folder, files, settings)[:DIGITS]


def has_digest(server: Server, variant: str, digest: str) -> bool:
    """Whether `digest`, as a record holds it, is that of `server`. A baseline may be older than the
    rule above: those held all of `[build]`, and no file in Markdown."""
    if server_digest(server, variant) == digest:
        return True
    settings: list[Any] = [
        server.manifest.build.model_dump(exclude={"also"}),
        # A key that is newer than the rule, so that no such record holds it.
        server.run_of(variant).model_dump(exclude={"start_timeout"}),
    ]
    if runtime := server.chosen_runtime:
        settings.append(runtime.model_dump())
    files = (path for path in own_source_of(server) if path.suffix not in (".md", ".pyc"))
    return digest_of_files(server.folder, files, settings)[:DIGITS] == digest


def scenario_digest(scenario: Scenario) -> str:
    """Of a scenario's requests, checks, verifier and data."""
    manifest = scenario.folder / "scenario.toml"
    settings: list[Any] = [_work_of(scenario)]
    files: list[Path] = []
    for path in source_files(scenario.folder):
        if path.suffix == ".py":
            name = str(path.relative_to(scenario.folder))
            settings.append([name, code_digest(content_of(path)).hex()])
        elif path != manifest and not explains(path, scenario.folder):
            files.append(path)
    return digest_of_files(scenario.folder, files, settings)[:DIGITS]


def warm_up_digest(server: Server) -> str:
    """Of how long `server` is warmed up where a study does not say: by its manifest, its language
    and Webdyno's own bounds."""
    return digest_of_files(server.folder, (), asdict(server.warmup_of()))[:DIGITS]


def explains(path: Path, folder: Path) -> bool:
    """Whether a file of `folder` says something to people alone, or was compiled from another. In
    a folder below, it may be content that is served."""
    if path.suffix == ".pyc":
        return True
    named = path.stem.lower() in _EXPLAIN and path.suffix.lower() in _OF_TEXT
    return named and path.parent == folder


def _work_of(scenario: Scenario) -> dict[str, Any]:
    """What of its manifest is work; headers in their order, because they are sent in it."""
    work = scenario.manifest.model_dump(mode="json", exclude=_PROSE_OF_SCENARIO)
    for request in work["requests"]:
        request["headers"] = list(request["headers"].items())
    return work


_NONE_STATED = BuildManifest()
