"""Tables made from what a queue really does contradict nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.claims import examine

SHARES = {"median": 50, "p90": 90, "p95": 95, "p99": 99}


def contradictions(tables: list[dict[str, Any]]) -> list[str]:
    whole = {"name": "made", "title": "t", "source": "s", "tables": tables}
    found = examine(parse_manifest(whole, PublishedManifest, "test"))
    return [one.sentence for one in found if one.outcome == "contradicts"]


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f}ms"


@pytest.mark.slow
@settings(deadline=None)
@given(
    rate=st.floats(1, 1e5),
    utilisation=st.floats(0.05, 0.95),
    seconds=st.integers(1, 600),
)
def test_mm1_in_an_open_load(rate: float, utilisation: float, seconds: int) -> None:
    """Sojourn times of M/M/1 are exponential with mean 1 / (mu - lambda)."""
    mean = utilisation / (1 - utilisation) / rate
    row = {"label": "mm1", "mean": ms(mean), "sd": ms(mean), "min": "0.00ms"}
    row |= {key: ms(-mean * np.log(1 - share / 100)) for key, share in SHARES.items()}
    row |= {"max": ms(20 * mean), "throughput": f"{rate:.2f}"}
    row |= {"samples": str(round(round(rate, 3) * seconds))}
    load = {"kind": "open", "phases": [f"{rate:.3f}/s:{seconds}s"]}
    assert contradictions([{"name": "t", "load": load, "rows": [row]}]) == []


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    users=st.integers(2, 200),
    service_ms=st.floats(0.2, 50),
    shape=st.floats(0.5, 8),
    iterations=st.integers(150, 400),
)
def test_users_that_wait_for_one_another(
    seed: int, users: int, service_ms: float, shape: float, iterations: int
) -> None:
    """A closed load of latencies drawn alike for every connection, for a set time."""
    random = np.random.default_rng(seed)
    drawn = random.gamma(shape, service_ms / shape / 1e3, size=(users, iterations))
    ends = np.cumsum(drawn, axis=1)
    lasted = float(ends[:, -1].min())
    times = drawn[ends <= lasted]
    row = {
        "label": "a",
        "samples": str(times.size),
        "duration": f"{lasted:.4f}s",
        "throughput": f"{times.size / lasted:.2f}",
        "mean": f"{times.mean() * 1e3:.4f}ms",
        "sd": f"{times.std() * 1e3:.4f}ms",
        "min": f"{times.min() * 1e3:.4f}ms",
        "max": f"{times.max() * 1e3:.4f}ms",
        "read": f"{times.size * 200}B",
        "bytes_per_s": f"{times.size * 200 / lasted:.0f}B",
    }
    row |= {
        key: f"{np.percentile(times, share, method='higher') * 1e3:.4f}ms"
        for key, share in SHARES.items()
    }
    load = {"kind": "closed", "connections": users, "tool": "engine"}
    table = {"name": "t", "load": load, "rows": [row], "work": {"body_bytes": 100}}
    assert contradictions([table]) == []


@pytest.mark.slow
@settings(deadline=None)
@given(failed=st.integers(0, 500), samples=st.integers(500, 10**6), counts=st.data())
def test_whole_numbers_are_never_refused(failed: int, samples: int, counts: Any) -> None:
    seconds = counts.draw(st.lists(st.integers(0, 20_000), min_size=2, max_size=20))
    errors = {
        "label": "a",
        "samples": samples,
        "error_share": f"{failed / samples * 100:.2f}%",
    }
    of_all = {
        "name": "t",
        "load": {"kind": "open", "phases": [f"{samples}/s:1s"]},
        "rows": [errors],
    }
    rates = {
        "label": "a",
        "throughput": f"{np.mean(seconds):.2f}",
        "throughput_sd": f"{np.std(seconds, ddof=counts.draw(st.integers(0, 1))):.2f}",
        "throughput_max": max(seconds),
    }
    load = {"kind": "closed", "connections": 1, "duration": f"{len(seconds)}s"}
    of_each = {"name": "u", "load": load, "rows": [rates], "rate_every": "1s"}
    assert contradictions([of_all, of_each]) == []


def row_of(label: str, times: np.ndarray[Any, Any], lasted: float, failed: int) -> dict[str, Any]:
    """What JMeter prints of one sampler, to the millisecond."""
    row = {"label": label, "samples": times.size, "throughput": f"{times.size / lasted:.1f}"}
    row |= {"mean": f"{times.mean():.0f}ms", "min": f"{times.min()}ms", "max": f"{times.max()}ms"}
    row |= {"error_share": f"{100 * failed / times.size:.2f}%"}
    row |= {"bytes_per_s": f"{200 * times.size / lasted / 1024:.1f}KB"}
    return row | {
        key: f"{np.percentile(times, share, method='higher')}ms" for key, share in SHARES.items()
    }


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.lists(st.integers(2_000, 20_000), min_size=2, max_size=4),
    scale_ms=st.floats(1, 500),
    failing=st.floats(0, 0.2),
)
def test_rows_of_one_sampler_each_and_their_total(
    seed: int, sizes: list[int], scale_ms: float, failing: float
) -> None:
    random = np.random.default_rng(seed)
    times = [
        np.floor(random.gamma(random.uniform(0.5, 4), scale_ms, size)).astype(int) for size in sizes
    ]
    failed = [int(random.binomial(size, failing)) for size in sizes]
    lasted = 50.0
    rows = [row_of(f"row {at}", one, lasted, failed[at]) for at, one in enumerate(times)]
    whole = row_of("total", np.concatenate(times), lasted, sum(failed)) | {"total": True}
    load = {"kind": "open", "phases": [f"{sum(sizes)}/s:1s"], "tool": "jmeter"}
    table = {"name": "t", "load": load, "rows": [*rows, whole], "binary_units": True}
    # That all ran side by side, and not as the load says, is so.
    about = ("The total's", "The rows", "total:")
    assert [one for one in contradictions([table]) if one.startswith(about)] == []
