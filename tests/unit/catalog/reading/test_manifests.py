"""Manifests: what is right is read, what is wrong is named with its remedy."""

from pathlib import Path

import pytest

from webdyno.catalog import Catalog
from webdyno.catalog.loads.load import Closed, Open
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest, read_study
from webdyno.errors import UserError

SERVER = """
name = "tiny"
language = "node"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = ["node >= 20"]
scenarios = ["hello"]
[run]
command = ["node", "server.js"]
env = { MODE = "one", LEVEL = "1" }
[concurrency]
model = "event loop"
processes = "1"
[variants.cluster]
description = "one process per core"
env = { MODE = "many" }
[variants.cluster.concurrency]
processes = "one per core"
"""

SCENARIO = """
name = "hello"
title = "Hello"
description = "A constant text."
[[requests]]
name = "hello"
path = "/hello"
checks = [{ kind = "status", equals = 200 }]
"""

STUDY = """
name = "first"
title = "First"
question = "Which?"
servers = ["node/tiny", "node/tiny@cluster"]
control = "node/tiny"
scenarios = ["hello"]
[[loads]]
kind = "closed"
connections = 8
duration = "2s"
[[loads]]
kind = "open"
phases = ["150/s:60s", "100/s..400/s:30s"]
"""


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A content folder with one server, one scenario and one study."""
    server = tmp_path / "servers" / "node" / "tiny"
    scenario = tmp_path / "scenarios" / "hello"
    for folder in (server, scenario, tmp_path / "studies"):
        folder.mkdir(parents=True)
    (server / "server.toml").write_text(SERVER)
    (scenario / "scenario.toml").write_text(SCENARIO)
    (scenario / "verifier.py").write_text("")
    (tmp_path / "studies" / "first.toml").write_text(STUDY)
    return tmp_path


def read_all(catalog: Catalog) -> None:
    catalog.server("node/tiny")
    catalog.scenario("hello")
    catalog.study("first")


def test_a_variant_inherits_what_it_does_not_give(content: Path) -> None:
    server_variant = Catalog([content]).server_variant("node/tiny@cluster")
    run = server_variant.server.run_of("cluster")
    assert run.command == ["node", "server.js"]
    assert run.env == {"MODE": "many", "LEVEL": "1"}
    facts = server_variant.server.concurrency_of("cluster")
    assert (facts.model, facts.processes) == ("event loop", "one per core")


def test_a_variant_may_close_connections(content: Path) -> None:
    manifest = content / "servers" / "node" / "tiny" / "server.toml"
    manifest.write_text(
        SERVER.replace("[variants.cluster]", "[variants.cluster]\nkeep_alive = false")
    )
    server = Catalog([content]).server("node/tiny")
    assert server.keeps_connections("default")
    assert "connections" not in server.parts_of("default")
    assert not server.keeps_connections("cluster")
    assert server.parts_of("cluster")["connections"] == "closed after each answer"


def test_default_is_not_the_name_of_a_variant(content: Path) -> None:
    manifest = content / "servers" / "node" / "tiny" / "server.toml"
    manifest.write_text(SERVER.replace("variants.cluster", "variants.default"))
    with pytest.raises(UserError, match="key 'variants': 'default' is the server without") as told:
        Catalog([content]).server("node/tiny")
    assert str(manifest) in str(told.value)


RELEASES = """
[runtimes.node-24]
description = "Node.js 24"
provides = { node = "24.1.0" }
commands = []
[runtimes.node-26]
description = "Node.js 26"
provides = { node = "26.1.0" }
commands = []
"""


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("", ["node-24", "node-26"]),
        ("runtimes = []", []),
        ('runtimes = ["node-26"]', ["node-26"]),
    ],
)
def test_a_server_has_the_releases_that_it_runs_on(
    content: Path, key: str, expected: list[str]
) -> None:
    folder = content / "servers" / "node"
    (folder / "language.toml").write_text(RELEASES)
    (folder / "tiny" / "server.toml").write_text(f"{key}\n{SERVER}")
    server = Catalog([content]).server("node/tiny")
    assert server.variant_names() == ["default", "cluster", *expected]
    for variant in ("node-24", "cluster-node-24"):
        if "node-24" in expected:
            Catalog([content]).server_variant(f"node/tiny@{variant}")
        else:
            with pytest.raises(UserError, match="node/tiny"):
                Catalog([content]).server_variant(f"node/tiny@{variant}")


def test_a_release_that_the_language_lacks_is_refused(content: Path) -> None:
    folder = content / "servers" / "node"
    (folder / "language.toml").write_text(RELEASES)
    (folder / "tiny" / "server.toml").write_text(f'runtimes = ["node-20"]\n{SERVER}')
    told = "key 'runtimes' names 'node-20'; node has: node-24, node-26"
    with pytest.raises(UserError, match=told):
        Catalog([content]).server("node/tiny")


@pytest.mark.parametrize(
    ("key", "told"),
    [("", "node has: node-24, node-26"), ("runtimes = []", "'runtimes' names: none")],
)
def test_a_variant_on_a_release_that_the_server_does_not_run_on_is_refused(
    content: Path, key: str, told: str
) -> None:
    folder = content / "servers" / "node"
    (folder / "language.toml").write_text(RELEASES)
    own = SERVER.replace("[variants.cluster]", '[variants.cluster]\nruntime = "node-20"')
    (folder / "tiny" / "server.toml").write_text(f"{key}\n{own}")
    with pytest.raises(UserError, match=f"'variants.cluster.runtime' is 'node-20'; {told}"):
        Catalog([content]).server("node/tiny")


def test_a_manifest_may_begin_with_a_byte_order_mark(content: Path) -> None:
    for path in content.rglob("*.toml"):
        path.write_text(path.read_text(), encoding="utf-8-sig")
    read_all(Catalog([content]))


def test_loads_are_told_apart_by_kind(content: Path) -> None:
    closed, opened = Catalog([content]).study("first").loads
    assert isinstance(closed, Closed)
    assert closed.duration == 2.0
    assert isinstance(opened, Open)
    assert opened.seconds() == 90.0


def test_a_users_folder_hides_what_ships(content: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "studies").mkdir(parents=True)
    (own / "studies" / "first.toml").write_text(STUDY.replace('"First"', '"Mine"'))
    assert Catalog([content, own]).study("first").title == "Mine"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("servers/node/tiny/server.toml", "toolchain", "toolchian", "did you mean 'toolchain'"),
        ("servers/node/tiny/server.toml", 'licence = "MIT"', "", "missing key 'licence'"),
        (
            "servers/node/tiny/server.toml",
            '"node >= 20"',
            '"node 20"',
            "should read like 'node >= 20'",
        ),
        ("servers/node/tiny/server.toml", '"tiny"', '"big"', "must equal the folder"),
        ("servers/node/tiny/server.toml", "[run]", "[run", "not valid TOML"),
        (
            "scenarios/hello/scenario.toml",
            '"status"',
            '"stauts"',
            "the first [[requests.checks]] in the first [[requests]]: ",
        ),
        ("studies/first.toml", '"2s"', '"2 moons"', "is not a duration"),
        (
            "studies/first.toml",
            'control = "node/tiny"',
            'control = "go/x"',
            "must be one of 'servers'",
        ),
        ("studies/first.toml", '"node/tiny@cluster"', '"node/tiny"', "listed twice"),
    ],
)
def test_faults_name_file_key_and_remedy(
    content: Path, file: str, old: str, new: str, message: str
) -> None:
    path = content / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        read_all(Catalog([content]))
    text = str(caught.value)
    assert message in text
    assert str(path) in text
    assert "\n" not in text or "TOML" in text


@pytest.mark.parametrize("name", ["node/tinny", "nod/tiny"])
def test_a_misspelt_name_is_answered_with_the_nearest(content: Path, name: str) -> None:
    with pytest.raises(UserError, match="did you mean 'node/tiny'"):
        Catalog([content]).server(name)


def test_a_server_that_has_only_the_language_in_common_is_not_suggested() -> None:
    with pytest.raises(UserError, match="no server 'go/foo'; go has: go/beego, go/chi, go/echo"):
        Catalog().server("go/foo")
    with pytest.raises(UserError, match="no server 'go/express'; did you mean 'node/express'"):
        Catalog().server("go/express")


def test_an_unknown_variant_names_those_there_are(content: Path) -> None:
    with pytest.raises(UserError, match="it has: default, cluster"):
        Catalog([content]).server_variant("node/tiny@clutser")


def test_all_shipped_content_is_valid() -> None:
    catalog = Catalog()
    scenarios = {scenario.id for scenario in catalog.scenarios()}
    servers = catalog.servers()
    assert len(servers) >= 12
    for server in servers:
        assert set(server.manifest.scenarios) <= scenarios, server.id
    for study in catalog.studies():
        for reference in study.servers:
            catalog.server_variant(reference)
        assert {entry.name for entry in study.entries()} <= scenarios


def test_planning_needs_an_objective_to_plan_by(tmp_path: Path) -> None:
    path = tmp_path / "first.toml"
    planning = '[planning]\ntraffic = "25M/day"\nprice = "0.10/h"\n'
    path.write_text(STUDY + planning)
    with pytest.raises(UserError) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path}: key 'planning': machines are counted by")
    objective = '[[loads]]\nkind = "objective"\nobjective = "p99 < 100ms"\n'
    path.write_text(STUDY + objective + planning)
    assert read_study(path).planning is not None
    # Of a run that is stored, the study is what it was.
    path.write_text(STUDY)
    stored = read_study(path).model_dump() | {"planning": {"traffic": "1M/day", "price": "1/h"}}
    assert parse_manifest(stored, StudyManifest, "run 1").planning is not None
