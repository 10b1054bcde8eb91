"""Latency from the intended send, the 99th percentile, in microseconds."""

from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import latency

METRIC = Metric(
    name="p99_us",
    title="p99 latency",
    kind="latency",
    beats="has a lower p99 latency than",
    best="has the lowest p99 latency",
    asked="with the lowest p99 latency",
    value=latency("p99"),
)
