"""The HTML report as text; tests/browser looks at it in a browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from support.html_page import Page, flat
from support.study_with import study_with
from support.synthetic_run import (
    build_run,
    failing_aa,
    many_trials,
)
from webdyno.report.formats.html import render_html
from webdyno.store.records import FlagRecord, LatencyWithLost, RequestRecord

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord

pytestmark = pytest.mark.slow


def test_question_and_answer_come_first(page: Page) -> None:
    text = flat(page.text)
    question = text.index("Which of these servers serves JSON and hashes files fastest")
    answer = text.index("In json, go/net-http is fastest of the 6 that could be ranked;")
    assert question < answer < text.index("Resolution") < text.index("Throughput")


def test_the_ranked_table_holds_groups_intervals_and_reasons(html: str, page: Page) -> None:
    text = flat(page.text)
    assert html.count('class="tie"') == 2
    assert "first leads by" in html
    assert re.search(r"1\.\d\dx \[1\.\d\d, 1\.\d\d\]|1\.\d\dx\[1\.\d\d, 1\.\d\d\]", text)
    assert "the load generator was the limit, not the server" in text
    assert "the A/A control: the same server, entered a second time" in text
    assert "never-steady still getting faster when the measurement began: raise" in text
    assert "1 of 3 trials did not count" in text
    assert "Limited by server: it used all the cores it was given, or nearly all; generator" in text
    assert "server-bound" not in text


def test_what_is_doubted_of_the_control_alone_is_not_explained_under_the_table(
    run: RunRecord,
) -> None:
    doubt = FlagRecord(code="drifting", message="its figure moved")
    flagged = [
        trial.model_copy(update={"flags": [doubt]}) if trial.control else trial
        for trial in run.trials
    ]
    note = '<p class="note"><span class="warn">{}</span>'
    html = render_html(run.model_copy(update={"trials": flagged}))
    assert note.format("drifting") not in html
    assert note.format("never-steady") in html
    # With the trial itself it stands.
    assert "<strong>drifting</strong> its figure moved" in html


def test_each_trial_has_its_log_evidence_and_versions(run: RunRecord, html: str) -> None:
    for trial in run.trials:
        assert html.count(f'id="trial-{trial.index}"') == 1
    assert html.count('class="evidence"') == len(run.trials)
    assert "✗ failed:" in html
    assert html.count("framework 1.2.3, toolchain node 20.11.0") == len(run.trials)
    told = "× json, failed check: body: expected ten keys, got 9"
    assert f"12 {told}" not in html  # nine errors in this short run
    assert re.search(rf"\d {told}", html)


def test_machine_method_and_command_are_there(page: Page) -> None:
    text = flat(page.text)
    for said in (
        "AMD EPYC 7B13",
        "25.3 GB",
        "Same work varies by",
        "140 µs",
        "server on core 0, generator on core 1",
        "at 95% confidence, corrected for the number of comparisons",
        "./webdyno run quick --budget 15m --seed 7",
        "java/spring",
        "no JDK 21 or later here",
        "Beside the published figures",
        "A write-up of 2020 on a laptop",
    ):
        assert said in text, said


def test_figures_that_a_study_publishes_stand_beside_ours(run: RunRecord) -> None:
    def page(published: list[dict[str, object]]) -> str:
        return render_html(
            run.model_copy(update={"study": study_with(run.study, {"published": published})})
        )

    assert "Beside the published" not in page([])
    one = {"server": "java/servlet", "scenario": "sha256", "metric": "p99_us", "value": 9e3}
    assert page([one]).count("Beside the published") == 1


def test_a_failed_control_is_told_at_the_top(run: RunRecord) -> None:
    text = flat(Page(render_html(failing_aa(run))).text)
    assert text.index("The A/A control failed in json") < text.index("Confidence")


def data_of(page: Page) -> dict[str, Any]:
    """The charts' data."""
    text = next(text for attrs, text in page.scripts if attrs.get("type") == "application/json")
    held: dict[str, Any] = json.loads(text)
    return held


def test_every_curve_belongs_to_a_known_entry(page: Page) -> None:
    data = data_of(page)
    assert data["entries"][data["hidden"][0]] == "go/net-http (control)"
    for section in data["sections"]:
        assert set(section) <= set(data["specs"])
        for sets in section.values():
            for rows in sets.values():
                for place, *columns in rows:
                    assert 0 <= place < len(data["entries"])
                    assert len({len(column) for column in columns}) == 1


def test_short_runs_and_empty_runs_render(run: RunRecord) -> None:
    bare = run.model_copy(update={"trials": [], "verdicts": [], "skipped": []})
    page = Page(render_html(bare))
    assert "No trial finished." in page.text
    assert len(page.scripts) == 1  # no charts: no chart library
    unmeasured = [
        t.model_copy(
            update={
                "measurement": None,
                "warmup": None,
                "status": "error",
                "reason": "did not start",
                "start_seconds": None,
                "stop_seconds": None,
            }
        )
        for t in run.trials
    ]
    half = run.model_copy(update={"trials": unmeasured, "verdicts": [], "status": "interrupted"})
    text = flat(Page(render_html(half)).text)
    assert "3 trials, none valid: did not start" in text
    assert "The run was interrupted" in text


def test_broken_histograms_cost_only_their_curve(run: RunRecord) -> None:
    trials = []
    for trial in run.trials:
        assert trial.measurement is not None
        broken = trial.measurement.model_copy(update={"histograms": {"from_intended": "???"}})
        trials.append(trial.model_copy(update={"measurement": broken}))
    data = data_of(Page(render_html(run.model_copy(update={"trials": trials}))))
    assert "latency" not in data["sections"][0]
    assert "warm-up" in data["sections"][0]


def test_300_trials_stay_small() -> None:
    many = many_trials(300)
    assert len(many.trials) >= 300
    noisy = [t.model_copy(update={"log_tail": "a line of a log\n" * 2000}) for t in many.trials]
    html = render_html(many.model_copy(update={"trials": noisy}))
    assert len(html.encode()) < 3_000_000


def test_a_usual_run_is_below_two_megabytes(html: str) -> None:
    assert len(html.encode()) < 1_600_000


def test_a_load_of_several_requests_has_a_table_of_them() -> None:
    run = build_run(blocks=1, seconds=2)
    measured = run.trials[0].measurement
    assert measured is not None
    assert "By request" not in render_html(run)
    counts = {"sent": 1000, "ok": 990, "wrong_status": 4, "failed_check": 0, "malformed": 0}
    counts |= {"reset": 0, "timed_out": 6, "unfinished": 0}
    listed = RequestRecord(name="list <b>", counts=counts, latency_us=measured.latency_us)
    none = RequestRecord(name="one", counts={**counts, "ok": 0})
    measured.by_request = [listed, none]
    measured.first_byte_us = measured.connect_us = measured.latency_us
    measured.latency_with_lost_us = LatencyWithLost(p50=900.0, lost=6)
    text = Page(render_html(run)).text
    for said in ("By request", "list <b>", "opening a connection", "with 6 requests never"):
        assert said in text
