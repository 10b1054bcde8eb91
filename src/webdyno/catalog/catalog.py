"""The catalog: servers, scenarios and studies found in the content folders.

Content ships with Webdyno; a user's own folder of the same layout overlays it, entry by entry.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from webdyno.catalog.scenarios.scenario import Scenario, read_scenario
from webdyno.catalog.servers.language import LanguageManifest, read_language
from webdyno.catalog.servers.server import Server, read_server
from webdyno.catalog.studies.published import PublishedManifest, read_published
from webdyno.catalog.studies.published_names import check_published
from webdyno.catalog.studies.study import StudyManifest, read_study
from webdyno.errors import UserError

Read = TypeVar("Read")


@dataclass(frozen=True)
class ServerVariant:
    """A server, or one of its variants, as a study names it: `node/express@cluster`."""

    server: Server
    variant: str = "default"

    @property
    def label(self) -> str:
        """`language/name`, with `@variant` where it is not the default."""
        return self.server.id if self.variant == "default" else f"{self.server.id}@{self.variant}"


@dataclass
class Catalog:
    """All content of `roots`; a later root hides entries of the same name in an earlier one."""

    roots: list[Path] = field(default_factory=lambda: default_roots())
    on_fault: Callable[[UserError], None] | None = None
    """Is told of each file that is wrong where all of a kind are asked for, which are then those
    that can be read; without it, the first such file is an error."""

    @classmethod
    def with_overlay(cls, folder: Path) -> Catalog:
        """The default content, overlaid by `folder`. Raises `UserError` where it is none."""
        return cls([*default_roots(), content_root(folder)])

    @cached_property
    def _server_folders(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for root in self.roots:
            for path in sorted(root.glob("servers/*/*/server.toml")):
                found[f"{path.parent.parent.name}/{path.parent.name}"] = path.parent
        return found

    @cached_property
    def _languages(self) -> dict[str, LanguageManifest]:
        paths = [
            path for root in self.roots for path in sorted(root.glob("servers/*/language.toml"))
        ]
        return dict(self._each(paths, lambda path: (path.parent.name, read_language(path))))

    @cached_property
    def _scenario_folders(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for root in self.roots:
            for path in sorted(root.glob("scenarios/*/scenario.toml")):
                found[path.parent.name] = path.parent
        return found

    @cached_property
    def _study_files(self) -> dict[str, Path]:
        return {
            path.stem: path for root in self.roots for path in sorted(root.glob("studies/*.toml"))
        }

    def study_names(self) -> list[str]:
        """The name of every study."""
        return sorted(self._study_files)

    def server_ids(self) -> list[str]:
        """`language/name` of every server, in alphabetical order."""
        return sorted(self._server_folders)

    def scenario_names(self) -> list[str]:
        """The name of every scenario."""
        return sorted(self._scenario_folders)

    @cached_property
    def _published_files(self) -> dict[str, Path]:
        found = (
            path for root in self.roots for path in sorted(root.glob("studies/published/*.toml"))
        )
        return {path.stem: path for path in found}

    def servers(self) -> list[Server]:
        """Every server, by id."""
        folders = [self._server_folders[id_] for id_ in self.server_ids()]
        return self._each(folders, self._read)

    def scenarios(self) -> list[Scenario]:
        """Every scenario, by name."""
        folders = [self._scenario_folders[name] for name in self.scenario_names()]
        return self._each(folders, read_scenario)

    def studies(self) -> list[StudyManifest]:
        """Every study, by name."""
        return self._each([self._study_files[name] for name in self.study_names()], read_study)

    def _each(self, paths: Iterable[Path], read: Callable[[Path], Read]) -> list[Read]:
        found: list[Read] = []
        for path in paths:
            try:
                found.append(read(path))
            except UserError as error:
                if self.on_fault is None:
                    raise
                self.on_fault(error)
        return found

    def server(self, id_: str) -> Server:
        """The server `language/name`; `UserError` with the nearest name where there is none."""
        return self._read(_pick(self._server_folders, id_, "server"))

    def _read(self, folder: Path) -> Server:
        return read_server(folder, self._languages.get(folder.parent.name))

    def language(self, name: str) -> LanguageManifest:
        """What all servers of a language have in common; Webdyno's own where nothing is said."""
        return self._languages.get(name, LanguageManifest())

    def runtimes(self, name: str) -> Path | None:
        """Where other runtimes of a language are described; None where there is none."""
        found = [root / "servers" / name / "runtimes" for root in self.roots]
        return next((path for path in reversed(found) if path.is_dir()), None)

    def scenario(self, name: str) -> Scenario:
        """The scenario `name`; `UserError` with the nearest name where there is none."""
        return read_scenario(_pick(self._scenario_folders, name, "scenario"))

    def study(self, name: str) -> StudyManifest:
        """The study `name`, or the study file at that path."""
        path = self.study_file(name)
        study = read_study(path)
        check_published(study, str(path), self.server_variant)
        return study

    def study_file(self, name: str) -> Path:
        """The file of the study `name`, which may be that file's path."""
        path = Path(name)
        if path.suffix == ".toml":
            return path
        if name not in self._study_files:
            refuse_other_file(name, "a study")
        return _pick(self._study_files, name, "study")

    def published(self, name: str) -> PublishedManifest:
        """The published figures `name`, or those of the file at that path."""
        path = Path(name)
        if path.suffix == ".toml":
            return read_published(path)
        if name not in self._published_files:
            refuse_other_file(name, "published figures")
        return read_published(_pick(self._published_files, name, "published figures"))

    def server_variant(self, reference: str) -> ServerVariant:
        """Resolve `language/name[@variant]`. Raises `UserError` where there is none."""
        id_, at, variant = reference.partition("@")
        if at and not variant:
            raise UserError(f"'{reference}' names no variant; write {id_}, or {id_}@VARIANT")
        server = self.server(id_).on(variant)
        if at and not server.has(variant):
            known = ", ".join(server.variant_names())
            raise UserError(
                f"{server.folder / 'server.toml'}: no variant '{variant}'; it has: {known}"
            )
        return ServerVariant(server, variant or "default")


