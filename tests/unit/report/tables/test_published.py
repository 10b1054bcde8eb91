"""Published figures beside ours."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from webdyno.catalog.studies.published import PublishedManifest
from webdyno.report import summary
from webdyno.report.numbers import with_interval
from webdyno.report.pooled import find_ratio
from webdyno.report.tables import published
from webdyno.store.stored_study import PublishedFigure

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


def figure(server: str, value: float, *, scenario: str = "json", load: str = "") -> PublishedFigure:
    """A published throughput."""
    return PublishedFigure(
        server=server, scenario=scenario, metric="throughput_rps", value=value, load=load
    )


def test_both_are_ratios_to_the_same_server(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    (table,) = published.tables(section, published.figures(run))
    assert table.reference == "node/http"
    http, express = table.rows
    assert (http.theirs, http.ours) == ("1.00x", "1.00x")
    assert express.theirs == "0.39x"
    assert express.ours.startswith("0.45x [")
    assert express.agrees is False


def test_a_published_ratio_within_our_interval_agrees(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    ours = section.rows[0].medians["throughput_rps"]
    theirs = section.rows[1].medians["throughput_rps"]
    assert ours is not None
    assert theirs is not None
    figures = [figure("go/net-http", ours / 4), figure("java/servlet", theirs / 4)]
    (table,) = published.tables(section, figures)
    assert table.rows[1].agrees is True


def test_a_ratio_of_what_is_better_the_less_it_is_has_its_interval_too(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    assert section.verdict is not None
    entries = [row.entry for row in section.ranked[:2]]
    pair = find_ratio(section.verdict, *entries)
    assert pair is not None
    less = section.verdict.model_copy(
        update={"metric": "cpu_us_per_request", "higher_is_better": False}
    )
    figures = [
        PublishedFigure(server=entry, scenario="json", metric="cpu_us_per_request", value=value)
        for entry, value in zip(entries, (10.0, 10.0 * pair.estimate), strict=True)
    ]
    (table,) = published.tables(replace(section, others=(less,)), figures)
    # The first is that much better: it takes that much less.
    assert table.rows[1].ours == with_interval(pair.estimate, pair.low, pair.high)
    assert table.rows[1].agrees is True


def test_an_interval_without_an_end_agrees_with_nothing() -> None:
    assert published._agrees(52.3, 0.0, math.inf) is None
    assert published._agrees(52.3, 4.1, math.inf) is None
    assert published._agrees(2.0, 4.1, math.inf) is False
    assert published._agrees(52.3, 4.1, 44.0) is False
    assert published._agrees(math.nan, 4.1, 44.0) is None
    assert published._agrees(10.0, 4.1, 44.0) is True
    assert published._agrees(52.3, 1.91, 340.0) is None
    assert published._agrees(1.5, 1.91, 340.0) is False


def test_the_reference_is_one_that_we_measured(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    figures = [figure("perl/dancer", 900), figure("node/http", 10_178), figure("rust/axum", 50_000)]
    (table,) = published.tables(section, figures)
    assert table.reference == "node/http"
    missing, _, axum = table.rows
    assert missing.ours == "not measured here"
    # Not ranked, so there is a ratio of medians and no interval to agree with.
    assert axum.ours.startswith("2.8")
    assert axum.agrees is None


def test_only_what_belongs_to_the_section(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    others = [figure("node/http", 1, load="other"), figure("node/http", 1, scenario="blog")]
    assert published.tables(section, others) == []
    assert published.tables(section, []) == []
    assert len(published.tables(section, [figure("node/http", 1, load="closed-64")])) == 1


def test_what_is_unlike_is_told_of_the_load_and_the_servers_that_it_is_about(
    run: RunRecord,
) -> None:
    section = summary.sections(run)[0]
    assert section.load == "closed-64"
    http, express = figure("node/http", 10_178), figure("node/express", 4_000)
    elsewhere = {"unlike": {"open": "its rate is another"}}
    other = {"unlike": {"closed-64": "it answers `okay`", **elsewhere["unlike"]}}

    def shown(*figures: PublishedFigure) -> tuple[str, list[bool | None]]:
        (table,) = published.tables(section, figures)
        return table.unlike, [row.agrees for row in table.rows]

    assert shown(http, express.model_copy(update=elsewhere)) == ("", [None, False])
    axum = figure("rust/axum", 50_000)
    of_one = shown(http, express.model_copy(update=other), axum)
    assert of_one == ("it answers `okay` (node/express)", [None, None, None])
    # Every ratio is to the first one, so that none is judged.
    assert shown(http.model_copy(update=other), express) == ("it answers `okay`", [None, None])
    more = express.model_copy(update={"unlike": {"closed-64": "it is behind a proxy"}})
    assert shown(http.model_copy(update=other), more, axum) == (
        "it answers `okay`; it is behind a proxy (node/express)",
        [None, None, None],
    )


def test_memory_that_was_published_stands_beside_ours() -> None:
    row = {"label": "a", "server": "go/chi", "memory": "70MB"}
    table = {"name": "t", "scenario": "json", "load": {"kind": "closed", "connections": 1}}
    whole = {"name": "n", "title": "t", "source": "s", "tables": [{**table, "rows": [row]}]}
    [one] = published._of_tables(PublishedManifest.model_validate(whole))
    assert (one.metric, one.value, one.server) == ("memory_peak_bytes", 70e6, "go/chi")
