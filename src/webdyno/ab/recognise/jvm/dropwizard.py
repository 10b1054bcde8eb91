"""A service of Dropwizard: its command, its file of settings, and how that is told other ports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.recognise.recognised import says, text_of
from webdyno.ab.recognise.settings.config_files import values_in_file

_NEEDED = re.compile(r"\bdropwizard[-.]core\b")
"""Its metrics alone are others' as well."""

_FOLDERS = ("", "config", "conf", "etc", "src/main/resources")
_SETTINGS = r"^(?:server|logging|database|metrics|health|admin)\s*:"
_OF_OTHERS = re.compile(r"compose|test|\bci\b|travis|logback|openapi|swagger|i18n")
_USUAL = re.compile(r"config|server|prod")


def is_dropwizard(build_files: str) -> bool:
    """Whether these build files name Dropwizard's core."""
    return _NEEDED.search(build_files) is not None


_STARTED = re.compile(r" server(?=(?: \S+)?$)")


def starts_dropwizard(command: str) -> bool:
    """Whether a command starts a program of Dropwizard as `dropwizard_start` has it."""
    return _STARTED.search(command) is not None


def other_command(start: str, name: str) -> str:
    """The command `name` of a program that `start` starts; the ports are no concern of it."""
    plain = re.sub(r" \"?-Ddw\.server\.\S+", "", start)
    return _STARTED.sub(f" {name}", plain)


@dataclass(frozen=True)
class DropwizardStart:
    """How a program of Dropwizard is started."""

    properties: tuple[str, ...]
    """The properties of Java that tell it its ports."""
    arguments: str
    ask: str = ""
    """What its owner has to say; empty where there is nothing."""


def settings_of(folder: Path, module: str) -> Path | None:
    """The file of settings with which a module of the build in `folder` is started; None where
    there is none."""
    files = [
        path
        for place in dict.fromkeys((folder / module, folder))
        for below in _FOLDERS
        for pattern in ("*.yml", "*.yaml")
        for path in sorted((place / below).glob(pattern))
        if not _OF_OTHERS.search(path.name) and says(path, _SETTINGS)
    ]
    usual = [path for path in files if _USUAL.search(path.stem)]
    return next(iter(usual or files), None)


def dropwizard_start(folder: Path, module: str) -> DropwizardStart:
    """How the program of a module of the build in `folder` is started."""
    path = settings_of(folder, module)
    if path is None:
        # Its defaults have one connector of either kind.
        return DropwizardStart(_properties(_APPLICATION, _ADMIN), "server")
    properties, ask = _ports(path)
    return DropwizardStart(properties, f"server {_named(folder, module, path)}", ask)


def _named(folder: Path, module: str, path: Path) -> str:
    """A file as the program is told of it, which may look for it among its resources."""
    sources = folder / module / "src/main"
    resources = sources / "resources"
    if path.is_relative_to(resources) and any(
        "ResourceConfigurationSourceProvider" in text_of(one)
        for ending in ("java", "kt")
        for one in sources.rglob(f"*.{ending}")
    ):
        return path.relative_to(resources).as_posix()
    return path.relative_to(folder).as_posix()


_APPLICATION = "applicationConnectors[0].port=${PORT}"
_ADMIN = "adminConnectors[0].port=0"
_SIMPLE = "connector.port=${PORT}"


def _ports(settings: Path) -> tuple[tuple[str, ...], str]:
    """The properties that let it listen at its port, and its administration at a free one, where
    the settings name these; and what has to be said."""
    values = [(".".join(keys), value) for keys, value in values_in_file(settings)]
    held = dict(values)
    lists = [
        name
        for name in ("applicationConnectors", "adminConnectors")
        if any(key.startswith(f"server.{name}.") for key in held)
    ]
    if held.get("server.type") == "simple":
        kind = () if "server.connector.type" in held else ("connector.type=http",)
        return _properties(*kind, _SIMPLE), ""
    if not lists:
        # An element of a list that is not there cannot be set, so it gets the kind of server that
        # has one connector alone.
        paths = (("applicationContextPath", "/"), ("adminContextPath", "/admin"))
        own = [f"{key}={path}" for key, path in paths if f"server.{key}" not in held]
        return _properties("type=simple", *own, "connector.type=http", _SIMPLE), ""
    known = {"applicationConnectors": _APPLICATION, "adminConnectors": _ADMIN}
    missing = "".join(name for name in known if name not in lists)
    ask = (
        f"{settings.name} has no {missing} under `server`, whose port is then the same for all "
        "copies: add them there"
        if missing
        else ""
    )
    # Those of several in a list would be the same for all copies, too.
    further = [
        f"{name}[{place}].port=0"
        for name in lists
        for place in range(1, sum(key == f"server.{name}.port" for key, _ in values))
    ]
    return _properties(*(known[name] for name in lists), *further), ask


def _properties(*options: str) -> tuple[str, ...]:
    return tuple(f"-Ddw.server.{one}" for one in options)
