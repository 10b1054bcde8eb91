"""From a description and two versions to a catalog of two servers, and a study of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webdyno.ab.study.confidence import ALONE, CLAIMS, FULL, STEADY, claims_about_all, confidences
from webdyno.ab.study.lengths import Lengths, lengths_of
from webdyno.ab.study.proof import NAME, scenario_of
from webdyno.ab.versions.installers import installers_of, with_added
from webdyno.ab.versions.outside import check_program, check_started
from webdyno.ab.versions.placeholders import check_placeholders
from webdyno.ab.versions.version import Version
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.descriptions.description import Description, slug
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.servers.program import Argv, RunManifest
from webdyno.catalog.servers.server import Server
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.studies.made_names import of_ab
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.runtime.services.registry import SERVICES

UNREACHABLE = "1000000/s"
"""A rate that is lowered to what the service can answer."""

MOST_BLOCKS = 200

SHORT_TURN_S = 0.04
"""Of a turn, unless answers need longer ones. A neighbour that comes or goes within a round falls
on one version alone, so the shorter rounds are, the better: with turns of 0.1 s, figures of equal
versions in Go and Node.js varied 1.1 to 4 times as much beside one."""


@dataclass
class PairCatalog(Catalog):
    """A catalog of the two versions and their scenario."""

    roots: list[Path] = field(default_factory=list)
    pair: dict[str, Server] = field(default_factory=dict)
    work: Scenario | None = None

    def server(self, id_: str) -> Server:
        """One of the two. Raises `UserError` for any other."""
        if id_ not in self.pair:
            raise UserError(
                f"no server '{id_}' in this comparison; choose from {', '.join(self.pair)}"
            )
        return self.pair[id_]

    def scenario(self, name: str) -> Scenario:
        """The work of both."""
        assert self.work is not None
        return self.work


@dataclass(frozen=True)
class Pairing:
    """What is run: `labels` are the entries of A and B as verdicts name them."""

    versions: tuple[Version, Version]
    description: Description
    catalog: PairCatalog
    study: StudyManifest
    labels: tuple[str, str]
    cautions: tuple[str, ...] = ()
    """What was assumed and may be wrong, a sentence each."""
    short: str = ""
    """That the budget is likely to be too short for an answer; empty where it is not."""

    @property
    def service(self) -> str:
        """The service's name."""
        return self.description.name


def pairing(
    description: Description,
    versions: tuple[Version, Version],
    catalog: Catalog,
    folder: Path,
    seeds: Path | None = None,
) -> Pairing:
    """The comparison of two versions; its scenario is written below `folder`, with the files in
    `seeds`, else in B's folder, that the description names.

    Raises `UserError` where it is not said how the service is started or what it is asked.
    """
    if not description.name:
        name = slug(versions[1].folder.name) or "service"
        description = description.model_copy(update={"name": name})
    servers = [_server(description, version, catalog) for version in versions]
    if _same_build(*servers):
        servers[1] = servers[1].model_copy(update={"build_name": servers[0].id})
    else:
        for server in servers:
            check_program(server.manifest.build, server.manifest.run)
    work = scenario_of(description, folder / NAME, seeds or versions[1].folder)
    pair_catalog = PairCatalog(pair={server.id: server for server in servers}, work=work)
    references = [
        f"{server.id}@{version.runtime}" if version.runtime else server.id
        for server, version in zip(servers, versions, strict=True)
    ]
    study = _study(description, versions, references, lengths_of(description, servers))
    labels = [pair_catalog.server_variant(reference).label for reference in references]
    return Pairing(versions, description, pair_catalog, study, (labels[0], labels[1]))


