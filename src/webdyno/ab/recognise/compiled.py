"""Services in Go and Elixir."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import (
    KEY,
    MOST_NAMED,
    NAME,
    SERVICES,
    Recognised,
    in_copy,
    says,
    text_of,
)
from webdyno.report.numbers import first_of


def go(folder: Path) -> Recognised | None:
    """By go.mod."""
    if not (folder / "go.mod").is_file():
        return None
    package, ask = ".", ""
    if not any(says(path, r"^package main\b") for path in folder.glob("*.go")):
        package, ask = _go_command(folder)
    program = _free_name(folder)
    # Without it Gin reads its templates anew for each answer.
    env = {"GIN_MODE": "release"} if says(folder / "go.mod", r"\bgin-gonic/gin\b") else {}
    build = f"go build -o {program} {package or f'./cmd/{NAME}'}"
    return Recognised(
        "go.mod", "go", (build,), f"./{program}", ("go",),
        open=ask, env=env, is_template=not package,
    )  # fmt: skip


def _free_name(folder: Path) -> str:
    """A name for the program: Go puts it into a folder of that name, and refuses a file of one's
    own."""
    names = ("service", "webdyno-service")
    free = (one for one in names if not (folder / one).is_dir() and not in_copy(folder, one))
    return next(free, "webdyno-service.out")


def _go_command(folder: Path) -> tuple[str, str]:
    """The package below cmd that is the service, empty where it is not clear which; and what its
    owner has to say."""
    names = sorted({path.parent.name for path in folder.glob("cmd/*/*.go")})
    if not names:
        return ".", "no package main found"
    likely = names if len(names) == 1 else [name for name in names if name in SERVICES]
    if len(likely) == 1:
        return f"./cmd/{likely[0]}", ""
    ask = (
        f"there are {len(names)} packages in cmd; replace NAME, in `build`, with the one that is "
        f"the service: {first_of(names, MOST_NAMED)}"
    )
    return "", ask


_OF_RELEASE = "PHX_SERVER=true RELEASE_DISTRIBUTION=none RELEASE_TMP=$TMPDIR"
"""As distributed nodes they would all have one name, which the first takes; and a release writes
its configuration beside itself unless it is told where else."""


def elixir(folder: Path) -> Recognised | None:
    """By mix.exs."""
    path = folder / "mix.exs"
    if not path.is_file():
        return None
    named = re.findall(r"^\s*app:\s*:(\w+)", text_of(path), re.MULTILINE)
    mix = "env MIX_ENV=prod mix"
    run = f"env {_OF_RELEASE} _build/prod/rel/{named[0]}/bin/{named[0]} start" if named else ""
    ask = "" if named else "an umbrella; name the release that is the service"
    keyed = says(folder / "config/runtime.exs", "SECRET_KEY_BASE")
    return Recognised(
        "mix.exs", "elixir", (f"{mix} deps.get --only prod", f"{mix} release"), run, ("elixir",),
        open=ask, env={"SECRET_KEY_BASE": KEY} if keyed and run else {},
    )  # fmt: skip
