"""Writes down all that a server can see of each request and connection, as lines of JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

SIGN = "seen "


def environment() -> None:
    """What it was started with, as the first line."""
    held = {name: value for name, value in os.environ.items() if "WEBDYNO" in name}
    print(SIGN + json.dumps({"environment": held, "folder": str(Path.cwd())}), file=sys.stderr)


def see(event: str, connection: int, head: bytes) -> None:
    """One event, on standard error, which is the trial's log."""
    line = {"at": time.time(), "event": event, "connection": connection}
    if head:
        line["head"] = head.decode("latin-1")
    print(SIGN + json.dumps(line), file=sys.stderr)
