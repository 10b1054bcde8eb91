"""Loads that name several numbers of connections or cores: a load of each."""

from __future__ import annotations

from typing import Any

SWEPT = {"connections": "{base}-{n}", "cores": "{base}-{n}-cores"}
"""Keys that may hold a list, with the names of the loads that come of it."""


def expanded(study: Any) -> Any:
    """`study`, as it was written, with each sweep replaced by its loads, in their order.

    Scenarios that name the sweep among their loads get all of them. Raises `ValueError`.
    """
    if not isinstance(study, dict) or not isinstance(study.get("loads"), list):
        return study
    loads: list[Any] = []
    made: dict[str, list[str]] = {}
    for load in study["loads"]:
        found = _each(load)
        loads += found
        if len(found) > 1 and load.get("name"):
            made[load["name"]] = [one["name"] for one in found]
    if len(loads) == len(study["loads"]):
        return study if loads == study["loads"] else {**study, "loads": loads}
    scenarios = [_naming(entry, made) for entry in study.get("scenarios", [])]
    return {**study, "loads": loads, "scenarios": scenarios}


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
        return [
            one
            for n in numbers
            for one in _each({**load, key: n, "name": name.format(base=base, n=n)})
        ]
    return [load]


def _naming(entry: Any, made: dict[str, list[str]]) -> Any:
    if not isinstance(entry, dict) or not isinstance(entry.get("loads"), list):
        return entry
    return {**entry, "loads": [one for name in entry["loads"] for one in made.get(name, [name])]}
