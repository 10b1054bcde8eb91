"""Digests of Webdyno's own code, as far as a trial is measured and judged with it.

They differ where a figure may, and stay where it cannot. The engine counts as it was compiled. Of
the Python modules those count that measure, and that the trial, the judgement, the generator, and
the scenario's own verifier and services import, directly or not, without their comments and
docstrings. That leaves out what shows results, what reads manifests, whose content has digests of
its own, and helpers that only other scenarios use.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path

from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.preparation.python_code import code_digest

ENGINE, MODULES = "engine", "webdyno"
OWN = (ENGINE, MODULES)
"""What the two digests are called among a trial's `sources`."""

DIGITS = 16
"""Of a digest, as records keep it."""

_ROOTS = (
    "webdyno.trial.life",
    "webdyno.run.blocks.make_blocks",
    "webdyno.run.judgement.judge",
)
_MEASURING = (
    "webdyno.generators",
    "webdyno.metrics",
    "webdyno.run.blocks",
    "webdyno.run.judgement",
    "webdyno.runtime.confinement",
    "webdyno.runtime.machine.core_seconds",
    "webdyno.runtime.processes",
    "webdyno.runtime.services",
    "webdyno.store.counts",
    "webdyno.trial",
    "webdyno.verdict",
    "webdyno.verifier",
)
"""Packages and modules that measure or judge. What they are given is compared as such: load,
placement, machine, and the digests of server and scenario."""

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(webdyno[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)"
    r"|import[ \t]+(webdyno[\w.]*))",
    re.MULTILINE,
)


def own_code(scenario: Scenario, generator: str) -> dict[str, str]:
    """The digests of `OWN` for trials of `scenario`, loaded by the plugin `generator`.

    Asked once a process, since that goes on with the code that it has loaded: files that change
    meanwhile are seen by the next one.
    """
    plugins = [
        f"webdyno.metrics.{METRICS.leading}",
        f"webdyno.generators.plugins.{generator}",
        *(f"webdyno.runtime.services.plugins.{name}" for name in scenario.manifest.services),
    ]
    verifiers = [imported(path) for path in sorted(scenario.folder.rglob("*.py"))]
    roots = dict.fromkeys([*_ROOTS, *plugins, *(name for names in verifiers for name in names)])
    return {ENGINE: _engine(), MODULES: _modules(tuple(roots))}


def digest_of_modules(package: Path, roots: Iterable[str]) -> str:
    """Of the modules of Webdyno, whose folder is `package`, that measure and that `roots` are or
    import."""
    digest = hashlib.sha256()
    modules: dict[str, Path] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in modules or not _measures(name):
            continue
        if (path := _file(package, name)) is not None:
            modules[name] = path
            waiting += imported(path)
    for name in sorted(modules):
        digest.update(f"{name}\0".encode() + code_digest(modules[name].read_bytes()) + b"\0")
    return digest.hexdigest()[:DIGITS]


def imported(path: Path) -> list[str]:
    """The modules of Webdyno that the file at `path` may import, with the names in them, which may
    be modules as well."""
    found: list[str] = []
    for match in _IMPORT.finditer(path.read_text(encoding="utf-8", errors="replace")):
        module = match[1] or match[3]
        found += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", match[2] or ""))]
    return found


@functools.cache
def _modules(roots: tuple[str, ...]) -> str:
    return digest_of_modules(Path(__file__).parents[2], roots)


@functools.cache
def _engine() -> str:
    """Of the compiled engine; empty where it is not there."""
    spec = importlib.util.find_spec("webdyno._engine")
    if spec is None or spec.origin is None:
        return ""
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:DIGITS]


def _measures(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in _MEASURING)


def _file(package: Path, name: str) -> Path | None:
    """The file of the module `name`; None for what is no module, such as a class in one."""
    base = package.joinpath(*name.split(".")[1:])
    candidates = (base.with_suffix(".py"), base / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)
