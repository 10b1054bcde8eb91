"""The HTML report in a real browser: it draws, it fits, it is quiet, it cannot be broken into."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from support.synthetic_run import build_run, many_trials
from webdyno.report.charts.picture import render_picture
from webdyno.report.formats.html import render_html
from webdyno.store.unmeasured_cell import UnmeasuredCell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.concurrent

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


@dataclass
class Opened:
    """A page, and what it said and asked for while it was open."""

    page: Page
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def draw_all(self) -> None:
        """Scroll every chart into view and wait until it is drawn."""
        for chart in self.page.locator(".chart:visible").all():
            chart.scroll_into_view_if_needed()
        self.until(
            """[...document.querySelectorAll('.chart')]
                  .filter(c => c.offsetParent).every(c => c.dataset.drawn === 'true')"""
        )

    def until(self, condition: str, seconds: float = 20.0) -> None:
        """Wait for `condition`. Not by the page's own polling: its policy forbids eval."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(f"() => Boolean({condition})"):
            assert time.monotonic() < end, f"never: {condition}"
            self.page.wait_for_timeout(20)

    def js(self, code: str) -> Any:
        """Evaluate in the page."""
        return self.page.evaluate(code)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on the disk, as a user opens it. The run holds a log with hostile markup."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(render_html(build_run(blocks=3, seconds=6)), encoding="utf-8")
    return file


