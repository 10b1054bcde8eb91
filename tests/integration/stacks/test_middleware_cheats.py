"""`middleware`: a server whose middlewares do not run for every request is found out."""

from __future__ import annotations

import json
import random
import re
import threading

import pytest

from integration.stacks.conftest import Staged
from integration.stacks.server import JSON, NOT_FOUND, Request, Response
from webdyno.errors import UserError
from webdyno.verifier import Mismatch, Probe, Sample

pytestmark = pytest.mark.concurrent

WARM = 60


class Honest:
    def __init__(self, env: dict[str, str]) -> None:
        self.count = int(env["WEBDYNO_MIDDLEWARE"])
        self.requests = self.passed = 0
        self.lock = threading.Lock()

    def __call__(self, request: Request) -> Response:
        with self.lock:
            self.passed += self.passes(request)
            return self.answer(request)

    def passes(self, request: Request) -> int:
        return self.count

    def answer(self, request: Request) -> Response:
        if request.path == "/hello":
            self.requests += 1
            return Response("Hello World")
        if request.path == "/passed":
            self.requests += 1
            return self.told()
        return NOT_FOUND

    def told(self) -> Response:
        return Response(json.dumps({"requests": self.requests, "passed": self.passed}), JSON)


class OneFewer(Honest):
    """Off by one, as with `<` for `<=`."""

    def passes(self, request: Request) -> int:
        return max(0, self.count - 1)


class CountOfItsOwn(Honest):
    """Mounts as many as the scenario has by default, whatever it is told."""

    def passes(self, request: Request) -> int:
        return 5


class OnlyForTheCount(Honest):
    """The greeting has a short way of its own, past the middlewares."""

    def passes(self, request: Request) -> int:
        return 0 if request.path == "/hello" else self.count


class SkipsOneUnderLoad(Honest):
    """Once it is warm, one request takes the short way."""

    def passes(self, request: Request) -> int:
        return 0 if self.requests == WARM else self.count


class Invented(Honest):
    """Tells a number that would be right for the number of requests it made up."""

    def told(self) -> Response:
        return Response(json.dumps({"requests": 10, "passed": 10 * self.count}), JSON)


class CountsSome(Honest):
    """The greeting has a short way of its own, past what counts as well."""

    def passes(self, request: Request) -> int:
        return 0 if request.path == "/hello" else self.count

    def answer(self, request: Request) -> Response:
        answer = super().answer(request)
        self.requests -= request.path == "/hello"
        return answer


class NoCounts(Honest):
    def told(self) -> Response:
        return Response("Hello World")


class NoRouter(Honest):
    def answer(self, request: Request) -> Response:
        answer = super().answer(request)
        return Response("Hello World") if answer.status == 404 else answer


class ByLength(Honest):
    """Knows the greeting's path by its length."""

    def answer(self, request: Request) -> Response:
        answer = super().answer(request)
        alike = len(request.path) == len("/hello") and answer.status == 404
        return Response("Hello World") if alike else answer


class ByLengthUnderLoad(ByLength):
    """The same, while it takes itself to be under load."""

    is_loaded = False

    def answer(self, request: Request) -> Response:
        return super().answer(request) if self.is_loaded else Honest.answer(self, request)


class OtherText(Honest):
    def answer(self, request: Request) -> Response:
        return Response("okay") if request.path == "/hello" else super().answer(request)


@pytest.mark.parametrize("count", [0, 1, 5, 100])
def test_an_honest_server_passes(trial: Staged, count: int) -> None:
    staged = trial("middleware", Honest, count=count)
    staged.run()
    claims = {evidence.claim for evidence in staged.verifier.evidence}
    assert any(f"passed {count} middlewares" in claim for claim in claims)
    assert "the server counted every answer of the load" in claims


