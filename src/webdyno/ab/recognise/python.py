"""A service in Python: its framework and server, found in its sources."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from webdyno.ab.recognise.python_app import ASGI, application_of
from webdyno.ab.recognise.python_version import OWN, interpreter
from webdyno.ab.recognise.recognised import Recognised, text_of, toml_of

_VENV = f"{OWN} -m venv .venv"
_UVICORN = re.compile(r"\buvicorn\b|\bfastapi\[[^]]*\b(?:standard|all)\b")
"""What brings uvicorn."""


_LOCKED = {
    "uv.lock": ("uv", "uv sync --quiet --locked --no-dev"),
    "poetry.lock": (
        "poetry",
        "env POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --quiet --only main",
    ),
    "pdm.lock": ("pdm", "pdm sync --quiet --prod"),
    "Pipfile.lock": ("pipenv", "env PIPENV_VENV_IN_PROJECT=1 pipenv sync"),
}
"""What installs the versions in a lock file to .venv, by the lock file: a program, and its
command."""


def python(folder: Path) -> Recognised | None:
    """By Python's manifests, and what the sources call their application."""
    names = ("requirements.txt", "pyproject.toml", "setup.py", "Pipfile")
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    build, unread = _python_build(folder, manifest)
    needs = "\n".join(text_of(folder / name).lower() for name in names)
    run, ask = _python_run(folder, needs)
    toolchain: tuple[str, ...] = ("python",)
    other = ""
    if _VENV in build:
        command, other = interpreter(folder)
        build = tuple(line.replace(OWN, command) for line in build)
        # Which Webdyno takes for that it runs on.
        toolchain = toolchain if command == OWN else ()
    first, *also = [line for line in (unread, ask, other) if line] or [""]
    return Recognised(
        manifest, "python", build, run, toolchain, open=first,
        also=tuple(also), is_template=bool(unread) and manifest == "Pipfile",
    )  # fmt: skip


def _python_build(folder: Path, manifest: str) -> tuple[tuple[str, ...], str]:
    """What installs the dependencies in .venv, and what its owner has to say about that."""
    lock = next((name for name in _LOCKED if (folder / name).is_file()), "")
    if manifest == "requirements.txt":
        return (_VENV, ".venv/bin/pip install --quiet -r requirements.txt"), ""
    if lock and shutil.which(_LOCKED[lock][0]):
        return (_LOCKED[lock][1],), ""
    name_them = "name the commands that install it in .venv"
    if manifest == "Pipfile":
        return (_VENV,), f"pip does not read {lock or manifest}; {name_them}"
    pip = (_VENV, ".venv/bin/pip install --quiet .")
    if lock:
        program, _ = _LOCKED[lock]
        return pip, f"pip does not read {lock}; install {program}, or {name_them}"
    if manifest == "pyproject.toml" and "build-system" not in toml_of(folder / manifest):
        what = "pyproject.toml has no [build-system], without which pip may fail to install it"
        return pip, f"{what}; name the commands that install its dependencies in .venv"
    return pip, ""


def _python_run(folder: Path, needs: str) -> tuple[str, str]:
    if (folder / "manage.py").is_file():
        module = re.search(r"[\"']([\w.]+)\.settings[\"']", text_of(folder / "manage.py"))
        if module and "gunicorn" in needs:
            return f".venv/bin/gunicorn {module[1]}.wsgi --bind 127.0.0.1:${{PORT}}", ""
        run = ".venv/bin/python manage.py runserver --noreload 127.0.0.1:${PORT}"
        return run, "Django's own server is not for production; name the one you use"
    for path in _python_files(folder):
        found = application_of(path, folder)
        if found is None:
            continue
        where = ".".join(path.relative_to(folder).with_suffix("").parts).removeprefix("src.")
        app = f"{where.removesuffix('.__init__')}:{found.name}"
        if found.kind in ASGI:
            if _UVICORN.search(needs):
                app = f"--factory {app}" if found.is_factory else app
                return f".venv/bin/uvicorn {app} --port ${{PORT}} --log-level warning", ""
            continue
        app = f"'{app}()'" if found.is_factory else app
        if "gunicorn" in needs:
            return f".venv/bin/gunicorn {app} --bind 127.0.0.1:${{PORT}}", ""
        run = f".venv/bin/flask --app {app} run --port ${{PORT}}"
        return run, "Flask's own server is not for production; name the one you use"
    names = ("main.py", "app.py", "server.py")
    main = next((name for name in names if (folder / name).is_file()), "")
    if main:
        return f".venv/bin/python {main}", ""
    return "", "no application found; set the start command"


def _python_files(folder: Path) -> list[Path]:
    likely = ("main.py", "app.py", "server.py", "wsgi.py", "asgi.py", "application.py")
    found = [folder / name for name in likely]
    for pattern in ("*/{}", "src/*/{}"):
        found += [path for name in likely for path in sorted(folder.glob(pattern.format(name)))]
    found += sorted([*folder.glob("*/__init__.py"), *folder.glob("src/*/__init__.py")])
    return [path for path in found if path.is_file() and ".venv" not in path.parts]
