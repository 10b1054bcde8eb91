"""Maven: `pom.xml`, which is manifest and lock in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from webdyno.outdated.ecosystem import Ecosystem, Package, ask

_PLUGIN = "org.codehaus.mojo:versions-maven-plugin:2.18.0"
_OPTIONS = (
    "--batch-mode",
    "-Dmaven.version.ignore=(?i).*[.-](alpha|beta|rc|cr|m|ea|pr|preview)[.-]?\\d*.*",
)
_REPORT = "webdyno-versions.txt"
_LINE = re.compile(
    r"^ +(?P<name>[\w.-]+:[\w.-]+|\$\{[\w.-]+\}) ?\.*\s+(?P<locked>\S+) -> (?P<newest>\S+)\s*$",
    re.MULTILINE,
)


class Maven(Ecosystem):
    """Asks and updates with the versions plugin. A version in a `pom.xml` is a pin: within its
    bounds is nothing newer."""

    manifest = "pom.xml"
    writes = ("pom.xml",)

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`. What a parent or a list of materials (BOM) states is theirs."""
        goals = ("parent", "dependency", "property")
        ask(
            [
                "mvn",
                *_OPTIONS,
                "-DprocessDependencyManagementTransitive=false",
                f"-Dversions.outputFile={folder / _REPORT}",
                *(f"{_PLUGIN}:display-{goal}-updates" for goal in goals),
            ],
            folder,
        )
        report = folder / _REPORT
        return parsed(report.read_text(encoding="utf-8") if report.is_file() else "")

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`."""
        goals = ("update-parent", "update-properties", "use-latest-releases")
        ask(
            [
                "mvn",
                *_OPTIONS,
                "-DgenerateBackupPoms=false",
                "-DprocessDependencyManagement=true",
                *(f"{_PLUGIN}:{goal}" for goal in goals),
            ],
            folder,
        )
        return {}


def parsed(report: str) -> list[Package]:
    """What the plugin's display goals said. A property stands for the packages whose version it is,
    so it is told only where none of them is."""
    packages: dict[str, Package] = {}
    for match in _LINE.finditer(report):
        one = Package(match["name"], match["locked"], match["locked"], match["newest"])
        told = {(other.locked, other.newest) for other in packages.values()}
        if not one.name.startswith("$") or (one.locked, one.newest) not in told:
            packages.setdefault(one.name, one)
    return sorted(packages.values(), key=lambda one: one.name)


ECOSYSTEM = Maven()
