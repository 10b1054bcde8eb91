"""Files of SQL that hold in one what makes the tables and what takes them back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from unit.ab.recognise.data.test_migrations import GO, prepared

GOOSE = "-- +goose Up\ncreate {0};\n\n-- +goose Down\ndrop {0};\n"
PARTED = {
    "goose": GOOSE,
    "goose, without a space": "--+goose up\ncreate {0};\n--+goose down\ndrop {0};\n",
    "sql-migrate": "-- +migrate Up\ncreate {0};\n-- +migrate Down\ndrop {0};\n",
    "dbmate": "-- migrate:up\ncreate {0};\n\n-- migrate:down\ndrop {0};\n",
    "tern": "create {0};\n---- create above / drop below ----\ndrop {0};\n",
    "rambler": "-- rambler up\ncreate {0};\n-- rambler down\ndrop {0};\n",
}


def printed(folder: Path, command: str) -> list[str]:
    """What the command sends to the client of the database, without its comments."""
    reads, _, client = command.rpartition(" | ")
    assert client.startswith("psql ")
    out = subprocess.run(
        ["sh", "-c", reads], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    return [line for line in out.splitlines() if line and not line.startswith("--")]


@pytest.mark.parametrize("tool", PARTED)
def test_only_what_makes_the_tables_is_run(tmp_path: Path, tool: str) -> None:
    files = {f"db/migrations/{n}_a.sql": PARTED[tool].format(f"t{n}") for n in (1, 2)}
    command = prepared(tmp_path, {**GO, **files})
    assert printed(tmp_path, command) == ["create t1;", "create t2;"]


@pytest.mark.parametrize(
    ("files", "order"),
    [
        ({f"migrations/{n}_a.sql": GOOSE.format(n) for n in (1, 2, 10)}, ["1", "2", "10"]),
        ({f"db/migrations/{n}_a.up.sql": f"create {n};" for n in (9, 10)}, ["9", "10"]),
        ({f"migrations/{n}_a/up.sql": f"create {n};" for n in (9, 100)}, ["9", "100"]),
        ({f"migrations/{n}_a.sql": f"create {n};" for n in ("09", "10")}, ["09", "10"]),
    ],
)
def test_they_are_run_in_the_order_of_their_numbers(
    tmp_path: Path, files: dict[str, str], order: list[str]
) -> None:
    files = {name: f"{text}\n" for name, text in files.items()}
    command = prepared(tmp_path, {**GO, **files})
    assert printed(tmp_path, command) == [f"create {one};" for one in order]


def test_a_procedure_that_mariadbs_client_would_cut_is_not_run(tmp_path: Path) -> None:
    body = "-- +goose Up\n-- +goose StatementBegin\ncreate a; b;\n-- +goose StatementEnd\n"
    files = {**GO, "migrations/1_a.sql": body}
    assert prepared(tmp_path, files).startswith("awk ")
    files["go.mod"] = "module x\nrequire github.com/go-sql-driver/mysql v1.9.0\n"
    assert prepared(tmp_path, files) == ""


@pytest.mark.parametrize(
    "code",
    ["db.AutoMigrate(&Item{})", "client.Schema.Create(ctx)", 'import "jackc/tern/v2/migrate"'],
)
def test_a_program_that_makes_its_tables_itself_needs_no_command(tmp_path: Path, code: str) -> None:
    assert prepared(tmp_path, {**GO, "main.go": f"package main\n{code}\n"}) == ""
