"""The ecosystems there are: every module of this package that has an `ECOSYSTEM`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path

from webdyno.outdated.ecosystem import Ecosystem


@functools.cache
def ecosystems() -> tuple[Ecosystem, ...]:
    """All of them, by the name of their module."""
    package = __package__ or "webdyno.outdated"
    names = sorted(one.name for one in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = (importlib.import_module(f"{package}.{name}") for name in names)
    return tuple(module.ECOSYSTEM for module in modules if hasattr(module, "ECOSYSTEM"))


def ecosystems_of(folder: Path) -> list[Ecosystem]:
    """Those that have a manifest in `folder`."""
    return [one for one in ecosystems() if (folder / one.manifest).is_file()]
