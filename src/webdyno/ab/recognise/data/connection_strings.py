"""How .NET's settings name the address of a database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from webdyno.ab.recognise.compiled.dotnet import SETTINGS
from webdyno.ab.recognise.recognised import json_of, table_of

_OF_SERVER = re.compile(
    r"(?!.*\b(?:Initial Catalog|Integrated Security|MultipleActiveResultSets"
    r"|Trusted_Connection|TrustServerCertificate)\b)(?:^|.*;)\s*(?:Host|Server)\s*=",
    re.IGNORECASE | re.DOTALL,
)
"""A string that names a server, but none of SQL Server."""
_KEYS = {
    "PGHOST": ("Host", "Port", "Database", "Username"),
    "MYSQL_HOST": ("Server", "Port", "Database", "User ID"),
}
"""What Npgsql and the drivers of MySQL call host, port, name and user, by the variable that tells
the host."""


def connection_strings(folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    """The variables that count before the connection strings in the settings of a project, where
    `given` are those of the database by what they say; none where the settings have several
    strings of servers."""
    named = table_of(json_of(folder / SETTINGS).get("ConnectionStrings"))
    # One that is empty there is what each place of use sets.
    mine = [
        name
        for name, held in named.items()
        if re.fullmatch(r"\w+", name) and (not held or _OF_SERVER.match(str(held)))
    ]
    if len(mine) != 1:
        return {}
    values = (given[one] for one in ("host", "port", "name", "user"))
    pairs = zip(_KEYS[given["host"]], values, strict=True)
    return {f"ConnectionStrings__{mine[0]}": ";".join(f"{key}=${{{one}}}" for key, one in pairs)}
