"""What a module in Python calls its application: an object, or a function that makes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of

ASGI = frozenset({"FastAPI", "Starlette", "Litestar", "Quart"})
_CLASSES = rf"({'|'.join(sorted(ASGI))}|Flask)"

_ASSIGNED = re.compile(r"^(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(\w+)\(", re.MULTILINE)
_FUNCTION = re.compile(
    # Up to the next line that begins at the left; the end of a signature does so, too.
    r"^(?:async )?def (\w+)\(([^)]*)\)(.*?)(?=^[^\s)#]|\Z)",
    re.MULTILINE | re.DOTALL,
)
_MADE = re.compile(rf"(?:->\s*|\breturn\s+|=\s*)[\"']?(?:\w+\.)?{_CLASSES}\b")
_RETURNS = re.compile(rf"\s*->\s*[\"']?(?:\w+\.)?{_CLASSES}\b[\"']?\s*:")
_IMPORTED = re.compile(r"^from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)

_FACTORIES = frozenset(
    f"{verb}_{what}"
    for verb in ("create", "make", "build", "get")
    for what in ("app", "application")
)
"""What a function that makes the application is usually called."""


@dataclass(frozen=True)
class Application:
    """`name` in its module, the framework's class `kind`, and whether `name` is a function."""

    name: str
    kind: str
    is_factory: bool = False


def application_of(path: Path, top: Path) -> Application | None:
    """The application in the module `path` of a service in the folder `top`; None where there is
    none."""
    text = text_of(path)
    assigned = _ASSIGNED.findall(text)
    for name, called in assigned:
        if re.fullmatch(_CLASSES, called):
            return Application(name, called)
    made = _makers(text)
    for name, called in assigned:
        if kind := made.get(called) or _imported(text, called, path, top):
            return Application(name, kind)
    applications = (
        Application(name, kind, is_factory=True)
        for name, kind in _makers(text, without_arguments=True).items()
        if name in _FACTORIES
    )
    return next(applications, None) or _only_annotated(text)


def _only_annotated(text: str) -> Application | None:
    """The only function whose signature says that it makes an application, by whatever name."""
    applications = [
        Application(name, made[1], is_factory=True)
        for name, parameters, rest in _FUNCTION.findall(text)
        if (made := _RETURNS.match(rest)) and not _needs_some(parameters)
    ]
    return applications[0] if len(applications) == 1 else None


def _makers(text: str, without_arguments: bool = False) -> dict[str, str]:
    """The functions of a module that make an application, each with the class of that."""
    return {
        name: made[1]
        for name, parameters, rest in _FUNCTION.findall(text)
        if (made := _MADE.search(rest)) and not (without_arguments and _needs_some(parameters))
    }


def _needs_some(parameters: str) -> bool:
    """Whether a function cannot be called without arguments."""
    named = [one.strip() for one in re.sub(r"\[[^]]*\]", "", parameters).split(",")]
    return any(one and "=" not in one and not one.startswith(("*", "/", "#")) for one in named)


def _imported(text: str, name: str, path: Path, top: Path) -> str:
    """The class of what the function `name` makes, which the module imports; empty where it makes
    none."""
    for module, names in _IMPORTED.findall(text):
        if not re.search(rf"\b{name}\b", names):
            continue
        level = len(module) - len(module.lstrip("."))
        parts = [part for part in module.split(".") if part]
        tops = [path.parents[level - 1]] if 0 < level <= len(path.parents) else [top, top / "src"]
        for folder in tops:
            place = folder.joinpath(*parts)
            for file in (place.with_suffix(".py"), place / "__init__.py"):
                if kind := _makers(text_of(file)).get(name):
                    return kind
    return ""
