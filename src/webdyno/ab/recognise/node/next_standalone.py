"""An application of Next.js that is built into a program of its own, `output: "standalone"`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.recognised import RecognisedService, says

_CONFIGS = tuple(f"next.config.{ending}" for ending in ("js", "mjs", "cjs", "ts", "mts"))
_NO_COMMENT = r"^(?![ \t]*(?://|/?\*))"
_LESS_COMMENTS = rf"{_NO_COMMENT}[^\n]*?"
_ALWAYS = r"(?:(?!process\.env|\?|&&)[^\n])*?"
"""Text that makes nothing after it depend on a condition, which the build may not meet."""
_STANDALONE = rf"{_NO_COMMENT}{_ALWAYS}(?<!//)\boutput\s*:\s*[\"'`]standalone[\"'`]"
_ELSEWHERE = rf"{_LESS_COMMENTS}\b(?:distDir|outputFileTracingRoot)\b"
"""What lets the program lie in another folder than it does by default."""

_STARTS = re.compile(r"(?:(?:cross-env +)?(?:\w+=\S* +)*)next start(?: [^;|&]*)?")
_FOLDER = ".next/standalone"
_OF_START = re.compile(r"\bstart script\b|\bscript `start`")
"""What is said of a start script that is not used."""


def with_standalone(
    folder: Path, service: RecognisedService, scripts: Mapping[str, Any], start: str, is_top: bool
) -> RecognisedService:
    """The `service`, started by the program which its build makes, where the
    configuration in `folder` asks for one and the script `start` only says `next start`, or is
    missing. Next.js puts it where it finds the lock file, so of a member of a workspace (not
    `is_top`) its place is asked for."""
    config = next((name for name in _CONFIGS if (folder / name).is_file()), "")
    if not config or not says(folder / config, _STANDALONE):
        return service
    if not (_STARTS.fullmatch(start) or (not start and not service.run)):
        return service
    told = [one for one in service.to_do if not _OF_START.search(one)]
    is_built = "next build" in str(scripts.get("build", ""))
    if not is_top or not is_built or says(folder / config, _ELSEWHERE):
        to_do = (
            f'{config} has `output: "standalone"`, for which `next start` is not meant; set '
            f"`command` to the server.js that its build makes below {_FOLDER}, such as `node "
            f'{_FOLDER}/server.js`, with HOSTNAME = "127.0.0.1" in `env`'
        )
        return replace(service, open=to_do, other_to_do=tuple(told))
    build = [*service.build]
    if not any("standalone" in str(scripts.get(one, "")) for one in ("build", "postbuild")):
        # What it serves as files is for its owner to bring there.
        build.append(f"cp -r .next/static {_FOLDER}/.next/")
        build += [f"cp -r public {_FOLDER}/"] if (folder / "public").is_dir() else []
    first, *also = told or [""]
    return replace(
        service, build=tuple(build), run=f"node {_FOLDER}/server.js", open=first,
        other_to_do=tuple(also),
        # It listens at this address, which containers set to the name of the machine.
        env={"NODE_ENV": "production", **service.env, "HOSTNAME": "127.0.0.1"},
    )  # fmt: skip
