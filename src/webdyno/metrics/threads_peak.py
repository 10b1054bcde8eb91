"""The most threads that the server had at a time."""

import math

from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import measured

METRIC = Metric(
    name="threads_peak",
    title="Peak threads",
    kind="count",
    beats="needs fewer threads than",
    best="needs the fewest threads",
    asked="with the fewest threads",
    # A load shorter than the observer's first sample saw none.
    value=measured(lambda trial: float(trial.threads_peak) or math.nan),
    at_an_objective=True,
    at_any_speed=True,
)
