"""A study with the user's changes: fewer servers, another budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webdyno.catalog.asked_headline import narrowed_headline
from webdyno.catalog.cpus import cpus_text, parse_cpus
from webdyno.catalog.manifest import parse_manifest
from webdyno.catalog.study import StudyManifest
from webdyno.catalog.study_tables import ScenarioEntry
from webdyno.errors import UserError
from webdyno.run.study.asked import question_of, title_of


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

    Scenarios keep the parameters that the study gives them. The A/A control is dropped where its
    server is not among `servers`. Raises `UserError` where the result is no valid study.
    """
    changes: dict[str, Any] = {}
    if budget is not None:
        changes["budget"] = budget
    if servers is not None:
        changes["servers"] = list(servers)
        changes["all_cores"] = False  # Those who were named, and no others.
        changes["control"] = study.control if study.control in servers else ""
    if scenarios is not None:
        chosen = [found for name in scenarios for found in _entries(study, name)]
        changes["scenarios"] = chosen
        # What one more costs is asked of what is left of its scenario's entries.
        kept = {entry["label"] or entry["name"] for entry in chosen if isinstance(entry, dict)}
        changes["costs"] = [
            cost
            for cost in study.costs
            if len({at for title, at in study.levels(cost).items() if title in kept}) > 1
        ]
    if servers is not None or scenarios is not None:
        named = changes.get("scenarios", study.entries())
        titles = {one if isinstance(one, str) else _title(one) for one in named}
        left = narrowed_headline(study, titles, changes.get("servers", study.servers))
        changes["headline"] = left.model_dump() if left else None
    if blocks is not None:
        changes["blocks"] = {"min": min(blocks, study.blocks.min), "max": blocks}
    if method is not None:
        changes["method"] = method
    loads = [load.model_dump() for load in study.loads]
    if record:
        loads = [{**load, "record": True} for load in loads]
    if duration is not None:
        published = [
            load for load in loads if (load["kind"], load["method"]) == ("closed", "as-published")
        ]
        if not published:
            raise UserError(
                f"study {study.name}: --duration is for closed loads of method 'as-published', "
                "and it has none; leave it out"
            )
        for load in published:
            load["duration"] = duration
    if record or duration is not None:
        changes["loads"] = loads
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
    changes |= _asked_instead(study, changes)
    where = f"study {study.name} with these options"
    return parse_manifest({**study.model_dump(), **changes}, StudyManifest, where)


def _asked_instead(study: StudyManifest, changes: dict[str, Any]) -> dict[str, str]:
    """Title and question of another choice of servers or scenarios than the study's own."""
    chosen = changes.get("scenarios", study.entries())
    scenarios = [entry.title for entry in map(_entry, chosen)]
    servers = changes.get("servers", study.servers)
    before = (set(study.servers), {entry.title for entry in study.entries()})
    if (set(servers), set(scenarios)) == before:
        return {}
    return {
        "title": title_of(servers, scenarios),
        "question": question_of(servers, scenarios, study.metrics[0]),
    }


def _entry(entry: ScenarioEntry | dict[str, Any] | str) -> ScenarioEntry:
    if isinstance(entry, ScenarioEntry):
        return entry
    return ScenarioEntry(name=entry) if isinstance(entry, str) else ScenarioEntry(**entry)


def _title(entry: ScenarioEntry | dict[str, Any]) -> str:
    return ScenarioEntry.model_validate(entry).title


def _entries(study: StudyManifest, name: str) -> list[dict[str, Any] | str]:
    """The study's entries of that title or scenario; one without parameters where it has none."""
    known = study.entries()
    titled = [entry for entry in known if entry.title == name]
    found = titled or [entry for entry in known if entry.name == name]
    if not found:  # Refused here where nothing can bear that name.
        parse_manifest({"name": name}, ScenarioEntry, f"scenario '{name}'")
    return [entry.model_dump() for entry in found] or [name]
