"""Go modules: `go.mod` and `go.sum`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from webdyno.outdated.ecosystem import Ecosystem, Package, RegistryUnanswered, ask
from webdyno.outdated.newer import newest_of_series


class Go(Ecosystem):
    """Asks `go list -m -u`, and updates with `go get` and `go mod tidy`.

    A module's next major version is another module, of which the client tells nothing: `newest` is
    that of the major version in use, and since `go.mod` states lower bounds only, so is `within`.
    """

    manifest = "go.mod"
    writes = ("go.mod", "go.sum")

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`."""
        held = json.loads(ask(["go", "mod", "edit", "-json"], folder)[0])
        direct = [one["Path"] for one in held.get("Require") or [] if not one.get("Indirect")]
        if not direct:
            return []
        if re.match(r"off\b", ask(["go", "env", "GOPROXY"], folder)[0]):
            # It then ends well, and says of each module that there is no newer one.
            raise RegistryUnanswered("go list does not look up releases, because GOPROXY is off")
        out, _ = ask(["go", "list", "-m", "-u", "-json", *direct], folder, env=_ALONE)
        return parsed(out)

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`."""
        ask(["go", "get", *(f"{one.name}@{one.newest}" for one in packages)], folder, env=_ALONE)
        ask(["go", "mod", "tidy"], folder, env=_ALONE)
        return {}


_ALONE = {"GOFLAGS": "-mod=mod", "GOWORK": "off"}
"""The folder alone: neither a workspace nor a vendored copy."""


def parsed(out: str) -> list[Package]:
    """What `go list -m -u -json` said: one JSON object after the other."""
    return sorted(
        (
            Package(one["Path"], one["Version"], *(one["Update"]["Version"],) * 2)
            for one in _objects(out)
            if "Update" in one
        ),
        key=lambda one: one.name,
    )


def newest_go(folder: Path, series: str) -> str:
    """The newest release of Go itself in `series`, such as `1.27`. Raises `RegistryUnanswered`."""
    out, _ = ask(["go", "list", "-m", "-versions", "-json", "go"], folder, env=_ALONE)
    return newest_of_series(next(_objects(out)).get("Versions", []), series)


def _objects(out: str) -> Iterator[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    while (at := len(out) - len(out[at:].lstrip())) < len(out):
        one, at = decoder.raw_decode(out, at)
        yield one


ECOSYSTEM = Go()
