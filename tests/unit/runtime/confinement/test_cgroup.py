"""Limits of control groups, read from trees as the kernel lays them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.runtime.confinement.cgroup import CgroupLimits, limits, pauses


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


def membership(folder: Path, *lines: str) -> Path:
    path = folder / "membership"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def mount(tmp_path: Path) -> Path:
    path = tmp_path / "cgroup"
    path.mkdir()
    return path


def test_version_2(mount: Path) -> None:
    tree(mount, {"box/cpu.max": "250000 100000", "box/memory.max": "1073741824"})
    found = limits(mount, membership(mount, "0::/box"))
    assert found == CgroupLimits(cpus=2.5, memory_bytes=1 << 30)


def test_version_2_without_limits(mount: Path) -> None:
    tree(mount, {"box/cpu.max": "max 100000", "box/memory.max": "max"})
    assert limits(mount, membership(mount, "0::/box")) == CgroupLimits()


def test_the_tightest_of_the_groups_above_counts(mount: Path) -> None:
    tree(
        mount,
        {
            "outer/cpu.max": "100000 100000",
            "outer/inner/cpu.max": "400000 100000",
            "outer/memory.max": "4096",
            "outer/inner/memory.max": "max",
        },
    )
    found = limits(mount, membership(mount, "0::/outer/inner"))
    assert found == CgroupLimits(cpus=1.0, memory_bytes=4096)


def test_inside_a_container_the_mount_itself_is_the_group(mount: Path) -> None:
    tree(mount, {"cpu.max": "50000 100000"})
    assert limits(mount, membership(mount, "0::/host/path/not/here")).cpus == 0.5


def test_version_1(mount: Path) -> None:
    tree(
        mount,
        {
            "cpu,cpuacct/box/cpu.cfs_quota_us": "150000",
            "cpu,cpuacct/box/cpu.cfs_period_us": "100000",
            "cpu,cpuacct/cpu.cfs_quota_us": "-1",
            "cpu,cpuacct/cpu.cfs_period_us": "100000",
            "memory/box/memory.limit_in_bytes": "2147483648",
            "memory/memory.limit_in_bytes": "9223372036854771712",
        },
    )
    found = limits(mount, membership(mount, "4:cpu,cpuacct:/box", "3:memory:/box", "1:name=x:/"))
    assert found == CgroupLimits(cpus=1.5, memory_bytes=2 << 30)


def test_version_1_without_limits(mount: Path) -> None:
    tree(
        mount,
        {
            "cpu/cpu.cfs_quota_us": "-1",
            "cpu/cpu.cfs_period_us": "100000",
            "memory/memory.limit_in_bytes": "9223372036854771712",
        },
    )
    assert limits(mount, membership(mount, "1:cpu:/", "4:memory:/")) == CgroupLimits()


def test_a_machine_without_control_groups(mount: Path) -> None:
    assert limits(mount / "none", mount / "no-membership") == CgroupLimits()


@pytest.mark.parametrize(
    ("files", "line", "expected"),
    [
        (
            {"cpu.max": "200000 100000", "cpu.stat": "usage_usec 9\nnr_periods 50\nnr_throttled 7"},
            "0::/host/path",
            (50, 7),
        ),
        ({"cpu.max": "max 100000", "cpu.stat": "nr_periods 0\nnr_throttled 0"}, "0::/", None),
        (
            {
                "cpu/box/cpu.cfs_quota_us": "50000",
                "cpu/box/cpu.cfs_period_us": "100000",
                "cpu/box/cpu.stat": "nr_periods 9\nnr_throttled 2\nthrottled_time 77",
            },
            "4:cpu:/box",
            (9, 2),
        ),
        ({"cpu.max": "200000 100000"}, "0::/", None),
    ],
)
def test_how_often_a_quota_paused_us(
    mount: Path, files: dict[str, str], line: str, expected: tuple[int, int] | None
) -> None:
    tree(mount, files)
    assert pauses(mount, membership(mount, line)) == expected
