"""Which ports servers are given."""

from __future__ import annotations

import os
import random
import socket
from pathlib import Path

import pytest

from webdyno.runtime import ports
from webdyno.runtime.ports import LOWEST, free_port, is_listening

ALONE = f"127.1.{os.getpid() >> 8 & 255}.{os.getpid() & 255}"
"""An address of loopback that nobody else listens on or connects from, so that between a port's
choice and its use none of the programs beside this one takes it."""


def test_a_port_is_none_that_an_outgoing_connection_may_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ports, "_outgoing_from", lambda: LOWEST + 500)
    assert all(LOWEST <= free_port() < LOWEST + 500 for _ in range(50))


def test_a_port_that_is_taken_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind((ALONE, 0))
        taken.listen()
        port = taken.getsockname()[1]
        drawn = iter([port, port, LOWEST + 1, *range(LOWEST + 2, LOWEST + 200)])
        monkeypatch.setattr(random, "randrange", lambda *_: next(drawn))
        given = free_port(ALONE)
        assert given != port
        assert LOWEST < given < LOWEST + 200
        assert is_listening(port, ALONE)


@pytest.mark.parametrize("says", ["1024\t65535\n", "nothing", ""])
def test_where_the_system_uses_all_ports_it_chooses(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "range").write_text(says)
    below = ports._outgoing_from(tmp_path / "range")
    assert below == (1024 if says[:1] == "1" else ports.OUTGOING_FROM)
    monkeypatch.setattr(ports, "_outgoing_from", lambda: below)
    with socket.socket() as server:
        server.bind((ALONE, free_port(ALONE)))
