"""What of a study can be made from several machines: the loads of the engine's."""

from __future__ import annotations

from typing import Any

from webdyno.catalog.loads.abilities import BUILT_IN
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.full_headline import narrowed_headline
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.studies.study_tables import Cost
from webdyno.errors import UserError
from webdyno.run.bench.bench import AdaptedStudy


def engine_loads(study: StudyManifest) -> AdaptedStudy:
    """`study` without the loads that others than the engine make.

    Raises `UserError` where nothing is left, and where requests are to be recorded one by one.
    """
    chosen = study.chosen_loads()
    if any(load.record for load in chosen):
        raise UserError(
            "--jtl: with --machines, requests are not recorded one by one; leave one of the two out"
        )
    gone = {load.label(): load.generator for load in chosen if load.generator != BUILT_IN}
    if not gone:
        return AdaptedStudy(study)
    told = ", ".join(f"{label} ({generator})" for label, generator in gone.items())
    if len(gone) == len(chosen):
        raise UserError(
            f"study {study.name}: its only loads are {told}, but only the engine can generate load "
            "from other machines; choose --method sound or both, or run without --machines"
        )
    left_out = f"left out: {told}; only the engine can generate load from other machines"
    return AdaptedStudy(_without(study, gone), left_out)


def _without(study: StudyManifest, removed: dict[str, str]) -> StudyManifest:
    loads = [load for load in study.loads if load.label() not in removed]
    entries = []
    for entry in study.entries():
        kept = [label for label in entry.loads if label not in removed]
        if kept or not entry.loads:
            entries.append(entry.model_copy(update={"loads": kept}))
    titles = {entry.title for entry in entries}
    headline = study.headline
    if headline is not None and headline.load in removed:
        headline = None
    elif headline is not None:
        headline = narrowed_headline(study, titles, study.servers)
    changes: dict[str, Any] = {
        "loads": [load.model_dump() for load in loads],
        "scenarios": [entry.model_dump() for entry in entries],
        "headline": headline.model_dump() if headline else None,
        "costs": [cost.model_dump() for cost in study.costs if _is_asked(study, cost, titles)],
    }
    where = f"study {study.name} on machines"
    return parse_manifest({**study.model_dump(), **changes}, StudyManifest, where)


def _is_asked(study: StudyManifest, cost: Cost, titles: set[str]) -> bool:
    at = {level for title, level in study.levels(cost).items() if title in titles}
    return len(at) > 1
