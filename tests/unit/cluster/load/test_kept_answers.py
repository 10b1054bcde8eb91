"""Answers kept by an agent, by this machine's clock."""

from __future__ import annotations

import pytest

from webdyno.cluster.link.clock import Clock
from webdyno.cluster.load.many_load import _by_our_clock
from webdyno.cluster.orders.answers import PartYielded
from webdyno.generators.result import KeptAnswer, LoadResult


def read(offset_s: float, uncertainty_s: float) -> Clock:
    return Clock(offset_s, 0.0, uncertainty_s, 2 * uncertainty_s, 3 * uncertainty_s, 20)


def test_the_times_of_an_agents_answers_are_as_early_and_as_late_as_its_clock_allows() -> None:
    kept = KeptAnswer(
        request="json", status=200, headers=[], body_base64="", at_s=1, sent_s=110,
        answered_by_s=110.5,
    )  # fmt: skip
    part = PartYielded.model_construct(result=LoadResult.model_construct(samples=[kept]))
    found = _by_our_clock(part, (read(100, 0.002), read(100.004, 0.001))).result.samples[0]
    # Its clock is between 99.998 and 100.005 s ahead of ours.
    assert (found.sent_s, found.answered_by_s) == (pytest.approx(9.995), pytest.approx(10.502))
    assert found.at_s == kept.at_s
