"""Right answers per second."""

from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import measured

METRIC = Metric(
    name="throughput_rps",
    title="Throughput",
    kind="rate",
    beats="is faster than",
    best="is fastest",
    asked="fastest",
    value=measured(lambda trial: trial.throughput_rps),
    higher_is_better=True,
    leads=True,
)
