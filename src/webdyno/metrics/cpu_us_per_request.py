"""CPU time of the server per right answer, in microseconds."""

import math

from webdyno.catalog.terms.metric import Metric
from webdyno.store.figures import measured

METRIC = Metric(
    name="cpu_us_per_request",
    title="CPU per request",
    kind="latency",
    beats="needs less CPU per request than",
    best="needs the least CPU per request",
    asked="with the least CPU time",
    value=measured(lambda trial: trial.cpu_us_per_request.get("server", math.nan)),
    at_an_objective=True,
)
