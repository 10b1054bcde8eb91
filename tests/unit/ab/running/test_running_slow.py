"""Running services whose answers take longer than what they are given."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.asyncio_server import AsyncioServer
from webdyno.ab.running.comparison import RunningComparison
from webdyno.ab.running.listeners import running
from webdyno.catalog.descriptions.description import Description
from webdyno.errors import UserError

ANSWER_S = 0.9
pytestmark = pytest.mark.concurrent


class Slow(AsyncioServer):
    """Thinks about each answer."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                await asyncio.sleep(ANSWER_S)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def slow() -> Iterator[Slow]:
    service = Slow()
    yield service
    service.close()


def comparison(slow: Slow, folder: Path, **load: Any) -> RunningComparison:
    described = Description.model_validate(
        {"name": "slow", "requests": ["GET /"], "budget": 5.0, "load": {"connections": 4, **load}}
    )
    services = [running(f"http://localhost:{slow.port}/")] * 2
    return RunningComparison(services, described, folder, lambda _text: None)


@pytest.mark.slow
def test_loads_that_are_shorter_than_an_answer_ask_for_more_time(
    slow: Slow, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as caught:
        comparison(slow, tmp_path, kinds=["full"]).run()
    said = str(caught.value)
    assert said.startswith(f"http://localhost:{slow.port}/: no answer came within ")
    assert "compare for longer: --budget" in said


@pytest.mark.slow
def test_how_long_an_answer_takes_is_known_where_none_came_in_time(
    slow: Slow, tmp_path: Path
) -> None:
    made = comparison(slow, tmp_path, kinds=["full", "steady"])
    assert made._first_rate_rps("a") == pytest.approx(4 / ANSWER_S, rel=0.2)
    assert made._alone_s("b") == pytest.approx(ANSWER_S, rel=0.2)


@pytest.mark.slow
def test_an_answer_after_the_timeout_is_told_with_what_allows_more(
    slow: Slow, tmp_path: Path
) -> None:
    answer = comparison(slow, tmp_path, kinds=["full"], timeout=0.3).run()
    (broken,) = answer.broken
    assert "requests failed under load: no answer within 300 ms" in broken.reason
    assert "`timeout` under [load]" in broken.reason
