"""The start command in a Procfile, where no manifest says how the service is started."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

from webdyno.ab.recognise.node_start import develops, is_several, of_package
from webdyno.ab.recognise.recognised import Recognised, text_of

_WEB = re.compile(r"^web:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_VARIABLES = re.compile(r"(?:[A-Za-z_]\w*=[\w@%+:,./-]* +)*")
_OF_MANAGER = re.compile(r"(?:npm|pnpm|yarn|bun)\b")
_PORT = re.compile(r"\$PORT\b")


def by_procfile(folder: Path, found: Recognised) -> Recognised:
    """The service `found`, started as the Procfile in `folder` says where its manifest names no
    start command, or only one for development."""
    if found.run and not found.says_development:
        return found
    web = _WEB.search(text_of(folder / "Procfile"))
    if web is None or found.language not in ("node", "python"):
        return found
    before = _VARIABLES.match(web[1])
    start = web[1][before.end() if before else 0 :]
    own = dict(pair.split("=", 1) for pair in shlex.split(before[0])) if before else {}
    # A script of package.json is what was looked at.
    if not start or _OF_MANAGER.match(start) or develops(start) or is_several(start):
        return found
    run = _PORT.sub("${PORT}", start)
    if found.language == "node":
        run = run if "/" in run.split()[0] else of_package(run, "npm")
    else:
        run = f".venv/bin/{run}"
        if run.startswith(".venv/bin/gunicorn ") and "${PORT}" not in run:
            run += " --bind 127.0.0.1:${PORT}"  # It takes its port of the platform's PORT alone.
    first, *also = [one for one in found.to_do if not _OF_START.search(one)] or [""]
    return replace(
        found, run=run, env={**found.env, **own}, open=first, also=tuple(also),
        says_development=False, is_for_assets=False,
    )  # fmt: skip


_OF_START = re.compile(r"\bstart command\b|\bserver for development\b|\bASGI server\b")
"""What is said of a start command that is not known."""
