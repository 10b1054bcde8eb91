"""A study as a run makes it: with what its machines add to it, without what they cannot do."""

from __future__ import annotations

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.bench.all_cores import with_all_cores
from webdyno.run.bench.bench import HERE, AdaptedStudy, Bench


def adapted_study(study: StudyManifest, catalog: Catalog, bench: Bench = HERE) -> AdaptedStudy:
    """`study` as `bench` makes it. The same again for what this gave.

    Raises `UserError` where nothing is left, and for CPUs given by hand that cannot be had.
    """
    able, left_out = bench.adapted(study)
    whole = with_all_cores(able, catalog, resources=bench.server_resources)
    return AdaptedStudy(whole, left_out)
