"""wrk as a generator: the closed-loop tool most published figures come from.

Its limits: no open model, so a stalled server is asked less while it stalls; no checks, so any
answer counts that has a status below 400, however late; one fixed request, no cookies kept between
answers. Its latencies are corrected for coordinated omission after the fact: for each that is over
twice the mean interval of a connection it adds those of requests that it might have sent meanwhile,
so that they fit neither its rate nor Little's law.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any

from webdyno.catalog.loads.abilities import Abilities, Figures, OwnTable
from webdyno.catalog.loads.load import Closed, Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.external import FinishedProgram, run_program, throughput_rps
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.progress import Watch
from webdyno.generators.result import LoadResult
from webdyno.runtime.programs import NUMBER, Program
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail, Latency

_MARK = "webdyno-json: "
_FIGURE = r"([\d.]+[a-zA-Z]*)"
_LINES = {
    "latency": re.compile(rf"^\s+Latency\s+{_FIGURE}\s+{_FIGURE}\s+{_FIGURE}\s+([\d.]+%)", re.M),
    "thread_rate": re.compile(
        rf"^\s+Req/Sec\s+{_FIGURE}\s+{_FIGURE}\s+{_FIGURE}\s+([\d.]+%)", re.M
    ),
    "total": re.compile(r"^\s+(\d+) requests in (\S+), (\S+) read", re.M),
    "rate": re.compile(r"^Requests/sec:\s+(\S+)", re.M),
    "transfer": re.compile(r"^Transfer/sec:\s+(\S+)", re.M),
}


_PROGRAM = Program(
    "wrk", ("-v",), rf"^wrk (?:debian/)?{NUMBER}", "wrk", "wrk",
    use="a second opinion on the load engine",
)  # fmt: skip


def cells(table: Mapping[str, Any]) -> tuple[str | None, ...]:
    """A line of its own table, of what a measurement keeps of it."""

    def line(name: str, length: int) -> list[str | None]:
        found = table.get(name)
        return [str(cell) for cell in found] if found else [None] * length

    return tuple(
        line("latency", 4) + line("thread_rate", 4) + line("total", 3) + line("timeouts", 1)
        + line("rate", 1) + line("transfer", 1)
    )  # fmt: skip


_FIGURES = ("avg", "stdev", "max", "+/- stdev")
_TABLE = OwnTable(
    headings=(
        *(f"Latency {name}" for name in _FIGURES),
        *(f"Req/Sec of a thread {name}" for name in _FIGURES),
        *("Requests", "in", "Read", "Timeouts", "Requests/sec", "Transfer/sec"),
    ),
    published=(
        *("mean", "sd", "max", "within_sd"),
        *("thread_rate", "thread_rate_sd", "thread_rate_max", "thread_rate_within_sd"),
        *("samples", "duration", "read", "timeouts", "throughput", "bytes_per_s"),
    ),
    cells=cells,
)


class Wrk(GeneratorPlugin):
    """Runs the `wrk` found on PATH."""

    name = "wrk"
    programs = (_PROGRAM,)
    abilities = Abilities(
        kinds=("closed",),
        only_status=True,
        # wrk 4: stats_correct() after the run; a latency above the time-out is a time-out only.
        figures=Figures(keeps_cookies=False, adds_slow=True, drops_late=True),
        own_table=_TABLE,
    )

    def refuse(self, scenario: ScenarioManifest, load: Load) -> None:
        """Raises `UserError` where `load` of `scenario` needs what wrk does not have."""
        super().refuse(scenario, load)
        requests = scenario.requests
        if len(requests) != 1 or requests[0].method != "GET" or requests[0].body:
            raise UserError(
                f"wrk sends one GET; scenario {scenario.name} needs more; use another generator"
            )
        if "{" in requests[0].path.replace("{{", "").replace("}}", ""):
            raise UserError(
                f"wrk sends a fixed path; scenario {scenario.name} draws '{requests[0].path}'; "
                "use another generator"
            )

    def make_ready(self, folder: Path) -> None:
        """Raises `UserError` where wrk is not installed."""
        if shutil.which("wrk") is None:
            raise UserError("wrk is not installed; on Debian or Ubuntu: apt-get install wrk")

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load; see `Generator.run`. Raises `UserError` for what wrk cannot do."""
        with tempfile.TemporaryDirectory(prefix="webdyno-wrk-") as folder:
            script = Path(folder) / "report.lua"
            script.write_bytes(files(__package__).joinpath("wrk_report.lua").read_bytes())
            load = _closed(job.load)
            self.make_ready(Path(folder))
            finished = run_program(
                arguments(job, script),
                job,
                Path(folder),
                watch,
                name=self.name,
                timeout_s=ceil(load.duration) + load.timeout + 10,
            )
        return parse(finished, threads=_threads(load))


