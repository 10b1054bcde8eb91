"""`${NAME}` in a start command: what nothing sets is refused before anything is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webdyno.ab.versions.placeholders import check_placeholders
from webdyno.catalog.servers.program import RunManifest
from webdyno.errors import UserError
from webdyno.printable import printable
from webdyno.runtime.services.registry import SERVICES

DOCS = Path(__file__).parents[4] / "docs/ab.md"
OF_POSTGRESQL = tuple(SERVICES["postgresql"].variables.values())


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
        ({"command": """a "it's ${X}" && b 'c'"""}, "refers to ${X}, which nothing sets"),
        ({"command": """a 'x' "$(cat f)" ${X}"""}, "refers to ${X}, which nothing sets"),
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
        {"command": ["sh", "-c"]},
        {"command": "f() { exec a ${1}; }; f 2"},
        {"command": "a ${PPID} ${IFS} ${OPTARG} ${HOSTNAME} ${UID} && b"},
        {"command": "while getopts p: opt; do echo ${opt}; done; exec a"},
        {"command": "while (getopts p: opt); do echo ${opt}; done; exec a"},
        {"command": ": ${X:=3} ${Y=4}; a ${X} ${Y}"},
        {"command": ": $((n = 1)); a ${n}; b"},
        {"command": "x+=1; y[0]=2; ((z++)); a ${x} ${y} ${z}"},
        {"command": "for one do echo ${one}; done"},
        {"command": "mapfile -t lines < f; a ${lines}"},
        {"command": "readarray lines < f; a ${lines}"},
        {"command": "declare -i n; a ${n}"},
        {"command": "printf -v n %d 3; a ${n}"},
        {"command": "cat > f <<'END'\nserver ${name};\nEND\nexec a"},
        {"command": """jq '{a: "${b}"}' f && a "${PORT}\""""},
        {"command": """node -e 'const a = `http://${b}`; c("d")'; a"""},
        {"command": """x="$(jq '{a: "${b}"}' f)" && a "$x\""""},
        {"command": ["sh", "-c", """a $'it\\'s "${b}' "c"; d"""]},
        {"command": """a it\\'s '"${b}"' && c"""},
        {"command": ["sh", "-c", "a; # it's\nb '${c}' && d # ${e}"]},
    ],
)
def test_what_something_sets_is_taken(keys: dict[str, Any]) -> None:
    check_placeholders(run(**keys), OF_POSTGRESQL)


def test_the_variables_of_databases_are_those_that_the_documentation_names() -> None:
    rows = [line for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    for service, given in ((name, SERVICES[name].variables) for name in SERVICES):
        (row,) = (line for line in rows if line.startswith(f"| `{service}`"))
        assert {name for name in given.values() if f"`{name}`" in row} == set(given.values())
