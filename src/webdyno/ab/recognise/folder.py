"""The service in a folder, by the manifests of all ecosystems.

One function an ecosystem, each of which gives None where the folder is not of its kind. Of several,
the first counts that knows how the service is started, before servers for development and before
templates. What cannot be found out is left empty, and said in `open`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from webdyno.ab.recognise.compiled.dotnet import PROJECTS, dotnet
from webdyno.ab.recognise.compiled.elixir import elixir
from webdyno.ab.recognise.compiled.go import go
from webdyno.ab.recognise.compiled.rust import rust
from webdyno.ab.recognise.compiled.swift import swift
from webdyno.ab.recognise.data.service_data import with_data
from webdyno.ab.recognise.dockerfile import by_dockerfile
from webdyno.ab.recognise.jvm.gradle import gradle
from webdyno.ab.recognise.jvm.maven import maven
from webdyno.ab.recognise.node.service import node
from webdyno.ab.recognise.procfile import by_procfile
from webdyno.ab.recognise.python.service import python
from webdyno.ab.recognise.recognised import NAME, RecognisedService, text_of
from webdyno.ab.recognise.scripted.deno import deno
from webdyno.ab.recognise.scripted.php import php
from webdyno.ab.recognise.scripted.ruby import ruby
from webdyno.ab.recognise.settings.ports import port_of
from webdyno.ab.recognise.settings.variables import not_told, sampled_values, without_value
from webdyno.ab.recognise.settings.variables_read import required_in
from webdyno.ab.recognise.workspace import of_go_work, workspace_of
from webdyno.runtime.services.registry import SERVICES

_KINDS: tuple[Callable[[Path], RecognisedService | None], ...] = (
    node, python, go, rust, maven, gradle, php, ruby, swift, elixir, dotnet, deno,
)  # fmt: skip


def recognise(folder: Path) -> RecognisedService | None:
    """The service in `folder`; None where no manifest is known."""
    kinds = [
        by_dockerfile(folder, by_procfile(folder, service))
        for ask in _KINDS
        if (service := ask(folder)) is not None
    ]
    if not kinds:
        return None
    # Many services have a manifest of another language for their tools; of equals the first counts.
    service = min(kinds, key=lambda one: (not one.run, one.is_for_assets, one.is_template))
    service = with_data(folder, service)
    fixed = ""
    # Of several services, each may have a port of its own.
    is_one = bool(service.run) and NAME not in re.split(r"\W", service.run)
    if is_one and "${PORT}" not in f"{service.run} {service.env}":
        variables, fixed = port_of(folder, service.package)
        service = replace(service, env={**service.env, **variables})
    # A member of a workspace has its sample beside it or at the top.
    places = dict.fromkeys((folder, folder / service.package))
    required = required_in(folder / service.package) if is_one else []
    wanted = set(required) - known_variables(service)
    for place in places:
        service = replace(service, env={**service.env, **sampled_values(place, wanted)})
    known = known_variables(service)
    empty = (without_value(place, known.union(required)) for place in reversed(places))
    told = (not_told(required, known), next(filter(None, empty), ""), fixed)
    service = replace(service, other_to_do=(*service.other_to_do, *filter(None, told)))
    if service.build and (workspace := workspace_of(folder, service.manifest)):
        caution = (
            f"it belongs to the {_WHOLE.get(service.manifest, _WORKSPACE).format(workspace)} a "
            f"build of this folder alone does not see; describe the service in {workspace} instead"
        )
        # Not with those that fail: npm and pip take strangers of the neighbours' names.
        fails = service.language in ("java", "kotlin", "rust")
        return replace(service, open=caution, is_template=not fails)
    if outside := _outside(folder):
        caution = (
            f"it needs {outside}, but a build sees only this folder; describe the service in "
            f"{_around(folder, outside)}, which contains both"
        )
        return replace(service, open=caution)
    return service


def known_variables(service: RecognisedService) -> frozenset[str]:
    """The variables that a service is told: its own, those of its database, and those that each
    start sets."""
    given = (
        SERVICES[name].variables.values() for name in service.services if service.uses_database
    )
    return frozenset({"HOST", "PORT", *service.env, *(one for names in given for one in names)})


_WORKSPACE = "workspace in {}, whose packages and lock file"
_WHOLE = dict.fromkeys(
    ("pom.xml", "build.gradle", "build.gradle.kts"), "build in {}, whose modules and settings"
)
"""What a folder belongs to, and what of it is not seen from there."""


def _outside(folder: Path) -> str:
    """The first neighbour that a manifest takes a dependency from; empty where there is none."""
    matches = (
        # PHP writes a slash in JSON with a backslash before it, and .NET one in its place.
        re.search(pattern, re.sub(r"\\/|\\(?=[.\w])", "/", text_of(path)), re.MULTILINE)
        for name, pattern in _NEIGHBOURS
        for path in sorted(folder.glob(name))
    )
    return next((match[1] for match in matches if match), "") or of_go_work(folder)


_INCLUDES = r"^[^/\n]*\b(?:includeBuild|projectDir)\b[^/\n]*?[\"'](\.\./[^\"']*)[\"']"

_NEIGHBOURS = (
    ("package.json", r"\"(?:file|link|portal):(\.\./[^\"]*)\""),
    ("Cargo.toml", r"\bpath\s*=\s*\"(\.\./[^\"]*)\""),
    ("go.mod", r"=>\s*(\.\./\S*)"),
    ("go.work", r"^\s*(?:use\s+)?\"?(\.\./[^\s\"]*)"),
    ("pyproject.toml", r"\bpath\s*=\s*[\"'](\.\./[^\"']*)[\"']"),
    ("Pipfile", r"\bpath\s*=\s*[\"'](\.\./[^\"']*)[\"']"),
    ("requirements.txt", r"^[ \t]*(?:-[ercf]|--[\w-]+)?[ \t=]*(?:file:)?(\.\./[^\s#]*)"),
    ("settings.gradle", _INCLUDES),
    ("settings.gradle.kts", _INCLUDES),
    ("composer.json", r"\"url\"\s*:\s*\"(\.\./[^\"]*)\""),
    ("Gemfile", r"^[^#\n]*\bpath\b(?::|\s*=>|\s*\(?)\s*[\"'](\.\./[^\"']*)[\"']"),
    ("Package.swift", r"^[^/\n]*\bpath:\s*\"(\.\./[^\"]*)\""),
    (PROJECTS, r"<ProjectReference\s[^>]*\bInclude\s*=\s*\"(\.\./[^\"]*)/[^/\"]+\""),
    # An application of an umbrella has its settings there as well.
    ("mix.exs", r"^[^#\n]*\b(?:config_path|lockfile|path):\s*\"(\.\./[^\"]*)\""),
)
"""What manifests say of folders beside their own."""


def _around(folder: Path, outside: str) -> str:
    """The folder that contains `folder` and its neighbour, as seen from there."""
    here = folder.resolve()
    both = os.path.commonpath([here, os.path.normpath(here / outside)])
    return os.path.relpath(both, here)
