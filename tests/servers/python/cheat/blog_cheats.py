"""Servers that do less, or other, work than `GET /blog` asks for."""

from __future__ import annotations

import random
import time

import hello_cheats
from honest import Blog, Json
from tiny import NOT_FOUND, Answer, Request

WARM = 500


class SamePosts(Blog):
    """The same five posts for ever."""

    def choose(self, request: Request) -> list[Json]:
        return self.posts[:5]


class SamePostsWhenWarm(Blog):
    """The same five posts once five hundred pages are served."""

    def choose(self, request: Request) -> list[Json]:
        return self.posts[:5] if request.number > WARM else super().choose(request)


class ShownTwice(Blog):
    """Draws once for two pages, and shows the same posts the other way round on the second."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[tuple[Json, Json]] = []

    def draw(self, request: Request) -> list[tuple[Json, Json]]:
        if request.number <= WARM:
            return super().draw(request)
        if self.drawn:
            drawn, self.drawn = self.drawn[::-1], []
            return drawn
        self.drawn = super().draw(request)
        return self.drawn


class ByLength(Blog):
    """Knows the path by its length."""

    def __call__(self, request: Request) -> Answer:
        alike = len(request.path) == len(self.path)
        return self.answer(request) if alike else super().__call__(request)


class Unparsed(hello_cheats.Unparsed):
    """Looks at no more than the beginning of requests like the load's."""

    beginning = b"GET /blog "

    def known(self) -> Answer:
        assert isinstance(self.handler, Blog)
        return self.handler.answer(Request(self.handler.path, {}, {}, 0, self.number))


class ByBeginning(Blog):
    """Parses no request that begins as the load's do."""

    connection = Unparsed


class Neighbours(Blog):
    """Five posts in a row, from a random place on."""

    def choose(self, request: Request) -> list[Json]:
        first = random.randrange(len(self.posts))
        return [self.posts[(first + i) % len(self.posts)] for i in range(5)]


class InTurn(Blog):
    """Five posts after the other, as in pages of an archive."""

    turn = 0

    def choose(self, request: Request) -> list[Json]:
        self.turn = (self.turn + 5) % len(self.posts)
        return self.posts[self.turn : self.turn + 5]


class FewPosts(Blog):
    """Draws from the first forty posts."""

    def choose(self, request: Request) -> list[Json]:
        return random.sample(self.posts[:40], 5)


class WithReplacement(Blog):
    """A post may come twice on a page."""

    def choose(self, request: Request) -> list[Json]:
        return random.choices(self.posts, k=5)


class FourPosts(Blog):
    """A post too few."""

    def choose(self, request: Request) -> list[Json]:
        return random.sample(self.posts, 4)


class Unescaped(Blog):
    """Text goes into the page as it is."""

    def escape(self, text: str) -> str:
        return text


class UnescapedAmpersand(Blog):
    """Only `<` is escaped."""

    def escape(self, text: str) -> str:
        return text.replace("<", "&lt;").replace('"', "&quot;")


class EscapedTwice(Blog):
    """Escaped by the handler, and by the template again."""

    def escape(self, text: str) -> str:
        return super().escape(super().escape(text))


class Excerpt(Blog):
    """The first two paragraphs only."""

    def article(self, post: Json, image: Json) -> str:
        return super().article({**post, "paragraphs": post["paragraphs"][:2]}, image)


class Shortened(Blog):
    """Each paragraph cut after three hundred characters."""

    def article(self, post: Json, image: Json) -> str:
        return super().article({**post, "paragraphs": [p[:300] for p in post["paragraphs"]]}, image)


class NoSuchImages(Blog):
    """Images that are in no list."""

    def image(self, post: Json) -> Json:
        return {**super().image(post), "file": f"image-{random.randint(30, 60)}.png"}


class ImagesNotServed(Blog):
    """The right images on the page, but not behind their addresses."""

    def static(self, path: str) -> Answer:
        return NOT_FOUND if path.startswith("/images/") else super().static(path)


class OneImageForAll(Blog):
    """One picture behind every address."""

    def static(self, path: str) -> Answer:
        return super().static("/images/image-01.png" if path.startswith("/images/") else path)


class NoStyle(Blog):
    """An empty style sheet."""

    def static(self, path: str) -> Answer:
        return Answer("", "text/css") if path.startswith("/css/") else super().static(path)


class WrongAlt(Blog):
    """Pictures without their alt text."""

    def image(self, post: Json) -> Json:
        return {**super().image(post), "alt": "a picture"}


class ImageOfPost(Blog):
    """Each post has its picture, drawn once at start."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = {post["number"]: random.choice(self.images) for post in self.posts}

    def image(self, post: Json) -> Json:
        return self.drawn[post["number"]]


class OneImageAPage(Blog):
    """One picture drawn for the whole page."""

    def draw(self, request: Request) -> list[tuple[Json, Json]]:
        image = random.choice(self.images)
        return [(post, image) for post in self.choose(request)]


class Rendered(Blog):
    """A hundred pages rendered at start."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = [Blog.page(self, None) for _ in range(100)]  # type: ignore[arg-type]

    def page(self, request: Request) -> str:
        return random.choice(self.pages)


class KeptAWhile(Blog):
    """Each page is kept for a tenth of a second, once the server is warm."""

    kept = ""
    until = 0.0

    def page(self, request: Request) -> str:
        if request.number <= WARM:
            return super().page(request)
        if time.monotonic() > self.until:
            self.kept, self.until = super().page(request), time.monotonic() + 0.1
        return self.kept


class OpenFolder(Blog):
    """Serves whatever lies above the static folder."""

    def static(self, path: str) -> Answer:
        file = self.folder / "posts.json"
        return (
            Answer(file.read_bytes(), "application/json")
            if file.name in path
            else super().static(path)
        )


class WrongType(Blog):
    """A page that is called plain text."""

    def answer(self, request: Request) -> Answer:
        return super().answer(request)._replace(media="text/plain; charset=utf-8")


class Latin(Blog):
    """A page in another encoding."""

    def answer(self, request: Request) -> Answer:
        page = self.page(request).encode("latin-1", "xmlcharrefreplace")
        return Answer(page, "text/html; charset=iso-8859-1")


class ErrorText(Blog):
    """Under load, now and then a 200 that holds an apology as long as a page."""

    def answer(self, request: Request) -> Answer:
        if request.number > WARM and request.number % 50 == 0:
            return Answer("<h1>Sorry</h1>".ljust(12_400), "text/html; charset=utf-8")
        return super().answer(request)


CHEATS = {
    "by-length": ByLength,
    "by-beginning": ByBeginning,
    "same-posts": SamePosts,
    "same-posts-when-warm": SamePostsWhenWarm,
    "shown-twice": ShownTwice,
    "neighbours": Neighbours,
    "in-turn": InTurn,
    "few-posts": FewPosts,
    "with-replacement": WithReplacement,
    "four-posts": FourPosts,
    "unescaped": Unescaped,
    "unescaped-ampersand": UnescapedAmpersand,
    "escaped-twice": EscapedTwice,
    "excerpt": Excerpt,
    "shortened": Shortened,
    "no-such-images": NoSuchImages,
    "images-not-served": ImagesNotServed,
    "one-image-for-all": OneImageForAll,
    "no-style": NoStyle,
    "wrong-alt": WrongAlt,
    "image-of-post": ImageOfPost,
    "one-image-a-page": OneImageAPage,
    "rendered": Rendered,
    "kept-a-while": KeptAWhile,
    "open-folder": OpenFolder,
    "wrong-type": WrongType,
    "latin": Latin,
    "error-text": ErrorText,
}
