"""What a running service is asked, and what is compared of its answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.own_loop import OwnLoop
from webdyno.ab.answers import compare_answers
from webdyno.ab.asking import answers_of
from webdyno.ab.listeners import running
from webdyno.ab.proof import scenario_of
from webdyno.ab.running_loads import RunningLoads
from webdyno.catalog.description import AnswerRules, Description
from webdyno.catalog.load import Closed


class Echo(OwnLoop):
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
