"""The port that a service's configuration names, in JSON, TOML, YAML, HOCON or an INI file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.recognised import OWN_HOST, json_of, text_of, toml_of

_FOLDERS = (
    "", "config/", "configs/", "configuration/", "conf/", "etc/", "settings/",
    "src/main/resources/",
)  # fmt: skip
_NAMES = re.compile(
    r"(?:app|application|base|config|configuration|default|prod|production|server|settings)"
    r"\.(?:conf|ini|json|toml|ya?ml)"
)
"""What files are called that hold a service's settings, less those for tests and development."""

CHECKS = ("custom-environment-variables.json", "custom-environment-variables.yaml")
"""Where node-config is told which variables count before its files."""

_PORT_KEY = re.compile(r"(?:app|http|listen|server|web)?[_-]?port", re.IGNORECASE)
_ADDRESS_KEY = re.compile(
    r"(?:bind|listen)(?:[_-]?(?:addr(?:ess)?|on|to))?|(?:http[_-]?|server[_-]?)?addr(?:ess)?"
    r"|urls?",
    re.IGNORECASE,
)
_OF_ITSELF = frozenset(
    {
        "api", "app", "application", "applicationconnectors", "connector", "default",
        "deployment", "endpoint", "endpoints", "http", "httpserver", "kestrel", "ktor", "listen",
        "listener", "rest", "server", "service", "web",
    }
)  # fmt: skip
"""The tables in which such a key is that of the service, not of its database or metrics."""

_LISTENS = re.compile(rf"(?:https?://)?{OWN_HOST}:(\d{{2,5}})/?")
_LINE = re.compile(r"^([ \t]*(?:- +)?)[\"']?([\w.-]+)[\"']?\s*[:=]\s*(.*?)\s*[,;]?$")
_TABLE = re.compile(
    # YAML's may have an anchor or a tag.
    r"^([ \t]*)[\"']?([\w.-]+)[\"']?\s*(?::\s*(?:[&!]\S+\s*)*|[:=]?\s*\{\s*)$"
)
_SECTION = re.compile(r"\[\s*([^\]]+?)\s*\]")
_VARIABLE = re.compile(r"\$\{\??(\w+)")


@dataclass(frozen=True)
class NamedPort:
    """A port in a file of settings: `keys` lead to it."""

    path: Path
    keys: tuple[str, ...]
    port: str
    scheme: str = ""
    """What its address begins with, such as `http://`."""

    @property
    def is_port(self) -> bool:
        """Whether it stands alone, and in no address."""
        return _PORT_KEY.fullmatch(self.keys[-1]) is not None


def named_ports(folder: Path) -> Iterator[NamedPort]:
    """The ports at which the configuration in a folder lets the service itself listen: of each
    file those that stand alone first, since an address may be another's."""
    for path in _files(folder):
        ports = [
            NamedPort(path, keys, port, "http://" if "://" in value else "")
            for keys, value in values_in_file(path)
            if set(map(str.lower, keys[:-1])) <= _OF_ITSELF and (port := _port(keys[-1], value))
        ]
        yield from sorted(ports, key=lambda one: not one.is_port)


def variable_for(named: NamedPort, sources: Iterable[Path]) -> dict[str, str]:
    """The variable that counts before the file, with the port to be, where the library that reads
    it takes one for each key: config and figment in Rust, Viper in Go."""
    for path in sources:
        text = text_of(path)
        if path.suffix == ".rs" and (match := _PREFIX.search(text)):
            told = _SEPARATOR.search(text)
            if told is None and len(named.keys) > 1:
                continue
            between = told[1] if told else "_"
            own = re.search(r"\.prefix_separator\(\"(\W+|_+)\"\)", text)
            before = match[2] or f"{match[1]}{own[1] if own else between}"
        elif path.suffix == ".go" and "AutomaticEnv()" in text:
            prefix = re.search(r"\bSetEnvPrefix\(\"(\w+)\"\)", text)
            if len(named.keys) > 1 and "SetEnvKeyReplacer(" not in text:
                continue
            before, between = f"{prefix[1]}_" if prefix else "", "_"
        else:
            continue
        value = "${PORT}" if named.is_port else f"{named.scheme}127.0.0.1:${{PORT}}"
        return {f"{before}{between.join(named.keys)}".upper(): value}
    return {}


_PREFIX = re.compile(r"\bwith_prefix\(\"(\w+)\"\)|\bEnv::prefixed\(\"(\w+)\"\)")
_SEPARATOR = re.compile(r"\.(?:separator|split)\(\"(_+)\"\)")


def variables_read_in_files(folder: Path) -> set[str]:
    """The variables that such files refer to."""
    names = {name for path in _files(folder) for name in _VARIABLE.findall(text_of(path))}
    for name in CHECKS:
        words = re.findall(r"[:=]\s*[\"']?([A-Z][A-Z0-9_]*)\b", text_of(folder / "config" / name))
        names |= set(words)
    return names


def _files(folder: Path) -> Iterator[Path]:
    for below in _FOLDERS:
        place = folder / below
        if place.is_dir():
            yield from sorted(one for one in place.iterdir() if _NAMES.fullmatch(one.name))


def values_in_file(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """The values in a file of settings, each with the keys that lead to it."""
    if path.suffix == ".json":
        return _flat(json_of(path), ())
    if path.suffix == ".toml":
        return _flat(toml_of(path), ())
    return _of_lines(text_of(path))


def _flat(held: Any, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(held, dict):
        for key, below in held.items():
            yield from _flat(below, (*keys, str(key)))
    elif keys and isinstance(held, (int, str)):
        yield keys, str(held)


def _of_lines(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The values of YAML and of an INI file, and of HOCON as far as it is written alike: one on a
    line."""
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        plain = re.sub(r"(?:^|\s)(?:#|//).*", "", line).rstrip()
        if section := _SECTION.fullmatch(plain):
            above = [(-1, section[1])]
            continue
        match = _TABLE.match(plain) or _LINE.match(plain)
        if match is None:
            continue
        depth = len(match[1])
        above = [one for one in above if one[0] < depth]
        keys = (*(name for _, key in above for name in key.split(".")), *match[2].split("."))
        if match.re is _TABLE:
            above.append((depth, match[2]))
        else:
            yield keys, match[3].strip("\"'")


def _port(key: str, value: str) -> str:
    if _PORT_KEY.fullmatch(key) and re.fullmatch(r"\d{2,5}", value):
        return value
    match = _LISTENS.fullmatch(value) if _ADDRESS_KEY.fullmatch(key) else None
    return match[1] if match else ""
