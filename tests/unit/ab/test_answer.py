"""From trials to the answer: its words, its exit code, and what is written for others."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

from support.synthetic_trial import Server, drawn_trial
from webdyno.ab import formats
from webdyno.ab.answer import About, ComparisonAnswer, answer_of, conclude
from webdyno.ab.answers import AnswersCompared, VersionDifference
from webdyno.ab.claims import BrokenVersion, Claim
from webdyno.ab.pairing import Pairing, confidences, pairing
from webdyno.ab.show import show
from webdyno.ab.versions import Version
from webdyno.ab.words import spent, waited
from webdyno.catalog import Catalog
from webdyno.catalog.description import Description
from webdyno.run.blocks import conclude as judged
from webdyno.store.measurement import RequestRecord
from webdyno.store.records import RunRecord, ScalingRecord, Skipped

STARTED = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
SHOP = Server("shop/a", 10_000, 900, 0.3, 80.0, 60, 4, 0.2, 1.0)


@pytest.fixture
def pair(tmp_path: Path) -> Pairing:
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /"], "run": {"command": "./shop"}}
    )
    folder = tmp_path / "shop"
    folder.mkdir()
    versions = Version("a", "main (1f3)", folder, "1f3"), Version("b", "HEAD (9c2)", folder, "9c2")
    return pairing(description, versions, Catalog(), tmp_path)


def run_of(pair: Pairing, blocks: int, *, slower: float = 0.0, again: float = 0.0) -> RunRecord:
    """A run in which B is slower by that share, and A's control differs from A by another."""
    random = np.random.default_rng(5)
    entries = [
        (SHOP, False),
        (_slower(SHOP, "shop/b", slower), False),
        (_slower(SHOP, "shop/a", again), True),
    ]
    trials, clock = [], STARTED
    for block in range(blocks):
        for load in ("full", "steady"):
            for server, control in entries:
                made = drawn_trial(
                    random, server, control, "requests", load, block, 0, clock, 2, len(trials)
                )
                clock = made.finished + timedelta(seconds=0.2)
                trials.append(made)
    run = RunRecord(
        id="20260504-093000-ab",
        study=pair.study.model_dump(mode="json"),
        command="webdyno ab main HEAD",
        started=STARTED,
        status="finished",
        trials=trials,
        scalings=[
            ScalingRecord(
                scenario="requests",
                load="steady",
                rate_factor=0.005,
                time_factor=1.0,
                asked=["1000000/s:3s"],
                given=["5000/s:3s"],
            )
        ],
        planned_blocks=12,
        folder="runs/20260504-093000-ab",
    )
    judged(pair.study, run)
    return run


def _slower(server: Server, name: str, by: float) -> Server:
    figures = server.rps / (1 + by), server.p50_us * (1 + by), server.tail, server.cpu_us * (1 + by)
    return Server(name, *figures, server.memory_mb, server.threads, server.start_s, server.build_s)


def test_a_slower_version_is_told_with_its_interval(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 6, slower=0.10), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("worse", 1)
    assert found.headline.startswith("B is slower than A by ")
    assert "in CPU per request" in found.headline
    cpu = next(claim for claim in found.claims if claim.metric == "cpu_us_per_request")
    assert cpu.change == pytest.approx(0.10, abs=0.04)
    assert cpu.low is not None
    assert cpu.high is not None
    assert 0 < cpu.low < cpu.change < cpu.high
    throughput = next(claim for claim in found.claims if claim.metric == "throughput_rps")
    assert throughput.outcome == "worse"
    assert throughput.change == pytest.approx(-0.09, abs=0.03)


def test_a_faster_version_is_no_worse(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 6, slower=-0.15), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("no worse", 0)
    assert found.headline.startswith("B is faster than A by ")


def test_the_same_is_said_to_be_the_same(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 40), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("no worse", 0)
    assert found.headline.startswith("No difference of 3% or more in ")
    assert found.headline.endswith("; one would have been seen.")


def test_too_little_is_not_settled_and_says_what_it_takes(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 4), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("not settled", 3)
    assert "this machine resolves" in found.headline
    assert found.headline.endswith("more for 3%.")
    few = answer_of(pair, run_of(pair, 2), AnswersCompared(1))
    assert few.exit_code == 3
    assert "2 of the 3 blocks" in few.headline
    assert few.headline.endswith(" more for them.")


def test_a_machine_that_tells_a_from_itself_settles_nothing(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 8, slower=0.10, again=0.10), AnswersCompared(1))
    assert found.exit_code == 3
    assert "A differs from itself" in found.headline


