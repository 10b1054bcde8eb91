"""npm: `package.json` and `package-lock.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webdyno.outdated.ecosystem import Ecosystem, Package, RegistryUnanswered, ask
from webdyno.outdated.newer import newer, newest_of_series, semantic


class Npm(Ecosystem):
    """Asks `npm outdated`, and updates with `npm install --package-lock-only`."""

    manifest = "package.json"
    writes = ("package.json", "package-lock.json")

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`. Nothing is installed: what is locked is read from the lock file."""
        packages = parsed(_json(["npm", "outdated", "--json"], folder, (0, 1)), _locked(folder))
        if series:
            packages = [_of_series(one, folder, series) for one in packages]
        return [one for one in packages if newer(one.newest, one.locked)]

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`. Lock files hold no addresses, whatever the user's own settings say.

        A release that does not support the machine's Node.js is not taken.
        """
        try:
            self._take(folder, packages)
        except RegistryUnanswered as error:
            if unsupported(error) is None:
                raise
        else:
            return {}
        stay: dict[str, str] = {}
        for one in packages:
            try:
                self._take(folder, [one])
            except RegistryUnanswered as error:
                why = unsupported(error)
                if why is None:
                    raise
                stay[one.name] = why
        return stay

    def _take(self, folder: Path, packages: Sequence[Package]) -> None:
        wanted = [f"{one.name}@{_operator(folder, one.name)}{one.newest}" for one in packages]
        options = [
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--engine-strict",
            "--omit-lockfile-registry-resolved",
        ]
        exact = ["--save-exact"] if all(_is_exact(folder, one.name) for one in packages) else []
        ask(["npm", "install", "--package-lock-only", *options, *exact, *wanted], folder)


def unsupported(error: RegistryUnanswered) -> str | None:
    """Which package does not support this Node.js, and what it needs; None for another error."""
    package = re.search(r"Not compatible with your version of node/npm: (\S+)", error.printed)
    needed = re.search(r"Required: *(\{.*\})", error.printed)
    if package is None or needed is None:
        return None
    try:
        engines = json.loads(needed[1])
    except ValueError:
        return None
    told = " and ".join(f"{name} {version}" for name, version in engines.items())
    return f"{package[1]} needs {told}"


def parsed(document: dict[str, Any], locked: dict[str, str]) -> list[Package]:
    """What `npm outdated --json` said. Without installed packages it names every dependency."""
    packages = []
    for name, told in document.items():
        one = told[0] if isinstance(told, list) else told
        at = locked.get(name) or one.get("current", "")
        newest, within = str(one["latest"]), str(one["wanted"])
        # Of a major version that goes on, a release may be newer than the one called the latest.
        if semantic(within) and newer(within, newest):
            newest = within
        if at != newest:
            packages.append(Package(name, at, within, newest))
    return sorted(packages, key=lambda one: one.name)


def _of_series(one: Package, folder: Path, series: str) -> Package:
    told = _json(["npm", "view", one.name, "versions", "--json"], folder, (0,))
    there = told if isinstance(told, list) else [told]
    newest = newest_of_series(there, series) or one.locked
    return Package(one.name, one.locked, newest, newest)


def _json(command: list[str], folder: Path, codes: Sequence[int]) -> Any:
    out, err = ask(command, folder, codes=codes)
    try:
        document = json.loads(out or "{}")
    except ValueError:
        raise RegistryUnanswered(f"{' '.join(command[:2])}: {(err or out).strip()[:200]}") from None
    failed = document.get("error") if isinstance(document, dict) else None
    if isinstance(failed, dict) and (summary := failed.get("summary") or failed.get("code")):
        raise RegistryUnanswered(f"{' '.join(command[:2])}: {' '.join(str(summary).split())[:200]}")
    return document


def _locked(folder: Path) -> dict[str, str]:
    try:
        held = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    packages = held.get("packages", {}).items()
    prefix = "node_modules/"
    return {name.removeprefix(prefix): str(one.get("version", "")) for name, one in packages}


def _bound(folder: Path, name: str) -> str:
    held = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    kinds = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
    return next((str(held[kind][name]) for kind in kinds if name in held.get(kind, {})), "")


def _is_exact(folder: Path, name: str) -> bool:
    return _bound(folder, name)[:1].isdigit()


def _operator(folder: Path, name: str) -> str:
    """What stands before the version in the manifest's bound, such as `^`; empty for a pin."""
    bound = _bound(folder, name)
    return bound[:1] if bound[:1] in "^~" else ""


ECOSYSTEM = Npm()
