"""The variables that a service wants to be told, by its file of variables or the sample of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import MOST_NAMED, in_copy, text_of
from webdyno.report.numbers import first_of, is_or_are, it_or_them

ENV_FILES = (".env", ".env.local", ".env.production", ".env.production.local")
"""What a service reads its variables from where it is not told them; git mostly ignores them."""

SAMPLES = (
    ".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", ".env-example",
    ".env-sample", ".example-env", "env.example", "env.sample", "env-example", "example.env",
    "sample.env", "dotenv.sample", "env-example-relational",
)  # fmt: skip
"""What shows which variables such a file is to set."""
_SET = re.compile(r"^[ \t]*(?:export +)?([A-Za-z_]\w*)[ \t]*=", re.MULTILINE)
_EMPTY = re.compile(r"^[ \t]*(?:export +)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:\"\"|'')?[ \t]*(?:#.*)?$")


_QUOTED = re.compile(r"=[ \t]*([\"'])(?:\\.|(?!\1).)*\1", re.DOTALL)
"""A value in quotes, which may be of several lines, as a key is."""


def named_in(path: Path) -> list[str]:
    """The variables that a file sets, less its port; none where there is no such file."""
    text = _QUOTED.sub("=", text_of(path))
    return _less_port(_SET.findall(text))


_VALUE = re.compile(
    r"^[ \t]*(?:export +)?([A-Za-z_]\w*)[ \t]*="
    r"([ \t]*(?:\"[^\"\n]*\"|'[^'\n]*')|.*?)(?:[ \t]+#.*)?[ \t]*$",
    re.MULTILINE,
)


def values_in(folder: Path) -> dict[str, str]:
    """The variables that the samples in a folder set, with their values without quotes."""
    values: dict[str, str] = {}
    for sample in SAMPLES:
        for name, value in _VALUE.findall(text_of(folder / sample)):
            values.setdefault(name, value.strip().strip("\"'"))
    return values


_BESIDE = re.compile(r"(?:\w+_)?(?:ADMIN|DEBUG|GRPC|HEALTH|MANAGEMENT|METRICS|PPROF)_PORT")
"""Ports of what listens beside the service: each copy takes a free one for 0."""

_ADDRESS = re.compile(r"://|@\w+\(|\b(?:data source|host|server)\s*=", re.IGNORECASE)
_OF_ADDRESS = re.compile(r"(?:\w*_)?(?:ADDR|ADDRESS|BROKERS|DSN|HOSTS?|PORT|SERVERS?|UR[IL]S?)")
"""What leads to a database or to other services: those of the one who develops it."""

_OF_DEVELOPMENT = frozenset({"debug", "dev", "development", "local", "test", "trace"})


def sampled_values(folder: Path, names: Collection[str]) -> dict[str, str]:
    """The values that the samples in a folder have for the variables `names`, which are no secrets
    there; less those for development, addresses, and what is to be filled in."""
    values = dict.fromkeys((one for one in names if _BESIDE.fullmatch(one)), "0")
    for name, value in values_in(folder).items():
        plain = value and not set("$<>{}") & set(value) and value.lower() not in _OF_DEVELOPMENT
        leads = _OF_ADDRESS.fullmatch(name) or _ADDRESS.search(value)
        if name in names and plain and not leads:
            values[name] = value
    return values


def without_value(folder: Path, known: Collection[str] = ()) -> str:
    """That a sample leaves variables without a value, but for those that are `known`; empty where
    it leaves none."""
    for sample in SAMPLES:
        lines = text_of(folder / sample).splitlines()
        names = [match[1] for line in lines if (match := _EMPTY.match(line))]
        if names := [one for one in _less_port(names) if one not in known]:
            named = first_of(names, MOST_NAMED)
            return (
                f"{named} {is_or_are(names)} without a value in {sample}: set {it_or_them(names)} "
                "in `env`"
            )
    return ""


def not_told(required: Sequence[str], known: Collection[str]) -> str:
    """That the service's own schema of settings requires variables that are not `known`; empty
    where it requires none."""
    if names := [one for one in required if one not in known]:
        named = first_of(names, MOST_NAMED)
        return f"its settings require {named}: set {it_or_them(names)} in `env`"
    return ""


def ignored_file(folder: Path, known: Collection[str] = ()) -> str:
    """That the folder has a file of variables which the copy that is built lacks, and of which some
    are not `known`; empty where it has none."""
    for name in ENV_FILES:
        names = [one for one in named_in(folder / name) if one not in known]
        if names and not in_copy(folder, name):
            return (
                f"{name} is not in the copy that is built, because git ignores it: set what the "
                f"service needs of {first_of(names, MOST_NAMED)} in `env`"
            )
    return ""


def _less_port(names: list[str]) -> list[str]:
    """Each once, less the port, which is always told."""
    return list(dict.fromkeys(name for name in names if name != "PORT"))
