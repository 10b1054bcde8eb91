"""Every format of a report shows what searches for an objective found."""

from __future__ import annotations

import json
import re

import pytest
from rich.console import Console

from support.output_schemas import validate
from support.synthetic_objective import NEVER, OBJECTIVE, build_objective_run
from support.synthetic_run import build_run
from webdyno.report import summary
from webdyno.report.charts import points as chart_points
from webdyno.report.charts.picture import render_picture
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.formats.notebook import run_html
from webdyno.report.formats.terminal import render
from webdyno.report.live.views import PlainView
from webdyno.store.records import RunRecord
from webdyno.trial.events import TrialFinished

pytestmark = pytest.mark.slow

ENTRIES = ["go/net-http", "node/http", NEVER, "go/net-http (control)"]


@pytest.fixture(scope="module")
def found() -> RunRecord:
    return build_objective_run()


def text_of(run: RunRecord, width: int = 130) -> str:
    console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(render(run, width))
    return console.export_text()


def test_the_terminal_ranks_by_capacity_and_says_who_never_meets_it(found: RunRecord) -> None:
    text = text_of(found)
    assert "go/net-http handles more than the next best, node/http" in text
    assert re.search(r"1 +go/net-http +38,\d{3}", text)
    assert f"does not meet {OBJECTIVE} at any rate" in text
    assert "ranked by" not in text


def test_markdown_and_the_picture_hold_the_capacity(found: RunRecord) -> None:
    assert re.search(r"\| 1 \| go/net-http \| 38,\d{3} \|", render_markdown(found))
    picture = render_picture(found)
    assert re.search(r"38,\d{3} req/s", picture)
    assert OBJECTIVE.replace("<", "&lt;") in picture


def test_every_format_says_that_a_server_could_do_more_than_was_asked() -> None:
    run = build_objective_run()
    for trial in run.trials:
        if trial.entry == "go/net-http" and trial.search is not None:
            trial.search.kind, trial.search.reason = "at-least", "max_rate is 40,000/s"
    texts = (text_of(run), render_markdown(run), render_html(run), run_html(run))
    assert [bool(re.search(r"at least 3\d,\d{3}", text)) for text in texts] == [True] * 4


def test_the_export_holds_every_step(found: RunRecord) -> None:
    data = json.loads(json.dumps(export(found)))
    validate("run", data)
    for trial in data["trials"]:
        assert trial["search"]["steps"]
        assert trial["capacity_rps"] == trial["search"]["capacity_rps"]
    steps = data["trials"][0]["search"]["steps"]
    assert {"rate_rps", "outcome", "late_share", "quantile_us"} <= steps[0].keys()


def test_the_page_draws_latency_against_the_rate(found: RunRecord) -> None:
    (section,) = summary.sections(found)
    points = chart_points.of_section(section, ENTRIES)
    tail = points["rate-tail"]
    assert {ENTRIES[place] for place, *_ in tail["rows"]} == set(ENTRIES)
    assert tail["limit"] == [[0, [100.0]]]
    steps = sum(len(t.search.steps) for t in found.trials if t.search)
    drawn = sum(len(xs) for kind in ("held", "failed") for _, xs, _ in tail[kind])
    assert drawn == steps
    bands = {ENTRIES[place]: (low, high) for place, [low], [high] in tail["band"]}
    assert NEVER not in bands
    low, high = bands["go/net-http"]
    assert low < 39_000 < high
    page = render_html(found)
    assert "Latency against the rate" in page
    assert 'data-kind="rate-late"' in page
    assert '"rate-tail":{' in page


def test_other_runs_carry_none_of_it() -> None:
    page = render_html(build_run(blocks=2, seconds=2))
    assert "Latency against the rate" not in page
    assert '"rate-tail":{' not in page


def test_a_log_line_says_what_was_found(found: RunRecord) -> None:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    view = PlainView(console)
    for trial in found.trials[:4]:
        view.event(TrialFinished(record=trial))
    text = console.export_text()
    assert f"req/s at {OBJECTIVE} [" in text
    assert "not met at any rate tried" in text
