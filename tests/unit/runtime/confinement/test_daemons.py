"""Sockets by which the user's daemons can be asked."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from webdyno.runtime.confinement.daemons import sockets_of_daemons


def test_sockets_that_are_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    bus, agent = tmp_path / "bus", tmp_path / "agent"
    (tmp_path / "file").write_text("")
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
        one.bind(str(bus))
        other.bind(str(agent))
        assert sockets_of_daemons([f"{tmp_path}/b*", f"{tmp_path}/file"]) == [str(bus)]
        (tmp_path / "link").symlink_to(agent)
        monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "link"))
        assert sockets_of_daemons([str(bus)]) == [str(bus), str(agent)]
    agent.unlink()
    assert sockets_of_daemons([]) == []
