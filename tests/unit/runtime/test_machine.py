"""The description of this machine, and of recorded ones."""

from __future__ import annotations

import os

import pytest

from webdyno.runtime.machine.facts import cpu_model, fingerprint

EPYC = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC   7B13\nflags\t\t: fpu\n"
PI = "processor\t: 0\nBogoMIPS\t: 108.00\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4\n"


@pytest.mark.parametrize(("cpuinfo", "model"), [(EPYC, "AMD EPYC 7B13"), (PI, "Raspberry Pi 4")])
def test_the_cpu_model_is_read(cpuinfo: str, model: str) -> None:
    assert cpu_model(cpuinfo) == model


def test_a_cpu_that_tells_no_name_still_has_one() -> None:
    assert cpu_model("processor : 0\n") != ""


def test_this_machine() -> None:
    machine = fingerprint()
    assert machine.cores == len(os.sched_getaffinity(0))
    assert machine.cores_total >= machine.cores
    assert machine.memory_bytes > 1 << 28
    assert machine.kernel == os.uname().release
    assert machine.virtualised in {
        "no",
        "virtual machine",
        "container",
        "container in a virtual machine",
    }
    assert machine.noise is None


def test_the_fingerprint_is_the_same_for_the_same_machine() -> None:
    assert fingerprint().fingerprint == fingerprint().fingerprint


def test_the_fingerprint_depends_on_the_cores_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("needs two cores")
    before = fingerprint()
    os.sched_setaffinity(0, {min(allowed)})
    try:
        narrowed = fingerprint()
    finally:
        os.sched_setaffinity(0, allowed)
    assert narrowed.cores == 1
    assert narrowed.fingerprint != before.fingerprint
