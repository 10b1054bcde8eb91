"""The parts of a load together are the load of one engine: made by the engine itself."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from webdyno._engine import Load
from webdyno.cluster.merging.merge import merged
from webdyno.cluster.orders.part_result import PartResult
from webdyno.store.histograms import decode

PARTS = 4

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server that answers at once."""
    code = "from webdyno._engine import serve_known; serve_known('instant')"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield int(server.stdout.readline())
    server.kill()
    server.communicate()


def specification(port: int, load: dict[str, Any], **more: Any) -> dict[str, Any]:
    request = {"name": "draw", "path": "/{n}", "method": "GET", "headers": [], "checks": []}
    return {
        "target": {"host": "127.0.0.1", "port": port},
        "load": load,
        "seed": 11,
        "variables": {"n": {"kind": "int", "min": 0, "max": 10**15}},
        "requests": [request, {**request, "name": "again"}],
        "audit": {"samples": 100_000, "max_body_bytes": 100},
        **more,
    }


def made(*specs: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of loads that begin together."""
    loads = [Load(json.dumps({**spec, "held": True})) for spec in specs]
    for load in loads:
        load.start()
    while any(json.loads(load.progress())["phase"] == "connecting" for load in loads):
        time.sleep(0.001)
    at_ns = time.monotonic_ns() + 20_000_000
    for load in loads:
        load.begin(at_ns)
    assert all(load.wait(30.0) for load in loads)
    return [json.loads(load.result()) for load in loads]


def in_parts(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return made(*({**spec, "part": {"index": index, "of": PARTS}} for index in range(PARTS)))


def merged_json(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """What the parts are as one, in the engine's words."""
    return merged([PartResult.model_validate(part) for part in parts]).model_dump(mode="json")


def drawn(result: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted((one["request"], one["variables"]["n"]) for one in result["samples"])


OPEN = {
    "kind": "open",
    "phases": [
        {"rate": 300.0, "to_rate": 900.0, "duration_s": 0.5},
        {"rate": 500.0, "duration_s": 0.3},
    ],
    "connections": 10,
}
USERS = {"kind": "iterations", "users": 10, "iterations": 7}


@pytest.mark.parametrize("load", [{**OPEN, "arrivals": "poisson"}, OPEN, USERS])
def test_four_parts_send_what_one_engine_sends(port: int, load: dict[str, Any]) -> None:
    (alone,) = made(specification(port, load, threads=PARTS))
    whole = merged_json(in_parts(specification(port, load)))
    assert whole["counts"] == alone["counts"]
    assert whole["connections_opened"] == alone["connections_opened"] == 10
    assert whole["generator"]["threads"] == alone["generator"]["threads"] == PARTS
    assert len(drawn(whole)) == alone["counts"]["ok"] > 0
    if load is USERS:
        # In an open load the connection that is free sends, and draws, so chance has a part in it.
        assert drawn(whole) == drawn(alone)
    else:
        offered = [row["offered"] for row in alone["series"]]
        assert [row["offered"] for row in whole["series"]] == offered


CLOSED = {"kind": "closed", "connections": 8, "duration_s": 1.2}
FEW = {"samples": 100, "max_body_bytes": 100}
"""Where nobody compares the samples: a closed load has very many."""
BASE = {"started_unix_s", "start_late_us", "merging", "generator", "errors_detail"}


@pytest.mark.parametrize("load", [CLOSED, OPEN])
def test_merging_reads_from_a_distribution_what_the_engine_does(
    port: int, load: dict[str, Any]
) -> None:
    (alone,) = made(specification(port, load, threads=2, part={"index": 0, "of": 1}, audit=FEW))
    whole = merged_json([alone])
    for key in alone.keys() - BASE - {"histograms"}:
        told, found = alone[key], whole[key]
        if isinstance(told, dict):  # Without what the engine does not know, such as our own waits.
            found = {name: found[name] for name in told}
        assert found == pytest.approx(told) if is_numbers(told) else True, key
    assert whole["series"] == [pytest.approx(row) for row in alone["series"]]
    assert whole["by_request"][0]["latency_us"] == pytest.approx(
        alone["by_request"][0]["latency_us"]
    )
    assert whole["counts"] == alone["counts"]
    for name, encoded in alone["histograms"].items():
        assert values(whole["histograms"][name]) == values(encoded)


def test_histograms_are_added_as_they_are(port: int) -> None:
    parts = in_parts(specification(port, CLOSED, audit=FEW))
    whole = merged_json(parts)
    assert whole["counts"]["ok"] == sum(part["counts"]["ok"] for part in parts) > 1000
    for name in ("from_intended", "from_send", "send_lag"):
        sums: dict[float, int] = {}
        for part in parts:
            for value, count in values(part["histograms"][name]).items():
                sums[value] = sums.get(value, 0) + count
        assert values(whole["histograms"][name]) == sums
    low = min(part["latency_us"]["p99"] for part in parts)
    high = max(part["latency_us"]["p99"] for part in parts)
    assert low <= whole["latency_us"]["p99"] <= high


def is_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, int | float) for one in value.values())


