"""What the headline says is known where a comparison is not settled."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from rich.console import Console

from support.compared_run import claim, run_of
from webdyno.ab.conclusion import formats
from webdyno.ab.conclusion.about import About
from webdyno.ab.conclusion.answer import ComparisonAnswer, answer_of, conclude
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.claims import Claim, claims_of
from webdyno.ab.conclusion.show import show
from webdyno.ab.study.pairing import Pairing
from webdyno.run.blocks.make_blocks import conclude as judged

CPU, RPS, STEADY = ("cpu_us_per_request", "full"), ("throughput_rps", "full"), (
    "cpu_us_per_request", "steady",
)  # fmt: skip


def open_(what: tuple[str, str], low: float, high: float, more_s: float | None = 1200.0) -> Claim:
    made = claim("open", *what)
    return replace(made, change=(low + high) / 2, low=low, high=high, more_s=more_s)


def concluded(*claims: Claim) -> ComparisonAnswer:
    about = About("shop", ("main", "HEAD"), rate="160/s")
    return conclude(about, list(claims), [], AnswersCompared(1), [], [])


NARROW = open_(CPU, -0.027, 0.05)
WIDE = open_(STEADY, -0.209, 0.264)
SAME = replace(claim("same", *CPU), low=-0.02, high=0.02)
BETTER = replace(claim("better", *RPS), change=0.09, low=0.07, high=0.11)
THAT = "CPU per request at 160/s"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (
            (NARROW, WIDE),
            "B differs from A by at most 5.0% [−2.7, +5.0] in CPU per request, but may differ by "
            f"up to 26.4% in {THAT}; about 20 min more are needed for 3%.",
        ),
        (
            (NARROW, open_(RPS, -0.048, 0.028), WIDE),
            "B differs from A by at most 5.0% [−2.7, +5.0] in CPU per request and 4.8% [−4.8, +2.8]"
            f" in throughput, but may differ by up to 26.4% in {THAT}; about 20 min more are "
            "needed for 3%.",
        ),
        (
            (open_(CPU, -0.05, -0.0004),),
            "B differs from A by at most 5.0% [−5.0, −0.04] in CPU per request; about 20 min more "
            "are needed for 3%.",
        ),
        (
            (NARROW, open_(STEADY, -0.07, 0.03)),
            "B differs from A by at most 5.0% [−2.7, +5.0] in CPU per request and 7.0% [−7.0, +3.0]"
            f" in {THAT}; about 20 min more are needed for 3%.",
        ),
        (
            (SAME, replace(claim("same", *RPS)), WIDE),
            "no difference of 3% or more in CPU per request and throughput, but B may differ from "
            f"A by up to 26.4% in {THAT}; about 20 min more are needed for 3%.",
        ),
        (
            (SAME, BETTER, WIDE),
            "B is faster than A by 9.0% [7.0, 11.0] in throughput, with no difference of 3% or "
            f"more in CPU per request, but may differ by up to 26.4% in {THAT}; "
            "about 20 min more are needed for 3%.",
        ),
        (
            (NARROW, open_(STEADY, -0.9, 9.0)),
            "B differs from A by at most 5.0% [−2.7, +5.0] in CPU per request, but nothing certain "
            f"is known about {THAT}; about 20 min more are needed for 3%.",
        ),
        (
            (NARROW, open_(RPS, -0.2, 0.2), open_(STEADY, -1.0, float("inf"), None)),
            "B differs from A by at most 5.0% [−2.7, +5.0] in CPU per request, but may differ by "
            f"up to 20.0% in throughput, and nothing certain is known about {THAT}; a quieter "
            "machine is needed for 3%.",
        ),
        (
            (open_(CPU, -0.9, 9.0), open_(STEADY, -0.9, 9.0)),
            "nothing certain is known yet; about 20 min more are needed for 3%.",
        ),
    ],
)
def test_the_narrow_and_the_wide_are_told_apart(claims: tuple[Claim, ...], said: str) -> None:
    found = concluded(*claims)
    assert (found.outcome, found.exit_code) == ("not settled", 3)
    assert found.headline == f"Not settled: {said}"


def test_guards_and_single_requests_are_left_to_the_table() -> None:
    guard = open_(("p99_us", "steady"), -0.4, 0.5)
    alone = replace(open_(("p50_us", "alone"), -0.3, 0.3), request="GET /items")
    found = concluded(NARROW, WIDE, guard, alone, replace(alone, request="GET /", outcome="same"))
    assert found.headline == concluded(NARROW, WIDE).headline
    assert "the latency of 1 of 2 requests is not settled; give a longer --budget" in found.notes


def test_no_bound_is_told_where_a_differs_from_itself(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 6, again=0.15), AnswersCompared(1))
    assert found.exit_code == 3
    unsure = [one for one in found.claims if one.outcome == "open" and one.decides]
    assert unsure
    assert all("A differs from itself by" in (one.doubt or one.reason) for one in unsure)
    assert found.headline.startswith("Not settled: A differs from itself by 12.7%: ")
    assert "at most" not in found.headline


def test_no_bound_is_told_without_the_control(pair: Pairing) -> None:
    run = run_of(pair, 4)
    left = [trial for trial in run.trials if not trial.control]
    run = run.model_copy(update={"trials": left, "verdicts": []})
    judged(pair.study, run)
    wide = [one for one in claims_of(pair, run) if one.outcome == "open" and not one.reason]
    assert wide
    found = concluded(*wide)
    assert found.exit_code == 3
    assert found.headline.startswith("Not settled: nothing certain is known yet; ")
    assert all("the control (A against itself) is missing" in one.doubt for one in wide)
    assert any("the control (A against itself) is missing" in note for note in found.notes)


def test_the_intervals_are_those_of_the_claims(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 4), AnswersCompared(1))
    by = {(one.metric, one.load): one for one in found.claims}
    for what, wanted in ((CPU, "CPU per request"), (STEADY, "CPU per request at 5,000/s")):
        one = by[what]
        assert one.outcome == "open"
        assert one.low is not None
        assert one.high is not None
        told = re.search(rf"([\d.]+)%(?: \[[^]]+\])? in {wanted}[ ,;]", found.headline)
        assert told
        assert float(told[1]) == pytest.approx(100 * max(-one.low, one.high), abs=0.051)


def test_all_formats_say_the_same() -> None:
    found = concluded(NARROW, WIDE)
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    show(found, console=console)
    assert found.headline in " ".join(console.export_text().split())
    assert formats.markdown(found).startswith(f"### ❔ shop: {found.headline}\n")
    assert ElementTree.fromstring(formats.junit(found)).findtext("system-out") == found.headline
    assert json.loads(formats.dumps(found))["headline"] == found.headline
