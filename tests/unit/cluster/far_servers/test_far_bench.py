"""A bench on other machines lets go of what it has taken, however it ends: the worker first, then
the connection to its cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.cluster.far_servers import bench
from webdyno.cluster.far_servers.bench import FarBench
from webdyno.errors import UserError

UNUSED: Any = None


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a bench does with its cluster, in order."""
    done: list[str] = []

    @contextmanager
    def connected(_member: object) -> Iterator[Any]:
        done.append("connected")
        yield SimpleNamespace(nodes=list)
        done.append("left")

    monkeypatch.setattr(bench, "connected", connected)
    monkeypatch.setattr(bench, "Reach", lambda _member: SimpleNamespace(facts=str))
    monkeypatch.setattr(bench, "roles_of", lambda *_: SimpleNamespace(all=["10.0.0.4"]))
    monkeypatch.setattr(bench, "same_versions", lambda _facts: None)
    return done


def machine(done: list[str], fault: UserError | None) -> Any:
    """The server's machine, which notes what is done with it; with a `fault` it is not there."""

    def connected() -> None:
        done.append("worker")
        if fault is not None:
            raise fault

    return lambda *_: SimpleNamespace(connected=connected, drop=lambda: done.append("dropped"))


def test_it_lets_go_at_its_end(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ServerMachine", machine(done, None))
    with FarBench(UNUSED):
        assert done == ["connected", "worker"]
    assert done == ["connected", "worker", "dropped", "left"]


def test_it_lets_go_where_the_machine_is_not_there(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "ServerMachine", machine(done, UserError("it is not there")))
    with pytest.raises(UserError, match="it is not there"), FarBench(UNUSED):
        raise AssertionError("nothing is there")
    assert done == ["connected", "worker", "dropped", "left"]
