"""What a study asks for and a run did not measure."""

from __future__ import annotations

from typing import Literal

from webdyno.store.cell import AtPlace
from webdyno.store.record import Record

UnmeasuredKind = Literal[
    "not-reached",
    "not-implemented",
    "unbuildable",
    "toolchain-missing",
    "packages-out-of-reach",
    "build-failed",
    "removed",
]
"""not-reached: the run ended before it; not-implemented: its server does not do this scenario;
unbuildable: its manifest says that nobody can build it; toolchain-missing: a program that it needs
is missing, too old, or lacks an extension; packages-out-of-reach: what its build fetches cannot be
reached from here; build-failed: its build ended with an error; removed:
an older run had it, and there is no such server any more."""


class UnmeasuredCell(AtPlace, Record):
    """One server under one scenario and load that has no trial, and why."""

    entry: str
    scenario: str
    load: str
    kind: UnmeasuredKind
    reason: str
