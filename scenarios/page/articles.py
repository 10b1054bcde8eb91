"""The articles of `GET /page`: how they are drawn, and the page that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from webdyno.verifier.html import Token, page_problem, tokens

WORDS = [
    "engine", "torque", "brake", "shaft", "bearing", "coolant", "throttle", "gauge", "dial",
    "bench", "belt", "pulley", "valve", "piston", "reading", "margin", "drift", "noise",
    "sample", "trial", "morning", "workshop", "driver", "inspector", "apprentice", "road",
    "hill", "winter", "rain", "letter", "number", "figure", "curve", "pencil", "note", "kettle",
    "window", "bicycle", "train", "harbour",
]  # fmt: skip
# Each text holds one of these, so that a template that does not escape, or does it twice, shows.
PROOFS = (
    "a < b & c > d",
    "Smith & Sons",
    'said "no"',
    "the driver's",
    "&amp; so on",
    "<b>not bold</b>",
)
SUMMARY_CHARACTERS = 390


class Article(NamedTuple):
    number: int
    title: str
    author: str
    summary: str

    @classmethod
    def drawn(cls, random: Random, number: int) -> Article:
        """One that no server has seen before."""
        name = " ".join(word.capitalize() for word in random.sample(WORDS, 2))
        return cls(number, _text(random, 30), name, _text(random, SUMMARY_CHARACTERS))


def page(articles: Sequence[Article]) -> list[Token]:
    """The page of these articles, as tokens."""
    entries = "".join(
        '<article class="entry"><h2>T</h2><p class="author">A</p><p>S</p></article>'
        for _ in articles
    )
    texts = iter([text for article in articles for text in article[1:]])
    marks = {"T", "A", "S"}
    return [
        token._replace(value=next(texts))
        if token.kind == "text" and token.value in marks
        else token
        for token in tokens(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            "<title>The Dynamometer News</title></head><body>"
            '<header class="site-header"><h1>The Dynamometer News</h1></header>'
            f"<main>{entries}</main>"
            f'<footer class="site-footer"><p>{len(articles)} articles</p></footer></body></html>'
        )
    ]


def wrong(status: int, content_type: str, body: bytes, expected: list[Token]) -> str | None:
    """What is wrong with an answer; None where it is the page expected."""
    return page_problem(
        status,
        content_type,
        body,
        expected,
        out_of_order="the articles are not in the order of their numbers",
    )


def _text(random: Random, characters: int) -> str:
    text = f"{random.getrandbits(32):08x} {random.choice(PROOFS)}"
    while len(text) < characters:
        text += " " + random.choice(WORDS)
    return text
