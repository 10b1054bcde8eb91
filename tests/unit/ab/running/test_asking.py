"""What a running service is asked, and what is compared of its answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from support.asyncio_server import AsyncioServer
from webdyno.ab.conclusion.answer_differences import compare_answers
from webdyno.ab.running import asking
from webdyno.ab.running.asking import answers_of
from webdyno.ab.running.listeners import running
from webdyno.ab.running.loads import BrokenServiceError, RunningLoads
from webdyno.ab.study.proof import scenario_of
from webdyno.catalog.descriptions.description import AnswerRules, Description
from webdyno.catalog.loads.load import Closed
from webdyno.verifier import Mismatch, Probe


class Echo(AsyncioServer):
    """Answers with the `Host` that it was sent, in a link and in a redirect as well."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()
        super().__init__()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                lines = [line.partition(": ") for line in head.splitlines()]
                host = next(value for name, _, value in lines if name.lower() == "host")
                self.hosts.add(host)
                body = json.dumps({"host": host, "next": f"http://127.0.0.1:{self.port}/2"})
                head = (
                    f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    f"Location: http://{host}/\r\nContent-Length: {len(body)}\r\n\r\n"
                )
                writer.write((head + body).encode())
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def two() -> Iterator[tuple[Echo, Echo]]:
    services = Echo(), Echo()
    yield services
    for service in services:
        service.close()


def test_the_host_is_sent_as_it_was_written_and_is_no_difference(
    two: tuple[Echo, Echo], tmp_path: Path
) -> None:
    described = Description.model_validate({"name": "echo", "requests": ["GET /get"]})
    work = scenario_of(described, tmp_path)
    a, b = (running(f"http://localhost:{one.port}/") for one in two)
    of_a, of_b = (answers_of(one, work.folder) for one in (a, b))
    assert compare_answers(of_a, of_a, of_b, AnswerRules()).differences == []
    loads = RunningLoads({"a": a, "b": b}, work, ())
    loads.once("a", Closed(kind="closed", connections=1, duration=0.1))
    assert [one.hosts for one in two] == [{f"localhost:{one.port}"} for one in two]


def test_a_host_that_is_asked_for_is_sent_instead(two: tuple[Echo, Echo], tmp_path: Path) -> None:
    described = Description.model_validate(
        {"name": "echo", "requests": ["GET /"], "headers": {"host": "shop.example"}}
    )
    work = scenario_of(described, tmp_path)
    answers_of(running(f"http://localhost:{two[0].port}/"), work.folder)
    assert two[0].hosts == {"shop.example"}


class Late(AsyncioServer):
    """Answers at once, but for the first `late` requests, which it leaves without an answer."""

    def __init__(self, late: int) -> None:
        self.late = late
        super().__init__()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.late -= 1
                if self.late < 0:
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


# Where none answers, nothing is lost by a short wait.
@pytest.mark.parametrize(("late", "answers", "waits_s"), [(1, True, 0.2), (2, False, 0.05)])
def test_a_question_without_an_answer_in_time_is_asked_once_more(
    late: int, answers: bool, waits_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "Probe", partial(Probe, timeout=waits_s))
    described = Description.model_validate({"name": "late", "requests": ["GET /"]})
    scenario_of(described, tmp_path)
    service = Late(late)
    try:
        if answers:
            assert answers_of(running(f"http://localhost:{service.port}"), tmp_path)
        else:
            with pytest.raises(Mismatch, match=r"GET /: no answer within 0\.05 s"):
                answers_of(running(f"http://localhost:{service.port}"), tmp_path)
    finally:
        service.close()


@pytest.mark.parametrize(("timed_out", "loads"), [(1, 2), (0, 1)])
def test_a_load_with_late_answers_is_made_once_more(
    timed_out: int, loads: int, two: tuple[Echo, Echo], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    described = Description.model_validate({"name": "late", "requests": ["GET /"]})
    work = scenario_of(described, tmp_path)
    service = running(f"http://localhost:{two[0].port}")
    made = RunningLoads({"a": service}, work, (0,))
    counts = SimpleNamespace(errors=1, offered=300, timed_out=timed_out, ok=299)
    late = SimpleNamespace(counts=counts, errors_detail=[])
    sound = SimpleNamespace(counts=SimpleNamespace(errors=0, offered=300, timed_out=0, ok=300))
    results = [late, sound]
    runs: list[object] = []

    def run(_engine: object, job: object) -> object:
        runs.append(job)
        return results[len(runs) - 1]

    monkeypatch.setattr("webdyno.generators.engine.Engine.run", run)
    load = Closed(kind="closed", connections=1, duration=1.0)
    if timed_out:
        assert made.once("a", load).counts.ok == 300
    else:
        with pytest.raises(BrokenServiceError, match="1 of 300 requests failed under load"):
            made.once("a", load)
    assert len(runs) == loads


def test_late_answers_are_forgiven_a_version_in_one_load_alone(
    two: tuple[Echo, Echo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = Description.model_validate({"name": "late", "requests": ["GET /"]})
    work = scenario_of(described, tmp_path)
    a, b = (running(f"http://localhost:{one.port}") for one in two)
    made = RunningLoads({"a": a, "b": b}, work, (0,))
    late, sound = (
        SimpleNamespace(
            counts=SimpleNamespace(errors=lost, offered=300, timed_out=lost, ok=300 - lost),
            errors_detail=[],
        )
        for lost in (1, 0)
    )
    results = iter([late, sound, late, sound, late, sound])
    monkeypatch.setattr("webdyno.generators.engine.Engine.run", lambda *_: next(results))
    load = Closed(kind="closed", connections=1, duration=1.0)
    assert made.once("a", load).counts.ok == 300
    assert made.once("b", load).counts.ok == 300
    assert list(made.late) == ["a", "b"]
    assert "1 of 300 requests failed under load" in made.late["a"]
    with pytest.raises(BrokenServiceError, match="1 of 300 requests failed under load"):
        made.once("a", load)


def test_a_service_that_ended_before_its_load_is_told_so(tmp_path: Path) -> None:
    described = Description.model_validate({"name": "gone", "requests": ["GET /"]})
    service = Echo()
    there = running(f"http://localhost:{service.port}")
    made = RunningLoads({"a": there}, scenario_of(described, tmp_path), (0,))
    service.close()
    load = Closed(kind="closed", connections=1, duration=0.3)
    with pytest.raises(
        BrokenServiceError, match="refused; it has ended or no longer listens there"
    ):
        made.once("a", load)
