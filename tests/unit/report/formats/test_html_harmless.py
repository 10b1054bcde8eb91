"""The HTML report asks no network, and what servers and logs put into it runs nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING

import pytest

from support.html_page import Page
from support.study_with import study_with
from support.synthetic_run import (
    SERVERS,
    build_run,
    with_server,
)
from support.synthetic_trial import HOSTILE_LOG
from webdyno.report.formats.html import render_html

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord

pytestmark = pytest.mark.slow


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
