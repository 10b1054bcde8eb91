"""`GET /stream?n=N&tag=TAG` answers N pieces of 4096 bytes in chunks; see scenario.toml.

Each piece says when it was made. A client that stops reading in the midst of a long answer, and
goes on later, finds in it what the server made meanwhile: no more than buffers hold where it waited
for the client, all that it had time for where it did not.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx

from webdyno.verifier import Probe, beside, media_problem, remedies
from webdyno.verifier.stamped import SLACK_S, StampedParts

_pieces = beside(__file__, "pieces")
PIECE, MOST = _pieces.PIECE, _pieces.MOST
problem_of = _pieces.problem_of
_slowly = beside(__file__, "slowly")

# Pieces of an answer of the load.
LOADED = 60
COUNTS = (1, 2, 15, 16, 17, LOADED, 257)
REFUSED_N = ("", "0", "-1", "1.5", "x", "1e2", str(MOST + 1))
REFUSED_TAGS = ("", "1" * 17, "1" * 19, "a" * 18, "1" * 17 + "-")
# What buffers may hold: a server sends no more before the client reads. Linux keeps up to 6 MB at
# the receiver and 4 MB at the sender, unless it is told otherwise.
AHEAD_BYTES = 16 * 1024 * 1024
PAUSE_S = 0.6


class Scenario(StampedParts):
    in_a_crowd = True
    media, part, loaded = "text/plain", "piece", LOADED
    problem_of, made_us = staticmethod(problem_of), staticmethod(_pieces.made_us)

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(self._ask(probe, 1, self.tag()))
            self._without_length(probe)
        self.expect_each(
            f"answers of {', '.join(map(str, COUNTS))} pieces are correct to the last byte",
            (self._problem(probe, count) for count in COUNTS),
        )
        self._waits(probe)
        self._refused(probe)
        self.expect_not_found(probe, f"/stream-{self.token()}")

    def _ask(self, probe: Probe, count: int, tag: str) -> httpx.Response:
        return probe.get(f"/stream?n={count}&tag={tag}")

    def _problem(self, probe: Probe, count: int) -> str | None:
        tag, asked_s = self.tag(), time.time()
        answer = self._ask(probe, count, tag)
        if answer.status_code != 200:
            return f"n={count} was answered {answer.status_code}"
        kind = answer.headers.get("content-type", "")
        problem = media_problem(kind, "text/plain") or problem_of(
            answer.content, count, tag, since_s=asked_s, until_s=time.time()
        )
        return problem and f"n={count}: {problem}"

    def _without_length(self, probe: Probe) -> None:
        headers = self._ask(probe, LOADED, self.tag()).headers
        length = headers.get("content-length")
        self.expect(
            "an answer comes in chunks, without its length",
            length is None and "chunked" in headers.get("transfer-encoding", "").lower(),
            f"content-length is {length}" if length else "the answer is not chunked",
            remedy=remedies.streamed("piece") if length else remedies.CHUNKED,
        )

    def _waits(self, probe: Probe) -> None:
        """What comes long after a pause was made after it."""
        tag = self.tag()
        place = AHEAD_BYTES // PIECE
        with probe.lent() as connected:
            read = _slowly.read(
                connected,
                urlsplit(probe.base_url).netloc,
                f"/stream?n={2 * place}&tag={tag}",
                timeout=probe.longest_s,
                pause=lambda: probe.clock.sleep(PAUSE_S),
                pieces=place + 1,
            )
        made_s = _pieces.made_s(read.last)
        self.expect(
            f"the server waits for a client that stops reading for {PAUSE_S:g} s: what comes"
            f" {AHEAD_BYTES >> 20} MiB later was made after it read on",
            made_s is not None and made_s >= read.resumed_s - SLACK_S,
            f"piece {place} is {read.last[:60]!r}"
            if made_s is None
            else f"piece {place} was made {read.resumed_s - made_s:.3f} s before that",
            remedy=""
            if made_s is None
            else "wait until the connection takes a piece before the next is made: await the"
            " write or its drain; a proxy in front of the server must not buffer the answer either",
        )
        self.expect_each(
            "the pieces of an answer that is read slowly are right",
            [problem_of(read.body, place + 1, tag, since_s=read.asked_s,
                        until_s=time.time())],
        )  # fmt: skip

    def _refused(self, probe: Probe) -> None:
        def problems() -> Iterator[str | None]:
            queries = [f"?n={n}&tag={self.tag()}" for n in REFUSED_N]
            queries += [f"?n=1&tag={tag}" for tag in REFUSED_TAGS]
            queries += [f"?tag={self.tag()}", "?n=1"]
            for query in queries:
                status = probe.get(f"/stream{query}").status_code
                yield None if status == 400 else f"/stream{query} was answered {status}"

        self.expect_each("an invalid n or tag is answered 400", problems())
