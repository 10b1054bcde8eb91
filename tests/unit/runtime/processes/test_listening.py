"""Where a process listens, and what is told of one that listens elsewhere."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from webdyno.runtime.ports import free_port
from webdyno.runtime.processes.listening import elsewhere, listening_ports, without_port

PROGRAM = """
import socket, sys
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
listener = socket.socket(family)
listener.bind((sys.argv[1], 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
"""

# Like a program of another user, it shows nobody but root what it has open.
HIDDEN = """
import ctypes
PR_SET_DUMPABLE = 4
ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
"""
NOBODY = 65534

UNIX = """
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
print(flush=True)
sys.stdin.readline()
listener.listen()
print(flush=True)
sys.stdin.readline()
"""


@contextmanager
def listener_at(address: str, program: str = PROGRAM) -> Iterator[tuple[int, int]]:
    """The pid and the port of a process that listens."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, address],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            pytest.skip(f"nothing can be bound to {address} here")
        yield process.pid, int(line)
    finally:
        process.communicate()


def test_the_port_of_a_process_is_known() -> None:
    with listener_at("127.0.0.1") as (pid, port):
        assert listening_ports([pid]) == {port: True}
        assert elsewhere([pid], port) == ""
        assert listening_ports([]) == {}


def test_another_port_is_told_with_the_remedy() -> None:
    wanted = free_port()
    with listener_at("0.0.0.0") as (pid, port):
        assert elsewhere([pid], wanted) == (
            f"listens on {port}, not on $PORT ({wanted}): read PORT from the environment, or give "
            "${PORT} in the command"
        )


def test_another_address_is_told_with_the_remedy() -> None:
    with listener_at("::1") as (pid, port):
        assert elsewhere([pid], port).endswith("but not on 127.0.0.1: bind it to $HOST (127.0.0.1)")


def test_a_process_that_does_not_listen_yet_is_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert elsewhere([process.pid], 1) == ""
        process.communicate(b"\n")


@pytest.fixture
def near() -> Iterator[Path]:
    """A folder whose name is short: that of a Unix socket in it may have 107 bytes (unix(7))."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


def test_one_that_listens_on_a_unix_socket_alone_is_told_so(near: Path) -> None:
    path = near / "shop.sock"
    command = [sys.executable, "-c", UNIX, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        assert without_port([process.pid]) == "it listens on no TCP port"
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        told = f"it listens on no TCP port, only on the Unix socket {path}"
        assert without_port([process.pid]) == told
        # Nobody says what others call theirs.
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(bytes(near) + b"/\xff\n1: 2 3 zzzzzzzz 0001 01 7 8")
            assert without_port([process.pid]) == told
    with listener_at("127.0.0.1") as (pid, _):
        assert without_port([pid]) == ""


def test_one_whose_sockets_cannot_be_seen_is_not_said_to_listen_nowhere() -> None:
    with listener_at("127.0.0.1", HIDDEN + PROGRAM) as (pid, _):
        own = os.geteuid()
        try:
            if own == 0:
                os.seteuid(NOBODY)
            assert without_port([pid]) == ""
        finally:
            os.seteuid(own)
