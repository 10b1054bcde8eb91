"""Git in a folder of a test, whatever its user has configured."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """Run it there; gives what it printed. Raises `CalledProcessError` where it fails."""
    names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    who = {f"GIT_{name}": "x@y.example" for name in names}
    # Without hooks that nobody asks for, and without looking after each commit what to tidy up.
    less = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TEMPLATE_DIR": ""}
    return subprocess.run(
        ["git", "-c", "maintenance.auto=false", *arguments],
        cwd=folder, check=True, capture_output=True, text=True,
        env={**os.environ, **who, **less},
    ).stdout  # fmt: skip
