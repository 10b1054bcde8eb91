"""A machine that knows the secret and lies: refused in one line, by its name."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from webdyno.cluster.keeper.listener import KeeperListener
from webdyno.cluster.link.clock import Clock, read_clock
from webdyno.cluster.link.counters import interface_of, read_counters
from webdyno.cluster.load.link_rates import LinkRates
from webdyno.cluster.load.one_load import LoadPart, LoadYield
from webdyno.cluster.load.outcome import outcome
from webdyno.cluster.machines.facts import facts_of_this
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.orders.answers import PartProgress, PartYielded, Prepared
from webdyno.cluster.orders.signed import Inbox
from webdyno.cluster.wire import secret
from webdyno.cluster.wire.channel import Channel, ChannelRefused
from webdyno.cluster.wire.messages import MalformedMessage, read_message
from webdyno.errors import UserError
from webdyno.runtime.ports import free_port

HOST, SECRET = "127.0.0.1", "s" * 64
Told = Mapping[str, object]


def member(tmp_path: Path, port: int) -> Membership:
    file = tmp_path / "secret"
    file.write_text(SECRET)
    file.chmod(0o600)
    return Membership(HOST, HOST, port - 1, ("generator",), str(file))


def told_facts(tmp_path: Path, told: Told) -> Any:
    """What is made of facts that a keeper tells."""
    port = free_port()
    KeeperListener(HOST, port, SECRET, lambda: told, head=False).start()
    return Reach(member(tmp_path, port)).facts(HOST)


def changed(found: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """With the part at a path of keys replaced, or left out where the value is None."""
    first, _, rest = key.partition(".")
    if rest:
        return {**found, first: changed(found[first], rest, value)}
    return {k: v for k, v in {**found, first: value}.items() if v is not None or k != first}


def test_facts_come_as_they_were_told(tmp_path: Path) -> None:
    own = facts_of_this(member(tmp_path, free_port()))
    assert told_facts(tmp_path, own.model_dump(mode="json")) == own


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("link", None, "missing key 'link'"),
        ("link.mtu", "wide", "link.mtu"),
        ("machine.cores", [], "machine.cores"),
        ("roles", ["king"], "roles"),
        ("webdyno", "9" * 2_000, "webdyno"),
        ("programs", ["x"] * 2_000, "programs"),
    ],
)
def test_facts_that_cannot_be_are_refused_by_name(
    tmp_path: Path, key: str, value: object, said: str
) -> None:
    own = facts_of_this(member(tmp_path, free_port())).model_dump(mode="json")
    with pytest.raises(UserError) as refusal:
        told_facts(tmp_path, changed(own, key, value))
    (line,) = str(refusal.value).splitlines()
    assert line.startswith(f"the machine {HOST} sent invalid data (Facts: ")
    assert said in line
    assert len(line) < 500


def answering(how: Callable[[socket.socket], None]) -> tuple[Channel, threading.Thread]:
    """A channel to somebody who answers like this."""
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    thread = threading.Thread(target=how, args=(theirs,), daemon=True)
    thread.start()
    return Channel(ours), thread


@pytest.mark.parametrize("line", [b"[" * 500_000 + b"\n", b"x" * (3 << 20), b"[1]\n", b"\xff\n"])
def test_a_line_that_is_none_is_refused(line: bytes) -> None:
    def tell(link: socket.socket) -> None:
        with contextlib.suppress(OSError):  # Nobody listens to the end of what is too long.
            link.sendall(line)

    channel, _ = answering(tell)
    with channel, pytest.raises(ChannelRefused):
        channel.hear()


@pytest.mark.parametrize(
    "lie",
    [
        lambda number: (number + 1, 0, 0, 0),
        lambda number: (number, 10**12, 0, 0),
        lambda number: (number, 0, 10**15, 0),
    ],
)
def test_a_clock_that_cannot_be_is_refused(lie: Callable[[int], tuple[int, ...]]) -> None:
    def tell(link: socket.socket) -> None:
        while question := link.recv(8):
            (number,) = struct.unpack("!Q", question)
            link.sendall(struct.pack("!Qqqq", *lie(number)))

    channel, _ = answering(tell)
    with channel, pytest.raises(ConnectionError, match="impossible times"):
        read_clock(channel, 3)


@pytest.mark.parametrize(
    "task",
    [
        {"do": "state", "load": -1},
        {"do": "state", "load": 1, "wait_s": 1e9},
        {"do": "state", "load": 1, "more": True},
        {"do": "__init__"},
        {"do": "link", "way": "up", "seconds": 1e9, "server": "10.0.0.1", "port": 1},
        {"do": "work", "port": 70_000},
        [],
        None,
    ],
)
def test_an_order_that_cannot_be_is_refused_though_it_bears_the_secret(task: object) -> None:
    text = json.dumps({"to": HOST, "giver": "g", "number": 1, "task": task})
    with pytest.raises(
        MalformedMessage, match="the machine that gives the orders sent invalid data"
    ):
        Inbox(SECRET, HOST).take(text, secret.proof(SECRET, "order", text))
    for text in ("{", "[" * 100_000):
        with pytest.raises(MalformedMessage):
            Inbox(SECRET, HOST).take(text, secret.proof(SECRET, "order", text))


PROGRESS = {
    "elapsed_s": 1.0, "phase": "loading", "done": False, "counts": {"ok": 1}, "in_flight": 0,
    "ticks": [[0.1, 1, 0]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("phase", "napping"),
        ("counts", {"ok": -1}),
        ("counts", {"sent": "x" * 5_000}),
        ("counts", {"sent": 1 << 80}),
        ("in_flight", 1 << 80),
        ("elapsed_s", float("nan")),
        ("ticks", [[0.1]]),
        ("ticks", [[float("inf"), 1, 0]]),
        ("ticks", [[0.1, 1, 0]] * 200_000),
        ("done", None),
    ],
)
def test_an_answer_that_cannot_be_is_refused(key: str, value: object) -> None:
    assert read_message(PartProgress, PROGRESS, "it").counts.ok == 1
    with pytest.raises(MalformedMessage, match=r"the agent on [0-9.]+ sent invalid data"):
        read_message(PartProgress, changed(PROGRESS, key, value), "the agent on 10.0.0.2")


def test_nothing_at_all_is_no_answer() -> None:
    for said in (None, 7, "ready", [], {}):
        with pytest.raises(MalformedMessage):
            read_message(Prepared, said, "it")


CLOCK = Clock(0.0, 0.0, 1e-5, 1e-5, 2e-5, 100)


def yielded(result: dict[str, Any]) -> PartYielded:
    """As the head reads it."""
    said = {"result": result, "counters": read_counters(interface_of(HOST)), "pings": {}}
    return read_message(PartYielded, said, "the agent on 10.0.0.3")


def made_of(*results: dict[str, Any]) -> LoadYield:
    return LoadYield(
        [
            LoadPart(f"10.0.0.{at}", 2, CLOCK, CLOCK, yielded(result))
            for at, result in enumerate(results, 2)
        ]
    )


@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    """What the engine says of a part of a load."""
    from webdyno._engine import Load

    spec = {
        "target": {"host": HOST, "port": free_port()},
        "load": {"kind": "closed", "connections": 2, "duration_s": 0.05},
        "requests": [
            {"name": "one", "path": "/", "method": "GET", "headers": [], "checks": []}
        ],
        "part": {"index": 0, "of": 2},
    }  # fmt: skip
    load = Load(json.dumps(spec))
    load.start()
    assert load.wait(30.0)
    result: dict[str, Any] = json.loads(load.result())
    return result


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("counts", None),
        ("elapsed_s", "long"),
        ("merging", None),
        ("merging.series", 7),
        ("by_request", [{}]),
        ("samples", [{"at_s": 1.0}]),
    ],
)
def test_a_result_that_no_engine_makes_is_refused(
    good: dict[str, Any], key: str, value: object
) -> None:
    assert yielded(good).result.elapsed_s == good["elapsed_s"]
    with pytest.raises(
        MalformedMessage, match=rf"10\.0\.0\.3 sent invalid data .*result\.{key}"
    ) as told:
        yielded(changed(good, key, value))
    assert "\n" not in str(told.value)


@pytest.mark.slow
def test_a_histogram_that_is_none_voids_the_load_by_name(good: dict[str, Any]) -> None:
    addresses = ("10.0.0.2", "10.0.0.3")
    rates = {one: {"up": 0.0, "down": 0.0} for one in addresses}
    link_rates = LinkRates(rates, dict.fromkeys(addresses, 1e-4), {"up": 0.0, "down": 0.0})
    assert outcome(made_of(good, good), link_rates, HOST).result is not None
    bad = changed(good, "histograms.from_intended", "AAAA")
    found = outcome(made_of(good, bad), link_rates, HOST)
    assert found.result is None
    assert [(fault.agent, fault.kind) for fault in found.faults] == [("10.0.0.3", "malformed")]
    assert "\n" not in found.faults[0].message
