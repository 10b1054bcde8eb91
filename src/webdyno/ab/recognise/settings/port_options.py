"""The option of its command line by which a program is told its port."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from webdyno.ab.recognise.recognised import OWN_HOST, text_of
from webdyno.ab.recognise.settings.variables_read import RUST_FIELD, variables_in

_OF_GO = re.compile(
    # Of the standard library, pflag and Cobra: a name, perhaps a letter, and the default.
    r"\b(?:flag|pflag|\w*[Ff]lags\(\)|fs|flags|flagSet)\.(?:Int|Uint|String)\d*(?:Var)?P?\(\s*"
    r"(?:&?[\w.]+,\s*)?\"([\w.-]+)\",\s*(?:\"\w?\",\s*)?(?:\"([^\"]*)\"|(\d+))\s*,"
)
_OF_PYTHON = re.compile(
    # Of argparse and Click, and of Tornado.
    r"\b(?:(?:add_argument|option)\(\s*(?:[\"']-\w[\"'],\s*)?[\"']--|define\(\s*[\"'])([\w-]+)[\"']"
    r"[^)]*?\bdefault\s*=\s*(?:[\"']([^\"']*)[\"']|(\d+))"
)
_OF_CLAP = re.compile(rf"#\[(?:arg|clap|structopt)\(([^\]]*)\)\]{RUST_FIELD}")
_LONG = re.compile(r"\blong\b(?:\s*=\s*\"([\w-]+)\")?")
_DEFAULT = re.compile(r"\bdefault_value(?:_t)?\s*=\s*(?:\"([^\"]*)\"|(\d+))")

_PORTS = re.compile(r"(?:http|listen|server|web)?[-_.]?[pP]ort|p")
_ADDRESSES = re.compile(
    r"(?:http|listen|server|web)?[-_.]?[aA]ddr(?:ess)?|bind(?:[-_.]?addr(?:ess)?)?|http|listen"
)
"""How options are called that say at which port, or at which address with one, it listens."""


def port_option(sources: Iterable[Path]) -> str:
    """What to add to the command of a program made of these sources, so that it listens at the port
    that it is given; empty where it has no such option, or where it reads PORT."""
    options: set[str] = set()
    for path in sources:
        if "PORT" in variables_in(path):
            return ""
        options |= {told for name, default in _options(path) if (told := _option(name, default))}
    return f" {options.pop()}" if len(options) == 1 else ""


def _options(path: Path) -> Iterable[tuple[str, str]]:
    """The options that a source names, each with its default."""
    text = text_of(path)
    if path.suffix == ".rs":
        for held, field in _OF_CLAP.findall(text):
            long, default = _LONG.search(held), _DEFAULT.search(held)
            if long and default:
                yield long[1] or field.replace("_", "-"), default[1] or default[2]
    for name, word, number in {".go": _OF_GO, ".py": _OF_PYTHON}.get(path.suffix, _NONE).findall(
        text
    ):
        yield name, word or number


_NONE = re.compile(r"(?!)()()()")


def _option(name: str, default: str) -> str:
    if _PORTS.fullmatch(name) and re.fullmatch(r":?\d{2,5}", default):
        return f"--{name} {':' if default[0] == ':' else ''}${{PORT}}"
    if _ADDRESSES.fullmatch(name) and re.fullmatch(rf"{OWN_HOST}:\d{{2,5}}", default):
        return f"--{name} 127.0.0.1:${{PORT}}"
    return ""
