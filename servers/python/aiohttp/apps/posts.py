"""The posts and images that the blog draws its pages from."""

import json
import random
from pathlib import Path
from typing import TypedDict

POSTS_PER_PAGE = 5


class Post(TypedDict):
    title: str
    paragraphs: list[str]


class Image(TypedDict):
    file: str
    alt: str


class Library:
    """The content of posts.json and images.json in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.posts: list[Post] = json.loads((folder / "posts.json").read_text("utf-8"))
        self.images: list[Image] = json.loads((folder / "images.json").read_text("utf-8"))

    def draw_page(self) -> list[tuple[Post, Image]]:
        """Different posts in random order, each with an image drawn on its own."""
        posts = random.sample(self.posts, POSTS_PER_PAGE)
        return [(post, random.choice(self.images)) for post in posts]
