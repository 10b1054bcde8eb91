"""Scenarios whose requests are messages over WebSocket."""

from __future__ import annotations

import re
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.job import Job
from webdyno.generators.job_spec import spec_of
from webdyno.generators.registry import refuse

ECHO: dict[str, Any] = {
    "name": "echo",
    "path": "/ws",
    "websocket": True,
    "message": "No. {n}",
    "checks": [{"kind": "equals", "text": "No. {n}"}],
}


def scenario(*requests: dict[str, Any], **more: Any) -> ScenarioManifest:
    made = {
        "name": "chat",
        "title": "Chat",
        "description": "Echoes.",
        "variables": {"n": {"kind": "int", "min": 0, "max": 9}},
        "requests": list(requests),
        **more,
    }
    return parse_manifest(made, ScenarioManifest, "scenario.toml")


def test_messages_of_a_scenario_may_differ() -> None:
    manifest = scenario(ECHO, {**ECHO, "name": "bye", "message": "", "checks": []})
    assert manifest.websocket
    assert [request.message for request in manifest.requests] == ["No. {n}", ""]
    assert not scenario({"name": "page", "path": "/"}).websocket


@pytest.mark.parametrize(
    ("requests", "more", "remedy"),
    [
        ([{"name": "a", "path": "/", "message": "x"}], {}, "add websocket = true"),
        ([{"name": "a", "path": "/", "websocket": True}], {}, "needs a message"),
        ([{**ECHO, "method": "POST"}], {}, "leave method and body out"),
        ([{**ECHO, "body": "x"}], {}, "leave method and body out"),
        ([{**ECHO, "checks": [{"kind": "status", "equals": 101}]}], {}, "a message has no status"),
        ([ECHO, {"name": "page", "path": "/ws"}], {}, "'page' is not a message"),
        ([ECHO, {**ECHO, "name": "b", "path": "/b"}], {}, "'b' differs from 'echo'"),
        ([ECHO, {**ECHO, "name": "b", "headers": {"A": "b"}}], {}, "'b' differs from 'echo'"),
        ([{**ECHO, "path": "/ws/{n}"}], {}, "draw variables in the message only"),
        ([{**ECHO, "headers": {"A": "{n}"}}], {}, "draw variables in the message only"),
        ([ECHO], {"cookies": True}, "leave cookies out"),
    ],
)
def test_what_cannot_be_combined_is_told(
    requests: list[dict[str, Any]], more: dict[str, Any], remedy: str
) -> None:
    with pytest.raises(UserError, match=re.escape(remedy)):
        scenario(*requests, **more)


def test_only_generators_that_speak_websocket_are_given_messages() -> None:
    load = Closed(kind="closed", connections=1, duration=1.0)
    refuse(scenario(ECHO), load)
    for name in ("wrk", "autocannon", "artillery", "jmeter"):
        with pytest.raises(
            UserError, match=f"{name} does not speak WebSocket, .* generator engine"
        ):
            refuse(scenario(ECHO), load.model_copy(update={"generator": name}))


def job(manifest: ScenarioManifest) -> Job:
    load = Closed(kind="closed", connections=1, duration=1.0)
    return Job(scenario=manifest, load=load, port=4000, cpus=(), seed=1)


def test_the_engine_is_told_of_messages() -> None:
    told = spec_of(job(scenario(ECHO))).model_dump(mode="json")["requests"][0]
    assert (told["websocket"], told["message"], told["path"]) == (True, "No. {n}", "/ws")


def test_an_older_engine_reads_a_load_without_messages() -> None:
    spec = spec_of(job(scenario({"name": "page", "path": "/"})))
    assert not {"websocket", "message"} & set(spec.model_dump(mode="json")["requests"][0])
    assert "websocket" not in spec.json_text()