def default_roots() -> list[Path]:
    """The content that ships with Webdyno, then the working directory's own, where it has any."""
    roots = [_shipped_content()]
    here = Path.cwd()
    has_content = any((here / name).is_dir() for name in ("servers", "scenarios", "studies"))
    if has_content and here.resolve() != roots[0].resolve():
        roots.append(here)
    if extra := os.environ.get("WEBDYNO_CONTENT"):
        roots.append(content_root(Path(extra)))
    return roots


def content_root(path: Path) -> Path:
    """Check that a folder given by the user can hold content. Raises `UserError`."""
    if not path.is_dir():
        raise UserError(
            f"--content {path}: no such folder; name one that holds servers, scenarios or studies"
        )
    return path


def _shipped_content() -> Path:
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent.parent
    # A wheel carries the content inside the package; a checkout keeps it at the top.
    return checkout if (checkout / "pyproject.toml").is_file() else package / "content"


MOST_NAMED = 12
"""Names that an error message lists at most."""


def refuse_other_file(name: str, kind: str) -> None:
    """Raises `UserError` where `name` is a file that is there, but of another kind than `kind` is
    written in."""
    if Path(name).suffix != ".toml" and Path(name).is_file():
        raise UserError(f"{name}: {kind} must be in a .toml file; name one")


def _pick(paths: dict[str, Path], name: str, kind: str) -> Path:
    if name in paths:
        return paths[name]
    raise UserError(f"no {kind} '{name}'; {_suggest(name, paths)}")


def _suggest(name: str, paths: Iterable[str]) -> str:
    names = sorted(paths)
    if close := _nearest(name, names):
        return f"did you mean '{close}'? (`webdyno list` shows all)"
    folder = name.rpartition("/")[0]
    beside = [one for one in names if folder and one.rpartition("/")[0] == folder]
    named = beside or names
    if len(named) > MOST_NAMED:
        return "`webdyno list` shows all"
    return f"{f'{folder} has' if beside else 'there are'}: {', '.join(named) or 'none'}"


def _nearest(name: str, names: Sequence[str]) -> str:
    """The one of `names` whose last part is most like that of `name`, of the same language where
    several are; empty where none is alike: `go/foo` is not `go/echo` for having its language."""
    by_last: dict[str, list[str]] = {}
    for one in names:
        by_last.setdefault(one.rpartition("/")[2], []).append(one)
    close = difflib.get_close_matches(name.rpartition("/")[2], by_last, n=1)
    if not close:
        return ""
    return difflib.get_close_matches(name, by_last[close[0]], n=1, cutoff=0.0)[0]
