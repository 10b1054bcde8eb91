"""Runs programs on cores of their own, and says what they used."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.machine.placement import pinned as on_cpus
from webdyno.runtime.proc import text_of_proc


class Failed(Exception):
    """A program did not do its work; the message says which, and what it said."""


@dataclass(frozen=True)
class Finished:
    """A program that has ended: its output, and what the whole of its life cost."""

    stdout: str
    cpu_s: float
    peak_bytes: int
    pushed_off: int  # involuntary context switches: how often others got its core


def run(argv: Sequence[str], cpus: Set[int], stdin: str = "", limit_s: float = 120) -> Finished:
    """Runs a program to its end.

    Its peak memory is read from /proc while it runs: the kernel's figure at the end would include
    this process's own, from which it was forked.
    """
    pipe = subprocess.PIPE
    with on_cpus(cpus):
        process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    peak, done = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.1):
            peak = max(peak, _peak_bytes(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    killer = threading.Timer(limit_s, process.kill)
    killer.start()
    errors: list[str] = []
    to, out, err = process.stdin, process.stdout, process.stderr
    assert to is not None
    assert out is not None
    assert err is not None
    reader = threading.Thread(target=lambda: errors.append(err.read()))
    reader.start()
    try:
        with contextlib.suppress(BrokenPipeError):
            to.write(stdin)
            to.close()
        stdout = out.read()
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        done.set()
        killer.cancel()
        watcher.join()
        for stream in (out, err):
            stream.close()
    if process.returncode != 0:
        said = "".join(errors).strip().splitlines()
        raise Failed(f"{Path(argv[0]).name}: exit {process.returncode}: {said[-1:]}")
    return Finished(stdout, usage.ru_utime + usage.ru_stime, peak, usage.ru_nivcsw)


def _peak_bytes(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in text_of_proc(Path(f"/proc/{pid}/status")).splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


@contextlib.contextmanager
def server(argv: Sequence[str], cpus: Set[int]) -> Iterator[int]:
    """A server of `programs/` for as long as the block lasts; its port."""
    with on_cpus(cpus):
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        line = process.stdout.readline()
        if not line:
            raise Failed(f"{Path(argv[0]).name}: did not start")
        yield int(line)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
