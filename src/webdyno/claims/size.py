"""Bytes a second ÷ requests a second is the size of an answer, headers included."""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims.finding import (
    Finding,
    Sureness,
    agreed,
    contradicts,
    name_of,
    octets,
    untold,
)

CHECK = "size of an answer"
DIGEST_BYTES = 32
ALIKE, UNLIKE = 1.25, 2.0
"""Headers alone make answers differ; above the second, hardly."""
MANY_HEADERS = 2000
"""Bytes of headers, cookies among them, that few answers have. Where the body is known to be the
same, only more than this is unlikely to be headers."""


def size(table: PublishedTable) -> Iterator[Finding]:
    """Sizes by rate and by total agree, hold the body, and are alike where the work is."""
    good, sizes = [], {}
    for row in table.rows:
        by_rate = _ratio(table, row, "bytes_per_s", "throughput")
        in_all = _ratio(table, row, "read", "ok") or _ratio(table, row, "read", "samples")
        if by_rate and in_all and (by_rate[1] < in_all[0] * 0.97 or in_all[1] < by_rate[0] * 0.97):
            text = (
                f"{name_of(row, table)}: {row.bytes_per_s}/s at {row.throughput}/s makes "
                f"{octets(_middle(by_rate))} per answer, but {row.read} in all makes "
                f"{octets(_middle(in_all))}."
            )
            yield contradicts(CHECK, table, "certain", text)
            continue
        known = by_rate or in_all
        if known is None or row.total:
            continue
        sizes[name_of(row, table)] = known
        if short := _too_short(table, row, known):
            yield short
        else:
            good.append(f"{octets(_middle(known))} ({name_of(row, table)})")
    yield from agreed(CHECK, table, good, "Bytes ÷ answers is enough for the answer")
    yield from _alike(table, sizes)


def _ratio(
    table: PublishedTable, row: PublishedRow, bytes_key: str, count_key: str
) -> tuple[float, float] | None:
    of, by = table.figure(row, bytes_key), table.figure(row, count_key)
    if of is None or by is None or by.low <= 0:
        return None
    return of.low / by.high, of.high / by.low


def _middle(ends: tuple[float, float]) -> float:
    return (ends[0] + ends[1]) / 2


def _too_short(
    table: PublishedTable, row: PublishedRow, sizes: tuple[float, float]
) -> Finding | None:
    """Shorter than the body that is due; or, where hashing is the work, than what proves it."""
    body = table.work.body_bytes
    if body is not None and sizes[1] < body:
        text = (
            f"{name_of(row, table)}: {octets(_middle(sizes))} per answer cannot hold the stated "
            f"body of {octets(body)}."
        )
        return contradicts(CHECK, table, "certain", text)
    if table.work.sha256_rounds and sizes[1] < DIGEST_BYTES:
        text = (
            f"{name_of(row, table)}: answers of {octets(_middle(sizes))} cannot hold a digest of "
            f"{DIGEST_BYTES}, so no answer proves that anything was hashed."
        )
        return untold(CHECK, table, "certain", text)
    return None


def _alike(table: PublishedTable, sizes: dict[str, tuple[float, float]]) -> Iterator[Finding]:
    named = {name: ends for name, ends in sizes.items() if table.named(name) is not None}
    if len(named) < 2:
        return
    least = min(named, key=lambda name: _middle(named[name]))
    most = max(named, key=lambda name: _middle(named[name]))
    ratio = named[most][0] / named[least][1] if named[least][1] else 1.0
    if ratio <= ALIKE:
        return
    sizes_told = f"{octets(_middle(named[most]))} from {most}, {octets(_middle(named[least]))} "
    sizes_told += f"from {least}"
    apart, body = _middle(named[most]) - _middle(named[least]), table.work.body_bytes
    if body is None:
        sure: Sureness = "likely" if ratio > UNLIKE else "possible"
        said = f"{sizes_told} for the same request, including headers."
    else:
        sure = "likely" if apart > MANY_HEADERS else "possible"
        said = (
            f"{sizes_told} for the same body of {octets(body)}: their headers differ by "
            f"{octets(apart)}, or a body is not the stated one."
        )
    yield contradicts("the same answer", table, sure, f"Not the same answer: {said}")
