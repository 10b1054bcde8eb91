"""The five studies on machines: the server on one, databases on another, load from two."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from integration.cluster.conftest import ROOT, Lab, ended, within
from support.offline import skip_where_offline
from webdyno.catalog.catalog import Catalog
from webdyno.run.preparation.servers import prepare
from webdyno.run.study.plan import Entry
from webdyno.runtime.home import Home
from webdyno.runtime.services.base import ServiceMissing
from webdyno.runtime.services.registry import look_for
from webdyno.trial.events import silent

pytestmark = pytest.mark.long

RATES = ("spike to 300/s", "p99 below 100 ms", "within-100ms")
LATE = r"^10\.\S+ (sent \S+ of its requests over 1 ms late|used \S+ of its cores)"

SHORT = """
[warmup]
min = "200ms"
max = "900ms"
"""


class Study(NamedTuple):
    """What of a study is run, and what must come of it."""

    name: str
    servers: tuple[str, ...]
    scenarios: tuple[str, ...]
    loads: tuple[str, ...]
    left_out: tuple[str, ...]
    service: str = ""


STUDIES = [
    Study(
        "swift-vs-node",
        ("node/express", "node/express@strings"),
        ("blog",),
        ("closed-20", "closed-10", "closed-100"),
        ("published-20 (wrk)", "published-10 (wrk)", "published-100 (wrk)"),
    ),
    Study(
        "session-counter",
        ("php/plain", "nginx/cache"),
        ("session-counter", "page"),
        ("visitors-100", "newcomers-100"),
        ("wrk-100 (wrk)",),
        service="postgresql",
    ),
    Study(
        "sha256-spike",
        ("go/chi", "go/gin"),
        ("case 3 (n = 10)",),
        ("spike to 300/s", "p99 below 100 ms"),
        ("Artillery to 300/s (artillery)", "Artillery to 550/s (artillery)"),
    ),
    Study(
        "node-middleware",
        ("node/http", "node/koa"),
        ("middleware-5", "stack-3"),
        ("closed-64",),
        ("published (autocannon)",),
    ),
    Study(
        "point-lookup",
        ("node/http", "go/net-http"),
        ("point-lookup",),
        ("users-30", "steady-30", "within-100ms"),
        ("published-30 (jmeter)",),
        service="mariadb",
    ),
]


@pytest.fixture(scope="module", autouse=True)
def service_machine(lab: Lab) -> None:
    """The guest holds databases."""
    done = ended(lab.join("guest", "--roles", "service"))
    assert done.returncode == 0, done.stderr


@pytest.fixture
def built(lab: Lab, request: pytest.FixtureRequest) -> Study:
    """The study, with its servers built: these machines have no way to any package."""
    study: Study = request.param
    builds = Home.default().builds
    builds.mkdir(parents=True, exist_ok=True)
    theirs = lab.home("server") / "builds"
    if not theirs.exists():
        theirs.symlink_to(builds)
    catalog = Catalog()
    try:
        if study.service:
            look_for(study.service)
    except ServiceMissing as error:
        pytest.skip(str(error))
    _, missing = prepare(
        [Entry(catalog.server_variant(one)) for one in study.servers], builds, silent
    )
    for one in missing:
        if one.kind == "toolchain-missing":
            pytest.skip(f"{one.server}: {one.reason}")
        skip_where_offline(one.reason)
    assert not missing
    return study


def shortened(study: Study, folder: Path) -> Path:
    """The study's own file with everything short: once, for a second each."""
    text = (ROOT / "studies" / f"{study.name}.toml").read_text(encoding="utf-8")
    for long, short in (
        (r'^duration = ".*"', 'duration = "1s"'),
        (r":60s", ":2s"),
        (r'^shortest = ".*"', ""),
        (r"^iterations = .*", "iterations = 40"),
        (r'^(objective = ".*")', r'\1\nstep = "1s"\nmax_rate = "500/s"'),
        (r'^control = ".*"', "sentinel = false"),
        (r'^scenarios = \["point-lookup"\]', ROWS),
        (r"^\[blocks\]\n(.*\n)*", "[blocks]\nmin = 1\nmax = 1\n"),
    ):
        text = re.sub(long, short, text, flags=re.MULTILINE)
    if "[blocks]" not in text:
        text += "\n[blocks]\nmin = 1\nmax = 1\n"
    file = folder / f"{study.name}.toml"
    file.write_text(text + SHORT, encoding="utf-8")
    shutil.copytree(ROOT / "studies" / "published", folder / "published", dirs_exist_ok=True)
    return file


