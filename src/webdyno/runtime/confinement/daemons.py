"""The user's own daemons, which act for any program of the user, outside of all that holds it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from glob import glob

_SOCKETS = (
    "/run/user/{uid}/bus",
    "/run/user/{uid}/systemd/private",
    "/run/user/{uid}/podman/podman.sock",
    "/run/user/{uid}/gnupg/S.gpg-agent",
    "/tmp/tmux-{uid}/*",
    "/tmp/.X11-unix/X*",
    "/var/run/docker.sock",
)
"""Where daemons listen that start programs, or sign, for whoever is the user."""


def sockets_of_daemons(patterns: Iterable[str] = _SOCKETS) -> list[str]:
    """Those of `patterns` that are there and that this process may connect to, with the agent that
    its environment names; links followed. A server that runs as the same user may connect to them,
    too."""
    named = [pattern.format(uid=os.getuid()) for pattern in patterns]
    paths = [path for pattern in named for path in sorted(glob(pattern))]
    if agent := os.environ.get("SSH_AUTH_SOCK"):
        paths.append(agent)
    usable = (path for path in paths if _is_socket(path) and os.access(path, os.W_OK))
    return list(dict.fromkeys(map(os.path.realpath, usable)))


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except OSError:
        return False
