"""What a user asks of `ab`: two versions, in one of several ways, and the flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.ab.flags import Flags, refuse_short_budget
from webdyno.errors import UserError


@dataclass(frozen=True)
class PairRequest:
    """The two versions, in one of several ways: folders or references (`places`), commands,
    versions of a package, runtimes, or running services."""

    cwd: Path
    places: Sequence[str] = ()
    commands: Sequence[str] = ()
    packages: Sequence[str] = ()
    runtimes: Sequence[str] = ()
    urls: Sequence[str] = ()
    file: Path | None = None
    flags: Flags = field(default_factory=Flags)

    def check(self) -> None:
        """Raise `UserError` where it is not clear which two versions are meant, and for a --budget
        in which nothing can be compared."""
        if self.flags.budget_s is not None:
            refuse_short_budget("--budget", self.flags.budget_s)
        ways = {
            "two folders or commits": bool(self.places),
            "two --command": len(self.commands) == 2,
            "two --with": bool(self.packages),
            "two --runtime": bool(self.runtimes),
            "two --url": bool(self.urls),
        }
        several = [way for way, given in ways.items() if given]
        if len(several) > 1:
            raise UserError(f"{several[0]} and {several[1]} cannot be combined; give one of them")
        for option, given in (
            ("--command", self.commands),
            ("--with", self.packages),
            ("--runtime", self.runtimes),
            ("--url", self.urls),
        ):
            if len(given) > 2 or (len(given) == 1 and option != "--command"):
                raise UserError(
                    f"{option}: {len(given)} given; give it twice, once for A and once for B"
                )
        if self.packages and self.flags.no_build:
            raise UserError(
                "--with installs into a build, and --no-build makes none; leave one of them out"
            )
        if self.urls and (option := self._of_started()):
            raise UserError(
                f"{option} is for versions that ab builds and starts; leave out {option} or --url"
            )

    def _of_started(self) -> str:
        """An option that says how a version is built or started; empty where there is none."""
        flags = self.flags
        given = {
            "--command": self.commands,
            "--build": flags.build,
            "--no-build": flags.no_build,
            "--env": flags.env,
            "--service": flags.services,
            "--ready": flags.ready,
            "--start-timeout": flags.start_timeout_s,
            "--port-variable": flags.port_variable,
            "--writes": flags.writes,
        }
        return next((option for option, value in given.items() if value), "")
