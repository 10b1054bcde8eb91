"""Maven: `pom.xml`, which is manifest and lock in one."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from webdyno.outdated.ecosystem import Ecosystem, Package, ask

_PLUGIN = "org.codehaus.mojo:versions-maven-plugin:2.18.0"
_OPTIONS = (
    "--batch-mode",
    "-Dmaven.version.ignore=(?i).*[.-](alpha|beta|rc|cr|m|ea|pr|preview)[.-]?\\d*.*",
)
_PLUGINS_GROUP = "org.apache.maven.plugins"
"""Of a plugin that names none."""
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
        text = report.read_text(encoding="utf-8") if report.is_file() else ""
        return parsed(text, _stated_by(folder / self.manifest))

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


def parsed(report: str, stated: Mapping[str, str] = MappingProxyType({})) -> list[Package]:
    """What the plugin's display goals said. A property stands for the packages whose version it is,
    so it is told only where none of them is: by the name of the one that it is `stated` to be of,
    since readers do not know it by `${quarkus.version}`."""
    packages: dict[str, Package] = {}
    for match in _LINE.finditer(report):
        one = Package(match["name"], match["locked"], match["locked"], match["newest"])
        told = {(other.locked, other.newest) for other in packages.values()}
        if not one.name.startswith("$"):
            packages.setdefault(one.name, one)
        elif (one.locked, one.newest) not in told:
            name = stated.get(one.name, one.name)
            packages.setdefault(name, replace(one, name=name))
    return sorted(packages.values(), key=lambda one: one.name)


def _stated_by(pom: Path) -> dict[str, str]:
    """The first package, by each property that a `pom.xml` gives as its version."""
    found: dict[str, str] = {}
    try:
        elements = ElementTree.parse(pom).iter()
    except (OSError, ElementTree.ParseError):
        return found  # Maven has told of it.
    for element in elements:
        texts = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in element}
        version = texts.get("version", "")
        if "artifactId" in texts and version.startswith("${"):
            group = texts.get("groupId", _PLUGINS_GROUP)
            found.setdefault(version, f"{group}:{texts['artifactId']}")
    return found


ECOSYSTEM = Maven()
