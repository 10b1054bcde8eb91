"""The columns of the board as they are today: the catalog, this machine, and the stored runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from webdyno.board.pieces import PREFIX, Made, Piece, PieceConditions, Today, piece_of
from webdyno.board.state import BoardColumn
from webdyno.catalog.catalog import Catalog, Contender
from webdyno.catalog.scenario import Scenario
from webdyno.catalog.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.bench import observe
from webdyno.run.bench.all_cores import with_all_cores
from webdyno.run.bench.given import given
from webdyno.run.preparation.servers import MissingToolchain, toolchains_of
from webdyno.run.preparation.sources import scenario_digest, server_digest
from webdyno.run.study.asked import question_of, study_of_scenario, title_of
from webdyno.runtime.services.registry import versions_of
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

    A scenario keeps the reference of its newest piece, if that holds; else it is `reference`, else
    the server that implements the most of the scenarios. Raises `UserError` for what is not there.
    """
    names = list(scenarios) or catalog.scenario_names()
    chosen = [catalog.contender(one) for one in servers]
    if reference:
        catalog.contender(reference)
    found = [_column(catalog, catalog.scenario(name), chosen, store) for name in names]
    found = [one for one in found if len(one.entries) > 1]
    if not found:
        raise UserError(
            "the board needs two servers that implement the same scenario and can be built here"
        )
    breadth = {e: sum(e in c.entries for c in found) for c in found for e in c.entries}
    return [replace(one, reference=_reference(one, reference, breadth)) for one in found]


def with_piece(column: BoardColumn, piece: Piece) -> BoardColumn:
    """`column` with a piece that was measured, or measured further, just now. A reference that
    turned out not to be ranked is no link: another server takes its place."""
    others = [one for one in column.pieces if one.run != piece.run]
    pieces = [piece, *others]
    updated = replace(column, pieces=pieces, today=column.today.as_wide_as(pieces))
    sound = [entry for entry in updated.entries if not updated.failed(entry)]
    if updated.reference in sound or not sound:
        return updated
    return replace(updated, reference=max(sound, key=updated.attempts))


def _reference(column: BoardColumn, wanted: str, breadth: Mapping[str, int]) -> str:
    if wanted:
        if wanted not in column.entries:
            raise UserError(
                f"--reference {wanted}: cannot serve {column.scenario} here; name a server that "
                "can, or --scenarios"
            )
        return wanted
    for piece in column.pieces:
        kept = piece.reference
        holds = kept in column.entries and not column.today.changed(piece, kept)
        if holds and not column.failed(kept):
            return kept
    sound = [entry for entry in column.entries if not column.failed(entry)]
    return max(sound or column.entries, key=lambda entry: breadth[entry])


def _column(
    catalog: Catalog, scenario: Scenario, chosen: Sequence[Contender], store: Store
) -> BoardColumn:
    study = study_for(catalog, scenario.id)
    if chosen:
        able = [one.label for one in chosen if scenario.id in one.server.manifest.scenarios]
        if len(able) < 2:
            return _empty(scenario.id)
        study = study.model_copy(update={"servers": able})
    else:
        # On a machine of several cores also the variant that uses them all.
        study = with_all_cores(study.model_copy(update={"all_cores": True}), catalog)
    digest = scenario_digest(scenario)
    services = versions_of(scenario.manifest.services)
    made: dict[str, Made] = {}
    unavailable: dict[str, str] = {}
    for contender in map(catalog.contender, study.servers):
        server, manifest = contender.server, contender.server.manifest
        if manifest.status == "unbuildable":
            unavailable[contender.label] = manifest.reason
            continue
        try:
            versions = {**toolchains_of(server), **services}
        except MissingToolchain as error:
            unavailable[contender.label] = str(error)
            continue
        made[contender.label] = Made(server_digest(server, contender.variant), digest, versions)
    pieces = list(_pieces(store, study.name))
    today = Today(_conditions(study, scenario), made).as_wide_as(pieces)
    return BoardColumn(scenario.id, list(made), unavailable, "", today, pieces, study.margin)


def _empty(scenario: str) -> BoardColumn:
    return BoardColumn(scenario, [], {}, "", Today(PieceConditions("", "", "", "", {}), {}))


def _conditions(study: StudyManifest, scenario: Scenario) -> PieceConditions:
    versions = observe.versions()
    having = given(study, bool(scenario.manifest.services))
    return PieceConditions(
        machine=observe.machine(noise=False).fingerprint,
        kernel=versions["kernel"],
        webdyno=versions["webdyno"],
        placement=having.placement.describe(),
        load=study.model_dump(mode="json")["loads"][0],
    )


def _pieces(store: Store, study: str) -> Iterable[Piece]:
    for listed in store.listed(study):
        try:
            piece = piece_of(store.run(listed.id))
        except Unreadable:
            continue  # Of another version of Webdyno, of whose pieces none holds.
        if piece is not None:
            yield piece
