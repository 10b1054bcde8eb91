"""The columns of the board as they are today: the catalog, this machine, and the stored runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from webdyno.board.pieces import (
    PREFIX,
    CurrentSources,
    EntrySources,
    Piece,
    PieceConditions,
    piece_of,
)
from webdyno.board.state import BoardColumn
from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.bench import observe
from webdyno.run.bench.all_cores import with_all_cores
from webdyno.run.bench.server_resources import server_resources
from webdyno.run.preparation.own_code import own_code
from webdyno.run.preparation.servers import MissingToolchain, toolchains_of
from webdyno.run.preparation.sources import scenario_digest, server_digest, warm_up_digest
from webdyno.run.study.named_study import question_of, study_of_scenario, title_of
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for, versions_of
from webdyno.store.reading import Unreadable
from webdyno.store.store import Store


def study_for(catalog: Catalog, scenario: str, entries: Sequence[str] = ()) -> StudyManifest:
    """The study of the scenario's pieces; of `entries`, the reference first, where given."""
    study = study_of_scenario(catalog, catalog.scenario(scenario))
    servers = list(entries) or study.servers
    changes = {
        "name": f"{PREFIX}{scenario}",
        "servers": servers,
        "control": "",
        "title": title_of(servers, [scenario]),
        "question": question_of(servers, [scenario], study.metrics[0]),
    }
    return study.model_copy(update=changes)


def columns_of(
    catalog: Catalog,
    store: Store,
    servers: Sequence[str] = (),
    scenarios: Sequence[str] = (),
    reference: str = "",
) -> list[BoardColumn]:
    """Every scenario, or those named, with every server, or those named, that implements it.

    A scenario's reference is `reference` where that can serve it; else the one that links the most
    of all servers by pieces that hold, and it takes part whether it is named or not; else the
    server that implements the most of the scenarios. Raises `UserError` for what is not there.
    """
    names = list(scenarios) or _implemented(catalog)
    chosen = [catalog.server_variant(one) for one in servers]
    named = [catalog.server_variant(reference)] if reference else []
    extra = [*chosen, *named]
    whole = [_column(catalog, catalog.scenario(name), extra, store) for name in names]
    wanted = named[0].label if named else ""
    if wanted and not any(wanted in one.entries for one in whole):
        where = f"scenario {names[0]}" if len(names) == 1 else "any of the scenarios"
        raise UserError(
            f"--reference {reference}: cannot serve {where} here; name a server that can"
        )
    labels = {one.label for one in chosen}
    columns = [_with_reference(one, wanted, labels) for one in whole]
    columns = [
        one for one in columns if len(one.entries) > 1 or (one.unavailable and not one.entries)
    ]
    if not any(one.entries for one in columns):
        reasons = dict.fromkeys(why for one in columns for why in one.unavailable.values())
        raise UserError(
            "the board needs two servers that implement the same scenario and can be built here"
            + (f" ({next(iter(reasons))})" if len(reasons) == 1 else "")
            + "; name more servers, or see `webdyno doctor` for what is missing"
        )
    breadth = {e: sum(e in c.entries for c in columns) for c in columns for e in c.entries}
    return [
        one if one.reference or not one.entries else replace(one, reference=_usual(one, breadth))
        for one in columns
    ]


def with_piece(column: BoardColumn, piece: Piece) -> BoardColumn:
    """`column` with a piece that was measured, or measured further, just now. A reference that
    turned out not to be ranked is no link: another server takes its place. One whose turn had not
    come when the user interrupted keeps it."""
    others = [one for one in column.pieces if one.run != piece.run]
    pieces = [piece, *others]
    updated = replace(column, pieces=pieces, today=column.today.as_wide_as(pieces))
    reference = updated.reference
    is_there = (
        piece.cut_short
        or reference != piece.reference
        or reference in {*piece.made, *piece.no_time}
    )
    return updated if is_there and not updated.failed(reference) else with_another(updated)


def with_another(column: BoardColumn, unable: Collection[str] = ()) -> BoardColumn:
    """`column` with another reference than it has, because that one cannot be measured: the one
    that links the most, and none of `unable`; as it is where there is no other."""
    sound = [
        entry
        for entry in column.entries
        if entry != column.reference and entry not in unable and not column.failed(entry)
    ]
    if not sound:
        return column
    most = max(sound, key=lambda entry: (_links(column, entry), column.attempts(entry)))
    return replace(column, reference=most)