def arguments(job: Job, script: Path) -> list[str]:
    """The command line. Raises `UserError` where the job needs what wrk does not have."""
    GENERATOR.refuse(job.scenario, job.load)
    load, request = _closed(job.load), job.scenario.requests[0]
    headers = [part for n, v in request.headers.items() for part in ("-H", f"{n}: {v}")]
    return [
        "wrk",
        f"-t{_threads(load)}",
        f"-c{load.settled_connections}",
        f"-d{max(1, ceil(load.duration))}s",
        "--timeout",
        f"{max(1, ceil(load.timeout))}s",
        "--script",
        str(script),
        *headers,
        f"http://{job.host}:{job.port}{request.path}",
    ]


def parse(finished: FinishedProgram, threads: int = 1) -> LoadResult:
    """wrk's figures in the engine's terms. Raises `GeneratorError` where they are not there."""
    line = next((x for x in finished.output.splitlines() if x.startswith(_MARK)), None)
    if line is None:
        last = (finished.output.strip().splitlines() or ["nothing"])[-1]
        raise GeneratorError(f"wrk printed no result; its last line: {last}")
    data = json.loads(line.removeprefix(_MARK))
    errors = data["errors"]
    answers = data["requests"]
    ok = answers - errors["status"]
    reset = errors["read"] + errors["write"]
    sent = answers + reset
    # What wrk calls a timeout is an answer that came too late: it is among its requests, and so in
    # its rate, but not in its latencies. One that never comes is in none of its figures.
    late = errors["timeout"]
    detail = "answers after the timeout: in wrk's rate, but not in its latencies"
    latency = data["latency_us"] if answers > late else None
    elapsed_s = data["duration_us"] / 1e6
    counts = RequestCounts(
        offered=sent + errors["connect"],
        sent=sent,
        ok=ok,
        wrong_status=errors["status"],
        refused=errors["connect"],
        reset=reset,
    )
    return LoadResult(
        elapsed_s=elapsed_s,
        throughput_rps=throughput_rps(counts, elapsed_s),
        counts=counts,
        latency_us=Latency.model_validate(latency) if latency else None,
        bytes_received=data["bytes"],
        generator=finished.spent(
            threads=threads,
            table={**_table(finished.output), "timeouts": [str(late)]},
        ),
        errors_detail=[ErrorDetail(kind="late", request="", detail=detail, count=late)]
        if late
        else [],
    )


def _table(output: str) -> dict[str, list[str]]:
    """Its own lines, word for word: average, deviation, maximum and the share within a deviation of
    the latency and of a thread's rate; requests, time and bytes in all; rate and bytes a second."""
    found = {name: line.search(output) for name, line in _LINES.items()}
    return {name: list(match.groups()) for name, match in found.items() if match}


def _closed(load: Load) -> Closed:
    assert isinstance(load, Closed), "others are refused"
    return load


def _threads(load: Closed) -> int:
    # wrk refuses more threads than connections.
    return min(load.threads or 1, load.settled_connections)


GENERATOR = Wrk()
