"""What scripts around other tools say of the same pairs in the same time.

One version is measured, then the other. With wrk, three runs of each, and B is slower if the mean
of its throughputs lies 5% below A's. With k6, A's run gives a threshold for B's: p95 and the mean
latency within 5% of A's; k6 itself then fails, or does not.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ab.calibrate import CONNECTIONS
from benchmarks.ab.journal import Journal, Line
from benchmarks.ab.live import ComparisonOptions
from benchmarks.ab.services import Service, environment
from benchmarks.verdicts.neighbour import neighbour
from webdyno.catalog.terms.quantity import duration
from webdyno.errors import UserError

OTHERS = "others"

THRESHOLD = 0.05
"""What such scripts allow, since they were seen to fail by chance with less."""

WRK_RUNS = 3
WARM_UP = 0.1
"""Of each version's time."""

CROSSED = 99
"""What k6 exits with where a threshold was crossed."""

_K6 = """
import http from 'k6/http'

export const options = {
  vus: Number(__ENV.USERS),
  duration: __ENV.TIME,
  thresholds: JSON.parse(__ENV.THRESHOLDS),
  summaryTrendStats: ['avg', 'p(95)'],
}

export default function () {
  http.get(`${__ENV.SERVICE}/items/${1 + Math.floor(Math.random() * 500)}`)
}
"""

_WRK = """
request = function()
  return wrk.format("GET", "/items/" .. math.random(1, 500))
end
"""


@dataclass(frozen=True)
class _Side:
    """One version, loaded by a tool for so many seconds in all."""

    service: Service
    built: Path
    rounds: int
    seconds: float


def compare_others(
    journal: Journal, options: ComparisonOptions, tools: list[str], pairs: int, slower: float,
    rounds: Mapping[str, int],
) -> None:  # fmt: skip
    """`pairs` comparisons a tool and language, of the same and of B slower by `slower`."""
    for tool in tools:
        if shutil.which(tool) is None:
            raise UserError(
                f"{tool} is not on the PATH; benchmarks/README.md says where it is from"
            )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(pairs):
            for language in options.languages:
                built = Path(folder) / language
                for tool in tools:
                    for more in (0.0, slower):
                        where = {"pair": number, "language": language, "tool": tool, "slower": more}
                        if journal.has(OTHERS, **where):
                            continue
                        if not built.exists():
                            Service(language).build(built)
                        work = (Service(language), built, rounds[language] if more else 0)
                        with neighbour(options.share):
                            found = _TOOLS[tool](*work, duration(options.budget) / 2)
                        _tell(journal.add(OTHERS, **where, budget=options.budget, **found))


def _by_wrk(service: Service, built: Path, rounds: int, seconds: float) -> Line:
    rates = [
        _wrk(_Side(service, built, n, seconds))
        for n in (rounds, 0)  # head, then base
    ]
    head, base = (sum(those) / len(those) for those in rates)
    said = "worse" if head < base * (1 - THRESHOLD) else "same"
    if head > base * (1 + THRESHOLD):
        said = "better"
    return {"said": said, "change": head / base - 1, "a": rates[1], "b": rates[0]}


def _wrk(side: _Side) -> list[float]:
    found = []
    with _url(side) as url, tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_WRK)
        script.flush()
        warm_s = max(1, round(side.seconds * WARM_UP))
        each_s = max(1, round((side.seconds - warm_s) / WRK_RUNS))
        for seconds in (warm_s, *[each_s] * WRK_RUNS):
            command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", script.name, url]
            text = _output(command, {})
            rate = re.search(r"^Requests/sec:\s+([\d.]+)", text, re.MULTILINE)
            if rate is None:
                raise UserError(f"wrk said no rate: {text[-300:]}")
            found.append(float(rate[1]))
    return found[1:]


def _by_k6(service: Service, built: Path, rounds: int, seconds: float) -> Line:
    base, _ = _k6(_Side(service, built, 0, seconds), {})
    allowed = {name: base[name] * (1 + THRESHOLD) for name in ("avg", "p(95)")}
    limits = {"http_req_duration": [f"{name}<{most}" for name, most in allowed.items()]}
    head, crossed = _k6(_Side(service, built, rounds, seconds), limits)
    change = head["avg"] / base["avg"] - 1
    return {"said": "worse" if crossed else "same", "change": change, "a": base, "b": head}


def _k6(side: _Side, limits: dict[str, list[str]]) -> tuple[dict[str, float], bool]:
    """Latencies in milliseconds, and whether a threshold was crossed."""
    with _url(side) as url, tempfile.TemporaryDirectory() as folder:
        script, summary = Path(folder) / "script.js", Path(folder) / "summary.json"
        script.write_text(_K6)
        warm_s = max(1.0, side.seconds * WARM_UP)
        for seconds, thresholds in ((warm_s, {}), (side.seconds - warm_s, limits)):
            variables = {
                "SERVICE": url, "USERS": str(CONNECTIONS), "TIME": f"{seconds:.0f}s",
                "THRESHOLDS": json.dumps(thresholds), "K6_NO_USAGE_REPORT": "true",
            }  # fmt: skip
            command = ["k6", "run", "--quiet", f"--summary-export={summary}", str(script)]
            done = _run(command, variables)
            if done.returncode not in (0, CROSSED):
                raise UserError(f"k6 ended with {done.returncode}: {done.stderr[-300:]}")
        latency = json.loads(summary.read_text())["metrics"]["http_req_duration"]
    return {name: float(latency[name]) for name in ("avg", "p(95)")}, done.returncode == CROSSED


@contextlib.contextmanager
def _url(side: _Side) -> Iterator[str]:
    """The address of a version while it runs."""
    with side.service.running(side.built, side.rounds) as (_, port):
        yield f"http://127.0.0.1:{port}"


def _output(command: list[str], variables: dict[str, str]) -> str:
    done = _run(command, variables)
    if done.returncode:
        raise UserError(f"{command[0]} ended with {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


def _run(command: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env={**environment(), **variables}, capture_output=True, text=True
    )


_TOOLS: dict[str, Callable[[Service, Path, int, float], Line]] = {"wrk": _by_wrk, "k6": _by_k6}


def _tell(line: Line) -> None:
    kind = f"{line['slower']:.0%} slower" if line["slower"] else "the same"
    told = f"{line['said']:7} {line['change']:+.1%}"
    print(f"{line['language']:7} {line['tool']:4} {kind:10} {told}", flush=True)
