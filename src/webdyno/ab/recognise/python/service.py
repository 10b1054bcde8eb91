"""A service in Python: its framework and server, found in its sources."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from webdyno.ab.recognise.python.app import application_of
from webdyno.ab.recognise.python.conda import ENVIRONMENTS, conda_build
from webdyno.ab.recognise.python.django import django_run, manage_of
from webdyno.ab.recognise.python.needs import (
    DependencySet,
    is_installed,
    manifest_of,
    migrating_dependencies,
    needs_of,
    serving_dependencies,
)
from webdyno.ab.recognise.python.roots import roots_of
from webdyno.ab.recognise.python.server import command_of, module_of
from webdyno.ab.recognise.python.version import OWN, interpreter
from webdyno.ab.recognise.recognised import RecognisedService, in_copy, table_of, text_of, toml_of
from webdyno.ab.recognise.settings.port_options import port_option
from webdyno.ab.recognise.workspace import members_of

_VENV = f"{OWN} -m venv .venv"

_LOCKED = {
    "uv.lock": ("uv", "uv sync --quiet --locked --no-dev"),
    "poetry.lock": (
        "poetry",
        # A build server may have told it to install into the system. With --quiet it does not even
        # say why it failed.
        "env POETRY_VIRTUALENVS_CREATE=true POETRY_VIRTUALENVS_IN_PROJECT=true "
        "poetry install --no-interaction --only main",
    ),
    "pdm.lock": ("pdm", "pdm sync --quiet --prod"),
    "Pipfile.lock": ("pipenv", "env PIPENV_VENV_IN_PROJECT=1 pipenv sync"),
}
"""What installs the versions in a lock file to .venv, by the lock file: a program, and its
command."""


def python(folder: Path) -> RecognisedService | None:
    """By Python's manifests, and what the sources call their application."""
    manifest = manifest_of(folder)
    if not manifest:
        return None
    build, unread = _python_build(folder, manifest)
    needs = "\n".join(needs_of(folder / one) for one in ("", *_members(folder)))
    run, ask, env, member = _run_of(folder, needs, is_installed(folder, build))
    toolchain: tuple[str, ...] = ("python",)
    other = ""
    if _VENV in build:
        command, other = interpreter(folder)
        build = tuple(line.replace(OWN, command) for line in build)
        # Which Webdyno takes for that it runs on.
        toolchain = toolchain if command == OWN else ()
    elif manifest in ENVIRONMENTS:
        toolchain = ()  # The environment has a Python of its own.
    first, *also = [line for line in (unread, ask, other) if line] or [""]
    return RecognisedService(
        manifest, "python", build, run, toolchain, open=first,
        other_to_do=tuple(also), env=env, is_template=bool(unread) and manifest == "Pipfile",
        package=member,
    )  # fmt: skip


def _run_of(folder: Path, needs: str, installed: bool) -> tuple[str, str, dict[str, str], str]:
    """What `_python_run` gives, and the folder of the service in it: of a workspace whose packages
    are all installed, that of the only member which can be started."""
    runs = []
    for member in _members(folder):
        run, ask, env = _python_run(folder / member, needs, installed=True)
        if run.startswith(".venv/bin/"):
            up = "/".join([".."] * len(Path(member).parts))
            runs.append((f"cd {shlex.quote(member)} && exec {up}/{run}", ask, env, member))
    return runs[0] if len(runs) == 1 else (*_python_run(folder, needs, installed), "")


def _python_build(folder: Path, manifest: str) -> tuple[tuple[str, ...], str]:
    """What installs the dependencies in .venv, and what its owner has to say about that."""
    lock = next((name for name in _LOCKED if in_copy(folder, name)), "")
    if manifest in ENVIRONMENTS:
        return conda_build(manifest)
    if manifest.endswith(".txt"):
        return (_VENV, f".venv/bin/pip install --quiet -r {manifest}"), ""
    apart = dict.fromkeys((serving_dependencies(folder), migrating_dependencies(folder)))
    if lock and shutil.which(_LOCKED[lock][0]):
        line = _LOCKED[lock][1]
        for one in apart:
            line = _with_set(lock, line, one)
        if lock == "uv.lock" and _is_project(folder) and _members(folder):
            line += " --all-packages"
        return (line,), ""
    name_them = "name the commands that install it in .venv"
    if manifest == "Pipfile":
        return (_VENV,), f"pip does not read {lock or manifest}; {name_them}"
    extras = ",".join(one.extra for one in apart if one.extra)
    pip = (_VENV, ".venv/bin/pip install --quiet ." + (f"[{extras}]" if extras else ""))
    if lock:
        program, _ = _LOCKED[lock]
        return pip, f"pip does not read {lock}; install {program}, or {name_them}"
    if manifest == "pyproject.toml" and "build-system" not in toml_of(folder / manifest):
        what = "pyproject.toml has no [build-system], without which pip may fail to install it"
        return pip, f"{what}; name the commands that install its dependencies in .venv"
    return pip, ""


def _with_set(lock: str, line: str, apart: DependencySet) -> str:
    """What installs the locked versions by `line`, and with them a set that stands `apart`."""
    extra, group = apart.extra, apart.group
    match lock:
        case "uv.lock" if group == "dev":
            return line.replace("--no-dev", "--group dev")
        case "pdm.lock" if group:
            return line.replace(" --prod", "")  # Which leaves out all groups.
        case "poetry.lock" if group:
            return line.replace("--only main", f"--only main,{group}")
        case "uv.lock" if group:
            return f"{line} --group {group}"
        case _ if extra:
            return f"{line} {_EXTRA[lock]} {extra}" if lock in _EXTRA else line
    return line


