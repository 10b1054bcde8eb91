"""What a wrong value in any manifest is answered with: our words, and never those of a library."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.reading.place import ordinal
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError

ROOT = Catalog().roots[0]
OF_A_LIBRARY = re.compile(
    r"after validation|value error|found using|input should|\[type=|valid (integer|string|boolean)"
    r"|should be a valid|match the pattern|the manifest|union|instance of|tuple|dictionary|pydantic"
    r"|NoneType",
    re.IGNORECASE,
)
WRONG: list[Any] = [
    True, 0, -1, 1.5, math.nan, math.inf, 10**400, "", "wibble", "\x00", [], [[1]], [1, 1],
    ["x", "x"], [{}], {}, {"kind": "opne"}, {"wibble": 1}, [{"kind": 3}],
]  # fmt: skip
DESCRIPTION = """
name = "shop"
toolchain = ["node >= 18"]
requests = ["GET /items", { path = "/items/{id}", status = 404, headers = { Accept = "a/b" } }]
variables.id = { kind = "int", min = 1, max = 9 }
budget = "2m"
margin = 0.05
confidence = 0.9
[build]
commands = ["npm ci", ["npm", "run", "build"]]
[run]
command = "node server.js"
ready = "/health"
[load]
kinds = ["full"]
rate = "200/s"
[answers]
ignore_json = ["items[*].time"]
[warmup]
min = 1
[limits]
cpus = 1.0
memory = "1GB"
"""
STUDY: dict[str, Any] = tomllib.loads(
    """
name = "s"
title = "t"
question = "q"
servers = ["node/http"]
scenarios = ["json", { name = "hello", parameters = { answers = 3 }, loads = ["a"] }]
metrics = ["throughput_rps"]
margin = 0.03
control = "node/http"
all_cores = false
[headline]
scenario = "json"
[blocks]
min = 3
[limits]
cpus = 1.0
[placement]
server = "0"
[planning]
traffic = "25M/day"
price = "0.10/h"
[[loads]]
name = "a"
kind = "closed"
connections = 4
duration = "1s"
slice = 0.1
[[loads]]
name = "b"
kind = "open"
phases = ["1/s:1s"]
scale = "half"
[[loads]]
name = "c"
kind = "iterations"
users = 1
iterations = 1
[[loads]]
name = "d"
kind = "objective"
objective = "p99 < 100ms"
[[published]]
server = "node/http"
scenario = "json"
metric = "throughput_rps"
value = 1.0
"""
)


def read(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


MANIFESTS: dict[str, tuple[dict[str, Any], type[BaseModel]]] = {
    "study": (STUDY, StudyManifest),
    "server": (read("servers/node/express/server.toml"), ServerManifest),
    "scenario": (read("scenarios/blog/scenario.toml"), ScenarioManifest),
    "websocket": (read("scenarios/websocket-echo/scenario.toml"), ScenarioManifest),
    "published": (read("studies/published/point-lookup.toml"), PublishedManifest),
    "webdyno.toml": (tomllib.loads(DESCRIPTION), Description),
}


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every key and entry; of a list only the last, but every load."""
    if at:
        yield at
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*at, key))
    elif isinstance(data, list):
        for index, value in list(enumerate(data))[-4 if at == ("loads",) else -1 :]:
            yield from places(value, (*at, index))


def changed(data: Any, at: tuple[Any, ...], value: Any) -> Any:
    """`data` with `value` at that place; what is beside it is not copied."""
    if not at:
        return value
    made = dict(data) if isinstance(data, dict) else list(data)
    made[at[0]] = changed(data[at[0]], at[1:], value) if len(at) > 1 else value
    return made


def refusal(data: dict[str, Any], model: type[BaseModel]) -> str:
    """What `data` is refused with; empty where it is read."""
    try:
        parse_manifest(data, model, "x.toml")
    except UserError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", MANIFESTS)
