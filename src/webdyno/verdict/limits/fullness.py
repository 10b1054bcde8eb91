"""Whether a server had nothing to wait for but a core: one rule, before the load and after it."""

from __future__ import annotations

from webdyno.verdict.limits.limit import BUSY


def is_full(
    *,
    cpu_share: float,
    ready_thread_share: float | None = None,
    foreign_share: float | None = None,
    stolen_share: float | None = None,
    run_delay_share: float | None = None,
    load_ready_share: float | None = None,
    load_delay_share: float | None = None,
) -> bool:
    """True for a server that used its cores, or one of whose threads was always running or ready.

    - `cpu_share`: its CPU, of all the cores it was given.
    - `ready_thread_share`: part of the time that one and the same thread of it ran or waited for a
      core. A server of one thread on eight cores is full by that; workers that sleep in turn are
      not, however much they wait for each other's cores.
    - `foreign_share`: part of its cores that others used. It counts as far as the server was ready
      meanwhile, which `run_delay_share` bounds: the time its threads waited for a core together,
      per second and core.
    - `stolen_share`: part of `foreign_share` that the host of a virtual machine took, which no
      thread counts as waiting.
    - `load_ready_share`: part of the time that every thread of the load ran or waited for a core.
      A server that idles because the load has no more to give waits for what stands still with it.
    - `load_delay_share`: part of the time that the load's threads were ready but had no core, on
      the mean. What the server idles then is no waiting of its own either.
    """
    stolen = stolen_share or 0.0
    taken = stolen + min((foreign_share or 0.0) - stolen, run_delay_share or 0.0)
    own = max(cpu_share + taken, ready_thread_share or 0.0)
    return own + (load_delay_share or 0.0) >= BUSY or (load_ready_share or 0.0) >= BUSY
