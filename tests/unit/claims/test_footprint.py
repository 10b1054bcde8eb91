"""Memory, threads and build times of a row."""

from __future__ import annotations

from typing import Any

import pytest

from unit.claims.test_checks import bad, found, said


@pytest.mark.parametrize(
    ("row", "sure", "told"),
    [
        (
            {"memory_at_start": "90MB", "memory": "70MB"},
            "certain",
            "a: its memory at the start, 90MB, is above its peak, 70MB.",
        ),
        (
            {"server": "node/http", "memory": "3.1MB"},
            "likely",
            "a: 3.1MB of memory are less than the 20 MB that the runtime of node takes by itself",
        ),
        (
            {"server": "elixir/phoenix", "memory_at_start": "3.1MB"},
            "likely",
            "the runtime of elixir takes by itself",
        ),
        ({"threads": 0}, "certain", "a: 0 threads are fewer than any program has."),
        (
            {"threads": 1, "cpu_cores": "2.4"},
            "certain",
            "a: 2.4 busy cores are more than its 1 thread can use.",
        ),
        (
            {"build": "20s", "build_again": "31s"},
            "likely",
            "a: a build after a change, 31s, takes longer than one of everything, 20s.",
        ),
    ],
)
def test_footprints_that_cannot_be(row: dict[str, Any], sure: str, told: str) -> None:
    findings = found({"label": "a", **row})
    assert bad(findings) == [("footprint", sure)]
    assert told in said(findings, "footprint")


@pytest.mark.parametrize(
    "row",
    [
        {"memory_at_start": "70MB", "memory": "70MB"},
        {"server": "go/chi", "memory": "3.1MB"},
        # Compiled ahead of time, they need no runtime.
        {"server": "java/quarkus", "memory": "12MB"},
        {"server": "csharp/aspnet", "memory": "9MB"},
        {"memory": "0B"},
        {"server": "node/http", "memory": "40MB"},
        {"threads": 1, "cpu_cores": "1.0"},
        {"threads": "~1", "cpu_cores": "~1.1"},
        {"build": "20s", "build_again": "21s"},
        {"build": "0s", "build_again": "0s"},
    ],
)
def test_footprints_that_can_be(row: dict[str, Any]) -> None:
    assert bad(found({"label": "a", **row})) == []


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [({"times": 3}, "holds"), ({"times": 5}, "contradicts"), ({"of": "b", "to": "a"}, "holds")],
)
def test_a_statement_about_memory_is_held_against_it(
    statement: dict[str, Any], outcome: str
) -> None:
    rows = {"label": "a", "memory": "210MB"}, {"label": "b", "memory": "70MB"}
    whole = {"says": "s", "table": "one", "of": "a", "to": "b", "metric": "memory", **statement}
    [one] = [one for one in found(*rows, statements=[whole]) if one.check == "statement"]
    assert one.outcome == outcome
