"""The variables that a service wants to be told, by the sample of its file of variables."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import MOST_NAMED, text_of
from webdyno.report.numbers import first_of, is_or_are

_SAMPLES = (".env.example", ".env.sample")
_EMPTY = re.compile(r"^[ \t]*(?:export +)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:\"\"|'')?[ \t]*(?:#.*)?$")


def without_value(folder: Path) -> str:
    """That a sample leaves variables without a value; empty where none does."""
    for sample in _SAMPLES:
        lines = text_of(folder / sample).splitlines()
        names = [found[1] for line in lines if (found := _EMPTY.match(line))]
        if names := list(dict.fromkeys(name for name in names if name != "PORT")):
            named = first_of(names, MOST_NAMED)
            return f"{named} {is_or_are(names)} without a value in {sample}: set them in `env`"
    return ""
