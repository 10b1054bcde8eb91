"""Beside a server that leaves cores idle, the same one on all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.bench.bench import HERE
from webdyno.run.bench.server_resources import ServerResources
from webdyno.run.study.plan import Cell, cells_of
from webdyno.store.records import entry_label


def with_all_cores(
    study: StudyManifest,
    catalog: Catalog,
    cores: float | None = None,
    resources: Callable[[StudyManifest, Sequence[Cell]], ServerResources] = HERE.server_resources,
) -> StudyManifest:
    """`study` with the variant that uses all cores after each server that does not, where the study
    asks for it (`all_cores`) and a server has more than one core: of `cores`, else of its
    `resources`.

    Raises `UserError` for CPUs given by hand that cannot be had.
    """
    if not study.all_cores:
        return study
    if (cores or _cores(resources(study, cells_of(study, catalog)))) < 2:
        return study
    headline = study.headline
    if headline is not None and headline.servers:
        # What is answered first is not to be of fewer cores either.
        asked = _beside(headline.servers, catalog)
        headline = headline.model_copy(update={"servers": asked})
    servers = _beside(study.servers, catalog)
    return study.model_copy(update={"servers": servers, "headline": headline})


def _cores(having: ServerResources) -> float:
    return min(len(having.placement.server), having.share.cpus or float("inf"))


def _beside(references: list[str], catalog: Catalog) -> list[str]:
    found: list[str] = []
    for reference in references:
        server_variant = catalog.server_variant(reference)
        variant = server_variant.server.all_cores_variant(server_variant.variant)
        found.append(reference)
        if variant:
            found.append(entry_label(server_variant.server.id, variant))
    return list(dict.fromkeys(found))
