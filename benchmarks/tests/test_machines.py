"""Virtual machines for Webdyno: what is asked of QEMU, what goes in, what comes back."""

import json
import os
import shlex
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest
from benchmarks.machines import checkout, emulator, host, job
from benchmarks.machines.emulator import Disk, Kernel
from benchmarks.machines.machine import MACHINES, Machine
from benchmarks.machines.table import table

from webdyno.errors import UserError

ROOT = Path(__file__).resolve().parents[2]


def test_the_machines_have_the_processors_that_their_names_tell() -> None:
    assert {m.name: m.processors for m in MACHINES} == {
        "1": 1, "2-threads": 2, "3": 3, "8-threads": 8, "8-numa": 8,
    }  # fmt: skip


def test_nodes_share_processors_and_memory_evenly() -> None:
    told = Machine("numa", sockets=2, cores=2, threads=2, numa=True).arguments(4097)
    assert told[:4] == ["-smp", "8,sockets=2,cores=2,threads=2", "-m", "4096M"]
    assert told[5].endswith("id=memory0,size=2048M")
    assert told[7] == "node,nodeid=0,cpus=0-3,memdev=memory0"
    assert told[11] == "node,nodeid=1,cpus=4-7,memdev=memory1"


def test_only_results_are_written_to_and_the_root_comes_first(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path / "vmlinuz", tmp_path / "initrd", tmp_path / "root,1.img")
    disks = [Disk("job", tmp_path / "job.tar"), Disk("results", tmp_path / "r.img", kept=True)]
    told = emulator.command(Machine("1"), kernel, disks, 1024, tmp_path / "console.log")
    drives = [text for text in told if text.startswith("if=none")]
    assert [drive.split(",")[1] for drive in drives] == ["id=root", "id=job", "id=results"]
    assert [drive.endswith("snapshot=on") for drive in drives] == [True, True, False]
    assert "root,,1.img" in drives[0]


