"""Many machines, as network namespaces: one load from two of them against a server on a third.

The tests build on each other's machines and go from what leaves the cluster whole to what does not.
"""

from __future__ import annotations

import json
import os
import signal
import tomllib
from pathlib import Path
from typing import Any

import pytest

from integration.cluster.conftest import AHEAD_S, Lab, ended, within

pytestmark = pytest.mark.long

SLOW_BYTES = 20_000_000
SLOW_MS = 100
"""What a server takes so that what others do on this machine is little beside it."""


@pytest.fixture(scope="module")
def of_two(lab: Lab) -> dict[str, Any]:
    """The document of a load from both."""
    done, document = lab.hit(lab.url(SLOW_MS, 100), "--agents", "2", "-c", "100", "-d", "2s")
    assert document, done.stderr
    return document


def test_every_machine_is_shown_and_the_placement_kept(lab: Lab, tmp_path: Path) -> None:
    kept = tmp_path / "machines.toml"
    done = lab.run("head", "machines", "show", "--save", str(kept))
    assert done.returncode == 0, done.stderr
    shown = done.stdout.splitlines()
    for name, roles in {"head": "server, service", "a": "generator", "server": "server"}.items():
        first = shown.index(f"{lab.address(name)}  {roles}")
        assert "eth0" in shown[first + 2]
        assert "clock: " in shown[first + 4]
    placed = tomllib.loads(kept.read_text())
    assert placed["head"] == {"address": lab.address("head"), "port": 7411}
    assert {"address": lab.address("a"), "roles": ["generator"]} in placed["machine"]


