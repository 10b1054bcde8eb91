"""What a comparison claims under each load, and how sure each claim is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webdyno.catalog.descriptions.description import Description

FULL, STEADY, ALONE = "full", "steady", "alone"


class FigureKey(NamedTuple):
    """What a figure or a claim is about: all requests of a load, or the `request` of that name."""

    load: str
    metric: str
    request: str = ""


CLAIM_WEIGHTS: Mapping[FigureKey, float] = {
    FigureKey(FULL, "cpu_us_per_request"): 6.0,
    FigureKey(FULL, "throughput_rps"): 1.5,
    FigureKey(STEADY, "cpu_us_per_request"): 1.5,
    FigureKey(STEADY, "p99_us"): 1.0,
}
"""The claims about all requests, and the weight by which each shares in the permitted error: the
claims that are made use up all of it (a weighted Bonferroni correction: Holm 1979, Scandinavian
Journal of Statistics 6, 65-70). Most goes to CPU per request under full load: it shows
small differences first, and neither the load generator nor a wait limits it. The others are for
what it cannot show, such as a lock, or CPU time that is saved by letting requests wait."""

CLAIMS = {
    load: tuple(key.metric for key in CLAIM_WEIGHTS if key.load == load) for load in (FULL, STEADY)
}
"""The metrics of each load, in their order."""

CLAIM_BY_REQUEST = "p50_us"
"""What is said of each request where it has the service to itself. Under a mixed load its CPU time
cannot be told from that of the others, and its latency is mostly the wait for them."""


def claims_about_all(loads: Collection[str]) -> list[FigureKey]:
    """The claims about all requests of these `loads`."""
    return [claim for claim in CLAIM_WEIGHTS if claim.load in loads]


def claims_under(load: str, requests: Sequence[str]) -> list[FigureKey]:
    """Every claim under a load of a service with these `requests`."""
    if load == ALONE:
        return [FigureKey(load, CLAIM_BY_REQUEST, name) for name in requests]
    return claims_about_all([load])


@dataclass(frozen=True)
class Confidences:
    """How sure each claim is: those `about_all` requests, and each about a `single` one."""

    about_all: Mapping[FigureKey, float]
    single: float

    def by_load(self) -> dict[str, dict[str, float]]:
        """Those about all requests, as a study has them."""
        by_load: dict[str, dict[str, float]] = {}
        for claim, confidence in self.about_all.items():
            by_load.setdefault(claim.load, {})[claim.metric] = confidence
        return by_load


def confidences(description: Description, claims: Collection[FigureKey]) -> Confidences:
    """Of the `claims` about all requests, and of those about single requests.

    Together they hold with the description's. Where there are both, each sort has half of what may
    be wrong: what is said of all requests is no less sure for ten of them than for two.
    """
    single = len(description.requests) if ALONE in description.kinds() else 0
    wrong = (1 - description.confidence) / (2 if single and claims else 1)
    weights = sum(CLAIM_WEIGHTS[claim] for claim in claims)
    return Confidences(
        {claim: 1 - wrong * CLAIM_WEIGHTS[claim] / weights for claim in claims},
        1 - wrong / max(1, single),
    )
