"""What the figures of a published table are called, in reports and in docs/studies.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.catalog.studies.published_table import PublishedTable

MAIN = {
    "throughput": "Requests/s",
    "mean": "Mean latency",
    "p99": "p99",
    "ok": "Answered",
    "timeouts": "Timed out",
    "error_share": "Errors",
    "cpu_cores": "Cores busy",
}
"""What readers compare."""
OTHER = {
    "samples": "Requests",
    "duration": "Duration",
    "at_rate": "Sent/s",
    "throughput_sd": "Requests/s: deviation",
    "throughput_max": "Requests/s: maximum",
    "thread_rate": "Requests/s of a thread",
    "thread_rate_sd": "of a thread: deviation",
    "thread_rate_max": "of a thread: maximum",
    "thread_rate_within_sd": "of a thread: within",
    "sd": "Latency: deviation",
    "within_sd": "Latency: within",
    "min": "Minimum",
    "median": "Median",
    "p90": "p90",
    "p95": "p95",
    "max": "Maximum",
    "bytes_per_s": "Bytes/s",
    "bytes_sd": "Bytes/s: deviation",
    "bytes_max": "Bytes/s: maximum",
    "read": "Read",
    "memory_at_start": "Memory at the start",
    "memory": "Memory",
    "threads": "Threads",
    "build": "Build",
    "build_again": "Build after a change",
    "source_lines": "Source lines",
}
"""What else was printed, in a table of its own."""


def printed(table: PublishedTable, keys: Iterable[str]) -> list[str]:
    """Those of `keys` of which any row of the table has a figure."""
    return [key for key in keys if any(getattr(row, key) is not None for row in table.rows)]