def without_control(run: RunRecord, pair: Pairing, blocks: int) -> RunRecord:
    """The run with only so many trials of the control under each load."""
    kept = [trial for trial in run.trials if not trial.control or trial.block < blocks]
    run = run.model_copy(update={"trials": kept, "verdicts": []})
    judged(pair.study, run)
    return run


@pytest.mark.parametrize(("blocks", "slower", "code"), [(3, 0.20, 1), (6, -0.20, 0), (40, 0.0, 0)])
def test_nothing_is_settled_without_the_control(
    pair: Pairing, blocks: int, slower: float, code: int
) -> None:
    run = run_of(pair, blocks, slower=slower)
    assert answer_of(pair, run, AnswersCompared(1)).exit_code == code
    for made, why in ((0, "no time was left for it"), (1, "only 1 of its trials")):
        found = answer_of(pair, without_control(run, pair, made), AnswersCompared(1))
        assert found.exit_code == 3
        assert f"the control (A against itself) is missing: {why}" in found.headline
        assert {claim.outcome for claim in found.claims} == {"open"}


def test_a_machine_that_differs_by_more_than_the_margin_shows_no_sameness(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 40, again=0.06), AnswersCompared(1))
    assert found.exit_code == 3
    assert "A differs from itself by" in found.headline
    # What differs from itself by next to nothing hides no difference of 3%.
    slight = answer_of(pair, run_of(pair, 190, again=0.006), AnswersCompared(1))
    control = {one.metric: one.control for one in run_of(pair, 190, again=0.006).verdicts}
    assert any(one is not None and not one.low <= 1 <= one.high for one in control.values())
    assert slight.exit_code == 0


def limited(pair: Pairing, by: str, share: float = 1.0) -> ComparisonAnswer:
    """What is said where that limited so many of the trials under the full load."""
    run = run_of(pair, 6, slower=0.10)
    full = [place for place, trial in enumerate(run.trials) if trial.load == "full"]
    for place in full[: round(share * len(full))]:
        run.trials[place] = run.trials[place].model_copy(update={"bottleneck": by})
    judged(pair.study, run)
    return answer_of(pair, run, AnswersCompared(1))


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("waiting", "the service waited (for a lock, a pool, a database or a clock)"),
        ("service-bound", "the database was the limit"),
        ("machine-noise", "other programs used the CPU"),
    ],
)
def test_what_limits_the_full_load_is_told_apart(pair: Pairing, by: str, said: str) -> None:
    notes = limited(pair, by).notes
    assert [said in note for note in notes].count(True) == 1
    # Of each sort only what it was.
    assert sum("under full load" in note or "used the CPU" in note for note in notes) == 1
    assert not any(said in note for note in limited(pair, by, share=0.3).notes)
    assert not any(said in note for note in limited(pair, "server-bound").notes)


def test_what_the_generator_limits_is_not_compared_but_the_cpu_at_a_rate_is(pair: Pairing) -> None:
    found = limited(pair, "generator-bound")
    full = {claim.metric: claim for claim in found.claims if claim.load == "full"}
    assert {claim.outcome for claim in full.values()} == {"unmeasured"}
    assert "generator-bound in 6 of 6 trials" in full["throughput_rps"].reason
    assert found.exit_code == 1
    assert "in CPU per request at 5,000/s" in found.headline
    assert any("not compared: A: generator-bound" in note for note in found.notes)


def test_nothing_measured_is_told_without_a_table(pair: Pairing) -> None:
    run = run_of(pair, 3).model_copy(update={"trials": [], "verdicts": []})
    found = answer_of(pair, run, AnswersCompared(0), [BrokenVersion("b", "it does not start")])
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    show(found, console=console)
    assert console.export_text().splitlines()[3:] == [
        "B fails verification: it does not start",
        "Nothing was measured.",
        "run 20260504-093000-ab",
    ]


def test_a_b_that_fails_is_worse(pair: Pairing) -> None:
    run = run_of(pair, 3)
    bad = [
        trial.model_copy(update={"status": "failed", "reason": "wrong answers under load"})
        if trial.server == "shop/b"
        else trial
        for trial in run.trials
    ]
    run = run.model_copy(update={"trials": bad})
    judged(pair.study, run)
    found = answer_of(pair, run, AnswersCompared(1))
    assert found.exit_code == 1
    assert found.headline == "B fails verification: wrong answers under load"
    unbuilt = RunRecord(
        id="x", study=run.study, command="", started=STARTED,
        skipped=[Skipped(server="shop/b", reason="'npm ci' ended with 1")],
    )  # fmt: skip
    assert "'npm ci' ended with 1" in answer_of(pair, unbuilt, AnswersCompared(0)).headline


