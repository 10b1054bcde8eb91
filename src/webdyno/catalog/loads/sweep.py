"""Loads that name several numbers of connections or cores: a load of each."""

from __future__ import annotations

from typing import Any

from webdyno.catalog.reading.fault import Loc

SWEPT = {"connections": "{base}-{n}", "cores": "{base}-{n}-cores"}
"""Keys that may hold a list, with the names of the loads that come of it."""


def expanded(study: Any) -> Any:
    """`study`, as it was written, with each sweep replaced by its loads, in their order.

    Scenarios that name the sweep among their loads get all of them. What has a wrong type is left
    as it is, for the model to refuse. Raises `ValueError`.
    """
    if not _has_loads(study):
        return study
    loads = [one for load in study["loads"] for one in _each(load)]
    if len(loads) == len(study["loads"]):
        return study if loads == study["loads"] else {**study, "loads": loads}
    changed = {**study, "loads": loads}
    if isinstance(scenarios := study.get("scenarios"), list):
        made = _expanded_names(study)
        changed["scenarios"] = [_naming(entry, made) for entry in scenarios]
    return changed


def as_written(study: Any, loc: Loc) -> Loc:
    """The way in `study`, as it was written, to where `loc` leads once sweeps are replaced by their
    loads."""
    if not _has_loads(study):
        return loc
    match loc:
        case ("loads", int(place), *rest):
            origins = [at for at, load in enumerate(study["loads"]) for _ in _each(load)]
            return ("loads", origins[place], *rest)
        case ("scenarios", int(entry), str(form), "loads", int(place)):
            expanded, named = _expanded_names(study), study["scenarios"][entry]["loads"]
            origins = [at for at, name in enumerate(named) for _ in _loads_named(name, expanded)]
            return ("scenarios", entry, form, "loads", origins[place])
    return loc


def _has_loads(study: Any) -> bool:
    return isinstance(study, dict) and isinstance(study.get("loads"), list)


def _expanded_names(study: dict[str, Any]) -> dict[str, list[str]]:
    """The names of the loads that come of each sweep that has a name."""
    expanded: dict[str, list[str]] = {}
    for load in study["loads"]:
        found = _each(load)
        if len(found) > 1 and isinstance(name := load.get("name"), str):
            expanded[name] = [one["name"] for one in found]
    return expanded


def _loads_named(name: Any, expanded: dict[str, list[str]]) -> list[Any]:
    """The loads that a scenario means by `name`."""
    return expanded.get(name, [name]) if isinstance(name, str) else [name]


def _each(load: Any) -> list[Any]:
    if not isinstance(load, dict) or load.get("kind") != "closed":
        return [load]
    for key, name in SWEPT.items():
        numbers = load.get(key)
        if not isinstance(numbers, list):
            continue
        nested = any(isinstance(number, list | dict) for number in numbers)
        if not numbers or nested or len(set(map(str, numbers))) != len(numbers):
            raise ValueError(f"'{key}' of a load must list different numbers, such as [1, 2, 4]")
        base = load.get("name") or "closed"
        names = [name.format(base=base, n=n) if isinstance(base, str) else base for n in numbers]
        return [
            one
            for n, called in zip(numbers, names, strict=True)
            for one in _each({**load, key: n, "name": called})
        ]
    return [load]


def _naming(entry: Any, expanded: dict[str, list[str]]) -> Any:
    if not isinstance(entry, dict) or not isinstance(entry.get("loads"), list):
        return entry
    return {
        **entry,
        "loads": [one for name in entry["loads"] for one in _loads_named(name, expanded)],
    }