@contextmanager
def opened(browser: Browser, path: Path, **options: Any) -> Iterator[Opened]:
    """Open `path` in a new context, and close it."""
    context = browser.new_context(**options)
    page = context.new_page()
    found = Opened(page)
    page.on("console", lambda message: found.console.append(message.text))
    page.on("pageerror", lambda error: found.console.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    page.goto(path.as_uri())
    yield found
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_it_draws_without_a_word_or_a_request(
    browser: Browser, path: Path, size: dict[str, int], scheme: str
) -> None:
    with opened(browser, path, viewport=size, color_scheme=scheme) as report:
        report.draw_all()
        assert report.js("document.querySelectorAll('.chart svg').length") == 2
        assert report.js("document.querySelectorAll('.chart canvas').length") == 8
        assert report.js("document.documentElement.scrollWidth") <= size["width"]
        assert report.console == []
        assert report.requests == [path.as_uri()]


def test_the_charts_show_something(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP) as report:
        report.draw_all()
        # Colours other than the axes': a chart without its lines has hardly any.
        coloured = report.js(
            """() => [...document.querySelectorAll('.chart canvas')].map(c => {
                const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                let n = 0;
                for (let i = 0; i < d.length; i += 4) {
                    const [r, g, b, a] = [d[i], d[i + 1], d[i + 2], d[i + 3]];
                    if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 60) n++;
                }
                return n;
            })"""
        )
        assert min(coloured) > 200
        lines = report.js(
            "document.querySelectorAll('#section-0 .chart svg .mark-line path').length"
        )
        assert lines == 7  # eight entries, the control hidden at first


def test_dark_is_dark_and_follows_a_change(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP, color_scheme="light") as report:
        report.draw_all()
        background = "getComputedStyle(document.body).backgroundColor"
        label = "document.querySelector('.chart svg .role-axis-label text').getAttribute('fill')"
        light = (report.js(background), report.js(label))
        report.page.emulate_media(color_scheme="dark")
        report.until(f"({label}) !== {light[1]!r}")
        dark = (report.js(background), report.js(label))
        assert _brightness(dark[0]) < 60 < 200 < _brightness(light[0])


def _brightness(colour: str) -> float:
    """Mean of the channels of `rgb(…)`."""
    channels = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(channels) / 3


def test_the_legend_hides_and_isolates(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP) as report:
        report.draw_all()
        marks = "document.querySelectorAll('#section-0 .chart svg .mark-line path').length"
        legend = report.page.locator("#section-0 .legend")
        chip = legend.get_by_role("button", name="node/express", exact=True)
        chip.click()
        report.until(f"{marks} === 6")
        assert chip.get_attribute("aria-pressed") == "false"
        chip.click()
        report.until(f"{marks} === 7")
        legend.get_by_role("button", name="go/net-http", exact=True).dblclick()
        report.until(f"{marks} === 1")


def test_tabs_draw_their_chart_and_answer_the_keyboard(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP) as report:
        report.draw_all()
        tabs = report.page.locator("#section-0 [role=tab]")
        tabs.nth(0).focus()
        # The made-up run has no p90 and p95 of each second, so there are no tabs for them.
        for place, name in enumerate(["p50", "p99", "Errors", "CPU", "Memory"], start=1):
            report.page.keyboard.press("ArrowRight")
            assert tabs.nth(place).get_attribute("aria-selected") == "true"
            assert tabs.nth(place).inner_text() == name
            report.until(
                "document.querySelector('#section-0 [role=tabpanel]:not([hidden]) canvas')"
            )
        assert report.page.locator("#section-0 [role=tabpanel]:visible").count() == 1


def test_the_point_under_the_pointer_is_told(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP) as report:
        report.draw_all()
        chart = report.page.locator("#section-0 .chart[data-kind=latency]")
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box is not None
        for share in (0.5, 0.6):
            report.page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        tip = report.page.locator(".tip")
        tip.wait_for(state="visible")
        text = tip.inner_text()
        assert "undefined" not in text
        assert "NaN" not in text
        assert "share of answers" in text
        assert text.splitlines()[0] in report.js(
            "JSON.parse(document.getElementById('webdyno-data').textContent).entries"
        )


def test_a_hostile_log_runs_nothing(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP) as report:
        report.draw_all()
        report.js("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        log = report.page.locator("pre.log", has_text="window.pwned = 1").first
        log.scroll_into_view_if_needed()
        assert "</script><script>window.pwned = 1</script>" in (log.text_content() or "")
        assert report.js("window.pwned") is None
        # Even markup that did get in could not run: the policy stands behind the escaping.
        report.js("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=pwned=3>')")
        report.page.wait_for_timeout(100)
        assert report.js("window.pwned") is None


def test_an_open_page_fits_a_phone(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=PHONE) as report:
        report.js("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        report.draw_all()
        wide = report.js(
            """() => [...document.querySelectorAll('main *')]
                  .filter(e => !e.closest('nav, pre, svg, thead')
                               && e.getBoundingClientRect().right > innerWidth + 1)
                  .map(e => e.className || e.tagName)"""
        )
        assert wide == []
        assert report.js("document.documentElement.scrollWidth") == PHONE["width"]


def test_why_a_server_was_not_measured_has_a_phones_width(browser: Browser, tmp_path: Path) -> None:
    run = build_run(blocks=1, seconds=1)
    first = run.trials[0]
    run.absent = [
        UnmeasuredCell(
            entry="node/koa",
            scenario=first.scenario,
            load=first.load,
            kind="not-reached",
            reason="the time budget ended first",
        )
    ]
    file = tmp_path / "report.html"
    file.write_text(render_html(run), encoding="utf-8")
    with opened(browser, file, viewport=PHONE) as report:
        reason, row = report.js(
            """() => {
                const cell = document.querySelector('.ranking .reason');
                return [cell.offsetWidth, cell.parentElement.clientWidth];
            }"""
        )
        assert reason == row


def test_the_command_can_be_copied(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP) as report:
        button = report.page.get_by_role("button", name="Copy")
        button.click()
        report.until(
            "['Copied', 'Selected'].includes(document.querySelector('[data-copy]').textContent)"
        )
        assert report.js("String(getSelection())") == "./webdyno run quick --budget 15m --seed 7"


def test_odd_data_draws_as_quietly(browser: Browser, tmp_path: Path) -> None:
    run = build_run(blocks=1, seconds=1)
    verdict = run.verdicts[0].model_copy(deep=True)
    verdict.intervals = dict.fromkeys(verdict.intervals, (10.0, 9000000.0))  # nothing is known
    trials = [
        t.model_copy(
            update={
                "warmup": t.warmup.model_copy(update={"steady_after_s": None}) if t.warmup else None
            }
        )
        for t in run.trials
    ]
    file = tmp_path / "odd.html"
    odd = run.model_copy(update={"trials": trials, "verdicts": [verdict, run.verdicts[1]]})
    file.write_text(render_html(odd), encoding="utf-8")
    with opened(browser, file, viewport=DESKTOP) as report:
        report.draw_all()
        assert report.console == []
        # The interval is cut off at the bar's edge.
        bars = report.js(
            "[...document.querySelectorAll('#section-0 td.bar span')]"
            ".map(b => b.getBoundingClientRect().width > 0 && b.scrollWidth <= b.clientWidth + 1)"
        )
        assert all(bars)


@pytest.mark.long
def test_300_trials_are_laid_out_at_once(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "many.html"
    file.write_text(render_html(many_trials(300)), encoding="utf-8")
    with opened(browser, file, viewport=DESKTOP) as report:
        report.draw_all()
        assert report.page.locator(".trial").count() >= 300
        # Folded, so that the browser has but few boxes to lay out.
        assert report.page.locator(".trial:visible").count() == 0
        assert report.console == []


def test_without_scripts_the_tables_hold_everything(browser: Browser, path: Path) -> None:
    with opened(browser, path, viewport=DESKTOP, java_script_enabled=False) as report:
        rows = report.page.locator(".ranking tbody tr:visible")
        # Why a server is not ranked is in a row below its own.
        reasons = rows.filter(has=report.page.locator(".why"))
        assert reasons.count() == 3
        assert rows.count() - reasons.count() == 2 * 8 + 2
        summary = report.page.get_by_text("All trials: status, logs, evidence").first
        summary.click()
        assert report.page.locator("#section-0 .entry:visible").count() == 8


def test_the_picture_is_drawn(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "ranking.svg"
    file.write_text(render_picture(build_run(blocks=1, seconds=1)), encoding="utf-8")
    with opened(browser, file, viewport=DESKTOP) as report:
        outside = report.js(
            """() => [...document.querySelectorAll('text')].filter(t => {
                const b = t.getBoundingClientRect();
                const page = document.documentElement.getBoundingClientRect();
                return b.right > page.right || b.bottom > page.bottom;
            }).map(t => t.textContent)"""
        )
        assert outside == []
        assert report.requests == [file.as_uri()]
