"""The blog's data: made by its generator, and of the shape that the checks rely on."""

from __future__ import annotations

import html
import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.scenarios.checks import LengthCheck, MatchesCheck
from webdyno.catalog.scenarios.scenario import read_scenario

BLOG = Path(__file__).parents[3] / "scenarios" / "blog"
POSTS: list[dict[str, Any]] = json.loads((BLOG / "data/posts.json").read_text("utf-8"))
IMAGES: list[dict[str, str]] = json.loads((BLOG / "data/images.json").read_text("utf-8"))


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and raw rows of a picture: deflate may pack them otherwise elsewhere."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    packed, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        body = png[at + 4 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(body),)
        packed += body[4:] if body[:4] == b"IDAT" else b""
        at += 12 + length
    return width, height, zlib.decompress(packed)


@pytest.mark.slow
def test_the_generator_makes_what_is_stored(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-B", str(BLOG / "generate.py"), str(tmp_path)], check=True)
    stored = {p.relative_to(BLOG / "data") for p in (BLOG / "data").rglob("*") if p.is_file()}
    assert stored == {p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file()}
    for path in stored:
        made, kept = (tmp_path / path).read_bytes(), (BLOG / "data" / path).read_bytes()
        if path.suffix == ".png":
            assert pixels(made) == pixels(kept)
            assert 1000 < len(kept) < 10_000
        else:
            assert made == kept


def test_fifty_posts_of_four_paragraphs_and_two_kilobytes() -> None:
    assert [post["number"] for post in POSTS] == list(range(1, 51))
    for post in POSTS:
        assert post["title"] == f"Test Post {post['number']}"
        assert len(post["paragraphs"]) == 4
        assert 1900 < len("".join(post["paragraphs"]).encode()) < 2500


def test_every_post_and_many_images_prove_escaping() -> None:
    for post in POSTS:
        text = "".join(post["paragraphs"])
        assert any(c in text for c in "<&")
        assert html.escape(text) != text
    together = "".join(post["paragraphs"][0] for post in POSTS)
    assert all(c in together for c in "<>&\"'é€Å")
    alts = "".join(image["alt"] for image in IMAGES)
    assert all(c in alts for c in "<>&\"'èÜ海")


def test_twenty_five_images_that_exist() -> None:
    assert len(IMAGES) == len({image["file"] for image in IMAGES}) == 25
    for image in IMAGES:
        assert image["alt"]
        assert pixels((BLOG / "data/static/images" / image["file"]).read_bytes())[:2] == (320, 200)


def page(posts: list[dict[str, Any]], image: dict[str, str], escape: bool) -> str:
    reference = re.sub(r"<!--.*?-->|\n", "", (BLOG / "reference.html").read_text("utf-8"))
    head, _, rest = reference.partition("<article")
    written = html.escape if escape else str
    articles = (
        f'<article class="post"><h2>{post["title"]}</h2>'
        f'<img src="/images/{image["file"]}" alt="{written(image["alt"])}">'
        + "".join(f"<p>{written(text)}</p>" for text in post["paragraphs"])
        + "</article>"
        for post in posts
    )
    return head + "".join(articles) + rest.partition("</article>")[2]


@pytest.mark.parametrize("escape", [True, False])
def test_the_length_check_admits_all_pages_and_no_shorter_one(escape: bool) -> None:
    checks = read_scenario(BLOG).manifest.requests[0].checks
    (length,) = (check for check in checks if isinstance(check, LengthCheck))
    assert length.max is not None
    by_length = sorted(POSTS, key=lambda post: len("".join(post["paragraphs"]).encode()))
    images = sorted(IMAGES, key=lambda image: len(image["alt"].encode()))
    added = 5 * len(' Filed as <01234567> & "01234567".')
    shortest = len(page(by_length[:5], images[0], escape).encode()) + added
    longest = len(page(by_length[-5:], images[-1], escape).encode()) + added
    assert length.min <= shortest < length.min * 1.05
    assert longest * 2 < length.max
    without_one = len(page(by_length[-4:], images[-1], escape).encode()) + added
    assert without_one < length.min


def test_the_end_check_fits_the_reference() -> None:
    checks = read_scenario(BLOG).manifest.requests[0].checks
    (end,) = (check for check in checks if isinstance(check, MatchesCheck))
    assert re.search(end.pattern, (BLOG / "reference.html").read_text("utf-8"))
