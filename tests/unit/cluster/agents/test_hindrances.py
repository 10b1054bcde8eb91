"""What keeps a machine from its part of a load counts while that goes on, not while it stands."""

from __future__ import annotations

import pytest

from webdyno.cluster.agents import hindrances
from webdyno.cluster.agents.hindrances import Hindrances
from webdyno.cluster.orders.answers import Hindered
from webdyno.runtime.confinement.cgroup import QuotaPauses
from webdyno.runtime.machine.core_seconds import CoreSeconds


def seen(
    monkeypatch: pytest.MonkeyPatch,
    cores: list[CoreSeconds | None],
    quota: list[tuple[int, int] | None],
) -> Hindered:
    """Of a load of two turns."""
    looks = iter(cores)
    periods = (one and QuotaPauses(*one) for one in quota)
    monkeypatch.setattr(hindrances, "core_seconds", lambda _cpus: next(looks))
    monkeypatch.setattr(hindrances, "pauses", lambda: next(periods))
    watched = Hindrances()
    for _ in range(2):
        watched.go_on()
        watched.hold()
    watched.hold()
    return watched.so_far()


def test_turns_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = [CoreSeconds(*one) for one in ((5.0, 1.0), (7.0, 1.5), (90.0, 30.0), (91.0, 30.25))]
    quota = [(100, 7), (110, 12), (400, 90), (410, 93)]
    found = seen(monkeypatch, list(cores), list(quota))
    assert found == Hindered(paused_share=0.4, busy_s=3.0, stolen_s=0.75)


def test_what_the_kernel_does_not_tell_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen(monkeypatch, [None] * 4, [None] * 4) == Hindered()


def test_this_machine_can_be_read() -> None:
    watched = Hindrances()
    watched.go_on()
    watched.hold()
    assert watched.so_far().busy_s is not None
