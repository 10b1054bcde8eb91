"""The built-in engine as a generator: the specification it is given, its run, its result."""

from __future__ import annotations

import json
from typing import Any

from webdyno._engine import Load as EngineLoad
from webdyno.catalog.load import Closed, Iterations, Load, Open
from webdyno.generators.base import GeneratorError, Job, Progress, Watch

_LOOK_S = 0.1
_CONNECTING_S = 0.001


class Engine:
    """Runs in this process, on threads of its own that hold no lock of Python's."""

    name = "engine"

    def run(self, job: Job, watch: Watch | None = None) -> dict[str, Any]:
        """Make the load; see `Generator.run`. An interrupt ends the load before it propagates."""
        try:
            load = EngineLoad(json.dumps(arguments(job)))
            load.start()
        except (ValueError, OSError, RuntimeError) as error:
            raise GeneratorError(f"engine: {error}") from None
        try:
            while not load.wait(_LOOK_S):
                if watch is not None and watch(parse_progress(load.progress())):
                    load.stop()
        except BaseException:
            load.stop()
            load.wait(5.0)
            raise
        if watch is not None:
            watch(parse_progress(load.progress()))
        return parse(load.result())


class Sliced:
    """A load that is made slice by slice; between two of them it stands still, and its clock."""

    def __init__(self, job: Job) -> None:
        """Read the job. Raises `GeneratorError`."""
        self._started = False
        try:
            self._load = EngineLoad(json.dumps(arguments(job)))
        except (ValueError, OSError) as error:
            raise GeneratorError(f"engine: {error}") from None

    def go_on(self, seconds: float) -> Progress:
        """Load for so long, or to the end of the load; `hold` then lets it stand still.

        The first time it also opens the connections, which does not count.
        """
        if self._started:
            self._load.resume()
        else:
            self._started = True
            try:
                self._load.start()
            except (RuntimeError, OSError) as error:
                raise GeneratorError(f"engine: {error}") from None
            while json.loads(self._load.progress())["phase"] == "connecting":
                self._load.wait(_CONNECTING_S)
        self._load.wait(seconds)
        return parse_progress(self._load.progress())

    def hold(self) -> None:
        """Stand still."""
        self._load.pause()

    def result(self) -> dict[str, Any]:
        """What the whole load yielded, once it has ended. Raises `GeneratorError`."""
        try:
            return parse(self._load.result())
        except RuntimeError as error:
            raise GeneratorError(f"engine: {error}") from None

    def stop(self) -> None:
        """End it, wherever it is."""
        self._load.stop()
        if self._started:
            self._load.wait(5.0)


def arguments(job: Job) -> dict[str, Any]:
    """The engine's specification of `job`."""
    manifest = job.scenario
    variables = {name: v.model_dump() for name, v in manifest.variables.items()}
    for name, override in job.variables.items():
        variables[name] = {**variables.get(name, {}), **override}
    return {
        "target": {"host": job.host, "port": job.port, "host_header": None},
        "load": load_of(job.load),
        "threads": max(1, min(job.load.threads, len(job.cpus) or job.load.threads)),
        "cpus": list(job.cpus),
        "timeout_s": job.load.timeout,
        **({} if job.record is None else {"record": str(job.record)}),
        "seed": job.seed,
        "cookies": manifest.cookies if job.load.cookies is None else job.load.cookies,
        "visits": _visits(job),
        "order": manifest.order,
        "variables": variables,
        "requests": [
            {
                "name": request.name,
                "method": request.method,
                "path": request.path,
                "headers": [[name, value] for name, value in request.headers.items()],
                "body": request.body,
                "checks": [_check(check.model_dump(), job) for check in request.checks],
            }
            for request in manifest.requests
        ],
        "audit": {"samples": job.samples, "max_body_bytes": 256 * 1024},
        "allow_remote": False,
    }


def parse_progress(text: str) -> Progress:
    """Read what the engine says of a load under way."""
    data = json.loads(text)
    ticks = [(float(t), int(ok), int(errors)) for t, ok, errors in data["ticks"]]
    counts = data["counts"]
    errors = sum(counts.get(kind, 0) for kind in ERROR_KINDS)
    return Progress(data["elapsed_s"], counts.get("ok", 0), errors, ticks, data["done"])


ERROR_KINDS = (
    "wrong_status",
    "failed_check",
    "refused",
    "reset",
    "timed_out",
    "malformed",
    "not_sent",
)
"""Counts that are errors; `unfinished` answers were cut off by the end of the load, not failed."""


def parse(text: str) -> dict[str, Any]:
    """Read the engine's result."""
    result: dict[str, Any] = json.loads(text)
    return result


def _visits(job: Job) -> int | None:
    """Where a scenario's users keep cookies and the load's do not, each request is a new user's."""
    return 1 if job.scenario.cookies and job.load.cookies is False else job.load.visits


def load_of(load: Load) -> dict[str, Any]:
    """The load in the engine's terms; a search is none, but each of its steps."""
    if isinstance(load, Closed):
        return {"kind": "closed", "connections": load.connections, "duration_s": load.duration}
    if isinstance(load, Iterations):
        return {"kind": "iterations", "users": load.users, "iterations": load.iterations}
    assert isinstance(load, Open)
    return {
        "kind": "open",
        "phases": [
            {"rate": phase.rate, "to_rate": phase.to_rate, "duration_s": phase.duration_s}
            for phase in load.parsed()
        ],
        "arrivals": load.arrivals,
        "connections": load.connections,
    }


def _check(check: dict[str, Any], job: Job) -> dict[str, Any]:
    if check["kind"] == "lookup":
        check["expected"] = dict(job.lookups.get(check["variable"], check["expected"]))
    return {key: value for key, value in check.items() if value is not None}
