"""The database of a service of Dropwizard, which the file of its settings names."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.jvm.dropwizard import other_command, settings_of
from webdyno.ab.recognise.recognised import Migrations, RecognisedService
from webdyno.ab.recognise.settings.config_files import values_in_file

_KINDS = {"postgresql": ("postgresql",), "mariadb": ("mariadb", "mysql")}
"""What drivers and addresses call each database."""

_JDBC = re.compile(r"jdbc:(\w+):[^\s\"'}]*")
_MIGRATES = re.compile(r"\bdropwizard[-.](?:migrations|flyway)\b")
"""What adds the command `db` to the program."""


def jdbc_of(service: str, folder: Path, module: str) -> tuple[str, str] | None:
    """The key under which the settings of a module name the database `service`, and its address
    there; None where they name none of it, or several."""
    settings = settings_of(folder, module)
    held = list(values_in_file(settings)) if settings else []
    addresses: dict[str, str] = {}
    for keys, value in held:
        if keys[-1] in ("driverClass", "url") and any(one in value for one in _KINDS[service]):
            named = _JDBC.search(value)
            section = ".".join(keys[:-1])
            addresses[section] = (named[0] if named else "") or addresses.get(section, "")
    if len(addresses) != 1:
        return None
    section, address = addresses.popitem()
    if not address:
        kind = next(one for one in reversed(_KINDS[service]) if one in str(held))
        address = f"jdbc:{kind}://localhost/"
    return section, address


def of_dropwizard(folder: Path, service: RecognisedService, build_files: str) -> Migrations | None:
    """How a service whose settings name its database makes the tables; None where they name
    none."""
    if len(service.services) != 1:
        return None
    if jdbc_of(service.services[0], folder, service.package) is None:
        return None
    if not _MIGRATES.search(build_files):
        return Migrations()
    return Migrations(other_command(service.run, "db migrate"))
