"""What Spring Boot's settings let it do beside listening at its port in plain HTTP."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of
from webdyno.ab.recognise.settings.config_files import values_in_file

_PLACES = tuple(
    f"src/main/resources/{folder}application.{ending}"
    for folder in ("", "config/")
    for ending in ("properties", "yml", "yaml")
)
_PROPERTY = re.compile(r"^[ \t]*([\w.-]+)[ \t]*[=:][ \t]*(\S+)", re.MULTILINE)
_PORT = re.compile(r"[1-9]\d*|\$\{[\w.-]+:[1-9]\d*\}")
"""A port, or one that a variable may change; 0 is a free one."""


def spring_options(module: Path) -> str:
    """The options with which a module of Spring Boot's is started: its port; a port of any other
    that it names, since several copies run at once; and no TLS, in which it is not asked."""
    options = ["--server.port=${PORT}"]
    held = dict(pair for name in _PLACES for pair in _settings(module / name))
    options += [f"--{key}=0" for key in ("management.server.port", "grpc.server.port")
              if _PORT.fullmatch(held.get(key, "").strip("\"'"))]  # fmt: skip
    if any(key.startswith("server.ssl.") for key in held):
        options.append("--server.ssl.enabled=false")
    return " ".join(options)


def _settings(path: Path) -> list[tuple[str, str]]:
    if path.suffix == ".properties":
        return _PROPERTY.findall(text_of(path))
    return [(".".join(keys), value) for keys, value in values_in_file(path)]
