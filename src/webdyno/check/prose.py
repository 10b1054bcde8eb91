"""Changes of comments and descriptions alone: they change no digest, so no server is checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.errors import UserError
from webdyno.run.preparation.sources import scenario_digest, server_digest

_PROSE_OF_VARIANT = {"description", "concurrency", "parts"}
_PROSE_OF_SERVER = {"framework", "homepage", "licence", "notes", "reason", "concurrency", "parts"}
_PROSE_OF_LANGUAGE = {"runtime", "notes", "heap", "bytecode"}
"""Keys of manifests that say what something is, and that neither a build nor a trial reads."""


@dataclass
class ProseEdits:
    """Which files belong to a part of the content that is the same now as then but for prose."""

    today: Catalog
    then: Catalog
    parts: dict[tuple[str, ...], bool] = field(default_factory=dict)
    """Every part that was asked about, by its path, and whether only its prose has changed."""

    def without(self, files: Iterable[Path]) -> list[Path]:
        """Those of `files` that matter."""
        roots = [root.resolve() for root in self.today.roots]
        return [file for file in files if not self._is_prose(file, roots)]

    def _is_prose(self, file: Path, roots: list[Path]) -> bool:
        root = next((one for one in reversed(roots) if file.is_relative_to(one)), None)
        match file.relative_to(root).parts if root is not None else ():
            case ("servers", _, "runtimes", *_):
                return False
            case ("servers", _, "language.toml") as part:
                pass
            case ("servers", language, name, _, *_):
                part = ("servers", language, name)
            case ("scenarios", name, _, *_):
                part = ("scenarios", name)
            case _:
                return False
        if part not in self.parts:
            try:
                self.parts[part] = _counts(self.today, part) == _counts(self.then, part)
            except UserError:  # It is new, is gone, or cannot be read, which a check has to tell.
                self.parts[part] = False
        return self.parts[part]

    @property
    def names(self) -> list[str]:
        """The parts that were left out, as `servers/go/gin` or `scenarios/hello`."""
        return sorted("/".join(part) for part, is_prose in self.parts.items() if is_prose)


def _counts(catalog: Catalog, part: tuple[str, ...]) -> Any:
    """What of a part of the content can change how a server is built, proven or measured. Raises
    `UserError` where it cannot be read."""
    match part:
        case ("scenarios", name):
            return scenario_digest(catalog.scenario(name))
        case ("servers", language, "language.toml"):
            prose: Any = dict.fromkeys(_PROSE_OF_LANGUAGE, True)
            prose["runtimes"] = {"__all__": {"description"}}
            return catalog.language(language).model_dump(exclude=prose)
        case _:
            return _of_server(catalog.server("/".join(part[1:])))


def _of_server(server: Server) -> tuple[Any, list[str]]:
    prose: Any = dict.fromkeys(_PROSE_OF_SERVER, True)
    prose["variants"] = {"__all__": _PROSE_OF_VARIANT}
    variants = ("default", *server.manifest.variants)
    return (
        server.manifest.model_dump(exclude=prose),
        [server_digest(server, variant) for variant in variants],
    )
