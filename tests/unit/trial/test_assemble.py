"""The record that is made of what an observer saw."""

from __future__ import annotations

from webdyno.trial.assessment.assemble import _cpu
from webdyno.trial.watching.observed import Mark, TreeTotals


def seen(t_s: float, user_s: float, system_s: float) -> Mark:
    used = TreeTotals(cpu_user_s=user_s, cpu_system_s=system_s)
    return Mark(t_s=t_s, roles={"mariadb": used})


def test_a_role_that_did_nothing_has_used_no_less_than_nothing() -> None:
    # What a database that waits was once seen with: totals that differ in their last bit.
    before, after = seen(1.0, 0.11, 0.1 + 0.2), seen(2.0, 0.12, 0.3)
    assert after.roles["mariadb"].cpu_system_s < before.roles["mariadb"].cpu_system_s
    used = _cpu(before, after, "mariadb", 1.0, 2.0)
    assert used.system_s == 0.0
    assert 0.0099 < used.user_s < 0.0101
    assert used.share >= 0.0
