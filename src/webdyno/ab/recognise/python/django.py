"""A project of Django: what serves it, and the variables that its settings want."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from webdyno.ab.recognise.python.needs import needs_of
from webdyno.ab.recognise.python.server import asgi_command
from webdyno.ab.recognise.recognised import KEY, says, text_of

_MODULE = re.compile(
    r"DJANGO_SETTINGS_MODULE[\"']\]?\s*[,=]\s*[\"']([\w.]+)[\"']"
    r"|[\"']((?:\w+\.)+settings(?:\.\w+)*)[\"']"
)
"""The module of settings, which may be several, one for each place of use."""

_READ = r"(?:env(?:\.\w+)?|config|os\.environ(?:\.get)?|os\.getenv)[\[(]\s*[\"'](\w+)[\"']"
_KEY = re.compile(rf"^SECRET_KEY\s*=\s*{_READ}\s*[\])]", re.MULTILINE)
"""A key that is read and has no default."""

_HOSTS = re.compile(rf"^ALLOWED_HOSTS\s*=\s*{_READ}", re.MULTILINE)
_NAMED_HOSTS = re.compile(
    r"^ALLOWED_HOSTS\s*=\s*[\[(]\s*[\"']([\w.-]+)[\"']([^\])]*)", re.MULTILINE
)


def manage_of(folder: Path) -> Path | None:
    """The `manage.py` of the project in `folder`, or in the only folder below it that has one."""
    if (folder / "manage.py").is_file():
        return folder / "manage.py" if _is_djangos(folder / "manage.py", folder) else None
    below = [one for one in sorted(folder.glob("*/manage.py")) if one.parent.name[0] not in "._"]
    return below[0] if len(below) == 1 and _is_djangos(below[0], folder) else None


def _is_djangos(manage: Path, folder: Path) -> bool:
    """Whether Django has such a `manage.py`, which others call so as well."""
    by_name = says(manage, r"\bDJANGO_SETTINGS_MODULE\b|\b(?:from|import) django\b")
    return by_name or re.search(r"\bdjango\b", needs_of(folder)) is not None


def django_run(folder: Path, manage: Path, needs: str) -> tuple[str, str, dict[str, str]]:
    """The start command of a project of Django, what its owner has to say about that, and its
    variables."""
    top = manage.parent
    place = "" if top == folder else top.relative_to(folder).as_posix()
    module = _module_in(manage)
    project = _project_of(top, module)
    inside = top / project.replace(".", "/")
    env = _env(top, inside, module)
    name = shlex.quote(manage.relative_to(folder).as_posix())
    settings = _settings(inside, top, module)
    asks = "; ".join([*_asks(settings), *_asks_of_static_files(settings, name)])
    has_asgi = any((inside / one).is_file() for one in ("asgi.py", "asgi/__init__.py"))
    has_wsgi = (inside / "wsgi.py").is_file() or not has_asgi
    if project and "gunicorn" in needs and has_wsgi:
        there = f" --chdir {shlex.quote(place)}" if place else ""
        return f".venv/bin/gunicorn{there} {project}.wsgi --bind 127.0.0.1:${{PORT}}", asks, env
    if project and has_asgi:
        app = f"{project}.asgi:application"
        run, _ = asgi_command(app, app, needs)
        if run:
            path = {"PYTHONPATH": place} if place else {}
            return run, asks, {**env, **path}
    run = f".venv/bin/python {name} runserver --noreload 127.0.0.1:${{PORT}}"
    return run, "Django's own server is not for production; name the one you use", env


def _module_in(path: Path) -> str:
    """The module of settings that a program takes; empty where it names none."""
    match = _MODULE.search(text_of(path))
    return (match[1] or match[2]) if match else ""


def _project_of(top: Path, module: str) -> str:
    """The package in which a project with this module of settings has what serves it."""
    usual = module.partition(".settings")[0] if ".settings" in module else ""
    parts = module.split(".")
    above = (".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
    serves = (
        one
        for one in above
        for name in ("wsgi.py", "asgi.py")
        if (top / one.replace(".", "/") / name).is_file()
    )
    return next(serves, usual)


def _env(top: Path, inside: Path, module: str) -> dict[str, str]:
    """What its settings read and have no default for, as far as it is the same everywhere; and the
    settings for production, where `manage.py` takes others."""
    env: dict[str, str] = {}
    served = (_module_in(inside / name) for name in ("wsgi.py", "asgi.py"))
    if (other := next(filter(None, served), module)) != module:
        env["DJANGO_SETTINGS_MODULE"] = other
    for path in _settings(inside, top, module):
        text = text_of(path)
        env |= dict.fromkeys(_KEY.findall(text), KEY)
        # Alone, since settings split them at spaces or at commas.
        env |= dict.fromkeys(_HOSTS.findall(text), "127.0.0.1")
    return env


def _asks(settings: Iterable[Path]) -> Iterator[str]:
    for path in settings:
        for first, others in _NAMED_HOSTS.findall(text_of(path)):
            known = f"{first} {others}"
            if "*" not in known and "127.0.0.1" not in known and "localhost" not in known:
                yield (
                    f"its ALLOWED_HOSTS refuse 127.0.0.1: send one of them, as in `headers = "
                    f'{{ Host = "{first.removeprefix(".")}" }}`'
                )
                return


def _asks_of_static_files(settings: Iterable[Path], manage: str) -> Iterator[str]:
    """That the build has to collect them, where a page fails whose files no manifest names."""
    if any("ManifestStaticFilesStorage" in text_of(path) for path in settings):
        yield (
            f"its pages need a manifest of static files: end `build` with `.venv/bin/python "
            f"{manage} collectstatic --noinput`, and set what its settings require in the `env` of "
            "[build]"
        )


def _settings(inside: Path, top: Path, module: str) -> list[Path]:
    """The files of settings, less those for tests and for development."""
    files = {*inside.glob("settings*.py"), *inside.glob("settings/*.py")}
    place = (top / module.replace(".", "/")).parent
    if module and place != inside:
        files.update(place.glob("*.py"))
    return [one for one in sorted(files) if not re.search(r"test|local|dev", one.stem)]
