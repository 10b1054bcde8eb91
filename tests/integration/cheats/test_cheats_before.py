"""Servers that cheat from the start are caught before any load is made."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.verifier import Mismatch

# In what the page shows, where it parts from what is expected; some posts are about such names.
ESCAPED = """(the text is '&?|: '.{0,19}&|alt="[^"]*&)(amp|quot|#x27|lt|gt);"""
# Scenario, cheat, and what the message must say.
CAUGHT = [
    ("hello", "other-text", "exactly 'Hello World'.*the body is b'okay'"),
    ("hello", "new-line", r"the body is b'Hello World\\n'"),
    ("hello", "wrong-type", "content-type is 'text/html.*not 'text/plain'"),
    ("hello", "everywhere", "unknown path is answered 404: /hello-.* was answered 200"),
    (
        "hello",
        "by-length",
        r"differs from /hello in one letter is answered 404: .* was answered 200",
    ),
    ("hello", "by-beginning", "in pieces .*: /hello was answered before its last piece was sent"),
    (
        "hello",
        "without-fields",
        "a body that looks like a request of /hello is not .*: GET /hello-.* was answered 200",
    ),
    ("hello", "by-its-bytes", "with a further field .*: GET /hello was answered 404: b'not found'"),
    ("json", "constant", "no answer is repeated.*came more than once"),
    ("json", "same-seed", "no answer is repeated.*came more than once"),
    ("json", "pool", "no answer is repeated.*came more than once"),
    ("json", "counter", "too even to be random"),
    ("json", "half-drawn", "independent of the ten before.*apart are not uniform"),
    (
        "json",
        "half-from-a-table",
        "is drawn independently.*numbers [1-5] and ([6-9]|10) recur together"
        "|steps between values 5 apart are not uniform: .* pairs of .* are alike",
    ),
    ("json", "sums-of-four", "is drawn independently.*6 of the 10 numbers are sums of the others"),
    ("json", "bits-of-four", "is drawn independently.*60 of their 100 bits follow from others"),
    ("json", "narrow", "the values are not uniform"),
    ("json", "out-of-range", r"out of range 0\.\.1000"),
    ("json", "text", 'is "[0-9]+", not an integer'),
    ("json", "nine-keys", "each of the ten keys once.*is missing"),
    ("json", "key-twice", "'Test Number 1' is there more than once"),
    ("json", "wrong-type", "content-type is 'text/html.*not 'application/json'"),
    ("json", "for-browsers-only", "came more than once"),
    ("blog", "by-length", "differs from /blog in one letter is answered 404: /.* answered 200"),
    ("blog", "by-beginning", "in pieces .*/blog was answered before its last piece was sent"),
    ("blog", "same-posts", "drawn anew for each page.*show the same posts"),
    ("blog", "neighbours", "drawn anew for each page.*show the same posts"),
    ("blog", "in-turn", "drawn anew for each page.*show the same posts"),
    ("blog", "with-replacement", "a post appears twice on one page"),
    ("blog", "four-posts", "the page has 4 posts"),
    ("blog", "unescaped", "not escaped|the text is|instead of"),
    ("blog", "unescaped-ampersand", "'&' was not escaped"),
    ("blog", "escaped-twice", ESCAPED + ".* instead of"),
    ("blog", "excerpt", "</article> instead of <p>"),
    ("blog", "shortened", "the text is '' instead of"),
    ("blog", "no-such-images", "there is no image '/images/image-[3-6][0-9].png'"),
    ("blog", "images-not-served", "/images/image-01.png was answered 404"),
    ("blog", "one-image-for-all", "/images/image-02.png differs from the file"),
    ("blog", "no-style", "/css/style.css differs from the file"),
    ("blog", "wrong-alt", '<img alt="a picture" src="[^"]*"> instead of'),
    ("blog", "image-of-post", "a post kept its image"),
    ("blog", "one-image-a-page", "images are not uniform|successive images are not uniform"),
    ("blog", "rendered", "no page is repeated.*were repeated|show the same posts"),
    ("blog", "open-folder", "no file outside static/ is served"),
    ("blog", "wrong-type", "content-type is 'text/plain.*not 'text/html'"),
    ("blog", "latin", "the charset must be utf-8"),
    ("static", "kept", "after the file shrank: .* differs from the file"),
    ("static", "watched", "after the file was written through a mapping: .* differs from the file"),
    ("static", "lengths-of-pages", "after the file grew: /lasting-.*.html differs from the file"),
    ("sha256", "cached-per-n", "follows the file replaced by rename.*seems to be cached"),
    ("sha256", "read-once", "follows the file replaced by rename.*seems to be cached"),
    ("sha256", "keeps-open", "follows the file replaced by rename.*seems to be cached"),
    ("sha256", "read-when-touched", "rewritten in place.*seems to be cached"),
    ("sha256", "read-when-changed", "(in place|memory mapping).*seems to be cached"),
    ("sha256", "skips-rounds", "the digest is right for n = 1, 2, 3.*was answered"),
    ("sha256", "hashes-once", "n=2 was answered"),
    ("sha256", "keeps-state", "every round hashes the whole file.*16 kB"),
    ("sha256", "eight-bits", "the digest is right for n = 1, 2, 3.*n=256 was answered"),
    ("sha256", "sixteen-bits", "the digest is right for n = 655.*was answered"),
    ("sha256", "lenient", r"is answered 400.*/benchmark\?n=0 was answered 200"),
    ("sha256", "upper-case", "n=1 was answered b'[0-9A-F]{64}', not [0-9a-f]{64}"),
]


@pytest.mark.parametrize(("scenario", "cheat", "says"), CAUGHT)
def test_caught_before_the_load(
    stage: Callable[..., Any], scenario: str, cheat: str, says: str
) -> None:
    message = stage(scenario, cheat).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_a_draw_from_forty_of_the_fifty_posts_shows_in_many_pages(
    stage: Callable[..., Any],
) -> None:
    assert "the posts are not uniform" in stage("blog", "few-posts", pages=120).caught()


def test_an_end_that_is_never_drawn_shows_in_many_answers(stage: Callable[..., Any]) -> None:
    message = stage("json", "without-thousand", both_ends=True).caught()
    assert (
        "the largest of 22000 values is 999, too far from the end of the range 0..1000" in message
    )


@pytest.mark.parametrize(
    ("cheat", "says"),
    [("drops-one", "GET /json: no answer"), ("hangs-one", "GET /json: no answer within 1.0 s")],
)
def test_a_lost_answer_stops_the_verifier_too(
    stage: Callable[..., Any], cheat: str, says: str
) -> None:
    with pytest.raises(Mismatch, match=says):
        stage("json", cheat, answers=1200).verify(timeout=1.0)


@pytest.mark.parametrize("scenario", ["hello", "json", "blog", "sha256"])
def test_an_honest_server_passes_again_and_again(stage: Callable[..., Any], scenario: str) -> None:
    honest = stage(scenario)
    for phase in ["before", *["after"] * 24, "before"]:
        honest.verify(phase)
    assert all(item.ok for item in honest.verifier.evidence)


@pytest.mark.parametrize(
    ("scenario", "cheat", "says"),
    [
        ("json", "constant-when-warm", "came more than once"),
        ("blog", "same-posts-when-warm", "were repeated|show the same posts"),
        ("sha256", "cached-when-warm", "seems to be cached"),
    ],
)
def test_a_server_that_cheats_when_it_is_warm_is_caught_after_the_load(
    stage: Callable[..., Any], scenario: str, cheat: str, says: str
) -> None:
    """Any requests warm it here; the tests with a real load stand beside."""
    cheating = stage(scenario, cheat)
    cheating.verify("before")
    cheating.warm()
    message = cheating.caught("after")
    assert re.search(says, message), message
