"""What the two versions answer differently to the same questions.

Version A is asked twice, as itself and as the control: what differs between those two changes by
itself, and is not held against B.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

from webdyno.catalog.descriptions.description import AnswerRules
from webdyno.printable import one_line
from webdyno.report.numbers import counted
from webdyno.store.document import described
from webdyno.store.findings import QuestionAnswerRecord
from webdyno.verdict.comparison.answer_differences import OF_THE_MOMENT, by_name
from webdyno.verifier.base import shorten
from webdyno.words import listed

_OF_THE_BODY = frozenset({"header content-length", "header etag", "header content-md5"})
"""What follows from the body, and changes with whatever changes in it."""

_WRITTEN, _ETAG = "header last-modified", "header etag"

MOST_DIFFERENCES = 5
"""Of what differs in the answers, and of other lists in a conclusion, that are told."""

_SHOWN = 80
_INDEX = re.compile(r"\[\d+\]")


@described
@dataclass(frozen=True)
class VersionDifference:
    """Something that the versions answer differently."""

    question: str
    """The request."""
    what: str
    """`status`, `header NAME`, `body`, or `body PATH` of JSON."""
    a: str
    """What A has, cut to be shown."""
    b: str
    """What B has, cut to be shown."""

    def sentence(self) -> str:
        """One line."""
        return f"{self.question}: {self.what}: {self.a} in A, {self.b} in B"


@described
@dataclass(frozen=True)
class AnswersCompared:
    """What the two versions answer to the same requests."""

    questions: int
    """Requests that both were asked; 0 where answers were not compared."""
    differences: list[VersionDifference] = field(default_factory=list)
    """All that differs."""
    restless: list[str] = field(default_factory=list)
    """Left out of the comparison, because A differs from itself in it, or because it follows from
    when each version's copy of a file was written."""
    must_match: bool = False
    """Whether B is worse for a difference."""
    unused_rules: list[str] = field(default_factory=list)
    """Of what may differ, the rules that match nothing in any answer: `ignore_json 'user.id'`."""

    @property
    def fault(self) -> str:
        """Why B is worse for what it answers; empty where it is not."""
        if not (self.must_match and self.differences):
            return ""
        return f"its answers differ from A's in {counted(len(self.differences), 'place')}"


def differences_told(compared: AnswersCompared) -> list[str]:
    """A line that says so where the answers differ, and one for each of the first kinds."""
    differences = compared.differences
    if not differences:
        return []
    # What differs in each element of an array is told once: the lines are for what else does.
    kinds: dict[tuple[str, str], list[VersionDifference]] = {}
    for one in differences:
        kinds.setdefault((one.question, _anywhere(one.what)), []).append(one)
    lines = [f"The answers differ in {counted(len(differences), 'place')}:"]
    for (_, where), (first, *others) in list(kinds.items())[:MOST_DIFFERENCES]:
        alike = f"; {where} differs in {counted(len(others), 'more place')}" if others else ""
        lines.append(f"- {first.sentence()}{alike}")
    if more := sum(map(len, list(kinds.values())[MOST_DIFFERENCES:])):
        lines.append(f"- and {more} more")
    return lines


def notes_on(compared: AnswersCompared) -> Iterator[str]:
    """What was left out of the comparison by itself, and which rules leave nothing out."""
    if compared.restless:
        shown = listed(compared.restless[:MOST_DIFFERENCES])
        yield f"{shown}: not compared, because it changes by itself or with each copy of a file"
    if rules := compared.unused_rules:
        verb, them = ("matches", "it") if len(rules) == 1 else ("match", "them")
        yield f"{listed(rules)} {verb} nothing in any answer; correct {them}, or leave {them} out"


def compare_answers(
    a: Sequence[QuestionAnswerRecord],
    again: Sequence[QuestionAnswerRecord],
    b: Sequence[QuestionAnswerRecord],
    rules: AnswerRules,
    requests: int = 0,
) -> AnswersCompared:
    """Compare the answers of A and B; `again` are those of A in its control, or none. They are to
    so many `requests`, which were sent in rounds, with other values in each; 0 stands for one
    round. What moves in one round moves in all."""
    differences: list[VersionDifference] = []
    parts = [(_parts(of_a, rules), _parts(of_b, rules)) for of_a, of_b in zip(a, b, strict=False)]
    requests = requests or max(1, len(parts))
    moving_in: list[set[str]] = [set() for _ in range(requests)]
    for place, ((one, _), twin) in enumerate(zip(parts, again, strict=False)):
        moving_in[place % requests] |= set(map(_anywhere, _unlike(one, _parts(twin, rules))))
    restless = dict.fromkeys(what for moving in moving_in for what in sorted(moving))
    for place, (of_a, (one, other)) in enumerate(zip(a, parts, strict=False)):
        of_copies = _of_copies(one, other)
        restless |= dict.fromkeys(of_copies)
        moving = moving_in[place % requests] | set(of_copies)
        if any(what.startswith("body") for what in moving):
            moving |= {"body", *_OF_THE_BODY}
        for what in _unlike(one, other):
            if _anywhere(what) not in moving:
                shown = one.get(what, "not sent"), other.get(what, "not sent")
                # A key of JSON is a stranger's text, as its value is.
                where = one_line(what)
                differences.append(VersionDifference(of_a.question, where, *_apart(*shown)))
    restless_places = list(dict.fromkeys(map(one_line, restless)))
    unused = _unused_rules([*a, *again, *b], rules)
    return AnswersCompared(
        min(len(a), len(b)), differences, restless_places, rules.must_match, unused
    )


