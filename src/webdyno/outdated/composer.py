"""Composer: `composer.json`, and `composer.lock` where there is one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from webdyno.outdated.ecosystem import Ecosystem, Package, RegistryUnanswered, ask
from webdyno.outdated.newer import newer

_QUIET = ("--no-interaction", "--no-plugins", "--no-scripts")
_WIDE = {"COLUMNS": "400"}
"""Otherwise it breaks the line that says why it failed."""


class Composer(Ecosystem):
    """Asks `composer outdated`, and updates with `composer require`."""

    manifest = "composer.json"
    writes = ("composer.json", "composer.lock")

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`. Without a lock file, one is made of the bounds first."""
        if not (folder / "composer.lock").is_file():
            update = ["composer", "update", "--no-install", *_QUIET, "--ignore-platform-reqs"]
            ask(update, folder, env=_WIDE)
        outdated = ["composer", "outdated", "--direct", "--locked", "--format=json", *_QUIET]
        out, _ = ask(outdated, folder, env=_WIDE)
        return parsed(out)

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`."""
        wanted = [f"{one.name}:{one.newest.removeprefix('v')}" for one in packages]
        ask(["composer", "require", "--no-install", *_QUIET, *wanted], folder, env=_WIDE)
        return {}


def parsed(out: str) -> list[Package]:
    """What `composer outdated --format=json` said."""
    try:
        document = json.loads(out or "{}")
    except ValueError:
        raise RegistryUnanswered(f"composer outdated: {out.strip()[:200]}") from None
    packages = document.get("locked") or document.get("installed") or []
    return sorted(
        (
            Package(one["name"], one["version"], one["version"], one["latest"])
            for one in packages
            if newer(one["latest"], one["version"])
        ),
        key=lambda one: one.name,
    )


ECOSYSTEM = Composer()
