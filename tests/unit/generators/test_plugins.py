"""A generator, a service, a language or a metric is one file, and known everywhere by that."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

from support.synthetic_run import build_run
from webdyno import metrics
from webdyno.ab.conclusion.claims import Claim
from webdyno.catalog.loads.abilities import GENERATORS, abilities_of, those_that
from webdyno.catalog.loads.load import Closed, Iterations
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.schema import manifest_schemas
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.generators import plugins as generators
from webdyno.generators.job import Job
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.registry import generator_named, make_ready, refuse
from webdyno.plugins import Plugins
from webdyno.report.metrics import metric, values
from webdyno.run.judgement.figures import value_of
from webdyno.run.study.named_study import question_of
from webdyno.runtime import languages
from webdyno.runtime.programs import programs
from webdyno.runtime.services import plugins as services
from webdyno.runtime.services import start_service
from webdyno.runtime.services.registry import SERVICES
from webdyno.runtime.toolchains import find

GENERATOR = '''
"""One request after the other."""

import http.client
import time

from webdyno.catalog.loads.abilities import Abilities, Figures
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.runtime.programs import NUMBER, Program


class Plodder(GeneratorPlugin):
    name = "plodder"
    abilities = Abilities(kinds=("iterations",), figures=Figures(keeps_cookies=False))
    programs = (Program("plod", ("--version",), rf"plod {NUMBER}", use="slow loads"),)

    def make_ready(self, folder):
        (folder / "plodder").touch()

    def run(self, job, watch=None):
        began, ok = time.monotonic(), 0
        for _ in range(job.load.iterations):
            link = http.client.HTTPConnection(job.host, job.port)
            link.request("GET", job.scenario.requests[0].path)
            ok += link.getresponse().status == 200
            link.close()
        return {"counts": {"ok": ok}, "elapsed_s": time.monotonic() - began}


GENERATOR = Plodder()
'''

SERVICE = """
from webdyno.runtime.services.base import Service, ServiceError


def start(folder, cache, cpus, log):
    raise ServiceError(f"asked to start in {folder}")


SERVICE = Service(start, look_for=lambda: None)
"""

LANGUAGE = """
from webdyno.runtime.programs import NUMBER, Language, Program

LANGUAGE = Language(Program("sparkle", ("--version",), rf"sparkle {NUMBER}", "sparkle"))
"""


METRIC = """
from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import measured

