"""Requests drawn beforehand, as the engine draws them under way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.drawn import draw
from webdyno.generators.job import Job


def job(requests: list[dict[str, Any]], given: Any = None, **scenario: Any) -> Job:
    manifest = {"name": "some", "title": "t", "description": "d", "requests": requests, **scenario}
    return Job(
        scenario=ScenarioManifest.model_validate(manifest),
        load=Closed(kind="closed", connections=1, duration=1.0),
        port=1,
        cpus=(),
        seed=3,
        variables=given or {},
    )


def paths(job: Job, rounds: int) -> list[str]:
    return [request.path for request in draw(job, rounds)]


def test_what_does_not_vary_is_drawn_once() -> None:
    fixed = [{"name": "a", "path": "/a{{}}"}, {"name": "b", "path": "/b"}]
    assert paths(job(fixed), 100) == ["/a{}", "/b"]


def test_every_kind_of_variable() -> None:
    requests = [{"name": "a", "path": "/{i}/{c}/{s}"}]
    variables = {
        "i": {"kind": "int", "min": 5, "max": 7},
        "c": {"kind": "choice", "values": ["x", "y"]},
        "s": {"kind": "sequence", "start": 10, "step": 5},
    }
    drawn = [path.split("/")[1:] for path in paths(job(requests, variables=variables), 60)]
    assert {i for i, _, _ in drawn} == {"5", "6", "7"}
    assert {c for _, c, _ in drawn} == {"x", "y"}
    assert [s for _, _, s in drawn] == [str(10 + 5 * k) for k in range(60)]


def test_the_verifier_s_values_go_first() -> None:
    requests = [{"name": "a", "path": "/{c}"}]
    variables = {"c": {"kind": "choice", "values": []}}
    given = {"c": {"kind": "choice", "values": ["only"]}}
    assert set(paths(job(requests, given, variables=variables), 5)) == {"/only"}


def test_a_variable_has_one_value_in_a_request_and_another_in_the_next() -> None:
    requests = [{"name": "a", "path": "/{n}", "body": "{n}", "headers": {"X": "{n}"}}]
    variables = {"n": {"kind": "int", "min": 0, "max": 10**9}}
    drawn = draw(job(requests, variables=variables), 20)
    assert all(r.path == f"/{r.body}" and r.headers["X"] == r.body for r in drawn)
    assert len({r.path for r in drawn}) == 20


def test_the_same_seed_draws_the_same() -> None:
    requests = [{"name": "a", "path": "/{n}"}]
    variables = {"n": {"kind": "int", "min": 0, "max": 10**9}}
    one = job(requests, variables=variables)
    assert paths(one, 10) == paths(one, 10)


def test_random_order_mixes_the_requests() -> None:
    requests = [{"name": "a", "path": "/a"}, {"name": "b", "path": "/b"}]
    drawn = Counter(paths(job(requests, order="random"), 200))
    assert sum(drawn.values()) == 400
    assert 120 < drawn["/a"] < 280


def test_mistakes_are_told() -> None:
    # A manifest cannot name it, but a body from a verifier can.
    made = job([{"name": "a", "method": "POST", "path": "/"}])
    made = replace(made, scenario=made.scenario.with_bodies({"a": "{m}"}))
    with pytest.raises(UserError, match=r"scenario some: '\{m\}' is not among its variables"):
        draw(made, 1)
    empty = {"n": {"kind": "choice", "values": []}}
    with pytest.raises(UserError, match="variable 'n' has no values"):
        draw(job([{"name": "a", "path": "/{n}"}], variables=empty), 1)


def test_a_large_body_is_drawn_too_and_too_many_of_them_are_refused() -> None:
    large = "x" * 1_000_000
    requests = [{"name": "a", "method": "POST", "path": "/", "body": "{n}{{" + large}]
    variables = {"n": {"kind": "int", "min": 10, "max": 99}}
    drawn = draw(job(requests, variables=variables), 20)
    assert all(one.body == f"{one.variables['n']}{{{large}" for one in drawn)
    assert len({one.body for one in drawn}) > 1
    with pytest.raises(UserError, match="1000 pre-drawn bodies would take more than 256 MB"):
        draw(job(requests, variables=variables), 1000)


def test_the_verifier_gives_requests_their_bodies() -> None:
    requests = [{"name": "a", "path": "/"}, {"name": "b", "path": "/", "body": "short"}]
    manifest = job(requests).scenario
    given = manifest.with_bodies({"b": "long"})
    assert [request.body for request in given.requests] == [None, "long"]
    assert manifest.with_bodies({}) == manifest
    with pytest.raises(UserError, match="a body for 'c'; its requests are: a, b"):
        manifest.with_bodies({"c": "long"})
