"""Webdyno: a laboratory that benchmarks web servers and concludes only what the data supports.

import webdyno

result = webdyno.run_study("quick")   # or webdyno.load_study("quick", budget="2m")
result                                # in a notebook: the answer and the ranking
result.verdicts                       # typed objects
result.trials()                       # a data frame, one row per trial
result.html("report.html")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["Catalog", "Run", "UserError", "__version__", "load_run", "load_study", "run_study"]

if TYPE_CHECKING:
    from webdyno.api import Run, load_run, load_study, run_study
    from webdyno.catalog.catalog import Catalog
    from webdyno.errors import UserError

_HOMES = {
    "Catalog": "webdyno.catalog.catalog",
    "Run": "webdyno.api",
    "UserError": "webdyno.errors",
    "load_run": "webdyno.api",
    "load_study": "webdyno.api",
    "run_study": "webdyno.api",
}


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    # Imported when first used: the command line starts several times as fast for it.
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'webdyno' has no attribute '{name}'")
