"""Which cluster this machine is in, kept in the state folder while it is."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from webdyno.errors import UserError
from webdyno.runtime.proc import look_at

PORT = 7411
"""The first of the ports that every machine of a cluster uses, unless another is asked for."""

PORTS = 60
"""How many there are."""

ROLES = ("server", "service", "generator")


@dataclass(frozen=True)
class Membership:
    """This machine in a cluster. `pid` and `started` name its keeper for good."""

    address: str
    head: str
    port: int
    roles: tuple[str, ...]
    secret: str
    """The file it is in."""
    ray: str = ""
    """Where the Ray that somebody else has started listens; empty where it is Webdyno's own."""
    pid: int = 0
    started: int = 0

    @property
    def is_head(self) -> bool:
        """Whether the cluster was started here."""
        return self.address == self.head

    @property
    def keeper_port(self) -> int:
        """Where each machine's keeper listens."""
        return self.port + 1

    @property
    def worker_port(self) -> int:
        """Where the process that runs a study's servers is dialled: one study at a time."""
        return self.port + 5

    @property
    def ray_address(self) -> str:
        """Where Ray listens: the first machine's, or what somebody else has started."""
        return self.ray or f"{self.head}:{self.port}"


def folder(home: Path) -> Path:
    """Where all that is kept of a cluster is."""
    return home / "machines"


def secret_of(home: Path) -> Path:
    """The secret of a cluster that is started here; each start writes a new one."""
    return folder(home) / "secret"


def log_of(home: Path) -> Path:
    """What the keeper says."""
    return folder(home) / "keeper.log"


def write(home: Path, member: Membership) -> None:
    """Keep it."""
    path = _file(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(asdict(member), indent=2) + "\n", encoding="utf-8")
    new.replace(path)


def forget(home: Path) -> None:
    """This machine is in no cluster any more."""
    _file(home).unlink(missing_ok=True)


def current(home: Path) -> Membership | None:
    """The membership that lives; None where this machine is not in a cluster."""
    member = latest(home)
    process = look_at(member.pid) if member else None
    if member is None or process is None or process.zombie or process.started != member.started:
        return None
    return member


def latest(home: Path) -> Membership | None:
    """The same, also where its keeper was killed."""
    try:
        data = json.loads(_file(home).read_text(encoding="utf-8"))
        return Membership(**{**data, "roles": tuple(data["roles"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def required(home: Path) -> Membership:
    """The same. Raises `UserError` where there is none."""
    member = current(home)
    if member is None:
        raise UserError(
            "this machine is not in a cluster; start one with `webdyno machines start --address "
            "ADDRESS`, or join one with `webdyno machines join HOST`"
        )
    return member


def _file(home: Path) -> Path:
    return folder(home) / "member.json"
