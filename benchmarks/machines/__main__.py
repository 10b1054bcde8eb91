"""`python -m benchmarks.machines`: runs Webdyno in virtual machines, and writes machines.md."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machines import checkout, emulator, host, job
from benchmarks.machines.emulator import Disk, Kernel
from benchmarks.machines.machine import MACHINES, Machine
from benchmarks.machines.root_image import root_image
from benchmarks.machines.table import table
from webdyno.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
ALL = "all"
SERVERS = "go/net-http,node/http,node/http@cluster,python/starlette"


def main() -> int:
    """Prepare what is missing, run the machines one after another; gives the exit code."""
    # As Ctrl-C: what was started is ended, what was mounted is let go.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    options = _parser().parse_args()
    try:
        host.check()
        with host.alone(cache := host.cache_folder(options.cache)):
            return _all(options, cache)
    except UserError as error:
        print(f"machines: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("machines: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.machines", description=__doc__)
    add = parser.add_argument
    names = [machine.name for machine in MACHINES]
    add("machines", nargs="*", choices=[*names, ALL], default=ALL, metavar="MACHINE",
        help=f"{', '.join(names)}, or all (the default)")  # fmt: skip
    add("--out", type=Path, help="results: a folder for each machine, and machines.md")
    add("--prepare", action="store_true", help="only make what is cached: image and checkout")
    add("--ref", default="HEAD", help="the commit to run (HEAD)")
    add("--servers", default=SERVERS, help=f"of the study quick ({SERVERS})")
    add("--scenarios", default="json", help="(json)")
    add("--blocks", type=int, default=3, help="(3)")
    add("--budget", default="60m", help="of each run; emulation is slow (60m)")
    add("--limit", type=float, default=75, metavar="MINUTES", help="ends a machine after (75)")
    add("--memory", type=int, default=6144, metavar="MIB", help="of each machine (6144)")
    add("--cache", type=Path, help=f"(${host.CACHE}, or webdyno/machines in the user's cache)")
    add("--new-image", action="store_true", help="make the root image again")
    add("--leave-out", type=Path, action="append", default=[], metavar="FOLDER",
        help="a large folder that the root image can do without; may be repeated")  # fmt: skip
    return parser


def _all(options: argparse.Namespace, cache: Path) -> int:
    if options.out is None and not options.prepare:
        raise UserError("--out is missing; name a folder for the results")
    servers, scenarios = options.servers.split(","), options.scenarios.split(",")
    left_out = [path.absolute() for path in (ROOT, *options.leave_out)]
    kernel = root_image(cache, left_out, options.new_image)
    prepared = checkout.prepare(cache, ROOT, options.ref, servers, scenarios)
    if options.prepare:
        return 0
    chosen = [m for m in MACHINES if ALL in options.machines or m.name in options.machines]
    arguments = ["quick", "--servers", options.servers, "--scenarios", options.scenarios]
    arguments += ["--blocks", str(options.blocks), "--budget", options.budget]
    failed, text = False, ""
    with tempfile.TemporaryDirectory(prefix="run-", dir=cache) as temporary:
        work = Path(temporary)
        disk = Disk("checkout", prepared.image(work / "checkout.img"))
        task = Disk("job", job.write_job(work / "job.tar", prepared.folder, arguments))
        for machine in chosen:
            folder = _fresh(options.out / machine.name)
            failed |= not _one(machine, kernel, [disk, task], work, folder, options)
            # After each, so that an interrupt leaves those before it.
            text = _write_table(options.out)
    print(f"\n{text}\nwritten to {options.out}")
    return 1 if failed else 0


def _one(
    machine: Machine,
    kernel: Kernel,
    disks: list[Disk],
    work: Path,
    folder: Path,
    options: argparse.Namespace,
) -> bool:
    """Run one machine and unpack its results into `folder`; True where it did its job."""
    print(f"{machine.name} ({machine.processors} processors) …", end=" ", flush=True)
    results = Disk("results", job.empty_results(work / "results.img"), kept=True)
    console = folder / "console.log"
    command = emulator.command(machine, kernel, [*disks, results], options.memory, console)
    started = time.monotonic()
    ended = emulator.live(command, options.limit * 60, folder / "qemu.log")
    print(f"{(time.monotonic() - started) / 60:.1f} minutes", flush=True)
    if not ended:
        print(f"  ended: it was not done after {options.limit:g} minutes; see {console}")
        return False
    if not job.unpack(results.file, folder):
        print(f"  it left no results; see {console}")
        return False
    code = (folder / "exit-code").read_text().strip()
    if code != "0":
        print(f"  its run ended with {code}; see {folder / 'run.txt'}")
    return code == "0"


def _write_table(out: Path) -> str:
    """Write machines.md over what is in `out`, of earlier calls too; gives its text."""
    folders = [out / machine.name for machine in MACHINES]
    text = table([folder for folder in folders if folder.is_dir()])
    (out / "machines.md").write_text(text, encoding="utf-8")
    return text


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder.absolute()


if __name__ == "__main__":
    sys.exit(main())