def values(encoded: str) -> dict[float, int]:
    found = decode(encoded)
    return dict(zip(found.values_us.tolist(), found.counts.tolist(), strict=True))


def test_what_is_no_part_is_refused(port: int) -> None:
    spec = specification(port, USERS)
    (whole,) = made(spec)
    with pytest.raises(ValueError, match="merging"):
        merged_json([whole])
    parts = in_parts(spec)
    parts[1]["protocol"] = "HTTP/2"
    with pytest.raises(ValueError, match="protocol"):
        merged_json(parts)


def test_what_websocket_did_is_added_up(port: int) -> None:
    parts = in_parts(specification(port, USERS))
    assert merged_json(parts)["websocket"] is None
    failed = {"status": 1, "accept": 0, "headers": 0, "malformed": 0, "closed": 2, "unfinished": 0}
    for upgrades, part in enumerate(parts):
        part["websocket"] = {
            "upgrades": upgrades, "failed_upgrades": failed, "pings": 5, "closes": 1
        }  # fmt: skip
    whole = merged_json(parts)["websocket"]
    assert (whole["upgrades"], whole["pings"], whole["closes"]) == (6, 20, 4)
    assert whole["failed_upgrades"] == {kind: 4 * count for kind, count in failed.items()}


def test_handshakes_are_added_up(port: int) -> None:
    parts = in_parts(specification(port, USERS))
    assert merged_json(parts)["tls"] is None
    failed = {"certificate": 0, "protocol": 1, "closed": 3, "unfinished": 0}
    for number, part in enumerate(parts):
        part["merging"]["handshake"] = part["merging"]["connect"]
        part["tls"] = {
            "full_handshakes": number, "resumed_handshakes": 2, "failed_handshakes": failed,
            "handshake_us": part["connect_us"], "handshake_cpu_us": 10.0 * number,
        }  # fmt: skip
    whole = merged_json(parts)["tls"]
    assert (whole["full_handshakes"], whole["resumed_handshakes"]) == (6, 8)
    assert whole["failed_handshakes"] == {kind: 4 * count for kind, count in failed.items()}
    # By the handshakes of each part, failed ones included: 6, 7, 8 and 9.
    assert whole["handshake_cpu_us"] == pytest.approx((7 * 10 + 8 * 20 + 9 * 30) / 30)


def test_a_held_load_begins_at_the_agreed_instant(port: int) -> None:
    for result in in_parts(specification(port, OPEN)):
        assert 0 <= result["start_late_us"] < 50_000
    (unheld,) = [json.loads(run(specification(port, USERS)).result())]
    assert unheld["start_late_us"] is None


def run(spec: dict[str, Any]) -> Load:
    load = Load(json.dumps(spec))
    load.start()
    assert load.wait(10.0)
    return load
