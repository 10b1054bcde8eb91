"""A study with the user's changes: fewer servers, another budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.full_headline import narrowed_headline
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.studies.study_tables import Cost, ScenarioEntry
from webdyno.catalog.terms.cpus import cpus_text, parse_cpus
from webdyno.catalog.terms.reference import without_default
from webdyno.errors import UserError
from webdyno.run.study.named_study import question_of, title_of


def narrowed(
    study: StudyManifest,
    *,
    budget: float | None = None,
    servers: Sequence[str] | None = None,
    scenarios: Sequence[str] | None = None,
    blocks: int | None = None,
    method: str | None = None,
    record: bool = False,
    build_times: bool | None = None,
    duration: float | None = None,
    cpus: Mapping[str, str] | None = None,
) -> StudyManifest:
    """`study` with what is given changed: `budget` in seconds, `blocks` at most.

    `duration` is how many seconds the closed loads of the published method last, instead of what
    was published; those of the sound method last as long as they need. `record` keeps each
    request, under every load. `cpus` are lists of CPUs by role, in place of the study's own.

    Scenarios keep the parameters that the study gives them. Where the server of its A/A control is
    not among `servers`, the first of them is the control. Raises `UserError` where the result is no
    valid study.
    """
    left = study.servers if servers is None else [without_default(one) for one in servers]
    kept = study.entries()
    if scenarios is not None:
        kept = [entry for name in scenarios for entry in _entries(study, name)]
    changes: dict[str, Any] = {}
    if budget is not None:
        changes["budget"] = budget
    if servers is not None:
        changes["servers"] = left
        changes["all_cores"] = False  # Those who were named, and no others.
        if study.control not in left:
            changes["control"] = left[0] if study.control and left else ""
    if scenarios is not None:
        changes["scenarios"] = [_as_entered(study, entry) for entry in kept]
        changes["costs"] = _costs(study, kept)
    if servers is not None or scenarios is not None:
        headline = narrowed_headline(study, {entry.title for entry in kept}, left)
        changes["headline"] = headline.model_dump() if headline else None
    if blocks is not None:
        number = {"min": min(blocks, study.blocks.min), "max": blocks}
        changes["blocks"] = {**study.blocks.model_dump(), **number}
    if method is not None:
        changes["method"] = method
    if record or duration is not None:
        changes["loads"] = _loads(study, record, duration)
    if cpus:
        by_hand = {
            role: cpus_text(parse_cpus(text, f"--{role.removesuffix('s')}-cpus"))
            for role, text in cpus.items()
        }
        changes["placement"] = {**study.placement.model_dump(), **by_hand}
    if build_times is not None:
        changes["build_times"] = build_times
    if not changes:
        return study
    changes |= _asked_instead(study, left, kept)
    where = f"study {study.name} with these options"
    return parse_manifest({**study.model_dump(), **changes}, StudyManifest, where)


def _entries(study: StudyManifest, name: str) -> list[ScenarioEntry]:
    """The study's entries of that title or scenario; one without parameters where it has none."""
    known = study.entries()
    titled = [entry for entry in known if entry.title == name]
    found = titled or [entry for entry in known if entry.name == name]
    # A name that no scenario can bear is refused here.
    return found or [parse_manifest({"name": name}, ScenarioEntry, f"scenario '{name}'")]


def _as_entered(study: StudyManifest, entry: ScenarioEntry) -> dict[str, Any] | str:
    """The entry as a study states it: a name alone where it is none of `study`'s own."""
    return entry.model_dump() if entry in study.entries() else entry.name


def _costs(study: StudyManifest, kept: Sequence[ScenarioEntry]) -> list[Cost]:
    """The costs that still have two levels to compare among the entries that are `kept`."""
    titles = {entry.title for entry in kept}
    return [
        cost
        for cost in study.costs
        if len({level for title, level in study.levels(cost).items() if title in titles}) > 1
    ]


def _loads(study: StudyManifest, record: bool, duration: float | None) -> list[dict[str, Any]]:
    """The study's loads, recorded, and with another `duration` where they are closed and as
    published. Raises `UserError` where none of them is."""
    loads = [load.model_dump() for load in study.loads]
    if record:
        loads = [{**load, "record": True} for load in loads]
    if duration is None:
        return loads
    published = [
        load for load in loads if (load["kind"], load["method"]) == ("closed", "as-published")
    ]
    if not published:
        raise UserError(
            f"study {study.name} has no closed load of method 'as-published', the only kind that "
            "--duration is for; leave --duration out"
        )
    for load in published:
        load["duration"] = duration
    return loads


def _asked_instead(
    study: StudyManifest, servers: Sequence[str], entries: Sequence[ScenarioEntry]
) -> dict[str, str]:
    """Title and question of another choice of servers or scenarios than the study's own."""
    titles = [entry.title for entry in entries]
    before = (set(study.servers), {entry.title for entry in study.entries()})
    if (set(servers), set(titles)) == before:
        return {}
    return {
        "title": title_of(servers, titles),
        "question": question_of(servers, titles, study.metrics[0]),
    }
