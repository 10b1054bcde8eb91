"""A server of the catalog: its manifest, its source, and how each of its variants is run."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from webdyno.catalog.loads.warm_up import Bounds, WarmUpKeys, bounds_of
from webdyno.catalog.reading.manifest import read_manifest
from webdyno.catalog.servers.concurrency import Concurrency
from webdyno.catalog.servers.language import LanguageManifest, Runtime
from webdyno.catalog.servers.program import RunManifest
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.terms.parts import CLOSED, heap
from webdyno.errors import UserError

_A_CORE = re.compile(r"\b(?:a|per) core\b|\bx cores\b")
_TAKE_TURNS = ("python", "ruby")
"""Languages of whose threads in one process only one runs at a time."""


class Server(BaseModel):
    """A server of the catalog: its manifest and where its source is."""

    model_config = ConfigDict(frozen=True)

    manifest: ServerManifest
    folder: Path
    language: LanguageManifest = LanguageManifest()
    runtime: str = ""
    """Of the language's, that on which it is built and run; empty for the machine's own."""
    source: tuple[str, ...] | None = None
    """Its files, by their paths in `folder`; None where those that a build makes are told by the
    names of their folders."""
    manifest_file: str = "server.toml"
    """The file in `folder` that is its manifest; empty where that is of another kind."""
    runtimes: Path | None = None
    """Where its language's other runtimes are described; None: beside its own folder."""
    build_name: str = ""
    """What its build is called; `id` if empty. Servers whose builds are the same may share one."""
    cached_as: str = ""
    """What its build is called in the cache, where that is not `build_id`: two states of a server,
    both needed at once, are kept in one place."""
    commit: str = ""
    """The commit that `folder` was checked out of; empty where git is to be asked."""

    @property
    def id(self) -> str:
        """`language/name`, as studies and the command line write it."""
        return f"{self.manifest.language}/{self.manifest.name}"

    @property
    def build_id(self) -> str:
        """What sets its build apart: `id`, and the runtime where it is not the machine's own."""
        name = self.build_name or self.id
        return f"{name}@{self.runtime}" if self.runtime else name

    @property
    def framework_label(self) -> str:
        """The framework with its version, if that is known before anything is built."""
        runtime, package = self.chosen_runtime, self.manifest.framework_package
        if runtime is not None and package in runtime.provides:
            return f"{self.manifest.framework} {runtime.provides[package]}"
        return self.manifest.framework_label

    @property
    def chosen_runtime(self) -> Runtime | None:
        """The runtime that is not the machine's own; None where it is."""
        return self.language.runtimes[self.runtime] if self.runtime else None

    @property
    def runtime_folder(self) -> Path:
        """What the chosen runtime is installed from; it need not be there."""
        return (self.runtimes or self.folder.parent / "runtimes") / self.runtime

    def built_as(self, way: str) -> Server:
        """This server with the build commands of `way`, one of its manifest's `build.also`."""
        build = self.manifest.build
        changed = build.incremental and build.incremental.model_copy(update={"commands": []})
        other = build.model_copy(update={"commands": build.also[way], "incremental": changed})
        return self.model_copy(
            update={"manifest": self.manifest.model_copy(update={"build": other})}
        )

    def variant_names(self) -> list[str]:
        """`default`, the manifest's own variants, and the language's runtimes.

        A runtime and a variant go together as `variant-runtime`, which is not listed.
        """
        return ["default", *self.manifest.variants, *self.language.runtimes]

    def on(self, variant: str) -> Server:
        """This server on the runtime that `variant` names, alone or at its end."""
        if own := self.manifest.variants.get(variant):
            return self.model_copy(update={"runtime": own.runtime})
        names = [n for n in self.language.runtimes if variant == n or variant.endswith(f"-{n}")]
        return self.model_copy(update={"runtime": max(names, key=len)}) if names else self

    def has(self, variant: str) -> bool:
        """Whether there is such a variant, on the runtime that is chosen."""
        return self._own(variant) in ("default", *self.manifest.variants)

    def _own(self, variant: str) -> str:
        """The manifest's variant in `variant`, which may end in the runtime."""
        if variant in self.manifest.variants:
            return variant
        if variant == self.runtime:
            return "default"
        return variant.removesuffix(f"-{self.runtime}") if self.runtime else variant

    def run_of(self, variant: str) -> RunManifest:
        """The command and environment of `variant`, inherited where it is silent."""
        base, variant = self.manifest.run, self._own(variant)
        if variant == "default":
            return base
        chosen = self.manifest.variants[variant]
        changed = {"command": chosen.command or base.command, "env": {**base.env, **chosen.env}}
        return base.model_copy(update=changed)

    def concurrency_of(self, variant: str) -> Concurrency:
        """The stated facts for `variant`, inherited where it is silent."""
        base, variant = self.manifest.concurrency, self._own(variant)
        own = None if variant == "default" else self.manifest.variants[variant].concurrency
        if own is None:
            return base
        return base.model_copy(update=own.model_dump(exclude_unset=True))

    def parts_of(self, variant: str) -> dict[str, str]:
        """What the work goes through in `variant`, inherited where it is silent; last what holds of
        its language."""
        own = self.manifest.variants.get(self._own(variant))
        stated: dict[str, str] = dict(self.manifest.parts.items())
        stated.update(own.parts.items() if own else ())
        if not self.keeps_connections(variant):
            stated["connections"] = CLOSED
        heap_options = heap(self.run_of(variant).command, self.language.heap)
        runtime = {"heap": heap_options, "bytecode": self.language.bytecode}
        return {**stated, **{kind: what for kind, what in runtime.items() if what}}

    def keeps_connections(self, variant: str) -> bool:
        """Whether `variant` keeps a connection open after an answer, as its manifest states."""
        own = self.manifest.variants.get(self._own(variant))
        stated = own.keep_alive if own else None
        return self.manifest.keep_alive if stated is None else stated

    def warmup_of(self, keys: WarmUpKeys | None = None) -> Bounds:
        """How it is warmed up: by a study's `keys`, else as it says itself, else as its language
        does."""
        return bounds_of(keys, self.manifest.warmup, self.language.warmup)

    def all_cores_variant(self, variant: str) -> str:
        """The variant to run where `variant` leaves cores idle; empty where it uses them all.

        A variant uses all cores where it is told their number, or where its manifest states a
        process or a thread for each of them, or several threads of the system for requests.
        """
        if self._uses_all_cores(variant):
            return ""
        variant = self._own(variant)
        own = ("default", *self.manifest.variants)
        names = [name for name in own if self._uses_all_cores(name)]
        # Of a variant with a small heap rather the cluster with a small heap.
        best = next((name for name in names if variant in name), names[0] if names else "")
        if not best or not self.runtime:
            return best
        return self.runtime if best == "default" else f"{best}-{self.runtime}"

    def _uses_all_cores(self, variant: str) -> bool:
        run, stated = self.run_of(variant), self.concurrency_of(variant)
        given = any("${CPUS}" in part for part in [*run.command, *run.env.values()])
        if stated.kind == "threads" and self.manifest.language not in _TAKE_TURNS:
            given = given or (stated.processes == "1" and not re.match(r"1\b|$", stated.threads))
        return given or _A_CORE.search(f"{stated.processes} {stated.threads}") is not None


