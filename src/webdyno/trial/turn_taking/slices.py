"""One slice of a load, and whether a server took turns that should not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from webdyno.generators.generator import LoadInSlices
from webdyno.generators.progress import LoadProgress
from webdyno.store.records import FlagRecord, Measurement
from webdyno.verdict.limits.fullness import is_full


def waited_in_turns(measured: Measurement, kind: str) -> list[FlagRecord]:
    """That a server which took turns waited in them after all, by the rule that let it."""
    if kind != "waiting" or measured.generator.slices == 1:
        return []
    cpu = measured.cpu["server"]
    core_seconds = max(measured.elapsed_s * cpu.cores, 1e-9)
    others = measured.generator_foreign_cpu_share
    load = measured.cpu.get("generator")
    full = is_full(
        cpu_share=cpu.share,
        ready_thread_share=cpu.busiest_thread_ready_share,
        foreign_share=measured.foreign_cpu_share,
        stolen_share=measured.stolen_cpu_share,
        run_delay_share=(cpu.run_delay_s or 0.0) / core_seconds,
        load_ready_share=load.share + (others or 0.0) if load else None,
        load_delay_share=others,
    )
    return (
        []
        if full
        else [
            FlagRecord(
                code="waited-in-turns",
                message="the server idled during its turns, so turns flatter it; remove `slice`",
            )
        ]
    )


BEFORE_S = 0.001
"""So long before a turn that other machines know of, what is read beside it begins."""


class Freezable(Protocol):
    """What can stand still, see `runtime.processes.process.ManagedProcess`."""

    def freeze(self) -> None:
        """Stand still."""
        ...

    def hold(self) -> None:
        """See that all of it does."""
        ...

    def thaw(self) -> None:
        """Go on."""
        ...


def turn(
    process: Freezable,
    load: LoadInSlices,
    seconds: float,
    begins: Callable[[], None] | None = None,
) -> LoadProgress:
    """Let a frozen server have a slice of its load, and tell how far that is then; `begins` is
    called just before.

    Where its answers call forth the next requests, the server is frozen before the load's clock
    stands still: what it did after that would be for nothing. Where requests arrive by the clock,
    that stands still first: those that came to a frozen server would wait, through no fault of its
    own, and they are as many as lie beyond the 99th percentile.
    """
    load.agree(seconds)
    load.await_turn(BEFORE_S)
    if begins is not None:
        begins()
    load.await_turn()
    process.thaw()
    load.go_on(seconds)
    if load.by_the_clock:
        progress = load.hold()
        process.freeze()
    else:
        process.freeze()
        progress = load.hold()
    process.hold()
    return progress
