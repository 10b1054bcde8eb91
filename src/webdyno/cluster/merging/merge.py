"""The results of a load's parts as the result of one load, in the engine's terms.

Counts are added and histograms merged as they are; quantiles are read from the sums, never computed
from quantiles.
"""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.cluster.merging.distributions import added, of_second, quantiles, with_lost
from webdyno.cluster.merging.layers import http2_of, tls_of, websocket_of
from webdyno.cluster.orders.part_result import PartResult
from webdyno.generators.result import ChangesMade, DistinctAnswers, GeneratorSpent, LoadResult
from webdyno.generators.spread import Spread
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail, RequestRecord, SecondOfLoad


def merged(parts: Sequence[PartResult]) -> LoadResult:
    """One result of all `parts` of a load, in the order of their numbers.

    Raises `ValueError` where they are not parts of one load, and one of `UNREADABLE` of
    `store.histograms` for what is no histogram.
    """
    _refuse_strangers(parts)
    first = parts[0]
    counts = sum((part.counts for part in parts), RequestCounts())
    elapsed_s = max(part.elapsed_s for part in parts)
    encoded = {name: [part.histograms[name] for part in parts] for name in first.histograms}
    with_lost_us = [part.latency_with_lost_us for part in parts if part.latency_with_lost_us]
    lost = sum(one.lost for one in with_lost_us)
    return LoadResult(
        started_unix_s=min(part.started_unix_s for part in parts),
        start_late_us=max((part.start_late_us or 0.0) for part in parts),
        stopped_early=any(part.stopped_early for part in parts),
        elapsed_s=elapsed_s,
        throughput_rps=counts.ok / elapsed_s if elapsed_s > 0 else 0.0,
        ok_after_end=sum(part.ok_after_end for part in parts),
        counts=counts,
        latency_us=quantiles(encoded["from_intended"], [part.latency_us for part in parts]),
        longest_unfinished_us=max(
            (us for part in parts if (us := part.longest_unfinished_us) is not None), default=None
        ),
        latency_from_send_us=quantiles(
            encoded["from_send"], [part.latency_from_send_us for part in parts]
        ),
        latency_with_lost_us=with_lost(encoded["from_intended"], lost) if with_lost_us else None,
        send_lag_us=quantiles(encoded["send_lag"], [part.send_lag_us for part in parts]),
        first_byte_us=quantiles(
            [part.merging.first_byte for part in parts], [part.first_byte_us for part in parts]
        ),
        connect_us=quantiles(
            [part.merging.connect for part in parts], [part.connect_us for part in parts]
        ),
        histograms={name: added(of_parts) for name, of_parts in encoded.items()},
        series=_series(parts),
        by_request=_by_request(parts),
        errors_detail=_errors_detail(parts),
        bytes_received=sum(part.bytes_received for part in parts),
        bytes_sent=sum(part.bytes_sent for part in parts),
        connections_opened=sum(part.connections_opened for part in parts),
        connections_closed_idle=sum(part.connections_closed_idle for part in parts),
        reset_kept_alive=sum(part.reset_kept_alive for part in parts),
        connections_unsolicited=sum(part.connections_unsolicited for part in parts),
        protocol=first.protocol,
        tls=tls_of(parts),
        http2=http2_of(parts),
        websocket=websocket_of(parts),
        spread=Spread.of_parts([part.spread for part in parts if part.spread]),
        generator=_generator(parts, counts.sent),
        distinct=_distinct(parts),
        changes=_changes(parts),
        samples=sorted(
            (sample for part in parts for sample in part.samples), key=lambda one: one.at_s
        ),
    )


def _refuse_strangers(parts: Sequence[PartResult]) -> None:
    if not parts:
        raise ValueError("a load has at least one part")
    alike: dict[str, list[object]] = {
        "protocol": [part.protocol for part in parts],
        "requests": [[one.name for one in part.by_request] for part in parts],
        "changes of state": [part.changes.changes for part in parts],
        "model": [part.latency_with_lost_us is None for part in parts],
    }
    for what, of in alike.items():
        if any(one != of[0] for one in of):
            raise ValueError(f"the parts differ in their {what}: they are not of one load")


def _series(parts: Sequence[PartResult]) -> list[SecondOfLoad]:
    """A row a second. A part whose last seconds were empty may have fewer."""
    seconds: dict[int, list[tuple[SecondOfLoad, str]]] = {}
    for part in parts:
        for row, encoded in zip(part.series, part.merging.series, strict=True):
            seconds.setdefault(row.second, []).append((row, encoded))
    return [of_second(second, rows) for second, rows in sorted(seconds.items())]


def _by_request(parts: Sequence[PartResult]) -> list[RequestRecord]:
    records = []
    for index, first in enumerate(parts[0].by_request):
        named = [part.by_request[index] for part in parts]
        encoded = [part.merging.by_request[index] for part in parts]
        latencies = [one.latency_us for one in named if one.latency_us is not None]
        records.append(
            RequestRecord(
                name=first.name,
                counts=_summed([one.counts for one in named]),
                latency_us=quantiles(encoded, latencies),
            )
        )
    return records


def _summed(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    kinds = dict.fromkeys(kind for one in counts for kind in one)
    return {kind: sum(one.get(kind, 0) for one in counts) for kind in kinds}


def _distinct(parts: Sequence[PartResult]) -> list[DistinctAnswers]:
    """Each part has looked for repeats among its own answers."""
    by_request: dict[str, DistinctAnswers] = {}
    for one in (one for part in parts for one in part.distinct):
        known = by_request.get(one.request)
        by_request[one.request] = one if known is None else _both(known, one)
    return list(by_request.values())


def _both(one: DistinctAnswers, other: DistinctAnswers) -> DistinctAnswers:
    return DistinctAnswers(
        request=one.request,
        answers=one.answers + other.answers,
        kept=one.kept + other.kept,
        one_in=max(one.one_in, other.one_in),
        repeated=one.repeated + other.repeated,
    )


def _changes(parts: Sequence[PartResult]) -> ChangesMade:
    """Every part was told of the same changes; which counts it saw followed is its own."""
    followed = sum(part.changes.counts_followed for part in parts)
    return parts[0].changes.model_copy(update={"counts_followed": followed})


def _errors_detail(parts: Sequence[PartResult]) -> list[ErrorDetail]:
    """Alike ones together, the most frequent first."""
    by_detail: dict[tuple[str, str, str], ErrorDetail] = {}
    for line in (line for part in parts for line in part.errors_detail):
        key = (line.kind, line.request or "", line.detail)
        before = by_detail[key].count if key in by_detail else 0
        by_detail[key] = by_detail.get(key, line).model_copy(update={"count": before + line.count})
    return sorted(by_detail.values(), key=lambda line: -line.count)


def _generator(parts: Sequence[PartResult], sent: int) -> GeneratorSpent:
    spent = [part.generator for part in parts]
    cpu_seconds = sum(one.cpu_seconds for one in spent)
    return GeneratorSpent(
        threads=sum(one.threads for one in spent),
        cpu_seconds=cpu_seconds,
        cpu_user_s=sum(one.cpu_user_s for one in spent),
        cpu_system_s=sum(one.cpu_system_s for one in spent),
        cpu_us_per_request=cpu_seconds * 1e6 / sent if sent else 0.0,
        cpus=[],
        cpu_seconds_by_thread=[seconds for one in spent for seconds in one.cpu_seconds_by_thread],
        reactor=", ".join(dict.fromkeys(one.reactor for one in spent)),
        late_own=sum(one.late_own for one in spent),
        late_waited=sum(one.late_waited for one in spent),
    )
