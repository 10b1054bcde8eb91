"""A gate in pairs: each server runs beside itself as it was in an older run, in turns, with one of
them a second time as the control."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webdyno.ab.baselines.baseline import BaselineFinder, baseline_label, under_own_name
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import TURN_S, Closed, Load, Open
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.servers.server import Server
from webdyno.catalog.studies.made_names import of_gate
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.preparation.servers import prepare
from webdyno.run.study.plan import Entry, cells_of
from webdyno.store.records import RunRecord
from webdyno.trial.events import Listener


@dataclass
class PairsCatalog(Catalog):
    """The catalog, and the servers of an older run beside those of today."""

    baselines: dict[str, Server] = field(default_factory=dict)

    def server(self, id_: str) -> Server:
        """A baseline, or a server of today. Raises `UserError` for any other."""
        return self.baselines[id_] if id_ in self.baselines else super().server(id_)


@dataclass(frozen=True)
class PairedStudy:
    """What is run. `origins` says where the baseline of each pair is from, by the label of
    today's."""

    catalog: PairsCatalog
    study: StudyManifest
    origins: dict[str, str]


def pairs_of(
    before: RunRecord,
    study: StudyManifest,
    catalog: Catalog,
    builds: Path,
    into: Path,
    listener: Listener,
) -> PairedStudy | str:
    """The pairs of the servers of `study` and those that `before` measured, built; or why one of
    them cannot be had. Commits are checked out below `into`."""
    if all(load.method != "sound" for load in study.loads):
        return "its loads run once, as published"
    finder, origins = BaselineFinder(before, builds, into), {}
    pairs_catalog = PairsCatalog(roots=catalog.roots)
    entries, servers = [], []
    of_build: dict[str, str] = {}
    server_variants = list(map(catalog.server_variant, study.servers))
    taking_part = {one.server.id for one in server_variants}
    for server_variant in server_variants:
        baseline = finder.find(server_variant)
        if isinstance(baseline, str):
            return f"{server_variant.label}: {baseline}"
        server = under_own_name(baseline.server, server_variant.server)
        if server.id in taking_part:
            return f"{server_variant.label}: another server of the study is called {server.id}"
        if pairs_catalog.baselines.setdefault(server.id, server) != server:
            return f"{server_variant.label}: its variants had different sources"
        label = baseline_label(server_variant.label)
        origins[server_variant.label] = baseline.origin
        entries.append(Entry(pairs_catalog.server_variant(label)))
        of_build.setdefault(entries[-1].server_variant.server.build_id, server_variant.label)
        # In this order: what is kept longest of a server's builds is what was used last.
        servers += [label, server_variant.label]
    _, left_out = prepare(entries, builds, listener, tell=False)
    if left_out:
        name = of_build[left_out[0].server]
        return f"{name}: its old version cannot be built here: {left_out[0].reason}"
    return PairedStudy(pairs_catalog, _study(before, study, servers, catalog), origins)


def _study(
    before: RunRecord, study: StudyManifest, servers: list[str], catalog: Catalog
) -> StudyManifest:
    # A service goes on working while a server is frozen.
    bound = {c.load.label() for c in cells_of(study, catalog) if c.scenario.manifest.services}
    changes: dict[str, Any] = {
        "name": of_gate(study.name),
        "title": f"{study.title}: beside run {before.id}",
        "question": f"Did the servers become worse since run {before.id}?",
        "servers": servers,
        "control": servers[0],
        "loads": [_as_made(load, whole=load.label() in bound) for load in study.loads],
        "blocks": {**study.blocks.model_dump(), "looks": "late"},
        "method": "sound",
        "all_cores": False,
        "headline": None,
        "planning": None,
        "costs": [],
        "published": [],
        "build_times": False,
    }
    where = f"the study of run {before.id}, in pairs"
    return parse_manifest({**study.model_dump(mode="json"), **changes}, StudyManifest, where)


def _as_made(load: Load, whole: bool) -> dict[str, Any]:
    """In turns, unless it has to be made in one piece."""
    held = load.model_dump(mode="json")
    plain = load.abilities.takes_turns and (load.method, load.record) == ("sound", False)
    if isinstance(load, Closed | Open) and plain and not whole and load.slice is None:
        held["slice"] = TURN_S
    return held
