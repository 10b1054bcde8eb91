"""What every service has: a process of its own, variables for servers, and a stop."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from webdyno.runtime.confinement.conduct import Priority
from webdyno.runtime.confinement.other_user import can_become
from webdyno.runtime.confinement.sandbox import USER
from webdyno.runtime.lock_file import locked
from webdyno.runtime.ports import LOOPBACK
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.programs import Program
from webdyno.runtime.shared_memory import remove_shared_memory
from webdyno.runtime.trees import hand_over

START_TIMEOUT_S = 30.0
TOOL_TIMEOUT_S = 120.0
"""How long a service's own tool may take, such as one that makes an empty database."""

_ERRORS = ("[ERROR]", "FATAL:", "PANIC:", "could not ")
"""What MariaDB and PostgreSQL write in the lines that tell why they end."""


class ServiceError(Exception):
    """A service could not be started; the message says what it printed last."""


class ServiceMissing(ServiceError):
    """A service's program is not installed; the message says how to install it."""


@dataclass
class RunningService:
    """A started service. `env` is what servers are given to reach it."""

    name: str
    program: str
    """How the program that runs is called, such as `MariaDB` where a scenario needs `mariadb`."""
    version: str
    process: ManagedProcess
    env: dict[str, str]
    folder: Path
    owner_env: dict[str, str] = field(default_factory=dict)
    """What differs in the variables of who owns the tables, which no server is told."""
    facts: dict[str, str] = field(default_factory=dict)
    """Settings worth stating in the report, such as `synchronous_commit = off`."""
    stopped_by: signal.Signals = signal.SIGTERM
    """What makes it end at once, and whole."""
    lost: Callable[[], str] = lambda: ""
    """What to tell where its whole machine is gone; empty while it is there."""
    urgent: Mapping[int, Priority] = field(default_factory=dict)
    """Its threads that pushed in front of others before there was a server, by their ids."""

    @property
    def as_owner(self) -> dict[str, str]:
        """The variables by which verifiers reach it: as the owner of the tables, whose rights
        servers do not have where there is somebody to deceive."""
        return {**self.env, **self.owner_env}

    def stop(self) -> None:
        """End it and remove its data."""
        self.process.stop(how=self.stopped_by)
        _remove(self.folder)


@dataclass(frozen=True)
class Access:
    """Where a service listens, the only machine besides its own that may use it, and whether who
    uses it may do anything in it, which is for those alone who have nobody to deceive."""

    address: str = LOOPBACK
    client: str = LOOPBACK
    all_rights: bool = False


class Start(Protocol):
    """Starts a service."""

    def __call__(
        self,
        folder: Path,
        cache: Path,
        cpus: tuple[int, ...],
        log: Path,
        access: Access = Access(),
    ) -> RunningService:
        """In a private folder, with a folder for what can be made again, CPUs to run on, where to
        log, and for whom. Raises `ServiceMissing`, `ServiceError`."""
        ...


@dataclass(frozen=True)
class Service:
    """What each file of `services.plugins` declares."""

    start: Callable[[Path, Path, tuple[int, ...], Path], RunningService]
    """Takes a private folder, a cache folder, CPUs to run on, and where to log. Raises
    `ServiceMissing`, `ServiceError`."""
    look_for: Callable[[], None]
    """Raises `ServiceMissing` where one of its programs is not installed."""
    programs: tuple[Program, ...] = ()
    seed: Callable[[Mapping[str, str], Path], None] | None = None
    """Runs the SQL of a file in the service that has these variables. Raises `ServiceError`, with
    the database's own words; None where there is no such thing."""
    drivers: str = ""
    """A regular expression that finds its clients' libraries among the dependencies of a program
    (lower case)."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The variables that servers get from it, by what they say: `host`, `port`, `user`, `password`,
    `name` of the database, `url`. Empty where that is not known before it runs."""
    far: Start | None = None
    """`start` where it can serve another machine; None where it is used from its own alone."""
    version: Callable[[], tuple[str, str]] | None = None
    """Program and version of what `start` would start, as `RunningService` tells them. Raises
    `ServiceMissing`; None where they are known only of what runs."""


def made_once(template: Path, user: str | None, make: Callable[[Path], None]) -> Path:
    """`template`, filled by `make` where it is not there yet; another run that makes it is waited
    for.

    `make` is given a folder of `user`'s to fill; nothing is left of it where it fails.
    """
    if template.is_dir():
        return template
    with alone_at(template) as making:
        if not template.is_dir():
            hand_over(making, user)
            make(making)
            making.rename(template)
    return template


