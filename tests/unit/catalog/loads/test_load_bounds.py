"""The bounds of loads are those of the engine: what a manifest accepts, the engine takes."""

from __future__ import annotations

from typing import Any

import pytest

from webdyno._engine import Load
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.loads import load_bounds
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.generators.specification import (
    ClosedShape,
    IterationsShape,
    LoadSpec,
    OpenShape,
    PhaseSpec,
    RequestSpec,
    Shape,
    TargetSpec,
)

STUDY: dict[str, Any] = {
    "name": "s", "title": "t", "question": "q", "servers": ["node/http"], "scenarios": ["json"],
}  # fmt: skip
CLOSED = ClosedShape(connections=1, duration_s=1)


def asked(load: Shape = CLOSED, **more: Any) -> Load:
    """The engine's load, where it takes such a one."""
    target = TargetSpec(host="127.0.0.1", port=1)
    spec = LoadSpec(target=target, load=load, requests=[RequestSpec(name="a", path="/")], **more)
    return Load(spec.json_text())


def lasting(seconds: float) -> Shape:
    return ClosedShape(connections=1, duration_s=seconds)


def at_rate(rate: float) -> Shape:
    return OpenShape(phases=[PhaseSpec(rate=rate, duration_s=1)], connections=1)


def test_the_engine_takes_what_is_within_the_bounds_and_nothing_beyond() -> None:
    for seconds in (load_bounds.SHORTEST_S, load_bounds.LONGEST_S):
        asked(lasting(seconds), timeout_s=seconds)
    asked(at_rate(load_bounds.MOST_LOAD_RPS))
    most = load_bounds.MOST_COUNT
    asked(IterationsShape(users=1, iterations=most), visits=most)
    for seconds in (load_bounds.SHORTEST_S * 0.99, load_bounds.LONGEST_S * 1.01):
        with pytest.raises(ValueError, match="duration_s"):
            asked(lasting(seconds))
        with pytest.raises(ValueError, match="timeout_s"):
            asked(timeout_s=seconds)
    day = PhaseSpec(rate=1, duration_s=load_bounds.LONGEST_S)
    asked(OpenShape(phases=[day] * 7, connections=1))
    assert 7 * day.duration_s == load_bounds.LONGEST_OF_PHASES_S
    with pytest.raises(ValueError, match="phases: 691200 seconds in all"):
        asked(OpenShape(phases=[day] * 8, connections=1))
    with pytest.raises(ValueError, match="rate"):
        asked(at_rate(load_bounds.MOST_LOAD_RPS * 1.01))


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (
            {"kind": "closed", "duration": "300d"},
            "key 'duration' in the first [[loads]]: '300d' is not a valid load",
        ),
        (
            {"kind": "closed", "duration": "1s", "timeout": "2d"},
            "key 'timeout' in the first [[loads]]: '2d'",
        ),
        (
            {"kind": "closed", "duration": "1s", "timeout": "1us"},
            "key 'timeout' in the first [[loads]]: '1us'",
        ),
        ({"kind": "open", "phases": ["1000M/s:10s"]}, "'1000M/s:10s' is too fast for a load"),
        ({"kind": "open", "phases": ["1/s:300d"]}, "'300d' is not a valid load duration"),
        ({"kind": "open", "phases": ["0.01/s:10s"]}, "fewer than one request in all"),
        ({"kind": "open", "phases": ["1/s:24h"] * 8}, "last more than 7 days in all; leave some"),
        (
            {"kind": "open", "phases": ["9/s:9s"], "shortest": "1us"},
            "key 'shortest' in the first [[loads]]",
        ),
        ({"kind": "iterations", "users": 1, "iterations": 10**30}, "must be at most 92233720"),
        (
            {"kind": "closed", "duration": "1s", "visits": 10**30},
            "key 'visits' in the first [[loads]]: must be",
        ),
        ({"kind": "objective", "objective": "p99 < 1s", "max_rate": "200M/s"}, "too fast"),
        (
            {"kind": "objective", "objective": "p99 < 1s", "step": "2d"},
            "key 'step' in the first [[loads]]: '2d'",
        ),
    ],
)
def test_a_study_asks_for_no_load_that_the_engine_refuses(load: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_manifest({**STUDY, "loads": [load]}, StudyManifest, "bad")
    assert said in str(caught.value)


@pytest.mark.parametrize("key", ["duration", "steady_duration", "timeout"])
def test_a_description_asks_for_none_either(key: str) -> None:
    for text in ("2d", "1us"):
        with pytest.raises(UserError, match=rf"key 'load.{key}': '{text}' is not a valid load"):
            parse_manifest({"load": {key: text}}, Description, "bad")
    with pytest.raises(UserError, match=r"key 'load.rate': '101M/s' is too fast"):
        parse_manifest({"load": {"rate": "101M/s"}}, Description, "bad")


def test_loads_at_the_bounds_are_read() -> None:
    loads = [
        {"kind": "closed", "duration": "24h", "timeout": 0.001, "visits": load_bounds.MOST_COUNT},
        {"kind": "open", "phases": ["10M/s:1ms", "0/s..10M/s:1d"]},
        {"kind": "iterations", "users": 1, "iterations": load_bounds.MOST_COUNT},
        {"kind": "objective", "objective": "p99 < 1s", "max_rate": "10M/s", "step": "24h"},
    ]
    assert len(parse_manifest({**STUDY, "loads": loads}, StudyManifest, "good").loads) == 4
