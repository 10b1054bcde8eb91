"""`${NAME}` in a start command: what nothing sets is refused before anything is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webdyno.ab.recognise.databases import VARIABLES
from webdyno.ab.versions.placeholders import check_placeholders
from webdyno.catalog.program import RunManifest
from webdyno.errors import UserError
from webdyno.printable import printable

DOCS = Path(__file__).parents[4] / "docs/ab.md"
OF_POSTGRESQL = tuple(VARIABLES["postgresql"].values())


def run(**keys: Any) -> RunManifest:
    return RunManifest.model_validate({"command": "./service", **keys})


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            {"command": "node a.js --port ${PROT}"},
            r"`command` under [run] refers to ${PROT}, which nothing sets; write ${PORT}, or set "
            r"PROT in `env` (--env PROT=…)",
        ),
        ({"command": "java -jar a.jar ${JAVA_OPTS}"}, "set JAVA_OPTS in `env`"),
        ({"command": ["node", "a.js", "${PROT}"]}, "which nothing sets; write ${PORT}"),
        ({"prepare": ["psql ${DATABASE_ULR}"]}, "`prepare` under [run] refers to ${DATABASE_ULR}"),
        ({"env": {"A": "x:${PROT}"}}, "`env.A` under [run] refers to ${PROT}"),
        ({"command": "a ${MYSQL_HOST}"}, "refers to ${MYSQL_HOST}, which nothing sets"),
    ],
)
def test_what_nothing_sets_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as refused:
        check_placeholders(run(**keys), OF_POSTGRESQL)
    assert said in str(refused.value)
    assert printable(str(refused.value)) == str(refused.value)


@pytest.mark.parametrize(
    "keys",
    [
        {"command": "a ${HOST}:${PORT} ${CPUS} ${SCENARIO} ${TMPDIR} ${PATH} ${WEBDYNO_CPUS}"},
        {"command": "a ${X}", "env": {"X": "1"}},
        {"command": "a ${PGHOST}", "env": {"DB": "${DATABASE_URL}?schema=public"}},
        {"command": "a ${X:-1} ${Y:?} $Z"},
        {"command": "X=1 && a ${X}"},
        {"command": "for one in a b; do echo ${one}; done; exec a"},
        {"command": ". ./settings && exec a ${X}"},
        {"command": "a --pattern '${name}' && b"},
        {"command": ["a", "${spring}"], "env": {"PATTERN": "${level}"}},
    ],
)
def test_what_something_sets_is_taken(keys: dict[str, Any]) -> None:
    check_placeholders(run(**keys), OF_POSTGRESQL)


def test_the_variables_of_databases_are_those_that_the_documentation_names() -> None:
    rows = [line for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    for service, given in VARIABLES.items():
        (row,) = (line for line in rows if line.startswith(f"| `{service}`"))
        assert {name for name in given.values() if f"`{name}`" in row} == set(given.values())
