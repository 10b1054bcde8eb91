"""Machines that come later, or again: usable from then on, and no run under way is changed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from integration.cluster.conftest import Lab, ended, within
from support.hello_server import write_hello_server

# Clusters of its own take their time: `test all` runs it.
pytestmark = pytest.mark.long

STUDY = """
name = "joining"
title = "Joining"
question = "Who joins meanwhile?"
servers = ["python/far"]
scenarios = ["hello"]
budget = "60s"
sentinel = false
[warmup]
min = "200ms"
max = "400ms"
[[loads]]
name = "closed"
kind = "closed"
connections = 4
duration = "2s"
[blocks]
min = 3
max = 3
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One machine to load, one to make load, and two that have not joined yet."""
    pytest.importorskip("ray", reason="no Ray; install requirements-cluster.lock")
    lab = Lab(tmp_path_factory.mktemp("joining"))
    before = os.environ.get("WEBDYNO_CONTENT")
    try:
        write_hello_server(lab.folder / "content", "far", each="time.sleep(0.01)")
        os.environ["WEBDYNO_CONTENT"] = str(lab.folder / "content")
        (lab.folder / "joining.toml").write_text(STUDY)
        first = lab.run("head", "machines", "start", "--address", lab.address("head"))
        assert first.returncode == 0, first.stderr
        for name, role in (("a", "generator"), ("server", "server")):
            joined = ended(lab.join(name, "--roles", role))
            assert joined.returncode == 0, joined.stderr
        lab.serve()
        yield lab
    finally:
        lab.network.close()
        os.environ.pop("WEBDYNO_CONTENT")
        if before is not None:
            os.environ["WEBDYNO_CONTENT"] = before


def trials_begin(process: subprocess.Popen[str]) -> list[str]:
    """What a run told until its first trial."""
    assert process.stderr is not None
    told = []
    for line in process.stderr:
        told.append(line)
        if line.startswith("In "):
            return told
    raise AssertionError("".join(told))


def loaded_by(lab: Lab, *names: str) -> None:
    """Have exactly these machines make a load."""
    done, document = lab.hit(lab.url(1, 100), "--agents", str(len(names)), "-c", "4", "-d", "1s")
    assert document, done.stderr
    told = [agent["address"] for agent in document["machines"]["agents"]]
    assert told == [lab.address(name) for name in names], done.stderr
    assert document["counts"]["sent"] > 0, done.stderr


def test_one_that_joins_while_a_run_goes_on_takes_part_from_the_next_on(small: Lab) -> None:
    file = small.folder / "run.json"
    os.environ["PYTHONUNBUFFERED"] = "1"
    process = small.start(
        "head", "run", "joining.toml", "--machines", "--plain", "--json", str(file)
    )
    trials_begin(process)
    joined = ended(small.join("b", "--roles", "generator"))
    assert joined.returncode == 0, joined.stderr
    shown = small.run("head", "machines")
    assert f"{small.address('b')}  generator" in shown.stdout, shown.stderr
    done = ended(process, 180)
    assert done.returncode == 0, done.stderr
    run = json.loads(file.read_text())
    assert run["machines"]["generators"] == [small.address("a")]
    assert len(run["trials"]) == 3
    for trial in run["trials"]:
        assert trial["setup"]["load_machines"] == [small.address("a")]
    loaded_by(small, "a", "b")


def test_one_that_was_lost_and_joins_again_is_used_at_once(small: Lab) -> None:
    for _ in range(2):
        for pid in small.marked("b", "keeper.keeper"):
            os.kill(pid, signal.SIGKILL)
        assert within(30, lambda: not small.network.pids("b")), small.network.commands("b")
        # Ray may take the machine that was for alive still.
        joined = ended(small.join("b", "--roles", "generator"))
        assert joined.returncode == 0, joined.stderr
        loaded_by(small, "a", "b")
    roles = ended(small.join("guest", "--roles", "generator,server"))
    assert roles.returncode == 0, roles.stderr
    loaded_by(small, "a", "b", "guest")