def _server(description: Description, version: Version, catalog: Catalog) -> Server:
    described = version.description or description
    build = described.build
    commands = with_added(build.commands, version.added, version.after)
    language_name = described.language or description.language
    language = catalog.language(language_name)
    manifest = ServerManifest(
        name=version.letter,
        language=description.name,
        framework=description.name,
        framework_version=version.name,
        licence="",
        toolchain=described.toolchain,
        scenarios=[NAME],
        build=build.model_copy(
            update={"commands": commands, "env": {**_own_environments(commands), **build.env}}
        ),
        run=_run(described, version, description.services),
        warmup=description.warmup,
    )
    return Server(
        manifest=manifest,
        folder=version.folder,
        language=language,
        source=version.files(built=bool(commands)),
        manifest_file="",
        runtimes=catalog.runtimes(language_name),
        commit=version.commit,
    )


_IN_PROJECT = {
    "pipenv": ("PIPENV_VENV_IN_PROJECT", "1"),
    "poetry": ("POETRY_VIRTUALENVS_IN_PROJECT", "true"),
}
"""What has a program put Python's packages into the build. In the user's home, where they would be
left behind, `poetry run` does not find them: a service has another one."""


def _own_environments(commands: Sequence[Argv]) -> dict[str, str]:
    programs = {one.program for one in installers_of(commands)}
    return dict(variable for program, variable in _IN_PROJECT.items() if program in programs)


def _run(description: Description, version: Version, services: Collection[str]) -> RunManifest:
    run = description.run
    if version.command:
        command = list(version.command)
        run = run.model_copy(update={"command": command}) if run else RunManifest(command=command)
    if run is None:
        raise UserError(
            "no start command; give --command, or run `webdyno init` and complete webdyno.toml"
        )
    check_started(run)
    if description.port_variable:
        run = run.model_copy(update={"env": {description.port_variable: "${PORT}", **run.env}})
    variables = [SERVICES[name].variables for name in services]
    if all(variables):
        check_placeholders(run, [name for one in variables for name in one.values()])
    return run


def _same_build(a: Server, b: Server) -> bool:
    here = (a.folder, a.source, a.manifest.build, a.runtime)
    return here == (b.folder, b.source, b.manifest.build, b.runtime)


def _study(
    description: Description,
    versions: tuple[Version, Version],
    references: list[str],
    lengths: Lengths,
) -> StudyManifest:
    a, b = versions
    confidence_levels = confidences(description, claims_about_all(description.kinds()))
    return parse_manifest(
        {
            "name": of_ab(description.name),
            "title": f"{description.name}: A = {a.name}, B = {b.name}",
            "question": f"Is B ({b.name}) slower than A ({a.name})?",
            "servers": references,
            "control": references[0],
            "scenarios": [NAME],
            "loads": _loads(description, lengths),
            "metrics": list(CLAIMS[FULL]),
            "budget": description.budget,
            "margin": description.margin,
            # Of what is said of single requests, and of verdicts that no claim is made from.
            "confidence": confidence_levels.single,
            "confidences": confidence_levels.by_load(),
            "blocks": {"min": 3, "max": MOST_BLOCKS, "looks": "late", "shared_starts": True},
            "limits": description.limits.model_dump(),
            "sentinel": False,
        },
        StudyManifest,
        "webdyno.toml",
    )


def _loads(description: Description, lengths: Lengths) -> list[dict[str, Any]]:
    load_keys = description.load
    # A database goes on working while the service is frozen.
    turn_s = None if description.services else SHORT_TURN_S
    full = {
        "kind": "closed",
        "name": FULL,
        "connections": load_keys.connections,
        "duration": lengths.full_s,
        "timeout": load_keys.timeout,
        "slice": turn_s,
    }
    rate, scale = (load_keys.rate, "") if load_keys.rate else (UNREACHABLE, "half")
    steady = {
        "kind": "open",
        "name": STEADY,
        "phases": [f"{rate}:{lengths.steady_s:g}s"],
        "timeout": load_keys.timeout,
        "scale": scale,
        "slice": turn_s,
    }
    # Without turns, which are for a service that is kept busy.
    alone = {
        "kind": "closed",
        "name": ALONE,
        "connections": 1,
        "duration": lengths.full_s,
        "timeout": load_keys.timeout,
    }
    by_kind: dict[str, dict[str, Any]] = {FULL: full, STEADY: steady, ALONE: alone}
    return [by_kind[kind] for kind in description.kinds()]
