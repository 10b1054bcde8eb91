"""A service in Elixir: a release of Mix."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import KEY, RecognisedService, says, text_of

_OF_RELEASE = "PHX_SERVER=true RELEASE_DISTRIBUTION=none RELEASE_TMP=$TMPDIR"
"""As distributed nodes they would all have one name, which the first takes; and a release writes
its configuration beside itself unless it is told where else."""

_EARLY = "prod.secret"


def elixir(folder: Path) -> RecognisedService | None:
    """By mix.exs."""
    path = folder / "mix.exs"
    if not path.is_file():
        return None
    named = re.findall(r"^\s*app:\s*:(\w+)", text_of(path), re.MULTILINE)
    mix = "env MIX_ENV=prod mix"
    run = f"env {_OF_RELEASE} _build/prod/rel/{named[0]}/bin/{named[0]} start" if named else ""
    ask = "" if named else "an umbrella; name the release that is the service"
    settings = [folder / "config" / f"{name}.exs" for name in ("runtime", "releases", _EARLY)]
    keyed = any(says(path, "SECRET_KEY_BASE") for path in settings)
    # A release before Elixir 1.9 had no other place for it.
    early = says(settings[-1], r"\bSystem\.(?:get|fetch)_env")
    told = (
        f"config/{_EARLY}.exs is read when the release is built, and not when it starts: move "
        "what it reads of the environment to config/runtime.exs",
    )
    return RecognisedService(
        "mix.exs", "elixir", (f"{mix} deps.get --only prod", f"{mix} release"), run, ("elixir",),
        open=ask, other_to_do=told if early else (),
        env={"SECRET_KEY_BASE": KEY} if keyed and run else {},
    )  # fmt: skip