def read_server(folder: Path, language: LanguageManifest | None = None) -> Server:
    """Read `folder/server.toml`. Raises `UserError` where it is wrong or contradicts its folder."""
    path = folder / "server.toml"
    manifest = read_manifest(path, ServerManifest)
    if manifest.name != folder.name:
        raise UserError(f"{path}: key 'name' is '{manifest.name}'; it must equal the folder")
    if manifest.language != folder.parent.name:
        raise UserError(
            f"{path}: key 'language' is '{manifest.language}'; it must equal the parent folder "
            f"'{folder.parent.name}'"
        )
    if manifest.status == "unbuildable" and not manifest.reason:
        raise UserError(f"{path}: key 'reason' is missing; say why it cannot be built")
    changed = manifest.build.incremental
    if changed is not None and not (folder / changed.file).is_file():
        raise UserError(
            f"{path}: key 'build.incremental.file' names '{changed.file}', which does not exist; "
            "add the file, or correct the key"
        )
    language = _supported(manifest, language or LanguageManifest(), path)
    server = Server(manifest=manifest, folder=folder, language=language)
    for name, variant in manifest.variants.items():
        if variant.runtime and variant.runtime not in server.language.runtimes:
            known = ", ".join(server.language.runtimes) or "none"
            where = f"{manifest.language} has" if manifest.runtimes is None else "'runtimes' names"
            raise UserError(
                f"{path}: key 'variants.{name}.runtime' is '{variant.runtime}'; {where}: {known}"
            )
    return server


def _supported(
    manifest: ServerManifest, language: LanguageManifest, path: Path
) -> LanguageManifest:
    """`language` with those of its runtimes that the server runs on."""
    if manifest.runtimes is None:
        return language
    for name in manifest.runtimes:
        if name not in language.runtimes:
            known = ", ".join(language.runtimes) or "none"
            raise UserError(
                f"{path}: key 'runtimes' names '{name}'; {manifest.language} has: {known}"
            )
    kept = {name: language.runtimes[name] for name in manifest.runtimes}
    return language.model_copy(update={"runtimes": kept})
