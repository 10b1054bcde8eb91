"""Do servers answer the same request alike? What differs is work that only some of them do.

What is said here does not fail a trial: it stands beside the ranking, as "not the same work".
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from webdyno.store.findings import AnswerRecord, DifferenceRecord
from webdyno.store.records import TrialRecord

OF_THE_MOMENT = frozenset({"date", "age", "expires"})
"""Headers that say when an answer was sent."""

PERSONAL = OF_THE_MOMENT | frozenset(
    {"etag", "set-cookie", "last-modified"}
    # What depends on the request, of which each trial draws another.
    | {"content-language", "location"}
)
"""Headers whose values change by themselves: whether they are sent is compared, and their bytes."""

_WHY = {
    "status": "another answer",
    "body": "another answer",
    "date": "HTTP requires it of every server with a clock",
    "etag": "a hash of the answer, computed per request unless it is a file's",
    "set-cookie": "a cookie is created, and usually signed, per answer",
    "content-length": "without it the answer is sent in chunks or ends with its connection",
    "transfer-encoding": "chunks are framed one by one",
    "content-encoding": "compression costs CPU time and saves bytes",
    "vary": "it comes from content negotiation",
}
_SHOWN = 60


@dataclass(frozen=True)
class Captured:
    """One answer: what a server sent for the request that all were sent."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes

    @property
    def size(self) -> int:
        """Bytes of header lines and body; the status line is left out, being the same."""
        return sum(len(name) + len(value) + 4 for name, value in self.headers) + len(self.body)


@dataclass(frozen=True)
class AnswerDifference:
    """Something in which answers differ: who has which value, the most usual one first."""

    what: str
    """`status`, `body`, `size`, or the header's name in lower case."""
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """Values as text (`not sent` for a missing header), each with its servers in order."""
    why: str = ""
    """Why it may be work; empty for a few bytes more or less."""
    sizes: tuple[int, ...] = ()
    """Bytes that it takes in an answer of each group, the longest of it; 0 where it is not sent."""

    def sentence(self) -> str:
        """One line for a report: the usual value, and who departs from it."""
        (usual, _), *others = self.groups
        parts = [f"{value}: {', '.join(servers)}" for value, servers in others]
        line = f"{self.what}: {usual}; but {'; '.join(parts)}"
        return f"{line} ({self.why})" if self.why else line


def differences_of(trials: Iterable[TrialRecord]) -> list[DifferenceRecord]:
    """What servers answer differently, for each scenario and load whose generator keeps answers.

    One answer of each entry is compared, of its first trial that counts: how a server answers does
    not change from trial to trial.
    """
    cells: dict[tuple[str, str], dict[str, AnswerRecord]] = {}
    for trial in sorted(trials, key=lambda trial: trial.index):
        if trial.answer is not None and trial.status == "ok" and not trial.control:
            answers = cells.setdefault(trial.cell, {})
            answers.setdefault(trial.entry, trial.answer)
    return [
        DifferenceRecord(
            scenario=scenario,
            load=load,
            what=difference.what,
            groups=[(value, list(servers)) for value, servers in difference.groups],
            why=difference.why,
            sizes=list(difference.sizes),
        )
        for (scenario, load), answers in cells.items()
        for difference in differences(
            {entry: _captured(answers[entry]) for entry in sorted(answers)},
            same_body=all(one.same_body and one.body is not None for one in answers.values()),
        )
    ]


def _captured(answer: AnswerRecord) -> Captured:
    return Captured(answer.status, answer.headers, answer.body or b"")


def differences(
    answers: Mapping[str, Captured], *, same_body: bool = True
) -> list[AnswerDifference]:
    """What is worth showing as "not the same work", the weightiest first; [] where all agree.

    `answers` holds an answer of each server to one and the same request. Where answers are drawn at
    random, or depend on files that differ from trial to trial, bodies and sizes say nothing: then
    `same_body` is False. Header names and the media type are compared without regard to case.
    """
    if len(answers) < 2:
        return []
    headers = {server: by_name(answer.headers) for server, answer in answers.items()}
    compared = [_difference("status", answers, lambda server: str(answers[server].status))]
    if same_body:
        compared.append(
            _difference(
                "body",
                answers,
                lambda server: _shown(answers[server].body),
                lambda server: len(answers[server].body),
            )
        )
    skipped = frozenset() if same_body else {"content-length"}
    for name in sorted({name for one in headers.values() for name in one} - skipped):
        values = {server: _value(sent, name) for server, sent in headers.items()}
        lines = {server: _line_bytes(answer, name) for server, answer in answers.items()}
        compared.append(_difference(name, answers, values.__getitem__, lines.__getitem__))
    if same_body and any(compared):  # Spaces and repeated names alone are not worth a line.
        compared.append(
            _difference(
                "size",
                answers,
                lambda server: f"{answers[server].size} bytes",
                lambda server: answers[server].size,
            )
        )
    # Sorting keeps the order of equals: what may be work first, then what is only bytes.
    return sorted(filter(None, compared), key=lambda difference: not difference.why)


def _difference(
    what: str,
    servers: Iterable[str],
    value_of: Callable[[str], str],
    size_of: Callable[[str], int] = lambda _server: 0,
) -> AnswerDifference | None:
    by_value: dict[str, list[str]] = {}
    for server in servers:
        by_value.setdefault(value_of(server), []).append(server)
    if len(by_value) < 2:
        return None
    groups = sorted(by_value.items(), key=lambda group: -len(group[1]))
    return AnswerDifference(
        what,
        tuple((value, tuple(members)) for value, members in groups),
        _WHY.get(what, ""),
        tuple(max(map(size_of, members)) for _, members in groups),
    )


def _line_bytes(answer: Captured, name: str) -> int:
    """Bytes of the lines of a header, with the colon, the space and the end of the line."""
    return sum(len(n) + len(value) + 4 for n, value in answer.headers if n.lower() == name)


def by_name(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Values by name in lower case; those of a header that comes more than once are joined."""
    joined: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        joined[key] = f"{joined[key]}, {value}" if key in joined else value
    return joined


def _value(headers: Mapping[str, str], name: str) -> str:
    if name not in headers:
        return "not sent"
    if name in PERSONAL:
        return "sent"
    if name == "content-type":
        # Media types and charsets are the same in any case, and with any space between them.
        return "; ".join(part.strip() for part in headers[name].lower().split(";"))
    return headers[name].strip()


def _shown(body: bytes) -> str:
    """The body as text; a long one by its start, and by a digest that tells it from others."""
    text = repr(body)[1:]
    if len(text) <= _SHOWN:
        return text
    return f"{text[:_SHOWN]}… ({len(body)} bytes, {hashlib.sha256(body).hexdigest()[:8]})"
