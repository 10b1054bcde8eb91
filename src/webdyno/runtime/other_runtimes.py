"""Other releases of a language's runtime than the machine's own, installed without root.

An installation is kept like a build: a folder named by a digest of what it is made from, and a
stamp that is written last.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.runtime.builds.commands import BuildError, run_commands
from webdyno.runtime.builds.sources import copy_source, digest_of_files, source_files
from webdyno.runtime.lock_file import locked

_STAMP = "webdyno-runtime.json"


def runtime_env(server: Server, builds: Path) -> dict[str, str]:
    """The environment that chooses the server's runtime, installed under `builds` if need be.

    Empty for the machine's own. Raises `BuildError`, `LaunchError`.
    """
    runtime = server.chosen_runtime
    if runtime is None:
        return {}
    folder = _installed(server, builds)
    folders = [path for glob in runtime.path for path in sorted(folder.glob(glob)) if path.is_dir()]
    if runtime.path and not folders:
        raise BuildError(
            f"{server.build_id}: nothing at {', '.join(runtime.path)} in {folder}; correct "
            "`path` of the runtime in language.toml"
        )
    search = os.pathsep.join([*map(str, folders), os.environ.get("PATH", os.defpath)])
    # Gradle's start scripts take what JAVA_HOME names before what is on the PATH.
    home = next((path.parent for path in folders if (path / "java").is_file()), None)
    chosen = {"PATH": search} if folders else {}
    return {**chosen, **({"JAVA_HOME": str(home)} if home else {}), **runtime.env}


def _installed(server: Server, builds: Path) -> Path:
    runtime = server.chosen_runtime
    assert runtime is not None
    source = server.runtime_folder
    digest = digest_of_files(source, source_files(source), runtime.model_dump())
    name = f"runtime-{server.manifest.language}-{server.runtime}"
    folder = builds / f"{name}-{digest[:12]}"
    builds.mkdir(parents=True, exist_ok=True)
    with locked(builds / f"{name}.lock"):
        if (folder / _STAMP).is_file():
            os.utime(folder)
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        copy_source(source, folder)
        run_commands(f"{server.manifest.language} {server.runtime}", runtime.commands, folder, {})
        (folder / _STAMP).write_text(json.dumps(runtime.provides), encoding="utf-8")
    return folder
