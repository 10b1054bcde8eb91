"""Hex: `mix.exs`, and `mix.lock` where there is one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from webdyno.outdated.ecosystem import Ecosystem, Package, RegistryUnanswered, ask
from webdyno.outdated.newer import newer
from webdyno.runtime.toolchains import find

_NEEDS = "elixir with hex"
_PLAIN = {"HEX_NO_SHORT_URLS": "1"}
_ROW = re.compile(
    r"^(?P<name>\w+) +(?:[a-z][\w,]* +)?(?P<locked>\d\S*) +(?P<newest>\d\S*) +"
    r"Update (?P<barred>not )?possible",
    re.MULTILINE,
)
_BOUND = re.compile(r'(\{:(\w+),\s*"(?:(?:==|~>|>=)\s*)?)(\d[^"\s]*)(")')


class Hex(Ecosystem):
    """Asks `mix hex.outdated`, and updates by moving the bounds in `mix.exs`."""

    manifest = "mix.exs"
    writes = ("mix.exs", "mix.lock")

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`. The client wants the packages there, so they are fetched first."""
        if not (client := find(_NEEDS)).ok:
            missing = "Hex" if client.lacks else "elixir"
            raise RegistryUnanswered(f"{missing} is not installed ({client.install_hint})")
        ask(["mix", "deps.get", "--only", "prod"], folder, env=_PLAIN)
        out, _ = ask(["mix", "hex.outdated"], folder, codes=(0, 1), env=_PLAIN)
        return parsed(out)

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`. A pin stays a pin; releases that do not go together are refused."""
        path = folder / self.manifest
        text = path.read_text(encoding="utf-8")
        path.write_text(
            raised_bounds(text, {one.name: one.newest for one in packages}), encoding="utf-8"
        )
        names = [one.name for one in packages]
        ask(["mix", "deps.update", "--only", "prod", *names], folder, env=_PLAIN)
        return {}


def parsed(out: str) -> list[Package]:
    """What `mix hex.outdated` said; only the newest release is told, not the newest allowed."""
    if "Status" not in out and "No hex dependencies" not in out:
        raise RegistryUnanswered(f"mix hex.outdated: {' '.join(out.split())[:200] or 'no output'}")
    return sorted(
        (
            Package(row["name"], row["locked"], row["locked" if row["barred"] else "newest"], new)
            for row in _ROW.finditer(out)
            if newer(new := row["newest"], row["locked"])
        ),
        key=lambda one: one.name,
    )


def raised_bounds(text: str, newest: Mapping[str, str]) -> str:
    """A `mix.exs` whose bounds for the packages of `newest` begin there."""
    return _BOUND.sub(lambda match: f"{match[1]}{newest.get(match[2], match[3])}{match[4]}", text)


ECOSYSTEM = Hex()
