"""Makes the data of the blog scenario: `python generate.py [FOLDER]` (default: data/ beside it).

Fifty posts, twenty-five pictures and a style sheet, the same at every call and with nothing but
the standard library. Every post holds characters that HTML must escape, and a literal `&amp;` or
`&lt;`, so that a template that forgets to escape (or escapes twice) shows a different text.
"""

from __future__ import annotations

import json
import math
import random
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from phrases import (
    CLAUSES,
    COUNTS,
    FRAMES,
    OBJECTS,
    PROOFS,
    SCENES,
    STYLE,
    SUBJECTS,
    SUNS,
    VERBS,
)

POSTS = 50
PARAGRAPHS = 4
PARAGRAPH_CHARACTERS = 480
WIDTH, HEIGHT = 320, 200


class Post(NamedTuple):
    number: int
    title: str
    paragraphs: list[str]


class Image(NamedTuple):
    file: str
    alt: str


def capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


def sentence(draw: random.Random) -> str:
    subject, subject2 = draw.sample(SUBJECTS, 2)
    verb, verb2 = draw.sample(VERBS, 2)
    thing, thing2 = draw.sample(OBJECTS, 2)
    clause = draw.choice(CLAUSES)
    return draw.choice(FRAMES).format(
        subject=subject, Subject=capitalised(subject), subject2=subject2, verb=verb, verb2=verb2,
        object=thing, object2=thing2, clause=clause, Clause=capitalised(clause),
        number=draw.randint(12, 480), number2=draw.randint(8, 64) * 100,
    )  # fmt: skip


def paragraph(draw: random.Random) -> str:
    text = sentence(draw)
    while len(text) < PARAGRAPH_CHARACTERS:
        text += " " + sentence(draw)
    return text


def posts() -> Iterator[Post]:
    draw = random.Random("The Dynamometer Blog")
    for number in range(1, POSTS + 1):
        paragraphs = [paragraph(draw) for _ in range(PARAGRAPHS)]
        paragraphs[0] += " " + PROOFS[number % len(PROOFS)]
        yield Post(number, f"Test Post {number}", paragraphs)


def images() -> Iterator[Image]:
    for number, (title, sun, hills) in enumerate(SCENES, start=1):
        alt = f"{title}: a {sun} sun over {COUNTS[hills]} hills"
        yield Image(f"image-{number:02}.png", alt)


def png(rows: list[bytes]) -> bytes:
    """A picture of eight bits a channel, RGB, from its rows of pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", WIDTH, len(rows), 8, 2, 0, 0, 0)
    # Filter type 0 before each row: the pictures have flat areas, which deflate packs well.
    pixels = zlib.compress(b"".join(b"\x00" + row for row in rows), 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def ridge(draw: random.Random, base: float) -> list[float]:
    """The height of a hill's edge at each x: three waves around `base`, in pixels from the top."""
    waves = [(draw.uniform(0.008, 0.03), draw.uniform(0, 6.3), draw.uniform(6, 14)) for _ in "abc"]
    return [base + sum(a * math.sin(f * x + p) for f, p, a in waves) for x in range(WIDTH)]


def picture(number: int) -> bytes:
    """A sun over hills, one ridge before the other, drawn from the scene's own seed."""
    _, sun_name, hills = SCENES[number - 1]
    draw = random.Random(number)
    sun = SUNS[sun_name]
    top = [draw.randint(60, 130), draw.randint(110, 170), draw.randint(170, 220)]
    low = [draw.randint(200, 240), draw.randint(190, 220), draw.randint(170, 210)]
    ground = [draw.randint(30, 70), draw.randint(60, 100), draw.randint(50, 110)]
    sun_x, sun_y, sun_r = draw.randint(50, WIDTH - 50), draw.randint(35, 75), draw.randint(16, 28)
    ridges = []
    for hill in range(hills):
        base = HEIGHT * (0.5 + 0.42 * hill / hills)
        ridges.append(ridge(draw, base))
    rows = []
    for y in range(HEIGHT):
        mix = round(12 * y / HEIGHT) / 12
        sky = bytes(round(a + (b - a) * mix) for a, b in zip(top, low, strict=True))
        row = bytearray()
        for x in range(WIDTH):
            nearest = max((i for i, ridge in enumerate(ridges) if y >= ridge[x]), default=-1)
            if nearest >= 0:
                shade = 1.6 - 0.9 * (nearest + 1) / hills
                # Grass: every so often a lighter pixel, so that a picture weighs a few kilobytes.
                shade += 0.12 if draw.random() < 0.02 else 0.0
                row += bytes(min(255, round(c * shade)) for c in ground)
            elif (x - sun_x) ** 2 + (y - sun_y) ** 2 <= sun_r**2:
                row += bytes(sun)
            else:
                row += sky
        rows.append(bytes(row))
    return png(rows)


def write_json(path: Path, items: list[dict[str, object]]) -> None:
    path.write_text(json.dumps(items, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def generate(folder: Path) -> None:
    """Writes posts.json, images.json and static/ into `folder`."""
    (folder / "static" / "images").mkdir(parents=True, exist_ok=True)
    (folder / "static" / "css").mkdir(parents=True, exist_ok=True)
    write_json(folder / "posts.json", [post._asdict() for post in posts()])
    write_json(folder / "images.json", [image._asdict() for image in images()])
    (folder / "static" / "css" / "style.css").write_text(STYLE, encoding="utf-8")
    for number, image in enumerate(images(), start=1):
        (folder / "static" / "images" / image.file).write_bytes(picture(number))


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "data")
