"""Load generators from npm or Maven: installed once below Webdyno's home, in pinned versions.

`tools/NAME/` beside this file holds a tool's package.json and package-lock.json, or the pom.xml
that puts it together. It is installed in a folder named by a digest of these, so that another
version is another folder; a stamp is written last, and a folder without one is the remains of an
interrupted installation.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.lock_file import locked
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.runtime.toolchains import find

INSTALL_TIMEOUT_S = 900.0
_NPM = ("npm", "ci", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts")
_MAVEN = ("mvn", "--batch-mode", "--quiet", "package")
_NPM_NEEDS = ("node >= 20", "npm >= 10")
_MAVEN_NEEDS = ("java >= 17", "mvn >= 3.6.3")
_STAMP = "webdyno-tool.stamp"
_LOG = "webdyno-tool.log"


def installed(name: str, home: Home | None = None, env: Mapping[str, str] | None = None) -> Path:
    """The folder that holds the tool `name`, such as in `node_modules`; installed at first use.

    `env` joins the installation's environment. Raises `UserError` where what installs it is missing
    or fails.
    """
    folder = _folder(name, home)
    if (folder / _STAMP).is_file():
        return folder
    sources = _sources(name)
    for spec in _MAVEN_NEEDS if _by_maven(sources) else _NPM_NEEDS:
        program = find(spec)
        if not program.ok:
            raise UserError(f"generator {name} needs {spec}; {program.install_hint}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder.parent / f"{name}.lock"):
        # Another process may have installed it while this one waited.
        if not (folder / _STAMP).is_file():
            _install(name, folder, sources, env or {})
    return folder


def is_installed(name: str, home: Home | None = None) -> bool:
    """Whether `installed` would find the tool without installing it."""
    return (_folder(name, home) / _STAMP).is_file()


def _folder(name: str, home: Home | None) -> Path:
    tools = (home or Home.default()).root / "tools"
    return tools / f"{name}-{_digest(_sources(name))[:12]}"


def _install(name: str, folder: Path, sources: list[Traversable], env: Mapping[str, str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for source in sources:
        (folder / source.name).write_bytes(source.read_bytes())
    argv = _MAVEN if _by_maven(sources) else _NPM
    process = ManagedProcess.start(
        argv,
        name=f"installation of {name}",
        cwd=folder,
        env={**os.environ, **env},
        log=folder / _LOG,
    )
    try:
        code = process.wait(INSTALL_TIMEOUT_S)
    finally:
        process.stop(grace_s=1.0)
    if code is None:
        raise UserError(
            f"generator {name}: {_command_name(argv)} took over {INSTALL_TIMEOUT_S:.0f} s; try "
            "again"
        )
    if code != 0:
        raise UserError(
            f"generator {name}: {_command_name(argv)} exited with {code}: "
            f"{_reason(process.log_tail(40))} "
            f"(log: {folder / _LOG}); check the network and try again"
        )
    (folder / _STAMP).touch()


def _command_name(argv: tuple[str, ...]) -> str:
    """The command as people call it: `npm ci`, `mvn package`."""
    return f"{argv[0]} {next(word for word in reversed(argv) if not word.startswith('-'))}"


def _by_maven(sources: list[Traversable]) -> bool:
    return any(source.name == "pom.xml" for source in sources)


def _sources(name: str) -> list[Traversable]:
    found = [
        path for path in files(__package__).joinpath("tools", name).iterdir() if path.is_file()
    ]
    return sorted(found, key=lambda path: path.name)


def _digest(sources: list[Traversable]) -> str:
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()


def _reason(output: str) -> str:
    """The line in which npm or Maven says what went wrong, past codes and the log's address."""
    told = [
        line.removeprefix("npm error ").removeprefix("[ERROR] ") for line in output.splitlines()
    ]
    sentences = [line for line in told if " " in line.strip() and not line.startswith("A complete")]
    return sentences[0].strip()[:200] if sentences else "no output"
