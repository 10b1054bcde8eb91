"""The Markdown summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from support.study_with import study_with
from support.synthetic_run import failing_aa
from webdyno.report.formats.markdown import render_markdown

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


def to_html(text: str) -> str:
    """What a pull request would show."""
    return MarkdownIt("commonmark").enable("table").render(text)


def test_it_is_a_ranked_table_under_the_answer(run: RunRecord) -> None:
    html = to_html(render_markdown(run))
    assert html.count("<table>") == 2
    assert html.count("<tr>") == 2 * (1 + 8)  # a heading and eight entries each
    assert "<strong>In json, go/net-http is fastest of the 6 that could be ranked;" in html
    assert "3 (tie)" in html
    assert "<code>./webdyno run quick --budget 15m --seed 7</code>" in html
    assert "Left out: java/spring" in html


def test_a_failed_control_is_a_quote_at_the_top(run: RunRecord) -> None:
    html = to_html(render_markdown(failing_aa(run)))
    assert html.index("A/A control failed") < html.index("<table>")


def test_text_from_outside_stays_text(run: RunRecord) -> None:
    evil = "a | b <img src=x> `c` [d](http://e) *f* @everyone\n# g"
    skipped = [run.skipped[0].model_copy(update={"reason": evil})]
    study = study_with(run.study, {"question": evil, "title": evil})
    odd = run.model_copy(update={"skipped": skipped, "study": study, "command": "a `b` <i> | c"})
    html = to_html(render_markdown(odd))
    for markup in ("<img", "<a ", "<em>", "<h1>", "<i>"):
        assert markup not in html
    assert "@everyone" not in html
    assert "<code>a `b` &lt;i&gt; | c</code>" in html
