"""Build the documentation as a site: `.ci/docs` does it in one command, offline once installed.

The pages stay as they are read in the repository. They are copied beside each other, with what they
link to outside of `docs/`, their links are rewritten, and Zensical makes HTML of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SECTIONS = {
    "Start": ["README.md", "start.md"],
    "Concepts": ["glossary.md", "how-a-trial-is-measured.md", "engine.md", "security.md"],
    "How-to guides": ["ab.md", "board.md", "add-a-server.md", "add-a-scenario.md",
                      "plan-a-spike.md", "capacity.md", "machines.md", "notebook.md", "jmeter.md"],
    "Reference": ["commands.md", "scenarios.md", "cheats.md", "study-reference.md",
                  "server-reference.md", "scenario-reference.md", "service-reference.md",
                  "published-reference.md", "json.md", "../CHANGELOG.md"],
    "Method": ["verdict.md", "studies.md"],
    "Contributing": ["../CONTRIBUTING.md", "../benchmarks/README.md"],
}  # fmt: skip
"""The navigation: pages by their path from `docs/`. A page that stands nowhere is a guide."""

FILES = "../src/webdyno/schemas"
"""What pages link to that is no page."""

STYLE = "site.css"
"""What the pages look like beyond the generator's theme."""

_LINK = re.compile(r"(\]\()([^)\s#]+)([^)]*\))")


def sections() -> dict[str, list[Path]]:
    """The navigation: every page of `docs/` is in it, once."""
    docs = ROOT / "docs"
    found = {title: [(docs / page).resolve() for page in pages]
             for title, pages in SECTIONS.items()}  # fmt: skip
    known = {page for pages in found.values() for page in pages}
    others = sorted(page for page in docs.glob("*.md") if page not in known)
    found["How-to guides"] += others
    return found


def name_of(page: Path) -> str:
    """What a page is called in the site."""
    if page == ROOT / "docs" / "README.md":
        return "index.md"
    beside = page.parent.name if page.name == "README.md" else page.stem
    return f"{beside.lower()}.md"


def title_of(page: Path) -> str:
    """Its first heading."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else page.stem


def staged(folder: Path) -> None:
    """Write the pages, the files they link to, and the generator's settings into `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "docs"
    pages.mkdir(parents=True)
    for listed in sections().values():
        for page in listed:
            text = _relinked(page, page.read_text(encoding="utf-8"))
            (pages / name_of(page)).write_text(_unfoldable(text), encoding="utf-8")
    schemas = (ROOT / "docs" / FILES).resolve()
    shutil.copytree(schemas, pages / schemas.name, ignore=shutil.ignore_patterns("*.py", "__*"))
    docs = ROOT / "docs"
    for file in (ROOT / "LICENSE", docs / STYLE, *docs.glob("*.svg")):
        shutil.copy(file, pages)
    (folder / "zensical.toml").write_text(_settings(), encoding="utf-8")


def _unfoldable(text: str) -> str:
    """`text` in which what is folded is Markdown, too, as it is in the repository: the generator
    takes it for HTML unless it is told."""
    return text.replace("<details>", '<details markdown="1">')


def _relinked(page: Path, text: str) -> str:
    """`text` with its links to other pages and files as they stand in the site."""
    known = {one for listed in sections().values() for one in listed}
    schemas = (ROOT / "docs" / FILES).resolve()

    def relinked(match: re.Match[str]) -> str:
        if "://" in match[2]:
            return match[0]
        target = (page.parent / match[2]).resolve()
        if target in known:
            return f"{match[1]}{name_of(target)}{match[3]}"
        if schemas in target.parents:
            return f"{match[1]}{schemas.name}/{target.name}{match[3]}"
        return match[0]

    return _LINK.sub(relinked, text)


def _settings() -> str:
    nav = [
        f"  {{ {json.dumps(section)} = ["
        + ", ".join(
            f"{{ {json.dumps(title_of(page), ensure_ascii=False)} = {json.dumps(name_of(page))} }}"
            for page in pages
        )
        + "] },"
        for section, pages in sections().items()
    ]
    return "\n".join(
        [
            "[project]",
            'site_name = "Webdyno"',
            'site_description = "The dynamometer for web servers"',
            'docs_dir = "docs"',
            'site_dir = "site"',
            # Pages are opened from a disk, too, where a folder is no page.
            "use_directory_urls = false",
            f"extra_css = [{json.dumps(STYLE)}]",
            "nav = [",
            *nav,
            "]",
            "",
            "[project.theme]",
            # No request leaves the page: not for a font either.
            "font = false",
            'features = ["navigation.sections", "navigation.footer", "content.code.copy"]',
            "",
        ]
    )


def main() -> int:
    """Build the site and say where it is; gives the exit code."""
    home = Path(os.environ.get("WEBDYNO_HOME") or ROOT / ".webdyno")
    folder = home / "site"
    staged(folder)
    program = Path(sys.executable).with_name("zensical")
    if not program.exists():
        print(
            "docs: zensical is not installed here; .ci/docs installs it and builds the site",
            file=sys.stderr,
        )
        return 2
    code = subprocess.run([program, "build"], cwd=folder).returncode
    if code == 0:
        print(f"built {folder / 'site' / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
