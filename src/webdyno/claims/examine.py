"""All checks over one file of published figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.published_table import PublishedTable
from webdyno.claims.counts import (
    mean_of_counts,
    offered,
    parts,
    rate_and_time,
    shares,
    thread_rates,
    whole_requests,
)
from webdyno.claims.finding import SUREST, Finding
from webdyno.claims.footing import concluded
from webdyno.claims.footprint import footprint
from webdyno.claims.littles_law import littles_law
from webdyno.claims.order import order
from webdyno.claims.resolution import repetition, resolution
from webdyno.claims.same_load import in_turn, total
from webdyno.claims.same_work import conditions, contained, cookies, nameless
from webdyno.claims.scans import scans
from webdyno.claims.sending import lengths, sent_rates
from webdyno.claims.size import size
from webdyno.claims.work import work

CHECKS: tuple[Callable[[PublishedTable], Iterable[Finding]], ...] = (
    littles_law,
    offered,
    rate_and_time,
    sent_rates,
    lengths,
    parts,
    shares,
    whole_requests,
    mean_of_counts,
    thread_rates,
    order,
    in_turn,
    total,
    size,
    scans,
    footprint,
    conditions,
    contained,
    cookies,
    nameless,
    resolution,
    repetition,
)

_WORST = {"contradicts": 0, "untold": 1, "holds": 2}


def examine(manifest: PublishedManifest, here_bytes_per_s: float = 0.0) -> list[Finding]:
    """Everything the checks say, contradictions first, the surest first.

    `here_bytes_per_s` is SHA-256 of one core of this machine (see `hashing.this_machine`); it
    lowers what work costs at the least where it is faster than the fastest known.
    """
    findings: list[Finding] = []
    for table in manifest.tables:
        findings += work(table, here_bytes_per_s)
        for check in CHECKS:
            findings += check(table)
    findings += concluded(manifest, findings)
    findings += [Finding("missing", "untold", "certain", text) for text in manifest.missing]
    return sorted(findings, key=lambda one: (_WORST[one.outcome], SUREST[one.sureness]))
