"""A load as it was published: made once, on a server as warm or as cold as it is then."""

from __future__ import annotations

from webdyno.trial.loads.loading import EDGES, Loaded, Loading
from webdyno.trial.loads.watched import load_and_watch


def as_published(loading: Loading) -> Loaded:
    """Make the load. Raises `GeneratorError`."""
    return Loaded.once(load_and_watch(loading, loading.job, EDGES))
