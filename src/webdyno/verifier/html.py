"""Reading HTML strictly, as a stream of tokens that can be compared with an expected page.

A browser's parser forgives: it shows `<` and `&` that were never escaped. This one does not,
because escaping is part of the work. White space between tags is free, and so are the quotes and
the order of attributes, the case of names, comments and the way a character is written (`'`,
`&#39;`, `&apos;`): templates differ in them and a reader sees the same page.

HTML5 itself allows much of what was never escaped: the strict parsers of html5lib and justhtml take
`Salt & pepper`, justhtml `1 < 2`, too, so that neither can tell whether that work was done.
"""

from __future__ import annotations

import html
import re
from itertools import pairwise, takewhile
from typing import NamedTuple

from webdyno.verifier.base import media_problem

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr")
)

_NAME = r"[A-Za-z][-A-Za-z0-9:_]*"
_VALUE = r"\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+"
_ATTRIBUTE = re.compile(rf"\s+({_NAME})(?:\s*=\s*({_VALUE}))?")
_TOKEN = re.compile(
    rf"<!--.*?-->|<!(?P<doctype>doctype)\s+(?P<kind>[^>]*)>|</(?P<close>{_NAME})\s*>"
    rf"|<(?P<open>{_NAME})(?P<attributes>(?:\s+{_NAME}(?:\s*=\s*(?:{_VALUE}))?)*)\s*/?>"
    r"|(?P<text>[^<]+)",
    re.DOTALL | re.IGNORECASE,
)
_REFERENCE = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")


class NotHtml(Exception):
    """The text is not well-formed; the message says where, or what was left unescaped."""


class Token(NamedTuple):
    """`kind` is "doctype", "open", "close" or "text"; `value` a name in lower case, or the text;
    `attributes` are in the order of their names."""

    kind: str
    value: str
    attributes: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        if self.kind == "text":
            return f"'{self.value}'"
        if self.kind == "doctype":
            return f"<!doctype {self.value}>"
        given = "".join(f' {name}="{value}"' for name, value in self.attributes)
        return f"</{self.value}>" if self.kind == "close" else f"<{self.value}{given}>"


def tokens(page: str) -> list[Token]:
    """The tokens of `page`, without comments and white space between tags. Raises `NotHtml`."""
    stream: list[Token] = []
    at = 0
    while at < len(page):
        match = _TOKEN.match(page, at)
        if match is None:
            if ">" not in page[at:]:
                raise NotHtml(
                    "the page ends inside a tag, or a '<' was not escaped:"
                    f" '{page[max(0, at - 40) : at + 40]}'"
                )
            raise NotHtml(
                "a '<' does not open a well-formed tag; probably not escaped: "
                f"'{page[at : at + 60]}'"
            )
        at = match.end()
        if (name := match["open"]) is not None:
            stream.append(Token("open", name.lower(), _attributes(match["attributes"])))
        elif (name := match["close"]) is not None:
            if name.lower() not in VOID:
                stream.append(Token("close", name.lower()))
        elif match["doctype"] is not None:
            stream.append(Token("doctype", match["kind"].strip().lower()))
        elif match["text"] is not None and (text := match["text"].strip()):
            stream.append(Token("text", unescape(text)))
    return stream


def unescape(text: str) -> str:
    """`text` with its character references resolved. Raises `NotHtml` for a bare `&`."""
    at = text.find("&")
    while at >= 0:
        reference = _REFERENCE.match(text, at)
        if reference is None:
            raise NotHtml(f"a '&' was not escaped: '{text[at : at + 60]}'")
        at = text.find("&", reference.end())
    return html.unescape(text)


def difference(actual: list[Token], expected: list[Token]) -> str | None:
    """The first place where two streams of tokens differ, in words; None where they are equal."""
    for index, token in enumerate(expected):
        if index >= len(actual):
            return f"the page ends where {_start(token)} is expected{_after(actual)}"
        if actual[index] != token:
            return _divergence(actual[index], token, _after(actual[:index]))
    if len(actual) > len(expected):
        return f"{_start(actual[len(expected)])} comes after the expected end of the page"
    return None


def _start(token: Token) -> str:
    text = str(token)
    return text if len(text) <= 80 else text[:79] + "…"


def _after(before: list[Token]) -> str:
    """Where a place is that these tokens stand before: after which text."""
    texts = (token for token in reversed(before) if token.kind == "text")
    last = next(texts, None)
    return f", after {_start(last)}" if last else ""


def _divergence(actual: Token, expected: Token, place: str) -> str:
    """How two tokens differ, at `place`: of texts that begin alike, where they part."""
    a, b = actual.value, expected.value
    part = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    if actual.kind != "text" or expected.kind != "text" or part < 20:
        return f"{_start(actual)} instead of {_start(expected)}{place}"
    return (
        f"after '{a[part - 20 : part]}' the text is '{a[part : part + 40]}' "
        f"instead of '{b[part : part + 40]}'"
    )


def _attributes(text: str) -> tuple[tuple[str, str], ...]:
    pairs = [(name.lower(), value) for name, value in _ATTRIBUTE.findall(text)]
    names = sorted(name for name, _ in pairs)
    if twice := next((one for one, other in pairwise(names) if one == other), None):
        raise NotHtml(f"a tag has the attribute {twice} twice: '{text.strip()[:60]}'")
    return tuple(sorted((name, unescape(_unquoted(value))) for name, value in pairs))


def _unquoted(value: str) -> str:
    return value[1:-1] if value[:1] in ("'", '"') else value


def page_problem(
    status: int, content_type: str, body: bytes, expected: list[Token], *, out_of_order: str
) -> str | None:
    """What is wrong with an answer; None where it is the page `expected`. `out_of_order` is said of
    one that shows the same in another order."""
    if status != 200:
        return f"answered {status}: {body[:60]!r}"
    if problem := media_problem(content_type, "text/html"):
        return problem
    try:
        shown = tokens(body.decode("utf-8"))
    except (NotHtml, UnicodeDecodeError) as error:
        return str(error)
    problem = difference(shown, expected)
    if problem and sorted(shown) == sorted(expected):
        return f"{out_of_order}: {problem}"
    return problem
