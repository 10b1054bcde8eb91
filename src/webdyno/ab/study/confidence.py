"""What a comparison claims under each load, and how sure each claim is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from webdyno.catalog.descriptions.description import Description

FULL, STEADY, ALONE = "full", "steady", "alone"

PARTS: Mapping[tuple[str, str], float] = {
    (FULL, "cpu_us_per_request"): 6.0,
    (FULL, "throughput_rps"): 1.5,
    (STEADY, "cpu_us_per_request"): 1.5,
    (STEADY, "p99_us"): 1.0,
}
"""What is said of all requests, by load and metric, and its part of what may be wrong. These are
weights: the claims that are made share all of it (a Bonferroni correction with weights: Holm 1979,
Scandinavian Journal of Statistics 6, 65-70). Most goes to CPU per request under full load: it shows
small differences first, and neither the load generator nor a wait limits it. The others are for
what it cannot show, such as a lock, or CPU time that is saved by letting requests wait."""

CLAIMS = {load: tuple(metric for at, metric in PARTS if at == load) for load in (FULL, STEADY)}
"""The metrics of each load, in their order."""

CLAIM_BY_REQUEST = "p50_us"
"""What is said of each request where it has the service to itself. Under a mixed load its CPU time
cannot be told from that of the others, and its latency is mostly the wait for them."""


def claims_of_all(kinds: Collection[str]) -> list[tuple[str, str]]:
    """Load and metric of all that is said of all requests under loads of these `kinds`."""
    return [claim for claim in PARTS if claim[0] in kinds]


def claims_about(kind: str, requests: Sequence[str]) -> list[tuple[str, str]]:
    """Metric and request of all that is said of a load; no request where it is about all."""
    if kind == ALONE:
        return [(CLAIM_BY_REQUEST, name) for name in requests]
    return [(metric, "") for metric in CLAIMS[kind]]


@dataclass(frozen=True)
class Confidences:
    """How sure each claim is: those about all requests, by load and metric, and each about a single
    request."""

    whole: Mapping[tuple[str, str], float]
    single: float

    def by_load(self) -> dict[str, dict[str, float]]:
        """Those about all requests, as a study has them."""
        found: dict[str, dict[str, float]] = {}
        for (load, metric), confidence in self.whole.items():
            found.setdefault(load, {})[metric] = confidence
        return found


def confidences(description: Description, claims: Collection[tuple[str, str]]) -> Confidences:
    """Of the `claims` about all requests (load and metric), and of those about single requests.

    Together they hold with the description's. Where there are both, each sort has half of what may
    be wrong: what is said of all requests is no less sure for ten of them than for two.
    """
    single = len(description.requests) if ALONE in description.kinds() else 0
    wrong = (1 - description.confidence) / (2 if single and claims else 1)
    parts = sum(PARTS[claim] for claim in claims)
    return Confidences(
        {claim: 1 - wrong * PARTS[claim] / parts for claim in claims}, 1 - wrong / max(1, single)
    )
