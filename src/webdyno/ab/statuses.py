"""What helps where a service answers, but not with the status that is right."""

from __future__ import annotations

import re

_UNLIMITED = "raise the limit on requests of the service while it is compared"
_LIMITED = re.compile(r"\bstatus: expected [^;]*?, got 429\b")
"""As the engine tells of a status, not of another figure that is 429."""


def remedy_under_load(reason: str) -> str:
    """What helps where a load failed for `reason` that a few requests were not answered with, as
    the end of a sentence; empty where nothing is known to."""
    return f"; {_UNLIMITED}" if _LIMITED.search(reason) else ""


def remedy_of_status(status: int) -> str:
    """What helps against an answer of this status, as the end of a sentence; empty where nothing
    is known to."""
    # `hit`, which compares two services as well, has no such option.
    right = f"give `webdyno ab` --status {status} (`status` in webdyno.toml) if it is right"
    if status in (401, 403):
        return f"; log in by -H 'Authorization: …', or {right}"
    if status == 404:
        return f"; check the path, or {right}"
    if status == 429:
        return f"; {_UNLIMITED}"
    if 300 <= status < 400:
        return f"; ask for the address that it leads to, log in by -H 'Cookie: …', or {right}"
    return ""
