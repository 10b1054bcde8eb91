"""The other user that programs run as where Webdyno is root: whether they may."""

from __future__ import annotations

import contextlib
import os
import pwd
import subprocess
import tempfile
from functools import cache


@cache
def can_become(user: str) -> bool:
    """Whether programs can be started as `user` and given files, found by trying it once.

    Root may lack the rights (a container without CAP_SETUID, CAP_SETGID or CAP_CHOWN), and the
    user's number (a user namespace that maps one id alone).
    """
    with contextlib.suppress(KeyError, OSError):
        entry = pwd.getpwnam(user)
        with tempfile.TemporaryFile() as file:
            os.fchown(file.fileno(), entry.pw_uid, entry.pw_gid)
        started = subprocess.run(
            ["/bin/sh", "-c", ":"],
            user=entry.pw_uid,
            group=entry.pw_gid,
            extra_groups=[],
            cwd="/",
            check=False,
        )
        return started.returncode == 0
    return False