def _unused_rules(answers: Sequence[QuestionAnswerRecord], rules: AnswerRules) -> list[str]:
    """The rules that match nothing in `answers`. Those of bodies are left out where one of these
    was not kept, since it may hold what they match."""
    headers = {name for answer in answers for name in by_name(answer.headers)}
    unused = [
        f"ignore_headers '{one}'" for one in rules.ignore_headers if one.lower() not in headers
    ]
    if all(answer.body is not None for answer in answers):
        values = [value for answer in answers for value in _body(answer) or ()]
        paths = {path for path, _ in values if path is not None}
        unused += [
            f"ignore_json '{one}'"
            for one in rules.ignore_json
            if not any(map(_pattern(one).fullmatch, paths))
        ]
        unused += [
            f"ignore_patterns '{one}'"
            for one in rules.ignore_patterns
            if not any(re.search(one, text) for _, text in values)
        ]
    return list(map(one_line, unused)) if answers else []


def _of_copies(a: Mapping[str, str], b: Mapping[str, str]) -> list[str]:
    """What differs since each version has copies of its own of the same files: when they were
    written, and an entity tag of the same kind, which follows from it."""
    unlike = _unlike(a, b)
    if _WRITTEN not in unlike or not all(_is_date(one.get(_WRITTEN, "")) for one in (a, b)):
        return []
    same_body = not any(what.startswith("body") for what in unlike)
    follows = same_body and _ETAG in unlike and _ETAG in a and _ETAG in b
    same_kind = follows and a[_ETAG].startswith("W/") == b[_ETAG].startswith("W/")
    return [_WRITTEN, _ETAG] if same_kind else [_WRITTEN]


def _is_date(value: str) -> bool:
    """Whether it is a date as HTTP has servers write it."""
    try:
        return format_datetime(parsedate_to_datetime(value), usegmt=True) == value
    except (ValueError, OverflowError):
        return False


def _unlike(a: Mapping[str, str], b: Mapping[str, str]) -> list[str]:
    names = dict.fromkeys([*a, *b])
    return [name for name in names if a.get(name) != b.get(name)]


def _parts(answer: QuestionAnswerRecord, rules: AnswerRules) -> dict[str, str]:
    """An answer taken apart into what can differ by itself."""
    ignored = OF_THE_MOMENT | {"keep-alive", *(name.lower() for name in rules.ignore_headers)}
    parts = {"status": str(answer.status)}
    for name, value in by_name(answer.headers).items():
        if name not in ignored:
            parts[f"header {name}"] = value
    leaves = _body(answer)
    if leaves is None:
        parts["body"] = f"{answer.body_bytes} bytes, SHA-256 {answer.body_sha256[:12]}"
        return parts
    left_out = [_pattern(path) for path in rules.ignore_json]
    for path, value in leaves:
        if path is None:
            parts["body"] = _without(value, rules)
        elif not any(pattern.fullmatch(path) for pattern in left_out):
            parts[f"body {path or 'as a whole'}"] = _without(value, rules)
    # The length follows from the body, which may hold what is left out.
    if rules.ignore_json or rules.ignore_patterns:
        for what in _OF_THE_BODY:
            parts.pop(what, None)
    return parts


def _body(answer: QuestionAnswerRecord) -> list[tuple[str | None, str]] | None:
    """Path and text of every value of a JSON body; any other text as a whole, without a path. None
    where the body was not kept, or is no text."""
    try:
        text = None if answer.body is None else answer.body.decode()
    except UnicodeDecodeError:
        text = None
    if text is None:
        return None
    data = _json(text, answer)
    return [(None, text)] if data is None else list(_leaves(data, ""))


def _json(text: str, answer: QuestionAnswerRecord) -> Any:
    """The body as JSON holds it where it is an object or an array; None for all else."""
    if "json" not in by_name(answer.headers).get("content-type", "").lower():
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict | list) else None


def _leaves(data: Any, path: str) -> Iterator[tuple[str, str]]:
    """Path and text of every value; of an empty object or array, itself."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from _leaves(value, f"{path}[{index}]")
    else:
        yield path, json.dumps(data, ensure_ascii=False)


def _pattern(path: str) -> re.Pattern[str]:
    """What `path` stands for: `*` any one key, `[*]` any index, and all that is below."""
    plain = path.removeprefix("$").removeprefix(".")
    expression = re.escape(plain).replace(r"\[\*\]", r"\[\d+\]").replace(r"\*", r"[^.\[]+")
    return re.compile(rf"{expression}(?:[.\[].*)?", re.DOTALL)


def _without(text: str, rules: AnswerRules) -> str:
    for pattern in rules.ignore_patterns:
        text = re.sub(pattern, "", text)
    return text


def _anywhere(what: str) -> str:
    """The place in every element of its arrays: what moves in one moves in the others."""
    return _INDEX.sub("[*]", what)


def _apart(a: str, b: str) -> tuple[str, str]:
    """Both texts from shortly before they part."""
    if max(len(a), len(b)) <= _SHOWN:
        return shorten(a) or "empty", shorten(b) or "empty"
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    start = max(0, (min(len(a), len(b)) if same is None else same) - _SHOWN // 4)
    cut = [("…" if start else "") + shorten(text[start:], _SHOWN) for text in (a, b)]
    return cut[0] or "empty", cut[1] or "empty"
