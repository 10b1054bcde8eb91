"""What a run finds beside its verdicts: unlike answers, and what one more of something costs.

Nanoseconds `_ns` are CPU time of the server for one request.
"""

from __future__ import annotations

import base64
import hashlib

from pydantic import Field, PrivateAttr

from webdyno.store.record import FigureOrNan, Record

MOST_BODY_BYTES = 16_384
"""Bodies longer than this are not kept whole: their size is."""


class AnswerRecord(Record):
    """One answer of the load as it came: the last that the generator kept of a request."""

    request: str
    status: int
    headers: list[tuple[str, str]]
    body_bytes: int
    body_base64: str | None
    """None where the body is longer than `MOST_BODY_BYTES`."""
    same_body: bool
    """Whether the scenario asks the same body of all servers, in every trial."""

    @classmethod
    def of(
        cls,
        request: str,
        status: int,
        headers: list[tuple[str, str]],
        body: bytes,
        *,
        same_body: bool,
    ) -> AnswerRecord:
        """The record of an answer with these parts."""
        short = len(body) <= MOST_BODY_BYTES
        return cls(
            request=request,
            status=status,
            headers=headers,
            body_bytes=len(body),
            body_base64=base64.b64encode(body).decode() if short else None,
            same_body=same_body,
        )

    @property
    def body(self) -> bytes | None:
        """The body; None where it was too long to be kept."""
        return None if self.body_base64 is None else base64.b64decode(self.body_base64)


class QuestionAnswerRecord(Record):
    """An answer to a question that every server of the scenario is asked in the same words, before
    its first load."""

    question: str
    status: int
    headers: list[tuple[str, str]]
    body_bytes: int
    body_sha256: str
    body_base64: str | None
    """None where the body is longer than `MOST_BODY_BYTES`."""
    _whole: bytes | None = PrivateAttr(default=None)
    """A body that is too long to be stored, for whoever compares it at once."""

    @classmethod
    def of(
        cls,
        question: str,
        status: int,
        headers: list[tuple[str, str]],
        body: bytes,
        *,
        whole: bool = True,
    ) -> QuestionAnswerRecord:
        """The record of an answer with these parts. With `whole` it has a long body as well, until
        it is stored."""
        short = len(body) <= MOST_BODY_BYTES
        made = cls(
            question=question,
            status=status,
            headers=headers,
            body_bytes=len(body),
            body_sha256=hashlib.sha256(body).hexdigest(),
            body_base64=base64.b64encode(body).decode() if short else None,
        )
        if whole and not short:
            made._whole = body
        return made

    @property
    def body(self) -> bytes | None:
        """The body; None where it was too long to be kept."""
        if self.body_base64 is None:
            return self._whole
        return base64.b64decode(self.body_base64)


class DifferenceRecord(Record):
    """Something in which servers answer the same request differently: "not the same work"."""

    scenario: str
    load: str
    what: str
    """`status`, `body`, `size`, or a header's name in lower case."""
    groups: list[tuple[str, list[str]]]
    """Values, each with the entries that have it; the most usual one first."""
    why: str = ""
    """Why it may be work; empty for a few bytes more or less."""
    sizes: list[int] = Field(default_factory=list)
    """Bytes that it takes in an answer of each of `groups`, 0 where it is not sent; empty in runs
    that did not count them."""


class CostPoint(Record):
    """The mean cost of a request at one value of the parameter."""

    at: float
    cost_ns: FigureOrNan
    trials: int


class StackStep(Record):
    """What a level of a growing stack costs on top of the level before; None: no interval yet."""

    name: str
    at: float
    cost_ns: FigureOrNan
    low_ns: float | None = None
    high_ns: float | None = None
    blocks: int


class EntryCost(Record):
    """What one more costs one entry. `each_ns` and its interval are those of a slope."""

    entry: str
    points: list[CostPoint]
    each_ns: float | None = None
    low_ns: float | None = None
    high_ns: float | None = None
    none_ns: float | None = None
    """What a request costs with none of it, by the line."""
    misfit_ns: float | None = None
    """How far the costs lie from the line where they are farthest."""
    blocks: int = 0
    steps: list[StackStep] = Field(default_factory=list)


class CostRecord(Record):
    """What one more of something costs, under one load: a slope, or the steps of a stack."""

    scenario: str
    load: str
    parameter: str
    each: str
    confidence: float
    """Of all intervals of the record together."""
    entries: list[EntryCost]


class ServiceRecord(Record):
    """A service that ran beside the server, of its own for each trial; `settings` differ from its
    defaults or are worth knowing."""

    program: str
    version: str
    settings: dict[str, str] = Field(default_factory=dict)


class ServerRecord(Record):
    """What the manifest of an entry's server states, for readers of the report."""

    entry: str
    framework: str
    framework_version: str
    model: str = ""
    processes: str = ""
    threads: str = ""
    pool: str = ""
    all_cores: str = ""
    """The entry of the same server that uses all cores, where this one does not."""
    parts: dict[str, str] = Field(default_factory=dict)
    """What the work goes through, by kind: those that the run's scenarios name, and the heap."""
    commit: str = ""
    """Of the repository that holds its source; empty where none does."""
    modified: bool = False
    """Whether its source differed from that commit."""
