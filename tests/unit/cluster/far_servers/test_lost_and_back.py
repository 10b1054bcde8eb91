"""What a run does where machines are lost meanwhile: the order of things, without any machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from webdyno.cluster.far_servers import server_machine
from webdyno.cluster.far_servers.far_worker import FarWorker, WorkerFailure, WorkerLost
from webdyno.cluster.far_servers.server_machine import ATTEMPTS, ServerMachine
from webdyno.cluster.far_servers.works import Works
from webdyno.cluster.load import loaders
from webdyno.cluster.load.loaders import Loaders
from webdyno.cluster.machines.nodes import Node
from webdyno.errors import UserError
from webdyno.trial.events import Listener


class Worker(FarWorker):
    """One that ends as it is told to when it is asked."""

    def __init__(self, how: Exception | None) -> None:
        self._how, self.closed = how, False

    def ask(self, listener: Listener, name: str, *arguments: Any) -> Any:
        if self._how is not None:
            raise self._how
        return name

    def close(self) -> None:
        self.closed = True


class Servers(ServerMachine):
    """One whose workers are these, one after the other."""

    def __init__(self, *hows: Exception | None) -> None:
        self._worker, self._cells = None, [None]  # type: ignore[list-item]
        self._coming = iter(hows)
        self.workers: list[Worker] = []

    def _started(self) -> FarWorker:
        how = next(self._coming)
        if isinstance(how, UserError):
            raise how
        self.workers.append(Worker(how))
        return self.workers[-1]


GONE = WorkerLost("10.0.0.4, the server's machine, is lost (reset)")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (server_machine, loaders):
        monkeypatch.setattr(module, "_LOOK_S", 0.0)


def test_a_machine_that_has_left_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    with (
        Works("10.0.0.4", lambda *_: None, lambda: None) as works,
        pytest.raises(UserError, match=r"^10\.0\.0\.4 has left the cluster"),
    ):
        works.loaders(["10.0.0.2"])


def test_what_prepares_a_run_is_asked_again_once_the_machine_is_back() -> None:
    machine = Servers(GONE, UserError("10.0.0.4 is not in the cluster"), None)
    assert machine.ask("given") == "given"
    assert [one.closed for one in machine.workers] == [True, False]


def test_a_trial_is_not_made_again_behind_the_back_of_whoever_asked() -> None:
    for name in ("trial", "renew", "sentinel"):
        machine = Servers(GONE, None)
        with pytest.raises(WorkerLost):
            machine.ask(name)
        assert len(machine.workers) == 1


@pytest.mark.parametrize("how", [[GONE] * ATTEMPTS, [WorkerFailure("KeyError: 'x'")]])
def test_the_end_is_one_line_with_what_to_do(how: list[Exception]) -> None:
    machine = Servers(*how)
    with pytest.raises(UserError, match="`--resume` continues") as told:
        machine.ask("prepare")
    assert "\n" not in str(told.value)
    assert len(machine.workers) == len(how)


def test_a_machine_that_stays_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_machine, "BACK_WITHIN_S", 0.0)
    away = UserError("10.0.0.4, the server's machine, is not in the cluster")
    with pytest.raises(UserError, match=r"10\.0\.0\.4.*join it again.*--resume"):
        Servers(*[away] * 100).ask("trial")
    machine = Servers(away)
    machine._cells = []  # Nothing is measured yet: then nothing is waited for, or kept.
    with pytest.raises(UserError) as told:
        machine.ask("machine")
    assert str(told.value) == str(away)


class Machines(Loaders):
    """Loaders that find these machines, one list after the other, and cannot take some of them."""

    def __init__(self, *found: Sequence[str], dying: Sequence[str] = ()) -> None:
        self._addresses, self._machines = ["10.0.0.1", "10.0.0.2"], None
        self._found: Iterator[Sequence[str]] = iter(found)
        self._dying = list(dying)
        self.taken: list[str] = []

    def _chosen(self) -> list[Node]:
        return [Node(one, ("generator",), one) for one in next(self._found)]

    def _take(self, nodes: Sequence[Node]) -> None:
        if self._dying:
            raise UserError(f"the agent on {self._dying.pop()}: it died")
        self.taken = [node.address for node in nodes]


def test_an_agent_that_dies_while_it_is_replaced_does_not_end_the_run() -> None:
    both = ["10.0.0.1", "10.0.0.2"]
    machines = Machines(both, both, dying=["10.0.0.2"])
    machines.renew()
    assert machines.taken == both


def test_without_any_machine_the_run_ends_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaders, "BACK_WITHIN_S", 0.0)
    few = Machines(["10.0.0.1"], ["10.0.0.1"], ["10.0.0.1"])
    few.renew()
    assert few.taken == ["10.0.0.1"]
    with pytest.raises(UserError, match=r"no machine is left to generate load.*--resume"):
        Machines(*[[]] * 100).renew()
    died = Machines(*[["10.0.0.1"]] * 100, dying=["10.0.0.1"] * 100)
    with pytest.raises(UserError, match=r"10\.0\.0\.1: it died.*--resume"):
        died.renew()
