"""What the environment was made from, so that a start can tell in a millisecond if it is current.

The stamp holds, for each part, a digest of its input files and their times and sizes as last seen.
Times and sizes are compared first; files are read only where these differ (after `git checkout`,
say). A part's entry is taken out before work on it begins and written last, so that an interrupted
setup is never mistaken for a finished one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import Any

from layout import Layout, python_version

_NAME = "setup.json"


def is_current(layout: Layout, part: str) -> bool:
    """True where `part` was made from today's files and its outputs are as it left them."""
    entry = _read(layout).get(part)
    if entry is None or entry["python"] != python_version() or entry["root"] != str(layout.root):
        return False
    outputs = _file_states(layout, part, inputs=False)
    if not outputs or entry["outputs"] != outputs:
        return False
    states = _file_states(layout, part, inputs=True)
    if entry["inputs"] == states:
        return True
    if entry["digest"] != digest(layout, part):
        return False
    with contextlib.suppress(OSError):
        _update(layout, part, {**entry, "inputs": states})
    return True


def is_known(layout: Layout, part: str) -> bool:
    """True where `part` was once finished by this Python, whatever it was made from."""
    entry = _read(layout).get(part)
    return entry is not None and entry["python"] == python_version()


def forget(layout: Layout, part: str) -> None:
    """Take `part` out: it is about to be changed."""
    _update(layout, part, None)


def record(layout: Layout, part: str, made_from: str) -> None:
    """Write that `part` is finished. `made_from` is the digest taken before the work began."""
    entry = {
        "digest": made_from,
        "python": python_version(),
        "root": str(layout.root),
        # A file changed during the work leaves a digest of before: the next start sees it.
        "inputs": _file_states(layout, part, inputs=True)
        if made_from == digest(layout, part)
        else {},
        "outputs": _file_states(layout, part, inputs=False),
    }
    _update(layout, part, entry)


def digest(layout: Layout, part: str) -> str:
    """SHA-256 over names and contents of the input files; a missing file counts as empty."""
    total = hashlib.sha256()
    for path in layout.inputs(part):
        content = path.read_bytes() if path.is_file() else b""
        total.update(f"{path.relative_to(layout.root)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


def _file_states(layout: Layout, part: str, *, inputs: bool) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for path in layout.inputs(part) if inputs else layout.outputs(part):
        with contextlib.suppress(OSError):
            stat = os.stat(path)
            found[str(path)] = [stat.st_mtime_ns, stat.st_size]
    return found


def _read(layout: Layout) -> dict[str, Any]:
    try:
        found = json.loads((layout.home / _NAME).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _update(layout: Layout, part: str, entry: dict[str, Any] | None) -> None:
    entries = _read(layout)
    entries.pop(part, None)
    if entry is not None:
        entries[part] = entry
    path = layout.home / _NAME
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    beside.write_text(json.dumps(entries, indent=1), encoding="utf-8")
    beside.replace(path)