@contextlib.contextmanager
def alone_at(template: Path) -> Iterator[Path]:
    """An empty folder in which to make `template`, for one process at a time: ids of processes do
    not tell whether another lives, since it may be in another namespace. It is removed at the end
    where it still has its name, and what processes that were killed had begun before."""
    template.parent.mkdir(parents=True, exist_ok=True)
    with locked(template.with_name(f".{template.name}.lock")):
        for old in template.parent.glob(f"{template.name}.*"):
            if old.suffix[1:].isdigit():
                _remove(old)
        making = template.with_name(f"{template.name}.{os.getpid()}")
        making.mkdir()
        try:
            yield making
        finally:
            _remove(making)


def run_checked(service: str, argv: list[str], cwd: Path, user: str | None, text: str = "") -> None:
    """Run a service's own tool to its end. Raises `ServiceError` with what it said."""
    name = Path(argv[0]).name
    # In a session of its own, so that it can be ended with all that it started.
    tool = subprocess.Popen(
        argv,
        cwd=cwd,
        env=plain_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        user=user,
        start_new_session=True,
    )
    try:
        out, err = tool.communicate(text, timeout=TOOL_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise ServiceError(
            f"{service}: '{name}' did not end within {TOOL_TIMEOUT_S:.0f} s"
        ) from None
    finally:
        if tool.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(tool.pid, signal.SIGKILL)
            tool.wait(TOOL_TIMEOUT_S)
        for pipe in (tool.stdin, tool.stdout, tool.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
    if tool.returncode != 0:
        said = (err.strip() or out.strip()).splitlines() or ["no output"]
        raise ServiceError(f"{service}: '{name}' exited with {tool.returncode}: {_why(said)}")


def own_copy(service: str, template: Path, folder: Path, user: str | None) -> Path:
    """A copy of `template` in `folder`, which is made and given to `user`; far quicker than making
    an empty database. Raises `ServiceError`."""
    data = folder / "data"
    folder.mkdir(parents=True, exist_ok=True)
    run_checked(service, ["cp", "-a", "--reflink=auto", str(template), str(data)], folder, None)
    hand_over(folder, user)
    return data


def _why(lines: list[str]) -> str:
    """The last lines of a failing database tell how it ended; its first error tells why."""
    return next((line for line in lines if any(word in line for word in _ERRORS)), lines[-1])


_STAMP = re.compile(r"^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] ")
"""What PostgreSQL begins a line of its log with: when, and by which process."""


def _remedy(why: str) -> str:
    """What helps a database that ended at its start by that line, as the end of a sentence."""
    if "shared memory segment" not in why:
        return ""
    return "; make /dev/shm writable and give it more room (in a container: --shm-size=1g)"


def await_ready(process: ManagedProcess, folder: Path, ready: Callable[[], bool]) -> None:
    """Wait until the service in `folder` is `ready`; one that does not become so leaves nothing.

    Raises `ServiceError` where it ends or takes too long.
    """
    try:
        _await_ready(process, ready)
    except BaseException:
        process.stop(grace_s=1.0)
        _remove(folder)
        raise


def _await_ready(process: ManagedProcess, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if process.exit_code() is not None:
            lines = process.log_tail().splitlines() or ["it printed nothing"]
            why = _STAMP.sub("", _why(lines))
            raise ServiceError(f"{process.name} exited during its start: {why}{_remedy(why)}")
        if ready():
            return
        time.sleep(0.01)
    raise ServiceError(f"{process.name} did not accept connections within {START_TIMEOUT_S:.0f} s")


def _remove(folder: Path) -> None:
    """Remove a database that does not run, and the memory that one which was killed has left."""
    remove_shared_memory(folder)
    shutil.rmtree(folder, ignore_errors=True)


def find_program(name: str, *folders: str) -> Path | None:
    """A program on PATH, or in folders outside it where distributions keep servers.

    `folders` may hold globs; of several matches the last in natural order (the newest) is taken.
    """
    if found := shutil.which(name):
        return Path(found).resolve()
    for pattern in (*folders, "/usr/sbin", "/usr/local/sbin", "/usr/libexec"):
        matches = sorted(Path("/").glob(f"{pattern.lstrip('/')}/{name}"), key=_natural)
        if matches:
            return matches[-1]
    return None


def unprivileged_user(*preferred: str) -> str | None:
    """The user to drop to where we are root, and may; else None."""
    if os.geteuid() != 0:
        return None
    return next((name for name in (*preferred, USER) if can_become(name)), None)


def database_user(*preferred: str) -> str | None:
    """The same for a database, which refuses to run as root. Raises `ServiceError` where it would
    have to."""
    user = unprivileged_user(*preferred)
    if user is None and os.geteuid() == 0:
        raise ServiceError(
            "databases refuse to run as root, and root may not start programs as another user here "
            "(CAP_SETUID, CAP_SETGID, CAP_CHOWN); start Webdyno as an ordinary user"
        )
    return user


def _natural(path: Path) -> list[int]:
    return [int(part) for part in "".join(c if c.isdigit() else " " for c in str(path)).split()]
