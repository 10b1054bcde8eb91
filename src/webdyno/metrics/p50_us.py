"""Latency from the intended send, the median, in microseconds."""

from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import latency

METRIC = Metric(
    name="p50_us",
    title="Median latency",
    kind="latency",
    beats="has a lower median latency than",
    best="has the lowest median latency",
    asked="with the lowest median latency",
    value=latency("p50"),
    flattered_by_unevenness=True,
)