def test_doctor_looks_at_every_machine(lab: Lab) -> None:
    done = lab.run("head", "doctor", "--machines", "--seconds", "1", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = {one["address"]: one for one in json.loads(done.stdout)}
    assert found.keys() == {lab.address(name) for name in ("head", "a", "b", "server")}
    assert all(one["noise"]["cv"] >= 0 for one in found.values())
    clock = found[lab.address("b")]["clock"]
    assert abs(clock["offset_s"] - AHEAD_S) <= clock["uncertainty_s"] + 1e-4
    assert min(found[lab.address("a")]["link"].values()) > 1e6
    shown = lab.run("head", "doctor", "--machines", "--no-noise").stdout
    assert all(address in shown for address in found)
    assert "MB/s there" in shown


def test_who_does_not_know_the_secret_stays_outside(lab: Lab, tmp_path: Path) -> None:
    guess = tmp_path / "secret"
    guess.write_text("0" * 64)
    guess.chmod(0o600)
    done = ended(lab.join("guest", "--secret", str(guess)))
    assert done.returncode == 2
    assert "the secrets differ" in done.stderr
    assert "Traceback" not in done.stderr
    assert not lab.network.pids("guest")


def test_loads_go_only_to_machines_of_the_cluster(lab: Lab) -> None:
    done, _ = lab.hit("http://10.231.7.77:80/", "--agents", "2")
    assert done.returncode == 2
    assert "not a machine of this cluster" in done.stderr


def test_two_agents_offer_twice_what_one_does(lab: Lab, of_two: dict[str, Any]) -> None:
    done, alone = lab.hit(lab.url(SLOW_MS, 100), "--agents", "1", "-c", "50", "-d", "2s")
    assert alone, done.stderr
    assert len(of_two["machines"]["agents"]) == 2
    ratio = of_two["counts"]["ok"] / alone["counts"]["ok"]
    assert ratio == pytest.approx(2.0, abs=0.2)
    assert of_two["counts"]["ok"] == sum(
        agent["counts"]["ok"] for agent in of_two["machines"]["agents"]
    )
    assert of_two["machines"]["limit"] is None


def test_a_clock_that_is_ahead_is_found_and_corrected(lab: Lab, of_two: dict[str, Any]) -> None:
    a, b = of_two["machines"]["agents"]
    assert [a["address"], b["address"]] == [lab.address("a"), lab.address("b")]
    for agent, ahead_s in ((a, 0.0), (b, AHEAD_S)):
        clock = agent["clock"]
        assert abs(clock["offset_s"] - ahead_s) <= clock["uncertainty_s"] + 1e-4, agent
        assert clock["uncertainty_s"] < 0.005
    # The clocks that tell the time of day are one here, and bear witness.
    apart_s = abs(a["started_unix_s"] - b["started_unix_s"])
    late_s = max(a["start_late_s"], b["start_late_s"])
    assert apart_s < 0.01 + late_s
    assert apart_s < AHEAD_S / 2


def test_an_open_load_is_divided_to_the_last_request(lab: Lab) -> None:
    done, document = lab.hit(
        lab.url(1, 100), "--agents", "2", "--rate", "401/s", "-d", "1s", "-c", "20"
    )
    assert document, done.stderr
    sent = [agent["counts"]["offered"] for agent in document["machines"]["agents"]]
    assert sorted(sent) == [200, 201]
    assert document["counts"]["offered"] == 401


def test_a_slow_link_is_named_as_the_limit(lab: Lab) -> None:
    lab.network.slow_down("server", SLOW_BYTES)
    try:
        done, document = lab.hit(lab.url(0, 100_000), "--agents", "2", "-c", "8", "-d", "2s")
    finally:
        lab.network.speed_up("server")
    assert document, done.stderr
    limit = document["machines"]["limit"]
    assert limit is not None, document["machines"]["network"]
    assert limit["kind"] == "network"
    seen = document["machines"]["network"]["together_bytes_per_s"]["down"]
    assert seen == pytest.approx(SLOW_BYTES, rel=0.2)
    assert "MB/s" in limit["reason"]
    assert "Limit:        network:" in done.stdout


def test_an_agent_killed_in_the_midst_voids_the_load_by_name(lab: Lab) -> None:
    process = lab.start("head", "hit", lab.url(20, 100), "--agents", "2", "-c", "4", "-d", "20s")
    assert within(30, lambda: bool(lab.agents("a") and lab.agents("b")))
    assert process.stderr is not None
    process.stderr.readline()  # The first line of progress: the load is on.
    (pid,) = lab.agents("a")
    os.kill(pid, signal.SIGKILL)
    done = ended(process)
    assert done.returncode == 1
    assert f"{lab.address('a')} is lost" in done.stdout + done.stderr
    assert "it died" in done.stderr
    assert "Requests/sec" not in done.stdout
    assert "Traceback" not in done.stderr
    assert within(15, lambda: not lab.agents("a") and not lab.agents("b"))


def test_a_machine_cut_off_is_named_and_ends_by_itself(lab: Lab) -> None:
    process = lab.start("head", "hit", lab.url(20, 100), "--agents", "2", "-c", "4", "-d", "20s")
    assert process.stderr is not None
    process.stderr.readline()
    lab.network.cut("a")
    done = ended(process)
    assert done.returncode == 1
    assert f"{lab.address('a')} is lost" in done.stderr
    assert lab.address("b") not in done.stderr
    assert within(30, lambda: not lab.network.pids("a")), lab.network.commands("a")


def test_nothing_is_left_anywhere_when_the_head_is_killed(lab: Lab) -> None:
    keepers = [
        pid
        for pid, command in lab.network.commands("head").items()
        if "webdyno.cluster.keeper.keeper" in command
    ]
    assert len(keepers) == 2, "the keeper and its warden"
    for pid in keepers:
        os.kill(pid, signal.SIGKILL)
    assert within(20, lambda: not lab.network.pids("head")), lab.network.commands("head")
    assert within(20, lambda: not lab.network.pids("b")), lab.network.commands("b")
    done = lab.run("head", "machines")
    assert done.returncode == 2
    assert "this machine is not in a cluster" in done.stderr
