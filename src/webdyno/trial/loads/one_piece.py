"""A load in one piece, made again where it shows that the server was not warm."""

from __future__ import annotations

from webdyno.trial.loads.loading import Loaded, Loading
from webdyno.trial.loads.repeated_load import repeated_until_warm
from webdyno.trial.loads.watched import load_and_watch


def in_one_piece(loading: Loading) -> Loaded:
    """Make the load that counts. Raises `GeneratorError`."""
    return repeated_until_warm(loading, load_and_watch)
