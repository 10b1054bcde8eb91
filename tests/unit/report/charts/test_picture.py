"""The picture of a ranking."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from support.synthetic_run import SERVERS, build_run, with_server
from webdyno.report.charts.picture import BAR, LEFT, WIDTH, render_picture

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord

SVG = "{http://www.w3.org/2000/svg}"


def test_it_is_one_svg_that_asks_for_nothing(run: RunRecord) -> None:
    text = render_picture(run)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert "href" not in text
    assert "url(" not in text
    assert text.count("http:") == 1  # the name space
    assert len(text) < 30_000


def test_bars_are_drawn_to_scale_within_the_page(run: RunRecord) -> None:
    root = ET.fromstring(render_picture(run))
    bars = [float(e.attrib["width"]) for e in root.iter(f"{SVG}rect") if e.get("class") == "bar"]
    assert len(bars) == 7 + 7  # the control is left out
    assert max(bars) <= BAR
    medians = run.verdicts[0].medians
    assert bars[0] / bars[1] == pytest.approx(
        medians["go/net-http"] / medians["java/servlet"], rel=0.01
    )
    height = float(root.attrib["height"])
    for group in root.iter(f"{SVG}g"):
        y = float(group.attrib["transform"].rstrip(")").split()[1])
        assert 0 < y < height - 30
    assert LEFT + BAR < WIDTH


def test_ties_and_what_is_not_ranked_are_marked(run: RunRecord) -> None:
    text = render_picture(run)
    assert text.count('class="tie"') == 2
    assert "generator-bound" in text
    assert text.count(">first<") == 2


def test_sections_can_be_limited(run: RunRecord) -> None:
    text = render_picture(run, sections=1)
    assert "json, 64 connections for 3 s" in text
    assert "sha256, 64" not in text
    assert "sha256, 64" in render_picture(run)


def test_hostile_names_stay_text() -> None:
    odd = with_server(SERVERS[1], name="go/<script>alert(1)</script>")
    root = ET.fromstring(render_picture(build_run(blocks=1, seconds=1, servers=(odd,))))
    assert not list(root.iter(f"{SVG}script"))
