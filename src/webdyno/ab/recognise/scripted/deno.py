"""A service in TypeScript or JavaScript on Deno: its task, or its program."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from webdyno.ab.recognise.node.start import develops, is_several, with_port
from webdyno.ab.recognise.recognised import (
    FoundCommand,
    RecognisedService,
    in_copy,
    json_of,
    says,
    table_of,
    text_of,
)

MANIFESTS = ("deno.json", "deno.jsonc")

_TASKS = ("start:prod", "start", "serve", "preview", "dev")
"""Tasks that start the service, as they are usually called, before those for development."""
_MAINS = tuple(
    f"{folder}{name}.{ending}"
    for folder in ("", "src/")
    for name in ("main", "server", "app", "mod", "index")
    for ending in ("ts", "tsx", "js")
)

_WATCHES = re.compile(r" --(?:watch(?:-hmr|-exclude)?|hmr)(?:=\S+)?(?= |$)")
_PLAIN = re.compile(r"deno(?: (?:[\w@%+=:,./*-]|\$\{PORT\})+)+")
"""A command that needs no shell."""
_RUNS = re.compile(
    r"^deno(?: (?:run|serve))?(?: --(?:host|port) \S+| -\S+)* ([\w./@-]+\.[cm]?[jt]sx?)\b"
)
"""Up to the program that a command starts."""

_SERVES = r"\bDeno\.serve\(|\bserve\(|\.listen\("
_EXPORTS = r"^export default\b[^\n]*(?:\{|\bapp\b)"
"""What has a `fetch` that `deno serve` calls."""
_OF_NODE = re.compile(r"npm:(?:@hapi/hapi|@nestjs/core|express|fastify|koa)\b")
"""Servers that listen by what Deno has of Node.js, which knows no address of Deno's."""

_PACKAGES = ".deno"
"""Where the packages are put: a home, where Deno looks otherwise, is not that of the build."""


def deno(folder: Path) -> RecognisedService | None:
    """By deno.json."""
    manifest = next((name for name in MANIFESTS if (folder / name).is_file()), "")
    if not manifest:
        return None
    held = json_of(folder / manifest)
    tasks = {name: _command(one) for name, one in table_of(held.get("tasks")).items()}
    run, ask = _start(folder, tasks, manifest)
    lacks = "" if shutil.which("deno") else (
        "deno is not on your PATH; install it, or name other commands in `build` and `run`"
    )  # fmt: skip
    first, *also = [line for line in (ask, lacks) if line] or [""]
    env = {"DENO_DIR": _PACKAGES, "DENO_NO_UPDATE_CHECK": "1"}
    if "${PORT}" not in run and not _is_of_node(folder, manifest):
        env["DENO_SERVE_ADDRESS"] = "tcp:127.0.0.1:${PORT}"
    return RecognisedService(
        manifest, "deno", _build(folder, tasks, run), run, open=first, other_to_do=tuple(also),
        env=env if run else {}, build_env={"DENO_DIR": _PACKAGES},
        says_development=bool(ask) and bool(run), is_for_assets=develops(run),
    )  # fmt: skip


def _command(task: object) -> str:
    """What a task runs, which may also stand in a table."""
    return str(table_of(task).get("command", "") if isinstance(task, dict) else task).strip()


def _start(folder: Path, tasks: Mapping[str, str], manifest: str) -> FoundCommand:
    """What starts the service: a task's own command where that needs no shell, or the program that
    serves."""
    there = [name for name in _TASKS if tasks.get(name)]
    served = [name for name in there if not _is_for_development(tasks[name])]
    if name := next(iter(served or there), ""):
        plain = with_port(_WATCHES.sub("", tasks[name]))
        ask = "" if served else (
            f"check that its task `{name}`, which is for development, is what serves in production"
        )  # fmt: skip
        if not _PLAIN.fullmatch(plain) or is_several(plain):
            return FoundCommand(f"deno task {name}", ask)
        if plain.startswith("deno serve ") and "${PORT}" not in plain:
            plain = plain.replace("deno serve", "deno serve --host 127.0.0.1 --port ${PORT}", 1)
        return FoundCommand(plain, ask)
    mains = [name for name in _MAINS if (folder / name).is_file()]
    if main := next((name for name in mains if says(folder / name, _SERVES)), ""):
        return FoundCommand(f"deno run --allow-net --allow-env --allow-read {main}")
    if main := next((name for name in mains if says(folder / name, _EXPORTS)), ""):
        options = "--host 127.0.0.1 --port ${PORT} --allow-net --allow-env --allow-read"
        return FoundCommand(f"deno serve {options} {main}")
    return FoundCommand("", f"no task `start` in its {manifest}; set the start command")


def _is_for_development(command: str) -> bool:
    return bool(_WATCHES.search(command)) or develops(command) or "dev.ts" in command


def _build(folder: Path, tasks: Mapping[str, str], run: str) -> tuple[str, ...]:
    """What fetches the packages, and the task that builds."""
    frozen = " --frozen" if in_copy(folder, "deno.lock") else ""
    started = _RUNS.match(run)
    # What a build makes is not there yet.
    known = started is not None and in_copy(folder, started[1])
    fetch = f"deno cache{frozen} {started[1]}" if known and started else f"deno install{frozen}"
    return (fetch, "deno task build") if tasks.get("build") else (fetch,)


def _is_of_node(folder: Path, manifest: str) -> bool:
    sources = [folder / manifest, *(folder / name for name in _MAINS)]
    return any(_OF_NODE.search(text_of(one)) for one in sources)
