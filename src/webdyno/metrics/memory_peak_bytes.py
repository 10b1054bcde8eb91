"""The most memory that the server had at a time."""

from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import measured

METRIC = Metric(
    name="memory_peak_bytes",
    title="Peak memory",
    kind="bytes",
    beats="needs less memory than",
    best="needs the least memory",
    asked="with the least memory",
    value=measured(lambda trial: trial.memory_bytes.peak),
    at_an_objective=True,
    at_any_speed=True,
)
