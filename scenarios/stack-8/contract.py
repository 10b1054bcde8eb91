"""What an answer of the stack must be, at each depth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from webdyno.verifier import media_problem
from webdyno.verifier.html import NotHtml, Token, difference, tokens
from webdyno.verifier.jsonp import NotJsonp, unwrap

JSONP, LOGGER, STATIC, BODY, SESSION, I18N, CSRF, TEMPLATE = range(1, 9)
"""The depth from which each middleware is there."""

LANGUAGES = ("en", "de", "zh")
FALLBACK = "en"
NOBODY = "World"

RISING = 0.75
"""The part of pairs of answers that shows it."""

Answer = dict[str, Any]


def freshened(path: Path, word: str) -> str:
    """The greeting in the translations at `path`, with `word` put into it.

    Words are of one length in every trial, so that all answers weigh the same.
    """
    translations = json.loads(path.read_text(encoding="utf-8"))
    translations["greeting"] += f" <{word}>"
    path.write_text(json.dumps(translations, ensure_ascii=False), encoding="utf-8")
    return str(translations["greeting"])


class Wrong(Exception):
    """An answer is not what the contract says."""


class Contract:
    """The contract at one depth. `translations` are the greetings, by language."""

    def __init__(self, depth: int, translations: Mapping[str, str]) -> None:
        self.depth = depth
        self.translations = translations

    def parts(self) -> str:
        """What an answer consists of, in words."""
        parts = ["JSONP" if self.depth >= JSONP else "JSON"]
        for depth, part in (
            (BODY, "the form's name"),
            (SESSION, "visits"),
            (I18N, "greeting"),
            (CSRF, "token"),
            (TEMPLATE, "page"),
        ):
            if self.depth >= depth:
                parts.append(part)
        return ", ".join(parts)

    def told(self, status: int, content_type: str, body: bytes, callback: str) -> Any:
        """The value in an answer. Raises `Wrong` where it is not of the form that is due."""
        try:
            if self.depth >= JSONP:
                return unwrap(status, content_type, body, callback)
        except NotJsonp as error:
            raise Wrong(str(error)) from None
        if status != 200:
            raise Wrong(f"answered {status}: {body[:80]!r}")
        if problem := media_problem(content_type, "application/json"):
            raise Wrong(problem)
        try:
            return json.loads(body.decode("utf-8"))
        except ValueError as error:
            raise Wrong(f"no JSON ({error}): {body[:120]!r}") from None

    def check(self, told: Any, method: str, name: str, language: str) -> Answer:
        """Compare the value in an answer with what is due. Raises `Wrong`."""
        if not isinstance(told, dict):
            raise Wrong(f"not an object: {told!r:.80}")
        expected: Answer = {"name": name if self.depth >= BODY and method == "POST" else NOBODY}
        if self.depth >= SESSION:
            expected["visits"] = told.get("visits")
            if type(expected["visits"]) is not int or expected["visits"] < 1:
                raise Wrong(f"visits is {expected['visits']!r}")
        if self.depth >= I18N:
            expected["greeting"] = self._greeting(expected["name"], language)
        if self.depth >= CSRF and method == "GET":
            expected["token"] = told.get("token")
            if not isinstance(expected["token"], str) or len(expected["token"]) < 16:
                raise Wrong(f"token is {expected['token']!r}")
        if self.depth >= TEMPLATE:
            expected["page"] = told.get("page")
        if list(told) != list(expected):
            raise Wrong(f"the keys are {', '.join(told)}; they should be {', '.join(expected)}")
        for key, value in expected.items():
            if told[key] != value:
                raise Wrong(f"{key} is {told[key]!r}, not {value!r}")
        if self.depth >= TEMPLATE:
            self._check_page(expected, language)
        return expected

    def _greeting(self, name: str, language: str) -> str:
        return self.translations[language].replace("{{name}}", name)

    def _check_page(self, answer: Answer, language: str) -> None:
        article = (("class", "greeting"), ("lang", language))
        expected = [
            Token("open", "article", article),
            *element("h1", answer["greeting"]),
            *element("p", str(answer["visits"])),
            Token("close", "article"),
        ]
        try:
            problem = difference(tokens(str(answer["page"])), expected)
        except NotHtml as error:
            problem = str(error)
        if problem:
            raise Wrong(f"page: {problem}")


class CountedVisit(NamedTuple):
    """The visits in an answer, and when it was asked for and answered."""

    asked_s: float
    answered_s: float
    visits: int


def not_rising(seen: Sequence[CountedVisit]) -> str | None:
    """Why the visits of one session are not counted from one answer to the next; None where they
    are, as far as these tell.

    Of requests at a time some may be lost, and a slow one sets the count back, so that single
    answers prove nothing. But most of those that were asked for after another was answered show
    more visits than that; of answers that were kept about half do, or none.
    """
    pairs = [(a, b) for a, b in permutations(seen, 2) if a.answered_s <= b.asked_s]
    more = sum(a.visits < b.visits for a, b in pairs)
    if more >= RISING * len(pairs):
        return None
    return f"of {len(pairs)} pairs of answers, the later one shows more visits in {more}"


def element(name: str, text: str) -> list[Token]:
    """An element that holds `text` alone."""
    return [Token("open", name), Token("text", text), Token("close", name)]
