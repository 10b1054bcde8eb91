"""CPU that was used against the least that the work costs."""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.catalog.terms.printed import Figure
from webdyno.claims.finding import Finding, contradicts, holds, name_of, octets, plain, seconds
from webdyno.claims.hashing import CERTAIN, FASTEST_BYTES_PER_S

CHECK = "least CPU"


def work(table: PublishedTable, here_bytes_per_s: float = 0.0) -> Iterator[Finding]:
    """CPU of a request against its rounds of SHA-256 at the fastest known rate, which is this
    machine's where that is faster."""
    rounds, length = table.work.sha256_rounds, table.work.sha256_bytes
    if not rounds or not length:
        return
    fastest = max(FASTEST_BYTES_PER_S, here_bytes_per_s)
    whose = "this machine's" if fastest > FASTEST_BYTES_PER_S else "the fastest known"
    job = f"{rounds} rounds of SHA-256 over {octets(length)}"
    for row in table.rows:
        rate = table.figure(row, "at_rate") or table.figure(row, "throughput")
        cores = table.figure(row, "cpu_cores")
        if rate is None or rate.value <= 0:
            continue
        least_s = rounds * length / fastest
        own_s = least_s * row.hash_slowdown
        if cores is not None:
            least = (
                f"{job} take at least {seconds(least_s)} at {whose} "
                f"{plain(fastest / 1e9)} GB/s per core"
            )
            yield _used(table, row, cores, rate, least, own_s)
        room = table.cpus
        if room is not None and row.throughput and rate.low * own_s > room * 1.02:
            yield contradicts(
                CHECK, table, "certain" if rate.low * own_s > CERTAIN * room else "likely",
                f"{name_of(row, table)}: {rate.text}/s of {job} need "
                f"{plain(rate.value * own_s)} cores, more than the {plain(room)} it may use.",
            )  # fmt: skip


def _used(
    table: PublishedTable,
    row: PublishedRow,
    cores: Figure,
    rate: Figure,
    least: str,
    own_s: float,
) -> Finding:
    """`own_s`: the least that this row's runtime can do with."""
    used_s, most_s = cores.value / rate.value, cores.high / rate.low
    what = (
        f"{name_of(row, table)}: {cores.text} cores at {rate.text}/s are {seconds(used_s)} of CPU "
        "per request"
    )
    if most_s >= own_s:
        return holds(CHECK, table, f"{what}; {least}.")
    # Printed as 0.0, it may have used a little.
    times = plain(own_s / used_s) if used_s else f"at least {plain(own_s / most_s)}"
    slower = ""
    if row.hash_slowdown > 1:
        slower = f", and {seconds(own_s)} where hashing is {plain(row.hash_slowdown)} times slower"
        slower += f" ({row.note})" if row.note else ""
    return contradicts(
        CHECK,
        table,
        "certain" if most_s * CERTAIN < own_s else "likely",
        f"{what}, but {least}{slower}: {times} times what it used, so the work was not done.",
    )
