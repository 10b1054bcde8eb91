"""Requests that no engine takes are refused where they are read; all others are read."""

from __future__ import annotations

from typing import Any

import pytest

from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError

NUMBER = {"kind": "int", "min": 1, "max": 9}
CHOICE = {"kind": "choice", "values": ["a", "b"]}

REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"path": "/a/{nope}"}, {}, "path: unknown variable {nope} (known: there are none)"),
    ({"path": "/a/{nope}"}, {"n": NUMBER}, "path: unknown variable {nope} (known: n)"),
    ({"path": "/a{"}, {}, "path: a lone '{'; write '{{' for the character"),
    ({"path": "/a}"}, {}, "path: a lone '}'; write '}}' for the character"),
    ({"path": "/", "headers": {"X": "{x}"}}, {}, "header 'X': unknown variable {x}"),
    ({"path": "/", "headers": {"Content-Length": "1"}}, {}, "sets it to fit the body"),
    ({"path": "/", "method": "POST", "body": '{"a": 1}'}, {}, "body: unknown variable"),
    ({"path": "/", "checks": [{"kind": "matches", "pattern": "("}]}, {}, "matches: pattern '('"),
    ({"path": "/", "checks": [{"kind": "counter", "pattern": "1"}]}, {}, "captures nothing"),
    ({"path": "/", "checks": [{"kind": "equals", "text": "{x}"}]}, {}, "equals: text: unknown"),
    ({"path": "/", "checks": [{"kind": "lookup", "variable": "x"}]}, {}, "lookup: unknown"),
    (
        {"path": "/", "checks": [{"kind": "status", "equals": code} for code in (200, 201)]},
        {},
        "check status: there are two",
    ),
]

READ: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"path": "/a/{n}?b={n}&c={{n}}"}, {"n": NUMBER}),
    ({"path": "/", "method": "POST", "body": '{{"a": [{n}, {{}}]}}'}, {"n": NUMBER}),
    ({"path": "/", "headers": {"X": "{{}} {n}"}}, {"n": NUMBER}),
    ({"path": "/{n}", "checks": [{"kind": "equals", "text": "{{{n}}}"}]}, {"n": NUMBER}),
    ({"path": "/{n}", "checks": [{"kind": "contains", "text": "{n}"}]}, {"n": CHOICE}),
    ({"path": "/", "checks": [{"kind": "matches", "pattern": r"^\{\d{3}\}$"}]}, {}),
    ({"path": "/", "checks": [{"kind": "counter", "pattern": r"(\d+)"}]}, {}),
    ({"path": "/", "checks": [{"kind": "length", "min": 1}]}, {"unused": NUMBER}),
]


def scenario_of(request: dict[str, Any], variables: dict[str, Any], **more: Any) -> str:
    """What is said of a scenario with such a request; empty where it is read."""
    manifest = {"name": "s", "title": "t", "description": "d", "variables": variables, **more}
    return told({**manifest, "requests": [{"name": "r", **request}]}, ScenarioManifest)


def description_of(request: dict[str, Any], variables: dict[str, Any], **more: Any) -> str:
    """The same of a webdyno.toml."""
    return told({"requests": [request], "variables": variables, **more}, Description)


def told(data: dict[str, Any], model: type[ScenarioManifest | Description]) -> str:
    try:
        parse_manifest(data, model, "a.toml")
    except UserError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("request_", "variables", "said"), REFUSED)
def test_what_no_engine_takes_is_refused_by_the_request(
    request_: dict[str, Any], variables: dict[str, Any], said: str
) -> None:
    method, path = request_.get("method", "GET"), request_["path"]
    for line, name in (
        (scenario_of(request_, variables), "r"),
        (description_of(request_, variables), f"{method} {path}"),
    ):
        assert line.startswith(f"a.toml: request '{name}': ")
        assert said in line
        assert "\n" not in line


@pytest.mark.parametrize(("request_", "variables"), READ)
def test_what_the_engine_takes_is_read(request_: dict[str, Any], variables: dict[str, Any]) -> None:
    assert scenario_of(request_, variables) == ""
    assert description_of(request_, variables) == ""


def test_what_a_verifier_gives_is_not_missed_in_a_scenario() -> None:
    empty = {"kind": "choice", "values": []}
    assert scenario_of({"path": "/{v}"}, {"v": empty}) == ""
    by_value = {"path": "/{v}", "checks": [{"kind": "lookup", "variable": "v"}]}
    for values in ([], ["a", "b"]):
        assert scenario_of(by_value, {"v": {"kind": "choice", "values": values}}) == ""
    assert scenario_of(by_value, {"v": NUMBER}) == ""
    # Values that do not fit a path may be replaced.
    assert scenario_of({"path": "/{v}"}, {"v": {"kind": "choice", "values": ["a b"]}}) == ""
    # A body from `prepare` may use what only the checks name here.
    checks = [{"kind": "equals", "text": "{n}"}, {"kind": "lookup", "variable": "v"}]
    sent = {"path": "/", "method": "POST", "checks": checks}
    many = {f"v{number}": NUMBER for number in range(20)}
    assert scenario_of(sent, {"n": NUMBER, "v": empty, **many}) == ""
    # Of a load whose users keep no cookies.
    assert scenario_of({"path": "/", "headers": {"Cookie": "a=1"}}, {}, cookies=True) == ""


def test_a_description_has_nobody_who_gives_them() -> None:
    empty = {"kind": "choice", "values": []}
    assert "variables.v: values is empty; give at least one" in description_of(
        {"path": "/{v}"}, {"v": empty}
    )
    by_value = {"path": "/{v}", "checks": [{"kind": "lookup", "variable": "v"}]}
    assert "no body is given for value" in description_of(by_value, {"v": CHOICE})
    unused = {"path": "/", "checks": [{"kind": "equals", "text": "{n}"}]}
    assert "the request does not use {n}" in description_of(unused, {"n": NUMBER})
    spaced = {"kind": "choice", "values": ["a b"]}
    assert "percent-encode it" in description_of({"path": "/{v}"}, {"v": spaced})
    cookie = {"path": "/", "headers": {"Cookie": "a=1"}}
    assert description_of(cookie, {}) == ""
    assert "the cookie jar sets it" in description_of(cookie, {}, cookies=True)


def test_messages_are_asked_about_as_well() -> None:
    message = {"path": "/ws", "websocket": True, "message": "{n}"}
    assert scenario_of(message, {"n": NUMBER}) == ""
    assert "message: unknown variable {n}" in scenario_of(message, {})
    unused = {**message, "checks": [{"kind": "equals", "text": "{m}"}]}
    assert "does not use {m}" in scenario_of(unused, {"n": NUMBER, "m": NUMBER})


def test_a_machine_that_has_no_files_left_reads_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def poor(_spec: str) -> None:
        raise ValueError("load: 261 open files are needed, but the limit is 64; use fewer")

    monkeypatch.setattr("webdyno._engine.Load", poor)
    assert scenario_of({"path": "/"}, {}) == ""


def test_programs_and_services_are_those_there_can_be() -> None:
    line = told({"toolchain": ["node 20"]}, Description)
    assert line.startswith("a.toml: the first of 'toolchain': should read like 'node >= 20'")
    assert told({"toolchain": ["node", "php >= 8.1 with pgsql"]}, Description) == ""
    line = told({"services": {"mysql": {}}}, Description)
    assert line.startswith("a.toml: key 'services.mysql': should be mariadb or postgresql")
    assert told({"services": {"postgresql": {}, "mariadb": {}}}, Description) == ""
