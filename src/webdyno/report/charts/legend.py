"""What the charts of a section have in common with the legend that stands above them."""

SHOWN = "indexof(hidden, datum.entry) < 0"
"""Vega's test of a row: the legend has not hidden its entry. `hidden` is set by the page."""
