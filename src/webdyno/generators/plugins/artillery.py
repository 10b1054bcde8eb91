"""Artillery as a generator: the open-model tool in which spikes of arrivals are often told.

Its limits: arrivals are evenly spaced; each is a user of its own on a connection of its own;
latencies run from the actual send, in whole or tenth milliseconds; it tells figures for windows of
ten seconds, so there is no course by the second; the body is not checked, only the status; cookies
live as long as a user, who makes the scenario's requests once. It is written in JavaScript and asks
a core for some hundreds of arrivals a second; when it cannot keep up, arrivals come late without a
word. What it has created by the end of each window is therefore compared with its schedule: see
`behind_share`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from webdyno.catalog.loads.abilities import Abilities
from webdyno.catalog.loads.load import Load, Open
from webdyno.catalog.scenarios.checks import StatusCheck
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.terms.quantity import Phase
from webdyno.errors import UserError
from webdyno.generators.drawn import draw
from webdyno.generators.external import FinishedProgram, run_program, throughput_rps
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.progress import Watch
from webdyno.generators.result import LoadResult
from webdyno.generators.tools import installed
from webdyno.runtime.toolchains import find
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail, Latency

ROUNDS = 1000
"""How often the requests are drawn beforehand, where they vary."""

INSTALL_ENV = {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1", "PUPPETEER_SKIP_DOWNLOAD": "1"}
"""Artillery brings a browser driver, which would download browsers; HTTP needs none."""

_PROGRAM = Path("node_modules", "artillery", "bin", "run")
_WINDOW_MS = 10_000
_START_S = 30.0
_QUANTILES = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p999", "max": "max"}
_REFUSED = ("ECONNREFUSED",)
_TIMED_OUT = ("ETIMEDOUT", "ESOCKETTIMEDOUT", "ERR_TIMEOUT")


class Artillery(GeneratorPlugin):
    """Runs the Artillery that `tools/artillery/package-lock.json` pins."""

    name = "artillery"
    abilities = Abilities(kinds=("open",), only_status=True)

    def refuse(self, scenario: ScenarioManifest, load: Load) -> None:
        """Raises `UserError` where `load` asks for arrivals at random: Artillery has them in phases
        of one whole rate only, and nobody knows beforehand how many they are, so that the ones it
        leaves out could not be told from those that were never due."""
        super().refuse(scenario, load)
        if isinstance(load, Open) and load.arrivals != "uniform":
            raise UserError(
                f"artillery spaces arrivals evenly; load '{load.label()}' has "
                f"arrivals = '{load.arrivals}'; set it to 'uniform', or choose another generator"
            )

    def make_ready(self, folder: Path) -> None:
        """Install it at first use; see `tools.installed`."""
        installed(self.name, env=INSTALL_ENV)

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load; see `Generator.run`. Raises `UserError` for what Artillery cannot do."""
        self.refuse(job.scenario, job.load)
        load = _open(job)
        program = installed(self.name, env=INSTALL_ENV) / _PROGRAM
        with tempfile.TemporaryDirectory(prefix="webdyno-artillery-") as name:
            folder = Path(name)
            (folder / "script.json").write_text(json.dumps(script(job)), encoding="utf-8")
            out = folder / "result.json"
            workers = max(1, min(load.threads or 1, len(job.cpus) or 1))
            finished = run_program(
                [
                    find("node").path or "node",
                    str(program),
                    "run",
                    "--quiet",
                    "--output",
                    str(out),
                    "script.json",
                ],
                job,
                folder,
                watch,
                name=self.name,
                timeout_s=2 * (load.seconds() or 0.0) + load.timeout + _START_S,
                env={
                    "ARTILLERY_DISABLE_TELEMETRY": "true",
                    "WORKERS": str(workers),
                    "NO_UPDATE_NOTIFIER": "1",
                    "HOME": str(folder),
                },
            )
            text = out.read_text(encoding="utf-8") if out.is_file() else ""
        return parse(finished, text, job, threads=workers)


def script(job: Job) -> dict[str, Any]:
    """Artillery's test script of `job`. Raises `UserError` for what it cannot hold."""
    GENERATOR.refuse(job.scenario, job.load)
    load = _open(job)
    requests = draw(job, ROUNDS)
    names = list(dict.fromkeys(request.name for request in requests))
    by_name = {name: [r for r in requests if r.name == name] for name in names}
    variables: dict[str, list[str]] = {}
    flow: list[dict[str, Any]] = []
    for place, (name, drawn) in enumerate(by_name.items()):
        first = drawn[0]
        if any((r.headers, r.body) != (first.headers, first.body) for r in drawn):
            raise UserError(
                f"artillery: only a request's path may vary; request '{name}' varies more; "
                "use another generator"
            )
        paths = list(dict.fromkeys(r.path for r in drawn))
        variable = f"path{place}"
        url = paths[0] if len(paths) == 1 else f"{{{{ {variable} }}}}"
        if len(paths) > 1:
            variables[variable] = paths
        step: dict[str, Any] = {"url": url}
        if first.headers:
            step["headers"] = dict(first.headers)
        if first.body is not None:
            step["body"] = first.body
        flow.append({first.method.lower(): step})
    return {
        "config": {
            "target": f"http://{job.host}:{job.port}",
            "http": {"timeout": max(1, ceil(load.timeout))},
            "phases": [_phase(phase) for phase in load.parsed()],
            "variables": variables,
        },
        "scenarios": [{"flow": flow}],
    }