def _implemented(catalog: Catalog) -> list[str]:
    """The scenarios that a server implements: nobody asks for the others by name here."""
    able = {name for server in catalog.servers() for name in server.manifest.scenarios}
    return [name for name in catalog.scenario_names() if name in able]


def _with_reference(column: BoardColumn, requested: str, labels: Collection[str]) -> BoardColumn:
    """`column` with the reference that it has, empty where it has none; of its entries those of
    `labels` (all where there are none) and the reference."""
    reference = requested if requested in column.entries else _reference_kept_by_pieces(column)
    if not labels:
        return replace(column, reference=reference)
    entries = [one for one in column.entries if one in labels]
    if entries and reference and reference not in entries:
        entries.append(reference)
    today = replace(column.today, made={one: column.today.made[one] for one in entries})
    unavailable = {one: why for one, why in column.unavailable.items() if one in labels}
    return replace(
        column, entries=entries, unavailable=unavailable, reference=reference, today=today
    )


def _reference_kept_by_pieces(column: BoardColumn) -> str:
    """The reference of those pieces that hold which links the most of the column's entries, so
    that what has been measured stays linked; the newest of several, and empty for none."""
    references = dict.fromkeys(
        piece.reference
        for piece in column.pieces
        if piece.reference in column.today.holds(piece) and not column.failed(piece.reference)
    )
    return max(references, key=lambda one: _links(column, one), default="")


def _links(column: BoardColumn, reference: str) -> int:
    return len(replace(column, reference=reference).standing().linked)


def _usual(column: BoardColumn, breadth: Mapping[str, int]) -> str:
    sound = [entry for entry in column.entries if not column.failed(entry)]
    return max(sound or column.entries, key=lambda entry: breadth[entry])


def _column(
    catalog: Catalog, scenario: Scenario, extra: Sequence[ServerVariant], store: Store
) -> BoardColumn:
    """The column of all servers that implement `scenario`, and those of `extra` that do."""
    # On a machine of several cores also the variant that uses them all.
    every = study_for(catalog, scenario.id).model_copy(update={"all_cores": True})
    study = with_all_cores(every, catalog)
    able = [one.label for one in extra if scenario.id in one.server.manifest.scenarios]
    digest = scenario_digest(scenario)
    services = versions_of(scenario.manifest.services)
    missing = _missing_service(scenario)
    made: dict[str, EntrySources] = {}
    unavailable: dict[str, str] = {}
    for server_variant in map(catalog.server_variant, dict.fromkeys([*study.servers, *able])):
        server, manifest = server_variant.server, server_variant.server.manifest
        if reason := manifest.reason if manifest.status == "unbuildable" else missing:
            unavailable[server_variant.label] = reason
            continue
        try:
            versions = {**toolchains_of(server), **services}
        except MissingToolchain as error:
            unavailable[server_variant.label] = str(error)
            continue
        made[server_variant.label] = EntrySources(
            server_digest(server, server_variant.variant),
            digest,
            versions,
            warm_up_digest(server),
        )
    pieces = list(_pieces(store, study.name))
    today = CurrentSources(_conditions(study, scenario), made).as_wide_as(pieces)
    return BoardColumn(scenario.id, list(made), unavailable, "", today, pieces, study.margin)


def _missing_service(scenario: Scenario) -> str:
    """Why a service that `scenario` needs cannot be had here; empty where all can."""
    for service in scenario.manifest.services:
        try:
            look_for(service)
        except ServiceError as error:
            return str(error)
    return ""


def _conditions(study: StudyManifest, scenario: Scenario) -> PieceConditions:
    versions = observe.versions()
    having = server_resources(study, bool(scenario.manifest.services))
    return PieceConditions(
        machine=observe.machine(noise=False).fingerprint,
        kernel=versions["kernel"],
        webdyno=versions["webdyno"],
        placement=having.placement.describe(),
        load=study.model_dump(mode="json")["loads"][0],
        measured_with=own_code(scenario, study.loads[0].generator),
    )


def _pieces(store: Store, study: str) -> Iterable[Piece]:
    for listed in store.listed(study):
        try:
            piece = piece_of(store.run(listed.id))
        except Unreadable:
            continue  # Of another version of Webdyno, of whose pieces none holds.
        if piece is not None:
            yield piece
