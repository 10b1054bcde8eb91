"""Machines on a Ray that somebody else has started: it is used, and left as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.cluster.conftest import Lab, ended, within

# Clusters of its own take their time: `test all` runs it.
pytestmark = pytest.mark.long

RAY_PORT = 6379
MAIN = "import sys; from ray.scripts.scripts import main; sys.exit(main())"


def start_ray(lab: Lab, name: str, *where: str) -> subprocess.Popen[str]:
    """As its user does it: without Webdyno, and without any secret."""
    temporary = lab.folder / f"ray-{name}"
    temporary.mkdir()
    command = [
        sys.executable, "-c", MAIN, "start", "--block", *where,
        f"--node-ip-address={lab.address(name)}", f"--temp-dir={temporary}", "--num-cpus=1",
        "--object-store-memory=80000000", "--disable-usage-stats",
    ]  # fmt: skip
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WEBDYNO")}
    log = (temporary / "log").open("w")
    return lab.network.start(name, *command, cwd=temporary, env=kept, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def theirs() -> Iterator[Lab]:
    """A lab in which Ray runs on three machines, and a server on one of them."""
    pytest.importorskip("ray", reason="no Ray; install requirements-cluster.lock")
    # Short, for the paths of Ray's sockets are below it.
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp") as folder:
        lab = Lab(Path(folder))
        try:
            first = f"{lab.address('head')}:{RAY_PORT}"
            start_ray(lab, "head", "--head", f"--port={RAY_PORT}", "--include-dashboard=false")
            for name in ("a", "server"):
                start_ray(lab, name, f"--address={first}")
            logs = [lab.folder / f"ray-{name}" / "log" for name in ("head", "a", "server")]
            assert within(90, lambda: all("runtime started" in log.read_text() for log in logs))
            lab.serve()
            yield lab
        finally:
            lab.network.close()


def raylets(lab: Lab) -> dict[str, list[int]]:
    return {name: lab.marked(name, "raylet/raylet") for name in ("head", "a", "server")}


def test_an_address_where_no_ray_is_says_so(theirs: Lab) -> None:
    where = theirs.address("head")
    done = theirs.run("head", "machines", "start", "--address", where, "--ray", f"{where}:6999")
    assert done.returncode == 2
    assert f"no Ray answers at {where}:6999" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_is_used_and_left_as_it_was(theirs: Lab) -> None:
    lab, before = theirs, raylets(theirs)
    assert all(before.values()), before
    where = f"{lab.address('head')}:{RAY_PORT}"
    first = lab.run("head", "machines", "start", "--address", lab.address("head"), "--ray", where)
    assert first.returncode == 0, first.stderr
    assert f"on the Ray at {where}" in first.stdout
    for name, role in (("a", "generator"), ("server", "server")):
        joined = ended(lab.join(name, "--roles", role))
        assert joined.returncode == 0, joined.stderr

    # Who is in no Ray cannot join, and keeps nothing running.
    strange = ended(lab.join("b"))
    assert strange.returncode == 2
    assert "Traceback" not in strange.stderr
    assert lab.address("b") in strange.stderr
    assert within(15, lambda: not lab.network.pids("b"))

    shown = lab.run("head", "machines", "show", "--save", str(lab.folder / "machines.toml"))
    assert f"{lab.address('a')}  generator" in shown.stdout, shown.stderr
    placed = tomllib.loads((lab.folder / "machines.toml").read_text())
    assert placed["head"]["ray"] == where
    assert len(placed["machine"]) == 3

    done, document = lab.hit(lab.url(1, 100), "--agents", "1", "-c", "4", "-d", "1s")
    assert document, done.stderr
    assert document["machines"]["agents"][0]["address"] == lab.address("a")
    assert document["counts"]["ok"] > 0
    assert within(20, lambda: not lab.agents("a"))

    stopped = lab.run("head", "machines", "stop")
    assert stopped.returncode == 0, stopped.stderr
    assert within(20, lambda: not any(lab.marked(one, "keeper.keeper") for one in before))
    assert raylets(lab) == before
    # And it still takes work.
    work = f"import ray; ray.init('{where}', _node_ip_address='{lab.address('a')}'); "
    work += "print(ray.get(ray.remote(lambda: 6 * 7).remote()))"
    worked = lab.network.start("a", sys.executable, "-c", work, stdout=subprocess.PIPE)
    assert ended(worked).stdout.split() == ["42"]
