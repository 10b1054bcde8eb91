"""What the engine saw of all answers of a load: whether they were distinct, and up to date."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.generators.result import LoadResult
from webdyno.verifier import Breakdown, Verifier
from webdyno.verifier.statistics import repeats_by_chance, too_many


def expect_distinct(verifier: Verifier, scenario: Scenario, result: LoadResult) -> None:
    """Record for each request whether its answers were distinct, as the engine saw all of them.

    Raises `Mismatch` where more of them were alike than chance can explain, or where some lacked
    all of the words by which they would have been told apart.
    """
    chances = {
        request.name: request.distinct
        for request in scenario.manifest.requests
        if request.distinct is not None
    }
    right = {one.name: one.counts["ok"] for one in result.by_request}
    for compared in result.distinct:
        asked = chances[compared.request]
        # What came after the end of the load was looked at, too, and is not among these.
        told = right.get(compared.request, compared.answers)
        verifier.expect(
            "each correct answer of the load has a word that tells it from others, after"
            f" {_either(asked.after)}",
            compared.answers >= told,
            f"{compared.answers} of {told} have one",
        )
        by_chance = repeats_by_chance(compared.answers, asked.chance, compared.one_in)
        order = ", whatever the order of their values" if asked.any_order else ""
        part = "" if compared.one_in == 1 else f" (looked for in 1 of {compared.one_in} of them)"
        verifier.expect(
            f"none of {compared.answers} answers of the load is repeated{order}",
            not too_many(compared.repeated, by_chance),
            f"{compared.repeated} of {compared.kept} had occurred before{part}, "
            f"where {by_chance:.2g} are expected by chance",
        )


def _either(texts: Sequence[str]) -> str:
    return " or ".join(f"'{text}'" for text in texts)


_PATIENCE_S = 2.0
_P99S = 20
"""A change takes milliseconds, and as long again as a request or two whose rows it waits for; what
a busy machine adds shows in the latencies, too."""


def tell_changes(verifier: Verifier, result: LoadResult) -> None:
    """Record that answers followed the state, where it was changed under load and every answer was
    judged by it.

    Raises `Mismatch` where some did not; the engine counts those as failed checks, too. Raises
    `Breakdown` where a change waited longer than any request's lock can hold it: until then no
    answer was out of date.
    """
    taken = result.latency_us
    longest_s = (_P99S * taken.p99 + taken.max) / 1e6 if taken else math.inf
    if result.changes.waited_s > _PATIENCE_S + longest_s:
        raise Breakdown(
            "what the server reads could not be changed during the load: a change took"
            f" {result.changes.waited_s:.1f} s, as if its rows were locked all the while"
        )
    changes = result.changes.lookups
    if not changes:
        return
    stale = [one for one in result.errors_detail if one.detail.startswith("out of date")]
    count = sum(one.count for one in stale)
    verifier.expect(
        f"what the server reads was changed {changes} times during the load, at random moments;"
        " every request sent after a change is answered from the new state",
        not stale,
        f"at least {count} answers are {stale[0].detail}" if stale else "",
    )