def parse(finished: FinishedProgram, text: str, job: Job, threads: int = 1) -> LoadResult:
    """Artillery's figures in the engine's terms. Raises `GeneratorError` where there are none."""
    data = _json(text, finished.output)
    counters: dict[str, int] = data["aggregate"].get("counters", {})
    codes = {int(k.rpartition(".")[2]): n for k, n in counters.items() if k.startswith("http.code")}
    right = _statuses(job)
    errors = {k.removeprefix("errors."): n for k, n in counters.items() if k.startswith("errors.")}
    refused = sum(n for name, n in errors.items() if name in _REFUSED)
    timed_out = sum(n for name, n in errors.items() if name in _TIMED_OUT)
    reset = sum(errors.values()) - refused - timed_out
    ok = sum(n for code, n in codes.items() if code in right)
    requests = counters.get("http.requests", 0)
    steps = len(job.scenario.requests)
    planned = round(sum(phase.requests for phase in _open(job).parsed()))
    # A user whose request fails goes no further; what he did not ask for was not sent.
    offered = max(planned * steps, requests)
    ended = sum(codes.values()) + timed_out + reset
    sent = max(requests - refused, ended)
    elapsed = _elapsed_s(data, job)
    latency = data["aggregate"].get("summaries", {}).get("http.response_time")
    counts = RequestCounts(
        offered=max(offered, sent + refused),
        sent=sent,
        ok=ok,
        wrong_status=sum(codes.values()) - ok,
        refused=refused,
        reset=reset,
        timed_out=timed_out,
        not_sent=max(0, offered - sent - refused),
        unfinished=sent - ended,
    )
    return LoadResult(
        elapsed_s=elapsed,
        throughput_rps=throughput_rps(counts, elapsed),
        counts=counts,
        latency_us=_latency_us(latency) if latency and ok else None,
        bytes_received=counters.get("http.downloaded_bytes", 0),
        generator=finished.spent(
            threads=threads,
            span=_span(data, elapsed),
            behind_share=behind_share(data, _open(job)),
        ),
        errors_detail=[ErrorDetail(kind=kind, count=n) for kind, n in sorted(errors.items())],
    )


def behind_share(data: Mapping[str, Any], load: Open) -> float:
    """The largest part of all arrivals by which Artillery was behind its schedule, at the end of
    one of its windows."""
    phases = load.parsed()
    begin = data["aggregate"].get("firstCounterAt")
    total = sum(phase.requests for phase in phases)
    if begin is None or not total:
        return 1.0 if total else 0.0
    created, worst = 0, 0.0
    for window in sorted(data["intermediate"], key=lambda one: int(one["period"])):
        created += window["counters"].get("vusers.created", 0)
        at_s = (int(window["period"]) + _WINDOW_MS - begin) / 1000
        worst = max(worst, (_due(phases, at_s) - created) / total)
    return round(worst, 4)


def _due(phases: Sequence[Phase], at_s: float) -> float:
    """Arrivals that the schedule has made by `at_s`."""
    due = 0.0
    for phase in phases:
        part = max(0.0, min(at_s, phase.duration_s))
        reached_rps = phase.rps + (phase.last_rps - phase.rps) * (part / phase.duration_s)
        due += (phase.rps + reached_rps) / 2 * part
        at_s -= phase.duration_s
    return due


def _phase(phase: Phase) -> dict[str, Any]:
    """A phase of its script, in which rates are whole; another one is given as its arrivals."""
    if phase.to_rps is not None:
        first, last = max(1, round(phase.rps)), max(1, round(phase.to_rps))
        return {"duration": phase.duration_s, "arrivalRate": first, "rampTo": last}
    if phase.rps == round(phase.rps):
        return {"duration": phase.duration_s, "arrivalRate": round(phase.rps)}
    return {"duration": phase.duration_s, "arrivalCount": max(1, round(phase.requests))}


def _statuses(job: Job) -> set[int]:
    checks = [check for request in job.scenario.requests for check in request.checks]
    return {check.equals for check in checks if isinstance(check, StatusCheck)} or {200}


def _elapsed_s(data: Mapping[str, Any], job: Job) -> float:
    """From the first arrival to the end of the schedule, or to the last event if that is later."""
    aggregate = data["aggregate"]
    seen = (aggregate.get("lastCounterAt", 0) - aggregate.get("firstCounterAt", 0)) / 1000
    return float(max(seen, _open(job).seconds() or 0.0, 1e-3))


def _span(data: Mapping[str, Any], elapsed_s: float) -> tuple[float, float] | None:
    """When the load began and ended, in seconds since 1970; None where nothing was counted."""
    first = data["aggregate"].get("firstCounterAt")
    return (first / 1000, first / 1000 + elapsed_s) if first else None


def _latency_us(latency: Mapping[str, float]) -> Latency:
    figures = {ours: latency[theirs] * 1000.0 for ours, theirs in _QUANTILES.items()}
    # Its quantiles are those of a sketch, to 1%, and may exceed the exact maximum.
    for name in ("p50", "p90", "p99", "p999"):
        figures[name] = min(figures[name], figures["max"])
    return Latency(**figures, mean=latency["mean"] * 1000.0, min=latency["min"] * 1000.0)


def _json(text: str, output: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
        result: dict[str, Any] = data if "aggregate" in data and "intermediate" in data else {}
    except ValueError:
        result = {}
    if not result:
        last = (output.strip().splitlines() or ["nothing"])[-1]
        raise GeneratorError(f"artillery wrote no result; its last line: {last[:200]}")
    return result


def _open(job: Job) -> Open:
    assert isinstance(job.load, Open), "others are refused"
    return job.load


GENERATOR = Artillery()
