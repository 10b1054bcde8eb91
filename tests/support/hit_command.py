"""`webdyno hit` as a user types it, and the document that it writes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema

from support.command_line import webdyno

SRC = Path(__file__).resolve().parents[2] / "src"
SCHEMA = json.loads((SRC / "webdyno/schemas/hit.schema.json").read_text(encoding="utf-8"))


def environment() -> dict[str, str]:
    """That of the command: this checkout, and lines of 100 characters."""
    return {**os.environ, "PYTHONPATH": str(SRC), "COLUMNS": "100"}


def hit(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run to the end, within a minute."""
    return webdyno("hit", *arguments, env=environment(), timeout_s=60)


def hit_json(folder: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run with `--json`; the document, after it was found to be as published."""
    file = folder / "hit.json"
    done = hit(*arguments, "--json", str(file))
    assert done.returncode == code, done.stderr
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    return document
