"""What limited a trial whose server shares its core with a database."""

from __future__ import annotations

import pytest

from webdyno.store.records import CpuUse
from webdyno.trial.assess import _shares


def use(share: float) -> CpuUse:
    return CpuUse(user_s=share, system_s=0.0, cores=1.0, share=share)


@pytest.mark.parametrize(
    ("server", "database", "shared", "expected"),
    [
        (0.6, None, (), (0.6, None)),
        (0.6, 0.35, (), (0.6, 0.35)),
        (0.6, 0.35, ("server", "services"), (0.95, 0.35)),
        (0.3, 0.65, ("server", "services"), (0.3, 0.95)),
    ],
)
def test_on_a_shared_core_the_busier_one_answers_for_both(
    server: float,
    database: float | None,
    shared: tuple[str, ...],
    expected: tuple[float, float | None],
) -> None:
    cpu = {"server": use(server), "generator": use(0.5)}
    if database is not None:
        cpu["postgresql"] = use(database)
    assert _shares(cpu, shared) == pytest.approx(expected)