def test_one_trial_that_could_not_be_made_is_not_held_against_a_version(pair: Pairing) -> None:
    for blocks, errors, code in ((1, 1, 3), (1, 2, 1), (3, 1, 3)):
        run = run_of(pair, blocks)
        of_b = [place for place, trial in enumerate(run.trials) if trial.server == "shop/b"]
        for place in of_b[:errors]:
            bad = {"status": "error", "reason": "the machine slept"}
            run.trials[place] = run.trials[place].model_copy(update=bad)
        judged(pair.study, run)
        found = answer_of(pair, run, AnswersCompared(1))
        assert found.exit_code == code, found.headline
        assert ("B fails verification" in found.headline) == (code == 1)


def claim(outcome: str, metric: str = "cpu_us_per_request", load: str = "full") -> Claim:
    return Claim(load, metric, outcome, 1.0, 1.1, 0.1, 0.05, 0.15, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ([claim("same"), claim("worse", "p99_us", "steady")], 1),
        ([claim("same"), claim("open", "p99_us", "steady")], 0),
        ([claim("same"), claim("open", "throughput_rps")], 3),
        ([claim("better"), claim("worse", "throughput_rps")], 1),
        ([claim("same"), claim("unmeasured", load="steady")], 0),
        ([claim("unmeasured"), claim("unmeasured", "p99_us", "steady")], 3),
        ([], 3),
    ],
)
def test_exit_codes(claims: list[Claim], code: int) -> None:
    about = About("shop", ("main", "HEAD"), rate="500/s")
    assert conclude(about, claims, [], AnswersCompared(1), [], []).exit_code == code


def differing(pair: Pairing) -> ComparisonAnswer:
    compared = AnswersCompared(
        1, [VersionDifference("GET /", "body total", "1|2", "<b>")], ["header x-id"]
    )
    return answer_of(pair, run_of(pair, 6, slower=0.10), compared)


def test_the_terminal_tells_differing_answers_first(pair: Pairing) -> None:
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    show(differing(pair), "report.html", console)
    shown = console.export_text()
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.index("The answers differ in 1 place:") < shown.index("B is slower than A")
    assert "A  main (1f3)" in shown
    assert "header x-id" in shown


def test_markdown_is_a_comment(pair: Pairing) -> None:
    text = formats.markdown(differing(pair))
    assert text.startswith("### ❌ shop: B is slower than A by ")
    assert "A = `main (1f3)`, B = `HEAD (9c2)`" in text
    assert "1\\|2 in A, &lt;b>" in text
    row = next(line for line in text.splitlines() if line.startswith("| CPU per request |"))
    assert row.count("|") == 6
    assert "slower" in row


def test_junit_has_a_case_a_claim(pair: Pairing) -> None:
    suite = ElementTree.fromstring(formats.junit(differing(pair)))
    cases = {case.get("name", ""): case for case in suite.findall("testcase")}
    assert suite.get("tests") == str(len(cases)) == "6"
    assert cases["CPU per request"].find("failure") is not None
    assert "CPU per request at 5,000/s" in cases
    assert cases["does its work"].find("failure") is None
    assert suite.get("failures") == str(len(suite.findall(".//failure")))
    unsettled = answer_of(pair, run_of(pair, 4), AnswersCompared(1))
    suite = ElementTree.fromstring(formats.junit(unsettled))
    assert int(suite.get("skipped", "0")) >= 1
    assert suite.get("failures") == "0"


def test_json_holds_it_all(pair: Pairing) -> None:
    held = json.loads(formats.dumps(differing(pair)))
    assert (held["outcome"], held["exit_code"]) == ("worse", 1)
    assert held["versions"]["b"] == {"told": "HEAD (9c2)", "commit": "9c2"}
    assert held["answers"]["differences"][0]["what"] == "body total"
    assert {claim["load"] for claim in held["claims"]} == {"full", "steady"}
    assert held["claims"][0]["change"] == pytest.approx(0.1, abs=0.04)


def test_a_broken_b_leaves_no_doubt_in_any_format() -> None:
    about = About("shop", ("main", "HEAD"))
    found = conclude(
        about, [], [BrokenVersion("b", "GET / was answered 500")], AnswersCompared(0), [], []
    )
    assert found.exit_code == 1
    assert "GET / was answered 500" in formats.markdown(found)
    suite = ElementTree.fromstring(formats.junit(found))
    assert suite.get("failures") == "1"


