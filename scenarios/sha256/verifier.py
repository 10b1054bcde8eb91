"""`GET /benchmark?n=N` reads a file and answers the N-th digest of a chain over it.

The file is random and fresh in every trial, and it changes behind the server's back: replaced by
rename, rewritten in place, rewritten in place with its times put back, and written through a
memory mapping, where neither a time stamp moves nor a file watcher wakes. A server that keeps the
content, or answers by N, is then out of date.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import httpx

from webdyno.claims.hashing import is_the_processors_own, this_machine
from webdyno.verifier import (
    Change,
    Preparation,
    Probe,
    Sample,
    Spent,
    Verifier,
    beside,
    media_problem,
)

_digests = beside(__file__, "digests")
digest, digests = _digests.digest, _digests.digests
hashed_file = beside(__file__, "hashed_file")
FILE_BYTES = hashed_file.FILE_BYTES

LARGEST = 100_000
# Wrapped to 8, 16, 32 or 64 bits, or read up to the first odd character, most are a valid n.
BAD = ("0", "-1", "100001", f"{2**32 + 1}", f"{2**64 + 1}", "1.5", "1e3", "5abc", "0x10", "abc", "")
# One round over the file, times this, is the shortest time that a round can honestly take.
FASTEST = 1 / 3
# Of the changes to a file that was written to, this part comes by a rename: a third of all.
RENAMES = 1 / 2
# The same of CPU time, under a load that hashes for seconds: half of it is surely too little.
LEAST_SHARE = 1 / 2
# CPU time of a load's rounds below which a process's clock says too little.
WORTH_WEIGHING_S = 0.05
QUICK = 1000  # rounds: up to here an answer takes milliseconds
# Changes under load have every digest computed anew: up to here that takes milliseconds.
MOVING = 10_000
READ = "read the whole file in every request; neither its times nor a watcher reveal every change"
ROUNDS = "hash the whole content again in each round of each request, then the previous digest"


class Scenario(Verifier):
    bounds: ClassVar = {"n_min": (1, LARGEST), "n_max": ("n_min", LARGEST), "n_values": (1, None)}
    in_a_crowd = True

    content: bytes
    expected: dict[str, str]
    earlier: dict[str, set[str]]

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.file = hashed_file.HashedFile(self.work / "file.bin")

    def prepare(self) -> Preparation:
        low = self.whole("n_min")
        high = self.whole("n_max")
        self.content = self.random.randbytes(FILE_BYTES)
        self.file.rewrite(self.content)
        span = range(low, high + 1)
        drawn = self.random.sample(span, min(len(span), self.whole("n_values")))
        self.expected = digests(self.content, drawn)
        self.earlier = {n: set() for n in self.expected}
        return Preparation(
            env={"WEBDYNO_FILE": str(self.file.path)},
            variables={"n": {"kind": "choice", "values": list(self.expected)}},
            lookups={"n": self.expected},
        )

    def verify(self, probe: Probe) -> None:
        self._answers(probe)
        if self.phase == "before":
            self._large(probe)
        self._bad(probe)
        self.expect_not_found(probe, f"/benchmark-{self.token()}")
        self._swaps(probe)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.file.unmap()
        self.expect_samples(samples)
        values = len({s.variables["n"] for s in samples})
        self.expect_each(
            f"{len(samples)} answers of the load are right, for {values} values of n",
            (self._sampled(sample, sample.variables["n"]) for sample in samples),
        )

    def change(self) -> Change | None:
        """One byte of the file is another: of no read half can be old, half new.

        It is written through a mapping, where no time stamp tells of it, or comes by a rename. Each
        file is written to before another takes its place, so that a short load sees both.
        """
        values = [int(n) for n in self.expected]
        if max(values) > MOVING:
            return None
        content = bytearray(self.content)
        place = self.random.randrange(FILE_BYTES)
        content[place] ^= self.random.randint(1, 255)
        renamed = self.file.is_mapped and self.random.random() < RENAMES
        if not renamed:
            self.file.map()
        expected = digests(bytes(content), values)

        def make() -> None:
            if renamed:
                self.file.unmap()
                self.file.replace(bytes(content))
            else:
                self.file.map()[place] = content[place]
            for n, was in self.expected.items():
                self.earlier[n].add(was)
            self.content, self.expected = bytes(content), expected

        return Change(make, variable="n", expected=expected)

    def account(self, spent: Spent) -> None:
        """Every answer costs its rounds: of CPU time, which cannot be hidden as waiting can."""
        values = [int(value) for value in self.expected]
        if not is_the_processors_own() or not spent.answers:
            return
        # Each answer's n is drawn from the same values, so that their mean is known to this much.
        luck = 6 * statistics.pstdev(values) / spent.answers**0.5
        rounds = max(min(values), statistics.fmean(values) - luck)
        speed = this_machine()
        least_s = spent.answers * rounds * FILE_BYTES / speed
        if least_s < WORTH_WEIGHING_S:
            return
        each, least = (1e6 * time_s / spent.answers for time_s in (spent.server_cpu_s, least_s))
        self.expect(
            "the answers of the load cost the CPU time of their rounds",
            spent.server_cpu_s >= LEAST_SHARE * least_s,
            f"{each:.0f} µs each; {rounds:.1f} rounds over 16 kB take {least:.0f} µs at the"
            f" {speed / 1e9:.2f} GB/s of this machine",
            remedy=ROUNDS,
        )

    def _sampled(self, sample: Sample, n: str) -> str | None:
        kind, body = sample.header("content-type"), sample.body.decode("latin-1")
        # When it was right the engine knows, which compares every answer.
        expected = body if body in self.earlier[n] else self.expected[n]
        return problem(sample.status, kind, sample.body, n, expected)

    def _ask(self, probe: Probe, n: int, content: bytes) -> str | None:
        return wrong(probe.get(f"/benchmark?n={n}", timeout=60.0), n, content)

    def _answers(self, probe: Probe) -> None:
        self.expect_http(probe.get("/benchmark?n=1"))
        chosen = [1, 2, 3, *sorted(self.random.sample(range(4, 255), 8)), 255, 256]
        chosen += [256 + self.random.randint(1, 255), 512 + self.random.randint(1, 255)]
        self.expect_each(
            f"the digest is right for n = {', '.join(map(str, chosen))}",
            (self._ask(probe, n, self.content) for n in chosen),
        )

    def _large(self, probe: Probe) -> None:
        n = 65536 + self.random.randint(1, 16)
        started = time.perf_counter()
        answer = probe.get(f"/benchmark?n={n}", timeout=60.0)
        took = time.perf_counter() - started
        self.expect_each(f"the digest is right for n = {n}", [wrong(answer, n, self.content)])
        if not is_the_processors_own():
            return
        honest = FILE_BYTES / this_machine() * n
        self.expect(
            "every round hashes the whole file",
            took >= honest * FASTEST,
            f"n = {n} took {took:.2f} s; hashing 16 kB {n} times takes {honest:.2f} s here",
            remedy=ROUNDS,
        )

    def _bad(self, probe: Probe) -> None:
        queries = [*(f"?n={value}" for value in BAD), ""]
        answers = ((query, probe.get(f"/benchmark{query}")) for query in queries)
        self.expect_each(
            f"an n that is missing or not in 1..{LARGEST} is answered 400",
            (
                f"/benchmark{query} was answered {answer.status_code}: {answer.text[:70]}"
                for query, answer in answers
                if answer.status_code != 400
            ),
            remedy="accept nothing but decimal digits, and check the range before converting to"
            " a narrower type",
        )

    def _swaps(self, probe: Probe) -> None:
        """Change the file in four ways; the same n must then give another digest."""
        # One of the load's own values, so that a cache it has filled is asked; a quick one.
        values = sorted(map(int, self.expected))
        n = self.random.choice([v for v in values if v <= QUICK] or values[:1])
        ways: list[tuple[str, Callable[[bytes], object]]] = [
            ("replaced by rename", self.file.replace),
            ("rewritten in place", self.file.rewrite),
            ("rewritten in place with its times put back", self.file.rewrite_quietly),
        ]
        try:
            self.expect_each(
                f"the unchanged file gives the digest for n = {n}", self._asked(probe, n)
            )
            for way, write in ways:
                write(self.random.randbytes(FILE_BYTES))
                self._follows(probe, n, way)
            self._through_mapping(probe, n)
        finally:
            self.file.replace(self.content)

    def _follows(self, probe: Probe, n: int, way: str) -> None:
        kept = "; the content or the answer seems to be cached"
        self.expect_each(
            f"the answer follows the file {way}",
            (stale and stale + kept for stale in self._asked(probe, n)),
            remedy=READ,
        )

    def _asked(self, probe: Probe, n: int) -> Iterator[str | None]:
        # On all connections, since each worker process may keep a copy of its own, and twice,
        # since a cache that is filled at the second request shall be full at the next change.
        return (self._ask(probe, n, self.file.read()) for _ in range(8))

    def _through_mapping(self, probe: Probe, n: int) -> None:
        with self.file.mapped() as mapping:
            # The first write makes the pages dirty and may move the time of change. Until they are
            # written back, seconds later, further writes are seen by nothing but a read.
            for _ in range(2):
                mapping[:] = self.random.randbytes(FILE_BYTES)
                self._follows(probe, n, "written through a memory mapping")


def wrong(answer: httpx.Response, n: int, content: bytes) -> str | None:
    """What is wrong with the server's answer for `n` when the file holds `content`."""
    kind = answer.headers.get("content-type", "")
    return problem(answer.status_code, kind, answer.content, str(n), digest(content, n))


def problem(status: int, content_type: str, body: bytes, n: str, expected: str) -> str | None:
    """What is wrong with the answer for `n`; None where it is right."""
    if status != 200:
        return f"n={n} was answered {status}: {body[:70]!r}"
    if body != expected.encode():
        return f"n={n} was answered {body[:70]!r}, not {expected}"
    return media_problem(content_type, "text/plain")
