"""The text of a `webdyno.toml`, as `webdyno init` writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from webdyno.ab.recognise.recognised import RecognisedService


def description_text(name: str, service: RecognisedService | None) -> str:
    """A description of a service called `name`; what is not known stands in comments."""
    known = service or RecognisedService("", "")
    source = f"from {known.manifest}" if known.manifest else "no manifest was recognised"
    lines = [
        f"# How to build, run and load this service ({source}).",
        "# Compare two versions of it:  webdyno ab BRANCH HEAD",
        "",
        f"name = {_quoted(name)}",
        f"language = {_quoted(known.language)}" if known.language else '# language = "go"',
    ]
    if known.toolchain:
        lines.append(f"toolchain = [{', '.join(map(_quoted, known.toolchain))}]")
    lines.append("# cookies = true  # users send back the cookies that answers set: for a login")
    for line in known.to_do:
        lines += ["", f"# To do: {line}."]
    lines += ["", "[build]  # in a copy of the sources, once for each version"]
    if known.build:
        lines += ["commands = [", *(f"    {_quoted(line)}," for line in known.build), "]"]
    else:
        lines.append("commands = []")
    if known.build_env:
        lines.append(f"env = {{ {_pairs(known.build_env)} }}")
    lines += ["", f"{'' if known.run else '# '}[run]  # it has to listen on 127.0.0.1 at $PORT"]
    lines.append(f"command = {_quoted(known.run)}" if known.run else '# command = "./service"')
    lines.append('# ready = "/health"  # polled until it answers; default: the first request')
    lines.append(
        "writes = true" if known.writes else "# writes = true  # if it writes to its own folder"
    )
    if known.prepare:
        lines.append(f"prepare = [{', '.join(map(_quoted, known.prepare))}]  # before each start")
    env = _pairs(known.env)
    lines.append(f"env = {{ {env} }}" if env else '# env = { LOG_LEVEL = "warn" }')
    if rows := rows_of(known):
        lines += ["", f"# To do: {rows}."]
    if known.uses_database:
        lines += ["", f"[services.{known.services[0]}]  # a fresh database for each start", _SEED]
    for database in () if known.uses_database else known.services:
        lines += ["", f"# To do: the contents of its database, if it uses {database}."]
        lines += [f"# [services.{database}]  # a fresh database for each start", _SEED, _ADDRESS]
    lines.append(_REST)
    return "\n".join(lines)


def rows_of(service: RecognisedService) -> str:
    """What its owner has to do for the rows of a database whose tables are made; empty where there
    is none."""
    if not service.prepare:
        return ""
    told = f", such as `{service.rows}`" if service.rows else " that loads them"
    return (
        "`prepare` creates the tables of its database; if the requests need rows, add a command"
        + told
    )


_SEED = '# seed = ["schema.sql", "rows.sql"]  # before `prepare` in [run], which is for migrations'
_ADDRESS = (
    "# Its address: DATABASE_URL, PGHOST, … or MYSQL_URL, MYSQL_HOST, …; others in [run] env."
)

_REST = """
# To do: the requests to send, and what a correct answer is.
[[requests]]
path = "/"

# [[requests]]
# method = "POST"
# path = "/items"
# headers = { Content-Type = "application/json" }
# body = '{{"name": "x"}}'  # double the braces, because {name} is a variable
# status = 201

# [answers]  # what may differ between the two versions
# ignore_headers = ["x-request-id"]
# ignore_json = ["items[*].time"]

# [load]
# rate = "200/s"  # of the steady load; half of what the slower version answers, if left out
"""


def _pairs(env: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {_quoted(value)}" for name, value in env.items())


def _quoted(text: str) -> str:
    """A string of TOML; JSON's escapes are among those of TOML."""
    return json.dumps(text, ensure_ascii=False)
