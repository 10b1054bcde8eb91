"""A service in Python: its framework and server, found in its sources."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import Recognised, text_of

_PYTHON_APP = re.compile(
    r"^(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(FastAPI|Starlette|Litestar|Quart|Flask)\(", re.MULTILINE
)
_FLASK_FACTORY = re.compile(r"^def (create_app|make_app)\(.*?\bFlask\(", re.MULTILINE | re.DOTALL)
_ASGI = frozenset({"FastAPI", "Starlette", "Litestar", "Quart"})


def python(folder: Path) -> Recognised | None:
    """By Python's manifests, and what the sources call their application."""
    names = ("requirements.txt", "pyproject.toml", "setup.py", "Pipfile")
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    build = ["${PYTHON} -m venv .venv"]
    if manifest == "requirements.txt":
        build.append(".venv/bin/pip install --quiet -r requirements.txt")
    elif manifest != "Pipfile":
        build.append(".venv/bin/pip install --quiet .")
    needs = "\n".join(text_of(folder / name).lower() for name in names)
    run, ask = _python_run(folder, needs)
    unread = _unread(folder, manifest)
    return Recognised(
        manifest, "python", tuple(build), run, ("python",), open=unread or ask,
        is_template=manifest == "Pipfile",
    )  # fmt: skip


def _unread(folder: Path, manifest: str) -> str:
    """What pip does not read of what names the dependencies, and what to do; empty where it reads
    all."""
    locks = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock")
    lock = next((name for name in locks if (folder / name).is_file()), "")
    if manifest == "Pipfile" or (lock and manifest != "requirements.txt"):
        return f"pip does not read {lock or manifest}; name the commands that install it in .venv"
    return ""


def _python_run(folder: Path, needs: str) -> tuple[str, str]:
    if (folder / "manage.py").is_file():
        module = re.search(r"[\"']([\w.]+)\.settings[\"']", text_of(folder / "manage.py"))
        if module and "gunicorn" in needs:
            return f".venv/bin/gunicorn {module[1]}.wsgi --bind 127.0.0.1:${{PORT}}", ""
        run = ".venv/bin/python manage.py runserver --noreload 127.0.0.1:${PORT}"
        return run, "Django's own server is not for production; name the one you use"
    for path in _python_files(folder):
        name, kind = _python_app(text_of(path))
        if not name:
            continue
        where = ".".join(path.relative_to(folder).with_suffix("").parts).removeprefix("src.")
        app = f"{where.removesuffix('.__init__')}:{name}"
        app = f"'{app}'" if "(" in app else app
        if kind in _ASGI and "uvicorn" in needs:
            return f".venv/bin/uvicorn {app} --port ${{PORT}} --log-level warning", ""
        if kind not in _ASGI and "gunicorn" in needs:
            return f".venv/bin/gunicorn {app} --bind 127.0.0.1:${{PORT}}", ""
        if kind == "Flask":
            run = f".venv/bin/flask --app {app} run --port ${{PORT}}"
            return run, "Flask's own server is not for production; name the one you use"
    names = ("main.py", "app.py", "server.py")
    main = next((name for name in names if (folder / name).is_file()), "")
    if main:
        return f".venv/bin/python {main}", ""
    return "", "no application found; set the start command"


def _python_app(text: str) -> tuple[str, str]:
    """What a module calls its application, or how it makes it, and the framework's class."""
    if found := _PYTHON_APP.search(text):
        return found[1], found[2]
    factory = _FLASK_FACTORY.search(text)
    return (f"{factory[1]}()", "Flask") if factory else ("", "")


def _python_files(folder: Path) -> list[Path]:
    likely = ("main.py", "app.py", "server.py", "wsgi.py", "asgi.py", "application.py")
    found = [folder / name for name in likely]
    for pattern in ("*/{}", "src/*/{}"):
        found += [path for name in likely for path in sorted(folder.glob(pattern.format(name)))]
    found += sorted([*folder.glob("*/__init__.py"), *folder.glob("src/*/__init__.py")])
    return [path for path in found if path.is_file() and ".venv" not in path.parts]
