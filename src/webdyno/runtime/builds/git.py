"""git, as far as it tells where a folder's files come from; nothing of a repository is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_KEPT = (
    "GIT_ASKPASS",
    "GIT_CEILING",
    "GIT_CONFIG",
    "GIT_DISCOVERY",
    "GIT_HTTP",
    "GIT_LFS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PROXY",
    "GIT_SSH",
    "GIT_SSL",
    "GIT_TERMINAL_PROMPT",
)
"""Of git's variables, those that do not say which repository, index or tree is meant. A checkout
may fetch what a partial clone or Git LFS keeps elsewhere, or be told not to."""


@dataclass(frozen=True)
class Revision:
    """The commit that a folder's files are of; `modified` where some differ from it. Both are empty
    where the folder is in no repository, or not among what that holds."""

    commit: str = ""
    modified: bool = False


def is_installed() -> bool:
    """Whether there is a git to run."""
    return shutil.which("git") is not None


def git(
    arguments: list[str], folder: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run git in `folder`, whatever repository its caller works in; `env` joins its environment.

    Raises `FileNotFoundError` where git is not installed.
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**inherited, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
    )


def revision_of(folder: Path) -> Revision:
    """The commit that the files of `folder` are of."""
    try:
        head = git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], folder)
        if head.returncode or not git(["ls-files", "--", "."], folder).stdout:
            return Revision()
        changed = git(["status", "--porcelain", "--", "."], folder)
    except OSError:
        return Revision()
    return Revision(head.stdout.strip(), bool(changed.returncode or changed.stdout))
