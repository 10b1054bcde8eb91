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
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any

from webdyno.catalog.load import Closed, Load
from webdyno.catalog.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.base import GeneratorError, Job, Watch
from webdyno.generators.external import Finished, result, run_program

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


class Wrk:
    """Runs the `wrk` found on PATH."""

    name = "wrk"

    def run(self, job: Job, watch: Watch | None = None) -> dict[str, Any]:
        """Make the load; see `Generator.run`. Raises `UserError` for what wrk cannot do."""
        look_for()
        with tempfile.TemporaryDirectory(prefix="webdyno-wrk-") as folder:
            script = Path(folder) / "report.lua"
            script.write_bytes(files(__package__).joinpath("wrk_report.lua").read_bytes())
            load = _closed(job.load)
            finished = run_program(
                arguments(job, script),
                job,
                Path(folder),
                watch,
                name=self.name,
                timeout_s=ceil(load.duration) + load.timeout + 10,
            )
        return parse(finished, threads=_threads(load))


def look_for() -> None:
    """Raises `UserError` where wrk is not installed."""
    if shutil.which("wrk") is None:
        raise UserError("wrk is not installed; on Debian or Ubuntu: apt-get install wrk")


def arguments(job: Job, script: Path) -> list[str]:
    """The command line. Raises `UserError` where the job needs what wrk does not have."""
    refuse(job.scenario, job.load)
    load, request = _closed(job.load), job.scenario.requests[0]
    headers = [part for n, v in request.headers.items() for part in ("-H", f"{n}: {v}")]
    return [
        "wrk",
        f"-t{_threads(load)}",
        f"-c{load.made_connections}",
        f"-d{max(1, ceil(load.duration))}s",
        "--timeout",
        f"{max(1, ceil(load.timeout))}s",
        "--script",
        str(script),
        *headers,
        f"http://{job.host}:{job.port}{request.path}",
    ]


def refuse(scenario: ScenarioManifest, load: Load) -> None:
    """Raises `UserError` where `load` of `scenario` needs what wrk does not have."""
    _closed(load)
    requests = scenario.requests
    if len(requests) != 1 or requests[0].method != "GET" or requests[0].body:
        raise UserError(f"wrk sends one GET; scenario {scenario.name} needs more")
    if "{" in requests[0].path.replace("{{", "").replace("}}", ""):
        raise UserError(
            f"wrk sends a fixed path; scenario {scenario.name} draws '{requests[0].path}'"
        )


def parse(finished: Finished, threads: int = 1) -> dict[str, Any]:
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
    made = result(
        finished,
        name="wrk",
        elapsed_s=data["duration_us"] / 1e6,
        counts={
            "offered": sent + errors["connect"],
            "sent": sent,
            "ok": ok,
            "wrong_status": errors["status"],
            "refused": errors["connect"],
            "reset": reset,
        },
        latency_us=data["latency_us"] if answers > late else None,
        bytes_received=data["bytes"],
        threads=threads,
    )
    made["generator"]["table"] = {**_table(finished.output), "timeouts": [str(late)]}
    if late:
        detail = "answers after the time-out: in wrk's rate, but not in its latencies"
        made["errors_detail"] = [{"kind": "late", "request": "", "detail": detail, "count": late}]
    return made


def _table(output: str) -> dict[str, list[str]]:
    """Its own lines, word for word: average, deviation, maximum and the share within a deviation of
    the latency and of a thread's rate; requests, time and bytes in all; rate and bytes a second."""
    found = {name: line.search(output) for name, line in _LINES.items()}
    return {name: list(match.groups()) for name, match in found.items() if match}


def _closed(load: Load) -> Closed:
    if not isinstance(load, Closed):
        raise UserError(f"wrk has the closed load only; load '{load.label()}' is {load.kind}")
    return load


def _threads(load: Closed) -> int:
    # wrk refuses more threads than connections.
    return min(load.threads or 1, load.made_connections)
