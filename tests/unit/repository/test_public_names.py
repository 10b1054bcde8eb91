"""What the documentation has users import is public."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_modules_that_the_pages_name_are_named_as_public() -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    named = {
        package
        for package in re.findall(r"\bwebdyno\.([a-z_]+)\b", pages)
        if (ROOT / "src" / "webdyno" / package / "__init__.py").is_file()
    }
    page = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")
    _, _, said = page.partition("`dir(webdyno)` lists the public names.")
    public = said.partition("All others may change.")[0]
    assert {"capacity", "verifier"} <= named
    assert named == set(re.findall(r"`webdyno\.([a-z_]+)", public))