def test_no_wrong_value_of_any_key_is_answered_in_a_librarys_words(name: str) -> None:
    data, model = MANIFESTS[name]
    assert refusal(data, model) == ""
    refused = 0
    for at in places(data):
        for value in WRONG:
            said = refusal(changed(data, at, value), model)
            assert not OF_A_LIBRARY.search(said), said
            assert len(said) < 500, said
            refused += bool(said)
        if isinstance(at[-1], str):
            said = refusal(changed(data, (*at[:-1], "wibble"), 1), model)
            assert not OF_A_LIBRARY.search(said), said
    assert refused > 50


def of_study(**keys: Any) -> str:
    return refusal({**STUDY, **keys}, StudyManifest)


def of_load(**keys: Any) -> str:
    return of_study(loads=[{"name": "a", **keys}], scenarios=["json"])


CLOSED: dict[str, Any] = {"kind": "closed", "duration": "1s"}
USERS: dict[str, Any] = {"kind": "iterations", "users": 1, "iterations": 1}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (
            of_load(**USERS, slice=0.1),
            "x.toml: unknown key 'slice' in the first [[loads]] of kind 'iterations'; known keys: "
            "cookies, cores, generator, iterations, kind, method, name, record, threads, timeout, "
            "users, visits",
        ),
        (of_load(**USERS, usres=1), "'usres' in the first [[loads]] of kind 'iterations'; did you"),
        (of_load(kind="opne"), "first [[loads]]: kind 'opne' is not known; did you mean 'open'?"),
        (
            of_load(kind="x"),
            "kind 'x' is not known; choose 'closed', 'open', 'iterations' or 'objective'",
        ),
        (
            of_load(duration="1s"),
            "'kind' is missing; choose 'closed', 'open', 'iterations' or 'objective'",
        ),
        (
            of_load(kind="open", phases=["1/s:1s"], scale="x"),
            "key 'scale' in the first [[loads]]: must be 'auto' or 'half' (got 'x')",
        ),
        (of_study(servers=[]), "x.toml: key 'servers': must not be empty"),
        (of_study(margin=math.nan), "key 'margin': must be a finite number (got nan)"),
        (of_study(placement={"server": "x"}), "key 'placement.server': CPUs: 'x' is not a list"),
        (of_study(control="x"), "x.toml: control 'x' must be one of 'servers'"),
        (of_study(metrics=["p99_us", "p99_us"]), "'p99_us' is listed twice; list it once"),
        (of_study(all_cores="yes"), "key 'all_cores': must be true or false (got 'yes')"),
        (of_study(limits={"cpus": 1e-300}), "'limits.cpus': must be at least 0.01 (got 1e-300)"),
        (of_study(limits={"cpus": True}), "key 'limits.cpus': must be a number (got true)"),
        (of_study(limits={"cpus": "1"}), "key 'limits.cpus': must be a number (got '1')"),
        (of_load(**CLOSED, connections=[[1]]), "'connections' of a load must list different num"),
        (of_load(**CLOSED, connections=[True]), "must be a whole number (got true)"),
        (of_load(**CLOSED, connections=True), "must be a whole number (got true)"),
        (of_load(**CLOSED, connections="8"), "must be a whole number (got '8')"),
        (of_study(scenarios=[{"nmae": "x"}]), "key 'nmae' in the first [[scenarios]]; did you"),
        (of_study(scenarios=[3]), "the first [[scenarios]]: must be a table (got 3)"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_files_own_key(said: str, wanted: str) -> None:
    assert wanted in said
    assert said.startswith("x.toml: ")


def test_the_least_cpus_are_the_least_quota_there_is() -> None:
    from webdyno.catalog.studies.study_tables import LEAST_CPUS
    from webdyno.runtime.confinement.own_groups import PERIOD_US, _quota_us

    assert _quota_us(LEAST_CPUS) == LEAST_CPUS * PERIOD_US


def test_a_manifest_that_is_no_table_is_told(tmp_path: Path) -> None:
    assert refusal([], StudyManifest) == "x.toml: must be a table"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "first"), (9, "ninth"), (10, "10th"), (11, "11th"), (22, "22nd"), (113, "113th")],
)
def test_entries_of_a_list_are_counted_as_people_count(number: int, said: str) -> None:
    assert ordinal(number) == said
