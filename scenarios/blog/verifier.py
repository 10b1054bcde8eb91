"""`GET /blog` renders five posts drawn at random, each with an image drawn at random.

Every page is read token by token and compared with reference.html, filled with the posts that the
page shows. The posts of a trial carry a sentence that no server has seen before, with characters
that must be escaped, so that no page can have been rendered beforehand.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from math import comb
from typing import Any, ClassVar

import httpx

from webdyno.verifier import Preparation, Probe, Sample, Verifier, media_problem, remedies
from webdyno.verifier.html import NotHtml, Token, difference, tokens
from webdyno.verifier.read_whole import expect_read_whole
from webdyno.verifier.statistics import chained, repeated, too_often, uneven

POSTS_A_PAGE = 5

Drawn = tuple[tuple[int, int], ...]
"""What a page shows: for each post its place in posts.json, and that of its image."""


class Wrong(Exception):
    """A page is not the one that the contract says."""


class Scenario(Verifier):
    bounds: ClassVar = {"pages": (10, None)}
    in_a_crowd = True

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.data = self.work / "blog"
        self.earlier: list[Drawn] = []

    def prepare(self) -> Preparation:
        shutil.copytree(self.folder / "data", self.data)
        posts = json.loads((self.data / "posts.json").read_text(encoding="utf-8"))
        for post in posts:
            # Of one length in every trial, so that all pages weigh the same.
            post["paragraphs"][-1] += f' Filed as <{self.token()}> & "{self.token()}".'
        text = json.dumps(posts, ensure_ascii=False, indent=1)
        (self.data / "posts.json").write_text(text, encoding="utf-8")
        with (self.data / "static/css/style.css").open("a", encoding="utf-8") as style:
            style.write(f"/* {self.token()} */\n")
        self._load(posts)
        return Preparation(env={"WEBDYNO_BLOG_DATA": str(self.data)})

    def _load(self, posts: Sequence[dict[str, Any]]) -> None:
        page = tokens((self.folder / "reference.html").read_text(encoding="utf-8"))
        first = page.index(Token("open", "article", (("class", "post"),)))
        self.head = page[:first]
        self.foot = page[page.index(Token("close", "article")) + 1 :]
        self.posts = posts
        self.titles = {post["title"]: place for place, post in enumerate(posts)}
        self.images = json.loads((self.data / "images.json").read_text(encoding="utf-8"))
        self.files = {f"/images/{image['file']}": place for place, image in enumerate(self.images)}

    def verify(self, probe: Probe) -> None:
        number = self.whole("pages")
        pages = [probe.get("/blog") for _ in range(number)]
        self.expect_http(pages[0])
        self._judge(
            [(p.status_code, p.headers.get("content-type", ""), p.content) for p in pages], "pages"
        )
        expect_read_whole(self, probe, "/blog", self._problem_of)
        self._static(probe)
        self.expect_not_found(probe, f"/blog-{self.token()}")
        self.expect_not_found(probe, f"/images/{self.token()}.png")
        self._outside(probe)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self._judge(
            [(s.status, s.header("content-type"), s.body) for s in samples], "pages of the load"
        )

    def _judge(self, answers: Sequence[tuple[int, str, bytes]], what: str) -> None:
        pages: list[Drawn] = []
        wrong = None
        try:
            pages += (self.drawn(*answer) for answer in answers)
        except Wrong as error:
            wrong = f"GET /blog: {error}"
        self.expect_each(
            f"{len(answers)} {what} are the reference page with {POSTS_A_PAGE} different posts,"
            " every paragraph in full and escaped",
            [wrong],
        )
        self._random(pages, what)

    def _random(self, pages: Sequence[Drawn], what: str) -> None:
        self.earlier += pages
        same = repeated(self.earlier)
        self.expect_each(
            f"no page is repeated, in {len(self.earlier)} so far",
            [f"posts {self._numbers(same)} were repeated, with the same images" if same else None],
            remedy=remedies.DRAWN_ANEW,
        )
        sets = [frozenset(post for post, _ in page) for page in pages]
        again, pairs = len(sets) - len(set(sets)), comb(len(sets), 2)
        self.expect(
            f"the posts of {len(pages)} {what} are drawn anew for each page",
            not too_often(again, pairs, 1 / comb(len(self.posts), POSTS_A_PAGE)),
            f"{again} pages show the same posts as another",
            remedy=remedies.DRAWN_ANEW,
        )
        posts = [post for page in pages for post, _ in page]
        self.expect_each(
            f"the posts of {len(pages)} {what} are uniform",
            [uneven(posts, len(self.posts), drawn="the posts", without_replacement=POSTS_A_PAGE)],
        )
        images = [image for page in pages for _, image in page]
        self.expect_each(
            f"the images of {len(pages)} {what} are uniform and independent",
            (
                self._bound(pages),
                uneven(images, len(self.images), drawn="the images"),
                chained(images, len(self.images), drawn="successive images"),
            ),
        )

    def _bound(self, pages: Sequence[Drawn]) -> str | None:
        """Why images belong to posts instead of being drawn per request; None where they do not."""
        shown: dict[int, list[int]] = {}
        for post, image in chain.from_iterable(pages):
            shown.setdefault(post, []).append(image)
        repeats = [a == b for images in shown.values() for a, b in pairwise(images)]
        if too_often(sum(repeats), len(repeats), 1 / len(self.images)):
            return f"a post kept its image {sum(repeats)} of {len(repeats)} times"
        return None

    def _problem_of(self, answer: httpx.Response) -> str | None:
        """What is wrong with an answer by itself; None where nothing is."""
        kind = answer.headers.get("content-type", "")
        try:
            self.drawn(answer.status_code, kind, answer.content)
        except Wrong as error:
            return f"GET /blog: {error}"
        return None

    def drawn(self, status: int, content_type: str, body: bytes) -> Drawn:
        """Which posts and images a page shows. Raises `Wrong` where it is not the right page."""
        if status != 200:
            raise Wrong(f"answered {status}: {body[:80]!r}")
        if problem := media_problem(content_type, "text/html"):
            raise Wrong(problem)
        try:
            page = tokens(body.decode())
        except (UnicodeDecodeError, NotHtml) as error:
            raise Wrong(str(error)) from None
        titles = [text.value for tag, text in pairwise(page) if tag == Token("open", "h2")]
        sources = [dict(t.attributes).get("src", "") for t in page if t[:2] == ("open", "img")]
        posts = self._places(titles, self.titles, "post")
        images = self._places(sources, self.files, "image")
        drawn = tuple(zip(posts, images, strict=False))
        expected = [*self.head, *chain.from_iterable(self._article(*d) for d in drawn), *self.foot]
        if problem := difference(page, expected):
            raise Wrong(problem)
        if len(drawn) != POSTS_A_PAGE:
            raise Wrong(f"the page has {len(drawn)} posts")
        if len({post for post, _ in drawn}) != POSTS_A_PAGE:
            raise Wrong(f"a post appears twice on one page: {self._numbers(drawn)}")
        return drawn

    def _places(self, names: Iterable[str], known: dict[str, int], kind: str) -> list[int]:
        for name in names:
            if name not in known:
                raise Wrong(f"there is no {kind} '{name[:80]}'")
        return [known[name] for name in names]

    def _article(self, post: int, image: int) -> list[Token]:
        shown = self.images[image]
        source = (("alt", shown["alt"]), ("src", f"/images/{shown['file']}"))
        return [
            Token("open", "article", (("class", "post"),)),
            *element("h2", self.posts[post]["title"]),
            Token("open", "img", source),
            *chain.from_iterable(element("p", text) for text in self.posts[post]["paragraphs"]),
            Token("close", "article"),
        ]

    def _numbers(self, page: Drawn) -> str:
        return ", ".join(str(self.posts[post]["number"]) for post, _ in page)

    def _static(self, probe: Probe) -> None:
        media = {f"/images/{image['file']}": "image/png" for image in self.images}
        media["/css/style.css"] = "text/css"
        self.expect_each(
            f"{len(self.images)} images and the style sheet are served byte for byte",
            (self._file_problem(probe, path, wanted) for path, wanted in media.items()),
        )

    def _file_problem(self, probe: Probe, path: str, media: str) -> str | None:
        answer = probe.get(path)
        if answer.status_code != 200:
            return f"{path} was answered {answer.status_code}"
        if answer.content != (self.data / "static" / path.lstrip("/")).read_bytes():
            return f"{path} differs from the file"
        problem = media_problem(answer.headers.get("content-type", ""), media)
        return problem and f"{path}: {problem}"

    def _outside(self, probe: Probe) -> None:
        for path in ("/%2e%2e/posts.json", "/images/%2e%2e/%2e%2e/posts.json", "/posts.json"):
            answer = probe.get(path)
            self.expect(
                f"no file outside static/ is served ({path})",
                answer.status_code != 200 and b"paragraphs" not in answer.content,
                f"answered {answer.status_code}",
            )


def element(name: str, text: str) -> list[Token]:
    return [Token("open", name), Token("text", text), Token("close", name)]
