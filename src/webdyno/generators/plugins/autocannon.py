"""autocannon as a generator: the closed-loop tool in which Node.js frameworks tell their figures.

Its limits: no open model, so a stalled server is asked less while it stalls; latencies are whole
milliseconds, rounded down, so that a fast answer takes 0; connections refused, reset and closed are
one kind of error; a request that a closed connection leaves without an answer counts as none. The
body is checked only where a scenario has a single request with a fixed body. Variables are drawn
beforehand: every connection sends the same requests in the same order, over and over. No cookies
are kept. It is written in JavaScript, and often the limit of what it measures.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any

from webdyno.catalog.loads.abilities import Abilities, Figures, OwnTable
from webdyno.catalog.loads.load import Closed, Load
from webdyno.catalog.scenarios.checks import EqualsCheck
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.drawn import DrawnRequest, draw
from webdyno.generators.external import FinishedProgram, run_program, throughput_rps
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.progress import Watch
from webdyno.generators.result import LoadResult
from webdyno.generators.tools import installed
from webdyno.runtime.toolchains import find
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import Latency

ROUNDS = 200
"""How often the requests are drawn beforehand, where they vary."""

_PROGRAM = Path("node_modules", "autocannon", "autocannon.js")
_QUANTILES = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99_9", "max": "max"}


_ROWS = {
    "Latency (ms)": "latency_ms",
    "Req/Sec": "requests_per_s",
    "Bytes/Sec": "bytes_per_s",
}
_COLUMNS = {"avg": "average", "stdev": "stddev", "max": "max"}


def cells(table: Mapping[str, Any]) -> tuple[str | None, ...]:
    """A line of its own table, of what a measurement keeps of it."""
    return tuple(
        f"{table[row][figure]:g}" if figure in table.get(row, {}) else None
        for row in _ROWS.values()
        for figure in _COLUMNS.values()
    )


class Autocannon(GeneratorPlugin):
    """Runs the autocannon that `tools/autocannon/package-lock.json` pins."""

    name = "autocannon"
    abilities = Abilities(
        kinds=("closed",),
        only_status=True,
        figures=Figures(tick_s=1e-3, keeps_cookies=False),
        own_table=OwnTable(
            headings=tuple(f"{row} {column}" for row in _ROWS for column in _COLUMNS),
            published=(
                *("mean", "sd", "max"),
                *("throughput", "throughput_sd", "throughput_max"),
                *("bytes_per_s", "bytes_sd", "bytes_max"),
            ),
            cells=cells,
        ),
    )

    def refuse(self, scenario: ScenarioManifest, load: Load) -> None:
        """Raises `UserError` where `load` of `scenario` needs what autocannon does not have."""
        super().refuse(scenario, load)
        if scenario.cookies if load.cookies is None else load.cookies:
            raise UserError(
                f"autocannon does not keep cookies, which scenario {scenario.name} needs; use "
                "another generator"
            )

    def make_ready(self, folder: Path) -> None:
        """Install it at first use; see `tools.installed`."""
        installed(self.name)

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load; see `Generator.run`. Raises `UserError` for what autocannon cannot do."""
        self.refuse(job.scenario, job.load)
        load = _closed(job)
        program = installed(self.name) / _PROGRAM
        with tempfile.TemporaryDirectory(prefix="webdyno-autocannon-") as folder:
            finished = run_program(
                [find("node").path or "node", str(program), *arguments(job, Path(folder))],
                job,
                Path(folder),
                watch,
                name=self.name,
                timeout_s=ceil(load.duration) + load.timeout + 10,
            )
        return parse(finished, threads=_workers(load) or 1)


def arguments(job: Job, folder: Path) -> list[str]:
    """The command line; requests that it cannot hold go into `folder`, as an HTTP archive (HAR).

    Raises `UserError` where the job needs what autocannon does not have.
    """
    GENERATOR.refuse(job.scenario, job.load)
    load = _closed(job)
    requests = draw(job, ROUNDS)
    origin = f"http://{job.host}:{job.port}"
    argv = [
        "--json",
        "-n",
        "-c",
        str(load.settled_connections),
        "-d",
        str(max(1, ceil(load.duration))),
        "-t",
        str(max(1, ceil(load.timeout))),
    ]
    if workers := _workers(load):
        argv += ["-w", str(workers)]
    if (body := _fixed_body(job)) is not None:
        argv += ["-E", body]
    first = requests[0]
    plain = first.method == "GET" and not first.headers and first.body is None
    if len(requests) == 1 and plain:
        return [*argv, origin + first.path]
    archive = folder / "requests.har"
    archive.write_text(json.dumps(_archive(requests, origin)), encoding="utf-8")
    return [*argv, "--har", str(archive), origin]


