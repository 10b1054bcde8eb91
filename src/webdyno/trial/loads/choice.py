"""Which way a load is made."""

from __future__ import annotations

from collections.abc import Callable

from webdyno.catalog.loads.load import Load, Objective
from webdyno.trial.loads.as_published import as_published
from webdyno.trial.loads.in_turns import in_turns
from webdyno.trial.loads.loading import Loaded, Loading
from webdyno.trial.loads.one_piece import in_one_piece
from webdyno.trial.loads.search import search

Strategy = Callable[[Loading], Loaded]
"""Makes the load that counts. Raises `GeneratorError`, and what the generator raises."""


def strategy_of(load: Load) -> Strategy:
    """The one way in which `load` is made."""
    if isinstance(load, Objective):
        return search
    if load.method == "as-published":
        return as_published
    return in_turns if load.in_turns else in_one_piece
