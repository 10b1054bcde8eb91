"""JTL, JMeter's file of samples as CSV: read into the engine's terms.

A sample's `timeStamp` is its start in milliseconds of the epoch and `elapsed` the whole
milliseconds to its last byte. Its failure is told by a response code that is no number ("Non HTTP
response code: java.net.SocketTimeoutException") or by an assertion's words.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from hdrh.histogram import HdrHistogram

from webdyno.generators.generator import GeneratorError
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import Latency, SecondOfLoad

COUNTS = tuple(RequestCounts.model_fields)

_HIGHEST_NS = 2 * 24 * 3_600_000_000_000
_NEEDED = ("timeStamp", "elapsed", "label", "responseCode", "success")
# By the exception that JMeter names, the most telling first.
_EXCEPTIONS = (
    ("Timeout", "timed_out"),
    ("HttpHostConnectException", "refused"),
    ("ConnectException", "refused"),
    ("NoHttpResponseException", "reset"),
    ("ConnectionClosedException", "reset"),
    ("SocketException", "reset"),
    ("SSLException", "reset"),
)


@dataclass
class Samples:
    """What a JTL holds, as counts, times and seconds."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    details: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """How often each (kind, request, words) failed."""
    starts_ms: list[int] = field(default_factory=list)
    """Of accepted answers, as `elapsed_ms`."""
    elapsed_ms: list[int] = field(default_factory=list)
    failed_ends_ms: list[int] = field(default_factory=list)
    bytes_received: int = 0
    bytes_sent: int = 0
    first_ms: int = 0
    last_ms: int = 0

    @property
    def elapsed_s(self) -> float:
        """From the first start to the last end."""
        return (self.last_ms - self.first_ms) / 1000


def read_jtl(path: Path) -> Samples:
    """Read a JTL with a header line. Raises `GeneratorError` where it is not one, or is empty."""
    samples = Samples()
    first, last = 1 << 62, 0
    for row in _rows(path):
        try:
            start, elapsed = int(row["timeStamp"]), int(row["elapsed"])
        except (TypeError, ValueError):
            raise GeneratorError(f"jmeter: {path.name} holds a line that is not a sample") from None
        first, last = min(first, start), max(last, start + elapsed)
        # Of a failed exchange, JMeter counts its own words about it.
        if row["responseCode"].isdigit():
            samples.bytes_received += int(row.get("bytes") or 0)
        samples.bytes_sent += int(row.get("sentBytes") or 0)
        samples.counts["sent"] += 1
        if row["success"] == "true":
            samples.counts["ok"] += 1
            samples.starts_ms.append(start)
            samples.elapsed_ms.append(elapsed)
        else:
            kind, words = _failure(row)
            samples.counts[kind] += 1
            samples.details[kind, row["label"], words] += 1
            samples.failed_ends_ms.append(start + elapsed)
    if not samples.counts["sent"]:
        raise GeneratorError("jmeter recorded no sample; see its log")
    samples.counts["offered"] = samples.counts["sent"]
    samples.counts["sent"] -= samples.counts["refused"] + samples.counts["client_limit"]
    samples.first_ms, samples.last_ms = first, last
    return samples


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            reader = csv.DictReader(file)
            if missing := [name for name in _NEEDED if name not in (reader.fieldnames or ())]:
                raise GeneratorError(f"jmeter: {path.name} has no column {', '.join(missing)}")
            yield from reader
    except OSError as error:
        raise GeneratorError(f"jmeter wrote no samples: {error.strerror}") from None


def _failure(row: dict[str, str]) -> tuple[str, str]:
    code, message = row["responseCode"], (row.get("failureMessage") or "").strip()
    if (kind := row.get("responseMessage", "")) in COUNTS:
        return kind, message  # The engine's own record names its kinds there.
    if code.isdigit():
        # Which assertion failed is told in words alone; that of the status speaks of a code.
        if "code expected" in message or (not message and not code.startswith("2")):
            return "wrong_status", f"status {code}"
        return "failed_check", " ".join(message.split())[:200] or f"status {code}"
    exception = code.rpartition(": ")[2]
    kind = next((kind for name, kind in _EXCEPTIONS if name in exception), "malformed")
    return kind, exception.rpartition(".")[2]


def latency_us(samples: Samples) -> Latency | None:
    """Quantiles of accepted answers in µs; None where there are none."""
    if not samples.elapsed_ms:
        return None
    times = np.sort(np.array(samples.elapsed_ms, dtype=np.float64)) * 1000
    quantiles = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
    # The smallest sample that at least that share does not exceed, as in the engine's histograms.
    found = {
        name: float(times[max(0, int(np.ceil(share * times.size)) - 1)])
        for name, share in quantiles.items()
    }
    return Latency(**found, min=float(times[0]), max=float(times[-1]), mean=float(times.mean()))


def histogram(samples: Samples) -> str:
    """Latencies of accepted answers as the engine encodes them: nanoseconds, HdrHistogram V2."""
    made = HdrHistogram(1, _HIGHEST_NS, 3)
    for milliseconds, count in Counter(samples.elapsed_ms).items():
        made.record_value(min(milliseconds * 1_000_000, _HIGHEST_NS), count)
    encoded = made.encode()
    return encoded.decode() if isinstance(encoded, bytes) else str(encoded)


def series(samples: Samples) -> list[SecondOfLoad]:
    """Answers by the second of the load in which they were complete."""
    ends = np.array(samples.starts_ms, dtype=np.int64) + np.array(
        samples.elapsed_ms, dtype=np.int64
    )
    seconds = (ends - samples.first_ms) // 1000
    failed = (np.array(samples.failed_ends_ms, dtype=np.int64) - samples.first_ms) // 1000
    times = np.array(samples.elapsed_ms, dtype=np.float64) * 1000
    rows = []
    for second in range(int((samples.last_ms - samples.first_ms) // 1000) + 1):
        inside = times[seconds == second]
        row = SecondOfLoad(
            second=second,
            ok=int(inside.size),
            errors=int(np.count_nonzero(failed == second)),
        )
        if inside.size:
            row.p50_us, row.p99_us, row.max_us = (
                float(np.quantile(inside, share, method="inverted_cdf")) for share in (0.5, 0.99, 1)
            )
        rows.append(row)
    return rows
