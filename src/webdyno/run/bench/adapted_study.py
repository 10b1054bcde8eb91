"""A study as a run makes it: with what its machines add to it, without what they cannot do."""

from __future__ import annotations

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.bench.all_cores import with_all_cores
from webdyno.run.bench.bench import HERE, Bench


def adapted_study(
    study: StudyManifest, catalog: Catalog, bench: Bench = HERE
) -> tuple[StudyManifest, str]:
    """`study` as `bench` makes it, and a line on what is left out of it; the line is empty where
    nothing is. The same again for what this gave.

    Raises `UserError` where nothing is left, and for CPUs given by hand that cannot be had.
    """
    able, left_out = bench.able(study)
    return with_all_cores(able, catalog, resources=bench.server_resources), left_out
