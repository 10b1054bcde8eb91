"""What a killed PostgreSQL left is removed with its folder; that of any other stays."""

from __future__ import annotations

import ctypes
import os
import secrets
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from webdyno.runtime import shared_memory as module
from webdyno.runtime.processes.private_folder import end_abandoned
from webdyno.runtime.shared_memory import remove_shared_memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells of all segments")

_MAGIC, _CONTROL_MAGIC = 679834894, 0x9A503D32
_IPC_CREAT, _IPC_PRIVATE, _IPC_RMID = 0o1000, 0, 0
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.shmat.restype = ctypes.c_void_p
_LIBC.shmdt.argtypes = (ctypes.c_void_p,)


class Cluster:
    """The shared memory of a PostgreSQL 15 whose data are in `data`, as a kill leaves it."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        # Even numbers: odd ones are of parts of the one segment.
        self.control, self.used, self.given_back = (2 * secrets.randbits(30) for _ in range(3))
        at = data.stat()
        self.number = _LIBC.shmget(_IPC_PRIVATE, 56, _IPC_CREAT | 0o600)
        assert self.number >= 0
        header = struct.pack(
            "=iiQQI4xQQQ", _MAGIC, 1, 56, 56, self.control, 0, at.st_dev, at.st_ino
        )
        self.attached = _LIBC.shmat(self.number, None, 0)
        ctypes.memmove(self.attached, header, len(header))
        items = [(self.used, 2), (self.given_back, 0)]
        entries = b"".join(struct.pack("=IIQQQ?7x", *one, 0, 0, 0, True) for one in items)
        listed = struct.pack("=III4x", _CONTROL_MAGIC, 2, 2) + entries
        self.files = [self.path(name) for name in (self.control, self.used, self.given_back)]
        for file in self.files:
            file.write_bytes(listed)

    @staticmethod
    def path(name: int) -> Path:
        """A POSIX segment's."""
        return Path(f"/dev/shm/PostgreSQL.{name}")

    def detach(self) -> None:
        """As the last process ends."""
        _LIBC.shmdt(self.attached)

    def left(self) -> list[str]:
        """What is there of it."""
        rows = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
        there = ["header"] if str(self.number) in {row.split()[1] for row in rows} else []
        names = zip(("control", "used", "given back"), self.files, strict=True)
        return there + [name for name, file in names if file.exists()]

    def clear(self) -> None:
        """Remove all."""
        _LIBC.shmctl(self.number, _IPC_RMID, None)
        for file in self.files:
            file.unlink(missing_ok=True)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path / "123" / "trial-services" / "postgresql" / "data")
    yield made
    made.clear()


def test_all_of_a_killed_cluster_goes_and_nothing_that_it_gave_back(
    cluster: Cluster, tmp_path: Path
) -> None:
    cluster.detach()
    remove_shared_memory(tmp_path / "123")
    # Somebody else may have that name by now.
    assert cluster.left() == ["given back"]


def test_nothing_of_a_cluster_that_runs_goes(cluster: Cluster, tmp_path: Path) -> None:
    remove_shared_memory(tmp_path)
    assert cluster.left() == ["header", "control", "used", "given back"]


def test_nothing_of_another_folder_goes(cluster: Cluster, tmp_path: Path) -> None:
    cluster.detach()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "link").symlink_to(tmp_path / "123")
    remove_shared_memory(tmp_path / "other")
    assert len(cluster.left()) == 4


def test_a_segment_of_another_owner_than_the_data_stays(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.detach()
    seen = list(module._abandoned())
    others = [module._Segment(one.id, one.owner + 1, one.folder, one.control) for one in seen]
    monkeypatch.setattr(module, "_abandoned", lambda: iter(others))
    remove_shared_memory(tmp_path)
    assert len(cluster.left()) == 4


def test_the_next_start_removes_that_of_a_laboratory_killed_with_its_warden(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.detach()
    monkeypatch.setattr("webdyno.runtime.processes.private_folder._is_gone", lambda _pid: True)
    end_abandoned(tmp_path)
    assert not (tmp_path / "123").exists()
    assert cluster.left() == ["given back"]


@pytest.mark.parametrize("listed", [b"", b"\0" * 100, struct.pack("=III", _CONTROL_MAGIC, 9, 0)])
def test_a_list_that_cannot_be_read_keeps_nothing_else(
    cluster: Cluster, tmp_path: Path, listed: bytes
) -> None:
    cluster.detach()
    cluster.files[0].write_bytes(listed)
    remove_shared_memory(tmp_path)
    assert cluster.left() == ["used", "given back"]


def test_a_link_in_the_place_of_a_segment_is_not_followed(cluster: Cluster, tmp_path: Path) -> None:
    cluster.detach()
    kept = tmp_path / "kept"
    kept.write_text("kept")
    cluster.files[1].unlink()
    os.symlink(kept, cluster.files[1])
    remove_shared_memory(tmp_path)
    assert kept.read_text() == "kept"


def test_a_cluster_of_a_system_without_that_of_posix_leaves_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    cluster.detach()
    held = cluster.files[0].read_bytes()
    numbers = []
    for name, file in zip((cluster.control, cluster.used), cluster.files, strict=False):
        file.unlink()
        number = _LIBC.shmget(name, len(held), _IPC_CREAT | 0o600)
        at = _LIBC.shmat(number, None, 0)
        ctypes.memmove(at, held, len(held))
        _LIBC.shmdt(at)
        numbers.append(str(number))
    try:
        remove_shared_memory(tmp_path)
        rows = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
        assert not {row.split()[1] for row in rows} & set(numbers)
        assert cluster.left() == ["given back"]
    finally:
        for number in numbers:
            _LIBC.shmctl(int(number), _IPC_RMID, None)
