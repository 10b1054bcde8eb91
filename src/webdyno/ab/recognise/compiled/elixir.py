"""A service in Elixir: a release of Mix."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import KEY, RecognisedService, says, text_of

_OF_RELEASE = "PHX_SERVER=true RELEASE_DISTRIBUTION=none RELEASE_TMP=$TMPDIR"
"""As distributed nodes they would all have one name, which the first takes; and a release writes
its configuration beside itself unless it is told where else."""


def elixir(folder: Path) -> RecognisedService | None:
    """By mix.exs."""
    path = folder / "mix.exs"
    if not path.is_file():
        return None
    named = re.findall(r"^\s*app:\s*:(\w+)", text_of(path), re.MULTILINE)
    mix = "env MIX_ENV=prod mix"
    run = f"env {_OF_RELEASE} _build/prod/rel/{named[0]}/bin/{named[0]} start" if named else ""
    ask = "" if named else "an umbrella; name the release that is the service"
    keyed = says(folder / "config/runtime.exs", "SECRET_KEY_BASE")
    return RecognisedService(
        "mix.exs", "elixir", (f"{mix} deps.get --only prod", f"{mix} release"), run, ("elixir",),
        open=ask, env={"SECRET_KEY_BASE": KEY} if keyed and run else {},
    )  # fmt: skip
