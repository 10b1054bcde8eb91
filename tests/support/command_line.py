"""The command line in a process of its own, which need not import anything first.

A command's start is mostly imports: two seconds of CPU time for one that makes a run. Here one
process a test session has imported what the commands use, and has drawn a report, as every run does
at its end. Every command is a fork of it: with its own arguments, folder, environment and streams,
and an end like any other's.

What tests the start itself, or ends a command from outside, starts `python -m webdyno`.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from support.brief_noise import NOISE_S

ROOT = Path(__file__).resolve().parents[2]

_MOST_BYTES = 1 << 17
_STREAMS = 3
"""Standard output, standard error, and the socket on which the end is told."""


def webdyno(
    *arguments: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    timeout_s: float = 240,
) -> subprocess.CompletedProcess[str]:
    """Run `webdyno ARGUMENTS`; gives its exit code and output. Raises `TimeoutExpired`."""
    order = {
        "arguments": arguments,
        "cwd": str(cwd),
        "env": dict(os.environ if env is None else env),
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "cores": sorted(os.sched_getaffinity(0)),
    }
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            streams = [out.fileno(), err.fileno(), theirs.fileno()]
            socket.send_fds(_imported(os.getpid()), [json.dumps(order).encode()], streams)
            theirs.close()
            ours.settimeout(timeout_s)
            pid = json.loads(ours.recv(_MOST_BYTES))
            try:
                code = json.loads(ours.recv(_MOST_BYTES))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["webdyno", *arguments], timeout_s) from None
        return subprocess.CompletedProcess(arguments, code, _text(out), _text(err))


def _text(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode())


@functools.cache
def _imported(_pid: int) -> socket.socket:
    """The socket of the process that has imported everything; it ends when this one does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}/tests"},
            stdin=subprocess.DEVNULL,
        )
    return ours


def _import_all() -> None:
    from support.synthetic_run import build_run
    from webdyno.cli.commands import COMMANDS, load
    from webdyno.cli.main import app  # noqa: F401
    from webdyno.report.charts.scripts import bundle
    from webdyno.report.formats.html import render_html
    from webdyno.run import run_study  # noqa: F401
    from webdyno.run.bench import observe
    from webdyno.runtime.builds.source_lines import lines_of

    for name in COMMANDS:
        load(name)
    lines_of(Path(__file__))
    lines_of.cache_clear()
    # Every run ends with a page: its templates are compiled here, and the charts' scripts are read.
    # Where these are not put together yet, a child does it: no fork has the threads of V8.
    if os.fork() == 0:
        try:
            bundle()
        finally:
            os._exit(0)
    os.wait()
    render_html(build_run(blocks=1, seconds=1))
    observe.NOISE_S = NOISE_S


def _serve(orders: socket.socket) -> None:
    """Fork for every order until there are no more to come."""
    # Whose end nobody asks for leaves no zombie.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, streams, _, _ = socket.recv_fds(orders, _MOST_BYTES, _STREAMS)
        if not message:
            return
        if os.fork() == 0:
            orders.close()
            _ordered(json.loads(message), *streams)
        for stream in streams:
            os.close(stream)


def _ordered(order: dict[str, Any], out: int, err: int, end: int) -> NoReturn:
    """Fork once more, for the command; tell its pid, and then how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    command = os.fork()
    if command == 0:
        os.close(end)
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.close(out)
        os.close(err)
        _end_with(_command(order))
    with socket.socket(fileno=end) as told:
        told.send(json.dumps(command).encode())
        _, status = os.waitpid(command, 0)
        with contextlib.suppress(OSError):
            told.send(json.dumps(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _command(order: dict[str, Any]) -> int:
    from webdyno.cli.main import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    os.sched_setaffinity(0, order["cores"])
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, order["nice"])
    sys.argv[1:] = order["arguments"]
    try:
        return main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1


def _end_with(code: int) -> NoReturn:
    """End as an interpreter does, but for taking everything apart, which copies all memory."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _import_all()
    # What the collector never touches, forks go on sharing.
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
