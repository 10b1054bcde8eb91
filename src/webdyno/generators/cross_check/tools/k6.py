"""k6."""

from __future__ import annotations

import json
from typing import Any

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of

_SCRIPT = """
import http from 'k6/http';
export const options = OPTIONS;
export default () => { http.get('URL'); };
export const handleSummary = data => ({stdout: JSON.stringify(data)});
"""


class K6:
    """https://k6.io. Its open load is evenly spaced only; a user who is not free is dropped."""

    name = "k6"
    pinned = "1.8.1"
    install = "go install go.k6.io/k6@v1.8.1"

    def version(self) -> str | None:
        return version_of("k6", "version")

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return _command(
            port, {"executor": "constant-vus", "vus": connections, "duration": f"{seconds}s"}
        )

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        if arrivals != "uniform":
            return None
        scenario = {
            "executor": "constant-arrival-rate",
            "rate": rate,
            "timeUnit": "1s",
            "duration": f"{seconds}s",
            # One connection each; more would be started as they are missed, and change the load.
            "preAllocatedVUs": connections,
        }
        return _command(port, scenario)

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
        metrics = result["metrics"]
        took = metrics["http_req_duration"]["values"]
        names = {0.5: "med", 0.95: "p(95)", 0.99: "p(99)", 0.999: "p(99.9)"}
        requests = metrics["http_reqs"]["values"]["count"]
        failed = metrics["http_req_failed"]["values"]["passes"]
        elapsed_s = result["state"]["testRunDurationMs"] / 1000
        quantiles = {share: took[name] for share, name in names.items()}
        return ToolResult(requests - failed, elapsed_s, quantiles)


def _command(port: int, scenario: dict[str, Any]) -> Command:
    options = {
        "discardResponseBodies": True,
        "summaryTrendStats": ["med", "p(95)", "p(99)", "p(99.9)"],
        "scenarios": {"load": scenario},
    }
    script = _SCRIPT.replace("OPTIONS", json.dumps(options)).replace("URL", url(port))
    return Command(["k6", "run", "--quiet", "--no-usage-report", "-"], script)


TOOL = K6()