ROWS = 'scenarios = [{ name = "point-lookup", parameters = { rows = 20_000 } }]'


@pytest.mark.parametrize("built", STUDIES, indirect=True, ids=lambda study: study.name)
def test_a_study_runs_over_machines(lab: Lab, built: Study) -> None:
    study, told = built, lab.folder / f"{built.name}.json"
    arguments = ["--servers", ",".join(study.servers), "--scenarios", ",".join(study.scenarios)]
    arguments += [
        "--no-build-times",
        "--method",
        "both",
        "--budget",
        "10m",
        "--json",
        str(told),
        "--plain",
    ]
    name = shortened(study, lab.folder).name
    done = ended(lab.start("head", "run", name, "--machines", *arguments), within_s=200)
    run = json.loads(told.read_text(encoding="utf-8"))
    # With nothing but rates, which a busy machine may not be able to keep, it may measure nothing.
    measured = any(trial["status"] == "ok" for trial in run["trials"])
    assert done.returncode == (0 if measured else 1), done.stdout[-3000:] + done.stderr
    left_out = f"left out: {', '.join(study.left_out)}; only the engine can generate"
    assert any(note.startswith(left_out) for note in run["notes"]), run["notes"]
    assert left_out in done.stderr
    assert {trial["entry"] for trial in run["trials"]} == set(study.servers)
    assert {trial["scenario"] for trial in run["trials"]} == set(study.scenarios)
    assert {trial["load"] for trial in run["trials"]} == set(study.loads)
    for trial in run["trials"]:
        _whole(trial, lab, study)
    if study.service:
        logs = (lab.home("head") / "runs" / run["id"] / "logs").glob(f"*.{study.service}.log")
        assert any(log.stat().st_size for log in logs), "the service's log came home"
    assert within(15, lambda: not _left(lab)), _left(lab)


def _left(lab: Lab) -> list[str]:
    """What a study left on the machines of its server and its database."""
    commands = [one for name in ("server", "guest") for one in lab.network.commands(name).values()]
    left = re.compile("far_servers.worker|postgres|mariadbd|/builds/")
    return [one for one in commands if left.search(one)]


def _whole(trial: dict[str, Any], lab: Lab, study: Study) -> None:
    """A trial was made by all of its machines, and is as complete as one on a single machine."""
    if trial["status"] == "error" and trial["load"] in RATES:
        # All machines share this one's cores: a rate may be more than an agent can keep to here.
        assert re.search(LATE, trial["reason"]), trial["reason"]
        return
    assert trial["status"] == "ok", (trial["server"], trial["load"], trial["reason"])
    assert trial["evidence"]
    assert all(item["ok"] for item in trial["evidence"])
    agents = [lab.address("a"), lab.address("b")]
    assert trial["setup"]["load_machines"] == agents
    shares = [agent["counts"]["sent"] for agent in trial["machines"]["agents"]]
    assert all(shares)
    assert sum(shares) == trial["counts"]["sent"]
    assert trial["cpu"]["server"]["user_s"] > 0
    assert trial["memory_bytes"]["peak"] > 1e6
    assert trial["threads_peak"] >= 1
    assert trial["setup"]["service_machine"] == (lab.address("guest") if study.service else "")
    if study.name == "node-middleware":
        assert trial["setup"]["turns"] > 1 or trial["setup"]["turns_note"]
