"""The job that a machine does, and the results that it leaves."""

from __future__ import annotations

import io
import os
import shlex
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.machines.host import GUEST

RESULTS_BYTES = 2 << 30
"""Of the disk for the results; sparse."""
_TOOLCHAINS = (
    "PATH", "HOME", "GO", "CARGO_HOME", "RUSTUP_", "JAVA_HOME", "PYENV_ROOT", "NODE_PATH", "NVM_",
)  # fmt: skip
"""Beginnings of the variables by which toolchains are found. No others go along: what is secret
should not be on a disk."""

_SCRIPT = """\
set -u
results=$1
{environment}
mkdir -p {checkout}
mount /dev/disk/by-id/virtio-checkout {checkout}
cd {checkout}
.webdyno/venv/bin/python /run/job/reseal.py
{{ lscpu; echo; lscpu --extended; echo; numactl --hardware; }} >"$results/machine.txt" 2>&1
echo doctor
./webdyno doctor >"$results/doctor.txt" 2>&1
echo {run}
{run} --plain --json "$results/run.json" --html "$results/report.html" >"$results/run.txt" 2>&1
code=$?
.webdyno/venv/bin/python /run/job/record.py >"$results/record.json" 2>"$results/record.err"
cp -r .webdyno/runs "$results/" 2>/dev/null
exit $code
"""


def script(checkout: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The shell script that runs `./webdyno run ARGUMENTS…` in the checkout."""
    told = {k: v for k, v in sorted(environment.items()) if k.startswith(_TOOLCHAINS)}
    # As wide as a window: a table in 80 columns is for another test.
    told |= {"LANG": "C.UTF-8", "COLUMNS": "120"}
    return _SCRIPT.format(
        environment="\n".join(f"export {name}={shlex.quote(text)}" for name, text in told.items()),
        checkout=shlex.quote(str(checkout)),
        run=shlex.join(["./webdyno", "run", *arguments]),
    )


def write_job(file: Path, checkout: Path, arguments: Sequence[str]) -> Path:
    """Write the disk with the job."""
    text = script(checkout, arguments, os.environ)
    with tarfile.open(file, "w") as disk:
        for name, content in {
            "job.sh": text.encode(),
            **{name: (GUEST / name).read_bytes() for name in ("reseal.py", "record.py")},
        }.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            disk.addfile(member, io.BytesIO(content))
    return file


def empty_results(file: Path) -> Path:
    """Make an empty disk for the results."""
    file.unlink(missing_ok=True)
    with file.open("wb") as disk:
        disk.truncate(RESULTS_BYTES)
    return file


def unpack(disk: Path, folder: Path) -> bool:
    """Unpack the results into `folder`; False where the machine left none."""
    try:
        with tarfile.open(disk, "r:") as found:
            found.extractall(folder, filter="data")
            return bool(found.getmembers())  # An empty disk reads as an archive of nothing.
    except tarfile.ReadError:
        return False
