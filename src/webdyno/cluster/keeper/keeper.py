"""The process that keeps a machine in a cluster.

It holds Ray there, answers the other machines, and takes everything with it when it ends.

It runs in the background under a warden (`runtime.processes.supervision`), so that nothing is left
whichever of the two is killed. Where it has joined, it ends with the first machine as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path

from webdyno.cluster.keeper.lifeline import grasp, hold
from webdyno.cluster.keeper.listener import KeeperListener
from webdyno.cluster.machines import membership
from webdyno.cluster.machines.facts import facts_of_this
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.ray_start import RayMissing, python_path, start_ray
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.machines.their_ray import their_ray
from webdyno.cluster.wire.secret import VARIABLE, read
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.proc import look_at
from webdyno.runtime.processes.private_folder import end_abandoned, private_folder
from webdyno.runtime.processes.supervision import supervised

_READY_S = 60.0
_LOOK_S = 0.1
_GRACE_S = 15.0
_TIDY_S = 2.0


def keep(member: Membership, home: Path) -> int:
    """Be the keeper until told to end; gives the exit code. Raises `UserError`."""
    secret = read(Path(member.secret))
    lifeline = None
    if not member.is_head:
        lifeline = grasp(member, secret)
        member = replace(member, ray=Reach(member).facts(member.head).ray_address)
    temporary = private_folder(Home(home).temporary)
    facts = facts_of_this(member).model_dump(mode="json")
    environment = {
        "WEBDYNO_HOME": str(home),
        "PYTHONPATH": python_path(),
        VARIABLE: member.secret,
    }
    listener = KeeperListener(
        member.address,
        member.keeper_port,
        secret,
        lambda: facts,
        head=member.is_head,
        environment=environment,
    )
    listener.start()
    threading.Thread(target=_tidy, args=(Home(home).temporary,), daemon=True).start()
    with their_ray(member) if member.ray else start_ray(member, temporary) as ray:
        own = look_at(os.getpid())
        assert own is not None
        membership.write(home, replace(member, pid=own.pid, started=own.started))
        try:
            print("in the cluster", flush=True)
            if lifeline is None:
                ray.wait()
                reason = "Ray has ended on this machine"
            else:
                reason = hold(lifeline, ended=lambda: ray.poll() is not None)
        finally:
            membership.forget(home)
    print(reason, flush=True)
    return 1


def _tidy(temporary: Path) -> None:
    """End what a study's work has left on this machine, where it was killed with its warden."""
    while True:
        time.sleep(_TIDY_S)
        with contextlib.suppress(OSError):
            end_abandoned(temporary)


def start_keeper(member: Membership, home: Path) -> Membership:
    """Start a keeper in the background, and give its membership once it is in the cluster.

    Raises `UserError` with its last line where it does not get there.
    """
    log = membership.log_of(home)
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "webdyno.cluster.keeper.keeper",
        str(home),
        json.dumps(asdict(member)),
    ]
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": python_path()},
        )
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise UserError(lines[-1] if lines else f"the keeper ended at once; see {log}")
        if joined := membership.current(home):
            return joined
        time.sleep(_LOOK_S)
    process.terminate()
    raise UserError(f"Ray was not ready within {_READY_S:.0f} s; see {log}")


def stop_keeper(home: Path) -> Membership | None:
    """End this machine's keeper and all that it started; gives what it was in. Of a cluster that
    was started here the secret goes as well; a file that was copied here is its owner's.

    Raises `UserError` where it has not ended after `_GRACE_S`.
    """
    member = membership.current(home)
    if member is None:
        killed = membership.latest(home)
        if killed is not None and killed.is_head:
            membership.secret_of(home).unlink(missing_ok=True)
        return None
    with contextlib.suppress(ProcessLookupError):
        os.kill(member.pid, signal.SIGTERM)
    deadline = time.monotonic() + _GRACE_S
    while membership.current(home) is not None or look_at(member.pid) is not None:
        if time.monotonic() > deadline:
            raise UserError(f"process {member.pid} does not end; kill it: kill -9 {member.pid}")
        time.sleep(_LOOK_S)
    if member.is_head:
        membership.secret_of(home).unlink(missing_ok=True)
    return member


def main() -> int:
    """The process itself: `python -m webdyno.cluster.keeper.keeper HOME MEMBERSHIP`."""
    home, data = Path(sys.argv[1]), json.loads(sys.argv[2])
    member = Membership(**{**data, "roles": tuple(data["roles"])})
    try:
        return supervised(lambda: _kept(member, home), Home(home).temporary)
    except KeyboardInterrupt:
        return 130


def _kept(member: Membership, home: Path) -> int:
    try:
        return keep(member, home)
    except (UserError, RayMissing) as error:
        print(error, flush=True)
        return 2


if __name__ == "__main__":
    sys.exit(main())
