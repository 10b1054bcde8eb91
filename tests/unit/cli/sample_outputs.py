"""Something of each kind that a command writes as JSON, with the corner cases that its types allow:
figures that are not known, intervals without an end, text that is no ASCII."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from support.engine_output import CLOSED, OPEN, engine_output, parsed_output
from support.searched_trials import a_search
from webdyno.ab.conclusion.about import About
from webdyno.ab.conclusion.answer import ComparisonAnswer
from webdyno.ab.conclusion.answer_differences import AnswersCompared, VersionDifference
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.claims import Claim
from webdyno.ab.conclusion.secondary_figures import SecondaryFigure
from webdyno.ab.git.checkout import Commit
from webdyno.board.matrix import BoardCell, Heading, Matrix, Row
from webdyno.capacity.cost import Bill, Line, Money
from webdyno.capacity.objective import objective
from webdyno.capacity.plan import Demand
from webdyno.capacity.records import Hour, MachineCount, Plan, Rate
from webdyno.capacity.traffic import DayCurve
from webdyno.catalog.loads.load import Objective
from webdyno.check.changes import Changes
from webdyno.check.check_servers import CheckedRow, CheckResult
from webdyno.check.cpu_changes import CpuChange
from webdyno.claims.finding import Finding
from webdyno.cli.hit.options import Options
from webdyno.cli.hit.specification import specification
from webdyno.cluster.load.outcome import LoadOutcome
from webdyno.cluster.merging.validity import Fault
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import LoadSpec, Shape
from webdyno.generators.target import parse
from webdyno.outdated.ecosystem import Package
from webdyno.outdated.survey import RegistryAnswer
from webdyno.run.budget.forecast import Forecast
from webdyno.run.comparison.broken import NotCompared
from webdyno.run.comparison.compare import ComparedRow, Comparison
from webdyno.run.comparison.history_document import History, HistoryChange, PlaceHistory, Point
from webdyno.store.counts import RequestCounts
from webdyno.store.load_machines import AgentRecord, ClockRecord, LinkRecord, RoundTripsRecord
from webdyno.store.search import SearchRecord, SearchStep
from webdyno.verdict.comparison.unpaired import Drift, UnpairedChange

URL = "https://127.0.0.1:8443/café"
NOON = datetime(2026, 1, 2, 12, 0, 0, 250_000, UTC)
CLOCK = ClockRecord(
    offset_s=0.25, wall_offset_s=-0.001, uncertainty_s=1e-4, rtt_min_s=2e-4, rtt_median_s=3e-4,
    samples=40,
)  # fmt: skip


def spec_of(load: Shape) -> LoadSpec:
    made = specification(parse("http://127.0.0.1:8080/hello"), Options())
    return made.model_copy(update={"load": load, "seed": 7})


def load_result() -> LoadResult:
    """Everything that a load can yield."""
    latency = engine_output()["latency_us"]
    tls = {
        "version": "TLS 1.3",
        "cipher_suite": "TLS_AES_256_GCM_SHA384",
        "alpn": "h2",
        "full_handshakes": 64,
        "resumed_handshakes": 1200,
        "failed_handshakes": {"certificate": 1, "protocol": 0, "closed": 2, "unfinished": 0},
        "handshake_us": latency,
        "handshake_cpu_us": 310.0,
    }
    second = {"second": 0, "offered": 101, "sent": 101, "ok": 100, "errors": 1, "bytes": 5_000}
    more = {
        "started_unix_s": NOON.timestamp(),
        "first_byte_us": latency,
        "connect_us": latency,
        "latency_with_lost_us": {"p50": 250.0, "p90": 900.0, "p99": None, "p999": None, "lost": 12},
        "by_request": [{"name": "/hello", "counts": {"sent": 9, "ok": 8}, "latency_us": None}],
        "bytes_sent": 64_000,
        "connections_opened": 64,
        "connections_closed_idle": 2,
        "reset_kept_alive": 1,
        "connections_unsolicited": 1,
        "protocol": "HTTP/2",
        "tls": tls,
        "http2": {"streams": 8, "connections": 64, "goaways": 3, "resent": 1, "resets": 0},
        "websocket": {"upgrades": 64, "failed_upgrades": {"status": 3}, "pings": 4, "closes": 2},
        "series": [second | {"p50_us": 250.0, "p99_us": 5800.5, "max_us": 2_500_000.0}],
        "histograms": {"from_intended": "HISTF", "from_send": "HISTG", "send_lag": "HISTH"},
    }
    held = engine_output(reset=12, timed_out=3)
    held["generator"] |= {
        "cpu_user_s": 0.7, "cpu_system_s": 0.3, "cpu_seconds_by_thread": [1.0], "cpus": [2, 3],
        "late_own": 5,
    }  # fmt: skip
    return parsed_output({**held, **more})


def bare_load_result() -> LoadResult:
    """A load without a right answer, of which little is known."""
    held = engine_output(ok=0, malformed=5)
    none = dict.fromkeys(("latency_us", "latency_from_send_us", "send_lag_us"))
    return parsed_output(
        {**held, **none, "started_unix_s": NOON.timestamp(), "protocol": "WebSocket"}
    )


def load_of_machines(*, lost: bool) -> LoadOutcome:
    there = {"address": "10.0.0.2", "cores": 4, "clock": CLOCK}
    whole = {
        "clock_after": CLOCK, "start_late_s": 0.001, "started_unix_s": NOON.timestamp(),
        "counts": RequestCounts(offered=10, sent=10, ok=10).by_kind(),
        "throughput_rps": 50.0, "cpu_share": 0.25,
        "stolen_share": 0.0, "counters": {"segments_sent": 12}, "turns": 1,
        "rtt_beside": RoundTripsRecord(count=5, median_s=0.001, max_s=0.002),
    }  # fmt: skip
    link = LinkRecord(
        address="10.0.0.2", up_capacity=1e9, down_capacity=0, up=1e6, down=2e6,
        rtt_before_s=0.001, rtt_beside_s=None, resent_share=0.0, resent=0, drops=0,
    )  # fmt: skip
    fault = Fault("10.0.0.3", "dead", "agent 10.0.0.3 was lost; start it again")
    return LoadOutcome(
        None if lost else load_result(),
        "10.0.0.4",
        [AgentRecord(**there) if lost else AgentRecord(**there, **whole)],
        [fault] if lost else [],
        [] if lost else [link],
        {} if lost else {"up": 1e9},
        None,
        0.5,
        0.0002,
    )


def searched() -> tuple[Objective, SearchRecord]:
    load = Objective.model_validate({"kind": "objective", "objective": "p99 < 100ms"})
    step = SearchStep(
        rate_rps=900.0, seconds=2.0, purpose="search", outcome="held", throughput_rps=899.5,
        p50_us=250.0, p99_us=5800.5, quantile_us=5800.5, generator_share=0.25,
    )  # fmt: skip
    return load, a_search(1000.0, "at-least").model_copy(update={"steps": [step]})


def ab_answer(*, running: bool = False) -> ComparisonAnswer:
    about = About(
        "shop", ("main (1f3)", "HEAD «9c2»"), ("1f3", ""), rate="1,200/s", spent_s=61.5,
        evidence="24 trials.", run="run-1", command="webdyno ab main HEAD", started=NOON,
    )  # fmt: skip
    claims = [
        Claim("full", "cpu_us_per_request", "worse", 210.5, 220.25, 0.046, 0.031, math.inf, 12),
        Claim("steady", "p99_us", "open", blocks=3, reason="few", resolves=0.08, more_s=90.0),
        Claim("alone", "p50_us", "unmeasured", request="GET /a", doubt="?", left_out=True),
    ]
    differs = VersionDifference("GET /", "body total", "1", "“2”")
    if running:
        return ComparisonAnswer(About("hit", ("http://a/", "http://b/")), "not settled", "No.", [])
    return ComparisonAnswer(
        about, "worse", "B is slower than A.", claims,
        [SecondaryFigure("peak memory", "bytes", 1e7, None)],
        [BrokenVersion("b", "GET / was answered 500")],
        AnswersCompared(2, [differs], ["header x-id"], must_match=True),
        ["what has to be known"],
    )  # fmt: skip


def comparison() -> Comparison:
    run: Any = SimpleNamespace
    change = UnpairedChange(0.87, 0.84, math.inf, 0.03)
    rows = [
        ComparedRow("go/gin", "json", "c64", "throughput_rps", 1e4, 8700.0, change, (6, 5), "café"),
        ComparedRow("go/chi", "json", "c64", "p99_us", math.nan, 5.5, None, (1, 1), unsure="few"),
    ]
    refused = [NotCompared("node/http", "json", "c64", "bad", broken=True)]
    return Comparison(
        run(id="old"), run(id="new"), rows, refused, Drift(0.02, 0.001, 5.0), 0.95, 0.03,
        ["other kernel"],
    )  # fmt: skip


def history() -> History:
    points = [Point("run-0", NOON, 100.5, 3, "abc", modified=True), Point("run-1", NOON, None, 0)]
    change = HistoryChange(
        "run-1", 1, 0.9, False, "node 20 → 22", 0.85, 0.95, "run-0", "run-1", ("abc", "")
    )
    return History(
        "mine", "throughput_rps", ["run-0", "run-1"],
        [PlaceHistory("go/gin", "json", "c64", points, [change])],
        ["run-9: other machine"], calibrated=True, reference="go/chi", gaps=["a gap"],
    )  # fmt: skip


def board() -> Matrix:
    placed = BoardCell(
        "placed", "", 1, 2, 9, 1.25, 1.0, math.inf, 12_000.5, True, NOON, 3, "board-json-1"
    )
    return Matrix(
        [Heading("json", "rust/axum", ("postgresql",), 4)],
        [Row("go/gin", "go", "Gin", "threads", {"json": placed, "page": BoardCell("open", "né")})],
        0.95,
    )


def checked() -> CheckResult:
    here = Path("/here")
    changes = Changes(here, Commit(here / ".git", "0123456789abcdef", ""), "main", ())
    cpu = CpuChange("worse", 30.1, 33.5, 0.11, 0.06, 0.16)
    rows = [
        CheckedRow("a/two", "json", "its own files", "proven", cpu=cpu),
        CheckedRow("a/one", "", "its own files", "skipped", "no café", beside="new"),
    ]
    return CheckResult(
        changes, 0.95, 0.05, rows, ["a/gone"], {"a/two": ("hello", "page")}, ["check-1"]
    )


def plans() -> tuple[Demand, list[Plan], list[Bill]]:
    demand = Demand(25e6, DayCurve.of_the_rule(), objective("p99 < 100ms, errors < 0.1%"), 0.3)
    some, open_ = MachineCount(3, 2, 4), MachineCount(3, 2, math.inf, at_most=True)
    rate, least = Rate(400.5, 390.0, 410.25), Rate(400.0, 380.0, math.inf)
    whole = Plan(
        "go/gin", "json", "c64", 3, rate, some, least, open_, 0.001, "né", rate,
        (Hour(1000.0, 0.75, 0.05),), True, 0.01,
    )  # fmt: skip
    bare = Plan("go/chi", "json", "c64", 1, Rate(9.0), MachineCount(None), None, some, 0.0)
    money = Money(219.0, 146.0, math.inf, at_most=True)
    lines = (
        Line("go/gin", rate, open_, money, 0.25, 0.1, None),
        Line("go/chi", Rate(0.0), MachineCount(None), None, reason="no rate meets it"),
    )
    return demand, [whole, bare], [Bill("json", "c64", "p99 < 100ms", lines)]


FINDINGS = [
    Finding("littles-law", "contradicts", "certain", "1000/s × 40ms is 40.", "one", ("a",)),
    Finding("size", "untold", "possible", "It does not say."),
]
ANSWERS = [
    RegistryAnswer("go/gin", [Package("gin", "1.0.0", "1.0.0", "1.1.0")]),
    RegistryAnswer("php/laravel", unanswered=["composer is not installed"]),
]
FORECAST = Forecast(0.012, 3, 4.2, {0.1: 4.5, 0.05: None})
SHAPES = {"closed": CLOSED, "open": OPEN}