@pytest.mark.parametrize(
    ("cheat", "message"),
    [
        (OneFewer, r"before: .*passed 5 middlewares: 48 requests passed 192 middlewares, not 240"),
        (CountOfItsOwn, r"before: .*WEBDYNO_MIDDLEWARE=12.*2 requests passed 10 .*, not 24"),
        (OnlyForTheCount, r"before: .*48 requests passed 85 middlewares, not 240"),
        (SkipsOneUnderLoad, r"during: .*each of \d+ requests so far passed 5 middlewares"),
        (Invented, r"during: .*every answer of the load: 0 requests counted, 20 answers"),
        (CountsSome, r"before: .*7 requests are counted: 0 were counted"),
        (NoCounts, r"before: GET /passed was answered 200, without the counts: b'Hello World'"),
        (OtherText, r"before: .*the body is b'okay'"),
        (NoRouter, r"after: .*an unknown path is answered 404"),
        (ByLength, r"after: .*differs from /hello in one letter is answered 404: /.* answered 200"),
    ],
)
def test_cheats_are_caught(trial: Staged, cheat: type[Honest], message: str) -> None:
    assert re.match(message, trial("middleware", cheat).caught())


def test_a_path_is_read_beside_the_load_as_well(
    trial: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = trial("middleware", ByLengthUnderLoad)
    staged.run()
    with Probe(f"http://127.0.0.1:{staged.running.port}") as probe:
        staged.verifier.verify_beside_load(probe)
        monkeypatch.setattr(ByLengthUnderLoad, "is_loaded", True)
        with pytest.raises(Mismatch, match="differs from /hello in one letter is answered 404"):
            staged.verifier.verify_beside_load(probe)


class InTurns:
    """A proxy that gives requests to two processes by turns, whatever connection they come on."""

    def __init__(self, env: dict[str, str]) -> None:
        self.processes = [Honest(env), Honest(env)]
        self.asked = 0

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        return self.of(self.asked)(request)

    def of(self, number: int) -> Honest:
        return self.processes[number % 2]


class ByChance(InTurns):
    def of(self, number: int) -> Honest:
        return random.choice(self.processes)


class Loops(InTurns):
    """One process with two event loops that share nothing: each connection leads to one."""

    def __init__(self, env: dict[str, str]) -> None:
        super().__init__(env)
        self.connection = threading.local()

    def __call__(self, request: Request) -> Response:
        if not hasattr(self.connection, "loop"):
            self.connection.loop = self.loop()
        return self.connection.loop(request)

    def loop(self) -> Honest:
        return random.choice(self.processes)


class LoadElsewhere(InTurns):
    """All connections lead to one process, but that of the load."""

    def __call__(self, request: Request) -> Response:
        return self.processes[self.loads](request)

    loads = 0


@pytest.mark.parametrize("kind", [InTurns, ByChance])
def test_several_processes_behind_a_connection_are_no_lie(
    trial: Staged, kind: type[InTurns]
) -> None:
    staged = trial("middleware", kind)
    staged.run(processes=3)
    assert all(item.ok for item in staged.verifier.evidence)


def test_event_loops_of_one_process_may_each_count(trial: Staged) -> None:
    staged = trial("middleware", Loops)
    staged.run(rounds=200)
    told = {item.claim: item.ok for item in staged.verifier.evidence}
    assert told["the server counted every answer of the load"]


def test_one_of_several_processes_has_not_seen_all_of_the_load(
    trial: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = trial("middleware", LoadElsewhere)
    load = staged._load

    def elsewhere(rounds: int) -> list[Sample]:
        LoadElsewhere.loads = 1
        try:
            return load(rounds)
        finally:
            LoadElsewhere.loads = 0

    monkeypatch.setattr(staged, "_load", elsewhere)
    staged.run(rounds=200, processes=2)


def test_an_unknown_path_of_one_load_is_no_fault_at_the_next(trial: Staged) -> None:
    staged = trial("middleware", Honest)
    staged.run()
    with Probe(f"http://127.0.0.1:{staged.running.port}") as probe:
        for _ in range(2):
            staged.load_and_prove(probe, 20)


def test_the_count_must_be_a_whole_number(trial: Staged) -> None:
    with pytest.raises(UserError, match="'count' is -1; give a whole number from 0 to 10000"):
        trial("middleware", Honest, count=-1)
