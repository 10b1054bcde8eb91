"""The HTML report as text; tests/browser looks at it in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from support.study_with import study_with
from support.synthetic_run import (
    SERVERS,
    build_run,
    failing_aa,
    many_trials,
    with_server,
)
from support.synthetic_trial import HOSTILE_LOG
from webdyno.report.formats.html import render_html
from webdyno.store.records import FlagRecord, LatencyWithLost, RequestRecord

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord

pytestmark = pytest.mark.slow

VOID = {"meta", "link", "br", "wbr", "img", "line", "circle", "path", "polyline", "input"}


class Page(HTMLParser):
    """A parsed page: its scripts, its attributes, its visible text; complains of bad nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            attrs, text = self.scripts[-1]
            self.scripts[-1] = (attrs, text + data)
        elif self.open[-1:] != ["style"]:
            self.text += data


@pytest.fixture(scope="module")
def html(run: RunRecord) -> str:
    """The page of the small run."""
    return render_html(run)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    """The same, parsed."""
    return Page(html)


def flat(text: str) -> str:
    """Text with its white space evened out."""
    return " ".join(text.split())


def test_question_and_answer_come_first(page: Page) -> None:
    text = flat(page.text)
    question = text.index("Which of these servers serves JSON and hashes files fastest")
    answer = text.index("In json, go/net-http is fastest of the 6 that could be ranked;")
    assert question < answer < text.index("Resolution") < text.index("Throughput")


def test_the_page_asks_no_network_for_anything(page: Page) -> None:
    for tag, attrs in page.tags:
        for name in ("src", "href", "srcset", "action", "poster", "data", "xlink:href"):
            value = attrs.get(name) or ""
            assert not re.match(r"(?i)\s*(https?:|//|ftp:)", value), (tag, attrs)
        assert tag not in {"iframe", "object", "embed", "base"}
    styles = re.findall(r"(?i)@import|url\(", page.rawdata)
    assert not [s for s in styles if s == "@import"]


def test_the_policy_allows_the_page_s_own_scripts_only(page: Page) -> None:
    policy = next(
        attrs["content"] or ""
        for tag, attrs in page.tags
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    run_scripts = [text for attrs, text in page.scripts if "type" not in attrs]
    assert len(run_scripts) == 2
    for text in run_scripts:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert not [a for _, attrs in page.tags for a in attrs if a.startswith("on")]


def test_a_hostile_log_is_shown_and_does_nothing(html: str, page: Page) -> None:
    assert "window.pwned = 1" in HOSTILE_LOG
    assert "<script>window.pwned" not in html
    assert "<img src=x" not in html
    assert "</script><script>window.pwned = 1</script>" in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert "\x1b" not in html
    assert "\x00" not in html


@pytest.mark.parametrize(
    "evil", ["</script><script>boom()</script>", "<!--<script>", "\u2028'\"><svg onload=boom()>"]
)
def test_hostile_names_reach_the_data_as_text(evil: str) -> None:
    odd = with_server(SERVERS[1], name=f"go/{evil}")
    made = build_run(blocks=1, seconds=1, servers=(odd, SERVERS[3]))
    made = made.model_copy(
        update={
            "command": evil,
            "notes": [evil],
            "study": study_with(made.study, {"question": evil}),
        }
    )
    page = Page(render_html(made))
    data = next(text for attrs, text in page.scripts if attrs.get("type") == "application/json")
    assert json.loads(data)["entries"][0] == f"go/{evil}"
    assert len(page.scripts) == 3
    assert evil in page.text


def test_a_log_link_is_a_plain_path_or_no_link(run: RunRecord) -> None:
    def page_for(log: str) -> Page:
        trial = run.trials[0].model_copy(update={"log": log})
        return Page(render_html(run.model_copy(update={"trials": [trial], "verdicts": []})))

    hrefs = [a.get("href") for t, a in page_for("logs/0001-node-http.log").tags if t == "a"]
    assert "logs/0001-node-http.log" in hrefs
    for evil in ("javascript:alert(1)", "//host/x", "/etc/passwd", "../../x", "data:text/html,x"):
        page = page_for(evil)
        assert evil not in [attrs.get("href") for tag, attrs in page.tags if tag == "a"]
        assert evil in page.text


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
    assert "12 × json body: expected ten keys, got 9" not in html  # nine errors in this short run
    assert re.search(r"\d × json body: expected ten keys, got 9", html)


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