def parse(finished: FinishedProgram, threads: int = 1) -> LoadResult:
    """autocannon's figures in the engine's terms, and its own table beside them.

    Raises `GeneratorError` where they are not there.
    """
    data = _json(finished.output)
    latency, timed_out = data["latency"], data["timeouts"]
    wrong_status, failed_check = data["non2xx"], data["mismatches"]
    ok = max(0, data["2xx"] - failed_check)
    reset = data["errors"] - timed_out
    ended = ok + wrong_status + failed_check + reset + timed_out
    sent = max(data["requests"]["sent"], ended)
    counts = RequestCounts(
        offered=sent,
        sent=sent,
        ok=ok,
        wrong_status=wrong_status,
        failed_check=failed_check,
        reset=reset,
        timed_out=timed_out,
        unfinished=sent - ended,
    )
    # With workers, its figures a second are those of one worker.
    table = _table(data) if threads == 1 else None
    return LoadResult(
        elapsed_s=data["duration"],
        throughput_rps=throughput_rps(counts, data["duration"]),
        counts=counts,
        latency_us=_latency_us(latency) if ok else None,
        bytes_received=data["throughput"]["total"],
        generator=finished.spent(threads=threads, table=table),
    )


def _table(data: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The table in which its figures are usually told: over answers, and over whole seconds."""
    rows = {"latency_ms": "latency", "requests_per_s": "requests", "bytes_per_s": "throughput"}
    return {
        row: {figure: data[key][figure] for figure in ("average", "stddev", "max")}
        for row, key in rows.items()
    }


def _latency_us(latency: dict[str, float]) -> Latency:
    figures = {ours: latency[theirs] * 1000.0 for ours, theirs in _QUANTILES.items()}
    figures["mean"] = latency["average"] * 1000.0
    # Its own minimum leaves out the zeros.
    figures["min"] = min(latency["min"], latency["p0_001"]) * 1000.0
    return Latency(**figures)


def _json(output: str) -> dict[str, Any]:
    line = next((line for line in reversed(output.splitlines()) if line.startswith("{")), None)
    try:
        data = json.loads(line or "")
        result: dict[str, Any] = data if "requests" in data and "latency" in data else {}
    except ValueError:
        result = {}
    if not result:
        last = (output.strip().splitlines() or ["nothing"])[-1]
        raise GeneratorError(f"autocannon printed no result; its last line: {last[:200]}")
    return result


def _archive(requests: list[DrawnRequest], origin: str) -> dict[str, Any]:
    return {"log": {"version": "1.2", "entries": [_entry(request, origin) for request in requests]}}


def _entry(request: DrawnRequest, origin: str) -> dict[str, Any]:
    headers = [{"name": name, "value": value} for name, value in request.headers.items()]
    entry: dict[str, Any] = {
        "method": request.method,
        "url": origin + request.path,
        "headers": headers,
    }
    if request.body is not None:
        entry["postData"] = {"text": request.body}
    return {"request": entry}


def _fixed_body(job: Job) -> str | None:
    """The body that every answer must have, where autocannon can check it."""
    if len(job.scenario.requests) != 1:
        return None
    texts = [c.text for c in job.scenario.requests[0].checks if isinstance(c, EqualsCheck)]
    # Its command line takes a number for a number, and a bracket for the start of a list.
    if len(texts) != 1 or "{" in texts[0] or "}" in texts[0] or not texts[0][:1].isalpha():
        return None
    return texts[0]


def _closed(job: Job) -> Closed:
    assert isinstance(job.load, Closed), "others are refused"
    return job.load


def _workers(load: Closed) -> int:
    """Worker threads; 0 for none, since a single one only costs."""
    threads = load.threads or 1
    return min(threads, load.settled_connections) if threads > 1 else 0


GENERATOR = Autocannon()
