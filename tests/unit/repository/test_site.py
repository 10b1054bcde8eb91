"""The documentation as a site: every page in the navigation, every link and anchor leads somewhere.

Needs no generator: what it reads is staged by `docs/site.py` and checked here.
"""

from __future__ import annotations

import re
import runpy
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[3]
SITE = runpy.run_path(str(ROOT / "docs" / "site.py"))
SOURCES = [ROOT / "README.md", *(page for pages in SITE["sections"]().values() for page in pages)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    SITE["staged"](made)
    return made


def anchors(page: Path) -> list[str]:
    """The anchors of a page's headings, as forges and the generator make them."""
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    found = [
        "".join(child.content for child in after.children or [])
        for token, after in pairwise(tokens)
        if token.type == "heading_open"
    ]
    return [re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text.lower()).strip()) for text in found]


def links(page: Path) -> list[str]:
    """Where a page's links lead, pictures included; those in code are none."""
    tokens = MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))
    inline = [child for token in tokens for child in token.children or []]
    return [str(one.attrs.get("href") or one.attrs.get("src")) for one in inline
            if one.type in ("link_open", "image")]  # fmt: skip


def broken(page: Path) -> list[str]:
    """Links of a page within its folder that lead nowhere."""
    found = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = page.parent / path if path else page
        # Forges keep two hyphens where a sign between spaces is left out, generators make it one.
        if not target.exists() or (anchor and ("--" in anchor or anchor not in anchors(target))):
            found.append(link)
    return found


@pytest.mark.parametrize("page", SOURCES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_anchors_of_the_repository_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


@pytest.mark.slow
def test_links_and_anchors_of_the_site_lead_somewhere(folder: Path) -> None:
    pages = sorted((folder / "docs").glob("*.md"))
    assert {page.name: found for page in pages if (found := broken(page))} == {}


def test_what_is_folded_is_markdown_in_the_site_too(folder: Path) -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in (folder / "docs").glob("*.md")}
    folded = {name for name, text in pages.items() if '<details markdown="1">' in text}
    assert folded >= {"board", "studies"}
    assert not [name for name, text in pages.items() if "<details>" in text]


def test_the_style_of_the_site_is_with_its_pages(folder: Path) -> None:
    settings = tomllib.loads((folder / "zensical.toml").read_text(encoding="utf-8"))["project"]
    assert settings["extra_css"]
    assert [name for name in settings["extra_css"] if not (folder / "docs" / name).is_file()] == []


def test_every_page_is_in_the_navigation_once(folder: Path) -> None:
    settings = tomllib.loads((folder / "zensical.toml").read_text(encoding="utf-8"))["project"]
    listed = [
        name
        for section in settings["nav"]
        for entries in section.values()
        for entry in entries
        for name in entry.values()
    ]
    assert Counter(listed) == Counter(page.name for page in (folder / "docs").glob("*.md"))
    titles = [next(iter(section)) for section in settings["nav"]]
    assert titles == ["Start", "Concepts", "How-to guides", "Reference", "Method", "Contributing"]


@pytest.mark.parametrize(
    "page",
    [page for page in SOURCES if page.name not in ("studies.md", "CHANGELOG.md")],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_no_two_headings_of_a_page_have_one_anchor(page: Path) -> None:
    assert [anchor for anchor, count in Counter(anchors(page)).items() if count > 1] == []


def test_pages_ask_the_network_for_nothing(folder: Path) -> None:
    settings = (folder / "zensical.toml").read_text(encoding="utf-8")
    assert "font = false" in settings
    for page in (folder / "docs").glob("*.md"):
        pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
        assert [one for one in pictures if "://" in one] == []