@pytest.fixture
def routes(tmp_path: Path) -> Pairing:
    """As `pair`, with three requests."""
    asked = ["3 GET /", "GET /items", "GET /about"]
    description = Description.model_validate(
        {"name": "shop", "requests": asked, "run": {"command": "./shop"}, "budget": "10m"}
    )
    folder = tmp_path / "shop"
    folder.mkdir()
    versions = Version("a", "main", folder), Version("b", "HEAD", folder)
    return pairing(description, versions, Catalog(), tmp_path)


def run_of_routes(pair: Pairing, blocks: int, slower: dict[str, float]) -> RunRecord:
    """A run in which the whole is as fast, and in B some requests alone are slower."""
    random = np.random.default_rng(7)
    run = run_of(pair, blocks)
    for made in [trial for trial in run.trials if trial.load == "steady"]:
        assert made.measurement is not None
        latency = made.measurement.latency_us
        assert latency is not None
        by_request = []
        for request in pair.description.templates():
            by = slower.get(request.name, 0.0) if made.server == "shop/b" else 0.0
            p50 = 500 * (1 + by) * float(random.normal(1, 0.01))
            one = latency.model_copy(update={"p50": p50})
            by_request.append(RequestRecord(name=request.name, counts={"ok": 9}, latency_us=one))
        measured = made.measurement.model_copy(update={"by_request": by_request})
        run.trials.append(
            made.model_copy(
                update={"load": "alone", "measurement": measured, "index": len(run.trials)}
            )
        )
    judged(pair.study, run)
    return run


def test_a_request_that_got_slower_is_seen_where_the_whole_did_not(routes: Pairing) -> None:
    found = answer_of(routes, run_of_routes(routes, 30, {"GET /items": 0.2}), AnswersCompared(1))
    assert found.exit_code == 1
    assert found.headline.startswith("B is slower than A by ")
    assert found.headline.endswith("in latency of GET /items.")
    alone = {claim.request: claim for claim in found.claims if claim.request}
    assert {name: one.outcome for name, one in alone.items()} == {
        "GET /": "same", "GET /items": "worse", "GET /about": "same",
    }  # fmt: skip
    assert alone["GET /items"].change == pytest.approx(0.2, abs=0.03)
    held = json.loads(formats.dumps(found))
    assert [one["request"] for one in held["claims"]][-3:] == ["GET /", "GET /items", "GET /about"]
    assert "| latency of GET /items |" in formats.markdown(found)


def test_with_little_time_it_says_how_each_request_gets_a_verdict(routes: Pairing) -> None:
    hint = "for a verdict on each request, give --budget 10m or --load full,steady,alone"
    for budget, told in ((300.0, True), (600.0, False)):
        description = routes.description.model_copy(update={"budget": budget})
        pair = replace(routes, description=description)
        found = answer_of(pair, run_of(pair, 3), AnswersCompared(1))
        assert (hint in found.notes) is told


def test_requests_alone_are_not_waited_for(routes: Pairing) -> None:
    run = run_of_routes(routes, 40, {})
    few = [trial for trial in run.trials if trial.load != "alone" or trial.block < 3]
    run = run.model_copy(update={"trials": few})
    judged(routes.study, run)
    found = answer_of(routes, run, AnswersCompared(1))
    assert found.exit_code == 0
    assert any("of 3 requests is not settled" in note for note in found.notes)
    suite = ElementTree.fromstring(formats.junit(found))
    assert int(suite.get("skipped", "0")) >= 1


def test_what_may_be_wrong_is_shared_by_both_sorts_of_claims(routes: Pairing) -> None:
    # Half for what is said of all requests, half for the three by themselves.
    assert routes.study.confidence == pytest.approx(1 - 0.025 / 4)
    assert confidences(routes.description, 4)[1] == pytest.approx(1 - 0.025 / 3)


def test_many_slower_requests_are_counted() -> None:
    about = About("shop", ("main", "HEAD"))
    many = [
        replace(claim("worse", "p50_us", "alone"), request=f"GET /{n}", change=0.1 * n)
        for n in range(1, 6)
    ]
    found = conclude(about, [claim("same"), *many], [], AnswersCompared(1), [], [])
    assert found.exit_code == 1
    assert "in latency of GET /5" in found.headline
    assert found.headline.endswith("and in that of 2 more requests.")


@pytest.mark.parametrize(
    ("seconds", "passed", "to_wait"),
    [
        (0.2, "1 s", "1 s"),
        (89.0, "89 s", "89 s"),
        (316.0, "5 min", "6 min"),
        (9e3, "150 min", "3 h"),
    ],
)
def test_times_are_told_as_one_waits(seconds: float, passed: str, to_wait: str) -> None:
    assert (spent(seconds), waited(seconds)) == (passed, to_wait)
