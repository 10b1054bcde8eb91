"""What a service needs beside it: a database with tables, and others that `ab` does not start."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from webdyno.ab.recognise.data.databases import (
    address_of,
    databases_of,
    named_in_files,
    needs_in,
    properties_of,
)
from webdyno.ab.recognise.data.migrations import migrations_of
from webdyno.ab.recognise.data.prisma import needed_of, providers_of
from webdyno.ab.recognise.data.unstarted_services import not_started
from webdyno.ab.recognise.jvm.dropwizard import starts_dropwizard
from webdyno.ab.recognise.recognised import RecognisedService, json_of

_NOT_ASKED = "not-asked"
"""The name of a database that a build wants to be told and does not ask."""


def with_data(folder: Path, service: RecognisedService) -> RecognisedService:
    """The `service` in `folder` with its databases, what makes their tables, and the
    variables that tell it where they are."""
    places = dict.fromkeys(("", service.package, *service.local_dependencies))
    folders = [folder / one for one in places]
    service = replace(service, services=databases_of(folders))
    beside = not_started(folders)
    if beside:
        service = replace(service, other_to_do=(*service.other_to_do, beside))
    if _is_in_file(folders):
        # In the service's own folder, as most files of SQLite are.
        service = replace(service, writes=True)
    needed = {name: _not_asked(one, name) for one in folders for name in sorted(needed_of(one))}
    service = replace(service, build_env={**service.build_env, **needed})
    migrations = migrations_of(folder, service) if service.run else None
    if migrations is None:
        return service
    if len(service.services) > 1:
        if not migrations.command:
            return service
        to_do = f"`{migrations.command}` creates the tables of one of its databases: set `prepare`"
        return replace(service, other_to_do=(*service.other_to_do, to_do))
    if service.services:
        where = [folder / one for one in (service.package, *service.local_dependencies)]
        told = [address_of(service.services[0], one) for one in reversed(where)]
        if service.language in ("java", "kotlin") and starts_dropwizard(service.run):
            told.append(properties_of(service.services[0], folder, service.package))
        env = {**service.env, **{name: value for one in told for name, value in one.items()}}
        service = replace(service, uses_database=True, env=env)
    elif service.language in ("php", "python"):
        service = replace(service, writes=True)  # They know SQLite without a driver.
    prepare = (migrations.command,) if migrations.command else ()
    return replace(service, prepare=prepare, rows=migrations.rows)


def _not_asked(folder: Path, name: str) -> str:
    """A value for a variable of Prisma's configuration in a folder: an address of the kind that
    its schema names, where one is wanted."""
    if not re.search(r"UR[IL]|DSN|DB|DATABASE", name):
        return _NOT_ASKED
    provider = next(iter(providers_of(folder)), "postgresql")
    scheme = {"mariadb": "mysql", "sqlite": "file"}.get(provider, provider)
    return f"file:{_NOT_ASKED}" if scheme == "file" else f"{scheme}://localhost/{_NOT_ASKED}"


def _is_in_file(folders: Sequence[Path]) -> bool:
    """Whether the service has a driver of SQLite."""
    needed = [json_of(one / "package.json").get("dependencies") for one in folders]
    providers = [name for one in folders for name in named_in_files(one)]
    needs = needs_in(folders, "package.json")
    return "sqlite" in f"{needs} {json.dumps(needed)} {providers}"
