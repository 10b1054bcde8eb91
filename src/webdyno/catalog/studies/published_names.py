"""Whether a study's published figures name what there is: those that do not would show nowhere.

Their servers need not be in the study: a report says of such that they were not measured here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webdyno.catalog.reading.fault import nearest
from webdyno.catalog.reading.place import ordinal
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.metric import METRICS, SHOWN
from webdyno.errors import UserError

PublishedName = tuple[str, str, str]
"""Where a name is, of what, and the name."""


def check_published(study: StudyManifest, where: str, find_server: Callable[[str], object]) -> None:
    """Raises `UserError`, which begins with `where`, for the first name that means nothing.

    `find_server` raises `UserError` for a server that the catalog does not have.
    """
    known = {
        "scenario": [entry.title for entry in study.entries()],
        "load": [load.label() for load in study.loads],
        "metric": [*METRICS.names(), *SHOWN],
    }
    for place, kind, name in _names(study):
        if kind == "server":
            try:
                find_server(name)
            except UserError as error:
                raise UserError(f"{where}: {place}: {error}") from None
        elif name not in known[kind]:
            remedy = nearest(name, known[kind]) or f"choose from {', '.join(known[kind])}"
            raise UserError(f"{where}: {place}: no {kind} '{name:.80}'; {remedy}")


def _names(study: StudyManifest) -> Iterator[PublishedName]:
    if isinstance(study.published, list):
        for number, figure in enumerate(study.published, 1):
            entry = f"in the {ordinal(number)} [[published]]"
            yield f"key 'server' {entry}", "server", figure.server
            yield f"key 'scenario' {entry}", "scenario", figure.scenario
            yield f"key 'metric' {entry}", "metric", figure.metric
            if figure.load:
                yield f"key 'load' {entry}", "load", figure.load
            yield from ((f"key 'unlike' {entry}", "load", load) for load in figure.unlike)
    elif isinstance(study.published, PublishedManifest):
        for table in study.published.tables:
            place = f"published figures '{study.published.name}', table '{table.name}'"
            yield from ((place, "server", row.server) for row in table.rows if row.server)
            if table.scenario:
                yield place, "scenario", table.scenario
            if table.beside:
                yield place, "load", table.beside
            yield from ((place, "load", load) for load in table.unlike)
