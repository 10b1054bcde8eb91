"""Write the references of every key of a manifest, from the models that read manifests.

Run it after a change of their keys: `.webdyno/venv/bin/python docs/key_reference.py`. What the
pages say beside the keys is in keys_of_*.py beside it.
"""

from __future__ import annotations

from pathlib import Path

import keys_of_published
import keys_of_scenario
import keys_of_server
import keys_of_service
import keys_of_study
from key_tables import rendered

DOCS = Path(__file__).resolve().parent
PAGES = [
    keys_of_study.PAGE,
    keys_of_server.PAGE,
    keys_of_scenario.PAGE,
    keys_of_service.PAGE,
    keys_of_published.PAGE,
]


def pages() -> dict[str, str]:
    """The text of each page, by its file in docs/."""
    return {page.file: rendered(page) for page in PAGES}


if __name__ == "__main__":
    for file, text in pages().items():
        (DOCS / file).write_text(text, encoding="utf-8")
