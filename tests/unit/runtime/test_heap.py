"""Memory that Webdyno's own process has freed is given back to the system."""

from __future__ import annotations

import resource
import threading
from pathlib import Path

from webdyno.runtime import heap

BLOCK, BLOCKS = 100_000, 500
"""Bytes that malloc takes from a thread's arena, and how many such blocks."""


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_what_a_thread_freed_is_given_back() -> None:
    kept: list[bytes] = []

    def fill() -> None:
        blocks = [bytes([1]) * BLOCK for _ in range(BLOCKS)]
        # Above the holes that the others leave.
        kept.append(blocks[-1])

    thread = threading.Thread(target=fill)
    thread.start()
    thread.join()
    before = resident()
    heap.give_back()
    assert before - resident() > BLOCK * BLOCKS / 2