METRIC = Metric(
    name="received_bytes", title="Received", kind="bytes", beats="sends less than",
    best="sends the least", asked="with the fewest bytes",
    value=measured(lambda trial: float(trial.bytes_received)),
)
"""


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file of each kind, in folders of their own."""
    files: list[tuple[ModuleType, str, str]] = [
        (generators, "plodder", GENERATOR),
        (services, "queue", SERVICE),
        (languages, "sparkle", LANGUAGE),
        (metrics, "received_bytes", METRIC),
    ]
    for package, name, text in files:
        folder = tmp_path / package.__name__
        folder.mkdir()
        (folder / f"{name}.py").write_text(text)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    yield
    for package, name, _ in files:
        sys.modules.pop(f"{package.__name__}.{name}", None)


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quietly."""


def scenario() -> ScenarioManifest:
    made = {
        "name": "one",
        "title": "one",
        "description": "one",
        "requests": [{"name": "it", "path": "/", "checks": [{"kind": "status", "equals": 200}]}],
    }
    return parse_manifest(made, ScenarioManifest, "test")


@pytest.mark.slow
@pytest.mark.usefixtures("added")
def test_a_generator_is_one_file(tmp_path: Path) -> None:
    held = {"kind": "iterations", "users": 1, "iterations": 3, "generator": "plodder"}
    load = parse_manifest(held, Iterations, "study")
    refuse(scenario(), load)
    make_ready(["plodder"], tmp_path)
    assert (tmp_path / "plodder").is_file()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hello)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        job = Job(scenario=scenario(), load=load, port=server.server_port, cpus=(), seed=1)
        assert generator_named("plodder").run(job)["counts"] == {"ok": 3}
    finally:
        server.shutdown()
    assert (
        "plodder"
        in manifest_schemas()["study.schema.json"]["$defs"]["Closed"]["properties"]["generator"][
            "enum"
        ]
    )
    assert not abilities_of("plodder").figures.keeps_cookies
    assert programs()["plod"].use == "slow loads"


@pytest.mark.usefixtures("added")
def test_a_load_that_its_file_does_not_declare_is_refused() -> None:
    load = Closed(kind="closed", connections=1, duration=1.0, generator="plodder")
    with pytest.raises(UserError, match="plodder makes iterations loads only; load 'closed-1'"):
        refuse(scenario(), load)


@pytest.mark.usefixtures("added")
def test_a_service_and_a_language_are_files_too(tmp_path: Path) -> None:
    assert "queue" in SERVICES.names()
    with pytest.raises(Exception, match="asked to start in"):
        start_service("queue", tmp_path / "it", tmp_path, (), tmp_path / "log")
    assert (
        find("sparkle >= 2").install_hint == "install version 2 or newer: sudo apt install sparkle"
    )


@pytest.mark.usefixtures("added")
def test_a_metric_is_a_file_too() -> None:
    held = {
        "name": "it",
        "title": "it",
        "question": "which?",
        "scenarios": ["json"],
        "servers": ["a", "b"],
        "loads": [{"kind": "closed", "connections": 1, "duration": "1s"}],
        "metrics": ["received_bytes"],
    }
    study = parse_manifest(held, StudyManifest, "study")
    assert study.metrics_of("closed-1") == ["received_bytes"]
    asked = question_of(["a", "b"], ["json"], "received_bytes")
    assert asked.endswith("with the fewest bytes?")
    trial = build_run().trials[0]
    assert trial.measurement is not None
    assert value_of(trial, "received_bytes") == trial.measurement.bytes_received
    assert metric("received_bytes").title == "Received"
    assert values(trial)["received_bytes"] == trial.measurement.bytes_received
    claim = Claim(load="full", metric="received_bytes", outcome="same")
    assert claim.name == "received"


def test_whoever_takes_turns_makes_its_load_in_slices_itself() -> None:
    turners = [one for one in GENERATORS.all().values() if one.abilities.takes_turns]
    assert turners
    for one in turners:
        assert type(one).sliced is not GeneratorPlugin.sliced  # type: ignore[attr-defined]


def test_what_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(
        UserError, match=r"generator 'wrkk' is not known; choose .*, jmeter or wrk$"
    ):
        generator_named("wrkk")
    with pytest.raises(UserError, match="service 'oracle' is not known; choose mariadb or"):
        start_service("oracle", Path("/x"), Path("/x"), (), Path("/x"))
    held = {"kind": "closed", "duration": "1s", "generator": "wrkk"}
    with pytest.raises(
        UserError, match=r"key 'generator': should be artillery, .* or wrk \(got 'wrkk'"
    ):
        parse_manifest(held, Closed, "study")


def test_a_file_that_declares_nothing_is_told_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "__init__.py").touch()
    (tmp_path / "half" / "made.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    half: Plugins[object] = Plugins("half", "IT", "part")
    with pytest.raises(UserError, match=r"half/made\.py: no part is declared; set IT in it"):
        half["made"]


def test_each_generator_is_called_as_its_file_is() -> None:
    assert {name: generator_named(name).name for name in GENERATORS} == {
        name: name for name in GENERATORS
    }
    assert those_that(lambda can: can.holds_rates) == ["engine"]


@pytest.mark.slow
def test_names_are_known_without_the_modules() -> None:
    code = (
        "import sys; from webdyno.catalog.loads.load import Closed;"
        "Closed.model_validate(dict(kind='closed', duration='1s', generator='wrk'));"
        "print([name for name in sys.modules if 'generators.plugins.' in name or name == 'numpy'])"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


SOURCES = Path(generators.__file__).parents[2]


@pytest.mark.slow
def test_no_other_file_names_a_generator() -> None:
    """But for the built-in one, whose name is that of a load which names none."""
    named = {
        f"{path.relative_to(SOURCES)}: {name}"
        for path in SOURCES.rglob("*.py")
        if "content" not in path.parts and "cross_check" not in path.parts
        for name in GENERATORS
        if path.stem != name and re.search(rf"""(?<!\w)(["']){name}\1""", path.read_text())
    }
    # What the aggregate table is called, whichever generator's trials are in it; and the digest of
    # the compiled engine, which watches and judges whatever makes the load.
    assert named == {
        "catalog/loads/abilities.py: engine",
        "report/tables/aggregate.py: jmeter",
        "run/preparation/own_code.py: engine",
    }
