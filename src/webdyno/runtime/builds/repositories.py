"""Whether the repositories and registries that a build fetches packages from can be reached."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from webdyno.runtime.programs import LANGUAGES

ANSWER_WITHIN_S = 15.0


def mirrored(repositories: Iterable[str], language: str, folder: Path) -> list[str]:
    """Where the package manager of `language` fetches each repository from, for a server whose
    source is in `folder`: a mirror that its user has set, or the repository itself."""
    command = LANGUAGES[language].mirror_of if language in LANGUAGES else ()
    if not command:
        return list(repositories)
    return [_mirror((*command, url), folder) or url for url in repositories]


def _mirror(command: tuple[str, ...], folder: Path) -> str:
    """What `command` prints; empty where there is no mirror, which is told by its exit code."""
    try:
        said = _run(command, folder)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""


def out_of_reach(repositories: Iterable[str]) -> str:
    """`HOST cannot be reached (reason)` for the first that cannot be read; empty where all can."""
    for url in repositories:
        if reason := _problem(url):
            return f"{urlsplit(url).hostname or url} cannot be reached ({reason})"
    return ""


def unreached(language: str, log: str) -> str:
    """`HOST cannot be reached (reason)` where the package manager of `language` said so in the last
    command of a build's log; empty where it did not."""
    pattern = LANGUAGES[language].unreached if language in LANGUAGES else ""
    last = re.split(r"^\$ ", log, flags=re.MULTILINE)[-1]
    match = re.search(pattern, last) if pattern else None
    return f"{match['host']} cannot be reached ({match['reason']})" if match else ""


@functools.cache
def _problem(url: str) -> str:
    """Why git cannot list `url`; asked once a process, by git, which knows its own proxies."""
    try:
        completed = _run(("git", "ls-remote", "--exit-code", "--", url, "HEAD"))
    except FileNotFoundError:
        return "git is not installed"
    except subprocess.TimeoutExpired:
        return f"no answer within {ANSWER_WITHIN_S:.0f} s"
    if completed.returncode == 0:
        return ""
    lines = completed.stderr.strip().splitlines()
    # `fatal: unable to access 'URL': the reason`, where the URL is the one that was asked for.
    return (
        lines[-1].rpartition("': ")[2][:160] if lines else f"git exited with {completed.returncode}"
    )


def _run(command: Sequence[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program that answers within a moment. Raises `OSError` or `TimeoutExpired`."""
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        timeout=ANSWER_WITHIN_S,
        # A host that wants a password must not ask whoever sits here.
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
    )
