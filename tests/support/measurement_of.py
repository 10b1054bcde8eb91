"""What a trial records of a load's result, where nothing but the load is looked at."""

from __future__ import annotations

from webdyno.generators.result import LoadResult
from webdyno.store.measurement import GeneratorFigures, Measurement, Memory


def measurement_of(result: LoadResult) -> Measurement:
    """The result as a measurement, without the server's and the generator's CPU and memory."""
    return Measurement(
        **{name: getattr(result, name) for name in Measurement.model_fields if _is_same(name)},
        cpu={},
        cpu_us_per_request={},
        memory_bytes=Memory(idle=0, mean=0, peak=0),
        threads_peak=0,
        processes_peak=0,
        generator=GeneratorFigures(
            **result.generator.own_fields(), connections_opened=result.connections_opened
        ),
    )


def _is_same(name: str) -> bool:
    return name in LoadResult.model_fields and name != "generator"
