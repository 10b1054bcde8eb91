"""The scenarios, done honestly. The cheats override one method each."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from postgres import Database
from tiny import NOT_FOUND, Answer, Request

Json = dict[str, Any]
MEDIA = {
    ".png": "image/png",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


class Hello:
    path = "/hello"

    def __call__(self, request: Request) -> Answer:
        return self.answer(request) if request.path == self.path else NOT_FOUND

    def answer(self, request: Request) -> Answer:
        return Answer("Hello World")


class Numbers(Hello):
    path = "/json"

    def answer(self, request: Request) -> Answer:
        return Answer(json.dumps(self.object(request)), "application/json")

    def object(self, request: Request) -> Json:
        return {f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)}


class Sha256(Hello):
    path = "/benchmark"

    def answer(self, request: Request) -> Answer:
        text = request.query.get("n", [""])[0]
        n = int(text) if text.isdecimal() and text.isascii() else 0
        if not 1 <= n <= 100_000:
            return Answer("n must be a whole number of 1..100000", status=400)
        return Answer(self.chain(n, request))

    def chain(self, n: int, request: Request) -> str:
        return self.digest(self.read(), n)

    def read(self) -> bytes:
        return Path(os.environ["WEBDYNO_FILE"]).read_bytes()

    def digest(self, content: bytes, n: int) -> str:
        last = b""
        for _ in range(n):
            last = hashlib.sha256(content + last).digest()
        return last.hex()


class Upload(Hello):
    path = "/upload"

    def answer(self, request: Request) -> Answer:
        return self.told(request) if request.method == "POST" else NOT_FOUND

    def told(self, request: Request) -> Answer:
        digest, length = self.digest(request.body, request), len(request.body)
        return Answer(f"sha256:{digest} {length}")

    def digest(self, body: bytes, request: Request) -> str:
        return hashlib.sha256(body).hexdigest()


class Stream(Hello):
    path = "/stream"

    def answer(self, request: Request) -> Answer:
        text = request.query.get("n", [""])[0]
        tag = request.query.get("tag", [""])[0]
        n = int(text) if re.fullmatch("[0-9]{1,5}", text) else 0
        if not 1 <= n <= 65_536 or not re.fullmatch("[0-9]{18}", tag):
            return Answer("n must be a whole number of 1..65536, tag have 18 digits", status=400)
        return self.streamed(n, tag, request)

    def streamed(self, n: int, tag: str, request: Request) -> Answer:
        return Answer(b"", pieces=self.pieces(n, tag, request))

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        return (self.piece(number, tag, self.now()) for number in range(n))

    def now(self) -> float:
        return time.time()

    def piece(self, number: int, tag: str, now: float) -> bytes:
        line = f"{number:010} {tag} {int(now * 1e6):016} "
        return line.encode().ljust(4095, b".") + b"\n"


class Blog(Hello):
    path = "/blog"

    def __init__(self) -> None:
        self.folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
        self.posts: list[Json] = json.loads((self.folder / "posts.json").read_text("utf-8"))
        self.images: list[Json] = json.loads((self.folder / "images.json").read_text("utf-8"))

    def __call__(self, request: Request) -> Answer:
        if request.path == self.path:
            return self.answer(request)
        return self.static(request.path)

    def static(self, path: str) -> Answer:
        file = below(self.folder / "static", path)
        return Answer(file.read_bytes(), MEDIA[file.suffix]) if file else NOT_FOUND

    def answer(self, request: Request) -> Answer:
        return Answer(self.page(request), "text/html; charset=utf-8")

    def draw(self, request: Request) -> list[tuple[Json, Json]]:
        return [(post, self.image(post)) for post in self.choose(request)]

    def choose(self, request: Request) -> list[Json]:
        return random.sample(self.posts, 5)

    def image(self, post: Json) -> Json:
        return random.choice(self.images)

    def page(self, request: Request) -> str:
        articles = "\n".join(self.article(post, image) for post, image in self.draw(request))
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
            "<title>The Dynamometer Blog</title>"
            '<link rel="stylesheet" href="/css/style.css"></head>\n<body>\n'
            '<header class="site-header"><h1>The Dynamometer Blog</h1>'
            '<nav><a href="/blog">Posts</a> <a href="/about">About</a></nav></header>\n'
            f"<main>\n{articles}\n</main>\n"
            '<footer class="site-footer"><p>Made for measuring: five posts, drawn at random for'
            " each request.</p></footer>\n</body>\n</html>\n"
        )

    def article(self, post: Json, image: Json) -> str:
        paragraphs = "".join(f"<p>{self.escape(text)}</p>" for text in post["paragraphs"])
        return (
            f'<article class="post"><h2>{post["title"]}</h2>'
            f'<img src="/images/{image["file"]}" alt="{self.escape(image["alt"])}">'
            f"{paragraphs}</article>"
        )

    def escape(self, text: str) -> str:
        return escape(text)


class Sessions(Hello):
    """Keeps its rows in SQLite, for which no library has to be installed."""

    path = "/"

    def __init__(self) -> None:
        file = os.environ["WEBDYNO_SQLITE"]
        self.database = sqlite3.connect(file, isolation_level=None)
        self.database.execute("PRAGMA synchronous = OFF")

    def answer(self, request: Request) -> Answer:
        uid = self.known(self.cookie(request))
        if uid is not None:
            return Answer(f"Count is {self.count(uid, request)}")
        uid = secrets.token_hex(16)
        count = self.count(uid, request)
        return Answer(f"Count is {count}", cookie=f"session={self.signed(uid)}; Path=/; HttpOnly")

    def cookie(self, request: Request) -> str:
        try:
            sent = SimpleCookie(request.headers.get("cookie", ""))
        except CookieError:
            return ""
        return sent["session"].value if "session" in sent else ""

    def known(self, cookie: str) -> str | None:
        """The id in a cookie, if its signature fits."""
        uid = cookie.partition(".")[0]
        fits = hmac.compare_digest(cookie.encode(), self.signed(uid).encode())
        return uid if uid and fits else None

    def signed(self, value: str) -> str:
        key = os.environ["WEBDYNO_SECRET"].encode()
        return f"{value}.{hmac.new(key, value.encode(), 'sha256').hexdigest()}"

    def count(self, uid: str, request: Request) -> int:
        count = self.read(uid) + 1
        self.write(uid, count)
        return count

    def read(self, uid: str) -> int:
        select = "SELECT data FROM usersessions WHERE uid = ?"
        row = self.database.execute(select, [uid]).fetchone()
        return int(json.loads(row[0])["count"]) if row else 0

    def write(self, uid: str, count: int) -> None:
        self.database.execute(
            "INSERT INTO usersessions VALUES (?, ?)"
            " ON CONFLICT (uid) DO UPDATE SET data = excluded.data",
            [uid, json.dumps({"count": count})],
        )


class Page(Hello):
    path = "/page"

    def __init__(self) -> None:
        self.database = Database()

    def answer(self, request: Request) -> Answer:
        return Answer(self.render(self.rows()).encode(), "text/html; charset=utf-8")

    def rows(self) -> list[list[str]]:
        return self.database.rows("SELECT title, author, summary FROM articles ORDER BY number")

    def render(self, rows: list[list[str]]) -> str:
        entries = "\n".join(self.entry(*row) for row in rows)
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
            "<title>The Dynamometer News</title></head>\n<body>\n"
            '<header class="site-header"><h1>The Dynamometer News</h1></header>\n'
            f"<main>\n{entries}\n</main>\n"
            f'<footer class="site-footer"><p>{len(rows)} articles</p></footer>\n</body>\n</html>\n'
        )

    def entry(self, title: str, author: str, summary: str) -> str:
        return (
            f'<article class="entry"><h2>{self.escape(title)}</h2>'
            f'<p class="author">{self.escape(author)}</p><p>{self.escape(summary)}</p></article>'
        )

    def escape(self, text: str) -> str:
        return escape(text)


class Static:
    """The files below a folder, read for each request."""

    def __init__(self) -> None:
        self.root = Path(os.environ["WEBDYNO_STATIC"])
        self.answered = 0

    def __call__(self, request: Request) -> Answer:
        self.answered += 1
        file = below(self.root, unquote(request.path))
        return Answer(self.read(file), MEDIA[file.suffix]) if file else NOT_FOUND

    def read(self, file: Path) -> bytes:
        return file.read_bytes()


def below(root: Path, path: str) -> Path | None:
    """The file at `path` below `root`; None where there is none."""
    file = (root / path.lstrip("/")).resolve()
    return file if file.is_relative_to(root.resolve()) and file.is_file() else None


HONEST = {
    "hello": Hello,
    "json": Numbers,
    "blog": Blog,
    "sha256": Sha256,
    "upload": Upload,
    "stream": Stream,
    "session-counter": Sessions,
    "page": Page,
    "static": Static,
}
