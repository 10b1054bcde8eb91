"""`POST /upload` answers the SHA-256 of the body and its length; scenario.toml holds the contract.

Each body of the load begins with a number of its own. The hash's state after the first block is
then another for each, so that all of the body has to be hashed again, although the rest of it is
the same: neither a digest nor a part of one can be kept. Nor can what the hash makes of each block
by itself: between number and rest stand 1 to 64 more bytes, so that blocks begin elsewhere. Nor
can the rest be taken from an earlier body: at some places of it, drawn for each trial, stand marks
drawn for each body. That all of it must be read is shown by bodies which differ from the load's in
one byte at a random place, sent in the midst of the load.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

import httpx

from webdyno.verifier import Preparation, Probe, Sample, Verifier, media_problem

LEAST, MOST = 1024, 16 * 1024 * 1024
DIGITS = 18
BLOCK = 64
# As many as a request can have beside its number and its shift, of three digits each.
MARKS = tuple(f"mark{number}" for number in range(1, 7))
ANSWER = re.compile(rb"sha256:([0-9a-f]{64}) (0|[1-9][0-9]*)\n?")
TYPE = "application/octet-stream"
# Around the ends of the hash's blocks of 64 bytes, and of buffers that programs read into.
LENGTHS = (0, 1, 55, 56, 63, 64, 65, 119, 4095, 4096, 8193, 65_535, 65_536, 65_537)
# Larger than what frameworks take unasked: 1, 2 or 10 MB are common limits.
LARGE = 12 * 1024 * 1024
# Many frameworks parse forms before a handler is asked, and leave it nothing to read.
URLENCODED = "application/x-www-form-urlencoded"
BOUNDARY = "webdyno-7d1f"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
# A field and a file; Nginx and Puma write bodies of this length to the disk.
FORM = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="b.bin"\r\n'
    "Content-Type: application/octet-stream\r\n\r\n".encode()
    + bytes(range(256)) * 512
    + f"\r\n--{BOUNDARY}--\r\n".encode()
)
# More than those who parse forms take: libraries that count parts stop at 100, 1,000 or 4,096.
PART = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
PARTS = (5000 * PART + f"--{BOUNDARY}--\r\n").encode()
# What could be taken for the end of a body, for text, for JSON or for a form, right or broken.
TRICKY = (
    (TYPE, bytes(range(256)) * 3),
    (TYPE, b"0\r\n\r\nGET /upload HTTP/1.1\r\n\r\n"),
    ("text/plain", b"\r\n0\r\n\r\n"),
    ("text/plain", b"\xef\xbb\xbf\xff\xfe\xc3("),
    ("application/json", b'{"a": 1, "a": 2}\n'),
    ("application/json", b"\x1f\x8b\x08\x00"),
    (None, b"\x00\x00\x00"),
    (None, b"a=1&b=%41+2"),
    (URLENCODED, b"a=1&b=%41+2"),
    (URLENCODED, b"\x00\xff%zz&=&&a[b=1"),
    (MULTIPART, FORM),
    (MULTIPART, PARTS),
    (MULTIPART, FORM[: len(FORM) // 2]),
    (MULTIPART, b"no form\r\n\x00\xff"),
)


def wrong(status: int, content_type: str, body: bytes, sent: Iterable[bytes]) -> str | None:
    """What is wrong with the answer to a body of these parts; None where it is right."""
    if status != 200:
        return f"answered {status}: {body[:70]!r}"
    if problem := media_problem(content_type, "text/plain"):
        return problem
    found = ANSWER.fullmatch(body)
    if found is None:
        return f"answered {body[:90]!r}, not 'sha256:DIGEST LENGTH'"
    hashed, length = hashlib.sha256(), 0
    for part in sent:
        hashed.update(part)
        length += len(part)
    if int(found[2]) != length:
        return f"answered a length of {found[2].decode()} for a body of {length} bytes"
    if found[1].decode() != hashed.hexdigest():
        return f"answered the digest {found[1].decode()} for a body of {hashed.hexdigest()}"
    return None


class Scenario(Verifier):
    bounds: ClassVar = {"bytes": (LEAST, MOST)}
    in_a_crowd = True
    asked_again = 13

    template: str
    """The load's body, with the names of what is drawn in it."""
    shifts: list[str]

    def prepare(self) -> Preparation:
        length = self.whole("bytes") - DIGITS - BLOCK - 3 * len(MARKS)
        # Text, because a template is, and without braces; a hash takes any bytes for as long.
        rest = self.random.randbytes(length // 2 + 1).hex()[:length]
        places = sorted(self.random.sample(range(1, length), len(MARKS)))
        parts = [rest[start:end] for start, end in pairwise([0, *places, length])]
        marks = [*(f"{{{mark}}}" for mark in MARKS), ""]
        marked = "".join(part + mark for part, mark in zip(parts, marks, strict=True))
        self.template = "{number}{shift}" + marked
        self.shifts = [self.token(number) for number in range(1, BLOCK + 1)]
        return Preparation(
            variables={"shift": {"kind": "choice", "values": self.shifts}},
            bodies={"upload": self.template},
        )

    def _body(self, drawn: Mapping[str, str]) -> bytes:
        """The load's body for which these values were drawn."""
        return self.template.format_map(drawn).encode()

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(self._send(probe, b"first"))
            self._lengths(probe)
            self._tricky(probe)
        self._in_pieces(probe)
        self._like_the_loads(probe)
        if self.phase == "before":
            self._large(probe)
        self._by_get(probe)
        self.expect_not_found(probe, f"/upload-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        most = self.whole("bytes")
        self.expect_each(
            f"{len(samples)} answers of the load hold the digest of their own body of"
            f" {most - BLOCK + 1} to {most} bytes",
            (
                wrong(
                    sample.status,
                    sample.header("content-type"),
                    sample.body,
                    [self._body(sample.variables)],
                )
                for sample in samples
            ),
        )

    def _send(
        self, probe: Probe, body: bytes | list[bytes], media: str | None = TYPE
    ) -> httpx.Response:
        """Post `body`: bytes with their length, a list of pieces as so many chunks without one."""
        headers = {} if media is None else {"Content-Type": media}
        return probe.request("POST", "/upload", headers=headers, content=body)

    def _problem(
        self, probe: Probe, body: bytes | list[bytes], media: str | None = TYPE
    ) -> str | None:
        answer = self._send(probe, body, media)
        parts = [body] if isinstance(body, bytes) else body
        kind = answer.headers.get("content-type", "")
        problem = wrong(answer.status_code, kind, answer.content, parts)
        length = sum(map(len, parts))
        how = "" if isinstance(body, bytes) else f" in {len(body)} chunks"
        return problem and f"{length} bytes{how}, {media or 'no type'}: {problem}"

    def _lengths(self, probe: Probe) -> None:
        self.expect_each(
            f"the digest and the length are right for bodies of {', '.join(map(str, LENGTHS))}"
            " random bytes",
            (self._problem(probe, self.random.randbytes(length)) for length in LENGTHS),
        )

    def _tricky(self, probe: Probe) -> None:
        self.expect_each(
            "bodies are hashed byte for byte, whatever their content and Content-Type",
            (self._problem(probe, body, media) for media, body in TRICKY),
            remedy="hash the bytes as they come, before a parser of forms, JSON or text reads them",
        )

    def _in_pieces(self, probe: Probe) -> None:
        def problems() -> Iterator[str | None]:
            for most in (1, 70, 70_000):
                sizes = [self.random.randint(1, most) for _ in range(6)]
                yield self._problem(probe, [self.random.randbytes(size) for size in sizes])
            yield self._problem(probe, [])

        self.expect_each(
            "chunked bodies, without a length, are hashed",
            problems(),
            remedy="read the body to its end, with or without a Content-Length",
        )

    def _like_the_loads(self, probe: Probe) -> None:
        """One byte is another: it has to be read. Before the load it is a byte of the same body,
        which a digest kept by a part of it does not show; after it no number comes twice, as none
        of the load's does."""

        def like() -> bytes:
            drawn = {mark: str(self.random.randint(100, 999)) for mark in MARKS}
            drawn["number"] = str(self.random.randint(10 ** (DIGITS - 1), 10**DIGITS - 1))
            drawn["shift"] = self.random.choice(self.shifts)
            return self._body(drawn)

        def problems() -> Iterator[str | None]:
            first = like()
            yield self._problem(probe, first)
            for _ in range(8):
                body = bytearray(first if self.phase == "before" else like())
                place = self.random.randrange(DIGITS, len(body))
                body[place] ^= 1
                problem = self._problem(probe, bytes(body))
                yield problem and f"where byte {place} differs: {problem}"

        self.expect_each(
            "a body like the load's, and eight which differ from such ones in one byte, have their"
            " own digests",
            problems(),
        )

    def _large(self, probe: Probe) -> None:
        piece = self.random.randbytes(1 << 16)
        pieces = [piece] * (LARGE // len(piece))
        self.expect_each(
            f"a body of {LARGE >> 20} MiB is hashed, too",
            [self._problem(probe, pieces)],
            remedy=f"raise the limit of a body's length to {MOST >> 20} MiB",
        )

    def _by_get(self, probe: Probe) -> None:
        status = probe.get("/upload").status_code
        self.expect("a GET is answered 404 or 405", status in (404, 405), f"answered {status}")
