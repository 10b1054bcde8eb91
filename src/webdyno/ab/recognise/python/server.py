"""The command that serves an application in Python, and where its module is found."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.python.app import ASGI, Application
from webdyno.ab.recognise.python.roots import USUAL, roots_of
from webdyno.ab.recognise.recognised import FoundCommand, text_of

_UVICORN = re.compile(
    r"\b(?:uvicorn|fastapi-cli)\b|\bfastapi\[[^]]*\b(?:standard|all)\b"
    r"|\blitestar\[[^]]*\b(?:standard|full)\b"
)
"""What brings uvicorn."""

_HYPERCORN = re.compile(r"\b(?:hypercorn|quart)\b")
_GRANIAN = re.compile(r"\bgranian\b")
_DAPHNE = re.compile(r"\bdaphne\b")


def command_of(module: str, application: Application, needs: str) -> FoundCommand:
    """What serves an application; no command where its manifests name nothing that could."""
    app = f"{module}:{application.name}"
    called = f"'{app}()'" if application.is_factory else app
    if application.kind in ASGI:
        return asgi_command(f"--factory {app}" if application.is_factory else app, called, needs)
    if "gunicorn" in needs:
        return FoundCommand(f".venv/bin/gunicorn {called} --bind 127.0.0.1:${{PORT}}")
    run = f".venv/bin/flask --app {called} run --port ${{PORT}}"
    return FoundCommand(run, "Flask's own server is not for production; name the one you use")


def asgi_command(app: str, called: str, needs: str) -> FoundCommand:
    """What serves the ASGI application `app`, which is `called` where it is a function's; no
    command where its manifests name nothing that could."""
    if _UVICORN.search(needs):
        return FoundCommand(f".venv/bin/uvicorn {app} --port ${{PORT}} --log-level warning")
    if _HYPERCORN.search(needs):
        return FoundCommand(f".venv/bin/hypercorn {called} --bind 127.0.0.1:${{PORT}}")
    if _GRANIAN.search(needs):
        return FoundCommand(f".venv/bin/granian --interface asgi {app} --port ${{PORT}}")
    if _DAPHNE.search(needs) and app == called:  # It knows no functions that make one.
        return FoundCommand(f".venv/bin/daphne -b 127.0.0.1 -p ${{PORT}} {app}")
    return FoundCommand("", "its manifest names no ASGI server; name the one you use")


def module_of(path: Path, folder: Path, installed: bool) -> tuple[str, dict[str, str]]:
    """The name by which a module is imported, and what has to be in the environment for that."""
    inside = path.relative_to(folder).with_suffix("")
    name = ".".join(inside.parts).removesuffix(".__init__")
    root = next((one for one in roots_of(folder) if inside.is_relative_to(one)), "")
    if not root or (root == USUAL and _is_in_package_src(inside.parts, text_of(path))):
        return name, {}
    plain = name.removeprefix(f"{root.replace('/', '.')}.")
    return plain, {} if installed else {"PYTHONPATH": root}


def _is_in_package_src(parts: tuple[str, ...], text: str) -> bool:
    """Whether a module below `src` counts that as a package: it imports from there by that name,
    or by as many dots as lead there."""
    dots = "." * max(len(parts) - 1, 1)
    is_itself = parts == ("src", "__init__")
    by_name = r"^\s*(?:from|import) src\b"
    return is_itself or re.search(rf"{by_name}|^\s*from {re.escape(dots)}", text, re.M) is not None