def test_a_machine_that_does_not_end_is_ended(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    body = f"echo $$ >{shlex.quote(str(pid))}; exec sleep 600"
    log = tmp_path / "log"
    assert emulator.live(["sh", "-c", body], limit_s=1.0, log=log) is False
    assert not Path(f"/proc/{pid.read_text().strip()}").exists()


def test_an_interrupt_ends_the_machine(tmp_path: Path) -> None:
    body = (
        "import signal, sys; from pathlib import Path; from benchmarks.machines import emulator\n"
        # A background job of a shell has it ignored, and its children after it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "emulator.live(['sh', '-c', 'echo $$; exec sleep 600'], 600, Path(sys.argv[1]))"
    )
    log = tmp_path / "log"
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    process = subprocess.Popen(
        [sys.executable, "-c", body, str(log)], env=env, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + 60
        while not (log.exists() and log.read_text().strip()) and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(2)
        process.wait(60)
    finally:
        process.kill()
    assert not Path(f"/proc/{log.read_text().strip()}").exists()


def test_why_an_emulator_failed_is_told(tmp_path: Path) -> None:
    command = ["sh", "-c", "echo no such machine >&2; exit 3", "qemu-system-x86_64"]
    with pytest.raises(UserError, match="qemu-system-x86_64 ended with 3: no such machine"):
        emulator.live(command, limit_s=60, log=tmp_path / "log")


def test_a_job_takes_toolchains_along_and_no_secrets() -> None:
    environment = {"PATH": "/a b:/bin", "GOTOOLCHAIN": "local", "API_TOKEN": "secret", "PWD": "/x"}
    text = job.script(Path("/cache of mine/checkout"), ["quick", "--budget", "60m"], environment)
    subprocess.run(["sh", "-n", "-c", text], check=True)
    assert "export PATH='/a b:/bin'" in text
    assert "export GOTOOLCHAIN=local" in text
    assert "secret" not in text
    assert "PWD" not in text
    assert shlex.split(next(line for line in text.splitlines() if line.startswith("cd"))) == [
        "cd", "/cache of mine/checkout",
    ]  # fmt: skip
    assert "./webdyno run quick --budget 60m --plain" in text


def test_the_job_s_disk_holds_whole_sectors(tmp_path: Path) -> None:
    disk = job.write_job(tmp_path / "job.tar", tmp_path, ["quick"])
    assert disk.stat().st_size % 512 == 0
    with tarfile.open(disk) as found:
        assert sorted(found.getnames()) == ["job.sh", "record.py", "reseal.py"]


def test_results_come_back_from_a_disk_that_is_larger(tmp_path: Path) -> None:
    disk = job.empty_results(tmp_path / "results.img")
    assert job.unpack(disk, tmp_path / "none") is False
    (tmp_path / "run.txt").write_text("ranked")
    with tarfile.open(tmp_path / "results.tar", "w") as made:
        made.add(tmp_path / "run.txt", "./run.txt")
    with disk.open("r+b") as file:
        file.write((tmp_path / "results.tar").read_bytes())
    assert job.unpack(disk, tmp_path / "home") is True
    assert (tmp_path / "home" / "run.txt").read_text() == "ranked"


def test_what_is_missing_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UserError, match=r"apt install apt e2fsprogs git qemu-system-x86 util-l"):
        host.check()


def test_one_at_a_time(tmp_path: Path) -> None:
    with host.alone(tmp_path), pytest.raises(UserError, match="in use"), host.alone(tmp_path):
        pass


def test_the_cache_s_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(host.CACHE, raising=False)
    assert host.cache_folder(None) == tmp_path / "webdyno" / "machines"
    monkeypatch.setenv(host.CACHE, str(tmp_path / "named"))
    assert host.cache_folder(None) == tmp_path / "named"
    assert host.cache_folder(tmp_path / "chosen") == tmp_path / "chosen"


def test_an_unknown_commit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no-such-ref"):
        checkout.prepare(tmp_path, ROOT, "no-such-ref", ["go/net-http"], ["json"])


def trial(**changes: Any) -> dict[str, Any]:
    """A stored trial, as far as the table reads it."""
    measured = {
        "cpu": {"server": {"share": 0.5}, "generator": {"share": 0.25}},
        "generator": {"threads": 1, "slices": 14},
    }
    found = {"server": "node/http", "variant": "default", "control": False, "status": "ok"}
    found |= {"bottleneck": "waiting", "bottleneck_reason": "nothing was saturated", "flags": []}
    return {**found, "measurement": measured, **changes}


def test_a_row_tells_how_often_each_thing_was(tmp_path: Path) -> None:
    whole = {"cpu": {"server": {"share": 0.9}}, "generator": {"threads": 1, "slices": 1}}
    flag = {"code": "noisy", "message": "others used the CPU"}
    trials = [
        trial(),
        trial(measurement=whole, bottleneck="server", flags=[flag], bottleneck_reason="90.5%"),
        trial(measurement=whole, bottleneck="server", flags=[flag], bottleneck_reason="91.5%"),
        trial(server="go/net-http", control=True, measurement=None, status="error", reason="gone"),
    ]
    run = {"placement": "server on core 0", "trials": trials, "notes": ["slow"]}
    (tmp_path / "3").mkdir()
    (tmp_path / "8-numa").mkdir()
    (tmp_path / "3" / "record.json").write_text(json.dumps(run))
    text = table([tmp_path / "3", tmp_path / "8-numa"])
    assert "- 3: server on core 0" in text
    assert "- 8-numa: no run" in text
    assert (
        "| 3 | node/http | ok | 50% to 90% | 25% | 1 | 2 in one piece, 1 in turns "
        "| 2 server, 1 waiting | noisy |"
    ) in text
    assert "| 3 | go/net-http (control) | error |  |  |  |  | waiting |  |" in text
    assert text.count("- node/http: nothing was saturated") == 1
    assert "- node/http: noisy: others used the CPU" in text
    assert "- node/http: 90.5%" in text
    assert "- node/http: 91.5%" not in text
    assert text.endswith("- slow\n")


def test_the_export_serves_where_there_is_no_record(tmp_path: Path) -> None:
    one = trial()
    measured = one.pop("measurement")
    folder = tmp_path / "1"
    folder.mkdir()
    (folder / "record.json").write_text("")
    (folder / "run.json").write_text(json.dumps({"trials": [{**one, "cpu": measured["cpu"]}]}))
    assert "| 1 | node/http | ok | 50% | 25% |  |  | waiting |  |" in table([folder])
