"""The scripts in `docs/` that make its pages, as tests run them."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def docs_script(name: str) -> dict[str, Any]:
    """What `docs/<name>.py` defines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))  # As a script, it finds its neighbours.
        return runpy.run_path(str(DOCS / f"{name}.py"))
