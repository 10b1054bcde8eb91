"""Loads that name several numbers of connections or cores: a load of each."""

from __future__ import annotations

from typing import Any

SWEPT = {"connections": "{base}-{n}", "cores": "{base}-{n}-cores"}
"""Keys that may hold a list, with the names of the loads that come of it."""


def expanded(study: Any) -> Any:
    """`study`, as it was written, with each sweep replaced by its loads, in their order.

    Scenarios that name the sweep among their loads get all of them. What has a wrong type is left
    as it is, for the model to refuse. Raises `ValueError`.
    """
    if not isinstance(study, dict) or not isinstance(study.get("loads"), list):
        return study
    loads: list[Any] = []
    made: dict[str, list[str]] = {}
    for load in study["loads"]:
        found = _each(load)
        loads += found
        if len(found) > 1 and isinstance(name := load.get("name"), str):
            made[name] = [one["name"] for one in found]
    if len(loads) == len(study["loads"]):
        return study if loads == study["loads"] else {**study, "loads": loads}
    changed = {**study, "loads": loads}
    if isinstance(scenarios := study.get("scenarios"), list):
        changed["scenarios"] = [_naming(entry, made) for entry in scenarios]
    return changed


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


def _naming(entry: Any, made: dict[str, list[str]]) -> Any:
    if not isinstance(entry, dict) or not isinstance(entry.get("loads"), list):
        return entry
    loads = [
        one
        for name in entry["loads"]
        for one in (made.get(name, [name]) if isinstance(name, str) else [name])
    ]
    return {**entry, "loads": loads}
