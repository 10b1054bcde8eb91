"""The Ruby that a service asks for, and whether this machine's is such."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of
from webdyno.runtime.toolchains import find

_ASKED = re.compile(r"^\s*ruby[ (]+(.+)", re.MULTILINE)
_FROM_FILE = re.compile(r"(?:\bfile:|:file\s*=>)\s*[\"']([^\"']+)[\"']")
_OPTION = re.compile(r":\w+\s*=>|\b\w+:")
_LITERAL = re.compile(r"\[?\s*[\"']")
_QUOTED = re.compile(r"[\"']\s*([=!<>~]*\s*\d[\d.]*)[\w.]*\s*[\"']")
_PLAIN = re.compile(r"^\s*(?:ruby[- ])?(\d+(?:\.\d+)*)", re.MULTILINE)
_CLAUSE = re.compile(r"([=!<>~]*)\s*([\d.]+)")


def version_of(folder: Path) -> tuple[str, str]:
    """Ruby as a toolchain, from the version on that the Gemfile asks for; and what its owner has
    to do where this machine's is another than Bundler would take."""
    asked = _version_clauses(folder)
    lowest = next((one for sign, one in asked if sign in ("=", ">=", "~>")), "")
    spec = f"ruby >= {lowest}" if lowest else "ruby"
    own = find("ruby").found_version
    if own is None or all(_holds(own, sign, one) for sign, one in asked):
        return spec, ""
    told = ", ".join(one if sign == "=" else f"{sign} {one}" for sign, one in asked)
    return spec, (
        f"its Gemfile asks for Ruby {told}, and this machine has {own}, which Bundler refuses; "
        "have the other first on your PATH"
    )


def _version_clauses(folder: Path) -> list[tuple[str, str]]:
    """The clauses of the version in the Gemfile, each with its sign; none where there is none."""
    line = _ASKED.search(text_of(folder / "Gemfile"))
    if line is None:
        return []
    told = line[1].partition("#")[0]
    option = _OPTION.search(told)
    start = option.start() if option else len(told)
    if re.search(r"\bengine\b", told[start:]):
        return []
    if named := _FROM_FILE.search(told):
        plain = _PLAIN.search(text_of(folder / named[1]))
        return [("=", plain[1])] if plain else []
    if not _LITERAL.match(told):
        return []  # What Ruby computes, as from a variable, may be another.
    matches = (_CLAUSE.fullmatch(one) for one in _QUOTED.findall(told[:start]))
    return [(one[1] or "=", one[2].strip(".")) for one in matches if one]


def _holds(version: str, sign: str, bound: str) -> bool:
    """Whether a version fits a clause, as RubyGems reads it."""
    have, want = _parts(version), _parts(bound)
    if sign == "~>":
        fixed = want[:-1] or want
        return have >= want and have[: len(fixed)] == fixed
    size = max(len(have), len(want))
    a, b = (one + (0,) * (size - len(one)) for one in (have, want))
    holds = {"=": a == b, "!=": a != b, ">": a > b, ">=": a >= b, "<": a < b, "<=": a <= b}
    return holds.get(sign, True)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(one) for one in re.findall(r"\d+", version))
