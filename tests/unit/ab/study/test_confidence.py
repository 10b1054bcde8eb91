"""How what may be wrong is shared out over the claims of a comparison."""

import pytest

from webdyno.ab.study.confidence import (
    ALONE,
    FULL,
    STEADY,
    FigureKey,
    claims_about_all,
    claims_under,
    confidences,
)
from webdyno.catalog.descriptions.description import Description

CPU = "cpu_us_per_request"


def description(budget: float = 300.0, *, requests: int = 1) -> Description:
    return Description.model_validate(
        {"name": "shop", "budget": budget, "requests": [f"GET /{n}" for n in range(requests)]}
    )


def test_cpu_per_request_under_full_load_has_most_of_it() -> None:
    found = confidences(description(), claims_about_all((FULL, STEADY)))
    wrong = {claim: 1 - confidence for claim, confidence in found.about_all.items()}
    assert sum(wrong.values()) == pytest.approx(0.05)
    assert wrong[FigureKey(FULL, CPU)] == pytest.approx(0.03)
    assert wrong[FigureKey(STEADY, "p99_us")] == pytest.approx(0.005)


def test_where_cpu_time_cannot_be_seen_the_others_have_its_part() -> None:
    claims = [claim for claim in claims_about_all((FULL, STEADY)) if claim.metric != CPU]
    found = confidences(description(), claims)
    full, steady = FigureKey(FULL, "throughput_rps"), FigureKey(STEADY, "p99_us")
    assert found.about_all == pytest.approx({full: 0.97, steady: 0.98})


def test_single_requests_have_half_of_it_where_they_are_claimed() -> None:
    found = confidences(description(600.0, requests=5), claims_about_all((FULL, STEADY, ALONE)))
    assert sum(1 - one for one in found.about_all.values()) == pytest.approx(0.025)
    assert found.single == pytest.approx(1 - 0.025 / 5)
    assert claims_under(ALONE, ["GET /0"]) == [FigureKey(ALONE, "p50_us", "GET /0")]
