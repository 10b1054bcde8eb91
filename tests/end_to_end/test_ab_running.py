"""`webdyno ab --url`: two services that run already, one of which breaks."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.asyncio_server import AsyncioServer
from support.command_line import webdyno

pytestmark = pytest.mark.concurrent

SRC = Path(__file__).resolve().parents[2] / "src"
ANSWER = "HTTP/1.1 {status}\r\nContent-Length: 5\r\n\r\nhello"


class Service(AsyncioServer):
    """Answers all requests alike, until `right` of them were right."""

    def __init__(self, right: int) -> None:
        self._right = right
        super().__init__()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                self._right -= 1
                status = "200 OK" if self._right >= 0 else "500 Oh No"
                writer.write(ANSWER.format(status=status).encode())
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def sound() -> Iterator[Service]:
    service = Service(10**9)
    yield service
    service.close()


@pytest.fixture
def breaking() -> Iterator[Service]:
    """It is right when it is asked, and breaks in its first load."""
    service = Service(100)
    yield service
    service.close()


def compared(tmp_path: Path, a: Service, b: Service) -> tuple[int, str, Path]:
    """The exit code, what was printed, and where the answer is, as JSON and JUnit."""
    files = [part for kind in ("json", "junit") for part in (f"--{kind}", f"ab.{kind}")]
    env = {**os.environ, "PYTHONPATH": str(SRC), "WEBDYNO_HOME": str(tmp_path / "home")}
    done = webdyno(
        "ab", "--url", a.url, "--url", b.url, "--budget", "30s", "-c", "4", *files,
        env=env, cwd=tmp_path, timeout_s=60,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr, tmp_path


def failures_and_errors(folder: Path) -> tuple[str | None, str | None]:
    suite = ElementTree.parse(folder / "ab.junit").getroot()
    return suite.get("failures"), suite.get("errors")


def test_one_that_breaks_under_load_is_the_answer(
    tmp_path: Path, sound: Service, breaking: Service
) -> None:
    code, said, folder = compared(tmp_path, sound, breaking)
    assert code == 1, said
    assert "B fails verification: " in said
    assert "requests failed under load" in said
    held = json.loads((folder / "ab.json").read_text(encoding="utf-8"))
    assert (held["outcome"], held["exit_code"]) == ("worse", 1)
    assert [one["letter"] for one in held["broken"]] == ["b"]
    # Both are this process.
    assert any(f"A and B are the same process, {os.getpid()}" in one for one in held["notes"])
    assert failures_and_errors(folder) == ("1", "0")


def test_without_an_a_that_works_there_is_nothing_to_compare(
    tmp_path: Path, sound: Service, breaking: Service
) -> None:
    code, said, folder = compared(tmp_path, breaking, sound)
    assert code == 2, said
    assert "A fails verification: " in said
    assert failures_and_errors(folder) == ("0", "1")
