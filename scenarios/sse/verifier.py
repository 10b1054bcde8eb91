"""`GET /events?n=N&tag=TAG&gap=GAP` answers N server-sent events; see scenario.toml.

Each event says when it was made and for whom, so that none can be kept or taken from another
client. That events are not gathered is seen where they come: with a gap between them, each has to
come alone; without one, no two share a chunk.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from webdyno.verifier import Breakdown, Probe, Sample, beside, media_problem, remedies
from webdyno.verifier.stamped import StampedParts

_events = beside(__file__, "events")
problem_of, made_s = _events.problem_of, _events.made_s
_arriving = beside(__file__, "arriving")

# Events of an answer of the load.
LOADED = 20
MEDIA = "text/event-stream"
COUNTS = (1, 2, 9, 10, LOADED, 257)
REFUSED_N = ("", "0", "-1", "1.5", "x", "1e2", "10001")
REFUSED_TAGS = ("", "1" * 17, "1" * 19, "a" * 18, "1" * 17 + "-")
REFUSED_GAPS = ("", "-1", "0.5", "x", "1001")
REFUSED_IDS = ("-1", "x", "1.0", str(LOADED + 1))
# Events that come alone, and by how many milliseconds they are apart. A client that is held up sees
# some together that came apart: it looks again, with larger gaps, before it says so.
ALONE = 6
FLUSH = (
    "make each event after its gap and flush it before the next is made; buffering and compression,"
    " by the framework or by a proxy in front of it, combine events"
)
GAPS_MS = (50, 100, 200, 400, 800)
# Clients at once, and the events of each, with the gap between them.
CLIENTS, SHARED, SHARED_GAP_MS = 24, 8, 5


class Scenario(StampedParts):
    in_a_crowd = True
    media, part, loaded = MEDIA, "event", LOADED
    problem_of, made_us = staticmethod(problem_of), staticmethod(_events.made_us)

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(self._ask(probe, 1, self.tag()))
            self._headers(probe)
        self.expect_each(
            f"answers of {', '.join(map(str, COUNTS))} events are correct to the last byte",
            (self._problem(probe, count) for count in COUNTS),
        )
        self._alone(probe)
        self._in_chunks(probe)
        self._continued(probe)
        if self.phase == "before":
            # Under load there are many others anyway, and the audit knows whose events are whose.
            self._at_once(probe)
            self._left(probe)
        self._refused(probe)
        self.expect_not_found(probe, f"/events-{self.token()}")

    def _ask(
        self, probe: Probe, count: int, tag: str, gap: str = "", after: str | None = None
    ) -> httpx.Response:
        headers = {} if after is None else {"Last-Event-ID": after}
        return probe.get(f"/events?n={count}&tag={tag}{gap}", headers=headers)

    def _problem(self, probe: Probe, count: int, after: int | None = None) -> str | None:
        tag, asked_s = self.tag(), time.time()
        answer = self._ask(probe, count, tag, after=None if after is None else str(after))
        how = f"n={count}" if after is None else f"n={count} after {after}"
        if answer.status_code != 200:
            return f"{how} was answered {answer.status_code}"
        kind = answer.headers.get("content-type", "")
        problem = media_problem(kind, MEDIA) or problem_of(
            answer.content, count, tag, after=after or 0, since_s=asked_s, until_s=time.time()
        )
        return problem and f"{how}: {problem}"

    def _headers(self, probe: Probe) -> None:
        headers = self._ask(probe, LOADED, self.tag()).headers
        length = headers.get("content-length", "not given")
        coding = headers.get("transfer-encoding", "not given")
        self.expect(
            "an answer comes in chunks, without its length",
            length == "not given" and "chunked" in coding.lower(),
            f"content-length: {length}, transfer-encoding: {coding}",
            remedy=remedies.CHUNKED if length == "not given" else remedies.streamed("event"),
        )
        control = headers.get("cache-control", "")
        self.expect(
            "no cache may reuse an answer",
            bool({"no-cache", "no-store"} & {one.strip() for one in control.lower().split(",")}),
            f"cache-control is {control!r}",
            remedy="set the header Cache-Control: no-cache or no-store",
        )

    def _sampled(self, sample: Sample, ahead_s: float) -> tuple[str, str] | None:
        if found := super()._sampled(sample, ahead_s):
            return found
        # A chunk makes a piece at least; one that comes in two parts makes two.
        if sample.pieces is not None and sample.pieces < LOADED:
            return f"{LOADED} events came in {sample.pieces} chunks", FLUSH
        return None

    def _alone(self, probe: Probe) -> None:
        """Each event is made and comes alone: half a gap after the one before, or more."""

        def together(gap_ms: int) -> str | None:
            tag, asked_s = self.tag(), time.time()
            came = self._arrived(probe, f"/events?n={ALONE}&tag={tag}&gap={gap_ms}")
            if problem := problem_of(came.body, ALONE, tag, since_s=asked_s, until_s=time.time()):
                return problem
            # One that stood still may make up for what was due meanwhile.
            disturbed = {
                number
                for number, (one, next_one) in enumerate(itertools.pairwise(came.times_s), 1)
                if probe.clock.stood_still(one - gap_ms / 1e3, next_one)
            }
            for what, times_s in ("came", came.times_s), ("was made", made_s(came.body)):
                for number, (one, next_one) in enumerate(itertools.pairwise(times_s), 1):
                    apart_ms = (next_one - one) * 1e3
                    if apart_ms < gap_ms / 2 and number not in disturbed:
                        return (
                            f"event {number + 1} {what} {apart_ms:.1f} ms after event {number},"
                            f" with a gap of {gap_ms} ms"
                        )
            return None

        problem: str | None = None
        for gap_ms in GAPS_MS:
            problem = together(gap_ms)
            if problem is None:
                break
        self.expect_each("events with a gap between them come one by one", [problem], remedy=FLUSH)

    def _arrived(self, probe: Probe, path: str) -> Any:
        """What comes on one of the probe's connections, which are as old as the load's."""
        with probe.lent() as connected:
            return _arriving.read_on(connected, probe.base_url, path, timeout=probe.longest_s)

    def _in_chunks(self, probe: Probe) -> None:
        path = f"/events?n={LOADED}&tag={self.tag()}"
        came = self._arrived(probe, path)
        most = _events.most_in_one(came.chunks)
        self.expect(
            f"no chunk of an answer of {LOADED} events holds more than one",
            most == 1 and b"".join(came.chunks) == came.body,
            f"{len(came.chunks)} chunks, one with {most} events",
            remedy=FLUSH,
        )

    def _continued(self, probe: Probe) -> None:
        def problems() -> Iterator[str | None]:
            for after in (0, 1, self.random.randint(2, LOADED - 2), LOADED - 1):
                yield self._problem(probe, LOADED, after)

        self.expect_each("an answer continues after the Last-Event-ID", problems())
        status = self._ask(probe, LOADED, self.tag(), after=str(LOADED)).status_code
        self.expect(
            "where no event is left, the answer is 204", status == 204, f"answered {status}"
        )

    def _at_once(self, probe: Probe) -> None:
        """Many clients read at once: each gets its own events."""

        def one(tag: str) -> str | None:
            asked_s = time.time()
            path = f"/events?n={SHARED}&tag={tag}&gap={SHARED_GAP_MS}"
            body = _arriving.read(probe.base_url, path, timeout=probe.timeout).body
            return problem_of(body, SHARED, tag, since_s=asked_s, until_s=time.time())

        tags = [self.tag() for _ in range(CLIENTS)]
        with ThreadPoolExecutor(CLIENTS) as clients:
            self.expect_each(
                f"{CLIENTS} clients at once get their own events", clients.map(one, tags)
            )

    def _refused(self, probe: Probe) -> None:
        def problems() -> Iterator[str | None]:
            tag = self.tag()
            queries = [f"?n={n}&tag={tag}" for n in REFUSED_N]
            queries += [f"?n=1&tag={one}" for one in REFUSED_TAGS]
            queries += [f"?n=1&tag={tag}&gap={gap}" for gap in REFUSED_GAPS]
            queries += [f"?tag={tag}", "?n=1"]
            for query in queries:
                status = probe.get(f"/events{query}").status_code
                yield None if status == 400 else f"/events{query} was answered {status}"
            for after in REFUSED_IDS:
                status = self._ask(probe, LOADED, tag, after=after).status_code
                yield None if status == 400 else f"Last-Event-ID {after} was answered {status}"

        self.expect_each("an invalid n, tag, gap or id is answered 400", problems())

    def _left(self, probe: Probe) -> None:
        """A client that leaves is no matter for the next."""
        path = f"/events?n=10000&tag={self.tag()}&gap=1"
        for _ in range(4):
            came = _arriving.read(probe.base_url, path, timeout=probe.timeout, most=2)
            if len(came.times_s) < 2:
                raise Breakdown(f"GET {path}: it ends after {len(came.body)} bytes")
        self.expect_each(
            "after clients that left in the middle of their events, the next client gets its own",
            [self._problem(probe, LOADED)],
        )
