"""What the charts of a section have in common with the legend that stands above them."""

from __future__ import annotations

import altair as alt

_SHOWN = "indexof(hidden, datum.entry) < 0"
"""Vega's test of a row: the legend has not hidden its entry."""


def shown(data_set: str) -> alt.Chart:
    """A chart of that data set's rows, less those whose entries the legend has hidden."""
    chart: alt.Chart = alt.Chart(alt.NamedData(data_set)).transform_filter(_SHOWN)
    return chart


def hideable(chart: alt.LayerChart) -> alt.LayerChart:
    """`chart` with the parameter `hidden`: the entries that the page's legend has hidden."""
    found: alt.LayerChart = chart.add_params(alt.param(name="hidden", value=[]))
    return found


def filtered(*layers: alt.Chart) -> alt.LayerChart:
    """`layers` on the data set `rows`, less the entries that the legend has hidden."""
    chart = alt.LayerChart(layer=list(layers), data=alt.NamedData("rows"))
    found: alt.LayerChart = hideable(chart).transform_filter(_SHOWN)
    return found