_EXTRA = {"pdm.lock": "--group", "poetry.lock": "--extras", "uv.lock": "--extra"}
"""The option that installs an extra as well."""


def _members(folder: Path) -> list[str]:
    """The members of a workspace of uv that are installed with it: those of one that depends on
    nothing itself."""
    manifest = "pyproject.toml"
    project = table_of(toml_of(folder / manifest).get("project"))
    return [] if project.get("dependencies") else members_of(folder, manifest)


def _is_project(folder: Path) -> bool:
    """Whether a folder is a project: of one that depends on nothing uv installs nothing unless it
    is told to install all members, of one that is no project, all."""
    return "project" in toml_of(folder / "pyproject.toml")


def _python_run(folder: Path, needs: str, installed: bool) -> tuple[str, str, dict[str, str]]:
    """The start command, what its owner has to say about that, and its variables."""
    if (manage := manage_of(folder)) is not None:
        return django_run(folder, manage, needs)
    run, unserved, env = _served(folder, _likely_files(folder), needs, installed)
    if run:
        return run, unserved, env
    names = ("main.py", "app.py", "server.py")
    main = next((name for name in names if (folder / name).is_file()), "")
    if main and (not unserved or _SERVES.search(text_of(folder / main))):
        return f".venv/bin/python {main}{port_option([folder / main])}", "", {}
    run, ask, env = _served(folder, _other_files(folder), needs, installed)
    if run:
        return run, ask, env
    run, env = _program_below(folder, installed)
    if run:
        return run, "", env
    return "", unserved or ask or "no application found; set the start command", {}


def _served(
    folder: Path, files: Iterable[Path], needs: str, installed: bool
) -> tuple[str, str, dict[str, str]]:
    """What serves the first application in `files`, as `_python_run` has it; no command where
    there is none, or nothing to serve it."""
    unserved = ""
    for path in files:
        application = application_of(path, folder)
        if application is None:
            continue
        module, env = module_of(path, folder, installed)
        run, ask = command_of(module, application, needs)
        if run:
            return run, ask, env
        unserved = unserved or ask
    return "", unserved, {}


_SERVES = re.compile(r"\b(?:run|run_app|serve|serve_forever)\(")
"""What a program calls that serves an application itself."""
_SERVES_BELOW = re.compile(
    r"\b(?:make_server|run_app|serve_forever|TCPSite)\("
    r"|\b(?:hypercorn|server|uvicorn|waitress|web)\.(?:run|serve)\("
)
"""The same, and nothing that runs another program or a task, as tools and bots do."""
_IS_PROGRAM = re.compile(r"^if __name__ == [\"']__main__[\"']", re.MULTILINE)


def _program_below(folder: Path, installed: bool) -> tuple[str, dict[str, str]]:
    """The start command of the only package that is a program which serves, or of the only module
    in one, and its variables; empty where there is none."""
    packages = [path for path in _of_packages(folder, "__main__.py") if _serves_below(path)]
    modules = [
        path
        for name in ("main.py", "app.py", "server.py")
        for path in _of_packages(folder, name)
        if _IS_PROGRAM.search(text_of(path)) and _SERVES_BELOW.search(text_of(path))
    ]
    programs = packages or modules
    if len(programs) != 1:
        return "", {}
    name, env = module_of(programs[0], folder, installed)
    option = port_option(sorted(programs[0].parent.glob("*.py")))
    return f".venv/bin/python -m {name.removesuffix('.__main__')}{option}", env


def _of_packages(folder: Path, name: str) -> list[Path]:
    """The files of a name in the packages at the top of a project."""
    tops = ("*", *(f"{root}/*" for root in roots_of(folder)))
    paths = (path for top in tops for path in sorted(folder.glob(f"{top}/{name}")))
    return [path for path in paths if not _is_left_out(path, folder)]


def _serves_below(path: Path) -> bool:
    """Whether a program serves, itself or by a module beside it."""
    return any(_SERVES_BELOW.search(text_of(one)) for one in path.parent.glob("*.py"))


def _likely_files(folder: Path) -> list[Path]:
    likely = ("main.py", "app.py", "server.py", "wsgi.py", "asgi.py", "application.py")
    paths = [folder / name for name in likely]
    tops = ["*", *(f"{root}/*" for root in roots_of(folder))]
    for top in tops:
        paths += [path for name in likely for path in sorted(folder.glob(f"{top}/{name}"))]
    paths += sorted(path for top in tops for path in folder.glob(f"{top}/__init__.py"))
    return [path for path in paths if path.is_file() and not _is_left_out(path, folder)]


_MOST_FILES = 300
_LEFT_OUT = re.compile(
    r"(?:^|/)(?:\.|(?:docs|examples|node_modules|scripts|tests?|tools|venv)/|test_|conftest\.)"
)


def _other_files(folder: Path) -> Iterator[Path]:
    """The modules down to the second level, less those of tests and tools."""
    patterns = ["*.py", "*/*.py", "*/*/*.py", *(f"{one}/*/*/*.py" for one in roots_of(folder))]
    paths = (path for pattern in patterns for path in sorted(folder.glob(pattern)))
    return islice((path for path in paths if not _is_left_out(path, folder)), _MOST_FILES)


def _is_left_out(path: Path, folder: Path) -> bool:
    return _LEFT_OUT.search(path.relative_to(folder).as_posix()) is not None
