"""When a server that starts is ready: at its first answer, unless that says that it is not."""

from __future__ import annotations

import asyncio
import os
import ssl
import subprocess
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.asyncio_server import AsyncioServer
from webdyno.trial.starting import awaiting
from webdyno.trial.starting.first_answer import speaks_tls


@pytest.fixture
def starting() -> Any:
    """A process that has yet to answer."""
    return SimpleNamespace(
        pid=os.getpid(),
        name="shop/b",
        began=time.monotonic(),
        log=Path("none"),
        exit_code=lambda: None,
        family=SimpleNamespace(stopped=lambda: False),
    )


def test_unavailable_is_not_ready(starting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = iter([0, 502, 503, 504, 503, 404])
    monkeypatch.setattr(awaiting, "answers", lambda *_: next(statuses))
    assert awaiting.await_answer(starting, "127.0.0.1", 1, "/health?deep=1") > 0
    assert not list(statuses)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_one_that_stays_unavailable_is_told(
    starting: Any, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(awaiting, "START_TIMEOUT_S", 0.0)
    monkeypatch.setattr(awaiting, "answers", lambda *_: status)
    told = f"shop/b still answered GET /health with {status} after"
    with pytest.raises(awaiting.StartError, match=told):
        awaiting.await_answer(starting, "127.0.0.1", 1, "/health?deep=1")


def test_one_has_as_long_as_its_manifest_says(
    starting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting.began -= 200.0
    statuses = iter([503, 503, 200])
    monkeypatch.setattr(awaiting, "answers", lambda *_: next(statuses))
    assert awaiting.await_answer(starting, "127.0.0.1", 1, "/", 400.0) > 200
    monkeypatch.setattr(awaiting, "answers", lambda *_: 503)
    told = r"after 20\d s; if it needs longer, raise `start_timeout` under \[run\]"
    with pytest.raises(awaiting.StartError, match=told):
        awaiting.await_answer(starting, "127.0.0.1", 1, "/")


@pytest.mark.parametrize(("status", "most"), [(503, 20 * 60 + 200), (0, 250 * 60 + 10)])
def test_one_that_is_not_ready_is_not_kept_busy_by_the_questions(
    starting: Any, monkeypatch: pytest.MonkeyPatch, status: int, most: int
) -> None:
    """Its answers would look like work, for which it has three times as long."""
    asked: list[float] = []
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def answers(*_: object) -> int:
        asked.append(now)
        return status

    monkeypatch.setattr(awaiting, "time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    monkeypatch.setattr(awaiting, "answers", answers)
    monkeypatch.setattr(awaiting, "speaks_tls", lambda *_: False)
    monkeypatch.setattr(awaiting._WrongPort, "works", lambda _: False)
    starting.began = 0.0
    with pytest.raises(awaiting.StartError):
        awaiting.await_answer(starting, "127.0.0.1", 1, "/")
    assert most / 2 < len(asked) <= most
    # A start is told to a fiftieth of its length all the same.
    assert all(later - one <= 0.021 * later + 0.004 for one, later in pairwise(asked))


@pytest.mark.parametrize(
    ("given_s", "limit_s"), [(None, 120.0), (90.0, 120.0), (120.0, 120.0), (300.0, 300.0)]
)
def test_what_prepares_a_start_has_as_long_as_its_manifest_says_and_never_less_than_usual(
    starting: Any, monkeypatch: pytest.MonkeyPatch, given_s: float | None, limit_s: float
) -> None:
    moments = iter([0.0, limit_s - 1, limit_s + 1])
    clock = SimpleNamespace(monotonic=lambda: next(moments), sleep=lambda _: None)
    monkeypatch.setattr(awaiting, "time", clock)
    told = rf"did not end within {limit_s:.0f} s; if it needs longer, raise `start_timeout` under"
    with pytest.raises(awaiting.StartError, match=told):
        awaiting.await_end(starting, ["./migrate"], given_s)
    assert next(moments, None) is None


class Hello(AsyncioServer):
    """Says a word and closes, in plain text or within TLS."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello\r\n")
        await writer.drain()
        writer.close()


@pytest.fixture
def within_tls(tmp_path: Path) -> Iterator[Hello]:
    curve = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    made = ["openssl", "req", "-x509", *curve.split(), "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server = Hello(context)
    yield server
    server.close()


def test_who_speaks_tls_is_told_from_who_does_not(within_tls: Hello) -> None:
    assert speaks_tls(within_tls.port)
    plain = Hello()
    assert not speaks_tls(plain.port)
    plain.close()
    assert not speaks_tls(plain.port)


def test_a_server_that_speaks_tls_is_told_so_soon(
    starting: Any, monkeypatch: pytest.MonkeyPatch, within_tls: Hello
) -> None:
    monkeypatch.setattr(awaiting, "ELSEWHERE_S", 0.05)
    told = f"shop/b speaks TLS on 127.0.0.1:{within_tls.port}, where it is asked in plain HTTP"
    with pytest.raises(awaiting.StartError, match=told):
        awaiting.await_answer(starting, "127.0.0.1", within_tls.port, "/")
